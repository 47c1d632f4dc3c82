/**
 * Which of the carriers found come first, and why. Web APIs only.
 *
 * @module
 */

import { type Entry, entryWords, type FoldedName } from "./entry.ts";
import { meaning, NOISE_WORDS } from "./fold.ts";
import type { Option } from "./guess.ts";
import type { Query, Reading } from "./query.ts";

/** The criteria that rank a carrier, compared in this order. */
export interface Criteria {
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
  active: boolean;
  /** -1 where not filed. */
  power_units: number;
}

/** A carrier that has less than this share of the words asked for is not what was meant. */
const LEAST_SHARE = 0.5;

/** How a name compares, whoever bears it. */
interface Likeness {
  exact: number;
  matched: number;
  placed: number;
  typos: number;
  prefixes: number;
  extra: number;
  adjacent: number;
  enough: boolean;
}

interface PreparedReading {
  reading: Reading;
  /** Places in the query's words that this reading takes for a place. */
  placeWords: number[];
  placed: number;
  typed: string;
  /** Blanks set aside: "car max" is "carmax". */
  meant: string;
  sorted: string;
}

/** Compares carriers with a query. Make one per query, with all terms that may stand for its words. */
export class Ranker {
  readonly #words: readonly string[];
  readonly #weights: readonly number[];
  readonly #total: number;
  readonly #onlyNoise: boolean;
  readonly #options = new Map<string, { at: number[]; option: Option }[]>();
  readonly #readings: PreparedReading[];
  /** Many carriers bear one name: it is compared once for each set of readings it holds for. */
  readonly #seen = new Map<number, Map<string, Likeness>>();

