import assert from "node:assert/strict";
import { fileDate } from "../../../pipeline/compile/spill/spilled_inspections.ts";
import { searchSnapshot } from "../../../pipeline/search/query/search.ts";
import { openSource } from "../../../pipeline/snapshot/sources/open_source.ts";
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
  type Row,
  tempDir,
} from "./files.ts";

/** A docket in a slot. */
function docket(slot: number, prefix: string, number: string, status = ""): Row {
  return {
    [`DOCKET${slot}PREFIX`]: prefix,
    [`DOCKET${slot}`]: number,
    [`DOCKET${slot}_STATUS_CODE`]: status,
  };
}

const LONG = "A".repeat(300);

/** A column's value and the resulting member, in rows with USDOT numbers from 101. */
const VALUES: [column: string, value: string, member: string, expected: unknown][] = [
  ["MCS150_DATE", "20250328 0000", "mcs150_date", "2025-03-28"],
  ["MCS150_DATE", "20250328", "mcs150_date", "2025-03-28"],
  ["MCS150_DATE", "20250328.0", "mcs150_date", "2025-03-28"],
  ["MCS150_DATE", "", "mcs150_date", undefined],
  ["MCS150_DATE", "20250229", "mcs150_date", undefined],
  ["MCS150_DATE", "2025-03-28", "mcs150_date", undefined],
  ["MCS150_DATE", "20270101", "mcs150_date", undefined], // In the future
  ["MCS150_DATE", "0", "mcs150_date", undefined],
  ["LEGAL_NAME", "  TWO  BLANKS\u00a0INC ", "legal_name", "TWO BLANKS INC"],
  ["LEGAL_NAME", "NUL\u0000AND\nLINE", "legal_name", "NUL AND LINE"],
  ["LEGAL_NAME", "MUÑOZ", "legal_name", "MUÑOZ"],
  ["LEGAL_NAME", "LATIN?", "legal_name", "LATINÑ"], // A byte of Latin-1
  ["LEGAL_NAME", `${LONG} TRUCKING`, "legal_name", `${LONG} TRUCKING`],
  ["PHONE", "13305550123", "phone", "3305550123"],
  ["PHONE", "330.555.0123", "phone", "3305550123"],
  ["PHONE", "0", "phone", undefined],
  ["PHONE", "01012022", "phone", undefined],
  ["PHONE", "0000000000", "phone", undefined],
  ["PHONE", "12345", "phone", undefined],
  ["MCS150_MILEAGE", "0", "mileage", undefined], // Without a year
  ["REVIEW_TYPE", "?", "review_type", "?"],
  ["SAFETY_RATING", "Z", "rating", undefined],
  ["DOCKET1", "12", "dockets", undefined], // Without a prefix
];

/** Rows with more than one changed column, and their results. */
const ROWS: [row: Row, member: string, expected: unknown][] = [
  [censusRow("146894.0", { POWER_UNITS: "1,000" }), "power_units", undefined],
  [censusRow(201, { PHY_COUNTRY: "MX", PHONE: "52 55 5555 0123" }), "phone", "525555550123"],
  [censusRow(202, { MCS150_MILEAGE: "0", MCS150_MILEAGE_YEAR: "2025" }), "mileage", 0],
  [censusRow(1000, { LEGAL_NAME: "OLDER", MCS150_DATE: "20010101" }), "legal_name", "CARRIER 1000"],
  // USDOT 2107 files MC 3384 as A in slot 1 and I in slot 2. The reverse must read the same, with both statuses.
  ...["AI", "IA"].map(([first, second], i): [Row, string, unknown] => [
    censusRow(203 + i, { ...docket(1, "MC", "3384", first), ...docket(2, "MC", "3384", second) }),
    "dockets",
    [{ prefix: "MC", number: 3384, status: "A", statuses: ["A", "I"] }],
  ]),
];

