/**
 * The carriers a question names by number.
 *
 * @module
 */

import { parseDot, parseMc } from "../operations/numbers.ts";
import type { Reading } from "./reading.ts";
import type { CarrierRef } from "./understanding.ts";

/** Carriers named by number. */
export interface Numbered {
  carriers: CarrierRef[];
  /** The first number that cannot be one, and why. */
  invalid?: { part: "dot" | "mc"; problem: string };
  /** Kinds that are spoken of without a number: "what DOT is MC 186800" has a bare `dot`. */
  bare: ReadonlySet<"dot" | "mc">;
  /** Tokens that are taken. */
  used: ReadonlySet<number>;
}

type Prefix = "dot" | "mc" | "other";

const SHORTEST_BESIDE_A_NAME = 5;
const ZIP_DIGITS = 5;
const NEXT_IN_LIST = /^(?:and|or|with|vs|versus|to|then|plus)$/;

/** Reads the numbers that `taken` leaves. */
export function readCarriers(reading: Reading, taken: ReadonlySet<number>): Numbered {
  const found = new Map<string, CarrierRef>();
  const bare = new Set<"dot" | "mc">();
  const used = new Set<number>();
  let invalid: Numbered["invalid"];
  // What the next number is, and the prefix that still has none.
  let prefix: Prefix | null = null;
  let open: { kind: Prefix; at: number } | null = null;
  reading.tokens.forEach(({ kind, text, raw }, at) => {
    const span = reading.spans[at];
    if (kind === "number" && isPart(reading, at)) used.add(at);
    if (span != null && span.from < at && isPrefix(reading, at)) return;
    const named = prefixOf(reading, at);
    if (named !== null) {
      if (open !== null && open.kind !== "other") bare.add(open.kind);
      prefix = named;
      open = { kind: named, at };
    } else if (
      kind === "number" && span === null && !taken.has(at) && !used.has(at) &&
      !isInName(reading, at)
    ) {
      const by = prefix ?? "dot";
      if (by === "other") {
        const name = `${reading.word(open?.at ?? at - 1).toUpperCase()} ${raw}`;
        found.set(name, { by: "name", name });
        if (open !== null) used.add(open.at);
      } else {
        try {
          const number = by === "dot" ? parseDot(text) : parseMc(text);
          found.set(`${by} ${number}`, { by, number });
        } catch (error) {
          invalid ??= { part: by, problem: (error as Error).message };
        }
      }
      used.add(at);
      open = null;
    } else if (open === null ? !NEXT_IN_LIST.test(text) : !isBetween(reading, at)) {
      // "MC for 286764": the prefix is not that of the number.
      if (open !== null && open.kind !== "other") bare.add(open.kind);
      open = null;
      prefix = null;
    }
  });
  const left = open as { kind: Prefix } | null;
  if (left !== null && left.kind !== "other") bare.add(left.kind);
  return {
    carriers: [...found.values()],
    ...(invalid === undefined ? {} : { invalid }),
    bare,
    used,
  };
}

function isPrefix(reading: Reading, at: number): boolean {
  return reading.is(at, "dot", "mc", "docket");
}

/** `Route 66 Trucking`: a short number beside a word that is no keyword. */
function isInName(reading: Reading, at: number): boolean {
  return reading.word(at).length < SHORTEST_BESIDE_A_NAME &&
    [at - 1, at + 1].some((i) =>
      reading.tokens[i]?.kind === "word" && reading.spans[i] === null &&
      !/^(?:ff|mx)$/.test(reading.word(i))
    );
}

/** `ends in 12`, `in 44333`: digits of a number, or of a place. */
function isPart(reading: Reading, at: number): boolean {
  const before = reading.word(at - 1);
  return /^(?:in|near|with)$/.test(before) && /^(?:ends?|ending)$/.test(reading.word(at - 2)) ||
    /^(?:in|near)$/.test(before) && reading.word(at).length === ZIP_DIGITS;
}

function prefixOf(reading: Reading, at: number): Prefix | null {
  if (reading.is(at, "dot")) return "dot";
  if (reading.is(at, "mc", "docket")) return "mc";
  const follows = reading.tokens[at + 1]?.kind === "number";
  return follows && /^(?:ff|mx)$/.test(reading.word(at)) ? "other" : null;
}

function isBetween(reading: Reading, at: number): boolean {
  return reading.is(at, "number") || /^(?:is|are|s)$/.test(reading.word(at));
}
