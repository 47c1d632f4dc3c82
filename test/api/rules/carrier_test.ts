import assert from "node:assert/strict";
import { z } from "zod";
import { toCarrier } from "../../../api/rules/carrier.ts";
import { Carrier, Mcs150, UcrFee } from "../../../api/rules/schemas.ts";
import { contextOf } from "./arbitrary.ts";
import { carrierOf } from "./notation.ts";

const TODAY = "2026-10-05";

Deno.test("toCarrier() returns General Transport Inc as the census has it", () => {
  const { checks, ...carrier } = toCarrier({
    dot: 286764,
    legal_name: "GENERAL TRANSPORT INC",
    city: "AKRON",
    state: "OH",
    status: "A",
    operation: "A",
    roles: ["C", "S"],
    classes: ["AUTHORIZED FOR HIRE"],
    power_units: 85,
    drivers: 70,
    mcs150_date: "2026-01-23",
    added: "1987-02-04",
    rating: "S",
    rating_date: "2014-11-05",
    dockets: [{ prefix: "MC", number: 186800, status: "A" }],
    inspections: {
      total: 3,
      last: "2026-09-17",
      violations: 5,
      vehicle: { inspections: 3, out_of_service: 1 },
      driver: { inspections: 2, out_of_service: 0 },
      hazmat: { inspections: 0, out_of_service: 0 },
    },
  }, contextOf(TODAY));
  assert.partialDeepStrictEqual(carrier, {
    dot: "286764",
    name: "GENERAL TRANSPORT INC",
    legal_name: "GENERAL TRANSPORT INC",
    dba_name: null,
    city: "AKRON",
    state: "OH",
    status: "active",
    operation: "Interstate",
    mc_number: "186800",
    mc_active: true,
    power_units: 85,
    drivers: 70,
    safety_rating: "Satisfactory",
    mcs150: {
      last_filed: "2026-01-23",
      next_due: "2028-04-30",
      days_until_due: 573,
      state: "ok",
    },
    inspections_24m: {
      from: "2024-10-01",
      to: "2026-09-30",
      total: 3,
      last_inspection: "2026-09-17",
      violations: 5,
      vehicle: { inspections: 3, out_of_service: 1, rate_pct: 33.3, national_average_pct: 22.26 },
      driver: { inspections: 2, out_of_service: 0, rate_pct: 0, national_average_pct: 6.67 },
      hazmat: { inspections: 0, out_of_service: 0, rate_pct: null, national_average_pct: 4.44 },
    },
    issues: 0,
    verdict: "No issues found; 3 of 6 checks have no data",
    page_url: "https://carriers.example/carriers/286764",
    snapshot: {
      id: "20261003-test",
      data_date: "2026-10-03",
      inspections_date: "2026-09-30",
      age_days: 2,
      stale: false,
    },
    dockets: [{ prefix: "MC", number: "186800", status: "A" }],
  });
  assert.deepEqual(carrier.not_reported, []);
  assert.equal(checks.length, 6);
});

Deno.test("toCarrier() distinguishes blanks of the census from values", () => {
  const blank = toCarrier({ dot: 7, legal_name: "", status: "P" }, contextOf(TODAY));
  assert.deepEqual(Carrier.parse(blank), blank);
  const not_reported = ["legal_name", "city", "state", "operation", "power_units", "drivers"];
  assert.partialDeepStrictEqual(blank, {
    name: "",
    status: "inactive",
    operation: "Not reported",
    safety_rating: "Not rated",
    power_units: 0,
    drivers: 0,
    mc_number: null,
    mc_active: null,
    inspections_24m: null,
    dockets: [],
    not_reported,
  });
  const named = { dot: 7, legal_name: "", dba_name: "SEVEN", status: "A" as const };
  const zero = toCarrier({ ...named, power_units: 0, drivers: 0 }, contextOf(TODAY));
  assert.deepEqual([zero.name, zero.legal_name], ["SEVEN", ""]);
  assert.deepEqual(zero.not_reported, not_reported.slice(0, 4));
  // A summary that counts no inspection.
  assert.equal(carrierOf("insp=v0/0,d0/0,h0/0").inspections_24m, null);
});

Deno.test("toCarrier() takes the first MC docket, an active one before any other", () => {
  const rows: [dockets: string, number: string | null, active: boolean | null][] = [
    ["-", null, null],
    ["FF:A", null, null],
    ["FF:A,MC:A", "700001", true],
    ["MC:I,MC:A", "700001", true],
    ["MC:P,MC:I", "700000", null],
    ["MC:?", "700000", null],
    ["MC:I", "700000", false],
  ];
  for (const [dockets, number, active] of rows) {
    const { mc_number, mc_active } = carrierOf(`mc=${dockets}`);
    assert.deepEqual([mc_number, mc_active], [number, active], dockets);
  }
});

Deno.test("schemas describe themselves as JSON Schema", () => {
  for (const schema of [Carrier, Mcs150, UcrFee]) {
    // A schema with an id is described among the definitions, under that id.
    const { $defs = {} } = z.toJSONSchema(schema);
    const described = $defs[schema.meta()!.id!]!.properties!;
    for (const [name, member] of Object.entries(described)) {
      assert.ok(typeof member === "object" && ("description" in member || "$ref" in member), name);
    }
  }
});
