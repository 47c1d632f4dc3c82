/**
 * Where an index stores what: paths of its files, keys of its posting lists. Web APIs only.
 *
 * @module
 */

/** The version of the format this code writes. */
export const SEARCH_FORMAT = 6;

/** The versions it reads. An index of version 5 has no numbers of inspections. */
export const READABLE_SEARCH_FORMATS: readonly number[] = [5, SEARCH_FORMAT];

/** Sorted terms with their counts. */
export const TERMS_PATH = "search/terms.gz";

/** Cities and states as filed. */
export const PLACES_PATH = "search/places.gz";

/** The Bloom filter of names. */
export const NAMES_PATH = "search/names.bin";

/** A file of posting lists, by bucket. */
export function listsPath(bucket: number): string {
  return `search/lists/${bucket}.gz`;
}

/** The best carriers of a common term, by its position among the common terms. */
export function headPath(ordinal: number): string {
  return `search/heads/${ordinal}.gz`;
}

/** Marks a city among the terms. */
export const CITY_MARK = "@";

/** Marks a state among the terms. */
export const STATE_MARK = "#";

/** What a posting list contains. */
export enum ListKind {
  /** Carriers whose legal or trade name consists of these words. */
  Name = 1,
  /** Carriers whose name has these words and more. */
  Part = 2,
  /** Carriers with this word, city or state. */
  Term = 3,
}

/**
 * Two independent 32-bit hashes. The hash of a set of words is the sum of its words' hashes modulo 2^32
 * (AdHash, Bellare and Micciancio, 1997), so word order does not matter and a changed set costs one
 * addition.
 */
export interface HashPair {
  a: number;
  b: number;
}

/** Where a posting list is stored: its file among `buckets`, and its key in the file. */
export interface ListKey {
  bucket: number;
  key: number;
}

export function hashTerm(term: string): HashPair {
  let a = 0x811c9dc5;
  let b = 0x3c6ef372;
  for (let i = 0; i < term.length; i++) {
    const code = term.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x85ebca6b);
    b ^= b >>> 13;
  }
  return { a: mixBits(a), b: mixBits(b ^ term.length) };
}

export function addHashes(one: HashPair, other: HashPair): HashPair {
  return { a: (one.a + other.a) >>> 0, b: (one.b + other.b) >>> 0 };
}

/** Hashes a set of words; `words` must be distinct. */
export function hashSet(words: readonly string[]): HashPair {
  return words.map(hashTerm).reduce(addHashes);
}

/** The key of a posting list. `buckets` is a power of two. */
export function listKey(kind: ListKind, { a, b }: HashPair, buckets: number): ListKey {
  return {
    bucket: mixBits(a + Math.imul(kind, 0x9e3779b9)) & (buckets - 1),
    key: mixBits(b + Math.imul(kind, 0x7f4a7c15)),
  };
}

/** Spreads the bits of a 32-bit number. */
export function mixBits(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return (x ^ (x >>> 15)) >>> 0;
}
