/**
 * Shared by the benchmarks: a snapshot to read, interleaved rounds, medians, tables.
 *
 * @module
 */

import { SYSTEM_CLOCK } from "../../pipeline/clock.ts";
import { print } from "../../pipeline/io.ts";
import { shardPath } from "../../pipeline/snapshot/paths.ts";
import { openSource } from "../../pipeline/snapshot/sources/open_source.ts";
import { type Snapshot, SnapshotReader } from "../../pipeline/snapshot/reader.ts";
import type { CarrierRecord } from "../../pipeline/snapshot/record/record.ts";
import { decodeCarriers } from "../../pipeline/snapshot/record/shards.ts";
import { ROOT } from "../run_main.ts";

/** The snapshot that `deno task start` builds. */
export const SAMPLE = `${ROOT}.data/sample`;

/** Opens the current snapshot of a root. */
export async function openBenchSnapshot(root: string): Promise<Snapshot> {
  const reader = new SnapshotReader(openSource(root), { clock: SYSTEM_CLOCK });
  return await reader.use((snapshot) => Promise.resolve(snapshot));
}

/** Carrier shards in ascending order, as stored: all, or about `count`, evenly spaced. */
export async function* carrierShards(
  snapshot: Snapshot,
  count = Infinity,
): AsyncGenerator<{ bytes: number; records: CarrierRecord[] }> {
  const { runs, width, objects } = snapshot.manifest.families.carriers;
  const step = Math.max(1, Math.floor(objects / count));
  let seen = 0;
  for (const [first, last] of runs) {
    for (let shard = first; shard <= last; shard++) {
      if (seen++ % step !== 0) continue;
      const bytes = await snapshot.read(shardPath("carriers", shard));
      yield { bytes: bytes.length, records: await decodeCarriers(bytes, { shard, width }) };
    }
  }
}

/** Runs cases in turn, so that other load on the machine affects all. Returns the results of each. */
export async function inTurn<Result>(
  cases: Record<string, () => Promise<Result>>,
  rounds: number,
): Promise<Map<string, Result[]>> {
  const results = new Map(Object.keys(cases).map((name) => [name, [] as Result[]]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of Object.entries(cases)) results.get(name)!.push(await run());
  }
  return results;
}

/** The value that a share of the values does not exceed (nearest rank); NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const ascending = values.toSorted((a, b) => a - b);
  return ascending[Math.max(0, Math.ceil(share * ascending.length) - 1)] ?? NaN;
}

/** The median, 95th percentile and maximum. */
export function spread(values: readonly number[]): number[] {
  return [0.5, 0.95, 1].map((share) => quantile(values, share));
}

/** A column of a table: its heading, how to compute it from a result, and its decimals. */
type Column<Result> = [heading: string, of: (result: Result) => number, decimals: number];

/** Prints a line per case with the medians of its figures. */
export function printMedians<Result>(
  results: Map<string, Result[]>,
  columns: readonly Column<Result>[],
): void {
  printTable([
    ["", ...columns.map(([heading]) => heading)],
    ...[...results].map(([name, all]) => [
      name,
      ...columns.map(([, of, decimals]) => quantile(all.map(of), 0.5).toFixed(decimals)),
    ]),
  ]);
}

/** Prints a table: the first column flush left, the others flush right. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)));
  for (const [first, ...others] of rows) {
    const padded = others.map((cell, at) => cell.padStart(widths[at + 1]!));
    print([first!.padEnd(widths[0]!), ...padded].join("  "));
  }
}
