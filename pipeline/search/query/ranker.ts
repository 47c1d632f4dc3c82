/**
 * Ranks carriers by how well their names and places match a query. Web APIs only.
 *
 * @module
 */

import { LINE_FEED } from "../shared/lists_file.ts";
import type { Places } from "../shared/places_file.ts";
import { legalForm } from "../../name_words.ts";
import { contentLetters, placeForms } from "../shared/tokenizer.ts";
import { ByteTokenizer, sameStart, spelled } from "./byte_tokenizer.ts";
import type { Expansion } from "./expander.ts";
import type { ParsedQuery, QueryReading } from "./query.ts";
import { WordMatcher } from "./word_matcher.ts";

/** How a carrier compares with a query: the first members decide, in the order of {@link compareCriteria}. */
export interface RankCriteria {
  /**
   * 4 when the query is one of the names, or both together; 3 when it is except for stop words, such as a
   * legal form; 2 and 1 likewise, when the query also has the carrier's place; 0 otherwise.
   */
  exact: number;
  /** The cost, in edits: see the constants below. */
  cost: number;
  /**
   * How many bytes of the name match the query as typed, in whole words from the beginning: `K & J` is not
   * `KJ`.
   */
  typed: number;
  active: boolean;
  /** The carrier's `inspectionStep` when its name begins with the query; otherwise 0. */
  known: number;
  /** -1 where not filed. */
  power_units: number;
  /** Share of the query that it lacks, in words of average weight. */
  missing: number;
  /** Part of the cost: words found in another spelling. */
  changed: number;
  /** Part of the cost: words that were not asked for. */
  extra: number;
  /**
   * Whether the name begins with all words of the query. They may be joined or split, numbers may be in
   * words, and a trade may be in another word.
   */
  leads: boolean;
  /** Bits for the words of the query that it lacks, in the order of the query. */
  lacks: number;
}

const NOTHING: RankCriteria = {
  exact: 0,
  cost: 0,
  typed: 0,
  active: false,
  known: 0,
  power_units: -1,
  missing: 0,
  changed: 0,
  extra: 0,
  leads: false,
  lacks: 0,
};

/** What a missing word of average weight costs, where an edit costs 1. */
const MISSING = 2.6;
/** The cost of extra words: none, one, more. */
const EXTRA = [0, 0.4, 0.6] as const;
/**
 * How much less the extra words of a name cost for each step of the carrier's inspections, if the name begins
 * with the query.
 */
const KNOWN = 0.015;
/**
 * The least that extra words cost, even for a well-known carrier. It is more than that of an incomplete word
 * (`BEGUN` in expander.ts).
 */
const LEAST_EXTRA = 0.26;
/** The cost of one extra initial. */
const INITIALS = 0.08;
/** The cost when the DBA name matches inexactly and the legal name does not, or only both together do. */
const OTHER_NAME = 0.1;
/** The bonus for a carrier in the state asked for; twice that in the city. */
const PLACED = 0.15;

/** A carrier with less than this share of the words asked for is not a result. */
const LEAST_SHARE = 0.5;

/** Negative when `a` ranks before `b`. */
export function compareCriteria(a: RankCriteria, b: RankCriteria): number {
  return b.exact - a.exact || a.cost - b.cost || b.typed - a.typed ||
    Number(b.active) - Number(a.active) ||
    b.known - a.known ||
    b.power_units - a.power_units;
}

/** A reading of the query, as names and places are compared with it. */
interface Meaning {
  place: QueryReading["place"];
  /** Positions in the query's words that are the place. */
  placeWords: number[];
  /** Spellings of the city, without blanks; undefined where the reading has none. */
  cities: string[] | undefined;
  /** 2 for a city, 1 for a state alone. */
  placed: number;
  /** Whether the query is a city and its state and nothing else. */
  isAll: boolean;
  /** The letters of all words, and those without stop words: "car max inc" is "carmax". */
  typed: string;
  meant: string;
  /** Whether the carrier read last is in the place. */
  fits: boolean;
}

/** Compares carriers with a query. Make one per query, with all terms that may stand for its words. */
export class Ranker {
  /** The better name of the carrier read last; meaningless unless {@link enough}. */
  readonly criteria: RankCriteria = { ...NOTHING };
  /** Whether the carrier read last has enough of the query to be an answer. */
  enough = false;
  /** Whether the query has no legal form. A query with a legal form names a single carrier. */
  readonly #namesAny: boolean;
  readonly #places: Places;
  readonly #next = { ...NOTHING };
  readonly #weights: readonly number[];
  readonly #total: number;
  readonly #words: WordMatcher;
  readonly #meanings: Meaning[];
  readonly #typed: Uint8Array;
  readonly #name = new ByteTokenizer();
  readonly #dba = new ByteTokenizer();

  /** @param weights Of the query's words, in their order. */
  constructor(
    query: ParsedQuery,
    { expansions, weights, places }: {
      expansions: readonly Expansion[];
      weights: readonly number[];
      places: Places;
    },
  ) {
    this.#places = places;
    this.#namesAny = legalForm(query.text) === "";
    this.#weights = weights;
    this.#total = weights.reduce((sum, weight) => sum + weight, 0);
    this.#words = new WordMatcher(query, expansions);
    this.#meanings = query.readings.map((reading) => meaningOf(reading, query));
    this.#typed = spelled(query.text);
  }

