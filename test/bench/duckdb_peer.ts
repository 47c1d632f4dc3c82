/**
 * The peer of `bench:build`: DuckDB reads both files on 2 threads, does the same roll-up and passes the
 * text of each shard to two workers that write the same gzipped shards.
 *
 * It skips work that a build must do: it rejects and counts no rows, looks for no duplicates, checks no codes
 * or dates, doesn't compare names seen at inspections, leaves members that a carrier lacks in the text as
 * null, hashes and syncs nothing, and makes no report.
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

/** A string instead of an import, so it is in no lock file: "deno task start" would fetch its 60 MB for everybody. */
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
/** Values for the placeholders in braces in the SQL. */
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
  // The worker answers in the order of its tasks.
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
    // Limits the queue, or all text would be in memory twice.
    while (running.length > 20) await running.shift();
  }
  send();
  await Promise.all(running);
}
