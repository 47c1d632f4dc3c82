import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { type CountryOptions, dotOf, planCountry } from "./plan.ts";
import type { FileRole } from "./files.ts";
import { CENSUS_HEADER, INSPECTION_HEADER } from "./headers.ts";
import { fileText, parseStrict, PERSONAL, type Row, share } from "./parse.ts";

const SMALL = { carriers: 500, inspections: 900, seed: 1, padded: true };
const BIG = planCountry({ carriers: 20_000, inspections: 36_400, seed: 7 });

function sha256(options: CountryOptions, role: FileRole): string {
  return createHash("sha256").update(fileText(planCountry(options), role)).digest("hex");
}

function between(actual: number, low: number, high: number, what: string): void {
  assert.ok(actual >= low && actual <= high, `${what}: ${actual} is not in ${low}..${high}`);
}

Deno.test("fileChunks() gives the same bytes for the same seed, on every machine", () => {
  assert.equal(
    sha256(SMALL, "census"),
    "04dd68583e3cde5f98ca3731d67d6b93ec4425ce1bbc6cf2b1a0f1ab667a7b37",
  );
  assert.equal(
    sha256(SMALL, "inspections"),
    "9a88fd96f0b58f93a289dc0bb3ce13f80300840fa10a329558c72a84ae261c98",
  );
});

Deno.test("fileChunks() gives other bytes for another seed", () => {
  for (const role of ["census", "inspections"] as const) {
    assert.notEqual(sha256(SMALL, role), sha256({ ...SMALL, seed: 2 }, role));
  }
});

Deno.test("fileChunks() writes FMCSA's columns for all options", () => {
  for (const role of ["census", "inspections"] as const) {
    const header = role === "census" ? CENSUS_HEADER : INSPECTION_HEADER;
    assert.equal(header.length, role === "census" ? 147 : 63);
    fc.assert(
      fc.property(
        fc.record({
          carriers: fc.integer({ min: 1, max: 60 }),
          inspections: fc.integer({ min: 0, max: 80 }),
          seed: fc.nat(),
          firstDot: fc.integer({ min: 1, max: 90_000_000 }),
          dense: fc.boolean(),
          padded: fc.boolean(),
          mcs150Times: fc.constantFrom("old", "new", "mixed"),
        }),
        (options) => {
          const text = fileText(planCountry(options), role);
          const parsed = parseStrict(text);
          assert.ok(text.endsWith("\n") && !text.includes("\r"));
          assert.equal(parsed.header.join(","), header.join(","));
          assert.equal(parsed.rows.length, options[role === "census" ? "carriers" : "inspections"]);
        },
      ),
      { numRuns: 40 },
    );
  }
});

Deno.test("dotOf() gives rising numbers with one hole in 66 when the country is not dense", () => {
  const country = planCountry({ carriers: 6_500, inspections: 0, seed: 3 });
  const dots = Array.from({ length: 6_500 }, (_, index) => dotOf(country, index));
  assert.ok(dots.every((dot, i) => i === 0 || dot > (dots[i - 1] as number)));
  assert.equal(dots[0], 1);
  between(dots[6_499] as number, 6_590, 6_600, "highest number");
  assert.equal(dotOf({ ...country, dense: true, firstDot: 50 }, 10), 60);
});

Deno.test("planCountry() refuses what it cannot write", () => {
  const good = { carriers: 10, inspections: 10 };
  assert.throws(() => planCountry({ ...good, carriers: 0 }), /carriers 0/);
  assert.throws(() => planCountry({ ...good, inspections: 1.5 }), /inspections 1.5/);
  assert.throws(() => planCountry({ ...good, seed: -1 }), /seed -1/);
  assert.throws(() => planCountry({ ...good, dataDate: "2026-02-30" }), /2026-02-30/);
  assert.throws(() => planCountry({ ...good, firstDot: 99_999_999 }), RangeError);
});