  /**
   * Reads the names of a carrier, which start at `at`, and its place into the criteria.
   *
   * @returns The offset after the names.
   */
  read(bytes: Uint8Array, { at, place }: { at: number; place: number }): number {
    const dba = this.#name.read(bytes, at);
    const hasDba = bytes[dba] !== LINE_FEED;
    const next = hasDba ? this.#dba.read(bytes, dba) : dba + 1;
    this.#readPlace(place);
    this.enough = false;
    this.#offer([this.#name], { bytes, at, cost: 0 });
    if (!hasDba) return next;
    this.#offer([this.#dba], { bytes, at: dba, cost: OTHER_NAME });
    if (this.enough && (this.criteria.exact > 0 || this.criteria.missing === 0)) return next;
    this.#offer([this.#name, this.#dba], { bytes, at, cost: OTHER_NAME });
    return next;
  }

  /**
   * Takes into account how often the carrier read last is inspected. Extra words in the name of a well-known
   * carrier cost less.
   */
  know(step: number): void {
    const { criteria } = this;
    const isKnown = criteria.leads && criteria.active && this.#namesAny;
    criteria.known = isKnown ? step : 0;
    if (!isKnown || criteria.extra === 0) return;
    const least = Math.max(LEAST_EXTRA, criteria.extra - KNOWN * step);
    criteria.cost += Math.min(0, least - criteria.extra);
    criteria.extra = least;
  }

  /** Takes the score of a name, or of both names together, if it is the best so far. */
  #offer(
    names: readonly ByteTokenizer[],
    { bytes, at, cost }: { bytes: Uint8Array; at: number; cost: number },
  ): void {
    const next = this.#next;
    this.#words.clear();
    for (const name of names) this.#words.match(name);
    const { covered, costs, extra, initials, leads } = this.#words;

    const meant = this.#grantPlace();
    const typos = meant?.place?.typos ?? 0;
    const worth = PLACED * (meant?.placed ?? 0);
    const size = this.#weights.length;
    let matched = 0;
    // Words found only as another word for the same trade do not make a carrier that lacks the rest a result.
    let own = 0;
    let found = 0;
    next.changed = typos;
    next.lacks = 0;
    for (let k = 0; k < size; k++) {
      if (covered[k]! === 0) next.lacks |= 1 << k;
      const weight = covered[k]! * this.#weights[k]!;
      matched += weight;
      if (!this.#words.isTraded(k)) {
        own += weight;
        found += covered[k]!;
      }
      if (covered[k]! > 0) next.changed += costs[k]!;
    }
    if (own < LEAST_SHARE * this.#total && found < LEAST_SHARE * size) return;
    // Rounded: the sum of the same weights in another order is the same.
    next.missing = Math.round(1000 * size * (1 - matched / this.#total)) / 1000;
    next.exact = this.#exactness(names);
    next.extra = next.exact > 0 || meant?.isAll ? 0 : EXTRA[Math.min(extra, 2)]!;
    next.cost = next.exact > 0 ? typos - worth : MISSING * next.missing + next.changed +
      next.extra + (extra === 0 && initials && !meant?.isAll ? INITIALS : 0) + cost - worth;
    // An exact match counts for either name, an inexact one only for the legal name. Both names together
    // never count.
    next.leads = next.exact > 0 ? names.length === 1 : leads && cost === 0;
    next.typed = sameStart(bytes, at, this.#typed);
    if (this.enough && compareCriteria(this.criteria, next) <= 0) return;
    next.active = this.criteria.active;
    Object.assign(this.criteria, next);
    this.enough = true;
  }

  /**
   * Of the places in the query that the carrier is in, takes the one that explains the most words that its
   * name lacks, and counts these words as found.
   */
  #grantPlace(): Meaning | undefined {
    let best: Meaning | undefined;
    let most = -1;
    for (const meaning of this.#meanings) {
      if (!meaning.fits || meaning.placed === 0) continue;
      let added = meaning.placed / 1000;
      for (const k of meaning.placeWords) {
        if (this.#words.covered[k]! < 1) added += this.#weights[k]!;
      }
      if (added > most) [best, most] = [meaning, added];
    }
    best?.placeWords.forEach((k) => this.#words.grant(k));
    return best;
  }

  #exactness(names: readonly ByteTokenizer[]): number {
    const spell = (text: string, all: boolean): boolean =>
      names.reduce((at, name) => name.endIn(text, { at, all }), 0) === text.length;
    let exact = 0;
    for (const { fits, place, meant, typed } of this.#meanings) {
      if (!fits || meant === "" || !spell(meant, false)) continue;
      const isTyped = spell(typed, true) ? 1 : 0;
      exact = Math.max(exact, (place === undefined ? 3 : 1) + isTyped);
    }
    return exact;
  }

  #readPlace(number: number): void {
    const { spelled, code } = this.#places.get(number);
    for (const meaning of this.#meanings) {
      const { place, cities } = meaning;
      meaning.fits = (place?.state === undefined || code === place.state) &&
        (cities === undefined || cities.includes(spelled));
    }
  }
}

function meaningOf({ place, tokens, words }: QueryReading, query: ParsedQuery): Meaning {
  const spellings = (words: readonly string[]): string[] =>
    words.reduce(
      (all, word) => all.flatMap((start) => placeForms(word).map((form) => start + form)),
      [""],
    );
  return {
    place,
    placeWords: query.tokens.slice(place?.from ?? 0, place?.to ?? 0)
      .map((word) => query.words.indexOf(word)).filter((k) => k >= 0),
    cities: place?.city === undefined ? undefined : spellings(place.city.split(" ")),
    placed: place === undefined ? 0 : place.city === undefined ? 1 : 2,
    isAll: words.length === 0 && place?.city !== undefined && place.state !== undefined,
    typed: tokens.join(""),
    meant: contentLetters(tokens),
    fits: false,
  };
}
