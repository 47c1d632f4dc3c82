import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { type FileRole, fileText, parseStrict, PERSONAL, type Row } from "./files.ts";
import { main } from "./gen.ts";
import { tempDir } from "../pipeline/compile/files.ts";
import { dotOf, planDataset } from "./plan.ts";

const ROLES: FileRole[] = ["census", "inspections", "orders"];

Deno.test("the same options make the same bytes on every machine", () => {
  const plan = planDataset({ carriers: 500, inspections: 900, seed: 1 });
  const hashes = ROLES.map((role) =>
    createHash("sha256").update(fileText(plan, role)).digest("hex")
  );
  assert.deepEqual(hashes, [
    "584a355dcb2c2f97746468b6e7a940b2e3fb24efe8756f36814c91e9533418c8",
    "c7d0aca5e9ae801fa528cd64d91854785c15679db9b84e56fa11ac0a7fa001d7",
    "b449e214612eb1784a9edeaf5eabc9387e695a2652eb30748d47bc831c35e69b",
  ]);
});

Deno.test("planDataset() rejects options that it cannot satisfy", () => {
  const wrong: [options: object, says: RegExp][] = [
    [{ carriers: 0 }, /carriers 0/],
    [{ carriers: 99_999_999 }, /carriers 99999999/],
    [{ inspections: 1.5 }, /inspections 1.5/],
    [{ seed: -1 }, /seed -1/],
    [{ dataDate: "2026-02-30" }, /2026-02-30/],
    [{ dataDate: "1989-12-31" }, /dataDate/],
    [{ day: 366 }, /day 366/],
  ];
  for (const [options, message] of wrong) {
    const plan = (): unknown => planDataset({ carriers: 10, inspections: 10, ...options });
    assert.throws(plan, { name: "RangeError", message });
  }
});

const BIG = planDataset({ carriers: 8_000, inspections: 14_560, seed: 7 });

/** Checks the share of rows with a property. */
function assertShare(
  rows: Row[],
  [low, high]: [low: number, high: number],
  has: (row: Row) => boolean,
): void {
  const share = rows.filter(has).length / rows.length;
  assert.ok(share >= low && share <= high, `${has}: ${share} is not in ${low}..${high}`);
}

Deno.test("the census has the real file's rates and no contact data", () => {
  const { rows } = parseStrict(fileText(BIG, "census"));
  assert.equal(rows.length, 8_000);
  const active = rows.filter((row) => row.STATUS_CODE === "A");
  assertShare(rows, [0.48, 0.52], (row) => row.STATUS_CODE === "A");
  assertShare(rows, [0.53, 0.57], (row) => row.CARRIER_OPERATION === "A");
  assertShare(rows, [0.057, 0.071], (row) => row.HM_Ind === "Y");
  const filled: Record<string, [low: number, high: number]> = {
    TOTAL_DRIVERS: [0.9, 0.925],
    CLASSDEF: [0.955, 0.97],
    SAFETY_RATING: [0.009, 0.015],
    DBA_NAME: [0.25, 0.29],
    DOCKET1: [0.36, 0.41],
    DOCKET2: [0.014, 0.022],
  };
  for (const [column, bounds] of Object.entries(filled)) {
    assertShare(rows, bounds, (row) => row[column] !== "");
  }
  assertShare(
    active,
    [0.39, 0.44],
    ({ MCS150_DATE }) => MCS150_DATE !== "" && MCS150_DATE!.slice(0, 8) < "20241003",
  );
  const units = rows.map((row) => Number(row.POWER_UNITS)).sort((a, b) => a - b);
  assert.deepEqual([units[4_000], units[6_000]], [1, 2]);
  const namesakes = Map.groupBy(rows, (row) => row.LEGAL_NAME).values();
  const cities = namesakes.map((all) => new Set(all.map((row) => row.PHY_CITY)).size);
  assert.ok(Math.max(...cities) >= 3, "a name that carriers of three cities have");
  assert.deepEqual(rows.map((row) => Number(row.DOT_NUMBER)), rows.map((_, i) => dotOf(BIG, i)));
  assert.ok(rows.every((row) => PERSONAL.every((column) => (row[column] ?? "") === "")));
});

Deno.test("inspections have the national rates and no contact data", () => {
  const { rows } = parseStrict(fileText(BIG, "inspections"));
  assert.equal(rows.length, 14_560);
  const ofLevels = (levels: string[]): Row[] =>
    rows.filter((row) => levels.includes(row.INSP_LEVEL_ID!));
  assertShare(ofLevels(["1", "2", "5", "6"]), [0.19, 0.25], (row) => row.VEHICLE_OOS_TOTAL !== "0");
  assertShare(ofLevels(["1", "2", "3", "6"]), [0.055, 0.08], (row) => row.DRIVER_OOS_TOTAL !== "0");
  assertShare(rows, [0.02, 0.1], (row) => row.HAZMAT_PLACARD_REQ !== "");
  assertShare(rows, [0.0003, 0.004], (row) => Number(row.DOT_NUMBER) === 0);
  const days = rows.map((row) => row.INSP_DATE!).sort();
  assert.ok(days[0]! >= "20231003" && days.at(-1)! < "20261003");
  assert.equal(new Set(rows.map((row) => row.INSPECTION_ID)).size, rows.length);
  assert.ok(rows.every((row) => PERSONAL.every((column) => (row[column] ?? "") === "")));
});

