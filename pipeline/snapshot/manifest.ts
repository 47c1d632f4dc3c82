/**
 * The two documents that describe a snapshot, the mutable pointer and the immutable manifest. FORMAT.md
 * describes them. Web APIs only.
 *
 * @module
 */

import * as z from "zod/mini";
import { parseDocument } from "./documents.ts";
import { POINTER_PATH } from "./paths.ts";
import { isCount, isObject } from "./record/record.ts";

const Count = z.int().check(z.nonnegative());
const Day = z.iso.date();
const OptionalText = z.exactOptional(z.string());

/** Longest notice or reason, in characters: pages and answers repeat it. */
export const MAX_NOTE = 1000;

const Note = z.exactOptional(z.string().check(z.maxLength(MAX_NOTE)));
const Sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));

const SourceFile = z.object({
  role: z.enum(["census", "inspections", "orders"]),
  name: z.string(),
  bytes: Count,
  sha256: Sha256,
  url: OptionalText,
  etag: OptionalText,
  last_modified: OptionalText,
});

/**
 * A file from FMCSA, as read; a file of orders is also listed when it was then left out. Listed only in the
 * pointer, so that the order of rows cannot change a snapshot.
 */
export type SourceFile = z.infer<typeof SourceFile>;

const SnapshotId = z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/));

const PointerEntry = z.object({
  snapshot: SnapshotId,
  data_date: Day,
  /** SHA-256 of the bytes of `s/<snapshot>/manifest.json`, hex. */
  manifest_sha256: Sha256,
  sources: z.array(SourceFile),
});

export type PointerEntry = z.infer<typeof PointerEntry>;

const Keeps = z.object({
  /** Every snapshot of this many days before the data date is kept. */
  days: Count,
  /** The last snapshot of this many months before it is kept. */
  month_ends: Count,
  /** Id of the first snapshot of the chain that the root received; absent when it received all of them. */
  from: z.exactOptional(SnapshotId),
});

/** How long a root keeps old snapshots. */
export type Keeps = z.infer<typeof Keeps>;

const Pointer = z.object({
  ...PointerEntry.shape,
  format: z.number(),
  /** Absent when nothing removes old snapshots. */
  keeps: z.exactOptional(Keeps),
  /** When it was moved, by the publisher's clock; absent in a root that was only built. */
  published_at: OptionalText,
  /** Counts the moves; absent in a root that was only built. */
  sequence: z.exactOptional(Count),
  /** Why the maintainer overrode a gate of the publish, or rolled back. */
  reason: Note,
  /** Id of the snapshot that was current until a rollback; not to be published again. */
  withdrawn: OptionalText,
  previous: z.exactOptional(PointerEntry),
});

/** `current.json`. */
export type Pointer = z.infer<typeof Pointer>;

/** The members of a pointer that describe its snapshot, without those about the pointer itself. */
export function entryOf(pointer: PointerEntry): PointerEntry {
  return PointerEntry.parse(pointer);
}

// Checked by hand, because schemas of tuples and records would be a sixth of the reader's size in a browser.
function areRuns(value: unknown): boolean {
  let before = -1;
  return Array.isArray(value) && value.every((run) => {
    if (!Array.isArray(run) || run.length !== 2 || !run.every(isCount)) return false;
    const [first, last] = run as [number, number];
    const isNext = first > before && first <= last;
    before = last;
    return isNext;
  });
}

function arePast(value: unknown): boolean {
  return Array.isArray(value) && value.every((row) => {
    if (!Array.isArray(row) || row.length !== 3) return false;
    const [data_date, id, manifest_sha256] = row;
    return PastSnapshot.safeParse({ data_date, id, manifest_sha256 }).success;
  });
}

const Family = z.object({
  width: z.int().check(z.positive()),
  /** Shard numbers that exist, as inclusive runs in ascending order. Any other shard is empty, not missing. */
  runs: z.custom<[first: number, last: number][]>(areRuns),
  objects: Count,
  /** Records (carriers) or docket numbers in all shards together. */
  items: Count,
  /** Compressed bytes of all shards together. */
  bytes: Count,
});

/** One family of shards: `s/<id>/<family>/<n>.json.gz` has the keys `n*width` to `n*width + width-1`. */
export type Family = z.infer<typeof Family>;

const SearchManifest = z.object({
  /** Version of the index's format. */
  format: z.number(),
  carriers: Count,
  /** Files `search/lists/<n>.gz`; a power of two. */
  buckets: Count,
  /** A term with more carriers than this is common and has its own file, `search/heads/<n>.gz`. */
  rare: Count,
  heads: Count,
  /** Distinct terms: words, `@` city and `#` state. */
  terms: Count,
  /** Total files and compressed bytes. */
  objects: Count,
  bytes: Count,
});

/** The search index of a snapshot: everything a reader needs to use it (../search/FORMAT.md). */
export type SearchManifest = z.infer<typeof SearchManifest>;

const FileSum = z.object({ bytes: Count, sha256: Sha256 });

const ChangesSpan = z.object({
  ...FileSum.shape,
  days: Count,
  /** The file updates a copy of this snapshot, or of a later one in the chain. */
  from: SnapshotId,
  added: Count,
  changed: Count,
  removed: Count,
});

const ExportManifest = z.object({
  /** Rows, and row groups of the Parquet file. */
  rows: Count,
  row_groups: Count,
  /** Total files and bytes. */
  objects: Count,
  bytes: Count,
  /** The files of changes of several days; absent in the first of a chain. */
  changes: z.exactOptional(z.array(ChangesSpan)),
});

export type ChangesSpan = z.infer<typeof ChangesSpan>;

const PastSnapshot = z.object({ id: SnapshotId, data_date: Day, manifest_sha256: Sha256 });

