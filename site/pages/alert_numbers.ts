/**
 * Reads the numbers of a sign-up for alerts: those that can be watched, those that cannot be used, and
 * those for which the visitor must choose a carrier.
 *
 * @module
 */

import { findItems } from "../../api/operations/batch.ts";
import { ServiceError } from "../../api/operations/errors.ts";
import { findDockets } from "../../api/operations/lookup.ts";
import { forCaller } from "../../api/operations/operation.ts";
import type { Carrier } from "../../api/rules/schemas.ts";
import type { Snapshot } from "../../pipeline/snapshot/reader.ts";
import { type Identifier, named, type NumberList, PROBLEMS, readList } from "../bulk/numbers.ts";
import type { Visit } from "./route.ts";

/** Maximum number of carriers to offer for a docket. */
const MOST_OFFERED = 10;

/** A docket that several carriers list. */
export interface DocketChoice {
  docket: Identifier;
  carriers: readonly Carrier[];
  /** Number of carriers that list it, including those that are not offered. */
  count: number;
}

export interface WatchList {
  /** The USDOT numbers of `kept`, without duplicates. */
  dots: number[];
  /** The numbers that can be used, as text for the form. */
  kept: string;
  /** What is wrong with each number or text that cannot be used, without a final period. */
  problems: string[];
  choices: DocketChoice[];
}

/**
 * Reads a text of at most `most` numbers and finds the carriers of its dockets.
 *
 * @returns Null if the text has more numbers.
 * @throws {ServiceError} `upstream_unavailable`.
 */
export async function readWatchList(
  text: string,
  { most, site: { reader, baseUrl }, today }: { most: number } & Pick<Visit, "site" | "today">,
): Promise<WatchList | null> {
  const { numbers, unread } = readWords(text, most);
  if (numbers.length > most) return null;
  const problems = unread.map(({ text, problem }) =>
    `“${text}” (${problem.startsWith("* ") ? problem.slice(2) : "not a carrier's number"})`
  );
  const dockets = numbers.filter(({ kind }) => kind !== "USDOT");
  // USDOT numbers need no lookup here, because the sign-up looks them up.
  if (problems.length + dockets.length === 0) {
    const dots = numbers.map(({ number }) => number);
    return { dots, kept: dots.join("\n"), problems, choices: [] };
  }
  try {
    return await reader.use(async (snapshot) => {
      const context = { snapshot, today, baseUrl, relook: true };
      return await resolve(numbers, { ...context, problems: [...problems] });
    });
  } catch (error) {
    throw forCaller(error);
  }
}

async function resolve(
  numbers: readonly Identifier[],
  { problems, ...context }: {
    snapshot: Snapshot;
    today: string;
    baseUrl: string;
    relook: boolean;
    problems: string[];
  },
): Promise<WatchList> {
  const dockets = numbers.filter(({ kind }) => kind !== "USDOT");
  const holders = await findDockets(dockets, context.snapshot);
  const choices: DocketChoice[] = [];
  const kept = new Map<string, number>();
  for (const number of numbers) {
    const [dot, ...others] = holders.get(number) ?? [number.number];
    if (dot === undefined) problems.push(`${named(number)} (no carrier lists it)`);
    else if (others.length === 0) kept.set(named(number), dot);
    else {
      const dots = [dot, ...others];
      const carriers = await find(dots.slice(0, MOST_OFFERED), context);
      choices.push({ docket: number, carriers: [...carriers.values()], count: dots.length });
    }
  }
  // Also looks up the usable numbers, so that a single answer lists everything that is wrong.
  if (problems.length + choices.length > 0) {
    const found = await find([...kept.values()], context);
    for (const [name, dot] of kept) {
      if (found.has(dot)) continue;
      problems.push(notInData(dot));
      kept.delete(name);
    }
  }
  return {
    dots: [...new Set(kept.values())],
    kept: [...kept.keys()].map((name) => name.replace(/^USDOT /, "")).join("\n"),
    problems,
    choices,
  };
}

/** `USDOT 4 (not in the data)`. */
export function notInData(dot: number): string {
  return `USDOT ${dot} (not in the data)`;
}

/** Returns the carriers with these USDOT numbers. Omits numbers that are not in the data. */
async function find(
  dots: readonly number[],
  context: Parameters<typeof findItems>[1],
): Promise<Map<number, Carrier>> {
  const carriers = new Map<number, Carrier>();
  for (const item of await findItems(dots, context)) {
    if (item.ok) carriers.set(Number(item.dot), item.carrier);
    else if (item.error.code === "upstream_unavailable") {
      throw new ServiceError("upstream_unavailable", item.error.message);
    }
  }
  return carriers;
}

/** A word that belongs to the number after it. */
const BEFORE_NUMBER =
  /^(?:u\.?s\.?|(?:u\.?s\.?)?d\.?o\.?t\.?|icc|m\.?c\.?|mx|ff|docket|number|num|nbr|no)?[.:#-]*$/i;

/**
 * Like {@link readList}, but also reads numbers among words: `286764 abc MC 5` has two numbers and the
 * unread text `abc`.
 */
function readWords(text: string, most: number): Pick<NumberList, "numbers" | "unread"> {
  const { numbers, unread } = readList(text, most);
  const found = new Map(numbers.map((number) => [named(number), number]));
  const wrong: typeof unread = [];
  for (const part of unread) {
    const pieces = part.problem === PROBLEMS.text ? piecesOf(part.text) : [part.text];
    const read = pieces.map((piece) => readList(piece, most));
    // "MC abc 5" could be a docket or a USDOT number.
    const isTorn = pieces.some((piece, i) =>
      read[i]!.unread.length > 0 && BEFORE_NUMBER.test(piece.split(" ")[0]!)
    );
    if (isTorn || pieces.length === 1) {
      wrong.push(part);
      continue;
    }
    for (const one of read) {
      for (const number of one.numbers) found.set(named(number), number);
      wrong.push(...one.unread);
    }
  }
  return { numbers: [...found.values()], unread: wrong };
}

/** Splits a text into words, and keeps each number together with the words that belong to it. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let begun = "";
  for (const word of text.split(/[ ,]+/)) {
    begun += begun === "" ? word : ` ${word}`;
    if (BEFORE_NUMBER.test(word)) continue;
    pieces.push(begun);
    begun = "";
  }
  return begun === "" ? pieces : [...pieces, begun];
}
