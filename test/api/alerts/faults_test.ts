import assert from "node:assert/strict";
import fc from "fast-check";
import type { KvFault } from "../state/fake_kv.ts";
import { act, DAY_MS, HOUR_MS, linkIn, type Process, World } from "./world.ts";

const FAULTS = ["error", "lost", "conflict"] as const satisfies KvFault[];
const DOTS = [1005, 1015, 1025, 2005, 2015];

/** Five subscriptions of three mailboxes, each with a change of its carrier on a new day. */
async function withNews(): Promise<{ world: World; processes: Process[] }> {
  const world = new World();
  world.publish(DOTS.map((dot) => ({ dot })));
  const processes = [world.process(), world.process()];
  for (const mailbox of [0, 1, 2]) {
    const dots = DOTS.filter((dot) => dot % 3 === mailbox);
    await world.subscribe(processes[0]!, `x${mailbox}@b.co`, ...dots);
  }
  world.clock.advance(DAY_MS);
  world.publish(DOTS.map((dot) => ({ dot, status: "I" })));
  world.server.handedOver.length = 0;
  return { world, processes };
}

/** Sends the rest. Returns how many emails were handed over, none twice. */
async function finish(world: World): Promise<number> {
  const { alerts } = world.process();
  for (let hour = 0; hour < 14; hour++) {
    await alerts.sweep();
    world.clock.advance(HOUR_MS);
  }
  assert.deepEqual(world.due, []);
  assert.deepEqual(world.subscriptions.map(({ seen }) => seen.status), DOTS.map(() => "inactive"));
  const links = world.server.handedOver.map(linkIn);
  assert.equal(new Set(links).size, links.length, "twice");
  return links.length;
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
          // Claims end in the middle of anything.
          world.clock.advance(jumps[turns++ % jumps.length]!);
        };
        world.kv.options = { turn };
        world.server.turn = turn;
        await scheduler.waitFor(Promise.all(processes.map(async ({ alerts }) => {
          for (let round = 0; round < 3; round++) await alerts.sweep();
        })));
        world.kv.options = {};
        world.server.turn = () => Promise.resolve();
        const count = await finish(world);
        assert.ok(count + world.unknown >= DOTS.length, "a mail was lost and not counted");
        unknown += world.unknown;
      },
    ),
    { numRuns: 50 },
  );
  assert.ok(unknown > 5, `only ${unknown} claims ended before their time`);
});

for (const fault of FAULTS) {
  for (const lasting of [false, true]) {
    const how = lasting ? "from the n-th call of the store on" : "at the n-th call of the store";
    Deno.test(`each email goes out once with "${fault}" ${how}, for every n`, async () => {
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
        const count = await finish(world);
        const { unknown } = world;
        // A claim whose end could not be written counts as unknown, though the email went out.
        assert.ok(count <= DOTS.length && count + unknown >= DOTS.length, `${count} n=${n}`);
        // One failure alone is always got over.
        if (!lasting) assert.deepEqual([count, unknown], [DOTS.length, 0], `n=${n}`);
        if (!hit) {
          assert.ok(n > 15, `only ${n} calls`);
          break;
        }
        if (lasting && n > 60) break;
      }
    });
  }

  Deno.test(`subscriptions come and go whole with "${fault}" at the n-th call of the store, for every n`, async () => {
    for (let n = 1;; n++) {
      const world = new World();
      world.publish(DOTS.map((dot) => ({ dot })));
      let hit = false;
      world.kv.options = {
        fault: ({ number }) => {
          if (number !== n) return undefined;
          hit = true;
          return fault;
        },
      };
      const { alerts } = world.process();
      const wish = { address: "jane@b.co", dots: DOTS.slice(0, 2), client: "a" };
      const links: string[] = [];
      for (let tries = 0; tries < 3 && links.length === 0; tries++) {
        const { outcome } = await alerts.signUp(wish);
        assert.ok(outcome === "accepted" || outcome === "unavailable", outcome);
        world.clock.advance(HOUR_MS);
        await alerts.sweep();
        links.push(...world.mails().map(linkIn));
      }
      // Also with a lost answer there is one email, not two.
      assert.equal(links.length, 1, `n=${n}`);
      const confirmed = await twice(() => act(alerts, "confirm", links[0]!));
      assert.ok(confirmed === "found", `n=${n} ${confirmed}`);
      assert.equal(world.subscriptions.length, 2);
      const { link } = world.subscriptions[0]!;
      assert.equal(await twice(() => act(alerts, "unsubscribe", link, "all")), "found");
      assert.deepEqual(world.subscriptions, []);
      if (!hit) return assert.ok(n > 10, `only ${n} calls`);
    }
  });
}

/** The outcome, of a second try when the store failed. */
async function twice(work: () => Promise<{ outcome: string }>): Promise<string> {
  const { outcome } = await work();
  return outcome === "unavailable" ? (await work()).outcome : outcome;
}