const CASES = [
  ...VALUES.map(([column, value, ...is], i) =>
    [censusRow(101 + i, { [column]: value }), ...is] as const
  ),
  ...ROWS,
];

/** Holders of docket 77 in order of precedence, with the way each files it. */
const HOLDERS: Row[] = [
  censusRow(60, {
    ...docket(1, "FF", "77"),
    ...docket(2, "MX", "77"),
    ...docket(3, "MC", "77", "A"),
    MCS150_DATE: "20200101",
  }),
  censusRow(40, { ...docket(1, "MC", "77", "A"), STATUS_CODE: "I" }),
  censusRow(50, { ...docket(1, "MC", "77", "I"), MCS150_DATE: "20260901" }),
  censusRow(20, docket(1, "MC", "77", "I")),
  censusRow(30, docket(1, "MC", "77", "I")),
];

const REJECTED = [censusRow("0"), censusRow("123456789"), censusRow(8, { STATUS_CODE: "X" })];

const LONG_FIELDS = [
  censusRow(901, { DBA_NAME: "B ".repeat(300) }),
  censusRow(902, { PHY_CITY: "CITY ".repeat(60), PHY_STATE: LONG }),
  censusRow(903, { LEGAL_NAME: "字".repeat(6_000), DBA_NAME: "x\u0301".repeat(10_000) }),
];

const INSPECTIONS = inspectionCsv([
  inspectionRow(1, 7, { INSP_DATE: "20241003" }), // A day before the window
  inspectionRow(2, 7, { INSP_DATE: "20241004", VEHICLE_OOS_TOTAL: "2", VIOL_TOTAL: "3" }),
  inspectionRow(3, 7, { INSP_DATE: "20261003", INSP_LEVEL_ID: "3", DRIVER_OOS_TOTAL: "1" }),
  inspectionRow(4, 7, { INSP_DATE: "20261004" }), // A day after it
  inspectionRow(5, 7, { INSP_LEVEL_ID: "5", DRIVER_OOS_TOTAL: "1", HAZMAT_PLACARD_REQ: "N" }),
  inspectionRow(6, 7, { INSP_LEVEL_ID: "99", VIOL_TOTAL: "1" }),
  inspectionRow(7, 7, { INSP_LEVEL_ID: "4", HAZMAT_OOS_TOTAL: "1" }),
  inspectionRow(8, "00000007"),
  inspectionRow(9, 94242), // Not in the census
  inspectionRow(10, "0"),
  inspectionRow(11, ""),
]);

/** The census of all of them, with a byte of Latin-1 and two rows that aren't CSV. */
function census(): Uint8Array {
  const rows = [...HOLDERS.toReversed(), censusRow(7), ...CASES.map(([row]) => row)];
  const text = censusCsv(manyRows([...rows, ...REJECTED, ...LONG_FIELDS])) + 'a,b\n"x"y\n';
  const bytes = new TextEncoder().encode(text);
  bytes[new TextEncoder().encode(text.slice(0, text.indexOf("LATIN?") + 5)).length] = 0xd1;
  return bytes;
}

const dir = await tempDir();
const { report } = await buildFiles(
  dir.path,
  { census: census(), inspections: INSPECTIONS },
  { force: "a test of bad rows" },
);
const reader = new SnapshotReader(openSource(`${dir.path}/out`), { clock: CLOCK });

Deno.test.afterAll(async () => await dir[Symbol.asyncDispose]());

Deno.test("build() reads each field in every form, and corrects or omits it", async () => {
  await reader.use(async (snapshot) => {
    for (const [{ DOT_NUMBER }, member, expected] of CASES) {
      const carrier: Record<string, unknown> = { ...await snapshot.carrier(Number(DOT_NUMBER)) };
      assert.equal(carrier.dot, Number(DOT_NUMBER));
      assert.deepEqual(carrier[member], expected, `USDOT ${DOT_NUMBER}`);
    }
  });
});

