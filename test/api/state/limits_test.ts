import assert from "node:assert/strict";
import { Pacer, StorageBudget } from "../../../api/state/limits.ts";
import { steady, until } from "../../until.ts";
import { TestClock } from "../../pipeline/snapshot/memory.ts";

Deno.test("Pacer starts work in order, 64 pieces at a time, and only 8 during foreground requests", async () => {
  const foreground = { open: 0, cameAt: -Infinity };
  const pacer = new Pacer(foreground);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const work = Array.from({ length: 200 }, (_, n) =>
    pacer.run(() => {
      begun.push(n);
      return new Promise<void>((resolve) => ends.push(resolve));
    }));
  const inFlight = async (most: number): Promise<void> => {
    await until("pieces are in flight", () => ends.length >= most);
    assert.equal(await steady(() => ends.length), most);
  };
  await inFlight(64);
  foreground.open = 1;
  for (const end of ends.splice(0)) end();
  await inFlight(8);
  foreground.open = 0;
  await until("all have begun", () => {
    for (const end of ends.splice(0)) end();
    return begun.length === 200;
  });
  for (const end of ends.splice(0)) end();
  await Promise.all(work);
  assert.deepEqual(begun, [...begun.keys()]);
});

const HOUR_MS = 3_600_000;

Deno.test("StorageBudget limits what each client and all clients store, until it expires", () => {
  const clock = new TestClock();
  const fill = (budget: StorageBudget, client: string, bytes: number, ms = HOUR_MS): string => {
    for (let taken = 0;; taken++) {
      try {
        budget.take(client, bytes, ms);
      } catch (error) {
        const { code, retryAfter } = error as { code: string; retryAfter: number };
        assert.ok(retryAfter >= 1 && retryAfter <= 3_600);
        return `${taken} ${code}`;
      }
    }
  };
  const budget = new StorageBudget(clock, { perClient: 100_000, total: 250_000 });
  assert.equal(fill(budget, "a", 20_000), "5 rate_limited");
  assert.equal(fill(budget, "b", 20_000, 24 * HOUR_MS), "5 rate_limited");
  assert.equal(fill(budget, "c", 20_000), "2 upstream_unavailable");
  clock.advance(HOUR_MS);
  assert.equal(fill(budget, "c", 20_000), "5 rate_limited", "an hour's values no longer count");
  assert.equal(fill(budget, "b", 1), "0 rate_limited");
  // A clock that was a year ahead for a moment.
  clock.advance(365 * 24 * HOUR_MS);
  assert.equal(fill(budget, "d", 20_000), "5 rate_limited");
  clock.advance(-365 * 24 * HOUR_MS);
  assert.notEqual(fill(budget, "d", 20_000), "0 rate_limited");
  // The smallest values count as a kilobyte.
  const small = new StorageBudget(clock, { perClient: 10 * 1024, total: 1e9 });
  assert.equal(fill(small, "a", 1), "10 rate_limited");
});
