/**
 * Which words of a query a name has, and which readings of it fit a place. Web APIs only.
 *
 * @module
 */

import { LINE_FEED, TAB } from "../shared/lists_file.ts";
import { MAX_WORDS, placeForms, STOP_WORDS } from "../shared/tokenizer.ts";
import { ByteTokenizer, wordHash } from "./byte_tokenizer.ts";
import type { Expansion } from "./candidates.ts";
import type { ParsedQuery, QueryReading } from "./query.ts";

/** Matches the words of a query, and all terms that may stand for them, with the words of a name. */
export class NameMatcher {
  /** By word of the query: the share found, the edits it took, 1 where found only as a prefix. */
  readonly covered: Float64Array;
  readonly costs: Float64Array;
  readonly prefixed: Uint8Array;
  /** By word of the name: 1 for a stop word among other words. */
  readonly stop = new Uint8Array(MAX_WORDS);
  /** A bit for each reading whose words are the name's, in any order. */
  readings = 0;
  /** 1 where the name has words that were not asked for. */
  extra = 0;
  /** Pairs of words that follow each other as in the query. */
  adjacent = 0;
  readonly #words: readonly string[];
  readonly #sizes: readonly number[];
  readonly #onlyStopWords: boolean;
  readonly #known = new WordTable();
  readonly #found: (KnownWord | undefined)[] = [];

  /** @param expansions All terms that may stand for words of the query. */
  constructor({ words, readings }: ParsedQuery, expansions: readonly Expansion[]) {
    this.#words = words;
    this.#sizes = readings.map((reading) => reading.words.length);
    this.#onlyStopWords = words.every((word) => STOP_WORDS.has(word));
    for (const word of words) {
      this.#expand({ term: word, covers: [word], share: 1, cost: 0, prefix: false, count: 0 });
    }
    expansions.forEach((expansion) => this.#expand(expansion));
    readings.forEach((reading, r) => {
      for (const word of reading.words) this.#known.get(word).readings |= 1 << r;
    });
    this.covered = new Float64Array(words.length);
    this.costs = new Float64Array(words.length);
    this.prefixed = new Uint8Array(words.length);
  }

  /** Matches a name; the members describe the result. */
  match(name: ByteTokenizer): void {
    this.#clear();
    this.#add(name);
  }

  /** Matches two names as if they were one. */
  matchBoth(name: ByteTokenizer, dba: ByteTokenizer): void {
    this.#clear();
    this.#add(name);
    const { extra, adjacent } = this;
    this.#add(dba);
    this.extra = Math.max(extra, this.extra);
    this.adjacent += adjacent;
    this.readings = 0;
  }

  #clear(): void {
    this.covered.fill(0);
    this.costs.fill(0);
    this.prefixed.fill(0);
  }

  #add(name: ByteTokenizer): void {
    const words = name.length;
    let stops = 0;
    for (let i = 0; i < words; i++) {
      const known = this.#found[i] = this.#known.find(name, i);
      stops += this.stop[i] = known?.stop === true ? 1 : 0;
    }
    if (stops === words) this.stop.fill(0, 0, words);
    let own = 0;
    let readings = -1;
    let extra = 0;
    let adjacent = 0;
    let previous = -2;
    for (let i = 0; i < words; i++) {
      const known = this.#found[i];
      const isOwn = this.stop[i] === 0 && !name.isRepeated(i);
      if (isOwn) {
        own++;
        readings &= known?.readings ?? 0;
      } else if (!this.#onlyStopWords) continue;
      if (known === undefined || known.expansions.length === 0) {
        extra = 1;
        previous = -2;
        continue;
      }
      for (const { at, expansion } of known.expansions) for (const k of at) this.#use(expansion, k);
      const { at } = known.expansions[0]!;
      if (at[0] === previous + 1) adjacent++;
      previous = at.at(-1)!;
    }
    this.extra = this.#onlyStopWords ? 0 : extra;
    this.adjacent = this.#onlyStopWords ? 0 : adjacent;
    for (let r = 0; readings !== 0 && r < this.#sizes.length; r++) {
      if (this.#sizes[r] !== own) readings &= ~(1 << r);
    }
    this.readings = readings;
  }

  /** Counts a word of the query as found, whatever the name. */
  grant(k: number, typos: number): void {
    this.covered[k] = 1;
    this.costs[k] = typos;
    this.prefixed[k] = 0;
  }

  #expand(expansion: Expansion): void {
    const at = expansion.covers.map((word) => this.#words.indexOf(word)).filter((i) => i >= 0);
    if (at.length > 0) this.#known.get(expansion.term).expansions.push({ at, expansion });
  }

  #use(expansion: Expansion, k: number): void {
    const prefix = expansion.prefix ? 1 : 0;
    const better = this.covered[k]! < 1 || expansion.cost < this.costs[k]! ||
      expansion.cost === this.costs[k] && prefix < this.prefixed[k]!;
    if (!better) return;
    this.covered[k] = expansion.share < 1 ? Math.min(1, this.covered[k]! + expansion.share) : 1;
    this.costs[k] = expansion.cost;
    this.prefixed[k] = prefix;
  }
}

/** What a word of a name means to a query. */
interface KnownWord {
  word: string;
  stop: boolean;
  /** What it may stand for, and the positions of that among the query's words. */
  expansions: { at: readonly number[]; expansion: Expansion }[];
  /** A bit for each reading that has the word in its name. */
  readings: number;
}

const FILTER_SIZE = 1024;

/** The words that matter to a query, by hash; contains the stop words from the beginning. */
class WordTable {
  readonly #byHash = new Map<number, KnownWord[]>();
  /** Most words of a name are not in the table: skipped without a look at it. */
  readonly #filter = new Uint8Array(FILTER_SIZE);

  constructor() {
    for (const word of STOP_WORDS) this.get(word).stop = true;
  }

  /** The entry of a word, created when absent. */
  get(word: string): KnownWord {
    const hash = wordHash(word);
    let known = this.#byHash.get(hash);
    if (known === undefined) this.#byHash.set(hash, known = []);
    this.#filter[filterSlot(hash)] = 1;
    let found = known.find((each) => each.word === word);
    if (found === undefined) known.push(found = { word, stop: false, expansions: [], readings: 0 });
    return found;
  }

  /** The entry of a word of a text. */
  find(text: ByteTokenizer, i: number): KnownWord | undefined {
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

/** Matches readings with places as lists store them: `city TAB state LF`. */
export class PlaceMatcher {
  /** Of the place read last: a bit for each reading that fits; one without a place always does. */
  fitting = 0;
  readonly #always: number;
  readonly #wanted: WantedPlace[] = [];
  readonly #city = new ByteTokenizer();

  constructor(readings: readonly QueryReading[]) {
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
    this.fitting = this.#always;
    let state = at;
    if (this.#wanted.length > 0) state = this.#city.read(bytes, at, TAB);
    let end = state;
    while (end < bytes.length && bytes[end] !== LINE_FEED) end++;
    for (const { bit, city, state: code } of this.#wanted) {
      if (code !== undefined && !isCode(bytes.subarray(state, end), code)) continue;
      if (city === undefined || this.#isCity(city)) this.fitting |= bit;
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
