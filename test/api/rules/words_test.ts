import assert from "node:assert/strict";
import {
  addressLine,
  dataAge,
  dataLine,
  docketWords,
  feeWords,
  fleetCount,
  fleetParts,
  fleetSuffix,
  listedAs,
  mainDocket,
  mileageWords,
  placeOf,
  stateWords,
  statusWord,
  usdotStatusWord,
  yesOrNo,
} from "../../../api/rules/words.ts";
import type { Carrier, SnapshotFacts } from "../../../api/rules/schemas.ts";

Deno.test("mileageWords() names the year, or says that none was reported", () => {
  assert.equal(mileageWords({ miles: 5391856, year: 2025 }), "5,391,856 miles in 2025");
  assert.equal(mileageWords({ miles: 7, year: null }), "7 miles (year not reported)");
});

/** Counts of which power units were filed but not usable, and drivers left blank. */
const LACKING: Parameters<typeof fleetParts>[0] = {
  power_units: 0,
  drivers: 0,
  not_reported: ["drivers"],
  unusable: [{ member: "power_units", filed: "12O" }],
};
const FILED = { power_units: 1896, drivers: 1, not_reported: [], unusable: [] };

Deno.test("a blank, an unusable count, 0 and a number read differently", () => {
  assert.deepEqual(fleetParts(LACKING), [
    "power units filed, but not usable",
    "drivers not reported",
  ]);
  assert.deepEqual(fleetParts(FILED), ["1,896 power units", "1 driver"]);
  assert.equal(fleetCount(LACKING, "drivers"), "not reported");
  assert.equal(fleetCount(FILED, "power_units"), "1,896");
  assert.deepEqual([0, 1, 2].map((power_units) => fleetSuffix({ power_units })), [
    "",
    ", 1 power unit",
    ", 2 power units",
  ]);
  assert.deepEqual([null, true, false].map(yesOrNo), ["not reported", "yes", "no"]);
  const fee = { year: 2026, vehicles: 1001, bracket: 6, fee_usd: 44836, brackets: [] };
  assert.equal(
    feeWords({ ...fee, source: "49 CFR 367.40" }),
    "The 2026 UCR fee for 1,001 vehicles is $44,836 (bracket 6; 49 CFR 367.40).",
  );
});

Deno.test("an address and a place have the parts that are filed, without commas for the others", () => {
  const blank = { street: null, city: null, state: null, zip: null, country: null };
  const lineOf = (parts: Partial<Parameters<typeof addressLine>[0]>) =>
    addressLine({ ...blank, ...parts });
  const filed = { street: "1 EXAMPLE AVE", city: "AKRON", state: "OH", zip: "44306" };
  assert.equal(lineOf(filed), "1 EXAMPLE AVE, AKRON, OH 44306");
  assert.equal(lineOf({ city: "TORONTO", zip: "M5V", country: "CA" }), "TORONTO, M5V, CA");
  assert.equal(lineOf({ street: "1 EXAMPLE AVE", country: "MX" }), "1 EXAMPLE AVE, MX");
  assert.equal(lineOf({}), "");
  const places = [["AKRON", "OH"], ["AKRON", ""], ["", "OH"], ["", ""]] as const;
  assert.deepEqual(places.map(([city, state]) => placeOf({ city, state })), [
    "AKRON, OH",
    "AKRON",
    "OH",
    "",
  ]);
});

Deno.test("the docket named first is an MC docket, best one listed as active alone", () => {
  const docket = (text: string) => {
    const [prefix, number, ...statuses] = text.split(" ") as [string, string, ...string[]];
    return { prefix, number, status: statuses[0], ...(statuses.length > 1 && { statuses }) };
  };
  const first = (...texts: string[]) => mainDocket(texts.map(docket))?.number;
  assert.equal(first("FF 1 A", "MC 2 I", "MC 3 I A", "MC 4 A"), "4");
  assert.equal(first("FF 1 A", "MC 2 I", "MC 3 P I", "MC 4 I A"), "4");
  assert.equal(first("FF 1 A", "MC 2 I", "MC 3 P"), "2");
  assert.equal(first("FF 1 A", "MX 2 A"), undefined);
  const said = ["MC 1 A", "MC 1", "MC 1 A I", "MC 1 A P I"].map(docket);
  assert.deepEqual(said.map(statusWord), [
    "active",
    "without a status",
    "both active and inactive",
    "3 ways: active, pending, inactive",
  ]);
  assert.equal(docketWords(said[0]!), "MC 1: listed active");
  assert.equal(docketWords(said[0]!, 3), "MC 1: listed active and 2 more dockets");
  assert.equal(docketWords(said[2]!, 2), "MC 1: listed both active and inactive and 1 more");
});

Deno.test("a USDOT number is active, inactive or pending, but a search result can't know that one is pending", () => {
  const of = (status: Carrier["status"], letter: string) =>
    usdotStatusWord({
      status,
      checks: [{ id: "mcs150", detail: listedAs("P") }, {
        id: "usdot_status",
        detail: listedAs(letter),
      }],
    });
  assert.equal(of("active", "A"), "active");
  assert.equal(of("inactive", "I"), "inactive");
  assert.equal(of("inactive", "P"), "pending");
  assert.equal(usdotStatusWord({ active: true }), "active");
  assert.equal(usdotStatusWord({ active: false }), "not active");
});

Deno.test("only a check without a verdict is named after its data", () => {
  const said = (["used", "missing", "unusable", "not_applicable"] as const).map((data) =>
    [stateWords({ state: "info", data }), stateWords({ state: "warn", data })].join()
  );
  assert.deepEqual(said, [
    "Info,Review",
    "No data,Review",
    "No usable data,Review",
    "Doesn't apply,Review",
  ]);
});

Deno.test("the line about the data names the files of a full snapshot, and no file of a sample", () => {
  const facts: SnapshotFacts = {
    id: "test",
    data_date: "2026-10-03",
    inspections_date: "2026-10-02",
    age_days: 2,
    stale: false,
  };
  assert.equal(
    dataLine({ ...facts, orders_date: "2026-10-01" }),
    "FMCSA data: census of Oct 3, 2026 (2 days old), inspections through Oct 2, 2026, out-of-service orders through Oct 1, 2026.",
  );
  assert.equal(
    dataLine(facts),
    "FMCSA data: census of Oct 3, 2026 (2 days old), inspections through Oct 2, 2026.",
  );
  assert.equal(
    dataLine({ ...facts, notice: "Sample" }),
    "Sample data of Oct 3, 2026 (2 days old).",
  );
});

Deno.test("dataAge() describes data of the same day as today's, or as 0 days old on a past day", () => {
  const facts = { data_date: "2026-10-03" } as Parameters<typeof dataAge>[0];
  assert.equal(dataAge({ ...facts, age_days: 0 }), "Oct 3, 2026 (today's)");
  assert.equal(dataAge({ ...facts, age_days: 1 }), "Oct 3, 2026 (1 day old)");
  const past = { ...facts, age_days: 0, as_of: "2026-10-03" };
  assert.equal(dataAge(past), "Oct 3, 2026 (0 days old on Oct 3, 2026)");
});
