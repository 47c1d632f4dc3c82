/**
 * The peer of `bench:build`: DuckDB reads both files on 2 threads, does the same roll-up and hands the
 * text of each shard to two workers that write the same gzipped shards.
 *
 * It is spared what a build must do besides: no row is refused or counted, no duplicate is looked for, no
 * code or date is checked, names seen at inspections are not compared, members a carrier lacks stay in the
 * text as null, nothing is hashed or synced, no report is made.
 */

import type { Manifest } from "../../pipeline/snapshot/manifest.ts";
import { CENSUS_MEMBERS, VEHICLE_PLACE } from "../../pipeline/snapshot/members.ts";

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
const workers = [0, 1].map(() => {
  const worker = new Worker(new URL("./duckdb_peer_worker.ts", import.meta.url), {
    type: "module",
  });
  const waiting: (() => void)[] = [];
  // It answers in the order of its tasks.
  worker.onmessage = (): void => waiting.shift()!();
  return { worker, waiting };
});
const { DuckDBInstance } = await import(DUCKDB);
const instance = await DuckDBInstance.create(":memory:", { threads: "2" });
const db = await instance.connect();

/** Most inspections of a carrier that are listed one by one. */
const LISTED = 50;

const sum = (...columns: string[]): string =>
  columns.map((column) => `coalesce(TRY_CAST(${column} AS INTEGER), 0)`).join(" + ");
const list = (items: readonly string[]): string => `[${items.join(", ")}]`;
const count = (column: string): string => `TRY_CAST(${column} AS BIGINT)`;
const day = (column: string): string =>
  `date_diff('day', DATE '1970-01-01', try_strptime(substr(${column}, 1, 8), '%Y%m%d')::DATE)`;
const fold = (column: string): string => `trim(regexp_replace(${column}, '\\s+', ' ', 'g'))`;
const flag = (column: string): string =>
  `CASE ${column} WHEN 'Y' THEN true WHEN 'N' THEN false END`;
const kind = (where: string, oos: string): string =>
  `[count(*) FILTER (${where}), count(*) FILTER (${where} AND ${oos} > 0)]`;
const span = (where: string): string =>
  `CASE WHEN count(*) FILTER (${where}) > 0 THEN
    [count(*) FILTER (${where}), max(ago) FILTER (${where}), min(ago) FILTER (${where})] END`;

await db.run(`
  CREATE TABLE inspected AS
  SELECT TRY_CAST(DOT_NUMBER AS INTEGER) AS dot, TRY_CAST(INSPECTION_ID AS BIGINT) AS id, INSP_DATE AS day,
    REPORT_STATE AS state, ${sum("INSP_LEVEL_ID")} AS level, ${sum("VIOL_TOTAL")} AS viol,
    ${sum("VEHICLE_VIOL_TOTAL")} AS vv, ${sum("VEHICLE_OOS_TOTAL")} AS vo,
    ${sum("DRIVER_VIOL_TOTAL")} AS dv, ${sum("DRIVER_OOS_TOTAL")} AS oo,
    ${sum("HAZMAT_VIOL_TOTAL")} AS hv, ${sum("HAZMAT_OOS_TOTAL")} AS ho,
    HAZMAT_PLACARD_REQ IS NOT NULL OR hv > 0 OR ho > 0 AS hm, HAZMAT_PLACARD_REQ = 'Y' AS placarded,
    POST_ACC_IND = 'Y' AS crash, INSP_INTERSTATE = 'Y' AS interstate,
    date_diff('day', strptime(INSP_DATE, '%Y%m%d')::DATE, DATE '2026-10-03') AS ago
  FROM read_csv('${inspections}', header = true, all_varchar = true)
  WHERE INSP_DATE BETWEEN '20241004' AND '20261003' AND TRY_CAST(DOT_NUMBER AS INTEGER) > 0`);

await db.run(`
  CREATE TABLE insp AS
  SELECT dot, count(*) AS total, max(day) AS last, sum(viol)::BIGINT AS violations,
    ${kind("level IN (1, 2, 5, 6)", "vo")} AS vehicle, ${
  kind("level IN (1, 2, 3, 6)", "oo")
} AS driver,
    ${kind("level BETWEEN 1 AND 6 AND hm", "ho")} AS hazmat,
    list(concat('[', ago, ',"', state, '",', level, ',', viol, ',', vv, ',', vo, ',', dv, ',', oo, ',', hv,
      ',', ho, ',', hm::INTEGER + 2 * crash::INTEGER, ']')::JSON ORDER BY day DESC, id DESC)[1:${LISTED}] AS latest,
    ${span("interstate")} AS interstate, ${span("placarded")} AS placarded
  FROM inspected GROUP BY dot`);

const pairs = (key: string): string =>
  `(
  SELECT dot, list([${key}::VARCHAR, n::VARCHAR, o::VARCHAR] ORDER BY ${key}) AS pairs FROM (
    SELECT dot, ${key}, count(*) AS n, count(*) FILTER (vo + oo + ho > 0) AS o
    FROM (SELECT *, substr(day, 1, 6) AS month FROM inspected) WHERE dot IN (SELECT dot FROM insp WHERE total > ${LISTED})
    GROUP BY dot, ${key}) GROUP BY dot)`;

