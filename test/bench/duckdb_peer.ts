/**
 * The peer of `bench:build`: DuckDB reads both files on 2 threads, does the same roll-up and hands the
 * text of each shard to two workers that write the same gzipped shards.
 *
 * It is spared what a build must do besides: no row is refused or counted, no duplicate is looked for,
 * members a carrier lacks stay in the text as null, nothing is hashed, no report is made.
 */

import { WorkerPool } from "../../pipeline/compile/pool.ts";
import type { Manifest } from "../../pipeline/snapshot/manifest.ts";

/** Shards for a worker to compress and write. */
export interface PeerTask {
  to: string;
  family: keyof Manifest["families"];
  shards: [shard: number, text: string][];
}

const BATCH = 200;

/** Named in a string, so in no lock: "deno task start" would fetch its 60 MB for everybody. */
const DUCKDB = "npm:@duckdb/node-api@1.5.5-r.5";

const [census, inspections, to] = Deno.args as [string, string, string];
await Deno.mkdir(`${to}/carriers`, { recursive: true });
await Deno.mkdir(`${to}/dockets`, { recursive: true });
using pool = new WorkerPool<PeerTask, number>(
  new URL("./duckdb_peer_worker.ts", import.meta.url),
  2,
);
const { DuckDBInstance } = await import(DUCKDB);
const instance = await DuckDBInstance.create(":memory:", { threads: "2" });
const db = await instance.connect();

await db.run(`
  CREATE TABLE insp AS
  SELECT dot, count(*) AS total, max(day) AS last, sum(viol) AS violations,
    count(*) FILTER (level IN (1, 2, 5, 6)) AS v, count(*) FILTER (level IN (1, 2, 5, 6) AND voos > 0) AS vo,
    count(*) FILTER (level IN (1, 2, 3, 6)) AS d, count(*) FILTER (level IN (1, 2, 3, 6) AND doos > 0) AS do_,
    count(*) FILTER (level BETWEEN 1 AND 6 AND hm) AS h,
    count(*) FILTER (level BETWEEN 1 AND 6 AND hm AND hoos > 0) AS ho
  FROM (
    SELECT TRY_CAST(DOT_NUMBER AS INTEGER) AS dot, INSP_DATE AS day,
      TRY_CAST(INSP_LEVEL_ID AS INTEGER) AS level, TRY_CAST(VIOL_TOTAL AS INTEGER) AS viol,
      TRY_CAST(VEHICLE_OOS_TOTAL AS INTEGER) AS voos, TRY_CAST(DRIVER_OOS_TOTAL AS INTEGER) AS doos,
      TRY_CAST(HAZMAT_OOS_TOTAL AS INTEGER) AS hoos,
      (HAZMAT_PLACARD_REQ IS NOT NULL OR TRY_CAST(HAZMAT_VIOL_TOTAL AS INTEGER) > 0
        OR TRY_CAST(HAZMAT_OOS_TOTAL AS INTEGER) > 0) AS hm
    FROM read_csv('${inspections}', header = true, all_varchar = true)
  ) WHERE day BETWEEN '20241004' AND '20261003' AND dot > 0 GROUP BY dot`);

const day = (column: string): string =>
  `substr(${column}, 1, 4) || '-' || substr(${column}, 5, 2) || '-' || substr(${column}, 7, 2)`;
const fold = (column: string): string => `trim(regexp_replace(${column}, '\\s+', ' ', 'g'))`;
const docket = (n: number): string =>
  `CASE WHEN DOCKET${n} IS NOT NULL THEN {prefix: DOCKET${n}PREFIX, number: TRY_CAST(DOCKET${n} AS INTEGER), status: DOCKET${n}_STATUS_CODE} END`;

await db.run(`
  CREATE TABLE carriers AS
  SELECT TRY_CAST(DOT_NUMBER AS INTEGER) AS dot, ${fold("LEGAL_NAME")} AS legal_name,
    ${fold("DBA_NAME")} AS dba_name, ${fold("PHY_CITY")} AS city, PHY_STATE AS state,
    nullif(PHY_COUNTRY, 'US') AS country, STATUS_CODE AS status, CARRIER_OPERATION AS operation,
    string_split(CARSHIP, ';') AS roles, string_split(CLASSDEF, ';') AS classes,
    TRY_CAST(POWER_UNITS AS INTEGER) AS power_units, TRY_CAST(TOTAL_DRIVERS AS INTEGER) AS drivers,
    HM_Ind = 'Y' AS hazmat, ${day("MCS150_DATE")} AS mcs150_date, ${day("ADD_DATE")} AS added,
    SAFETY_RATING AS rating, ${day("SAFETY_RATING_DATE")} AS rating_date,
    list_filter([${[1, 2, 3].map(docket).join(", ")}], lambda x: x IS NOT NULL) AS dockets
  FROM read_csv('${census}', header = true, all_varchar = true)`);

await write(
  "carriers",
  `
  SELECT dot // 100 AS shard, '[' || string_agg(js, ',' ORDER BY dot) || ']' AS js FROM (
    SELECT c.dot AS dot, to_json({dot: c.dot, legal_name: legal_name, dba_name: dba_name, city: city,
      state: state, country: country, status: status, operation: operation, roles: roles,
      classes: classes, power_units: power_units, drivers: drivers, hazmat: hazmat,
      mcs150_date: mcs150_date, added: added, rating: rating, rating_date: rating_date,
      dockets: dockets, inspections: CASE WHEN i.total IS NOT NULL THEN {total: i.total,
        last: ${
    day("i.last")
  }, violations: i.violations, vehicle: {inspections: v, out_of_service: vo},
        driver: {inspections: d, out_of_service: do_}, hazmat: {inspections: h, out_of_service: ho}
      } END})::VARCHAR AS js
    FROM carriers c LEFT JOIN insp i USING (dot) WHERE c.dot > 0
  ) GROUP BY shard`,
);

await write(
  "dockets",
  `
  SELECT shard, json_group_object(prefix, numbers)::VARCHAR AS js FROM (
    SELECT shard, prefix, json_group_object(number, dots) AS numbers FROM (
      SELECT number // 1000 AS shard, prefix, number, list(dot ORDER BY status = 'A' DESC,
        carrier = 'A' DESC, mcs150_date DESC, dot) AS dots
      FROM (SELECT dot, status AS carrier, mcs150_date, unnest(dockets, recursive := true) FROM carriers)
      WHERE number IS NOT NULL GROUP BY shard, prefix, number
    ) GROUP BY shard, prefix
  ) GROUP BY shard`,
);

async function write(family: PeerTask["family"], sql: string): Promise<void> {
  const result = await db.stream(sql);
  const running: Promise<number>[] = [];
  let shards: PeerTask["shards"] = [];
  const send = (): void => {
    if (shards.length > 0) running.push(pool.run({ to, family, shards }));
    shards = [];
  };
  for await (const rows of result.yieldRowsJs()) {
    for (const [shard, text] of rows) {
      shards.push([Number(shard), String(text)]);
      if (shards.length === BATCH) send();
    }
    // Bounds what waits, or all text would be in memory twice.
    while (running.length > 20) await running.shift();
  }
  send();
  await Promise.all(running);
}
