/**
 * The paths of a snapshot's objects, and how large each may be. Web APIs only.
 *
 * @module
 */

/** Path of the only object that ever changes. */
export const POINTER_PATH = "current.json";

/** Path of the list of a snapshot's predecessors, below its folder like the paths that follow. */
export const PAST_PATH = "past.json";

/** Path of the changes since the previous snapshot. */
export const CHANGES_PATH = "changes.ndjson.gz";

/** Name of the list of hashes, in the form `sha256sum -c` reads. */
export const SUMS_PATH = "SHA256SUMS";

export const REPORT_PATH = "report.json";

/** Files of all carriers, below the snapshot's folder. */
export const EXPORT_PATHS = {
  ndjson: "export/carriers.ndjson.gz",
  parquet: "export/carriers.parquet",
  description: "export/datapackage.json",
} as const;

/** Path of the file with the changes of `days` days. */
export function spanPath(days: number): string {
  return `export/changes${days}.ndjson.gz`;
}

/** The name of a snapshot: its data date and the first 16 digits of its manifest's hash. */
export function snapshotId(
  { data_date }: { data_date: string },
  manifestSha256: string,
): string {
  return `${data_date}-${manifestSha256.slice(0, 16)}`;
}

/** The folder of a snapshot. */
export function snapshotPath(id: string): string {
  return `s/${id}`;
}

/** Families of shards. */
export type ShardFamily = "carriers" | "dockets";

/** The path of one shard, below the snapshot's prefix. */
export function shardPath(family: ShardFamily, shard: number): string {
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
const GiB = 1024 * MiB;

/** Maximum bytes of an object as stored. A host that sends more is broken or hostile. */
export function maxBytesOf(path: string): number {
  if (path === POINTER_PATH) return 64 * KiB;
  if (path.endsWith("/manifest.json")) return 4 * MiB;
  if (/^s\/[^/]+\/export\//.test(path)) return 2 * GiB;
  return /^s\/[^/]+\/(carriers|dockets)\//.test(path) ? 2 * MiB : 64 * MiB;
}
