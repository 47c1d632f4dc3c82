import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { GateError } from "../../../pipeline/compile/gates.ts";
import { CENSUS_COLUMNS } from "../../../pipeline/fmcsa/columns.ts";
import { openSource } from "../../../pipeline/snapshot/open_source.ts";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import {
  buildFiles,
  censusCsv,
  censusRow,
  CLOCK,
  csv,
  inspectionCsv,
  inspectionRow,
  readCarriers,
  type Row,
  tempDir,
  tree,
} from "./files.ts";

/** Enough good rows that a few bad ones stay below the bound. */
function manyRows(more: Row[] = []): Row[] {
  return [...Array.from({ length: 4000 }, (_, i) => censusRow(1000 + i)), ...more];
}

function shuffled<T>(items: readonly T[], seed: number): T[] {
  const keys = fc.sample(fc.double({ noNaN: true }), { numRuns: items.length, seed });
  return items.map((item, i) => [keys[i]!, item] as const).sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}

Deno.test("build() writes the same bytes for any row order and number of workers", async () => {
  await using dir = await tempDir();
  const census = [
    ...Array.from(
      { length: 300 },
      (_, i) =>
        censusRow(i * 977 + 1, {
          DOCKET1PREFIX: "MC",
          DOCKET1: String(i % 90 + 1),
          DOCKET1_STATUS_CODE: "AI"[i % 2]!,
        }),
    ),
    censusRow(978, { LEGAL_NAME: "TWIN", MCS150_DATE: "20260101" }),
    censusRow(978, { LEGAL_NAME: "OTHER TWIN", MCS150_DATE: "20260101" }),
    censusRow("12A"),
  ];
  const inspections = Array.from(
    { length: 900 },
    (_, i) => inspectionRow(i % 880 + 1, (i % 310) * 977 + 1, { VIOL_TOTAL: String(i % 7) }),
  );
  const trees = [];
  for (const [seed, workers] of [[0, 1], [1, 2], [2, 3]] as const) {
    const outcome = await buildFiles(dir.path, {
      census: censusCsv(seed ? shuffled(census, seed) : census),
      inspections: inspectionCsv(seed ? shuffled(inspections, seed) : inspections),
    }, { workers, force: "a test", out: `${dir.path}/${seed}` });
    assert.ok(outcome.isNew);
    trees.push(await tree(`${dir.path}/${seed}/s`));
  }
  assert.deepEqual(trees[1], trees[0]);
  assert.deepEqual(trees[2], trees[0]);
});

Deno.test("build() run again on the same files changes nothing", async () => {
  await using dir = await tempDir();
  const first = await buildFiles(dir.path, { census: censusCsv([censusRow(1)]) });
  const before = await tree(`${dir.path}/out`);
  const second = await buildFiles(dir.path, { census: censusCsv([censusRow(1)]) });
  assert.equal(second.isNew, false);
  assert.deepEqual(second.entry, first.entry);
  assert.deepEqual(await tree(`${dir.path}/out`), before);
});

Deno.test("build() keeps the previous snapshot in the pointer", async () => {
  await using dir = await tempDir();
  const first = await buildFiles(dir.path, { census: censusCsv([censusRow(1)]) });
  const census = censusCsv([censusRow(1), censusRow(2)]);
  await buildFiles(dir.path, { census }, { force: "twice as many" });
  const pointer = JSON.parse(await Deno.readTextFile(`${dir.path}/out/current.json`));
  assert.deepEqual(pointer.previous, first.entry);
});

Deno.test("build() reads gzip and plain files alike", async () => {
  await using dir = await tempDir();
  const census = censusCsv(manyRows());
  const plain = await buildFiles(dir.path, { census });
  // Two gzip members, as tools that append write them.
  const half = census.indexOf("\n", census.length / 2) + 1;
  const members = [gzipSync(census.slice(0, half)), gzipSync(census.slice(half))];
  const zipped = await buildFiles(dir.path, {
    census: Uint8Array.from(members.flatMap((m) => [...m])),
  });
  assert.equal(zipped.entry.snapshot, plain.entry.snapshot);
});

Deno.test("build() stops at gzip data cut short and says so", async () => {
  await using dir = await tempDir();
  const zipped = gzipSync(censusCsv(manyRows()));
  await assert.rejects(
    buildFiles(dir.path, { census: zipped.subarray(0, zipped.length - 2000) }),
    /census\.csv: the gzip data is damaged or cut short/,
  );
  await assert.rejects(Deno.stat(`${dir.path}/out/current.json`), Deno.errors.NotFound);
});

