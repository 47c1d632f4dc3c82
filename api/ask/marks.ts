/**
 * What the words of a question can stand for.
 *
 * @module
 */

import type { DeclinedTopic, Expectation, Topic } from "./understanding.ts";

/** What a phrase stands for: a topic, an expectation, a declined topic or a turn of speech. */
export type Mark = `topic:${Topic}` | `expect:${Expectation}` | `no:${DeclinedTopic}` | Turn;

/**
 * Turns of speech. `dot`, `mc`, `docket` stand before numbers or alone; `filler` never is part of a
 * name's end; `asking` shows a sentence, which a mere name is not.
 */
export type Turn =
  | "dot"
  | "mc"
  | "docket"
  | "number"
  | "find"
  | "named"
  | "firms"
  | "lookup"
  | "compare"
  | "due"
  | "file"
  | "fee"
  | "pay"
  | "registered"
  | "how_to"
  | "when"
  | "follow"
  | "them"
  | "vehicle"
  | "trailer"
  | "broker"
  | "count_unsure"
  | "asking"
  | "filler";

/** A phrase ready to be compared. */
export interface Phrase {
  mark: Mark;
  words: readonly (readonly string[])[];
}

/**
 * Phrases by mark, parted by `, `: words in a row; `a|b` is either. The longest phrase that fits wins,
 * of equally long ones the first.
 */
export type PhraseTable = readonly (readonly [mark: Mark, phrases: string])[];
