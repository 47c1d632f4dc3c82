/**
 * Indexes of a few records in temporary folders, with a count of the reads of a search.
 *
 * @module
 */

import {
  type BuiltSearch,
  indexSpilled,
  runSearchTask,
  SHAPE,
} from "../../../pipeline/search/index/build.ts";
import { SearchSpill } from "../../../pipeline/search/index/spill.ts";
import type { SearchShape } from "../../../pipeline/search/index/terms.ts";
import { CarrierSearch } from "../../../pipeline/search/query/search.ts";
import type { Snapshot } from "../../../pipeline/snapshot/reader.ts";
import type { CarrierRecord } from "../../../pipeline/snapshot/record/record.ts";

/** Bounds so small that a few records reach each of them. */
export const TINY: SearchShape = { carriersPerBucket: 2, rare: 2, head: 4, part: 2, name: 3 };

/** The reads of a search since the counts were reset. */
interface Reads {
  files: number;
  bytes: number;
}

/** A built index and its search. Disposing of it deletes its files. */
export interface SmallIndex extends AsyncDisposable {
  built: BuiltSearch;
  search: CarrierSearch;
  reads: Reads;
  /** Bytes of all files by path. */
  files(): Promise<Map<string, Uint8Array>>;
}

/** Builds an index of some records. */
export async function smallIndex(
  records: Iterable<CarrierRecord> | AsyncIterable<CarrierRecord>,
  { shape = SHAPE, partition = 100, cacheBytes = 0, numbers }: {
    shape?: SearchShape;
    /** Records per partition. */
    partition?: number;
    cacheBytes?: number;
    numbers?: Snapshot;
  } = {},
): Promise<SmallIndex> {
  const to = await Deno.makeTempDir();
  const dir = await Deno.makeTempDir();
  const spills = [new SearchSpill()];
  let carriers = 0;
  for await (const record of records) {
    spills.at(-1)!.add(record);
    if (++carriers % partition === 0) spills.push(new SearchSpill());
  }
  spills.forEach((spill, i) => spill.finish(dir, i));
  const partitions = [...spills.keys()];
  const run = runSearchTask;
  const built = await indexSpilled({ dir, to, partitions, carriers, run, shape });
  await Deno.remove(dir, { recursive: true });
  const reads: Reads = { files: 0, bytes: 0 };
  async function read(path: string): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = await Deno.readFile(`${to}/${path}`);
    reads.files++;
    reads.bytes += bytes.length;
    return bytes;
  }
  return {
    built,
    reads,
    search: new CarrierSearch(read, built.manifest, { cacheBytes, ...numbers && { numbers } }),
    async files(): Promise<Map<string, Uint8Array>> {
      const all = new Map<string, Uint8Array>();
      for (const { path } of built.sums) all.set(path, await Deno.readFile(`${to}/${path}`));
      return all;
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await Deno.remove(to, { recursive: true });
    },
  };
}

/** A record with a name, active by default. */
export function carrier(
  dot: number,
  legal_name: string,
  more: Partial<CarrierRecord> = {},
): CarrierRecord {
  return { dot, legal_name, status: "A", ...more };
}

/** A record's inspections, reduced to their total, which is all that search reads. */
export function inspected(total: number): Pick<CarrierRecord, "inspections"> {
  const inspections = { total } as NonNullable<CarrierRecord["inspections"]>;
  return { inspections };
}

/** For names that share a word and nothing else. */
export const SURNAMES = ["LEWIS", "KOVAL", "BYRD", "PENA", "DUNN", "HALE", "NASH", "WARE"];
