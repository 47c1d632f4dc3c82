/**
 * What the manifest of a snapshot says of its search index.
 *
 * @module
 */

/** The `search` member of a manifest: all a reader must know to use the index. */
export interface SearchManifest {
  /** Version of the index's format. */
  format: number;
  /** Carriers in the index. */
  carriers: number;
  /** Files `search/lists/<n>.gz`; a power of two. */
  buckets: number;
  /** A term of more carriers than this has a file of its own, `search/heads/<n>.gz`. */
  rare: number;
  /** Such terms. */
  heads: number;
  /** Distinct terms: words, `@` city and `#` state. */
  terms: number;
  /** Files and compressed bytes in all. */
  objects: number;
  bytes: number;
}

/** The version of the format this code writes and reads. */
export const SEARCH_FORMAT = 1;

/** Sorted terms with their counts. */
export const TERMS_PATH = "search/terms.gz";

/** Which names exist. */
export const NAMES_PATH = "search/names.bin";

/** A file of lists, by bucket. */
export function listsPath(bucket: number): string {
  return `search/lists/${bucket}.gz`;
}

/** The best carriers of a common term, by its place among the common terms. */
export function headPath(ordinal: number): string {
  return `search/heads/${ordinal}.gz`;
}

/** Marks a city among the terms. */
export const CITY_MARK = "@";

/** Marks a state among the terms. */
export const STATE_MARK = "#";

/** Sizes that shape an index; tests make them tiny so that bounds are met. */
export interface SearchShape {
  /** Carriers a file of lists, about. */
  carriersPerBucket: number;
  /** See {@link SearchManifest.rare}. */
  rare: number;
  /** Carriers kept of a common term. */
  head: number;
  /** Carriers kept of a part of names. */
  part: number;
  /** Carriers kept of one name. */
  name: number;
}

/** The shape of a real index. */
export const SHAPE: SearchShape = {
  carriersPerBucket: 140,
  rare: 200,
  head: 1200,
  part: 60,
  name: 2000,
};

/** The number of list files for a count of carriers. */
export function bucketCount(carriers: number, shape: SearchShape): number {
  return 2 ** Math.max(0, Math.ceil(Math.log2(Math.max(carriers, 1) / shape.carriersPerBucket)));
}

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
