import assert from "node:assert/strict";
import fc from "fast-check";
import { type CarrierContext, toCarrier } from "../../../api/rules/carrier.ts";
import {
  Carrier,
  type Check,
  CHECK_IDS,
  type CheckId,
  type InspectionRate,
} from "../../../api/rules/schemas.ts";
import type { CarrierRecord, InspectionSummary } from "../../../pipeline/snapshot/record.ts";
import { anyDay, anyRecord, contextOf } from "./arbitrary.ts";

const CARRIER: CarrierRecord = {
  dot: 286764,
  legal_name: "GENERAL TRANSPORT INC",
  status: "A",
  operation: "A",
  roles: ["C"],
  classes: ["AUTHORIZED FOR HIRE"],
  power_units: 85,
  mcs150_date: "2026-01-23",
};

/** A check of the carrier with changes; an undefined member is blank in the census. */
function check(
  id: CheckId,
  changes: { [K in keyof CarrierRecord]?: CarrierRecord[K] | undefined },
  today = "2026-10-05",
): Check {
  const record = { ...CARRIER, ...changes } as CarrierRecord;
  return toCarrier(record, contextOf(today)).checks.find((each) => each.id === id)!;
}

function inspected(
  vehicle: [number, number],
  driver: [number, number],
  hazmat: [number, number] = [0, 0],
): InspectionSummary {
  const kind = ([out_of_service, inspections]: [number, number]) => ({
    inspections,
    out_of_service,
  });
  return {
    total: Math.max(1, vehicle[1], driver[1], hazmat[1]),
    last: "2026-09-17",
    violations: 9,
    vehicle: kind(vehicle),
    driver: kind(driver),
    hazmat: kind(hazmat),
  };
}

Deno.test("mcs150 says what was filed, what is due and what the file can't show", () => {
  const rows: [Partial<CarrierRecord>, string, string, RegExp][] = [
    [{}, "2026-10-05", "ok", /filed Jan 23, 2026.*due by Apr 30, 2028, in 573 days/],
    [{ mcs150_date: "2020-01-01" }, "2026-10-05", "bad", /Apr 30, 2026, 158 days ago/],
    // The date missed is newer than the file: it may have been filed since.
    [
      { dot: 21800, mcs150_date: "2020-01-01" },
      "2026-11-20",
      "warn",
      /due by Oct 31, 2026, 20 days ago, is not in that file.*Filings after Oct 3, 2026 aren't/,
    ],
    [{ dot: 21800, mcs150_date: "2024-10-01" }, "2026-10-30", "warn", /in 1 day\./],
    [{ dot: 21800, mcs150_date: "2024-10-01" }, "2026-10-31", "warn", /2026, today\./],
    // Filed 11 months before the coming date: due all the same.
    [
      { dot: 21800, mcs150_date: "2025-12-01" },
      "2026-10-05",
      "warn",
      /due by Oct 31, 2026.*Filed early, on Dec 1, 2025.*plan to file again/,
    ],
    [{ mcs150_date: "2025-01-01" }, "2026-10-05", "info", /may or may not be overdue/],
    [
      { mcs150_date: "2025-12-01", added: "2025-12-20" },
      "2026-10-05",
      "info",
      /registration itself \(added Dec 20, 2025\)/,
    ],
  ];
  for (const [changes, today, state, words] of rows) {
    const got = check("mcs150", changes, today);
    assert.equal(got.state, state, got.detail);
    assert.match(got.detail, words);
  }
  assert.equal(check("mcs150", { mcs150_date: undefined }).state, "info");
});

Deno.test("mcs150 names the deactivation pause, with its date, only for dates it covers", () => {
  const pause = /last checked Sep 30, 2026.*paused deactivation.*Jun 1, 2026/;
  // 286768 was due on Aug 31, 2026, 286764 on Apr 30, 2026.
  assert.match(check("mcs150", { dot: 286768, mcs150_date: "2020-01-01" }).detail, pause);
  assert.doesNotMatch(check("mcs150", { mcs150_date: "2020-01-01" }).detail, /paused/);
  assert.doesNotMatch(check("mcs150", {}).detail, /paused/);
});

