/**
 * How a carrier compares with a query. Web APIs only.
 *
 * @module
 */

import { compareLikeness, type Criteria, type Likeness, noCriteria } from "./criteria.ts";
import { meaning, NOISE_WORDS } from "./fold.ts";
import { FoldedText, LINE_FEED } from "./folded_text.ts";
import type { Option } from "./guess.ts";
import { type KnownWord, KnownWords } from "./known_words.ts";
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
  /** Of the carrier read last. */
  readonly criteria: Criteria = noCriteria();
  readonly #words: readonly string[];
  readonly #weights: readonly number[];
  readonly #total: number;
  readonly #onlyNoise: boolean;
  readonly #known = new KnownWords();
  readonly #readings: PreparedReading[];
  readonly #places: PlaceReader;
  readonly #name = new FoldedText();
  readonly #dba = new FoldedText();
  readonly #ofDba: Likeness = noCriteria();
  /** Of the name at hand: 1 for words that are noise beside others. */
  readonly #noise = new Uint8Array(this.#name.hashes.length);
  readonly #found: (KnownWord | undefined)[] = [];
  /** Of the name at hand, by word of the query. */
  readonly #covered: Float64Array;
  readonly #costs: Float64Array;
  readonly #prefixed: Uint8Array;

  /** @param weigh The weight of a word of the query. */
  constructor(query: Query, { options, weigh }: {
    options: readonly Option[];
    weigh: (word: string) => number;
  }) {
    const { words, readings } = query;
    this.#words = words;
    this.#weights = words.map(weigh);
    this.#total = this.#weights.reduce((sum, weight) => sum + weight, 0);
    this.#onlyNoise = words.every((word) => NOISE_WORDS.has(word));
    for (const word of words) {
      this.#allow({ term: word, covers: [word], share: 1, cost: 0, prefix: false, count: 0 });
    }
    options.forEach((option) => this.#allow(option));
    this.#readings = readings.map((reading) => prepare(reading, query));
    readings.forEach((reading, r) => {
      for (const word of reading.words) this.#known.get(word).readings |= 1 << r;
    });
    this.#places = new PlaceReader(readings);
    this.#covered = new Float64Array(words.length);
    this.#costs = new Float64Array(words.length);
    this.#prefixed = new Uint8Array(words.length);
  }

  /** Whether the carrier read last has enough of the query to be an answer. */
  enough = false;

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
    const { held } = this.#places;
    this.enough = this.#compare(this.#name, held, this.criteria);
    if (!hasDba || !this.#compare(this.#dba, held, this.#ofDba)) return next;
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

  #allow(option: Option): void {
    const at = option.covers.map((word) => this.#words.indexOf(word)).filter((i) => i >= 0);
    if (at.length > 0) this.#known.get(option.term).options.push({ at, option });
  }

  /** Tells how a name compares; false, and nothing said, when it has too little of the query. */
  #compare(text: FoldedText, held: number, into: Likeness): boolean {
    const readings = this.#cover(text, into);
    const size = this.#words.length;
    let placed = 0;
    for (let r = 1; r < this.#readings.length; r++) {
      if ((held & 1 << r) === 0) continue;
      const prepared = this.#readings[r]!;
      for (const i of prepared.placeWords) {
        this.#covered[i] = 1;
        this.#costs[i] = 0;
        this.#prefixed[i] = 0;
      }
      placed = Math.max(placed, prepared.placed);
    }
    let matched = 0;
    let found = 0;
    let typos = 0;
    let prefixes = 0;
    for (let i = 0; i < size; i++) {
      matched += this.#covered[i]! * this.#weights[i]!;
      found += this.#covered[i]!;
      if (this.#covered[i]! > 0) typos += this.#costs[i]!;
      prefixes += this.#prefixed[i]!;
    }
    if (matched < LEAST_SHARE * this.#total && found < LEAST_SHARE * size) return false;
    into.exact = this.#exactness(text, held, readings);
    into.matched = Math.round(matched * 1000) / 1000;
    into.placed = placed;
    into.typos = typos;
    into.prefixes = prefixes;
    return true;
  }

  /**
   * Finds the words of the query in a name.
   *
   * @returns A bit for each reading whose words are the name's, whatever their order.
   */
  #cover(text: FoldedText, into: Likeness): number {
    const words = text.length;
    let noise = 0;
    for (let i = 0; i < words; i++) {
      const known = this.#found[i] = this.#known.find(text, i);
      noise += this.#noise[i] = known?.noise === true ? 1 : 0;
    }
    if (noise === words) this.#noise.fill(0, 0, words);
    this.#covered.fill(0);
    this.#costs.fill(0);
    this.#prefixed.fill(0);
    let own = 0;
    let readings = -1;
    let extra = 0;
    let adjacent = 0;
    let before = -2;
    for (let i = 0; i < words; i++) {
      const known = this.#found[i];
      const isOwn = this.#noise[i] === 0 && !text.isRepeated(i);
      if (isOwn) {
        own++;
        readings &= known?.readings ?? 0;
      } else if (!this.#onlyNoise) continue;
      if (known === undefined || known.options.length === 0) {
        extra = 1;
        before = -2;
        continue;
      }
      for (const { at, option } of known.options) for (const k of at) this.#use(option, k);
      const { at } = known.options[0]!;
      if (at[0] === before + 1) adjacent++;
      before = at.at(-1)!;
    }
    into.extra = this.#onlyNoise ? 0 : extra;
    into.adjacent = this.#onlyNoise ? 0 : adjacent;
    for (let r = 0; readings !== 0 && r < this.#readings.length; r++) {
      if (this.#readings[r]!.reading.words.length !== own) readings &= ~(1 << r);
    }
    return readings;
  }

  #use(option: Option, k: number): void {
    const prefix = option.prefix ? 1 : 0;
    const better = this.#covered[k]! < 1 || this.#prefixed[k]! > prefix ||
      option.cost < this.#costs[k]! && this.#prefixed[k] === prefix;
    if (!better) return;
    this.#covered[k] = option.share < 1 ? Math.min(1, this.#covered[k]! + option.share) : 1;
    this.#costs[k] = option.cost;
    this.#prefixed[k] = prefix;
  }

  /** @param readings Those whose words are the name's. */
  #exactness(text: FoldedText, held: number, readings: number): number {
    let exact = 0;
    this.#readings.forEach(({ meant, reading }, r) => {
      if ((held & 1 << r) === 0 || meant === "") return;
      if (text.spells(meant, this.#noise)) {
        exact = Math.max(exact, reading.place === undefined ? 4 : 2);
      } else if ((readings & 1 << r) !== 0) exact = Math.max(exact, 1);
    });
    if (exact < 2) return exact;
    const typed = this.#readings.findIndex(({ typed }, r) =>
      (held & 1 << r) !== 0 && text.spells(typed)
    );
    return typed < 0 ? exact : Math.max(exact, typed === 0 ? 5 : 3);
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
