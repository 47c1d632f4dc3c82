import assert from "node:assert/strict";
import fc from "fast-check";
import type { KvFault } from "../state/fake_kv.ts";
import { DAY_MS, HOUR_MS, type Process, tokenIn, World } from "./world.ts";

const DOTS = [1005, 1015, 1025, 2005, 2015];

/** Five subscriptions, each with a change of its carrier on a new day. */
async function withNews(): Promise<{ world: World; processes: Process[] }> {
  const world = new World();
  world.publish(DOTS.map((dot) => ({ dot })));
  const processes = [world.process(), world.process()];
  for (const dot of DOTS) {
    await world.subscribe(processes[0]!, { address: `x${dot % 3}@b.co`, dot });
  }
  world.clock.advance(DAY_MS);
  world.publish(DOTS.map((dot) => ({ dot, status: "I" })));
  world.server.fates.length = 0;
  return { world, processes };
}

/** What was handed to the server: each email once at most. Returns how many. */
function handedOver(world: World): number {
  assert.deepEqual(world.broken, []);
  const ids = world.server.fates.filter(({ outcome }) =>
    outcome === "sent" || outcome === "unknown"
  )
    .map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length, `twice: ${ids}`);
  return ids.length;
}

/** Emails that the log counts as unknown. */
function unknownOf({ logged }: World): number {
  const counts = [...logged.join().matchAll(/(\d+) unknown/g)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

async function finish(world: World): Promise<void> {
  const { alerts } = world.process();
  for (let hour = 0; hour < 60; hour++) {
    await alerts.sweep();
    world.clock.advance(HOUR_MS);
  }
  assert.deepEqual(world.waiting, []);
  const seen = world.mailboxes.flatMap(({ subscriptions }) => subscriptions);
  assert.deepEqual(seen.map(({ seen }) => seen.status), DOTS.map(() => "inactive"));
}

Deno.test("runners that race for a run and for its emails write each email once", async () => {
  let unknown = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 20_000, 61_000, 301_000), {
        minLength: 5,
        maxLength: 40,
      }),
      async (scheduler, jumps) => {
        const { world, processes } = await withNews();
        let turns = 0;
        const turn = async (label: string): Promise<void> => {
          await scheduler.schedule(Promise.resolve(), label);
          // Leases and claims end in the middle of anything.
          world.clock.advance(jumps[turns++ % jumps.length]!);
        };
        world.kv.options = { turn };
        world.server.turn = turn;
        await scheduler.waitFor(Promise.all(processes.map(async ({ alerts }) => {
          for (let round = 0; round < 3; round++) await alerts.sweep();
        })));
        world.kv.options = {};
        world.server.turn = () => Promise.resolve();
        await finish(world);
        const count = handedOver(world);
        assert.ok(count + unknownOf(world) >= DOTS.length, "a mail was lost and not counted");
        unknown += unknownOf(world);
      },
    ),
    { numRuns: 60 },
  );
  assert.ok(unknown > 5, `only ${unknown} claims ended before their time`);
});

for (const fault of ["error", "lost", "conflict"] satisfies KvFault[]) {
  for (const lasting of [false, true]) {
    const how = lasting ? "from the n-th call of the store on" : "at the n-th call of the store";
    Deno.test(`each email goes out once with "${fault}" ${how}, for every n`, async () => {
      let uncounted = 0;
      for (let n = 1;; n++) {
        const { world, processes } = await withNews();
        const before = world.kv.calls.length;
        let hit = false;
        world.kv.options = {
          fault: ({ number }) => {
            if (number - before < n || (number - before > n && !lasting)) return undefined;
            hit = true;
            return fault;
          },
        };
        await processes[0]!.alerts.sweep();
        world.kv.options = {};
        await finish(world);
        const unknown = unknownOf(world);
        const count = handedOver(world);
        // A claim whose end could not be written counts as unknown, though the email went out.
        assert.ok(count <= DOTS.length && count + unknown >= DOTS.length, `${count} n=${n}`);
        if (!lasting) assert.equal(count, DOTS.length, `n=${n}`);
        uncounted += unknown;
        if (!hit) {
          assert.ok(n > 15, `only ${n} calls`);
          break;
        }
        if (lasting && n > 60) break;
      }
      // One failure alone is always got over.
      if (!lasting) assert.equal(uncounted, 0);
    });
  }
}

for (const fault of ["error", "lost", "conflict"] satisfies KvFault[]) {
  Deno.test(`a subscription comes and goes whole with "${fault}" at the n-th call of the store, for every n`, async () => {
    for (let n = 1;; n++) {
      const world = new World();
      world.publish([{ dot: DOTS[0]! }]);
      let hit = false;
      world.kv.options = {
        fault: ({ number }) => {
          if (number !== n) return undefined;
          hit = true;
          return fault;
        },
      };
      const { alerts } = world.process();
      const wish = { address: "jane@b.co", dot: DOTS[0]!, client: "a" };
      const tokens: string[] = [];
      for (let tries = 0; tries < 3 && tokens.length === 0; tries++) {
        const { outcome } = await alerts.signUp(wish);
        assert.ok(outcome === "accepted" || outcome === "unavailable", outcome);
        world.clock.advance(HOUR_MS);
        await alerts.sweep();
        tokens.push(...world.mails().map(tokenIn));
      }
      // Also with a lost answer there is one email, not two.
      assert.equal(tokens.length, 1, `n=${n}`);
      const confirmed = await twice(() => alerts.confirm(tokens[0]!));
      assert.ok(confirmed === "found", `n=${n} ${confirmed}`);
      const { unsubscribe } = world.mailboxes[0]!.subscriptions[0]!;
      assert.equal(await twice(() => alerts.unsubscribe(unsubscribe)), "found");
      assert.deepEqual(world.mailboxes.flatMap(({ subscriptions }) => subscriptions), []);
      if (!hit) return assert.ok(n > 10, `only ${n} calls`);
    }
  });
}

/** The outcome, of a second try when the store failed. */
async function twice(work: () => Promise<{ outcome: string }>): Promise<string> {
  const { outcome } = await work();
  return outcome === "unavailable" ? (await work()).outcome : outcome;
}
