import assert from "node:assert/strict";
import { KV_FAULTS, type KvFault } from "../state/fake_kv.ts";
import { act, changeAll, HOUR_MS, linkIn, published, type World } from "./world.ts";

const DOTS = [1005, 1015, 1025, 2005, 2015];

/** Five subscriptions in three mailboxes, on a new day on which all their carriers have changed. */
async function withNews() {
  const { world, process, alerts } = published(DOTS);
  for (const mailbox of [0, 1, 2]) {
    const dots = DOTS.filter((dot) => dot % 3 === mailbox);
    await world.subscribe(process, `x${mailbox}@b.co`, ...dots);
  }
  changeAll(world);
  world.server.handedOver.length = 0;
  return { world, alerts };
}

/** Sends the remaining emails. Returns how many were handed over, none of them twice. */
async function finish(world: World): Promise<number> {
  const { alerts } = world.process();
  for (let hour = 0; hour < 14; hour++) {
    await alerts.sweep();
    world.clock.advance(HOUR_MS);
  }
  assert.deepEqual(world.due, []);
  assert.deepEqual(
    world.subscriptions.map(({ seen }) => seen.data_date),
    DOTS.map(() => world.dataDate),
  );
  const links = world.server.handedOver.map(linkIn);
  assert.equal(new Set(links).size, links.length, "twice");
  return links.length;
}

/** Makes the n-th store call from now fail, or also all later ones. Returns whether that call was made. */
function failAt(
  { kv }: World,
  n: number,
  { fault, lasting = false }: { fault: KvFault; lasting?: boolean },
): () => boolean {
  const before = kv.calls.length;
  kv.options.fault = ({ number }) =>
    number - before === n || (number - before > n && lasting) ? fault : undefined;
  return () => kv.calls.length - before >= n;
}

Deno.test("each email is sent once when the n-th store call fails, or all from it on, for every n", async () => {
  const cases = KV_FAULTS.flatMap((fault) => [false, true].map((lasting) => ({ fault, lasting })));
  for (const { fault, lasting } of cases) {
    let n = 1;
    for (let wasHit = true; wasHit && n <= 60; n++) {
      const { world, alerts } = await withNews();
      const hit = failAt(world, n, { fault, lasting });
      await alerts.sweep();
      wasHit = hit();
      world.kv.options = {};
      const count = await finish(world);
      const { unknown } = world;
      // An email counts as unknown if its result couldn't be stored, even if it was sent.
      const where = `${count}, ${unknown} with ${fault} at ${n}`;
      assert.ok(count <= DOTS.length && count + unknown >= DOTS.length, where);
      // A single failure is always recovered from.
      if (!lasting) assert.deepEqual([count, unknown], [DOTS.length, 0], where);
    }
    assert.ok(n > 15, `only ${n} calls`);
  }
});

Deno.test("subscriptions are stored and deleted completely or not at all when the n-th store call fails, for every n", async () => {
  for (const fault of KV_FAULTS) {
    let n = 1;
    for (let hit = () => true; hit(); n++) {
      const { world, alerts } = published(DOTS);
      hit = failAt(world, n, { fault });
      const wish = { address: "jane@b.co", dots: DOTS.slice(0, 2), client: "a" };
      const links: string[] = [];
      for (let tries = 0; tries < 3 && links.length === 0; tries++) {
        const { outcome } = await alerts.signUp(wish);
        assert.ok(outcome === "accepted" || outcome === "unavailable", outcome);
        world.clock.advance(HOUR_MS);
        await alerts.sweep();
        links.push(...world.mails().map(linkIn));
      }
      // There is one email, not two, even when the answer is lost.
      assert.equal(links.length, 1, `${fault} at ${n}`);
      assert.equal(await twice(() => act(alerts, "confirm", links[0]!)), "found");
      assert.equal(world.subscriptions.length, 2);
      const { link } = world.subscriptions[0]!;
      assert.equal(await twice(() => act(alerts, "unsubscribe", link, "all")), "found");
      assert.deepEqual(world.subscriptions, []);
    }
    assert.ok(n > 10, `only ${n} calls`);
  }
});

/** The outcome of `work`, which is repeated once if the store was unavailable. */
async function twice(work: () => Promise<{ outcome: string }>): Promise<string> {
  const { outcome } = await work();
  return outcome === "unavailable" ? (await work()).outcome : outcome;
}
