/**
 * The two documents that describe a snapshot: the mutable pointer and the immutable manifest.
 * Written out in FORMAT.md.
 *
 * @module
 */

import type { SearchManifest } from "../search/manifest.ts";

/** The version of the format this code writes and reads. */
export const FORMAT = 1;

/** Path of the only object that ever changes. */
export const POINTER_PATH = "current.json";

/** A file of the regulator as it was read; only in the pointer, so that row order cannot change a snapshot. */
export interface SourceFile {
  role: "census" | "inspections";
  name: string;
  bytes: number;
  sha256: string;
  url?: string;
  etag?: string;
  last_modified?: string;
}

/** What a pointer says of one snapshot. */
export interface PointerEntry {
  snapshot: string;
  data_date: string;
  /** SHA-256 of the bytes of `s/<snapshot>/manifest.json`, hex. */
  manifest_sha256: string;
  sources: SourceFile[];
}

/** `current.json`. */
export interface Pointer extends PointerEntry {
  format: number;
  /** The instant it was moved, by the publisher's clock; absent in a root that was only built. */
  published_at?: string;
  /** Counts the moves; absent in a root that was only built. */
  sequence?: number;
  /** Why the maintainer overrode a bound of the publish, or went back. */
  reason?: string;
  /** Id of the snapshot that was current until the maintainer went back; not to be published again. */
  withdrawn?: string;
  previous?: PointerEntry;
}

/** What a pointer says of the snapshot it points to. */
export function entryOf(pointer: PointerEntry): PointerEntry {
  const { snapshot, data_date, manifest_sha256, sources } = pointer;
  return { snapshot, data_date, manifest_sha256, sources };
}

/** One family of shards: `s/<id>/<family>/<n>.json.gz` holds keys `n*width` to `n*width + width-1`. */
export interface Family {
  width: number;
  /** Shard numbers that exist, as inclusive runs in ascending order. Any other shard is empty, not missing. */
  runs: [first: number, last: number][];
  objects: number;
  /** Records (carriers) or docket numbers in all shards together. */
  items: number;
  /** Compressed bytes of all shards together. */
  bytes: number;
}

/** `s/<id>/manifest.json`. */
export interface Manifest {
  format: number;
  /** Date of the census file, `YYYY-MM-DD`. */
  data_date: string;
  /** Date of the inspection file, `YYYY-MM-DD`: its newest inspection, outliers aside. */
  inspections_date: string;
  /** Present when the data is not, or not only, the regulator's. */
  notice?: string;
  /** The maintainer's reason, when a gate was overridden. */
  forced?: string;
  /** Inspections counted in the records: inclusive days, `YYYY-MM-DD`, the last one `inspections_date`. */
  window: { from: string; to: string };
  counts: {
    carriers: number;
    active: number;
    inactive: number;
    pending: number;
    dockets: number;
    /** Inspections in the window that belong to a carrier of the census. */
    inspections: number;
    carriers_inspected: number;
  };
  families: { carriers: Family; dockets: Family };
  /** The search index; a snapshot without one can only be asked by number. */
  search?: SearchManifest;
  /** The objects beside the shards, by path below `s/<id>/`. */
  files: Record<"SHA256SUMS" | "report.json", { bytes: number; sha256: string }>;
}

/** The path prefix of a snapshot's objects. */
export function snapshotPath(id: string): string {
  return `s/${id}`;
}

/** The path of one shard, below the snapshot's prefix. */
export function shardPath(family: keyof Manifest["families"], shard: number): string {
  return `${family}/${shard}.json.gz`;
}