Deno.test("orders have the rates of FMCSA's file, and a later day keeps them and adds some", () => {
  const plan = planDataset({ carriers: 30_000, inspections: 1, seed: 3 });
  const { rows } = parseStrict(fileText(plan, "orders"));
  assert.ok(rows.length > 2_300 && rows.length < 3_000, String(rows.length));
  const active = rows.filter((row) => row.STATUS === "ACTIVE");
  assertShare(rows, [0.52, 0.62], (row) => row.RESCIND_DATE === "");
  assertShare(rows, [0.19, 0.28], (row) => row.STATUS === "ACTIVE");
  assertShare(active, [0.1, 0.25], (row) => row.RESCIND_DATE === "");
  assert.ok(
    active.some((row) =>
      /fine/.test(row.OOS_REASON!) && row.RESCIND_DATE === "" && row.OOS_DATE! < "2017"
    ),
  );
  assert.ok(rows.every((row) => row.OOS_DATE! <= "2026-10-01"));
  const later = parseStrict(fileText({ ...plan, day: 30 }, "orders")).rows;
  const keyOf = (row: Row): string => `${row.DOT_NUMBER} ${row.OOS_DATE} ${row.OOS_REASON}`;
  const kept = new Set(later.map(keyOf));
  assert.ok(rows.every((row) => kept.has(keyOf(row))));
  assert.ok(later.length - rows.length > 5 && later.length - rows.length < 40);
  assert.ok(later.every((row) => row.OOS_DATE! <= "2026-10-31"));
});

Deno.test("a later day changes one carrier in a hundred, adds new ones and moves the inspections forward", () => {
  const rowsOf = (day: number, role: FileRole): Row[] =>
    parseStrict(fileText(planDataset({ carriers: 3_000, inspections: 5_475, seed: 5, day }), role))
      .rows;
  const [zero, one] = [rowsOf(0, "census"), rowsOf(1, "census")];
  const changed = zero.filter((row, i) => JSON.stringify(row) !== JSON.stringify(one[i]));
  assert.ok(changed.length > 15 && changed.length < 43, String(changed.length));
  const fresh = rowsOf(30, "census").slice(3_000);
  assert.equal(fresh.length, 12);
  const highest = Number(zero.at(-1)!.DOT_NUMBER);
  assert.ok(fresh.every((row) => Number(row.DOT_NUMBER) > highest && row.DOCKET1 === ""));
  // 10 of 1,095 days: fifty rows of 5,475.
  assert.deepEqual(
    rowsOf(10, "inspections").slice(0, -50),
    rowsOf(0, "inspections").slice(50),
  );
});

Deno.test("gen writes both files, and exits with 2 for wrong arguments", async () => {
  await using place = await tempDir();
  const dir = `${place.path}/new`;
  const args = ["--carriers", "200", "--inspections", "300", "--out", dir];
  assert.equal(await main([...args, "--day", "3"]), 0);
  const plan = planDataset({ carriers: 200, inspections: 300, day: 3 });
  assert.equal(await Deno.readTextFile(`${dir}/company_census.csv`), fileText(plan, "census"));
  assert.equal((await Array.fromAsync(Deno.readDir(dir))).length, 2);
  assert.equal(await main([...args, "--orders"]), 0);
  const orders = fileText(planDataset({ carriers: 200, inspections: 300 }), "orders");
  assert.equal(await Deno.readTextFile(`${dir}/out_of_service_orders.csv`), orders);
  assert.equal(await main(["--help"]), 0);
  for (const wrong of [["--data-date", "2026-13-01"], ["--seed", "5x"], ["--carriers"]]) {
    assert.equal(await main([...args, ...wrong]), 2);
  }
});

Deno.test("gen renames no file into place when one cannot be written", async () => {
  await using place = await tempDir();
  await Deno.mkdir(`${place.path}/vehicle_inspection.csv.part`);
  const args = ["--carriers", "200", "--inspections", "300", "--out", place.path];
  assert.equal(await main(args), 1);
  // The other file, which could be written, is removed as well.
  assert.deepEqual(await Array.fromAsync(Deno.readDir(place.path)), []);
});

Deno.test("gen that is interrupted leaves no partial file, and exits with 130", async () => {
  await using dir = await tempDir();
  const script = new URL("gen.ts", import.meta.url).pathname;
  const size = ["--carriers", "2000000", "--inspections", "2000000", "--out", dir.path];
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--lock=test/deno.lock", script, ...size],
    cwd: new URL("../..", import.meta.url).pathname,
    stdout: "null",
    stderr: "null",
  }).spawn();
  const names = () => Array.from(Deno.readDirSync(dir.path), ({ name }) => name);
  const until = Date.now() + 30_000;
  while (names().length < 2 && Date.now() < until) await new Promise((go) => setTimeout(go, 20));
  assert.equal(names().filter((name) => name.endsWith(".part")).length, 2);
  child.kill("SIGINT");
  assert.equal((await child.status).code, 130);
  assert.deepEqual(names(), []);
});
