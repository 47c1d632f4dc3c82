/**
 * What a question can mean.
 *
 * @module
 */

/** What can be asked about one carrier, in the order of every answer. */
export const TOPICS = [
  "status",
  "mcs150",
  "authority",
  "rating",
  "oos",
  "ucr",
  "fleet",
  "location",
  "operation",
] as const;

/** One of {@link TOPICS}. */
export type Topic = typeof TOPICS[number];

/** A guess in the question that is answered yes, no or unclear. */
export type Expectation =
  | "status=active"
  | "status=inactive"
  | "rating=satisfactory"
  | "rating=conditional"
  | "rating=unsatisfactory"
  | "rating=rated"
  | "mcs150=filed"
  | "mcs150=overdue";

/** What cannot be answered from the two public files. */
export const DECLINED_TOPICS = [
  "insurance",
  "crashes",
  "trust",
  "load_rates",
  "legal",
  "licensing",
  "scores",
  "contact",
  "ucr_payment",
  "filing",
  "other_filings",
  "drivers",
  "oos_order",
  "violations",
  "cargo",
  "history",
  "credit",
  "filters",
  "explanations",
] as const;

/** One of {@link DECLINED_TOPICS}. */
export type DeclinedTopic = typeof DECLINED_TOPICS[number];

/** What is to be done. */
export type Intent =
  | "lookup"
  | "check"
  | "due_date"
  | "ucr_fee"
  | "mc_to_dot"
  | "dot_to_mc"
  | "search"
  | "compare";

/** A carrier as the question names it. A name is as it was typed: search forgives typos, not we. */
export type CarrierRef =
  | { by: "dot"; number: number }
  | { by: "mc"; number: number }
  | { by: "name"; name: string };

/** A registration year, or one counted from today's. */
export type Year = number | "this" | "next" | "last";

/** The parts of a question. Empty or absent when it does not give them. */
export interface Slots {
  carriers: CarrierRef[];
  topics: Topic[];
  expects: Expectation[];
  vehicles?: number;
  years: Year[];
  /** Words to search by. */
  query?: string;
}

/** A part that has to be asked for. */
export type Part = "carrier" | "vehicles" | "query" | "dot" | "mc";

/** What was understood of a question. `understood` says it in words. */
export type Understanding =
  & { slots: Slots; declined: DeclinedTopic[]; understood: string }
  & (
    | { outcome: "clear"; intent: Intent }
    | {
      /** `invalid`: it is no such number. `too_many`: more numbers than one answer has. */
      outcome: "missing" | "ambiguous" | "invalid" | "too_many";
      intent: Intent;
      part: Part;
      /** What is wrong with a number that is `invalid`. */
      problem?: string;
    }
    /** Only declined topics were asked for. */
    | { outcome: "declined" }
    | { outcome: "unknown" }
  );

/** Numbers in one question at most. */
export const MAX_CARRIERS = 20;

/** Characters of a question at most. */
export const MAX_QUESTION = 1000;
