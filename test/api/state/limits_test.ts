import assert from "node:assert/strict";
import fc from "fast-check";
import { Pacer, Slots, StorageBudget } from "../../../api/state/limits.ts";
import { steady, until } from "../../until.ts";
import { TestClock } from "../../pipeline/snapshot/memory.ts";

const LIMITS = { total: 3, perClient: 2, waiting: 4, waitingPerClient: 3, patienceMs: 1_000 };

/** Slots whose patience a test ends. */
function slotsOf(limits = LIMITS) {
  const timers = new Set<() => void>();
  const slots = new Slots(limits, (ms, then) => {
    assert.equal(ms, limits.patienceMs);
    timers.add(then);
    return () => void timers.delete(then);
  });
  return { slots, timers };
}

Deno.test("Slots never exceeds its limits, in all and for one client, and no one waits while a slot is free", async () => {
  const step = fc.oneof(
    fc.constantFrom("a", "b", "c").map((client) => ({ take: client })),
    fc.nat(5).map((give) => ({ give })),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60, size: "max" }), async (steps) => {
      const { slots } = slotsOf({ ...LIMITS, waiting: 1_000, waitingPerClient: 1_000 });
      const taken: { client: string; give: () => void }[] = [];
      const waiting: string[] = [];
      for (const step of steps) {
        if ("take" in step) {
          const client = step.take;
          waiting.push(client);
          void slots.take(client).then((give) => {
            waiting.splice(waiting.indexOf(client), 1);
            taken.push({ client, give });
          });
        } else {
          const [first] = taken.splice(step.give % (taken.length || 1), 1);
          first?.give();
          // A second time it has no effect.
          first?.give();
        }
        for (let i = 0; i < 5; i++) await Promise.resolve();
        const own = (client: string): number => taken.filter((one) => one.client === client).length;
        assert.ok(taken.length <= LIMITS.total);
        for (const client of ["a", "b", "c"]) assert.ok(own(client) <= LIMITS.perClient);
        const free = (client: string): boolean =>
          taken.length < LIMITS.total && own(client) < LIMITS.perClient;
        assert.ok(!waiting.some(free));
      }
    }),
  );
});

Deno.test("Slots refuses who would wait behind too many, and who has waited long enough", async () => {
  const { slots, timers } = slotsOf();
  const gives = [await slots.take("a"), await slots.take("a"), await slots.take("b")];
  const busy = { code: "upstream_unavailable", retryAfter: 5 };
  const waiting = [slots.take("a"), slots.take("a"), slots.take("a")];
  await assert.rejects(slots.take("a"), busy);
  const last = slots.take("c");
  await assert.rejects(slots.take("d"), busy);
  const [first] = timers;
  timers.delete(first!);
  first!();
  await assert.rejects(waiting[0]!, busy);
  gives[2]!();
  (await last)();
  gives[0]!();
  (await waiting[1]!)();
  (await waiting[2]!)();
  assert.equal(timers.size, 0);
});

Deno.test("Pacer begins work in order, of which 64 pieces are in flight, and 8 beside foreground requests", async () => {
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

Deno.test("StorageBudget bounds what a client stores and what all do, until it expires", () => {
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
  // The least values count as a kilobyte.
  const small = new StorageBudget(clock, { perClient: 10 * 1024, total: 1e9 });
  assert.equal(fill(small, "a", 1), "10 rate_limited");
});
