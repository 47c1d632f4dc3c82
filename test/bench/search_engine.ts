/**
 * The interface between the search bench and an engine, the carriers that engines index, and our search as an engine.
 *
 * @module
 */

import { SYSTEM_CLOCK } from "../../pipeline/clock.ts";
import { CarrierSearch } from "../../pipeline/search/query/search.ts";
import { openSource } from "../../pipeline/snapshot/sources/open_source.ts";
import { SnapshotReader } from "../../pipeline/snapshot/reader.ts";
import type { CarrierRecord } from "../../pipeline/snapshot/record/record.ts";
import { fold, STATE_NAMES } from "./search_text.ts";

/** The text of a carrier that engines index. */
export interface BenchCarrier {
  dot: number;
  active: boolean;
  units: number;
  inspections: number;
  /** As filed; `""` where not filed. */
  name: string;
  dba: string;
  city: string;
  state: string;
  /** The same text after `fold()`; the state as code and name. */
  folded: { name: string; dba: string; city: string; states: string[] };
}

/** A carrier as engines index it. */
export function benchCarrier(record: CarrierRecord): BenchCarrier {
  const { dot, status, power_units, legal_name: name } = record;
  const { dba_name: dba = "", city = "", state = "" } = record;
  const states = [state, STATE_NAMES.get(state) ?? ""].map(fold).filter((it) => it !== "");
  const folded = { name: fold(name), dba: fold(dba), city: fold(city), states };
  const size = { units: power_units ?? 0, inspections: record.inspections?.total ?? 0 };
  return { dot, active: status === "A", ...size, name, dba, city, state, folded };
}

/** A search engine under test. Its index is built, or opened if an earlier run kept it. */
export interface Engine {
  readonly name: string;
  /** Size of the index. */
  readonly bytes: number;
  /** USDOT numbers, best first. */
  search(query: string, limit: number): Promise<number[]>;
}

/** The reads of a query. Steps are how many times it waited before it knew what to fetch next. */
export interface Fetched {
  steps: number;
  files: number;
  bytes: number;
}

/**
 * Our search over the index of a snapshot, its dictionary loaded.
 *
 * @throws {Error} When the snapshot has no index.
 */
export async function openOurs(
  root: string,
  cacheBytes: number = 64 * 1024 * 1024,
): Promise<Engine & { fetched(): Fetched }> {
  const source = openSource(root);
  let fetched: Fetched;
  let waiting = 0;
  const get = async (path: string): Promise<Uint8Array<ArrayBuffer> | null> => {
    const of = fetched;
    if (waiting++ === 0) of.steps++;
    const bytes = await source.get(path).finally(() => waiting--);
    of.files++;
    of.bytes += bytes?.length ?? 0;
    return bytes;
  };
  const startCount = (): void => void (fetched = { steps: 0, files: 0, bytes: 0 });
  startCount();
  const options = { clock: SYSTEM_CLOCK, cacheBytes };
  const reader = new SnapshotReader({ name: source.name, get }, options);
  const snapshot = await reader.use((snapshot) => Promise.resolve(snapshot));
  const { search: manifest } = snapshot.manifest;
  if (manifest === undefined) throw new Error(`The snapshot in ${root} has no search index`);
  const read = (path: string) => snapshot.read(path);
  const index = new CarrierSearch(read, manifest, { cacheBytes, numbers: snapshot });
  // Loads the dictionary now, so that its cost is not counted for any query.
  await index.search("zz", { limit: 1 });
  return {
    name: "ours",
    bytes: manifest.bytes,
    async search(query, limit) {
      startCount();
      return (await index.search(query, { limit })).map(({ dot }) => dot);
    },
    fetched: () => fetched,
  };
}