Deno.test("build() joins inspections by USDOT number, inside the window only, by level", async () => {
  await using dir = await tempDir();
  const inspections = inspectionCsv([
    inspectionRow(1, 7, { INSP_DATE: "20241003" }), // A day before the window
    inspectionRow(2, 7, { INSP_DATE: "20241004", VEHICLE_OOS_TOTAL: "2", VIOL_TOTAL: "3" }),
    inspectionRow(3, 7, { INSP_DATE: "20261003", INSP_LEVEL_ID: "3", DRIVER_OOS_TOTAL: "1" }),
    inspectionRow(4, 7, { INSP_DATE: "20261004" }), // A day after it
    inspectionRow(5, 7, { INSP_LEVEL_ID: "5", DRIVER_OOS_TOTAL: "1", HAZMAT_PLACARD_REQ: "N" }),
    inspectionRow(6, 7, { INSP_LEVEL_ID: "99", VIOL_TOTAL: "1" }),
    inspectionRow(7, 7, { INSP_LEVEL_ID: "4", HAZMAT_OOS_TOTAL: "1" }),
    inspectionRow(8, "00000007"),
    inspectionRow(9, 4242), // Not in the census
    inspectionRow(10, "0"),
    inspectionRow(11, ""),
  ]);
  const { report } = await buildFiles(dir.path, { census: censusCsv([censusRow(7)]), inspections });
  const [carrier] = await readCarriers(`${dir.path}/out`, [7]);
  assert.deepEqual(carrier?.inspections, {
    total: 6,
    last: "2026-10-03",
    violations: 4,
    vehicle: { inspections: 3, out_of_service: 1 }, // 2, 5, 8
    driver: { inspections: 3, out_of_service: 1 }, // 2, 3, 8: level 5 does not count for drivers
    hazmat: { inspections: 2, out_of_service: 1 }, // 5, 7
  });
  assert.equal(report.inspections.in_window, 7);
  assert.equal(report.inspections.unknown_carrier, 1);
  assert.equal(report.inspections.skipped, 2);
});

Deno.test("build() makes the docket index of all three slots, in the order of precedence", async () => {
  await using dir = await tempDir();
  const docket = (number: string, status: string): Row => ({
    DOCKET1PREFIX: "MC",
    DOCKET1: number,
    DOCKET1_STATUS_CODE: status,
  });
  await buildFiles(dir.path, {
    census: censusCsv([
      censusRow(50, { ...docket("77", "I"), MCS150_DATE: "20260901" }),
      censusRow(40, { ...docket("77", "A"), STATUS_CODE: "I" }),
      censusRow(30, docket("77", "I")),
      censusRow(20, docket("77", "I")),
      censusRow(60, {
        DOCKET1PREFIX: "FF",
        DOCKET1: "77",
        DOCKET2PREFIX: "MX",
        DOCKET2: "77",
        DOCKET3PREFIX: "MC",
        DOCKET3: "77",
        DOCKET3_STATUS_CODE: "A",
        MCS150_DATE: "20200101",
      }),
    ]),
  });
  const reader = new SnapshotReader(openSource(`${dir.path}/out`), { clock: CLOCK });
  await reader.use(async (snapshot) => {
    assert.deepEqual(await snapshot.docket("MC", 77), [60, 40, 50, 20, 30]);
    assert.deepEqual(await snapshot.docket("FF", 77), [60]);
    assert.deepEqual(await snapshot.docket("MX", 77), [60]);
    assert.deepEqual(await snapshot.docket("MC", 78), []);
  });
});

Deno.test("build() gives a docket that a row repeats its best status, once", async () => {
  // USDOT 2107 files MC 3384 as A in slot 1 and I in slot 2; its mirror image must read the same.
  await using dir = await tempDir();
  const slots = (first: string, second: string): Row => ({
    DOCKET1PREFIX: "MC",
    DOCKET1: "3384",
    DOCKET1_STATUS_CODE: first,
    DOCKET2PREFIX: "MC",
    DOCKET2: "3384",
    DOCKET2_STATUS_CODE: second,
  });
  await buildFiles(dir.path, {
    census: censusCsv([censusRow(2107, slots("A", "I")), censusRow(2108, slots("I", "A"))]),
  });
  for (const carrier of await readCarriers(`${dir.path}/out`, [2107, 2108])) {
    assert.deepEqual(carrier?.dockets, [{ prefix: "MC", number: 3384, status: "A" }]);
  }
});

