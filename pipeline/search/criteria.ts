/**
 * What carriers found are ranked by. Web APIs only.
 *
 * @module
 */

/** How a name compares with a query, criteria in the order they are compared in. */
export interface Likeness {
  /**
   * 5 the query is the name, 4 but for the legal form; 3 and 2 likewise with a place that the carrier is in;
   * 1 but for the order of words; 0 another name.
   */
  exact: number;
  /** Weights of the words found, summed: a word counts more the fewer carriers have it. */
  matched: number;
  /** Words of the query, noise too, that are where the carrier is. */
  placed: number;
  /** Edits; half of one more where the first letter differs. */
  typos: number;
  /** Words found only as the beginning of a longer one. */
  prefixes: number;
  /** 1 where the name has words that were not asked for. */
  extra: number;
  /** Pairs of words that follow each other as in the query. */
  adjacent: number;
}

/** The criteria that rank a carrier: the likeness of its better name, then these. */
export interface Criteria extends Likeness {
  active: boolean;
  /** -1 where not filed. */
  power_units: number;
}

/** The likeness of a name that has nothing of the query. */
export function noLikeness(): Likeness {
  return { exact: 0, matched: 0, placed: 0, typos: 0, prefixes: 0, extra: 0, adjacent: 0 };
}

/** The criteria of a carrier that has nothing of the query. */
export function noCriteria(): Criteria {
  return { ...noLikeness(), active: false, power_units: -1 };
}

/** Negative when `a` goes before `b`. */
export function compareLikeness(a: Likeness, b: Likeness): number {
  return b.exact - a.exact || b.matched - a.matched || b.placed - a.placed || a.typos - b.typos ||
    a.prefixes - b.prefixes || a.extra - b.extra || b.adjacent - a.adjacent;
}

/** Negative when `a` goes before `b`. */
export function compareCriteria(a: Criteria, b: Criteria): number {
  return compareLikeness(a, b) || Number(b.active) - Number(a.active) ||
    b.power_units - a.power_units;
}
