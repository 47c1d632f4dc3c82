import assert from "node:assert/strict";
import fc from "fast-check";
import { type Found, KEEP_MS, planRetention } from "../../../pipeline/publish/retention.ts";

const DAY = 86_400_000;
const NOW = 100 * DAY;

function daily(count: number): Found[] {
  return Array.from({ length: count }, (_, i) => ({
    id: `day-${i}`,
    isWhole: true,
    modified: NOW - i * DAY,
  }));
}

function gone(plan: Map<string, string | null>): string[] {
  return [...plan].flatMap(([id, kept]) => kept === null ? id : []);
}

Deno.test("planRetention() keeps a snapshot for seven days after it was current", () => {
  const plan = planRetention(daily(12), { named: new Set(["day-0", "day-1"]), now: NOW });
  // Day 8 was published 8 days ago and was current until 7 days ago.
  assert.deepEqual(gone(plan), ["day-8", "day-9", "day-10", "day-11"]);
});

Deno.test("planRetention() keeps the newest three and what the pointer names, however old", () => {
  const old = daily(5).map((found) => ({ ...found, modified: found.modified - 60 * DAY }));
  const plan = planRetention(old, { named: new Set(["day-4"]), now: NOW });
  assert.deepEqual(gone(plan), ["day-3"]);
});

Deno.test("planRetention() keeps an upload that broke off for a day", () => {
  const found: Found[] = [
    { id: "fresh", isWhole: false, modified: NOW - DAY / 2 },
    { id: "stale", isWhole: false, modified: NOW - 2 * DAY },
    { id: "named", isWhole: false, modified: NOW - 20 * DAY },
  ];
  assert.deepEqual(gone(planRetention(found, { named: new Set(["named"]), now: NOW })), ["stale"]);
});

Deno.test("planRetention() of any store keeps what it promises and plans for each snapshot", () => {
  const found = fc.uniqueArray(
    fc.record({
      id: fc.stringMatching(/^[a-z]{1,4}$/),
      isWhole: fc.boolean(),
      modified: fc.integer({ min: NOW - 30 * DAY, max: NOW }),
    }),
    { selector: ({ id }) => id, maxLength: 20 },
  );
  fc.assert(fc.property(found, fc.nat(20), (found, pick) => {
    const named = new Set(found.filter((_, i) => i === pick).map(({ id }) => id));
    const plan = planRetention(found, { named, now: NOW });
    assert.equal(plan.size, found.length);
    for (const { id, modified } of found) {
      if (named.has(id)) assert.notEqual(plan.get(id), null);
      // Never goes before seven days, or one for a part, have passed since it was written
      if (plan.get(id) === null) assert.ok(NOW - modified >= DAY);
    }
    const whole = found.filter(({ isWhole }) => isWhole);
    const kept = whole.filter(({ id }) => plan.get(id) !== null);
    assert.ok(kept.length >= Math.min(3, whole.length));
    for (const { id, modified } of whole) {
      if (plan.get(id) === null) assert.ok(NOW - modified >= KEEP_MS);
    }
  }));
});
