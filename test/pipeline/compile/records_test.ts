import assert from "node:assert/strict";
import { fileDate } from "../../../pipeline/compile/spilled_inspections.ts";
import { searchSnapshot } from "../../../pipeline/search/query/search.ts";
import { openSource } from "../../../pipeline/snapshot/open_source.ts";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import { call, testApp } from "../../api/http/service.ts";
import {
  buildFiles,
  censusCsv,
  censusRow,
  CLOCK,
  inspectionCsv,
  inspectionRow,
  manyRows,
  readCarriers,
  type Row,
  tempDir,
} from "./files.ts";

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
  assert.partialDeepStrictEqual(carrier?.inspections, {
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

Deno.test("build() lists a docket that a row repeats once, with its best status", async () => {
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

Deno.test("build() reads both forms of MCS150_DATE and omits invalid days", async () => {
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

Deno.test("an inspection file 60 days older than the census counts 24 months up to its own newest day", async () => {
  // Incident: the window ended on the census's date, so two months without data read as inspected.
  await using dir = await tempDir();
  const days = ["20240803", "20240804", "20250101", "20260803"];
  await buildFiles(dir.path, {
    census: censusCsv([censusRow(1)]),
    inspections: inspectionCsv(
      days.map((INSP_DATE, i) => inspectionRow(i + 1, 1, { INSP_DATE })),
    ),
  }, { dataDate: "2026-10-02" });
  const reader = new SnapshotReader(openSource(`${dir.path}/out`), { clock: CLOCK });
  const { app } = testApp({ reader, clock: CLOCK });
  const ask = async (path: string) => (await call(app, path)).body;
  const carrier = await ask("/api/v1/carriers/1");
  assert.equal(carrier.snapshot.data_date, "2026-10-02");
  assert.equal(carrier.snapshot.inspections_date, "2026-08-03");
  const { from, to, total } = carrier.inspections_24m;
  assert.deepEqual([from, to, total], ["2024-08-04", "2026-08-03", 3]);
  const rates = carrier.checks.find(({ id }: { id: string }) => id === "oos_rates");
  assert.equal(rates.basis.data_date, "2026-08-03");
  assert.match(rates.detail, /from Aug 4, 2024 to Aug 3, 2026/);
  assert.equal((await ask("/api/v1/health")).snapshot.inspections_date, "2026-08-03");
});

Deno.test("fileDate() is the newest day that is not an outlier", () => {
  const month = Array.from({ length: 28 }, (_, i): [number, number] => [20260701 + i, 7_000]);
  const rows: [[number, number][], number][] = [
    [[], 0],
    [[[20260101, 1]], 20260101],
    // A file of a few rows has gaps, and no day of it is an outlier.
    [[[20240101, 1], [20260101, 1]], 20260101],
    [month, 20260728],
    [[...month, [20260930, 3], [20260915, 10]], 20260728],
    // More than 1 in 10,000 rows, or days that follow closely, are data that came late.
    [[...month, [20260930, 400]], 20260930],
    [[...month, [20260803, 3]], 20260803],
  ];
  for (const [perDay, expected] of rows) assert.equal(fileDate(new Map(perDay)), expected);
});

Deno.test("build() takes words and fields of any length: search their beginning, and counts them", async () => {
  await using dir = await tempDir();
  const long = "A".repeat(300);
  const { report } = await buildFiles(dir.path, {
    census: censusCsv([
      censusRow(1, { LEGAL_NAME: `${long} TRUCKING`, DBA_NAME: "B ".repeat(300) }),
      censusRow(2, { PHY_CITY: "CITY ".repeat(60), PHY_STATE: long }),
      censusRow(3, { LEGAL_NAME: "字".repeat(6_000), DBA_NAME: "x\u0301".repeat(10_000) }),
      censusRow(4),
    ]),
  });
  const { problems } = report.census;
  assert.equal(problems.find(({ reason }) => reason === "long_word")?.count, 3);
  const reader = new SnapshotReader(openSource(`${dir.path}/out`), { clock: CLOCK });
  await reader.use(async (snapshot) => {
    assert.equal((await snapshot.carrier(1))?.legal_name, `${long} TRUCKING`);
    const found = await searchSnapshot(snapshot, `${long.slice(0, 190)} trucking`, { limit: 5 });
    assert.equal(found?.[0]?.dot, 1);
    assert.equal((await searchSnapshot(snapshot, "carrier 4", { limit: 5 }))?.[0]?.dot, 4);
  });
});

Deno.test("no byte of a snapshot depends on officers, email addresses, cell or fax numbers", async () => {
  await using dir = await tempDir();
  const columns = [
    ...["COMPANY_OFFICER_1", "COMPANY_OFFICER_2", "EMAIL_ADDRESS", "CELL_PHONE", "FAX"],
  ];
  const contact = Object.fromEntries(columns.map((name) => [name, `${name} SECRET`]));
  const census = (more: Row): string =>
    censusCsv([1, 2, 3].map((dot) => censusRow(dot, { PHONE: "3305550123", ...more })));
  const inspections = (street: string): string =>
    inspectionCsv([inspectionRow(1, 1, { INSP_CARRIER_STREET: street })]);
  const without = await buildFiles(dir.path, { census: census({}), inspections: inspections("") });
  const filled = await buildFiles(
    dir.path,
    { census: census(contact), inspections: inspections("1 SECRET ST") },
    { out: `${dir.path}/other` },
  );
  assert.equal(filled.entry.snapshot, without.entry.snapshot);
});

Deno.test("build() omits phones and miles that are none, and keeps unknown review types", async () => {
  await using dir = await tempDir();
  const phones = ["13305550123", "330.555.0123", "0", "01012022", "0000000000", "12345"];
  const rows = [
    ...phones.map((PHONE, i) => censusRow(i + 1, { PHONE })),
    censusRow(11, { MCS150_MILEAGE: "0", MCS150_MILEAGE_YEAR: "0" }),
    censusRow(12, { MCS150_MILEAGE: "0", MCS150_MILEAGE_YEAR: "2025" }),
    censusRow(13, { PHY_COUNTRY: "MX", PHONE: "52 55 5555 0123", REVIEW_TYPE: "?" }),
  ];
  const { report } = await buildFiles(dir.path, { census: censusCsv(manyRows(rows)) });
  const dots = rows.map(({ DOT_NUMBER }) => Number(DOT_NUMBER));
  const carriers = await readCarriers(`${dir.path}/out`, dots);
  assert.deepEqual(carriers.map((carrier) => carrier?.phone), [
    ...["3305550123", "3305550123", undefined, undefined, undefined, undefined],
    ...[undefined, undefined, "525555550123"],
  ]);
  assert.deepEqual(carriers.slice(6, 8).map((carrier) => carrier?.mileage), [undefined, 0]);
  assert.equal(carriers[8]?.review_type, "?");
  const count = (name: string): number | undefined =>
    report.census.problems.find(({ reason }) => reason === name)?.count;
  assert.deepEqual([count("bad_phone"), count("unknown_code")], [4, 1]);
});
