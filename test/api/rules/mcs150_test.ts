import assert from "node:assert/strict";
import fc from "fast-check";
import { addMonths, formatDate, parseDate } from "../../../pipeline/dates.ts";
import { type Filing, mcs150Standing, schedule } from "../../../api/rules/mcs150.ts";
import type { CarrierMcs150 } from "../../../api/rules/schemas.ts";
import { anyDay, anyDot } from "./arbitrary.ts";

/** The members of {@link mcs150Standing} that are part of the JSON. */
function mcs150Of(filing: Filing, today: string): CarrierMcs150 {
  const { last_filed, next_due, days_until_due, state } = mcs150Standing(filing, today);
  return { last_filed, next_due, days_until_due, state };
}

Deno.test("schedule() returns the first scheduled day from today on, and the one 24 months before", () => {
  fc.assert(
    fc.property(anyDot(), anyDay(), (dot, today) => {
      const { rule: _, ...got } = schedule(dot, today);
      assert.ok(got.previous_due! < today && today <= got.next_due, today);
      const next = Temporal.PlainDate.from(got.next_due);
      const previous = next.subtract({ months: 24 });
      assert.equal(next.month, dot % 10 || 10);
      assert.equal(next.day, next.daysInMonth);
      assert.deepEqual(got, {
        dot: String(dot),
        next_due: got.next_due,
        previous_due: String(previous.with({ day: previous.daysInMonth })),
        month: next.toLocaleString("en-US", { month: "long" }),
        year_parity: Math.floor(dot / 10) % 2 === 0 ? "even" : "odd",
      });
      assert.equal(next.year % 2 === 0, got.year_parity === "even");
    }),
    { numRuns: 1000 },
  );
});

Deno.test("the rule names the digits that decide, also of a number with one digit", () => {
  const ruleOf = (dot: number) => schedule(dot, "2026-10-05").rule;
  assert.equal(
    ruleOf(286764),
    "USDOT 286764: the last digit 4 means April and the tens digit 6 means even years, so the update is due by " +
      "the last day of April of every even year (49 CFR 390.19T(b)).",
  );
  assert.match(ruleOf(10), /last digit 0 means October and the tens digit 1 means odd years,/);
  assert.match(
    ruleOf(9),
    /last digit 9 means September and it has no tens digit, which is taken as 0 and means even years,/,
  );
});

Deno.test("mcs150Standing() never gets worse or earlier because of a later filing", () => {
  const rank = { overdue: 0, unknown: 1, "due-soon": 2, ok: 3 };
  fc.assert(
    fc.property(anyDot(), anyDay(), fc.nat(3000), fc.nat(900), (dot, today, age, newer) => {
      const filed = parseDate(today) - age;
      const before = mcs150Of({ dot, filed: formatDate(filed) }, today);
      const after = mcs150Of(
        { dot, filed: formatDate(Math.min(filed + newer, parseDate(today))) },
        today,
      );
      assert.ok(rank[after.state] >= rank[before.state]);
      assert.ok(after.next_due >= before.next_due);
    }),
    { numRuns: 1000 },
  );
});

Deno.test("mcs150Standing() never calls a filing of the last 24 months overdue", () => {
  fc.assert(
    fc.property(anyDot(), anyDay(), fc.nat(), (dot, today, seed) => {
      const now = parseDate(today);
      const oldest = addMonths(now, -24);
      const filed = formatDate(oldest + seed % (now - oldest + 1));
      assert.notEqual(mcs150Of({ dot, filed }, today).state, "overdue");
    }),
    { numRuns: 1000 },
  );
});