Deno.test("build() counts each kind of bad row and field by reason with examples, and keeps the rest", () => {
  const { problems, rows, accepted, rejected } = report.census;
  assert.deepEqual(Object.fromEntries(problems.map(({ reason, count }) => [reason, count])), {
    bad_date: 4,
    bad_docket: 1,
    bad_number: 1,
    bad_phone: 4,
    bad_quote: 1,
    bad_status: 1,
    bad_usdot_number: 2,
    control_character: 1,
    duplicate_usdot_number: 1,
    float_number: 1,
    invalid_utf8: 1,
    long_word: 4,
    ragged_row: 1,
    repeated_docket: 2,
    unknown_code: 2,
  });
  assert.deepEqual(problems.find(({ reason }) => reason === "bad_date"), {
    reason: "bad_date",
    treatment: "repaired",
    count: 4,
    examples: [
      'USDOT 105: MCS150_DATE "20250229"',
      'USDOT 106: MCS150_DATE "2025-03-28"',
      'USDOT 107: MCS150_DATE "20270101"',
    ],
  });
  assert.deepEqual([rows - accepted, rejected], [6, 6]);
  assert.equal(report.forced, "a test of bad rows");
});

Deno.test("build() joins inspections by USDOT number, inside the window only, by level", async () => {
  const carrier = await reader.use((snapshot) => snapshot.carrier(7));
  assert.partialDeepStrictEqual(carrier?.inspections, {
    total: 6,
    last: "2026-10-03",
    violations: 4,
    vehicle: { inspections: 3, out_of_service: 1 }, // 2, 5, 8
    driver: { inspections: 3, out_of_service: 1 }, // 2, 3, 8: level 5 doesn't count for drivers
    hazmat: { inspections: 2, out_of_service: 1 }, // 5, 7
  });
  const { in_window, unknown_carrier, skipped } = report.inspections;
  assert.deepEqual([in_window, unknown_carrier, skipped], [7, 1, 2]);
});

Deno.test("build() makes the docket index from all three slots, in order of precedence", async () => {
  await reader.use(async (snapshot) => {
    const dots = HOLDERS.map(({ DOT_NUMBER }) => Number(DOT_NUMBER));
    assert.deepEqual(await snapshot.docket("MC", 77), dots);
    assert.deepEqual(await snapshot.docket("FF", 77), [60]);
    assert.deepEqual(await snapshot.docket("MX", 77), [60]);
    assert.deepEqual(await snapshot.docket("MC", 78), []);
  });
});

Deno.test("build() indexes word prefixes of any length", async () => {
  await reader.use(async (snapshot) => {
    const found = await searchSnapshot(snapshot, `${LONG.slice(0, 190)} trucking`, { limit: 5 });
    assert.equal(found?.[0]?.dot, 113);
    assert.equal((await searchSnapshot(snapshot, "carrier 4999", { limit: 5 }))?.[0]?.dot, 4999);
  });
});

Deno.test("an inspection file 60 days older than the census counts 24 months up to its own newest day", async () => {
  // Regression: the window ended on the census's date, so two months without data read as inspected.
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
    // A file with few rows has gaps, and none of its days is an outlier.
    [[[20240101, 1], [20260101, 1]], 20260101],
    [month, 20260728],
    [[...month, [20260930, 3], [20260915, 10]], 20260728],
    // More than 1 in 10,000 rows, or days close together, are late data.
    [[...month, [20260930, 400]], 20260930],
    [[...month, [20260803, 3]], 20260803],
  ];
  for (const [perDay, expected] of rows) assert.equal(fileDate(new Map(perDay)), expected);
});

Deno.test("no byte of a snapshot depends on officers, email addresses, cell or fax numbers", async () => {
  await using dir = await tempDir();
  const columns = ["COMPANY_OFFICER_1", "COMPANY_OFFICER_2", "EMAIL_ADDRESS", "CELL_PHONE", "FAX"];
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
