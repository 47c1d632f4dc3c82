import assert from "node:assert/strict";
import { StorageBudget } from "../../../api/state/limits.ts";
import { TestClock } from "../../pipeline/snapshot/memory.ts";

const HOUR_MS = 3_600_000;

Deno.test("StorageBudget bounds what a client stores and what all do, until it expires", () => {
  const clock = new TestClock();
  const budget = new StorageBudget(clock, { perClient: 100_000, total: 250_000 });
  const fill = (client: string, ms: number): number => {
    for (let taken = 0;; taken++) {
      try {
        budget.take(client, 20_000, ms);
      } catch (error) {
        const { code, retryAfter } = error as { code: string; retryAfter: number };
        assert.ok(retryAfter >= 1 && retryAfter <= 3_600);
        assert.equal(code, taken === 5 ? "rate_limited" : "upstream_unavailable");
        return taken;
      }
    }
  };
  assert.equal(fill("a", HOUR_MS), 5);
  assert.equal(fill("b", 24 * HOUR_MS), 5);
  assert.equal(fill("c", HOUR_MS), 2);
  clock.advance(HOUR_MS);
  assert.equal(fill("c", HOUR_MS), 5, "what was stored for an hour no longer counts");
  assert.throws(() => budget.take("b", 1, HOUR_MS), { code: "rate_limited" });
});

Deno.test("StorageBudget counts the least values as a kilobyte", () => {
  const budget = new StorageBudget(new TestClock(), { perClient: 10 * 1024, total: 1e9 });
  for (let i = 0; i < 10; i++) budget.take("a", 1, HOUR_MS);
  assert.throws(() => budget.take("a", 1, HOUR_MS), { code: "rate_limited" });
});
