/**
 * What the search bench asks of an engine, the carriers it feeds them, and our search as an engine.
 *
 * @module
 */

import { SYSTEM_CLOCK } from "../../pipeline/clock.ts";
import { CarrierSearch } from "../../pipeline/search/query/search.ts";
import { openSource } from "../../pipeline/snapshot/open_source.ts";
import { SnapshotReader } from "../../pipeline/snapshot/reader.ts";

/** What engines are fed of a carrier. */
export interface BenchCarrier {
  dot: number;
  active: boolean;
  units: number;
  /** As filed; `""` where not filed. */
  name: string;
  dba: string;
  city: string;
  state: string;
  /** The same by `fold()`; the state as code and name. */
  folded: { name: string; dba: string; city: string; states: string[] };
}

/** A search engine under test. */
export interface Engine {
  readonly name: string;
  /** Builds the index, or opens one kept from an earlier run; returns its bytes. */
  prepare(carriers: () => AsyncIterable<BenchCarrier>): Promise<number>;
  /** USDOT numbers, best first. */
  search(query: string, limit: number): Promise<number[]>;
}

/** What a query fetches when nothing but the dictionary is cached. */
export interface Fetched {
  files: number;
  bytes: number;
  /** Times it waited for fetches before it knew what to fetch next. */
  steps: number;
}

const WARM_BYTES = 64 * 1024 * 1024;

/** Our search over the index of a snapshot, and the same with nothing cached but its dictionary. */
export class OurEngine implements Engine {
  readonly name = "ours";
  readonly #root: string;
  #warm!: CarrierSearch;
  #cold!: CarrierSearch;
  #fetched: Fetched = { files: 0, bytes: 0, steps: 0 };

  constructor(root: string) {
    this.#root = root;
  }

  /** @throws {Error} When the snapshot has no index. */
  async prepare(): Promise<number> {
    this.#warm = await this.#open(WARM_BYTES);
    this.#cold = await this.#open(0);
    const { manifest } = await this.#snapshot(0);
    return manifest.search!.bytes;
  }

  async search(query: string, limit: number): Promise<number[]> {
    return (await this.#warm.search(query, { limit })).map(({ dot }) => dot);
  }

  async fetched(query: string, limit: number): Promise<Fetched> {
    this.#fetched = { files: 0, bytes: 0, steps: 0 };
    await this.#cold.search(query, { limit });
    return this.#fetched;
  }

  async #open(cacheBytes: number): Promise<CarrierSearch> {
    const snapshot = await this.#snapshot(cacheBytes);
    const { search } = snapshot.manifest;
    if (search === undefined) throw new Error(`The snapshot in ${this.#root} has no search index`);
    const read = (path: string) => snapshot.read(path);
    const opened = new CarrierSearch(read, search, { cacheBytes, numbers: snapshot });
    // Loads the dictionary, which no query should be charged with.
    await opened.search("zz", { limit: 1 });
    return opened;
  }

  async #snapshot(cacheBytes: number) {
    const source = openSource(this.#root);
    let waiting = 0;
    const get = async (path: string): Promise<Uint8Array<ArrayBuffer> | null> => {
      const fetched = this.#fetched;
      if (waiting++ === 0) fetched.steps++;
      const bytes = await source.get(path).finally(() => waiting--);
      fetched.files++;
      fetched.bytes += bytes?.length ?? 0;
      return bytes;
    };
    const reader = new SnapshotReader({ name: source.name, get }, {
      clock: SYSTEM_CLOCK,
      cacheBytes,
    });
    return await reader.use((snapshot) => Promise.resolve(snapshot));
  }
}
