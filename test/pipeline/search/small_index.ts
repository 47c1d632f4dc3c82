/**
 * Indexes of a few records, built in a folder of their own, with a count of what a search reads.
 *
 * @module
 */

import { buildSearchIndex, type BuiltSearch, SHAPE } from "../../../pipeline/search/index/build.ts";
import type { SearchShape } from "../../../pipeline/search/index/terms.ts";
import { CarrierSearch } from "../../../pipeline/search/query/search.ts";
import type { CarrierRecord } from "../../../pipeline/snapshot/record.ts";

/** A shape so tiny that a few records meet every bound of it. */
export const TINY: SearchShape = { carriersPerBucket: 2, rare: 2, head: 4, part: 2, name: 3 };

/** What a search read since the counts were set to 0. */
interface Reads {
  files: number;
  bytes: number;
}

/** A built index with a search over it. Dispose of it to remove its files. */
export interface SmallIndex extends AsyncDisposable {
  built: BuiltSearch;
  search: CarrierSearch;
  reads: Reads;
  /** Bytes of all files by path. */
  files(): Promise<Map<string, Uint8Array>>;
}

/** Builds an index of some records. */
export async function smallIndex(
  records: Iterable<CarrierRecord>,
  { shape = SHAPE, partition = 100, cacheBytes = 0 }: {
    shape?: SearchShape;
    partition?: number;
    cacheBytes?: number;
  } = {},
): Promise<SmallIndex> {
  const to = await Deno.makeTempDir();
  const built = await buildSearchIndex({ records, to, shape, partition });
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
    search: new CarrierSearch(read, built.manifest, { cacheBytes }),
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
