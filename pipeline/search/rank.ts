/**
 * How a carrier compares with a query. Web APIs only.
 *
 * @module
 */

import { Cover } from "./cover.ts";
import {
  compareLikeness,
  type Criteria,
  type Likeness,
  noCriteria,
  noLikeness,
} from "./criteria.ts";
import { meaning } from "./fold.ts";
import { FoldedText, LINE_FEED } from "./folded_text.ts";
import type { Option } from "./guess.ts";
import { PlaceReader } from "./place_reader.ts";
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
