/**
 * Stage 3, a question that may carry on the one before, and how.
 *
 * @module
 */

import type { QuestionView } from "../../entities/entities.ts";
import type { Asked, Intent, Intents } from "../asked/intents.ts";
import type { CarrierRef, SearchList } from "../whom/references.ts";

/** What is known about the previous question. */
export interface Memory extends Asked {
  readonly carriers: readonly CarrierRef[];
  /** Whether it asked which carrier is meant. */
  readonly lacksCarrier: boolean;
  /** Whether it asked for a fee. */
  readonly fee: boolean;
  /** The terms that it explained. */
  readonly terms: readonly string[];
  /** The carriers of the question before it. */
  readonly earlier: readonly CarrierRef[];
  /** What it listed, if it was a search. */
  readonly list?: SearchList | undefined;
}

export interface Carried extends Asked {
  readonly carriers: readonly CarrierRef[];
  /** The terms to explain, if it asks for that. */
  readonly terms?: readonly string[];
}

/** A question that may carry on the one before. */
export interface FollowUp extends Carried {
  readonly q: QuestionView;
  readonly text: string;
  readonly memory: Memory;
  /** Whether it asks for no topic and nothing that is declined. */
  readonly open: boolean;
  /** Whether it gives a carrier. */
  readonly named: boolean;
  /** Whether it numbers its carriers itself or follows up on one. */
  readonly own: boolean;
  /** Whether it says which inspections: "and in October". */
  readonly inspected: boolean;
}

/** What a question means only after another. */
export type FollowRule = (follow: FollowUp) => Partial<Carried> | undefined;

export function withIntents(intents: Iterable<Intent>, ...more: readonly Intent[]): Intents {
  return new Set<Intent>([...intents, ...more]);
}