/** How later snapshots in a chain refer to an earlier one. */
export type PastSnapshot = z.infer<typeof PastSnapshot>;

const RowsHash = z.string().check(z.regex(/^[0-9a-f]{16}$/));

/** The state of clients that sync: what changed since the previous snapshot, and how to check it. */
const Sync = z.object({
  /** Lines of `changes.ndjson.gz`; absent without such a file. */
  added: z.exactOptional(Count),
  changed: z.exactOptional(Count),
  removed: z.exactOptional(Count),
  /** The hash of the filed rows of all carriers: 64 bits, hex. */
  hash: RowsHash,
});

const DayChanges = z.object({
  ...FileSum.shape,
  added: Count,
  changed: Count,
  removed: Count,
  hash: RowsHash,
  carriers: Count,
});

/** The file `changes.ndjson.gz` of a snapshot, and the hash and number of carriers after applying it. */
export type DayChanges = z.infer<typeof DayChanges>;

function areDayChanges(value: unknown): boolean {
  return isObject(value) &&
    Object.entries(value).every(([id, changes]) =>
      SnapshotId.safeParse(id).success && DayChanges.safeParse(changes).success
    );
}

/** `past.json`: all snapshots before this one in its chain, the oldest first. */
export const PastDocument = z.object({
  format: z.number(),
  snapshots: z.custom<[data_date: string, id: string, manifest_sha256: string][]>(arePast),
  /** The changes of the newest of them, by id. */
  changes: z.exactOptional(z.custom<Record<string, DayChanges>>(areDayChanges)),
});

export type PastList = z.infer<typeof PastDocument>;

const Revisions = z.custom<Record<string, number>>(
  (value) => isObject(value) && Object.values(value).every(isCount),
);

const Manifest = z.object({
  format: z.number(),
  /** Date of the census file. */
  data_date: Day,
  /** Date of the inspection file: its newest inspection, outliers aside. */
  inspections_date: Day,
  /** Date of the file of out-of-service orders: its newest order, outliers aside. Only when it is included. */
  orders_date: z.exactOptional(Day),
  /**
   * Why requested orders are not included: there was no file, it was not the expected file, or a gate failed
   * (`orders.gates` of the report). Without this and `orders_date`, nobody asked for orders.
   */
  orders: z.exactOptional(z.enum(["missing", "unreadable", "refused"])),
  /** Present when the data is not, or not only, FMCSA's. */
  notice: Note,
  /** The maintainer's reason, when a gate was overridden. */
  forced: Note,
  /** The snapshot that this one was compared with; absent in the first of a chain. */
  previous: z.exactOptional(PastSnapshot),
  /** Members that were not compared on a day because our code began to read them differently; newest first. */
  gaps: z.exactOptional(z.array(z.object({ day: Day, members: z.array(z.string()) }))),
  /** Revisions of the members of a record, where above 1. */
  revisions: z.exactOptional(Revisions),
  /** Inspections counted in the records: inclusive days, the last one `inspections_date`. */
  window: z.object({ from: Day, to: Day }),
  counts: z.object({
    carriers: Count,
    active: Count,
    inactive: Count,
    pending: Count,
    dockets: Count,
    /** Inspections in the window that belong to a carrier of the census. */
    inspections: Count,
    carriers_inspected: Count,
    /** Rows of carriers that left the census in the last 24 months. */
    left: z.exactOptional(Count),
    /** Orders of carriers of the census; only when orders are included. */
    orders: z.exactOptional(Count),
  }),
  families: z.object({ carriers: Family, dockets: Family }),
  /** Absent in a snapshot that can only be queried by number. */
  search: z.exactOptional(SearchManifest),
  /** The files of all carriers below `export/`; absent when they were not requested. */
  export: z.exactOptional(ExportManifest),
  /** Absent in a snapshot of an older build. */
  sync: z.exactOptional(Sync),
  /** The objects other than shards, by path below `s/<id>/`. */
  files: z.object({
    /** `root` of the hash tree over its lines, which proofs need; absent in older snapshots. */
    SHA256SUMS: z.object({ ...FileSum.shape, root: z.exactOptional(Sha256) }),
    "report.json": FileSum,
    "past.json": z.exactOptional(FileSum),
    /** Absent when the snapshot was not compared with another, or the file would be too large. */
    "changes.ndjson.gz": z.exactOptional(FileSum),
  }),
});

/** `s/<id>/manifest.json`. */
export type Manifest = z.infer<typeof Manifest>;

const LEFT_OUT = {
  missing: "there was no file",
  unreadable: "the file could not be read",
  refused: "the file broke a bound",
};

/** Whether orders are included, in words; undefined when they were not requested. */
export function ordersWords(
  { orders_date, orders }: Pick<Manifest, "orders_date" | "orders">,
): string | undefined {
  if (orders_date !== undefined) return `out-of-service orders to ${orders_date}`;
  return orders && `out-of-service orders are not included: ${LEFT_OUT[orders]}`;
}

/** The changes of a snapshot; undefined without its file. */
export function changesIn({ files, sync, counts }: Manifest): DayChanges | undefined {
  const file = files["changes.ndjson.gz"];
  if (file === undefined || sync?.added === undefined) return undefined;
  return { ...file, ...sync as Required<typeof sync>, carriers: counts.carriers };
}

/** Parses `current.json`; errors as {@link parseDocument}. */
export function parsePointer(bytes: Uint8Array): Pointer {
  return parseDocument(bytes, POINTER_PATH, Pointer);
}

/** Parses `manifest.json`; errors as {@link parseDocument}. */
export function parseManifest(bytes: Uint8Array): Manifest {
  return parseDocument(bytes, "manifest.json", Manifest);
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
