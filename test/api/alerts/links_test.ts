import assert from "node:assert/strict";
import type { KvFault } from "../state/fake_kv.ts";
import { DAY_MS, HOUR_MS, tokenIn, World } from "./world.ts";

const DOT = 295011;
const JANE = "jane@b.co";

function published(): World {
  const world = new World();
  world.publish([{ dot: DOT }, { dot: 295012 }]);
  return world;
}

Deno.test("links still work when alerts are off", async () => {
  const world = published();
  const { alerts } = world.process();
  await world.subscribe(world.process(), { address: JANE, dot: DOT });
  await alerts.signUp({ address: JANE, dot: DOT, client: "b" });
  await alerts.sweep();
  const token = tokenIn(world.mails()[0]!);
  const off = world.process(null).alerts;
  assert.equal((await off.unsubscribe(token)).outcome, "found");
});

Deno.test("what is not confirmed is deleted, by itself and by the daily run", async () => {
  const world = published();
  const { alerts } = world.process();
  await alerts.signUp({ address: JANE, dot: DOT, client: "a" });
  await alerts.sweep();
  const token = tokenIn(world.mails()[0]!);
  world.clock.advance(2 * DAY_MS - 1);
  assert.equal((await alerts.describe(token)).outcome, "found");
  world.clock.advance(1);
  assert.deepEqual(await alerts.confirm(token), { outcome: "unknown" });
  await alerts.sweep();
  assert.deepEqual(world.mailboxes, []);
});

Deno.test("unsubscribe() deletes the address, ends mails on their way, and leaves other subscriptions", async () => {
  const world = published();
  const process = world.process();
  const { alerts } = process;
  await world.subscribe(process, { address: JANE, dot: DOT });
  await world.subscribe(process, { address: JANE, dot: 295012 });
  world.clock.advance(DAY_MS);
  world.server.outcome = () => "later";
  world.publish([{ dot: DOT, status: "I" }]);
  await alerts.sweep();
  const [waiting] = world.waiting;
  const token = /unsubscribe\/([\w-]+)/.exec(waiting!.text)![1]!;
  const found = { outcome: "found", purpose: "unsubscribe", dot: DOT };
  assert.deepEqual(await alerts.describe(token), found);
  assert.deepEqual(await alerts.confirm(token), { outcome: "unknown" });
  assert.deepEqual(await alerts.unsubscribe(token), found);
  assert.deepEqual(await alerts.unsubscribe(token), { outcome: "unknown" });
  world.server.outcome = () => "sent";
  world.clock.advance(HOUR_MS);
  await alerts.sweep();
  assert.deepEqual([world.mails(), world.waiting], [[], []]);
  assert.deepEqual(world.mailboxes[0]!.subscriptions.map(({ dot }) => dot), [295012]);
});

for (const fault of ["error", "lost", "conflict"] satisfies KvFault[]) {
  Deno.test(`a subscription comes and goes whole with "${fault}" at the n-th call of the store, for every n`, async () => {
    for (let n = 1;; n++) {
      const world = published();
      let hit = false;
      world.kv.options = {
        fault: ({ number }) => {
          if (number !== n) return undefined;
          hit = true;
          return fault;
        },
      };
      const { alerts } = world.process();
      const wish = { address: JANE, dot: DOT, client: "a" };
      const tokens: string[] = [];
      for (let tries = 0; tries < 3 && tokens.length === 0; tries++) {
        const { outcome } = await alerts.signUp(wish);
        assert.ok(outcome === "accepted" || outcome === "unavailable", outcome);
        world.clock.advance(HOUR_MS);
        await alerts.sweep();
        tokens.push(...world.mails().map(tokenIn));
      }
      // Also with a lost answer there is one mail, not two.
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
