/**
 * Snapshots in memory, and a source that injects faults.
 *
 * @module
 */

import { gzipSync } from "node:zlib";
import type { After, Clock } from "../../../pipeline/clock.ts";
import { pastDocument, type PastSnapshot } from "../../../pipeline/snapshot/chain.ts";
import { PAST_PATH } from "../../../pipeline/snapshot/paths.ts";
import type { Keeps, Manifest, Pointer } from "../../../pipeline/snapshot/manifest.ts";
import { FORMAT } from "../../../pipeline/snapshot/documents.ts";
import { type ReaderOptions, SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import type { CarrierRecord, LeftCarrier } from "../../../pipeline/snapshot/record/record.ts";
import { leftRow, rowOf } from "../../../pipeline/snapshot/record/row_writer.ts";
import { carrierText } from "../../../pipeline/snapshot/record/shards.ts";
import type { Source } from "../../../pipeline/snapshot/source.ts";
import { sha256 } from "../../../pipeline/sha256.ts";

/** Objects by path, as a store has them. */
export type Objects = Map<string, Uint8Array<ArrayBuffer>>;

/** Docket number, then USDOT numbers, by prefix. */
export type Dockets = Record<string, Record<number, number[]>>;

/** Time limits that never expire: on a busy machine a server may take seconds. */
export const NEVER_LATE: After = () => () => {};

/** A clock that a test advances. */
export class TestClock implements Clock {
  #now: number;

  constructor(now: number = Date.UTC(2026, 9, 5, 16)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  advance(ms: number): void {
    this.#now += ms;
  }
}

/** JSON as bytes. */
export function jsonBytes(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}

/** Gzipped text as bytes. */
export function gzipText(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(gzipSync(text));
}

/** Gzipped JSON as bytes. */
export function gzipJson(value: unknown): Uint8Array<ArrayBuffer> {
  return gzipText(JSON.stringify(value));
}

/** A record with the fewest members. */
export function record(dot: number, more: Partial<CarrierRecord> = {}): CarrierRecord {
  return { dot, legal_name: `CARRIER ${dot}`, status: "A", ...more };
}

const NO_COUNTS = { inactive: 0, pending: 0, dockets: 0, inspections: 0, carriers_inspected: 0 };

const ONE_FILE: NonNullable<Manifest["search"]> = {
  ...{ format: 1, carriers: 1, buckets: 1, rare: 1, heads: 0, terms: 1 },
  objects: 1,
  bytes: 1,
};

/** What {@link putSnapshot} writes. */
export interface MemorySnapshot {
  id: string;
  carriers: readonly CarrierRecord[];
  /** Carriers that were removed from the census. */
  left?: readonly LeftCarrier[];
  dockets?: Dockets;
  point?: boolean;
  dataDate?: string;
  /** The chain before it, oldest first. */
  past?: readonly PastSnapshot[];
  gaps?: Manifest["gaps"];
  keeps?: Keeps;
  /** Whether its manifest lists a search index. It is one file, which can't be searched. */
  search?: boolean;
  /** Whether its manifest has files of all carriers, one of which exists but can't be read. */
  export?: boolean;
  /** Date of the out-of-service orders; without it they are not included. */
  ordersDate?: string;
}

/**
 * Writes a snapshot into `objects` and points at it.
 *
 * @returns The chain up to and including it, oldest first.
 */
export function putSnapshot(
  objects: Objects,
  { id, carriers, left = [], dockets = {}, point = true, dataDate = "2026-10-03", ...more }:
    MemorySnapshot,
): PastSnapshot[] {
  const { past = [], gaps, keeps, search = false, ordersDate } = more;
  const rows = [
    ...carriers.map((one) => ({ dot: one.dot, row: rowOf(one) })),
    ...left.map((one) => ({ dot: one.dot, row: leftRow(one) })),
  ].sort((a, b) => a.dot - b.dot);
  const carrierShards = Map.groupBy(rows, ({ dot }) => Math.floor(dot / 100));
  for (const [n, shard] of carrierShards) {
    const text = carrierText(shard.map(({ row }) => row));
    objects.set(`s/${id}/carriers/${n}.json.gz`, gzipText(text));
  }
  const docketShards = new Map<number, Dockets>();
  for (const [prefix, numbers] of Object.entries(dockets)) {
    for (const [number, dots] of Object.entries(numbers)) {
      const n = Math.floor(Number(number) / 1000);
      if (!docketShards.has(n)) docketShards.set(n, {});
      (docketShards.get(n)![prefix] ??= {})[Number(number)] = dots;
    }
  }
  for (const [n, shard] of docketShards) {
    objects.set(`s/${id}/dockets/${n}.json.gz`, gzipJson(shard));
  }
  const family = (width: number, shards: Iterable<number>): Manifest["families"]["carriers"] => {
    const runs = [...shards].sort((a, b) => a - b).map((n): [number, number] => [n, n]);
    return { width, runs, objects: runs.length, items: runs.length, bytes: 1 };
  };
  const empty = { bytes: 0, sha256: "0".repeat(64) };
  const files: Manifest["files"] = { SHA256SUMS: empty, "report.json": empty };
  const previous = past.at(-1);
  if (previous !== undefined) {
    const bytes = jsonBytes(pastDocument(FORMAT, past));
    objects.set(`s/${id}/${PAST_PATH}`, bytes);
    files[PAST_PATH] = { bytes: bytes.length, sha256: sha256(bytes) };
  }
  const manifest: Manifest = {
    format: FORMAT,
    data_date: dataDate,
    ...previous && { previous },
    ...gaps && { gaps },
    inspections_date: "2026-10-03",
    ...ordersDate !== undefined && { orders_date: ordersDate },
    window: { from: "2024-10-04", to: "2026-10-03" },
    counts: {
      carriers: carriers.length,
      active: carriers.length,
      ...NO_COUNTS,
      ...left.length > 0 && { left: left.length },
    },
    families: {
      carriers: family(100, carrierShards.keys()),
      dockets: family(1000, docketShards.keys()),
    },
    ...search && { search: ONE_FILE },
    ...more.export && { export: { rows: 1, row_groups: 1, objects: 1, bytes: 1 } },
    files,
  };
  if (more.export) objects.set(`s/${id}/export/carriers.parquet`, gzipText(id));
  if (search) objects.set(`s/${id}/search/words.gz`, gzipText(id));
  const bytes = jsonBytes(manifest);
  objects.set(`s/${id}/manifest.json`, bytes);
  const manifest_sha256 = sha256(bytes);
  if (point) {
    const entry = { snapshot: id, data_date: dataDate, manifest_sha256, sources: [] };
    const pointer: Pointer = { format: FORMAT, ...entry, ...keeps && { keeps } };
    objects.set("current.json", jsonBytes(pointer));
  }
  return [...past, { id, data_date: dataDate, manifest_sha256 }];
}

/** Faults of a read. */
export type ReadFault = "error" | "truncated" | "missing" | "garbage" | "slow";

/** All faults. */
export const FAULTS: readonly ReadFault[] = ["error", "truncated", "missing", "garbage", "slow"];

/** A store in memory that counts reads and injects faults. */
export class MemorySource implements Source {
  readonly name = "memory";
  readonly gets: string[] = [];
  /** Chooses the fault of each read by its number, from 1, and path. */
  fault: (read: number, path: string) => ReadFault | null = () => null;

  constructor(readonly objects: Objects) {}

  async get(path: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const read = this.gets.push(path);
    const bytes = this.objects.get(path) ?? null;
    const fault = this.fault(read, path);
    await Promise.resolve();
    if (fault === "error") throw new Error(`Cannot read ${path}: status 500`);
    if (fault === "missing") return null;
    if (fault === "garbage") return new TextEncoder().encode("<html>502 Bad Gateway</html>");
    if (fault === "slow") await new Promise((resolve) => setTimeout(resolve, 20));
    if (fault === "truncated" && bytes !== null) return bytes.slice(0, bytes.length >> 1);
    return bytes;
  }

  /** How often a path was read. */
  count(path: string): number {
    return this.gets.filter((get) => get === path).length;
  }
}

/** The carrier shard of the snapshot that {@link readerOfFour} reads. */
export const SHARD = "s/a/carriers/0.json.gz";

/** A reader of a snapshot `a` of four carriers, with ways to change what it reads. */
export function readerOfFour(options: Partial<ReaderOptions> = {}) {
  const objects: Objects = new Map();
  putSnapshot(objects, {
    id: "a",
    carriers: [record(5), record(7), record(250), record(99_999_999)],
    dockets: { MC: { 143229: [7, 5], 0: [5] }, FF: { 143229: [250] } },
  });
  const source = new MemorySource(objects);
  const clock = new TestClock();
  const reader = new SnapshotReader(source, { clock, ...options });
  const nameOf = (dot: number): Promise<string | undefined> =>
    reader.use(async (snapshot) => (await snapshot.carrier(dot))?.legal_name);
  return { objects, source, clock, reader, nameOf };
}
