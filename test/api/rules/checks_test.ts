import assert from "node:assert/strict";
import fc from "fast-check";
import { type CarrierContext, toCarrier } from "../../../api/rules/carrier.ts";
import {
  Carrier,
  type Check,
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

function check(id: CheckId, changes: Partial<CarrierRecord>, today = "2026-10-05"): Check {
  const { checks } = toCarrier({ ...CARRIER, ...changes }, contextOf(today));
  return checks.find((each) => each.id === id)!;
}

/** The record without some members, as the census leaves them blank. */
function without(id: CheckId, ...names: (keyof CarrierRecord)[]): Check {
  const record: Partial<CarrierRecord> = { ...CARRIER };
  for (const name of names) delete record[name];
  return toCarrier(record as CarrierRecord, contextOf("2026-10-05"))
    .checks.find((each) => each.id === id)!;
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

Deno.test("usdot_status is ok when active, bad when inactive and says pending when pending", () => {
  const rows = [["A", "ok", /as active/], ["I", "bad", /as inactive/], ["P", "warn", /as pending/]];
  for (const [status, state, words] of rows as [CarrierRecord["status"], string, RegExp][]) {
    const got = check("usdot_status", { status });
    assert.equal(got.state, state);
    assert.match(got.detail, words);
    assert.match(got.detail, /^The census of 3 October 2026 /);
  }
});

Deno.test("mcs150 is bad when overdue, warn when due soon, ok when filed, info when unknown", () => {
  assert.equal(check("mcs150", {}).state, "ok");
  assert.match(check("mcs150", {}).detail, /due by 30 April 2028/);
  const overdue = check("mcs150", { mcs150_date: "2020-01-01" });
  assert.equal(overdue.state, "bad");
  assert.match(overdue.detail, /due by 30 April 2026 was missed, 158 days ago/);
  // The file of 3 October cannot hold what was filed until 31 October.
  const unseen = check("mcs150", { dot: 21800, mcs150_date: "2020-01-01" }, "2026-11-20");
  assert.equal(unseen.state, "bad"); // It shows that the date two years before was missed
  assert.match(unseen.detail, /due by 31 October 2024 was missed, 750 days ago/);
  const due = check("mcs150", { dot: 21800, mcs150_date: "2024-10-01" }, "2026-11-20");
  assert.equal(due.state, "warn");
  assert.match(due.detail, /due by 31 October 2026, 20 days ago, is not in that file.*too old/);
  assert.doesNotMatch(due.detail, /was missed/);
  const soon = check("mcs150", { dot: 21800, mcs150_date: "2024-10-01" });
  assert.equal(soon.state, "warn");
  assert.match(soon.detail, /due by 31 October 2026, in 26 days/);
  assert.match(
    check("mcs150", { dot: 21800, mcs150_date: "2024-10-01" }, "2026-10-31").detail,
    /31 October 2026, today/,
  );
  assert.match(
    check("mcs150", { dot: 21800, mcs150_date: "2024-10-01" }, "2026-10-30").detail,
    /in 1 day\./,
  );
  const early = check("mcs150", { mcs150_date: "2025-01-01" });
  assert.equal(early.state, "info");
  assert.match(early.detail, /may or may not be overdue/);
  assert.equal(without("mcs150", "mcs150_date").state, "info");
  const future = check("mcs150", { mcs150_date: "2031-01-01" });
  assert.equal(future.state, "info");
  assert.match(future.detail, /has not come yet/);
});

Deno.test("mcs150 tells of the deactivation pause, with its date, only for dates it covers", () => {
  const pause = /last checked 30 September 2026.*paused deactivation.*1 June 2026/;
  // 286768 was due on 31 August 2026, 286764 on 30 April 2026.
  assert.match(check("mcs150", { dot: 286768, mcs150_date: "2020-01-01" }).detail, pause);
  assert.doesNotMatch(check("mcs150", { mcs150_date: "2020-01-01" }).detail, /paused/);
  assert.doesNotMatch(check("mcs150", {}).detail, /paused/);
});

Deno.test("mcs150 is no more than a warning where it is not certain that the update is owed", () => {
  const old = { mcs150_date: "2020-01-01" };
  const rows: [Partial<CarrierRecord>, RegExp][] = [
    [{ operation: "C" }, /only where its state adopted/],
    [{ operation: "B" }, /hazardous materials safety permit/],
    [{ roles: ["B"] }, /brokers and freight forwarders.*said not to owe/],
    [{ roles: ["F", "B"] }, /freight forwarder and broker/],
    [{ roles: ["S"] }, /listed as shipper, not as a carrier/],
  ];
  for (const [changes, words] of rows) {
    const got = check("mcs150", { ...old, ...changes });
    assert.equal(got.state, "warn");
    assert.match(got.detail, words);
    assert.equal(
      check("mcs150", { dot: 21800, mcs150_date: "2024-10-01", ...changes }).state,
      "info",
    );
  }
  assert.equal(check("mcs150", { ...old, roles: ["C", "B"] }).state, "bad");
  assert.equal(check("mcs150", { ...old, roles: ["I"] }).state, "bad");
  assert.match(without("mcs150", "operation").detail, /does not say whether it runs interstate/);
});

Deno.test("operating_authority says not disproved, not shown active or not needed, and never ok", () => {
  const mc = (status: string) => ({ dockets: [{ prefix: "MC", number: 186800, status }] });
  const privately = { classes: ["PRIVATE PROPERTY"] };
  const rows: [Partial<CarrierRecord>, string, RegExp][] = [
    [mc("A"), "info", /MC 186800 as active.*does not disprove.*does not show it either/],
    [mc("I"), "warn", /MC 186800 as inactive.*not shown active/],
    [mc("P"), "warn", /MC 186800 as pending.*not shown active/],
    [{}, "warn", /lists no docket.*no proof that it is missing/],
    [{ dockets: [{ prefix: "FF", number: 1, status: "A" }] }, "warn", /not shown active/],
    [{ dockets: [{ prefix: "MC", number: 1 }] }, "warn", /MC 1 as without a status/],
    [privately, "info", /Private carriers and exempt for-hire carriers need no operating auth/],
    [{ ...privately, ...mc("A") }, "info", /flag is not operating authority/],
    [{ classes: ["EXEMPT FOR HIRE"] }, "info", /need no operating authority/],
    [{ operation: "C", ...mc("A") }, "info", /intrastate only, which needs no federal/],
    [{ operation: "B" }, "info", /intrastate only/],
    [{ roles: ["B"], classes: [] }, "warn", /listed as broker.*need operating authority/],
    [{ roles: ["F"], dockets: [{ prefix: "FF", number: 1, status: "A" }] }, "warn", /FF 1/],
    [{ ...mc("A"), status: "I" }, "info", /The USDOT number itself is inactive/],
    [{ ...mc("A"), status: "P" }, "info", /The USDOT number itself is pending/],
  ];
  for (const [changes, state, words] of rows) {
    const got = check("operating_authority", changes);
    assert.equal(got.state, state, JSON.stringify(changes));
    assert.match(got.detail, words);
  }
  assert.match(without("operating_authority", "operation").detail, /whether it runs interstate/);
  assert.match(without("operating_authority", "classes").detail, /what kind of carrier it is/);
});

Deno.test("safety_rating tells rating and date, and does not hold a missing one against anybody", () => {
  const rows: [NonNullable<CarrierRecord["rating"]>, string, RegExp][] = [
    ["S", "ok", /Satisfactory of 5 November 2014, 11 years ago/],
    ["C", "warn", /Conditional of 5 November 2014/],
    ["U", "bad", /Unsatisfactory of 5 November 2014.*may not operate/],
  ];
  for (const [rating, state, words] of rows) {
    const got = check("safety_rating", { rating, rating_date: "2014-11-05" });
    assert.equal(got.state, state);
    assert.match(got.detail, words);
  }
  assert.match(check("safety_rating", { rating: "S" }).detail, /without its date/);
  assert.match(
    check("safety_rating", { rating: "S", rating_date: "2021-10-05" }).detail,
    /2021, 5 years ago/,
  );
  assert.doesNotMatch(
    check("safety_rating", { rating: "S", rating_date: "2021-10-06" }).detail,
    /years ago/,
  );
  assert.equal(check("safety_rating", {}).state, "info");
  assert.match(check("safety_rating", {}).detail, /neither good nor bad/);
});

Deno.test("oos_rates compares from five inspections on and never says bad", () => {
  const rows: [InspectionSummary, string, RegExp][] = [
    [inspected([6, 40], [1, 50]), "ok", /vehicle 6 of 40 \(15\.0 %, national average 22\.26 %\)/],
    [inspected([9, 40], [1, 50]), "warn", /Above the national average: vehicle\./],
    [inspected([40, 40], [50, 50]), "warn", /Above the national average: vehicle, driver\./],
    [inspected([0, 40], [0, 50]), "ok", /vehicle 0 of 40 \(0\.0 %/],
    [inspected([4, 4], [4, 4]), "info", /driver 4 of 4 \(under 5, too few to compare\)/],
    [inspected([0, 5], [4, 4]), "ok", /Not above the national average: vehicle\./],
    [inspected([2, 5], [0, 4]), "warn", /Above the national average: vehicle\./],
    [inspected([0, 0], [0, 9]), "ok", /vehicle, no inspections of that kind/],
    [inspected([0, 0], [0, 0]), "info", /shows 1 roadside inspection from/],
    [inspected([0, 9], [0, 9], [1, 9]), "warn", /Above the national average: hazmat\./],
    // 22.26 % exactly is not above.
    [inspected([1113, 5000], [0, 9]), "ok", /22\.3 %/],
    [inspected([1114, 5000], [0, 9]), "warn", /Above/],
  ];
  for (const [inspections, state, words] of rows) {
    const got = check("oos_rates", { inspections });
    assert.equal(got.state, state, got.detail);
    assert.match(got.detail, words);
    assert.match(got.detail, /not an out-of-service order/);
  }
  const none = check("oos_rates", {});
  assert.equal(none.state, "info");
  assert.match(none.detail, /no roadside inspection from 4 October 2024 to 3 October 2026/);
  assert.doesNotMatch(none.detail, /%/);
});

Deno.test("ucr estimates the fee of the years open, and says when it cannot", () => {
  assert.match(
    check("ucr", {}).detail,
    /85 power units .* estimated fee is \$963 for 2026 \(bracket 4\) and \$1,163 for 2027 \(bracket 4, open since 1 October 2026/,
  );
  const september = check("ucr", {}, "2026-09-30").detail;
  assert.match(september, /\$963 for 2026/);
  assert.doesNotMatch(september, /2027/);
  assert.match(
    check("ucr", {}, "2028-01-01").detail,
    /\$1,163 for 2028 \(bracket 4, as set for 2027\)/,
  );
  assert.match(check("ucr", {}, "2024-01-01").detail, /no fee table is known here for 2024/);
  assert.match(check("ucr", { power_units: 1 }).detail, /1 power unit in/);
  assert.match(check("ucr", { power_units: 599994 }).detail, /599,994 power units.*\$54,165/);
  assert.match(without("ucr", "power_units").detail, /does not report its power units.*unknown/);
  for (const operation of ["B", "C"] as const) {
    const got = check("ucr", { operation }).detail;
    assert.match(got, /owes no federal UCR fee/);
    assert.doesNotMatch(got, /\$/);
  }
  assert.match(without("ucr", "operation").detail, /does not say whether this is one.*\$963/);
  assert.match(check("ucr", { roles: ["B"], power_units: 0 }).detail, /role \(broker\).*\$46 for/);
  assert.match(check("ucr", { roles: ["B"], power_units: 4 }).detail, /4 power units.*\$138/);
  assert.match(check("ucr", { roles: ["S"] }).detail, /UCR may not apply/);
  assert.match(
    check("ucr", { classes: ["PRIVATE PASSENGER, NON-BUSINESS"] }).detail,
    /may not apply/,
  );
  assert.match(check("ucr", { status: "I" }).detail, /inactive: a fee is due only if it operates/);
  assert.match(check("ucr", {}).basis.citation!, /14504a.*367\.40.*367\.50/);
  assert.equal(check("ucr", {}, "2024-01-01").basis.citation, "49 U.S.C. 14504a");
});

Deno.test("checks name file, date and citation", () => {
  const { checks } = toCarrier(CARRIER, contextOf("2026-10-05"));
  for (const { id, basis } of checks) {
    assert.equal(basis.data_date, "2026-10-03");
    assert.equal(
      basis.file,
      id === "oos_rates" ? "Vehicle Inspection File" : "Company Census File",
    );
    assert.ok(basis.url !== null && URL.canParse(basis.url));
    assert.equal(basis.citation === null, id === "usdot_status");
  }
});

Deno.test("checks keep their order, count and never-claim rules for any record on any day", () => {
  const ids = [
    "usdot_status",
    "mcs150",
    "operating_authority",
    "safety_rating",
    "oos_rates",
    "ucr",
  ];
  fc.assert(
    fc.property(anyRecord(), anyDay(), (record, today) => {
      const context: CarrierContext = contextOf(today);
      const carrier = toCarrier(record, context);
      assert.deepEqual(Carrier.parse(carrier), carrier);
      assert.deepEqual(carrier.checks.map(({ id }) => id), ids);
      const issues = carrier.checks.filter(({ state }) => state === "warn" || state === "bad");
      assert.equal(carrier.issues, issues.length);
      for (const { id, label, state, detail } of carrier.checks) {
        const said = `${label}: ${detail}`.replaceAll('"AUTHORIZED FOR HIRE"', "That");
        assert.doesNotMatch(said, /\b(un)?authori[sz]ed\b|\b(un)?paid\b|\bpays?\b/i);
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
          if (inspections === 0) {
            assert.doesNotMatch(rates.detail, new RegExp(`${kind} \\d`));
          }
        }
      }
      if (carrier.mcs150.state === "unknown") assert.equal(carrier.checks[1]!.state, "info");
      if (carrier.safety_rating === "Not rated") assert.equal(carrier.checks[3]!.state, "info");
    }),
    { numRuns: 3000 },
  );
});
