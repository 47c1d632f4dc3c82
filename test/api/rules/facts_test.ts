import assert from "node:assert/strict";
import { type CarrierFacts, factsOf } from "../../../api/rules/facts.ts";
import type { CarrierRecord } from "../../../pipeline/snapshot/record/record.ts";
import { record } from "../../pipeline/snapshot/memory.ts";

function factsWith(filed: Partial<CarrierRecord>): CarrierFacts {
  return factsOf(record(7, filed));
}

Deno.test("a mailing address has the physical address's parts unless its own are filed", () => {
  const physical = { street: "1 EXAMPLE AVE", city: "AKRON", state: "OH", zip: "44306" };
  const filed = { ...physical, country: null };
  const mailing = (parts?: CarrierRecord["mailing"], at: Partial<CarrierRecord> = physical) =>
    factsWith({ ...at, ...(parts && { mailing: parts }) }).mailing_address;
  assert.deepEqual(mailing(), filed);
  assert.deepEqual(mailing(["PO BOX 1", null, null, "44309"]), {
    ...filed,
    street: "PO BOX 1",
    zip: "44309",
  });
  // Blank in the mailing address, not in the physical one
  assert.deepEqual(mailing([""]), { ...filed, street: null });
  assert.equal(mailing(["", "", "", ""]), null);
  assert.equal(mailing(undefined, {}), null);
});

Deno.test("vehicles are listed by kind and holder, drivers by reach, blanks of drivers as null", () => {
  const none = { owned: 0, term_leased: 0, trip_leased: 0 };
  // Trucks and tractors owned, a limousine term-leased, a truck trip-leased
  const vehicles = [5, 71, ...Array(13).fill(0), 1, 3];
  assert.deepEqual(factsWith({ vehicles }).vehicles, [
    { kind: "trucks", ...none, owned: 5, trip_leased: 3 },
    { kind: "tractors", ...none, owned: 71 },
    { kind: "limousines", ...none, term_leased: 1 },
  ]);
  assert.deepEqual(factsWith({}).vehicles, []);
  assert.deepEqual(factsWith({ driver_counts: [7, null, 0] }).drivers_by_reach, {
    interstate: 7,
    intrastate: null,
    interstate_within_100_miles: 0,
    interstate_beyond_100_miles: null,
    intrastate_within_100_miles: null,
    intrastate_beyond_100_miles: null,
    cdl: null,
  });
  assert.equal(factsWith({}).drivers_by_reach, null);
});

Deno.test("passengers are filed as cargo, a class or a vehicle for them; null when none of these is filed", () => {
  const seats = (kind: number) => [...Array(kind).fill(0), 1];
  const filed: [Partial<CarrierRecord>, boolean | null][] = [
    [{}, null],
    [{ vehicles: [0] }, null],
    [{ cargo: "A" }, false],
    [{ cargo: "AM" }, true],
    [{ classes: ["PRIVATE PROPERTY"] }, false],
    [{ classes: ["PRIVATE PROPERTY", "PRIVATE PASSENGER, BUSINESS"] }, true],
    [{ vehicles: seats(2) }, false],
    [{ vehicles: seats(3) }, true],
    [{ vehicles: seats(7) }, true],
    [{ classes: ["PRIVATE PROPERTY"], cargo: "A", vehicles: seats(7) }, true],
  ];
  assert.deepEqual(
    filed.map(([record]) => factsWith(record).passengers),
    filed.map(([, is]) => is),
  );
  assert.deepEqual(factsWith({ cargo: "AM" }).cargo, ["General freight", "Passengers"]);
});

Deno.test("what is blank in the census is null, and 0 and no are values", () => {
  const facts = factsWith({});
  assert.deepEqual(facts.undeliverable, { physical: false, mail_returned: null });
  for (const name of ["phone", "hazmat", "mileage", "review", "prior_revocation"] as const) {
    assert.equal(facts[name], null, name);
  }
  assert.equal(facts.recordable_crash_rate, null);
  assert.equal(factsWith({ crash_rate: 0 }).recordable_crash_rate, 0);
  assert.equal(factsWith({ hazmat: false }).hazmat, false);
  assert.deepEqual(factsWith({ undeliverable: true, mail_returned: "2026-01-02" }).undeliverable, {
    physical: true,
    mail_returned: "2026-01-02",
  });
  assert.deepEqual(factsWith({ mileage: 0 }).mileage, { miles: 0, year: null });
  assert.equal(factsWith({ phone: "3305550123" }).phone, "(330) 555-0123");
  assert.equal(factsWith({ phone: "525555550123" }).phone, "525555550123");
  const reviews = [{ review_type: "C" }, { review_type: "?" }, { review_date: "2013-11-07" }];
  assert.deepEqual(reviews.map((filed) => factsWith(filed).review), [
    { type: "C", name: "Compliance review", date: null },
    { type: "?", name: null, date: null },
    { type: null, name: null, date: "2013-11-07" },
  ]);
  const revocations = [
    { prior_revoked: false },
    { prior_revoked_dot: 123 },
    { prior_revoked: true, prior_revoked_dot: 0 },
    { prior_revoked_dot: 0 },
  ];
  assert.deepEqual(revocations.map((filed) => factsWith(filed).prior_revocation), [
    { revoked: false, dot: null },
    { revoked: null, dot: "123" },
    { revoked: true, dot: null },
    null,
  ]);
});
