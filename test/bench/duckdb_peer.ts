/**
 * The peer of `bench:build`: DuckDB reads both files on 2 threads, does the same roll-up and hands the
 * text of each shard to two workers that write the same gzipped shards.
 *
 * It is spared what a build must do besides: no row is refused or counted, no duplicate is looked for, no
 * code or date is checked, names seen at inspections are not compared, members a carrier lacks stay in the
 * text as null, nothing is hashed or synced, no report is made.
 *
 * @module
 */

import type { Manifest } from "../../pipeline/snapshot/manifest.ts";
import { shardPath } from "../../pipeline/snapshot/paths.ts";
import { CENSUS_MEMBERS, VEHICLE_PLACE } from "../../pipeline/snapshot/record/members.ts";
import SQL from "./duckdb_peer.sql" with { type: "text" };

/** Files for a worker to compress and write. */
export type PeerTask = [path: string, text: string][];

const BATCH = 200;

/** Named in a string, so in no lock: "deno task start" would fetch its 60 MB for everybody. */
const DUCKDB = "npm:@duckdb/node-api@1.5.5-r.5";

const { mailing, vehicles, driver_counts, cargo } = CENSUS_MEMBERS;
const places = Math.max(...Object.values(VEHICLE_PLACE)) + 1;
const sums = Array.from(
  { length: places },
  (_, place) =>
    vehicles.columns.filter((column) => VEHICLE_PLACE[column] === place)
      .map((column) => `total(${column})`).join(" + "),
);
const [census, inspections, to] = Deno.args as [string, string, string];
/** What stands in braces in the SQL. */
const VALUES: Record<string, string> = {
  census,
  inspections,
  mailing: mailing.columns.join(", "),
  mailing_folded: mailing.columns.map((column) => `fold(${column})`).join(", "),
  vehicles: sums.join(", "),
  driver_counts: driver_counts.columns.map((column) => `number(${column})`).join(", "),
  cargo: cargo.columns.map((column, i) => `CASE WHEN ${column} = 'X' THEN ${2 ** i} ELSE 0 END`)
    .join(" + "),
  members: [...Object.keys(CENSUS_MEMBERS), "dockets"].map((name) => `c.${name}`).join(", "),
};

const workers = [0, 1].map(() => {
  const module = new URL("./duckdb_peer_worker.ts", import.meta.url);
  const worker = new Worker(module, { type: "module" });
  const waiting: (() => void)[] = [];
  // It answers in the order of its tasks.
  worker.onmessage = (): void => waiting.shift()!();
  return { worker, waiting };
});
const { DuckDBInstance } = await import(DUCKDB);
const db = await (await DuckDBInstance.create(":memory:", { threads: "2" })).connect();
await db.run(SQL.replaceAll(/\{(\w+)\}/g, (_, name) => VALUES[name]!));
for (const family of ["carriers", "dockets"] as const) await write(family);
for (const { worker } of workers) worker.terminate();

async function write(family: keyof Manifest["families"]): Promise<void> {
  await Deno.mkdir(`${to}/${family}`, { recursive: true });
  const running: Promise<void>[] = [];
  let batches = 0;
  let task: PeerTask = [];
  const send = (): void => {
    const { worker, waiting } = workers[batches++ % workers.length]!;
    worker.postMessage(task);
    running.push(new Promise((resolve) => waiting.push(resolve)));
    task = [];
  };
  for await (const rows of (await db.stream(`FROM ${family}_shards`)).yieldRowsJs()) {
    for (const [shard, text] of rows) {
      task.push([`${to}/${shardPath(family, Number(shard))}`, text]);
      if (task.length === BATCH) send();
    }
    // Bounds what waits, or all text would be in memory twice.
    while (running.length > 20) await running.shift();
  }
  send();
  await Promise.all(running);
}
