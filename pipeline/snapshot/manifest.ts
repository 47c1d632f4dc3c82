/**
 * The two documents that describe a snapshot, the mutable pointer and the immutable manifest, and the
 * paths of its objects. FORMAT.md describes them. Web APIs only.
 *
 * @module
 */

import { isCount, isObject } from "./record.ts";

/** The version of the format this code writes and reads. */
export const FORMAT = 2;

/** Path of the only object that ever changes. */
export const POINTER_PATH = "current.json";

/** A file of FMCSA as read; only in the pointer, so that row order cannot change a snapshot. */
export interface SourceFile {
  role: "census" | "inspections";
  name: string;
  bytes: number;
  sha256: string;
  url?: string;
  etag?: string;
  last_modified?: string;
}

/** What a pointer says about one snapshot. */
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
  /** Why the maintainer overrode a gate of the publish, or rolled back. */
  reason?: string;
  /** Id of the snapshot that was current until a rollback; not to be published again. */
  withdrawn?: string;
  previous?: PointerEntry;
}

/** What a pointer says about the snapshot it points to. */
export function entryOf(pointer: PointerEntry): PointerEntry {
  const { snapshot, data_date, manifest_sha256, sources } = pointer;
  return { snapshot, data_date, manifest_sha256, sources };
}

/** One family of shards: `s/<id>/<family>/<n>.json.gz` has the keys `n*width` to `n*width + width-1`. */
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

/** The search index of a snapshot: all that a reader must know to use it (../search/FORMAT.md). */
export interface SearchManifest {
  /** Version of the index's format. */
  format: number;
  /** Carriers in the index. */
  carriers: number;
  /** Files `search/lists/<n>.gz`; a power of two. */
  buckets: number;
  /** A term of more carriers than this is common and has its own file, `search/heads/<n>.gz`. */
  rare: number;
  /** Common terms. */
  heads: number;
  /** Distinct terms: words, `@` city and `#` state. */
  terms: number;
  /** Files and compressed bytes in all. */
  objects: number;
  bytes: number;
}

/** `s/<id>/manifest.json`. */
export interface Manifest {
  format: number;
  /** Date of the census file, `YYYY-MM-DD`. */
  data_date: string;
  /** Date of the inspection file, `YYYY-MM-DD`: its newest inspection, outliers aside. */
  inspections_date: string;
  /** Present when the data is not, or not only, FMCSA's. */
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
  /** Absent in a snapshot that can only be asked by number. */
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

const OBJECT_PATH = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

/**
 * Checks that a path names an object below the root: segments of letters, digits, `.`, `_` and `-`
 * that do not begin with a dot. So neither `..`, an absolute path, a drive, an escape nor a query
 * can leave the root.
 *
 * @throws {TypeError} When the path is of any other shape.
 */
export function checkObjectPath(path: string): void {
  if (path.length > 512 || !OBJECT_PATH.test(path)) {
    throw new TypeError(
      `Cannot read object ${JSON.stringify(path.slice(0, 80))}: not a plain path`,
    );
  }
}

const KiB = 1024;
const MiB = 1024 * KiB;

/** Bytes of an object as stored, at most: a host that sends more is broken, or hostile. */
export function maxBytesOf(path: string): number {
  if (path === POINTER_PATH) return 64 * KiB;
  if (path.endsWith("/manifest.json")) return 4 * MiB;
  return /^s\/[^/]+\/(carriers|dockets)\//.test(path) ? 8 * MiB : 64 * MiB;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;
const SHA256 = /^[0-9a-f]{64}$/;

/**
 * Parses `current.json`.
 *
 * @throws {SyntaxError} When the bytes are not JSON.
 * @throws {RangeError} When the format is not the one this code reads.
 * @throws {TypeError} When a member that the reader needs is missing or of another shape.
 */
export function parsePointer(bytes: Uint8Array): Pointer {
  const what = POINTER_PATH;
  const pointer = parseDocument(bytes, what);
  check(what, "snapshot", matches(pointer.snapshot, ID));
  check(what, "data_date", matches(pointer.data_date, DAY));
  check(what, "manifest_sha256", matches(pointer.manifest_sha256, SHA256));
  check(what, "sequence", pointer.sequence === undefined || isCount(pointer.sequence));
  return pointer as unknown as Pointer;
}

/** Parses `manifest.json`; errors as {@link parsePointer}. */
export function parseManifest(bytes: Uint8Array): Manifest {
  const what = "manifest.json";
  const manifest = parseDocument(bytes, what);
  check(what, "data_date", matches(manifest.data_date, DAY));
  const window = manifest.window;
  check(what, "window", isObject(window) && matches(window.from, DAY) && matches(window.to, DAY));
  check(what, "inspections_date", matches(manifest.inspections_date, DAY));
  const families = isObject(manifest.families) ? manifest.families : {};
  check(what, "families.carriers", isFamily(families.carriers));
  check(what, "families.dockets", isFamily(families.dockets));
  return manifest as unknown as Manifest;
}

/** Whether a family has the shard, by binary search over its runs. */
export function hasShard(family: Family, shard: number): boolean {
  let low = 0;
  let high = family.runs.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const [first, last] = family.runs[middle]!;
    if (shard < first) high = middle - 1;
    else if (shard > last) low = middle + 1;
    else return true;
  }
  return false;
}

function parseDocument(bytes: Uint8Array, what: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw new SyntaxError(`Cannot parse "${what}": not JSON in UTF-8`, { cause: error });
  }
  if (!isObject(value)) throw new TypeError(`Cannot read "${what}": not an object`);
  if (value.format !== FORMAT) {
    const found = JSON.stringify(value.format)?.slice(0, 20) ?? "none";
    throw new RangeError(`Cannot read "${what}": it has format ${found}, expected ${FORMAT}`);
  }
  return value;
}

function isFamily(value: unknown): boolean {
  if (!isObject(value) || !isCount(value.width) || value.width === 0) return false;
  if (!Array.isArray(value.runs)) return false;
  let previous = -1;
  for (const run of value.runs as unknown[]) {
    if (!Array.isArray(run) || run.length !== 2 || !isCount(run[0]) || !isCount(run[1])) {
      return false;
    }
    if (run[0] <= previous || run[1] < run[0]) return false;
    previous = run[1];
  }
  return true;
}

function check(what: string, member: string, ok: boolean): void {
  if (!ok) throw new TypeError(`Cannot read "${what}": member "${member}" is missing or malformed`);
}

function matches(value: unknown, pattern: RegExp): boolean {
  return typeof value === "string" && pattern.test(value);
}
