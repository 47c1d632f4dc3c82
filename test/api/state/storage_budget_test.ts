import assert from "node:assert/strict";
import { ServiceError } from "../../../api/operations/errors.ts";
import { KvUnavailable } from "../../../api/state/kv.ts";
import { StorageBudget } from "../../../api/state/storage_budget.ts";
import { TestClock } from "../../pipeline/snapshot/memory.ts";

const HOUR_MS = 3_600_000;

/** Stores values of so many bytes until one is refused; returns how many were stored, and the code. */
async function fill(
  budget: StorageBudget,
  client: string,
  bytes: number,
  { ms = HOUR_MS, first = true } = {},
): Promise<string> {
  for (let taken = 0; taken < 100; taken++) {
    try {
      await budget.charge({ client, bytes, ms }, () => Promise.resolve({ first }));
    } catch (error) {
      const { code, retryAfter } = error as { code: string; retryAfter: number };
      assert.ok(retryAfter >= 1 && retryAfter <= 3_600);
      return `${taken} ${code}`;
    }
  }
  return "never";
}

Deno.test("StorageBudget limits what each client and all clients store, until it expires", async () => {
  const clock = new TestClock();
  const budget = new StorageBudget(clock, { perClient: 100_000, total: 240_000 });
  assert.equal(await fill(budget, "a", 20_000), "5 rate_limited");
  assert.equal(await fill(budget, "b", 20_000, { ms: 24 * HOUR_MS }), "5 rate_limited");
  assert.equal(await fill(budget, "c", 20_000), "2 upstream_unavailable");
  clock.advance(HOUR_MS);
  assert.equal(
    await fill(budget, "c", 20_000),
    "5 rate_limited",
    "an hour's values no longer count",
  );
  assert.equal(await fill(budget, "b", 1), "0 rate_limited");
  // A clock that was a year ahead for a moment.
  clock.advance(365 * 24 * HOUR_MS);
  assert.equal(await fill(budget, "d", 20_000), "5 rate_limited");
  clock.advance(-365 * 24 * HOUR_MS);
  assert.notEqual(await fill(budget, "d", 20_000), "0 rate_limited");
  // What was stored for a day by a clock an hour ahead counts; by a clock two hours ahead, not.
  for (const [ahead, then] of [[HOUR_MS, "0"], [2 * HOUR_MS, "5"]] as const) {
    const budget = new StorageBudget(clock, { perClient: 100_000, total: 240_000 });
    clock.advance(ahead);
    assert.equal(await fill(budget, "a", 20_000, { ms: 24 * HOUR_MS }), "5 rate_limited");
    clock.advance(-ahead);
    assert.equal(await fill(budget, "a", 20_000), `${then} rate_limited`);
  }
  // The smallest values count as a kilobyte.
  const small = new StorageBudget(clock, { perClient: 10 * 1024, total: 1e9 });
  assert.equal(await fill(small, "a", 1), "10 rate_limited");
});

// A client that repeated a request with its key was charged for each repetition, up to "rate limited".
Deno.test("StorageBudget charges only what was stored, or may have been", async () => {
  const budget = new StorageBudget(new TestClock(), { perClient: 100_000, total: 250_000 });
  const value = { client: "a", bytes: 20_000, ms: HOUR_MS };
  assert.equal(await fill(budget, "a", 20_000, { first: false }), "never");
  for (let n = 0; n < 10; n++) {
    const reused = new ServiceError("idempotency_key_reused", "Cannot use this key");
    await assert.rejects(budget.charge(value, () => Promise.reject(reused)), reused);
  }
  for (let n = 0; n < 3; n++) {
    const lost = new KvUnavailable("the commit was not confirmed");
    await assert.rejects(budget.charge(value, () => Promise.reject(lost)), lost);
  }
  assert.equal(await fill(budget, "a", 20_000), "2 rate_limited");
});

Deno.test("StorageBudget says when the next values expire: at the next full hour", async () => {
  const clock = new TestClock();
  const budget = new StorageBudget(clock, { perClient: 10_000, total: 250_000 });
  clock.advance(HOUR_MS - clock.now() % HOUR_MS);
  const store = () => Promise.resolve({ first: true });
  for (const retryAfter of [3_600, 900]) {
    await assert.rejects(budget.charge({ client: "a", bytes: 10_001, ms: HOUR_MS }, store), {
      code: "rate_limited",
      retryAfter,
    });
    clock.advance(0.75 * HOUR_MS);
  }
});
