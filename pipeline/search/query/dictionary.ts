/**
 * The terms of an index in memory: lookup, completion and correction. Web APIs only.
 *
 * @module
 */

import { CITY_MARK, STATE_MARK } from "../shared/layout.ts";
import { decodeTerms, type TermTrie } from "../shared/terms_file.ts";
import { LONGEST_SPELLING, SOUND_SPELLINGS } from "./sound_alikes.ts";

const MARKS = new RegExp(`^[${CITY_MARK}${STATE_MARK}]`);

/** The terms of an index, in sorted order. */
export class Dictionary {
  readonly #trie: TermTrie;
  /** The position of each common term among the common terms. */
  readonly #ordinals = new Map<string, number>();
  readonly #carriers: number;
  readonly #rare: number;
  readonly #walk: TrieWalk;
  /** The node of the first word that does not begin with a digit. */
  readonly #words: number;
  /** Common words by their first letter. */
  readonly #commonWords: Map<string, string[]>;

  /**
   * @param bytes Decompressed bytes of the dictionary's file.
   * @param options.rare A term with more carriers than this is common.
   * @throws {TypeError} When the bytes are not a dictionary.
   */
  constructor(bytes: Uint8Array, { rare, carriers }: { rare: number; carriers: number }) {
    this.#rare = rare;
    this.#carriers = carriers;
    this.#trie = decodeTerms(bytes);
    this.#walk = new TrieWalk(this.#trie);
    const { letters, next, counts } = this.#trie;
    let root = 0;
    while (root < letters.length && letters[root]! <= CITY_MARK.charCodeAt(0)) root = next[root]!;
    this.#words = root;
    counts.forEach((count, node) => {
      if (count > rare) this.#ordinals.set(this.#term(node), this.#ordinals.size);
    });
    const words = [...this.#ordinals.keys()].filter((term) => !MARKS.test(term));
    this.#commonWords = Map.groupBy(words, (word) => word[0]!);
  }

  has(term: string): boolean {
    return this.count(term) > 0;
  }

  /** Carriers that have a term. */
  count(term: string): number {
    return this.#trie.counts[this.#find(term)] ?? 0;
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

  /** The `limit` most frequent terms that begin with a text, without the text itself. */
  completions(prefix: string, limit: number): string[] {
    const { next, counts } = this.#trie;
    const from = this.#find(prefix);
    const to = next[from] ?? 0;
    const best: number[] = [];
    let least = 0;
    for (let node = from + 1; node < to; node++) {
      const count = counts[node]!;
      if (count === 0 || best.length === limit && count <= least) continue;
      let at = best.length;
      while (at > 0 && counts[best[at - 1]!]! < count) at--;
      best.splice(at, 0, node);
      if (best.length > limit) best.pop();
      least = counts[best.at(-1)!]!;
    }
    return best.map((node) => this.#term(node));
  }

  /**
   * Common words that a word abbreviates or shares a stem with, and for a common word, those that abbreviate
   * it: `trkg` and `trucking`.
   */
  abbreviations(word: string): string[] {
    const isCommon = this.#ordinals.has(word);
    return (this.#commonWords.get(word[0]!) ?? []).filter((other) =>
      abbreviates(word, other) || isCommon && abbreviates(other, word) || haveStem(word, other)
    );
  }

  /**
   * Words that sound like a word, without the word itself. The distance is the number of sounds, at most two,
   * that are spelled differently.
   */
  soundAlikes(word: string): NearTerm[] {
    const found = new Map<string, number>();
    const walk = (at: number, node: number, text: string, left: number): void => {
      if (at === word.length) {
        if (node < 0 || this.#trie.counts[node] === 0) return;
        const distance = MOST_RESPELLED - left;
        found.set(text, Math.min(distance, found.get(text) ?? distance));
        return;
      }
      const same = this.#below(node, word[at]!);
      if (same !== undefined) walk(at + 1, same, text + word[at]!, left);
      if (left === 0) return;
      for (let size = 1; size <= Math.min(LONGEST_SPELLING, word.length - at); size++) {
        for (const other of SOUND_SPELLINGS.get(word.slice(at, at + size)) ?? []) {
          const next = this.#below(node, other);
          if (next !== undefined) walk(at + size, next, text + other, left - 1);
        }
      }
    };
    walk(0, -1, "", MOST_RESPELLED);
    found.delete(word);
    return Array.from(found, ([term, distance]) => ({ term, distance }));
  }

  /** Words within `distance` edits of a word, without the word itself. */
  nearWords(word: string, distance: number): NearTerm[] {
    return this.#near(word, distance, [this.#words, this.#trie.next.length]);
  }

  /** Terms of the cities within `distance` edits of a city's term, without that term itself. */
  nearCities(city: string, distance: number): NearTerm[] {
    const root = this.#find(CITY_MARK);
    return this.#near(city, distance, [root, this.#trie.next[root] ?? root]);
  }

  #near(term: string, distance: number, range: [from: number, to: number]): NearTerm[] {
    return this.#walk.near(term, { distance, range })
      .map(({ node, distance }) => ({ term: this.#term(node), distance }));
  }

  /** The node where a text ends, -1 when no term begins with it. */
  #find(text: string): number {
    return this.#below(-1, text) ?? -1;
  }

  /**
   * The node where a text that starts below the node `above` ends; undefined when no term continues that way.
   * An `above` of -1 means the root.
   */
  #below(above: number, text: string): number | undefined {
    const { letters, next } = this.#trie;
    let node = above;
    let to = above < 0 ? letters.length : next[above]!;
    for (let i = 0; i < text.length; i++) {
      const letter = text.charCodeAt(i);
      node++;
      while (node < to && letters[node] !== letter) node = next[node]!;
      if (node >= to) return undefined;
      to = next[node]!;
    }
    return node;
  }

  /** The letters from the root to a node. */
  #term(node: number): string {
    const { letters, next } = this.#trie;
    let term = "";
    for (let at = 0; at <= node;) {
      if (next[at]! > node) term += String.fromCharCode(letters[at++]!);
      else at = next[at]!;
    }
    return term;
  }
}

/** Sounds of a word that may be spelled in another way: `snider` and SCHNEIDER differ in two. */
const MOST_RESPELLED = 2;

const SHORTEST_ABBREVIATION = 3;
const VOWELS = new Set("aeiou");

/**
 * Whether a word is the beginning of a longer one, perhaps followed by some of its later consonants:
 * `transp`, `trnsp`.
 */
function abbreviates(short: string, long: string): boolean {
  if (short.length < SHORTEST_ABBREVIATION || short.length >= long.length) return false;
  let at = 0;
  for (let i = 0; i < long.length; i++) {
    if (long[i] === short[at] && (i === at || !VOWELS.has(long[i]!))) at++;
  }
  return at === short.length;
}

/** Minimum letters of a stem, and maximum letters of an ending. */
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

/** Longest word that is corrected, in letters: a state needs one bit more than the word has letters. */
const MAX_FUZZY = 30;

const MOST_EDITS = 2;
const STATES = MOST_EDITS + 1;

/**
 * Walks the trie of the terms; a branch ends when no more letters can make it near (Shang and Merrett,
 * 1996). The state at a node is that of a nondeterministic automaton in bits (Wu and Manber, 1992): bit j
 * of number e is set when the letters so far are within e edits of the word's first j. An edit inserts,
 * deletes or replaces a letter, or swaps two neighbors, which are not edited again.
 */
class TrieWalk {
  readonly #trie: TermTrie;
  /** By depth, then by number of edits. */
  readonly #states = new Int32Array((MAX_FUZZY + MOST_EDITS + 2) * STATES);
  /**
   * By letter: a bit for each position in the word that has the letter. `#path` has the same by depth, for
   * the letter of the current path.
   */
  readonly #letters = new Int32Array(1 << 16);
  readonly #path = new Int32Array(MAX_FUZZY + MOST_EDITS + 2);

  constructor(trie: TermTrie) {
    this.#trie = trie;
  }

  /** Terms between two nodes within a distance of 1 or 2, in order, without the word itself. */
  near(
    word: string,
    { distance, range: [from, to] }: { distance: number; range: [from: number, to: number] },
  ): { node: number; distance: number }[] {
    if (word.length > MAX_FUZZY) return [];
    const { letters, depths, next, counts } = this.#trie;
    const states = this.#states;
    const whole = 1 << word.length;
    const found: { node: number; distance: number }[] = [];
    for (let i = 0; i < word.length; i++) this.#letters[word.charCodeAt(i)]! |= 1 << i;
    for (let edits = 0; edits <= distance; edits++) states[edits] = (2 << edits) - 1;
    for (let node = from; node < to;) {
      const depth = depths[node]!;
      const last = this.#step(depth, letters[node]!, distance) & (2 * whole - 1);
      if (last === 0) {
        node = next[node]!;
        continue;
      }
      if ((last & whole) !== 0 && counts[node]! > 0) {
        let edits = 0;
        while ((states[depth * STATES + edits]! & whole) === 0) edits++;
        if (edits > 0) found.push({ node, distance: edits });
      }
      node++;
    }
    for (let i = 0; i < word.length; i++) this.#letters[word.charCodeAt(i)] = 0;
    return found;
  }

  /** Sets the states after a letter; returns the state for the most edits. */
  #step(depth: number, letter: number, distance: number): number {
    const states = this.#states;
    const here = this.#letters[letter]!;
    const swapped = depth > 1 ? here & this.#path[depth - 1]! >> 1 : 0;
    this.#path[depth] = here;
    const at = depth * STATES;
    let above = states[at - STATES]!;
    let state = states[at] = (above & here) << 1;
    for (let edits = 1; edits <= distance; edits++) {
      const fewer = above;
      above = states[at - STATES + edits]!;
      let reached = (above & here) << 1 | fewer | (fewer | state) << 1;
      if (swapped !== 0) reached |= (states[at - 2 * STATES + edits - 1]! & swapped) << 2;
      states[at + edits] = state = reached;
    }
    return state;
  }
}
