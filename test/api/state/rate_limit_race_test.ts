import assert from "node:assert/strict";
import fc from "fast-check";
import { LIMIT, World } from "./rate_limit_world.ts";

/** Lets everything run that one released call sets off, so that a use is noted at its own time. */
async function settled(work: () => Promise<void>): Promise<void> {
  await work();
  for (let i = 0; i < 50; i++) await Promise.resolve();
}

Deno.test("RateLimiter.take() keeps to the limit however reads and commits interleave", async () => {
  const plan = fc.record({
    processes: fc.integer({ min: 2, max: 3 }),
    takes: fc.array(fc.nat(2), { minLength: LIMIT, maxLength: 14 }),
    ticks: fc.array(fc.constantFrom(1, 2_499, 2_500, 57_500, 59_999, 60_000), { maxLength: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.scheduler({ act: settled }), plan, async (scheduler, plan) => {
      const { processes, takes, ticks } = plan;
      const turn = (label: string): Promise<void> => scheduler.schedule(Promise.resolve(), label);
      const world = new World({ processes, turn });
      for (const ms of ticks) turn(`${ms} ms pass`).then(() => world.clock.passed += ms);
      const decisions = await scheduler.waitFor(
        Promise.all(takes.map((process) => world.take(process % processes, "a"))),
      );
      world.check();
      assert.equal(world.uses.filter(({ degraded }) => degraded).length, 0);
      const accepted = decisions.filter((decision) => decision.accepted).length;
      // One by one with no time passing, each process's first gets a permit while any is left.
      assert.ok(accepted >= Math.min(1, takes.length));
      if (processes === 2 && new Set(takes.map((process) => process % 2)).size === 1) {
        assert.ok(accepted >= LIMIT);
      }
    }),
    { numRuns: 300 },
  );
});
