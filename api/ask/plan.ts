/**
 * What a question asks, as far as it is read: the plan that intents fill in and answers carry out.
 *
 * @module
 */

import type { DeclinedTopic } from "./declines.ts";
import type { NumberEntity, Reading } from "./entities.ts";
import type { NameSpan } from "./names.ts";
import type { Topic } from "./vocabulary.ts";

/** A carrier as the question names it; a name may be any of `texts`. */
export type CarrierRef =
  | { by: "dot"; number: number }
  | { by: "docket"; prefix: "MC" | "MX" | "FF"; number: number }
  | { by: "name"; texts: readonly string[] }
  /** One of the options for `of`, counted from 0; -1 is the last. */
  | { by: "choice"; of: CarrierRef | null; index: number };

/** What a question lacks. */
export type Lack = "carrier" | "dot" | "mc" | "vehicles" | "number" | "question";

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
  lacks?: { part: Lack; problem?: string };
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
export function isNumbered({ by }: CarrierRef): boolean {
  return by === "dot" || by === "docket";
}

/** References without repetitions. */
export function distinct(refs: readonly CarrierRef[]): CarrierRef[] {
  return [...new Map(refs.map((ref) => [JSON.stringify(ref), ref])).values()];
}

/** Deletes items of a set. */
export function drop<T>(set: Set<T>, ...items: T[]): void {
  for (const item of items) set.delete(item);
}