Deno.test("build() reads both forms of MCS150_DATE and leaves out what is no day", async () => {
  await using dir = await tempDir();
  const dates = [
    "20250328 0000",
    "20250328",
    "",
    "20250229",
    "20250328.0",
    "2025-03-28",
    "20270101",
    "0",
  ];
  const { report } = await buildFiles(dir.path, {
    census: censusCsv(manyRows(dates.map((MCS150_DATE, i) => censusRow(i + 1, { MCS150_DATE })))),
  });
  const carriers = await readCarriers(`${dir.path}/out`, dates.map((_, i) => i + 1));
  assert.deepEqual(carriers.map((carrier) => carrier?.mcs150_date), [
    "2025-03-28",
    "2025-03-28",
    undefined,
    undefined,
    "2025-03-28",
    undefined,
    undefined,
    undefined,
  ]);
  const problem = report.census.problems.find(({ reason }) => reason === "bad_date");
  assert.deepEqual(problem, {
    reason: "bad_date",
    treatment: "repaired",
    count: 4,
    examples: [
      'USDOT 4: MCS150_DATE "20250229"',
      'USDOT 6: MCS150_DATE "2025-03-28"',
      'USDOT 7: MCS150_DATE "20270101"',
    ],
  });
});

Deno.test("build() mends text: folded blanks, controls, bytes that are no UTF-8", async () => {
  await using dir = await tempDir();
  const text = censusCsv(manyRows([
    censusRow(1, { LEGAL_NAME: "  TWO  BLANKS\u00a0INC " }),
    censusRow(2, { LEGAL_NAME: "NUL\u0000AND\nLINE" }),
    censusRow(3, { LEGAL_NAME: "MUÑOZ" }),
    censusRow(4, { LEGAL_NAME: "LATIN?" }),
  ]));
  const bytes = new TextEncoder().encode(text);
  bytes[new TextEncoder().encode(text.slice(0, text.indexOf("?"))).length] = 0xd1;
  const { report } = await buildFiles(dir.path, { census: bytes });
  const names = (await readCarriers(`${dir.path}/out`, [1, 2, 3, 4])).map((c) => c?.legal_name);
  assert.deepEqual(names, ["TWO BLANKS INC", "NUL AND LINE", "MUÑOZ", "LATINÑ"]);
  const reasons = report.census.problems.map(({ reason, count }) => [reason, count]);
  assert.deepEqual(reasons, [["control_character", 1], ["invalid_utf8", 1]]);
});

Deno.test("build() counts each kind of bad row by reason and keeps the rest", async () => {
  await using dir = await tempDir();
  const rows = manyRows([
    censusRow("0"),
    censusRow("123456789"),
    censusRow(1000, { LEGAL_NAME: "OLDER TWIN", MCS150_DATE: "20010101" }),
    censusRow(8, { STATUS_CODE: "X" }),
    censusRow("146894.0", { POWER_UNITS: "1,000", SAFETY_RATING: "Z", DOCKET1: "12" }),
  ]);
  const census = censusCsv(rows) + 'a,b\n"x"y\n';
  const { report } = await buildFiles(dir.path, { census }, { force: "a test of bad rows" });
  assert.deepEqual(report.census.problems.map(({ reason, count }) => [reason, count]), [
    ["bad_docket", 1],
    ["bad_number", 1],
    ["bad_quote", 1],
    ["bad_status", 1],
    ["bad_usdot_number", 2],
    ["duplicate_usdot_number", 1],
    ["float_number", 1],
    ["ragged_row", 1],
    ["unknown_code", 1],
  ]);
  assert.equal(report.census.rows, rows.length + 2);
  assert.equal(report.census.rejected, 6);
  assert.equal(report.census.accepted, 4001);
  assert.equal(report.forced, "a test of bad rows");
  const [kept, mended] = await readCarriers(`${dir.path}/out`, [1000, 146894]);
  assert.equal(kept?.legal_name, "CARRIER 1000");
  assert.deepEqual(
    [mended?.power_units, mended?.rating, mended?.dockets],
    Array(3).fill(undefined),
  );
});

