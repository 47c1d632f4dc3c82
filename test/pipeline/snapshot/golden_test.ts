/**
 * Compares the format with a small snapshot beside this file, byte for byte. When the format is
 * meant to change: `UPDATE_GOLDEN=1 deno task test test/pipeline/snapshot/golden_test.ts`, then change
 * FORMAT.md, and raise FORMAT if an old reader would not understand the new files.
 */

import assert from "node:assert/strict";
import { build } from "../../../pipeline/compile/build.ts";
import { readCarriers, tempDir, tree } from "../compile/files.ts";
import { censusCsv, censusRow, CLOCK, inspectionCsv, inspectionRow } from "../compile/files.ts";

const GOLDEN = new URL("./golden/", import.meta.url).pathname;

const CENSUS = censusCsv([
  censusRow(1),
  censusRow(99, {
    LEGAL_NAME: '"QUOTED" & MUÑOZ  TRUCKING, INC.',
    DBA_NAME: "<script>alert(1)</script>",
    PHY_COUNTRY: "MX",
    CLASSDEF: "AUTHORIZED FOR HIRE;PRIVATE PASSENGER, NON-BUSINESS",
    CARSHIP: "C;B",
    HM_Ind: "Y",
    SAFETY_RATING: "C",
    SAFETY_RATING_DATE: "19990803",
    MCS150_DATE: "20260123 2120",
    DOCKET1PREFIX: "MC",
    DOCKET1: "143229",
    DOCKET1_STATUS_CODE: "A",
    DOCKET2PREFIX: "FF",
    DOCKET2: "143229",
    PHY_STREET: "12  EXAMPLE ST",
    PHY_ZIP: "44306-3754",
    CARRIER_MAILING_STREET: "PO BOX 7",
    CARRIER_MAILING_CITY: "AKRON",
    UNDELIV_PHY: "U",
    CARRIER_MAILING_UND_DATE: "20250610",
    PHONE: "+1 (330) 555-0123",
    BUSINESS_ORG_DESC: "CORPORATION",
    DUN_BRADSTREET_NO: "123456789",
    OWNTRACT: "3",
    OWNLIMO_9_15: "1",
    OWNLIMO_16: "2",
    TRPTRUCK: "4",
    DRIVER_INTER_TOTAL: "5",
    TOTAL_INTRASTATE_DRIVERS: "1",
    INTERSTATE_BEYOND_100_MILES: "5",
    CRGO_GENFREIGHT: "X",
    CRGO_HOUSEHOLD: "X",
    CRGO_CARGOOTHR: "X",
    CRGO_CARGOOTHR_DESC: "PIANOS",
    MCS150_MILEAGE: "250000",
    MCS150_MILEAGE_YEAR: "2025",
    REVIEW_TYPE: "C",
    REVIEW_DATE: "20230419",
    RECORDABLE_CRASH_RATE: "0.543",
    PRIOR_REVOKE_FLAG: "Y",
    PRIOR_REVOKE_DOT_NUMBER: "99",
  }),
  censusRow(100, {
    STATUS_CODE: "I",
    MCS150_DATE: "",
    POWER_UNITS: "",
    DOCKET3PREFIX: "MC",
    DOCKET3: "143229",
    DOCKET3_STATUS_CODE: "I",
  }),
  censusRow(90000001, { STATUS_CODE: "P", CARRIER_OPERATION: "", ADD_DATE: "no day" }),
]);

const INSPECTIONS = inspectionCsv([
  inspectionRow(1, 99, { VEHICLE_OOS_TOTAL: "1", VIOL_TOTAL: "4" }),
  inspectionRow(2, 99, {
    INSP_LEVEL_ID: "3",
    INSP_DATE: "20260930",
    HAZMAT_PLACARD_REQ: "Y",
    REPORT_STATE: "OH",
    POST_ACC_IND: "Y",
    INSP_CARRIER_NAME: "SOMEBODY  ELSE",
    INSP_INTERSTATE: "Y",
  }),
  inspectionRow(3, 0),
  inspectionRow(4, 12345),
]);

