/**
 * What the bench of search asks of an engine, ours or a peer, and the records it feeds them.
 *
 * @module
 */

import {
  type Manifest,
  type Pointer,
  POINTER_PATH,
  shardPath,
  snapshotPath,
} from "../../pipeline/snapshot/manifest.ts";
import { openSource } from "../../pipeline/snapshot/open_source.ts";
import type { CarrierRecord } from "../../pipeline/snapshot/record.ts";
import { decodeCarriers } from "../../pipeline/snapshot/shards.ts";

/** What it took to make an engine ready. */
export interface Prepared {
  /** Building, reading the records included; null when the snapshot came with the index. */
  seconds: number | null;
  /** Most resident memory of the process that built it; null likewise. */
  peakBytes: number | null;
  indexBytes: number;
}

/** What a query had to fetch. */
export interface Fetched {
  files: number;
  bytes: number;
  /** Times it had to wait for fetches before it knew what to fetch next. */
  trips: number;
}

/** A search engine under test; one a process, so that its memory is its own. */
export interface Engine {
  readonly name: string;
  /** Builds the index, or opens one kept from an earlier run and tells that run's figures. */
  prepare(records: AsyncIterable<CarrierRecord>): Promise<Prepared>;
  /** USDOT numbers, best first. */
  search(query: string, limit: number): Promise<number[]>;
  /** Makes the next query cold: forgets what earlier ones fetched. */
  forget?(): void;
  /** What was fetched since {@link Engine.forget}. */
  stats?(): Fetched;
}

/** A snapshot that a bench reads from end to end. */
export interface BenchSnapshot {
  id: string;
  manifest: Manifest;
  records(): AsyncGenerator<CarrierRecord>;
}

/** Opens the current snapshot of a root; its records come shard by shard, ascending by number. */
export async function openBenchSnapshot(root: string): Promise<BenchSnapshot> {
  const source = openSource(root);
  const read = async (path: string): Promise<Uint8Array<ArrayBuffer>> => {
    const bytes = await source.get(path);
    if (bytes === null) throw new Error(`Cannot find ${path} in "${root}"`);
    return bytes;
  };
  const json = async (path: string): Promise<unknown> =>
    JSON.parse(new TextDecoder().decode(await read(path)));
  const { snapshot: id } = await json(POINTER_PATH) as Pointer;
  const manifest = await json(`${snapshotPath(id)}/manifest.json`) as Manifest;
  async function* records(): AsyncGenerator<CarrierRecord> {
    const { runs, width } = manifest.families.carriers;
    for (const [first, last] of runs) {
      for (let shard = first; shard <= last; shard++) {
        const bytes = await read(`${snapshotPath(id)}/${shardPath("carriers", shard)}`);
        yield* (await decodeCarriers(bytes, { shard, width })).value;
      }
    }
  }
  return { id, manifest, records };
}

/** Most resident memory of this process so far in bytes, from Linux's /proc; NaN elsewhere. */
export function peakBytes(): number {
  try {
    const status = Deno.readTextFileSync("/proc/self/status");
    return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) * 1024;
  } catch {
    return NaN;
  }
}
