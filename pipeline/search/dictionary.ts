/**
 * The terms of an index in memory: look-up, completion and correction. Web APIs only.
 *
 * @module
 */

import { decodeTerms, type TermColumns } from "./dictionary_file.ts";
import { FuzzyWalk, type Near } from "./fuzzy.ts";
import { CITY_MARK, STATE_MARK } from "./manifest.ts";

/** Terms by number, in sorted order. */
export class Dictionary {
  readonly #terms: TermColumns;
  readonly #common: Uint32Array;
  readonly #walk: FuzzyWalk;
  readonly #words: [from: number, to: number];

  /**
   * @param bytes Unpacked bytes of the dictionary's file.
   * @param rare Terms of more carriers than this are common.
   * @throws {TypeError} When the bytes are no dictionary.
   */
  constructor(bytes: Uint8Array, rare: number) {
    this.#terms = decodeTerms(bytes);
    const common: number[] = [];
    this.#terms.counts.forEach((count, id) => {
      if (count > rare) common.push(id);
    });
    this.#common = Uint32Array.from(common);
    this.#walk = new FuzzyWalk(this.#terms);
    this.#words = [this.range(CITY_MARK)[1], this.#terms.counts.length];
  }

  /** Bytes held, about. */
  get bytes(): number {
    const { text, starts, shared, counts } = this.#terms;
    return text.byteLength + starts.byteLength + shared.byteLength + counts.byteLength;
  }

  /** The number of a term, -1 when there is none. */
  find(term: string): number {
    const id = this.#lowerBound(term);
    return id < this.#terms.counts.length && this.#compare(id, term) === 0 ? id : -1;
  }

  /** The text of a term. */
  term(id: number): string {
    const { text, starts } = this.#terms;
    return String.fromCharCode(...text.subarray(starts[id]!, starts[id + 1]!));
  }

  /** Carriers a term is in; 0 for -1. */
  count(id: number): number {
    return this.#terms.counts[id] ?? 0;
  }

  /** The place of a common term among the common terms, -1 for a rare one. */
  ordinal(id: number): number {
    let low = 0;
    let high = this.#common.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#common[middle]! < id) low = middle + 1;
      else high = middle;
    }
    return this.#common[low] === id ? low : -1;
  }

  /** Numbers of the terms that begin with a text: from (included) to (excluded). */
  range(prefix: string): [from: number, to: number] {
    const last = prefix.charCodeAt(prefix.length - 1);
    return [
      this.#lowerBound(prefix),
      this.#lowerBound(prefix.slice(0, -1) + String.fromCharCode(last + 1)),
    ];
  }

  /** The `limit` terms in the most carriers that begin with a text, without the text itself. */
  completions(prefix: string, limit: number): number[] {
    const [from, to] = this.range(prefix);
    const best: number[] = [];
    let least = 0;
    for (let id = from; id < to; id++) {
      const count = this.count(id);
      if (best.length === limit && count <= least) continue;
      if (this.#terms.starts[id + 1]! - this.#terms.starts[id]! === prefix.length) continue;
      let at = best.length;
      while (at > 0 && this.count(best[at - 1]!) < count) at--;
      best.splice(at, 0, id);
      if (best.length > limit) best.pop();
      least = this.count(best.at(-1)!);
    }
    return best;
  }

  /** Words within `distance` edits of another, without itself. */
  nearWords(word: string, distance: number): Near[] {
    return this.#walk.near(word, { distance, range: this.#words });
  }

  /** Whether a folded city is known. */
  hasCity(city: string): boolean {
    return this.find(CITY_MARK + city) >= 0;
  }

  /** Whether a state code, lower case, is known. */
  hasState(state: string): boolean {
    return this.find(STATE_MARK + state) >= 0;
  }

  #lowerBound(term: string): number {
    let low = 0;
    let high = this.#terms.counts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#compare(middle, term) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #compare(id: number, term: string): number {
    const { text, starts } = this.#terms;
    const start = starts[id]!;
    const length = starts[id + 1]! - start;
    for (let i = 0; i < length && i < term.length; i++) {
      const difference = text[start + i]! - term.charCodeAt(i);
      if (difference !== 0) return difference;
    }
    return length - term.length;
  }
}
