/**
 * The words that matter to a query, found in a name by hash. Web APIs only.
 *
 * @module
 */

import { NOISE_WORDS } from "./fold.ts";
import { type FoldedText, wordHash } from "./folded_text.ts";
import type { Option } from "./guess.ts";

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
