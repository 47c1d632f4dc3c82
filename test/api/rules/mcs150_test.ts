import assert from "node:assert/strict";
import fc from "fast-check";
import { addMonths, formatDate, parseDate } from "../../../api/rules/calendar.ts";
import { type Filing, mcs150Standing, schedule } from "../../../api/rules/mcs150.ts";
import type { CarrierMcs150 } from "../../../api/rules/schemas.ts";
import { anyDay, anyDot } from "./arbitrary.ts";

const DAY_MS = 86_400_000;
/** The public members of a standing. */
function mcs150Of(filing: Filing, today: string): CarrierMcs150 {
  const { last_filed, next_due, days_until_due, state } = mcs150Standing(filing, today);
  return { last_filed, next_due, days_until_due, state };
}

Deno.test("schedule() agrees with a walk over the calendar for every digit pair over 12 years", () => {
  // The other way round: go through the days and ask whose update falls due.
  const names = "January February March April May June July August September October".split(" ");
  const monthEnds = Array.from({ length: 21 * 12 }, (_, i) => new Date(Date.UTC(2019, i + 1, 0)));
  for (let pair = 0; pair < 100; pair++) {
    const [tens, ones] = [...String(pair).padStart(2, "0")].map(Number) as [number, number];
    const month = ones === 0 ? 10 : ones;
    const dueDays = monthEnds.filter((day) =>
      day.getUTCMonth() + 1 === month && (day.getUTCFullYear() - tens) % 2 === 0
    ).map((day) => day.toISOString().slice(0, 10));
    for (const end of monthEnds.slice(4 * 12, 16 * 12)) {
      // What can change between two days changes at the end of a month.
      for (const offset of [-1, 0, 1, 15]) {
        const today = new Date(end.getTime() + offset * DAY_MS).toISOString().slice(0, 10);
        const at = dueDays.findIndex((day) => day >= today);
        const { rule: _, ...got } = schedule(1200 + pair, today);
        assert.deepEqual(got, {
          dot: String(1200 + pair),
          next_due: dueDays[at],
          previous_due: dueDays[at - 1],
          month: names[month - 1],
          year_parity: tens % 2 === 0 ? "even" : "odd",
        }, `${pair} on ${today}`);
      }
    }
  }
});

Deno.test("mcs150Standing() never makes a later filing worse or its deadline earlier", () => {
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
