import assert from "node:assert/strict";
import fc from "fast-check";
import { BASE_URL, dotsUpTo, itemsOf, plainItem, World } from "./jobs_world.ts";

Deno.test("runners that race for a job give every item once, in order, and finish it once", async () => {
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.integer({ min: 2, max: 3 }),
      fc.array(fc.constantFrom(0, 0, 0, 0, 0, 0, 9_000, 31_000), { minLength: 5, maxLength: 40 }),
      async (scheduler, count, jumps) => {
        const world = new World();
        const dots = dotsUpTo(130);
        const processes = Array.from({ length: count }, () => world.process());
        const { id } = await processes[0]!.jobs.create({ client: "a", dots, baseUrl: BASE_URL });
        let turns = 0;
        world.kv.options = {
          turn: async (label) => {
            await scheduler.schedule(Promise.resolve(), label);
            // Leases end in the middle of whatever goes on.
            world.clock.advance(jumps[turns++ % jumps.length]!);
          },
        };
        for (const { runner } of processes) runner.kick(id!);
        await scheduler.waitFor(Promise.all(processes.map(async ({ runner }) => {
          for (let round = 0; round < 5; round++) {
            await runner.sweep();
            await runner.idle();
          }
        })));
        world.kv.options = {};
        await world.finishAll();
        const expected = dots.map((dot) => JSON.parse(plainItem(dot, "g1")));
        assert.deepEqual(await itemsOf(world.process(), id!), expected);
        world.check();
        assert.deepEqual(world.open, {});
        taken += world.record(id!).attempts - 1;
      },
    ),
    { numRuns: 150 },
  );
  assert.ok(taken > 5, `only ${taken} times was a job taken over`);
});

Deno.test("requests that race for the limit and for a key make what they may and no more", async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.integer({ min: 1, max: 5 }), async (scheduler, room) => {
      const world = new World({ limits: { clientItems: room, items: 100, jobs: 100 } });
      const processes = [world.process(), world.process(), world.process()];
      world.kv.options = {
        turn: async (label) => await scheduler.schedule(Promise.resolve(), label),
      };
      const ask = (i: number, key: string) =>
        processes[i % 3]!.jobs.create({
          client: "a",
          dots: [i],
          baseUrl: BASE_URL,
          idempotency: { key, fingerprint: "same" },
        });
      const keys = ["k", "k", "k", "l", "l", "m", "n", "o"];
      const results = await scheduler.waitFor(
        Promise.allSettled(keys.map((key, i) => ask(i, key))),
      );
      const made = new Set<string>();
      const bodies = new Map<string, string>();
      for (const [i, result] of results.entries()) {
        if (result.status === "rejected") {
          assert.equal(result.reason.code, "rate_limited", String(result.reason));
          continue;
        }
        const { id, response, replayed } = result.value;
        const body = new TextDecoder().decode(response.body);
        assert.equal(bodies.get(keys[i]!) ?? body, body);
        bodies.set(keys[i]!, body);
        assert.equal(id === null, replayed);
        if (id !== null) made.add(id);
      }
      assert.equal(made.size, Math.min(room, 5));
      assert.equal(bodies.size, made.size);
      assert.deepEqual(new Set(Object.keys(world.open)), made);
    }),
    { numRuns: 100 },
  );
});
