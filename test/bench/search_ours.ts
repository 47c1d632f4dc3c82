/**
 * Our search as an engine of the bench, over the index of the snapshot, or one made here when it has none.
 *
 * @module
 */

import { SYSTEM_CLOCK } from "../../pipeline/clock.ts";
import { buildSearchIndex } from "../../pipeline/search/index/build.ts";
import type { SearchManifest } from "../../pipeline/snapshot/manifest.ts";
import { CarrierSearch, type NumberLookup } from "../../pipeline/search/query/search.ts";
import { snapshotPath } from "../../pipeline/snapshot/manifest.ts";
import { openSource } from "../../pipeline/snapshot/open_source.ts";
import { SnapshotReader } from "../../pipeline/snapshot/reader.ts";
import type { CarrierRecord } from "../../pipeline/snapshot/record.ts";
import {
  type Engine,
  type Fetched,
  openBenchSnapshot,
  peakBytes,
  type Prepared,
} from "./search_engine.ts";

/** One search that holds what it fetched, and one that holds nothing but its dictionary. */
export class OurEngine implements Engine {
  readonly name = "ours";
  readonly #dir: string;
  readonly #snapshot: string;
  readonly #fetched: Fetched = { files: 0, bytes: 0, trips: 0 };
  #underWay = 0;
  #cold = false;
  #holding!: CarrierSearch;
  #forgetful!: CarrierSearch;

  /** @param dir Where an index goes that the snapshot lacks. */
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
    this.#holding = this.#open(search, { read });
    this.#forgetful = this.#open(search, { read, cacheBytes: 0 });
    // Loads the dictionary and the pointer, which no query is to be charged with.
    for (const query of ["zz", "12", "mc 12"]) {
      await this.#forgetful.search(query, { limit: 1 });
    }
    return { ...prepared, indexBytes: search.bytes };
  }

  async search(query: string, limit: number): Promise<number[]> {
    const results = await (this.#cold ? this.#forgetful : this.#holding).search(query, { limit });
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
    if (this.#underWay++ === 0) this.#fetched.trips++;
    try {
      const bytes = await read();
      this.#fetched.files++;
      this.#fetched.bytes += bytes?.length ?? 0;
      return bytes;
    } finally {
      this.#underWay--;
    }
  }
}
