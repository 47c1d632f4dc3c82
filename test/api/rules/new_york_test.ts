import assert from "node:assert/strict";
import fc from "fast-check";
import { NewYorkDay, newYorkToday, nextNewYorkMidnight } from "../../../api/rules/new_york.ts";
import { formatDate, parseDate } from "../../../pipeline/dates.ts";

Deno.test("nextNewYorkMidnight() is the first instant of the next day", () => {
  fc.assert(
    fc.property(fc.integer({ min: Date.UTC(1970, 0, 2), max: Date.UTC(2060, 0, 1) }), (ms) => {
      const midnight = nextNewYorkMidnight(ms);
      const tomorrow = formatDate(parseDate(newYorkToday(ms)) + 1);
      assert.ok(midnight > ms);
      assert.equal(newYorkToday(midnight), tomorrow);
      assert.equal(newYorkToday(midnight - 1), newYorkToday(ms));
    }),
    { numRuns: 500 },
  );
  const [before, midnight] = ["2026-11-01T05:30:00Z", "2026-11-02T05:00Z"].map(Date.parse);
  assert.equal(nextNewYorkMidnight(before!), midnight);
  assert.throws(() => newYorkToday(NaN), RangeError);
});

Deno.test("NewYorkDay is the day of each instant, also at midnight and after the clock moved back", () => {
  const day = new NewYorkDay();
  const midnight = Date.parse("2026-11-02T05:00Z");
  for (const ms of [0, 1, -1, -2, 0, -86_400_000, 86_400_000, 86_399_999]) {
    const now = midnight + ms;
    assert.deepEqual(day.at(now), {
      today: newYorkToday(now),
      now,
      dayEnds: nextNewYorkMidnight(now),
    });
  }
});
