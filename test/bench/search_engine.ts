/**
 * What the search bench asks of an engine, the records it feeds them, and our search as an engine.
 *
 * @module
 */

import { SYSTEM_CLOCK } from "../../pipeline/clock.ts";
import { buildSearchIndex } from "../../pipeline/search/index/build.ts";
import { CarrierSearch, type NumberLookup } from "../../pipeline/search/query/search.ts";
import { type SearchManifest, snapshotPath } from "../../pipeline/snapshot/manifest.ts";
import { openSource } from "../../pipeline/snapshot/open_source.ts";
import { SnapshotReader } from "../../pipeline/snapshot/reader.ts";
import type { CarrierRecord } from "../../pipeline/snapshot/record.ts";
import { openBenchSnapshot } from "./harness.ts";
import { peakBytes } from "./processes.ts";

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
  /** Builds the index, or opens one kept from an earlier run and returns that run's figures. */
  prepare(records: AsyncIterable<CarrierRecord>): Promise<Prepared>;
  /** USDOT numbers, best first. */
  search(query: string, limit: number): Promise<number[]>;
  /** Makes the next query cold: forgets what earlier ones fetched. */
  forget?(): void;
  /** What was fetched since {@link Engine.forget}. */
  stats?(): Fetched;
}

/**
 * Our search over the index of the snapshot, or one built here when it has none: once with a cache, and
 * once with nothing cached but its dictionary.
 */
export class OurEngine implements Engine {
  readonly name = "ours";
  readonly #dir: string;
  readonly #snapshot: string;
  readonly #fetched: Fetched = { files: 0, bytes: 0, trips: 0 };
  #inProgress = 0;
  #cold = false;
  #warm!: CarrierSearch;
  #uncached!: CarrierSearch;

  /** @param dir Receives an index that the snapshot lacks. */
  constructor(dir: string, { snapshot }: { snapshot: string }) {
    this.#dir = dir;
    this.#snapshot = snapshot;
  }

  async prepare(records: AsyncIterable<CarrierRecord>): Promise<Prepared> {
    const { id, manifest } = await openBenchSnapshot(this.#snapshot);
    let prepared: Prepared = { seconds: null, peakBytes: null, indexBytes: 0 };
    let search = manifest.search;
    let read = (path: string): Promise<Uint8Array<ArrayBuffer>> =>
      Deno.readFile(`${this.#snapshot}/${snapshotPath(id)}/${path}`);
    if (search === undefined) {
      const began = performance.now();
      await Deno.remove(this.#dir, { recursive: true }).catch(() => {});
      search = (await buildSearchIndex({ records, to: this.#dir })).manifest;
      const seconds = (performance.now() - began) / 1000;
      prepared = { seconds, peakBytes: peakBytes(), indexBytes: 0 };
      read = (path) => Deno.readFile(`${this.#dir}/${path}`);
    }
    this.#warm = this.#open(search, { read });
    this.#uncached = this.#open(search, { read, cacheBytes: 0 });
    // Loads the dictionary and the pointer, which no query should be charged with.
    for (const query of ["zz", "12", "mc 12"]) {
      await this.#uncached.search(query, { limit: 1 });
    }
    return { ...prepared, indexBytes: search.bytes };
  }

  async search(query: string, limit: number): Promise<number[]> {
    const results = await (this.#cold ? this.#uncached : this.#warm).search(query, { limit });
    return results.map(({ dot }) => dot);
  }

  forget(): void {
    Object.assign(this.#fetched, { files: 0, bytes: 0, trips: 0 });
    this.#cold = true;
  }

  stats(): Fetched {
    this.#cold = false;
    return { ...this.#fetched };
  }

  #open(
    manifest: SearchManifest,
    { read, ...cache }: {
      read: (path: string) => Promise<Uint8Array<ArrayBuffer>>;
      cacheBytes?: number;
    },
  ): CarrierSearch {
    const source = openSource(this.#snapshot);
    const get = (path: string): Promise<Uint8Array<ArrayBuffer> | null> =>
      this.#count(() => source.get(path));
    const reader = new SnapshotReader({ name: source.name, get }, {
      clock: SYSTEM_CLOCK,
      ...cache,
    });
    const numbers: NumberLookup = {
      carrier: (dot) => reader.use((snapshot) => snapshot.carrier(dot)),
      docket: (prefix, number) => reader.use((snapshot) => snapshot.docket(prefix, number)),
    };
    const files = (path: string): Promise<Uint8Array<ArrayBuffer>> => this.#count(() => read(path));
    return new CarrierSearch(files, manifest, { numbers, ...cache });
  }

  async #count<T extends Uint8Array | null>(read: () => Promise<T>): Promise<T> {
    if (this.#inProgress++ === 0) this.#fetched.trips++;
    try {
      const bytes = await read();
      this.#fetched.files++;
      this.#fetched.bytes += bytes?.length ?? 0;
      return bytes;
    } finally {
      this.#inProgress--;
    }
  }
}