Deno.test("build() writes the golden snapshot byte for byte", async () => {
  await using dir = await tempDir();
  await Deno.writeTextFile(`${dir.path}/census.csv`, CENSUS);
  await Deno.writeTextFile(`${dir.path}/inspections.csv`, INSPECTIONS);
  const out = `${dir.path}/out`;
  await build({
    census: `${dir.path}/census.csv`,
    inspections: `${dir.path}/inspections.csv`,
    out,
    dataDate: "2026-10-03",
    first: true,
    notice: "Made up for a test",
    clock: CLOCK,
  });
  if (Deno.env.has("UPDATE_GOLDEN")) await replaceGolden(dir.path);
  const made = await tree(out);
  const golden = await tree(GOLDEN);
  assert.deepEqual([...made.keys()], [...golden.keys()].filter((path) => !path.endsWith(".csv")));
  for (const [path, bytes] of made) assert.equal(bytes, golden.get(path), path);
});

Deno.test("SnapshotReader reads the golden snapshot as FORMAT.md describes it", async () => {
  const [first, second, inactive, pending, none] = await readCarriers(
    GOLDEN,
    [1, 99, 100, 90000001, 101],
  );
  assert.equal(first?.legal_name, "CARRIER 1");
  assert.deepEqual(second, {
    dot: 99,
    legal_name: '"QUOTED" & MUÑOZ TRUCKING, INC.',
    dba_name: "<script>alert(1)</script>",
    street: "12 EXAMPLE ST",
    city: "AKRON",
    state: "OH",
    zip: "44306-3754",
    country: "MX",
    mailing: ["PO BOX 7", null, "", "", ""],
    undeliverable: true,
    mail_returned: "2025-06-10",
    phone: "3305550123",
    business_form: "CORPORATION",
    duns: "123456789",
    status: "A",
    operation: "A",
    roles: ["C", "B"],
    classes: ["AUTHORIZED FOR HIRE", "PRIVATE PASSENGER, NON-BUSINESS"],
    power_units: 5,
    vehicles: [0, 3, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 4],
    drivers: 6,
    driver_counts: [5, 1, null, 5],
    cargo: "ABd",
    cargo_other: "PIANOS",
    hazmat: true,
    mileage: 250_000,
    mileage_year: 2025,
    mcs150_date: "2026-01-23",
    added: "2010-01-01",
    rating: "C",
    rating_date: "1999-08-03",
    review_type: "C",
    review_date: "2023-04-19",
    crash_rate: 0.543,
    prior_revoked: true,
    prior_revoked_dot: 99,
    dockets: [{ prefix: "MC", number: 143229, status: "A" }, { prefix: "FF", number: 143229 }],
    inspections: {
      total: 2,
      last: "2026-09-30",
      violations: 4,
      vehicle: { inspections: 1, out_of_service: 1 },
      driver: { inspections: 2, out_of_service: 0 },
      hazmat: { inspections: 1, out_of_service: 0 },
      latest: [[0, "OH", 3, 0, 0, 0, 0, 0, 0, 0, 3], [15, "", 1, 4, 0, 1]],
      renamed: [1, 0, 0],
      names: [["SOMEBODY ELSE", 1, 0, 0]],
    },
  });
  assert.equal(inactive?.power_units, undefined);
  assert.equal(pending?.status, "P");
  assert.equal(none, null);
});

async function replaceGolden(dir: string): Promise<void> {
  await Deno.remove(GOLDEN, { recursive: true }).catch(() => {});
  for (const [path, hex] of [...await tree(`${dir}/out`)]) {
    const to = GOLDEN + path.slice(1);
    await Deno.mkdir(to.slice(0, to.lastIndexOf("/")), { recursive: true });
    await Deno.writeFile(to, Uint8Array.fromHex(hex));
  }
  await Deno.writeTextFile(`${GOLDEN}census.csv`, CENSUS);
  await Deno.writeTextFile(`${GOLDEN}inspections.csv`, INSPECTIONS);
}
