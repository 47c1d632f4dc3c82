/**
 * Which words of a query a name has. Web APIs only.
 *
 * @module
 */

import { MAX_WORDS, NOISE_WORDS, placeForms } from "../shared/tokenizer.ts";
import { FoldedText, LINE_FEED, TAB, wordHash } from "./byte_tokenizer.ts";
import type { Option } from "./candidates.ts";
import type { Query, Reading } from "./query.ts";

/** How the words of a query are found in the name at hand. */
export class Cover {
  /** By word of the query: the share found, the edits it took, 1 where only as the beginning of another. */
  readonly covered: Float64Array;
  readonly costs: Float64Array;
  readonly prefixed: Uint8Array;
  /** By word of the name: 1 for noise beside other words. */
  readonly noise = new Uint8Array(MAX_WORDS);
  /** A bit for each reading whose words are the name's, whatever their order. */
  readings = 0;
  /** 1 where the name has words that were not asked for. */
  extra = 0;
  /** Pairs of words that follow each other as in the query. */
  adjacent = 0;
  readonly #words: readonly string[];
  readonly #sizes: readonly number[];
  readonly #onlyNoise: boolean;
  readonly #known = new KnownWords();
  readonly #found: (KnownWord | undefined)[] = [];

  /** @param options All terms that may stand for words of the query. */
  constructor({ words, readings }: Query, options: readonly Option[]) {
    this.#words = words;
    this.#sizes = readings.map((reading) => reading.words.length);
    this.#onlyNoise = words.every((word) => NOISE_WORDS.has(word));
    for (const word of words) {
      this.#allow({ term: word, covers: [word], share: 1, cost: 0, prefix: false, count: 0 });
    }
    options.forEach((option) => this.#allow(option));
    readings.forEach((reading, r) => {
      for (const word of reading.words) this.#known.get(word).readings |= 1 << r;
    });
    this.covered = new Float64Array(words.length);
    this.costs = new Float64Array(words.length);
    this.prefixed = new Uint8Array(words.length);
  }

  /** Looks for the query in a name. */
  look(text: FoldedText): void {
    const words = text.length;
    let noise = 0;
    for (let i = 0; i < words; i++) {
      const known = this.#found[i] = this.#known.find(text, i);
      noise += this.noise[i] = known?.noise === true ? 1 : 0;
    }
    if (noise === words) this.noise.fill(0, 0, words);
    this.covered.fill(0);
    this.costs.fill(0);
    this.prefixed.fill(0);
    let own = 0;
    let readings = -1;
    let extra = 0;
    let adjacent = 0;
    let before = -2;
    for (let i = 0; i < words; i++) {
      const known = this.#found[i];
      const isOwn = this.noise[i] === 0 && !text.isRepeated(i);
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
    this.extra = this.#onlyNoise ? 0 : extra;
    this.adjacent = this.#onlyNoise ? 0 : adjacent;
    for (let r = 0; readings !== 0 && r < this.#sizes.length; r++) {
      if (this.#sizes[r] !== own) readings &= ~(1 << r);
    }
    this.readings = readings;
  }

  /** Takes a word of the query as found, whatever the name. */
  grant(k: number): void {
    this.covered[k] = 1;
    this.costs[k] = 0;
    this.prefixed[k] = 0;
  }

  #allow(option: Option): void {
    const at = option.covers.map((word) => this.#words.indexOf(word)).filter((i) => i >= 0);
    if (at.length > 0) this.#known.get(option.term).options.push({ at, option });
  }

  #use(option: Option, k: number): void {
    const prefix = option.prefix ? 1 : 0;
    const better = this.covered[k]! < 1 || this.prefixed[k]! > prefix ||
      option.cost < this.costs[k]! && this.prefixed[k] === prefix;
    if (!better) return;
    this.covered[k] = option.share < 1 ? Math.min(1, this.covered[k]! + option.share) : 1;
    this.costs[k] = option.cost;
    this.prefixed[k] = prefix;
  }
}

/** What a word of a name means to a query. */
export interface KnownWord {
  word: string;
  noise: boolean;
  /** What it may stand for, and the places of that in the query's words. */
  options: { at: readonly number[]; option: Option }[];
  /** A bit for each reading that has the word in its name. */
  readings: number;
}

const FILTER_SIZE = 1024;

/** Words by hash; noise words are known from the beginning. */
export class KnownWords {
  readonly #byHash = new Map<number, KnownWord[]>();
  /** Most words of a name are not known: told without a look at the table. */
  readonly #filter = new Uint8Array(FILTER_SIZE);

  constructor() {
    for (const word of NOISE_WORDS) this.get(word).noise = true;
  }

  /** What is known of a word; it is known from now on. */
  get(word: string): KnownWord {
    const hash = wordHash(word);
    let known = this.#byHash.get(hash);
    if (known === undefined) this.#byHash.set(hash, known = []);
    this.#filter[filterSlot(hash)] = 1;
    let found = known.find((each) => each.word === word);
    if (found === undefined) known.push(found = { word, noise: false, options: [], readings: 0 });
    return found;
  }

  /** What is known of a word of a text. */
  find(text: FoldedText, i: number): KnownWord | undefined {
    const hash = text.hashes[i]!;
    if (this.#filter[filterSlot(hash)] === 0) return undefined;
    return this.#byHash.get(hash)?.find(({ word }) => text.is(i, word));
  }
}

function filterSlot(hash: number): number {
  return (hash ^ hash >>> 15) & (FILTER_SIZE - 1);
}

interface WantedPlace {
  bit: number;
  /** By word of the city, the ways it is filed. */
  city: string[][] | undefined;
  /** Code, lower case. */
  state: string | undefined;
}

/** Reads places as lists hold them: `city TAB state LF`. */
export class PlaceReader {
  /** Of the place read last: a bit for each reading that holds; one without a place always does. */
  held = 0;
  readonly #always: number;
  readonly #wanted: WantedPlace[] = [];
  readonly #city = new FoldedText();

  constructor(readings: readonly Reading[]) {
    let always = 0;
    readings.forEach(({ place }, r) => {
      const bit = 1 << r;
      if (place === undefined) always |= bit;
      else {
        const city = place.city?.split(" ").map(placeForms);
        this.#wanted.push({ bit, city, state: place.state });
      }
    });
    this.#always = always;
  }

  /** Reads a place; returns the offset after it. */
  read(bytes: Uint8Array, at: number): number {
    this.held = this.#always;
    let state = at;
    if (this.#wanted.length > 0) state = this.#city.read(bytes, at, TAB);
    let end = state;
    while (end < bytes.length && bytes[end] !== LINE_FEED) end++;
    for (const { bit, city, state: code } of this.#wanted) {
      if (code !== undefined && !isCode(bytes.subarray(state, end), code)) continue;
      if (city === undefined || this.#isCity(city)) this.held |= bit;
    }
    return end + 1;
  }

  #isCity(city: readonly string[][]): boolean {
    return this.#city.length === city.length &&
      city.every((forms, i) => forms.some((form) => this.#city.is(i, form)));
  }
}

function isCode(bytes: Uint8Array, code: string): boolean {
  if (bytes.length !== code.length) return false;
  for (let i = 0; i < code.length; i++) {
    const letter = bytes[i]!;
    const lower = letter >= 65 && letter <= 90 ? letter + 32 : letter;
    if (lower !== code.charCodeAt(i)) return false;
  }
  return true;
}
