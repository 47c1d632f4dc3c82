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
