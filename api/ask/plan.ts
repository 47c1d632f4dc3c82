/**
 * What a question asks, as far as it is read: the plan that intents fill in and answers carry out, and what it
 * takes from the plan of the question before.
 *
 * @module
 */

import type { NumberEntity, Reading } from "./entities.ts";
import type { NameSpan } from "./names.ts";
import type { Topic } from "./topics.ts";
import type { DeclinedTopic } from "./declines.ts";

/** A carrier as the question names it; a name may be any of `texts`. */
export type CarrierRef =
  | { by: "dot"; number: number }
  | { by: "docket"; prefix: "MC" | "MX" | "FF"; number: number }
  | { by: "name"; texts: readonly string[] }
  /** One of the options for `of`, counted from 0; -1 is the last. */
  | { by: "choice"; of: CarrierRef | null; index: number };

/** What a question lacks, with a sentence on why where there is more to say; without final period. */
export interface Lack {
  part: "carrier" | "dot" | "mc" | "vehicles" | "number" | "question";
  problem?: string;
}

/** What is to be answered. */
export interface Plan {
  spanish: boolean;
  carriers: CarrierRef[];
  topics: Set<Topic>;
  /** Guesses to answer yes or no: `status=active`. */
  guesses: Set<string>;
  compare: boolean;
  /** The name that a numbered carrier is matched with. */
  given?: string;
  /** Fleets whose UCR fee is asked for, in each of `years`. */
  fleets: number[];
  years: number[];
  general: Set<"data_date" | "count" | "missed">;
  /** The name is searched for: several results are an answer. */
  search: boolean;
  declined: Set<DeclinedTopic>;
  /** Numbers and names of the question that the answer does not use, as typed. */
  unused: string[];
  lacks?: Lack;
}

/** The words and numbers of a question outside its names. */
export class Words {
  readonly text: string;
  readonly numbers: (NumberEntity & { at: number })[];
  readonly marks: ReadonlySet<string>;

  constructor(readonly reading: Reading, readonly names: readonly NameSpan[]) {
    const free = (at: number): boolean => !names.some(({ from, to }) => at >= from && at < to);
    const { tokens, spans } = reading;
    this.text = tokens.filter((_, at) => free(at)).map(({ text }) => text).join(" ");
    // Copies: what a number is can depend on what the name is.
    this.numbers = tokens.flatMap(({ number }, at) =>
      number && free(at) ? [{ ...number, at }] : []
    );
    this.marks = new Set(spans.flatMap((span, at) => span !== null && free(at) ? span.mark : []));
  }

  has(...marks: string[]): boolean {
    return marks.some((mark) => this.marks.has(mark));
  }

  says(pattern: RegExp): boolean {
    return pattern.test(this.text);
  }

  all(...roles: NumberEntity["role"][]): Words["numbers"] {
    return this.numbers.filter(({ role }) => roles.includes(role));
  }
}

/** Whether a carrier is named by number. */
export function isNumbered(ref: CarrierRef): ref is CarrierRef & { by: "dot" | "docket" } {
  return ref.by === "dot" || ref.by === "docket";
}

/** References without repetitions. */
export function distinct(refs: readonly CarrierRef[]): CarrierRef[] {
  return [...new Map(refs.map((ref) => [JSON.stringify(ref), ref])).values()];
}

/** Deletes items of a set. */
export function drop<T>(set: Set<T>, ...items: T[]): void {
  for (const item of items) set.delete(item);
}

const NTH = [
  "first|1st|primer[oa]?",
  "second|2nd|segund[oa]",
  "third|3rd|tercer[oa]?",
  "fourth|4th",
];
const NTH_OR_LAST = [...NTH, "last|ultim[oa]"].join("|");
const ORDINAL = new RegExp(
  `\\b(?<word>${NTH_OR_LAST}) (?:one|option|carrier|company|result|match)\\b|` +
    `^\\W*(?:the |el |la )?(?<alone>${NTH_OR_LAST})\\W*$|` +
    "^\\W*(?:option |number |no\\.? ?|#)(?<digit>\\d{1,2})\\W*$",
  "i",
);

/** Takes carriers or topics from the question before where this one has none. */
export function carryOn(
  plan: Plan,
  words: Words,
  { memory, own }: { memory: Plan | null; own: boolean },
): void {
  const { topics, declined } = plan;
  const done = plan.fleets.length + plan.general.size > 0 || plan.lacks !== undefined;
  if (memory === null || done) return;
  const asked = topics.size + declined.size > 0;
  const comparing = words.has("compare") && topics.size === 0 ||
    memory.lacks?.part === "carrier" && memory.compare && !asked;
  if (comparing && plan.carriers.length === 1) {
    plan.carriers = distinct([...memory.carriers, ...plan.carriers]);
    plan.compare = plan.carriers.length === 2;
  } else if (plan.carriers.length === 0 && asked) plan.carriers = memory.carriers;
  else if (own && !asked && !plan.compare) {
    for (const topic of memory.topics) if (topic !== "match") topics.add(topic);
    for (const guess of memory.guesses) plan.guesses.add(guess);
  }
}

/** "The second one", "the one in Dallas", or a place alone, after a question that had carriers. */
export function followUp(
  { reading: { text }, names: [name] }: Words,
  memory: Plan | null,
): CarrierRef | null {
  const before = memory?.carriers ?? [];
  const [only] = before;
  const ordinal = ORDINAL.exec(text)?.groups;
  if (ordinal !== undefined) {
    const said = ordinal.word ?? ordinal.alone;
    const index = said === undefined
      ? Number(ordinal.digit) - 1
      : NTH.findIndex((one) => new RegExp(`^(?:${one})$`, "i").test(said));
    if (before.length > 1 && before.at(index) !== undefined) return before.at(index)!;
    return { by: "choice", of: before.length === 1 && only!.by === "name" ? only! : null, index };
  }
  if (before.length !== 1 || only!.by !== "name" || name === undefined) return null;
  const inPlace = (place: string): string[] => only!.texts.map((one) => `${one} in ${place}`);
  const place = /^\W*(?:(?:the|that) ones? )?(?:in|near|from) (.+?)[?!.]*$/i.exec(text)?.[1];
  if (place !== undefined) return { by: "name", texts: inPlace(place) };
  const alone = name.text === text.replace(/[?!.]+$/, "");
  return alone ? { by: "name", texts: [name.text, ...inPlace(name.text)] } : null;
}
