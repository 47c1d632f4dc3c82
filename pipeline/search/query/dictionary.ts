/**
 * The terms of an index in memory: lookup, completion and correction. Web APIs only.
 *
 * @module
 */

import { CITY_MARK, STATE_MARK } from "../shared/layout.ts";
import { decodeTerms, type TermColumns } from "../shared/terms_file.ts";

const MARKS = new RegExp(`^[${CITY_MARK}${STATE_MARK}]`);

/** The terms of an index, in sorted order. */
export class Dictionary {
  readonly #terms: TermColumns;
  /** The position of each common term among the common terms. */
  readonly #ordinals = new Map<string, number>();
  readonly #carriers: number;
  readonly #rare: number;
  readonly #walk: TrieWalk;
  readonly #words: [from: number, to: number];
  /** Common words by their first letter. */
  readonly #commonWords: Map<string, string[]>;

  /**
   * @param bytes Decompressed bytes of the dictionary's file.
   * @param of Terms of more carriers than `rare` are common.
   * @throws {TypeError} When the bytes are not a dictionary.
   */
  constructor(bytes: Uint8Array, { rare, carriers }: { rare: number; carriers: number }) {
    this.#rare = rare;
    this.#carriers = carriers;
    this.#terms = decodeTerms(bytes);
    this.#walk = new TrieWalk(this.#terms);
    this.#words = [this.#range(CITY_MARK)[1], this.#terms.counts.length];
    this.#terms.counts.forEach((count, id) => {
      if (count > rare) this.#ordinals.set(this.#term(id), this.#ordinals.size);
    });
    const words = [...this.#ordinals.keys()].filter((term) => !MARKS.test(term));
    this.#commonWords = Map.groupBy(words, (word) => word[0]!);
  }

  has(term: string): boolean {
    return this.#find(term) >= 0;
  }

  /** Carriers that have a term. */
  count(term: string): number {
    return this.#terms.counts[this.#find(term)] ?? 0;
  }

  /** Inverse document frequency; a word that no carrier has weighs as much as a rare one. */
  weight(word: string): number {
    const count = Math.max(this.count(word), this.#rare / 4);
    return Math.max(0.1, Math.log2((this.#carriers + 1) / count));
  }

  /** The position of a common term among the common terms, -1 for a rare one. */
  ordinal(term: string): number {
    return this.#ordinals.get(term) ?? -1;
  }

  /** Ids of the terms that begin with a text: from (included) to (excluded). */
  #range(prefix: string): [from: number, to: number] {
    const last = prefix.charCodeAt(prefix.length - 1);
    return [
      this.#lowerBound(prefix),
      this.#lowerBound(prefix.slice(0, -1) + String.fromCharCode(last + 1)),
    ];
  }

  /** The `limit` most frequent terms that begin with a text, without the text itself. */
  completions(prefix: string, limit: number): string[] {
    const { starts, counts } = this.#terms;
    const [from, to] = this.#range(prefix);
    const best: number[] = [];
    let least = 0;
    for (let id = from; id < to; id++) {
      const count = counts[id]!;
      if (best.length === limit && count <= least) continue;
      if (starts[id + 1]! - starts[id]! === prefix.length) continue;
      let at = best.length;
      while (at > 0 && counts[best[at - 1]!]! < count) at--;
      best.splice(at, 0, id);
      if (best.length > limit) best.pop();
      least = counts[best.at(-1)!]!;
    }
    return best.map((id) => this.#term(id));
  }

  /** Common words that a word abbreviates, or of a common word those that abbreviate it: `trkg`, `trucking`. */
  abbreviations(word: string): string[] {
    const isCommon = this.#ordinals.has(word);
    return (this.#commonWords.get(word[0]!) ?? []).filter((other) =>
      abbreviates(word, other) || isCommon && abbreviates(other, word) || haveStem(word, other)
    );
  }

  /** Words within `distance` edits of a word, without itself. */
  nearWords(word: string, distance: number): NearTerm[] {
    return this.#near(word, distance, this.#words);
  }

  /** Cities, as terms, within `distance` edits of one, without itself. */
  nearCities(city: string, distance: number): NearTerm[] {
    return this.#near(city, distance, this.#range(CITY_MARK));
  }

  #near(term: string, distance: number, range: [from: number, to: number]): NearTerm[] {
    return this.#walk.near(term, { distance, range })
      .map(({ id, distance }) => ({ term: this.#term(id), distance }));
  }

  /** The id of a term, -1 when there is none. */
  #find(term: string): number {
    const id = this.#lowerBound(term);
    return id < this.#terms.counts.length && this.#compare(id, term) === 0 ? id : -1;
  }

  #term(id: number): string {
    const { text, starts } = this.#terms;
    return String.fromCharCode(...text.subarray(starts[id]!, starts[id + 1]!));
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

const SHORTEST_ABBREVIATION = 3;
const VOWELS = new Set("aeiou");

/** Whether a word is the beginning of a longer one, and more of its consonants: `trnsp`, `transp`, but not `tran`. */
function abbreviates(short: string, long: string): boolean {
  if (short.length < SHORTEST_ABBREVIATION || short.length >= long.length) return false;
  let at = 0;
  for (let i = 0; i < long.length; i++) {
    if (long[i] === short[at] && (i === at || !VOWELS.has(long[i]!))) at++;
  }
  return at === short.length;
}

/** Letters of a stem at least, and of an ending at most. */
const SHORTEST_STEM = 5;
const LONGEST_ENDING = 3;

/** Whether two words differ in their endings only: `landscape` and `landscaping`. */
function haveStem(a: string, b: string): boolean {
  const stem = Math.max(SHORTEST_STEM, a.length - LONGEST_ENDING, b.length - LONGEST_ENDING);
  return a !== b && a.startsWith(b.slice(0, stem)) && b.length >= stem;
}

/** A term near a word. */
interface NearTerm {
  term: string;
  distance: number;
}

/** Longest word corrected, in letters. */
const MAX_FUZZY = 40;

const MAX_DEPTH = MAX_FUZZY + 3;
const FAR = 100;

/** Letters up to which a dead branch is skipped by one jump, not term by term. */
const JUMP_DEPTH = 5;

/**
 * Walks the sorted terms as the trie they imply and computes one row of the edit-distance table per
 * letter, so terms share the rows of their common prefix and a branch ends when a whole row exceeds the
 * distance (Shang and Merrett, 1996). The distance is optimal string alignment: insertions, deletions,
 * substitutions and swaps of neighbors.
 */
class TrieWalk {
  readonly #terms: TermColumns;
  /** By depth and id, the next term that shares fewer letters than that with the one before it. */
  readonly #next: Uint32Array[];
  readonly #rows = new Uint8Array((MAX_DEPTH + 1) * (MAX_FUZZY + 1));

  constructor(terms: TermColumns) {
    this.#terms = terms;
    this.#next = Array.from(
      { length: JUMP_DEPTH + 1 },
      (_, depth) => nextForks(terms.shared, depth),
    );
  }

  /** Terms of a range of ids within a distance, by id, without the word itself. */
  near(
    word: string,
    { distance, range: [from, to] }: { distance: number; range: [from: number, to: number] },
  ): { id: number; distance: number }[] {
    const width = word.length + 1;
    if (word.length > MAX_FUZZY) return [];
    const { text, starts, shared } = this.#terms;
    const rows = this.#rows;
    for (let j = 0; j < width; j++) rows[j] = j;
    const target = Uint16Array.from(word, (letter) => letter.charCodeAt(0));
    const found: { id: number; distance: number }[] = [];
    // Rows up to `depth` are those of the previous term; beyond `dead` no term can be near.
    let depth = 0;
    let dead = FAR;
    for (let id = from; id < to; id = dead <= JUMP_DEPTH ? this.#next[dead]![id]! : id + 1) {
      const common = id === from ? 0 : shared[id]!;
      if (common >= dead) continue;
      dead = FAR;
      if (common < depth) depth = common;
      const start = starts[id]!;
      const length = starts[id + 1]! - start;
      while (depth < length) {
        if (depth >= word.length + distance) {
          dead = depth + 1;
          break;
        }
        depth++;
        if (this.#fillRow(depth, { text, start, target, distance, width }) > distance) {
          dead = depth;
          break;
        }
      }
      if (dead !== FAR || Math.abs(length - word.length) > distance) continue;
      const edits = rows[length * width + width - 1]!;
      if (edits > 0 && edits <= distance) found.push({ id, distance: edits });
    }
    return found;
  }

  /** Fills the row of a term's letter; returns its least distance. */
  #fillRow(
    depth: number,
    { text, start, target, distance, width }: {
      text: Uint16Array;
      start: number;
      target: Uint16Array;
      distance: number;
      width: number;
    },
  ): number {
    const rows = this.#rows;
    const row = depth * width;
    const above = row - width;
    const letter = text[start + depth - 1]!;
    const first = Math.max(1, depth - distance);
    const last = Math.min(width - 1, depth + distance);
    rows[row] = Math.min(depth, FAR);
    let least = first === 1 ? rows[row]! : FAR;
    if (first > 1) rows[row + first - 1] = FAR;
    for (let j = first; j <= last; j++) {
      let value = rows[above + j - 1]! + (target[j - 1] === letter ? 0 : 1);
      const fromLeft = rows[row + j - 1]! + 1;
      const fromAbove = j <= depth - 1 + distance ? rows[above + j]! + 1 : FAR;
      if (fromLeft < value) value = fromLeft;
      if (fromAbove < value) value = fromAbove;
      if (
        depth > 1 && j > 1 && target[j - 1] === text[start + depth - 2] && target[j - 2] === letter
      ) {
        const swapped = rows[row - 2 * width + j - 2]! + 1;
        if (swapped < value) value = swapped;
      }
      rows[row + j] = value;
      if (value < least) least = value;
    }
    return least;
  }
}

function nextForks(shared: Uint8Array, depth: number): Uint32Array {
  const next = new Uint32Array(shared.length);
  let fork = shared.length;
  for (let id = shared.length - 1; id >= 0; id--) {
    next[id] = fork;
    if (shared[id]! < depth) fork = id;
  }
  return next;
}