Deno.test("mcs150 is at most a warning where it is not certain that the update is due", () => {
  const old = { mcs150_date: "2020-01-01" };
  const rows: [Partial<CarrierRecord>, RegExp][] = [
    [{ operation: "C" }, /only where its state adopted/],
    [{ operation: "B" }, /hazardous materials safety permit/],
    [{ roles: ["B"] }, /brokers and freight forwarders.*said not to owe/],
    [{ roles: ["F", "B"] }, /freight forwarder and broker/],
    [{ roles: ["S"] }, /Registered as shipper, not as a carrier/],
  ];
  for (const [changes, words] of rows) {
    const got = check("mcs150", { ...old, ...changes });
    assert.equal(got.state, "warn");
    assert.match(got.detail, words);
    const soon = { dot: 21800, mcs150_date: "2024-10-01", ...changes };
    assert.equal(check("mcs150", soon).state, "info");
  }
  assert.equal(check("mcs150", { ...old, roles: ["C", "B"] }).state, "bad");
  assert.equal(check("mcs150", { ...old, roles: ["I"], operation: "C" }).state, "bad");
  assert.match(
    check("mcs150", { operation: undefined }).detail,
    /doesn't say whether it operates interstate/,
  );
});

Deno.test("operating_authority reads roles before CARRIER_OPERATION, and is never ok", () => {
  const mc = (status: string) => ({ dockets: [{ prefix: "MC", number: 186800, status }] });
  const privately = { classes: ["PRIVATE PROPERTY"] };
  const rows: [Partial<CarrierRecord>, string, RegExp][] = [
    [mc("A"), "info", /MC 186800: listed active.*Docket status isn't operating authority/],
    [mc("I"), "warn", /MC 186800: listed inactive.*doesn't prove it is missing/],
    [mc("P"), "warn", /MC 186800: listed pending.*doesn't prove it is missing/],
    [{}, "warn", /No docket in.*doesn't prove it is missing/],
    [{ dockets: [{ prefix: "FF", number: 1, status: "A" }] }, "warn", /No docket that could/],
    [{ dockets: [{ prefix: "MC", number: 1 }] }, "warn", /MC 1: listed without a status/],
    [privately, "info", /Private carriers and exempt for-hire carriers need no operating auth/],
    [{ ...privately, ...mc("A") }, "info", /interstate commerce, legs within one state included/],
    [{ operation: "C", ...mc("A") }, "info", /intrastate, which needs no federal/],
    [{ roles: ["B"], classes: [] }, "warn", /Registered as broker.*need operating authority/],
    // Incident: a broker filed as intrastate was said to need no authority.
    [{ roles: ["B"], operation: "C" }, "warn", /Registered as broker.*need operating authority/],
    [{ roles: ["F"], dockets: [{ prefix: "FF", number: 1, status: "A" }] }, "warn", /FF 1/],
    [{ ...mc("A"), status: "I" }, "info", /The USDOT number is inactive/],
    [{ ...mc("A"), status: "P" }, "info", /The USDOT number is pending/],
  ];
  for (const [changes, state, words] of rows) {
    const got = check("operating_authority", changes);
    assert.equal(got.state, state, JSON.stringify(changes));
    assert.match(got.detail, words);
    assert.match(got.detail, /no grants or revocations of authority.*Motus.*May 18, 2026.*SAFER/);
  }
  assert.match(
    check("operating_authority", { operation: undefined }).detail,
    /whether it operates interstate/,
  );
  assert.match(
    check("operating_authority", { classes: undefined }).detail,
    /what kind of carrier it is/,
  );
});

Deno.test("safety_rating says what the rating forbids only where 49 CFR 385.13 does", () => {
  const rated = (rating: "S" | "C" | "U", rating_date?: string, more = {}): Check =>
    check("safety_rating", { rating, ...(rating_date ? { rating_date } : {}), ...more });
  assert.match(rated("S", "2014-11-05").detail, /Satisfactory on Nov 5, 2014 \(11 years old\)/);
  assert.match(rated("S", "2021-10-05").detail, /2021 \(5 years old\)/);
  assert.doesNotMatch(rated("S", "2021-10-06").detail, /years old/);
  assert.equal(rated("C").state, "warn");
  assert.match(rated("C").detail, /inadequate safety controls.*doesn't bar/);
  const unfit = rated("U", "2014-11-05");
  assert.equal(unfit.state, "bad");
  assert.match(unfit.detail, /may not operate a commercial motor vehicle in interstate commerce\./);
  assert.match(
    rated("U", "2000-11-19").detail,
    /before Nov 20, 2000 that covers only.*this one was/,
  );
  for (const rating of ["C", "U"] as const) {
    for (const status of ["I", "P"]) {
      assert.doesNotMatch(rated(rating, "2014-11-05", { status }).detail, /operat/);
    }
  }
  const unrated = check("safety_rating", {});
  assert.equal(unrated.state, "info");
  assert.match(unrated.detail, /neither good nor bad\.$/);
  assert.match(
    check("safety_rating", { inspections: inspected([0, 1], [0, 1]) }).detail,
    /Look at its roadside inspections/,
  );
});

Deno.test("oos_rates warns only when one out-of-service finding fewer would still be above", () => {
  const rows: [InspectionSummary, string, RegExp][] = [
    [inspected([6, 40], [1, 50]), "ok", /vehicle 6 of 40 \(15\.0%; national average 22\.26%\)/],
    [inspected([10, 40], [1, 50]), "warn", /Above the national average: vehicle\./],
    // 9 of 40 is 22.5%, 8 of 40 is below the average: one finding decides.
    [inspected([9, 40], [1, 50]), "ok", /average by one finding only: vehicle/],
    [inspected([40, 40], [50, 50]), "warn", /Above the national average: vehicle, driver\./],
    // Incident: 1 of 5 drivers raised a warning.
    [inspected([0, 0], [1, 5]), "info", /by one finding only: driver/],
    [inspected([0, 4], [0, 4]), "info", /Too few inspections to compare: vehicle, driver/],
    [inspected([0, 0], [0, 0]), "info", /^1 roadside inspection from/],
    [inspected([0, 9], [0, 9], [2, 9]), "warn", /hazmat\..*may differ from SAFER's/],
    [inspected([0, 9], [0, 9], [1, 9]), "ok", /one finding only: hazmat/],
    // 22.26% exactly with one fewer is not above.
    [inspected([1114, 5000], [0, 9]), "ok", /22\.3%/],
    [inspected([1115, 5000], [0, 9]), "warn", /Above/],
  ];
  for (const [inspections, state, words] of rows) {
    const got = check("oos_rates", { inspections });
    assert.equal(got.state, state, got.detail);
    assert.match(got.detail, words);
    assert.match(got.detail, /doesn't show whether the carrier is under an out-of-service order/);
    assert.equal(got.basis.data_date, "2026-09-30");
  }
  const none = check("oos_rates", {});
  assert.equal(none.state, "info");
  assert.match(none.detail, /^No roadside inspections from Oct 1, 2024 to Sep 30, 2026/);
  assert.doesNotMatch(none.detail, /%/);
});

Deno.test("ucr estimates the fee of the years open, by role before operation", () => {
  const rows: [Partial<CarrierRecord>, RegExp][] = [
    [
      {},
      /85 power units.*\$963 for 2026 \(bracket 4\) and \$1,163 for 2027 \(bracket 4, due before/,
    ],
    [{ power_units: 599994 }, /599,994 power units.*\$54,165/],
    [{}, /intrastate transportation of property, waste or recyclable material/],
    // Incident: a broker with 30 units was quoted $963, and an intrastate one nothing.
    [{ roles: ["B"], power_units: 30 }, /smallest fee.*\$46 for 2026.*\$55 for 2027/],
    [{ roles: ["B"], operation: "C" }, /smallest fee.*\$46 for 2026/],
    [{ roles: ["F"], power_units: 0 }, /smallest fee.*\$46/],
    [{ roles: ["F"], power_units: 4 }, /4 power units.*\$138/],
    [{ roles: ["C", "B"], power_units: 30 }, /30 power units.*\$963/],
    [{ roles: ["S"] }, /UCR may not apply/],
    [{ classes: ["PRIVATE PASSENGER, NON-BUSINESS"] }, /may not apply/],
    [{ status: "I" }, /inactive: a fee is due only if it operates/],
  ];
  for (const [changes, words] of rows) assert.match(check("ucr", changes).detail, words);
  assert.doesNotMatch(check("ucr", {}, "2026-09-30").detail, /2027/);
  assert.match(check("ucr", {}, "2028-01-01").detail, /\$1,163 for 2028 .*as set for 2027/);
  assert.match(check("ucr", {}, "2024-01-01").detail, /no fee table for 2024/);
  assert.match(check("ucr", { power_units: undefined }).detail, /No power units in.*unknown/);
  for (const operation of ["B", "C"] as const) {
    const got = check("ucr", { operation }).detail;
    assert.match(got, /owes no federal UCR fee/);
    assert.doesNotMatch(got, /\$/);
  }
  assert.match(
    check("ucr", { operation: undefined }).detail,
    /doesn't say whether this is one.*\$963/,
  );
  assert.match(check("ucr", {}).basis.citation!, /14504a.*367\.40.*367\.50/);
  assert.equal(check("ucr", {}, "2024-01-01").basis.citation, "49 U.S.C. 14504a");
});

Deno.test("checks name file, date and citation", () => {
  const { checks } = toCarrier(CARRIER, contextOf("2026-10-05"));
  for (const { id, basis } of checks) {
    const inspected = id === "oos_rates";
    assert.equal(basis.data_date, inspected ? "2026-09-30" : "2026-10-03");
    assert.equal(basis.file, inspected ? "Vehicle Inspection File" : "Company Census File");
    assert.ok(basis.url !== null && URL.canParse(basis.url));
    assert.equal(basis.citation === null, id === "usdot_status");
  }
});

Deno.test("checks keep their order, count and never-claim rules for any record on any day", () => {
  fc.assert(
    fc.property(anyRecord(), anyDay(), (record, today) => {
      const context: CarrierContext = contextOf(today);
      const carrier = toCarrier(record, context);
      assert.deepEqual(Carrier.parse(carrier), carrier);
      assert.deepEqual(carrier.checks.map(({ id }) => id), CHECK_IDS);
      const issues = carrier.checks.filter(({ state }) => state === "warn" || state === "bad");
      assert.equal(carrier.issues, issues.length);
      for (const { id, label, state, summary, detail } of carrier.checks) {
        assert.ok(summary.length <= 100, summary);
        const said = `${label}: ${summary}. ${detail}`.replaceAll('"AUTHORIZED FOR HIRE"', "That");
        assert.doesNotMatch(said, /\b(is|not|un)[ -]?authori[sz]ed\b|\b(un)?paid\b/i);
        assert.doesNotMatch(said, /undefined|null|NaN|\[object/);
        assert.doesNotMatch(said, / {2}|\.\.|^\s|\s$/);
        assert.match(detail, /\.$/);
        if (id === "ucr") assert.equal(state, "info");
        if (id === "operating_authority") assert.ok(state === "info" || state === "warn");
        if (id === "oos_rates") assert.notEqual(state, "bad");
      }
      const rates = carrier.checks[4]!;
      const seen = carrier.inspections_24m;
      if (seen === null) {
        assert.equal(rates.state, "info");
        assert.doesNotMatch(rates.detail, /%/);
      } else {
        for (const kind of ["vehicle", "driver", "hazmat"] as const) {
          const { inspections, rate_pct }: InspectionRate = seen[kind];
          assert.equal(rate_pct === null, inspections === 0);
          if (inspections === 0) assert.doesNotMatch(rates.detail, new RegExp(`${kind} \\d`));
        }
      }
      if (carrier.mcs150.state === "unknown") assert.equal(carrier.checks[1]!.state, "info");
      if (carrier.safety_rating === "Not rated") assert.equal(carrier.checks[3]!.state, "info");
    }),
    { numRuns: 3000 },
  );
});
