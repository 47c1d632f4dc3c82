/**
 * Keys of lists: a hash that does not depend on the order of words, so that a set of words is tried
 * by adding numbers. Web APIs only.
 *
 * @module
 */

/** What a list holds. */
export enum ListKind {
  /** Carriers whose legal or trade name consists of these words. */
  Name = 1,
  /** Carriers whose name has these words and more. */
  Part = 2,
  /** Carriers with this word, city or state. */
  Term = 3,
}

/** Two independent 32-bit hashes. Those of a set of words are the sums over its words. */
export interface Lanes {
  a: number;
  b: number;
}

/** Where a list lies: its file among `buckets`, and its name in the file. */
export interface ListKey {
  bucket: number;
  key: number;
}

/** Hashes one word. */
export function termLanes(term: string): Lanes {
  let a = 0x811c9dc5;
  let b = 0x3c6ef372;
  for (let i = 0; i < term.length; i++) {
    const code = term.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x85ebca6b);
    b ^= b >>> 13;
  }
  return { a: mix(a), b: mix(b ^ term.length) };
}

/** Hashes a set of words; each word counts once, so `words` must be distinct. */
export function setLanes(words: readonly string[]): Lanes {
  let a = 0;
  let b = 0;
  for (const word of words) {
    const lanes = termLanes(word);
    a = (a + lanes.a) >>> 0;
    b = (b + lanes.b) >>> 0;
  }
  return { a, b };
}

/** The place of a list. `buckets` is a power of two. */
export function listKey(kind: ListKind, { a, b }: Lanes, buckets: number): ListKey {
  return {
    bucket: mix(a + Math.imul(kind, 0x9e3779b9)) & (buckets - 1),
    key: mix(b + Math.imul(kind, 0x7f4a7c15)),
  };
}

/** Spreads the bits of a 32-bit number. */
export function mix(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return (x ^ (x >>> 15)) >>> 0;
}