Deno.test("censusLine() keeps to the real file's rates", () => {
  const { rows } = parseStrict(fileText(BIG, "census"));
  const filled = (column: string): number => share(rows, (row) => row[column] !== "");
  const active = rows.filter((row) => row.STATUS_CODE === "A");
  between(active.length / rows.length, 0.48, 0.52, "active");
  between(share(rows, (row) => row.STATUS_CODE === "P"), 0, 0.001, "pending");
  between(filled("CARRIER_OPERATION"), 0.92, 0.932, "operation");
  between(share(rows, (row) => row.CARRIER_OPERATION === "A"), 0.53, 0.57, "interstate");
  between(share(rows, (row) => row.HM_Ind === "Y"), 0.057, 0.071, "hazmat");
  between(filled("TOTAL_DRIVERS"), 0.9, 0.925, "drivers");
  between(filled("MCS150_MILEAGE"), 0.65, 0.68, "mileage");
  between(filled("PRIOR_REVOKE_FLAG"), 0.39, 0.42, "revoked");
  between(filled("CLASSDEF"), 0.955, 0.97, "classes");
  between(filled("SAFETY_RATING"), 0.009, 0.015, "rating");
  between(filled("DBA_NAME"), 0.18, 0.22, "DBA");
  between(filled("DOCKET1"), 0.36, 0.41, "docket 1");
  between(filled("DOCKET2"), 0.014, 0.022, "docket 2");
  between(filled("DOCKET3"), 0.0003, 0.0015, "docket 3");
  const limit = "20241003";
  const old = (row: Row): boolean => row.MCS150_DATE !== "" && row.MCS150_DATE!.slice(0, 8) < limit;
  between(share(active, old), 0.39, 0.44, "old filings");
  between(share(active, (row) => row.MCS150_DATE === ""), 0.005, 0.02, "no filing");
  const units = rows.map((row) => Number(row.POWER_UNITS)).sort((a, b) => a - b);
  assert.equal(units[10_000], 1);
  assert.equal(units[15_000], 2);
  assert.ok(rows.every((row) => PERSONAL.every((column) => (row[column] ?? "") === "")));
});

Deno.test("censusLine() repeats names and docket numbers as the register does", () => {
  const { rows } = parseStrict(fileText(BIG, "census"));
  const names = new Map<string, Set<string>>();
  const holders = new Map<string, number>();
  for (const row of rows) {
    const cities = names.get(row.LEGAL_NAME as string) ?? new Set();
    names.set(row.LEGAL_NAME as string, cities.add(`${row.PHY_CITY} ${row.PHY_STATE}`));
    const own = [1, 2, 3].filter((slot) => row[`DOCKET${slot}PREFIX`] === "MC");
    for (const number of new Set(own.map((slot) => row[`DOCKET${slot}`] as string))) {
      holders.set(number, (holders.get(number) ?? 0) + 1);
    }
  }
  assert.ok((names.get("GARCIA TRUCKING LLC")?.size ?? 0) >= 3);
  assert.equal([...holders.values()].filter((count) => count > 1).length, 6);
  const twice = rows.filter((row) => row.DOCKET1 !== "" && row.DOCKET1 === row.DOCKET2);
  assert.ok(twice.some((row) => row.DOCKET1_STATUS_CODE !== row.DOCKET2_STATUS_CODE));
});

Deno.test("inspectionLine() keeps to the national rates", () => {
  const { rows } = parseStrict(fileText(BIG, "inspections"));
  const kind = (levels: string): Row[] =>
    rows.filter((row) => row.INSP_LEVEL_ID!.length === 1 && levels.includes(row.INSP_LEVEL_ID!));
  const vehicle = kind("1256");
  const driver = kind("1236");
  const hazmat = kind("123456").filter((row) => row.HAZMAT_PLACARD_REQ !== "");
  between(share(vehicle, (row) => row.VEHICLE_OOS_TOTAL !== "0"), 0.19, 0.25, "vehicle OOS");
  between(share(driver, (row) => row.DRIVER_OOS_TOTAL !== "0"), 0.055, 0.08, "driver OOS");
  between(share(hazmat, (row) => row.HAZMAT_OOS_TOTAL !== "0"), 0.02, 0.08, "hazmat OOS");
  between(hazmat.length / rows.length, 0.02, 0.1, "hazmat on board");
  between(share(rows, (row) => Number(row.DOT_NUMBER) === 0), 0.0003, 0.004, "no number");
  const days = rows.map((row) => row.INSP_DATE as string).sort();
  assert.ok((days[0] as string) >= "20231003" && (days.at(-1) as string) < "20261003");
  assert.equal(new Set(rows.map((row) => row.INSPECTION_ID)).size, rows.length);
  const carriers = new Set(rows.map((row) => row.DOT_NUMBER)).size;
  between(carriers / BIG.carriers, 0.11, 0.16, "carriers inspected");
  assert.ok(rows.every((row) => PERSONAL.every((column) => (row[column] ?? "") === "")));
});