Deno.test("build() stops at over 0.1% rejected rows and changes nothing", async () => {
  await using dir = await tempDir();
  await buildFiles(dir.path, { census: censusCsv(manyRows()) });
  const before = await tree(`${dir.path}/out`);
  const bad = Array.from({ length: 5 }, (_, i) => censusRow(`A${i}`));
  await assert.rejects(buildFiles(dir.path, { census: censusCsv(manyRows(bad)) }), (error) => {
    assert.ok(error instanceof GateError);
    assert.deepEqual(error.failures.map(({ gate }) => gate), ["census_rejected"]);
    assert.match(
      error.message,
      /5 of 4005 rows were rejected: bad_usdot_number 5 \(census_rejected: 0\.125%, .*0\.1%/,
    );
    return true;
  });
  assert.deepEqual(await tree(`${dir.path}/out`), before);
});

Deno.test("build() stops at a file without a last line end, unless forced", async () => {
  await using dir = await tempDir();
  const census = censusCsv(manyRows()).trimEnd();
  await assert.rejects(buildFiles(dir.path, { census }), /does not end with a line end/);
  const { report } = await buildFiles(dir.path, { census }, { force: "checked by hand" });
  assert.equal(report.forced, "checked by hand");
});

Deno.test("build() stops when over 1% of the rows of what is current in its folder are gone, and reports drift", async () => {
  await using dir = await tempDir();
  const { entry } = await buildFiles(dir.path, { census: censusCsv(manyRows()) });
  await assert.rejects(
    buildFiles(dir.path, { census: censusCsv(manyRows().slice(0, -50)) }),
    /has 3950 rows, the previous snapshot had 4000/,
  );
  const { report } = await buildFiles(dir.path, { census: censusCsv(manyRows().slice(0, -40)) });
  assert.equal(report.drift?.previous, entry.snapshot);
  assert.deepEqual(report.drift?.rows.find(([name]) => name === "carriers"), [
    "carriers",
    4000,
    3960,
    -1,
  ]);
});

Deno.test("build() refuses a missing column and names a new one", async () => {
  await using dir = await tempDir();
  const renamed = CENSUS_COLUMNS.map((name) => name === "LEGAL_NAME" ? "COMPANY_NAME" : name);
  await assert.rejects(
    buildFiles(dir.path, { census: csv(renamed, [censusRow(1)]) }, { force: "no way round" }),
    /lacks column "LEGAL_NAME"; the file has "COMPANY_NAME" instead/,
  );
  const notes: string[] = [];
  const onNote = (note: string): void => void notes.push(note);
  const { report } = await buildFiles(dir.path, {
    census: csv(["NEW", ...CENSUS_COLUMNS], [censusRow(1)]),
  }, { onNote });
  assert.deepEqual(report.census.extra_columns, ["NEW"]);
  assert.equal(report.census.reordered_columns, false);
  assert.match(notes.join("\n"), /census\.csv: new columns, not used: NEW/);
  const turned = await buildFiles(dir.path, {
    census: csv(CENSUS_COLUMNS.toReversed(), [censusRow(1)]),
  }, { onNote });
  assert.deepEqual(turned.report.census.extra_columns, []);
  assert.equal(turned.report.census.reordered_columns, true);
  assert.match(notes.join("\n"), /census\.csv: the columns come in another order; read by name/);
  assert.equal((await readCarriers(`${dir.path}/out`, [1]))[0]?.legal_name, "CARRIER 1");
});

Deno.test("build() knows an error page saved instead of the file", async () => {
  await using dir = await tempDir();
  const census = "<!DOCTYPE html>\n<html><head><title>503</title></head></html>\n";
  await assert.rejects(
    buildFiles(dir.path, { census }),
    /not a CSV header, it begins with "<!DOCTYPE html>"/,
  );
  await assert.rejects(buildFiles(dir.path, { census: "" }), /the file is empty/);
});

Deno.test("build() refuses to work beside another build in one folder", async () => {
  await using dir = await tempDir();
  const files = { census: censusCsv(manyRows()) };
  const results = await Promise.allSettled([
    buildFiles(dir.path, files),
    buildFiles(dir.path, files),
  ]);
  const refused = results.filter((result) => result.status === "rejected");
  assert.equal(refused.length, 1);
  assert.match(String(refused[0]!.reason), /another build is in progress/);
});

Deno.test("build() stopped by a signal leaves the folder as it was", async () => {
  await using dir = await tempDir();
  await buildFiles(dir.path, { census: censusCsv([censusRow(1)]) });
  const before = await tree(`${dir.path}/out`);
  const stop = new AbortController();
  const building = buildFiles(dir.path, { census: censusCsv(manyRows()) }, {
    signal: stop.signal,
    onProgress: () => stop.abort(new Error("Interrupted")),
  });
  await assert.rejects(building, /Interrupted/);
  assert.deepEqual(await tree(`${dir.path}/out`), before);
});
