/**
 * What a reference to a carrier is found to be, and the searches that it may take.
 *
 * @module
 */

import type { searchCarriers } from "../../operations/search.ts";
import type { TypedName } from "../entities/names.ts";
import type { Found } from "./fitting.ts";

/** The carrier or carriers of a reference. If `several` are `exact`, all have the name; otherwise they are similar. */
export type Resolution =
  | { outcome: "found"; dot: number; note: string }
  | { outcome: "absent"; message: string; url: string }
  | { outcome: "not searched"; message: string; url: string }
  | {
    outcome: "several";
    label: string;
    options: Found[];
    exact: boolean;
    /** All carriers that list a docket, if there are more than options. */
    holders?: readonly string[];
  };

export function foundAs({ dot }: Found, note: string): Resolution {
  return { outcome: "found", dot: Number(dot), note };
}

/** The most words searched for; bounds the cost of a question. */
export const MAX_SEARCHED = 36;

/** The most carriers to choose from. */
export const NEAR_OPTIONS = 6;

/** The searches left to one part of a conversation. */
export class Budget {
  #words: number;

  constructor(words = MAX_SEARCHED) {
    this.#words = words;
  }

  /** Whether a search of so many words may be made; counts it. */
  take(words: number): boolean {
    this.#words -= words;
    return this.#words >= 0;
  }
}

/** Searches of one conversation. */
export interface Searches {
  readonly baseUrl: string;
  /** What a search finds, the likeliest first; null when it is not made. */
  search(text: string, budget: Budget, operation?: typeof searchCarriers): Promise<Found[] | null>;
  /** The carriers of a name, in its place; null when not searched. */
  namesakes(name: TypedName, budget: Budget): Promise<Found[] | null>;
}
