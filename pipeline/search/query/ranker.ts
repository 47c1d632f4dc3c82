/**
 * How a carrier compares with a query. Web APIs only.
 *
 * @module
 */

import type { Entry, ListFile, ListRows } from "../shared/lists_file.ts";
import { meaning } from "../shared/tokenizer.ts";
import { FoldedText, LINE_FEED } from "./byte_tokenizer.ts";
import type { Option } from "./candidates.ts";
import { Cover, PlaceReader } from "./matcher.ts";
import type { Query, Reading } from "./query.ts";

/** A carrier that has less than this share of the words asked for is not what was meant. */
const LEAST_SHARE = 0.5;

interface PreparedReading {
  reading: Reading;
  /** Places in the query's words that this reading takes for a place. */
  placeWords: number[];
  placed: number;
  typed: string;
  /** Blanks set aside: "car max" is "carmax". */
  meant: string;
}

/** Compares carriers with a query. Make one per query, with all terms that may stand for its words. */
export class Ranker {
  /** Of the carrier read last; nothing of use unless {@link enough}. */
  readonly criteria: Criteria = noCriteria();
  /** Whether the carrier read last has enough of the query to be an answer. */
  enough = false;
  readonly #weights: readonly number[];
  readonly #total: number;
  readonly #cover: Cover;
  readonly #readings: PreparedReading[];
  readonly #places: PlaceReader;
  readonly #name = new FoldedText();
  readonly #dba = new FoldedText();
  readonly #ofDba: Likeness = noLikeness();

  /** @param weigh The weight of a word of the query. */
  constructor(query: Query, { options, weigh }: {
    options: readonly Option[];
    weigh: (word: string) => number;
  }) {
    this.#weights = query.words.map(weigh);
    this.#total = this.#weights.reduce((sum, weight) => sum + weight, 0);
    this.#cover = new Cover(query, options);
    this.#readings = query.readings.map((reading) => prepare(reading, query));
    this.#places = new PlaceReader(query.readings);
  }

  /**
   * Reads the text of a carrier into the criteria, but for those of its fleet.
   *
   * @returns The offset after it.
   */
  read(bytes: Uint8Array, at: number): number {
    let next = this.#name.read(bytes, at, LINE_FEED);
    const hasDba = bytes[next] !== LINE_FEED;
    if (hasDba) next = this.#dba.read(bytes, next, LINE_FEED);
    else next++;
    next = this.#places.read(bytes, next);
    this.enough = this.#compare(this.#name, this.criteria);
    if (!hasDba || !this.#compare(this.#dba, this.#ofDba)) return next;
    if (!this.enough || compareLikeness(this.criteria, this.#ofDba) > 0) {
      Object.assign(this.criteria, this.#ofDba);
    }
    this.enough = true;
    return next;
  }

  /** Whether a carrier has all that was asked for, but for typos. */
  isWhole({ matched }: Criteria): boolean {
    return matched >= this.#total - 0.001;
  }

  /** Tells how a name compares; false, and nothing said, when it has too little of the query. */
  #compare(text: FoldedText, into: Likeness): boolean {
    const cover = this.#cover;
    cover.look(text);
    let placed = 0;
    this.#readings.forEach((prepared, r) => {
      if (!this.#holds(r)) return;
      for (const k of prepared.placeWords) cover.grant(k);
      placed = Math.max(placed, prepared.placed);
    });
    const size = this.#weights.length;
    let matched = 0;
    let found = 0;
    let typos = 0;
    let prefixes = 0;
    for (let k = 0; k < size; k++) {
      matched += cover.covered[k]! * this.#weights[k]!;
      found += cover.covered[k]!;
      if (cover.covered[k]! > 0) typos += cover.costs[k]!;
      prefixes += cover.prefixed[k]!;
    }
    if (matched < LEAST_SHARE * this.#total && found < LEAST_SHARE * size) return false;
    into.exact = this.#exactness(text);
    into.matched = Math.round(matched * 1000) / 1000;
    into.placed = placed;
    into.typos = typos;
    into.prefixes = prefixes;
    into.extra = cover.extra;
    into.adjacent = cover.adjacent;
    return true;
  }

  #exactness(text: FoldedText): number {
    let exact = 0;
    this.#readings.forEach(({ meant, reading }, r) => {
      if (!this.#holds(r) || meant === "") return;
      if (text.spells(meant, this.#cover.noise)) {
        exact = Math.max(exact, reading.place === undefined ? 4 : 2);
      } else if ((this.#cover.readings & 1 << r) !== 0) exact = Math.max(exact, 1);
    });
    if (exact < 2) return exact;
    const typed = this.#readings.findIndex(({ typed }, r) => this.#holds(r) && text.spells(typed));
    return typed < 0 ? exact : Math.max(exact, typed === 0 ? 5 : 3);
  }

  /** Whether a reading holds for the place of the carrier at hand. */
  #holds(r: number): boolean {
    return (this.#places.held & 1 << r) !== 0;
  }
}

function prepare(reading: Reading, query: Query): PreparedReading {
  const { place } = reading;
  const placeWords = place === undefined ? [] : query.tokens.slice(place.from, place.to)
    .map((word) => query.words.indexOf(word)).filter((i) => i >= 0);
  return {
    reading,
    placeWords,
    placed: place === undefined ? 0 : place.to - place.from,
    typed: reading.tokens.join(""),
    meant: meaning(reading.tokens),
  };
}

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

/** A carrier with what ranked it. */
export interface Ranked {
  entry: Entry;
  criteria: Criteria;
}

interface Held {
  criteria: Criteria;
  dot: number;
  file: ListFile;
  row: number;
  text: number;
}

/** The `limit` best carriers, best first, each once. */
export function bestOf(
  lists: readonly ListRows[],
  { ranker, limit }: { ranker: Ranker; limit: number },
): Ranked[] {
  const best: Held[] = [];
  const { criteria } = ranker;
  for (const { file, from, to, text } of lists) {
    let next = text;
    for (let row = from; row < to; row++) {
      const start = next;
      next = ranker.read(file.bytes, start);
      if (!ranker.enough) continue;
      criteria.active = file.active(row);
      criteria.power_units = file.powerUnits(row);
      const dot = file.dot(row);
      let at = best.length;
      let order = -1;
      while (at > 0) {
        const before = best[at - 1]!;
        order = compareCriteria(criteria, before.criteria) || dot - before.dot;
        if (order >= 0) break;
        at--;
      }
      // The same number: the carrier stands in two of the lists.
      if (order === 0 || at === limit) continue;
      best.splice(at, 0, { criteria: { ...criteria }, dot, file, row, text: start });
      if (best.length > limit) best.pop();
    }
  }
  return best.map(({ criteria, file, row, text }) => ({ criteria, entry: file.entry(row, text) }));
}