await db.run(`
  CREATE TABLE sums AS
  SELECT dot, [m.pairs, s.pairs, l.pairs] AS sums
  FROM ${pairs("month")} m JOIN ${pairs("state")} s USING (dot) JOIN ${
  pairs("level")
} l USING (dot)`);

const { mailing, vehicles, driver_counts, cargo } = CENSUS_MEMBERS;
const PHYSICAL = ["PHY_STREET", "PHY_CITY", "PHY_STATE", "PHY_ZIP", "PHY_COUNTRY"];
const docket = (n: number): string =>
  `CASE WHEN DOCKET${n} IS NOT NULL THEN {prefix: DOCKET${n}PREFIX, number: TRY_CAST(DOCKET${n} AS INTEGER), status: DOCKET${n}_STATUS_CODE} END`;
const sums = Array.from(
  { length: Math.max(...Object.values(VEHICLE_PLACE)) + 1 },
  (_, place) => sum(...vehicles.columns.filter((column) => VEHICLE_PLACE[column] === place)),
);

await db.run(`
  CREATE TABLE carriers AS
  SELECT TRY_CAST(DOT_NUMBER AS INTEGER) AS dot, ${fold("LEGAL_NAME")} AS legal_name,
    ${fold("DBA_NAME")} AS dba_name, ${fold("PHY_STREET")} AS street, ${fold("PHY_CITY")} AS city,
    PHY_STATE AS state, PHY_ZIP AS zip, nullif(PHY_COUNTRY, 'US') AS country,
    CASE WHEN ${list(mailing.columns)} IS DISTINCT FROM ${list(PHYSICAL)}
      THEN ${list(mailing.columns.map(fold))} END AS mailing,
    CASE WHEN UNDELIV_PHY = 'U' THEN true END AS undeliverable,
    ${
  day("CARRIER_MAILING_UND_DATE")
} AS mail_returned, regexp_replace(PHONE, '\\D', '', 'g') AS phone,
    ${fold("BUSINESS_ORG_DESC")} AS business_form, nullif(DUN_BRADSTREET_NO, '--') AS duns,
    STATUS_CODE AS status, CARRIER_OPERATION AS operation, CARSHIP AS roles, CLASSDEF AS classes, ${
  count("POWER_UNITS")
} AS power_units, ${list(sums)} AS vehicles,
    ${count("TOTAL_DRIVERS")} AS drivers, ${
  list(driver_counts.columns.map(count))
} AS driver_counts,
    ${
  cargo.columns.map((column, i) => `CASE WHEN ${column} = 'X' THEN ${2 ** i} ELSE 0 END`).join(
    " + ",
  )
} AS cargo,
    ${fold("CRGO_CARGOOTHR_DESC")} AS cargo_other, ${flag("HM_Ind")} AS hazmat,
    ${count("MCS150_MILEAGE")} AS mileage, ${count("MCS150_MILEAGE_YEAR")} AS mileage_year,
    ${day("MCS150_DATE")} AS mcs150_date, ${day("ADD_DATE")} AS added, SAFETY_RATING AS rating,
    ${day("SAFETY_RATING_DATE")} AS rating_date, REVIEW_TYPE AS review_type, ${
  day("REVIEW_DATE")
} AS review_date,
    TRY_CAST(RECORDABLE_CRASH_RATE AS DOUBLE) AS crash_rate, ${
  flag("PRIOR_REVOKE_FLAG")
} AS prior_revoked,
    ${count("PRIOR_REVOKE_DOT_NUMBER")} AS prior_revoked_dot,
    list_filter([${[1, 2, 3].map(docket).join(", ")}], lambda x: x IS NOT NULL) AS dockets
  FROM read_csv('${census}', header = true, all_varchar = true)`);

const members = [...Object.keys(CENSUS_MEMBERS), "dockets"].map((name) => `c.${name}`);
await write(
  "carriers",
  `
  SELECT dot // 100 AS shard, '[' || string_agg(js, ',' ORDER BY dot) || ']' AS js FROM (
    SELECT c.dot AS dot, json_array(c.dot, ${members.join(", ")}, CASE WHEN i.total IS NOT NULL THEN
      json_array(i.total, ${
    day("i.last")
  }, i.violations, i.vehicle, i.driver, i.hazmat, i.latest, sums,
        CASE WHEN c.operation IN ('B', 'C') THEN i.interstate END,
        CASE WHEN NOT c.hazmat THEN i.placarded END) END)::VARCHAR AS js
    FROM carriers c LEFT JOIN insp i USING (dot) LEFT JOIN sums USING (dot) WHERE c.dot > 0
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

for (const { worker } of workers) worker.terminate();

async function write(family: PeerTask["family"], sql: string): Promise<void> {
  const result = await db.stream(sql);
  const running: Promise<void>[] = [];
  let batches = 0;
  let shards: PeerTask["shards"] = [];
  const send = (): void => {
    const { worker, waiting } = workers[batches++ % workers.length]!;
    worker.postMessage({ to, family, shards } satisfies PeerTask);
    running.push(new Promise((resolve) => waiting.push(resolve)));
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