  /** @param weigh The weight of a word of the query. */
  constructor(query: Query, { options, weigh }: {
    options: readonly Option[];
    weigh: (word: string) => number;
  }) {
    this.#words = query.words;
    this.#weights = this.#words.map(weigh);
    this.#total = this.#weights.reduce((sum, weight) => sum + weight, 0);
    this.#onlyNoise = this.#words.every((word) => NOISE_WORDS.has(word));
    for (const word of this.#words) {
      this.#allow({ term: word, covers: [word], share: 1, cost: 0, prefix: false, count: 0 });
    }
    options.forEach((option) => this.#allow(option));
    this.#readings = query.readings.map((reading) => prepare(reading, query));
  }

  /** What ranks a carrier; nothing when it has too little of the query. */
  rank(entry: Entry): Criteria | undefined {
    const { name, dba } = entryWords(entry);
    let held = 0;
    for (let i = 0; i < this.#readings.length; i++) {
      if (holdsPlace(this.#readings[i]!.reading, entry)) held |= 1 << i;
    }
    let best = this.#likeness(name, held);
    let exact = this.#exactness(best, name, held);
    if (dba !== undefined) {
      const other = this.#likeness(dba, held);
      const otherExact = this.#exactness(other, dba, held);
      if ((otherExact - exact || compareLikeness(best, other)) > 0) {
        best = other;
        exact = otherExact;
      }
    }
    if (!best.enough) return undefined;
    const { matched, placed, typos, prefixes, extra, adjacent } = best;
    const { active, powerUnits: power_units } = entry;
    return { exact, matched, placed, typos, prefixes, extra, adjacent, active, power_units };
  }

  /** Whether a carrier has all that was asked for, but for typos. */
  isWhole({ matched }: Criteria): boolean {
    return matched >= this.#total - 0.001;
  }

  #allow(option: Option): void {
    const at = option.covers.map((word) => this.#words.indexOf(word)).filter((i) => i >= 0);
    if (at.length === 0) return;
    const known = this.#options.get(option.term);
    if (known === undefined) this.#options.set(option.term, [{ at, option }]);
    else known.push({ at, option });
  }

  #exactness(likeness: Likeness, { joined }: FoldedName, held: number): number {
    if (likeness.exact < 2) return likeness.exact;
    const typed = this.#readings.findIndex((reading, i) =>
      (held & 1 << i) !== 0 && reading.typed === joined
    );
    return typed < 0 ? likeness.exact : Math.max(likeness.exact, typed === 0 ? 5 : 3);
  }

  #likeness(name: FoldedName, held: number): Likeness {
    let seen = this.#seen.get(held);
    if (seen === undefined) this.#seen.set(held, seen = new Map());
    const key = this.#onlyNoise ? name.joined : name.likeness;
    let likeness = seen.get(key);
    if (likeness === undefined) seen.set(key, likeness = this.#compare(name, held));
    return likeness;
  }

  #compare(name: FoldedName, held: number): Likeness {
    const size = this.#words.length;
    const covered: number[] = new Array(size).fill(0);
    const costs: number[] = new Array(size).fill(0);
    const prefixed: boolean[] = new Array(size).fill(false);
    let extra = 0;
    let adjacent = 0;
    let before = -2;
    for (const word of this.#onlyNoise ? name.words : name.own) {
      const options = this.#options.get(word);
      if (options === undefined) {
        extra = 1;
        before = -2;
        continue;
      }
      for (const { at, option } of options) {
        for (const i of at) {
          const better = covered[i]! < 1 || prefixed[i] && !option.prefix ||
            option.cost < costs[i]! && prefixed[i] === option.prefix;
          if (!better) continue;
          covered[i] = option.share < 1 ? Math.min(1, covered[i]! + option.share) : 1;
          costs[i] = option.cost;
          prefixed[i] = option.prefix;
        }
      }
      if (options[0]!.at[0] === before + 1) adjacent++;
      before = options[0]!.at.at(-1)!;
    }
    let exact = 0;
    let placed = 0;
    this.#readings.forEach((prepared, r) => {
      if ((held & 1 << r) === 0) return;
      for (const i of prepared.placeWords) {
        covered[i] = 1;
        costs[i] = 0;
        prefixed[i] = false;
      }
      placed = Math.max(placed, prepared.placed);
      exact = Math.max(exact, closeness(prepared, name));
    });
    let matched = 0;
    let found = 0;
    let typos = 0;
    let prefixes = 0;
    for (let i = 0; i < size; i++) {
      matched += covered[i]! * this.#weights[i]!;
      found += covered[i]!;
      if (covered[i]! > 0) typos += costs[i]!;
      if (prefixed[i]) prefixes++;
    }
    if (this.#onlyNoise) extra = adjacent = 0;
    const enough = matched >= LEAST_SHARE * this.#total || found >= LEAST_SHARE * size;
    matched = Math.round(matched * 1000) / 1000;
    return { exact, matched, placed, typos, prefixes, extra, adjacent, enough };
  }
}

/** Negative when `a` goes before `b`. */
export function compareCriteria(a: Criteria, b: Criteria): number {
  return compareLikeness(a, b) || Number(b.active) - Number(a.active) ||
    b.power_units - a.power_units;
}

function compareLikeness(
  a: Omit<Likeness, "enough">,
  b: Omit<Likeness, "enough">,
): number {
  return b.exact - a.exact || b.matched - a.matched || b.placed - a.placed || a.typos - b.typos ||
    a.prefixes - b.prefixes || a.extra - b.extra || b.adjacent - a.adjacent;
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
    sorted: reading.words.toSorted().join(" "),
  };
}

function holdsPlace({ place }: Reading, entry: Entry): boolean {
  if (place === undefined) return true;
  if (place.state !== undefined && place.state !== entryWords(entry).state) return false;
  return place.city === undefined || place.city === entryWords(entry).city;
}

function closeness(
  { meant, sorted, reading }: PreparedReading,
  { own, meaning }: FoldedName,
): number {
  if (meant === "") return 0;
  if (meaning === meant) return reading.place === undefined ? 4 : 2;
  return own.length === reading.words.length && own.toSorted().join(" ") === sorted ? 1 : 0;
}
