import assert from "node:assert/strict";
import fc from "fast-check";
import { takeLease } from "../../../pipeline/publish/lease.ts";
import { rollback } from "../../../pipeline/publish/rollback.ts";
import { gc, KEEP_MS, planRetention, statusOf } from "../../../pipeline/publish/status.ts";
import { builtContent, contentOf, MovedClock, published } from "./world.ts";

const DAY = 86_400_000;
const NOW = 100 * DAY;
const OLD = "2026-09-01-0000000000000000";
const HERE = { clock: new MovedClock(), owner: "a test" };

/** A bucket with the two days, and under old names copies of the first, each a day older. */
async function stocked(...ids: string[]) {
  const at = await published(1);
  const root = `s/${at.first.id}/`;
  for (const [i, id] of ids.entries()) {
    for (const [key, stored] of [...at.server.objects]) {
      if (!key.startsWith(root)) continue;
      const modified = stored.modified - (i + 30) * DAY;
      at.server.objects.set(`s/${id}/${key.slice(root.length)}`, { ...stored, modified });
    }
  }
  await at.publish(at.second);
  return at;
}

Deno.test("gc() removes what is old, all of it, and nothing else", async () => {
  await using at = await stocked("older-1", "older-2", OLD);
  const { store, server: { objects } } = at;
  const fresh = objects.get("current.json")!;
  objects.set("s/broken-today/carriers/1.json.gz", fresh);
  const old = { ...fresh, modified: fresh.modified - 2 * DAY };
  objects.set("s/broken-before/carriers/1.json.gz", old);
  const before = await contentOf(store);
  const { snapshots: planned } = await statusOf(store, HERE);
  assert.deepEqual(await gc(store, HERE), planned);
  const removed = planned.filter(({ kept }) => kept === null).map(({ id }) => id);
  assert.deepEqual(removed.sort(), [OLD, "broken-before", "older-2"]);
  const expected = [...before].filter(([path]) => !removed.some((id) => path.includes(id)));
  assert.deepEqual([...await contentOf(store)], expected);
  const kept = new Set((await statusOf(store, HERE)).snapshots.map(({ kept }) => kept));
  const whys = [
    "the pointer names it",
    "one of the newest 3",
    "not whole, uploaded in the last day",
  ];
  assert.deepEqual(kept, new Set(whys));
});

Deno.test("gc() stopped at any delete leaves a remainder that rollback refuses and the next gc removes", async () => {
  let ended = false;
  for (let stopAt = 1; !ended; stopAt++) {
    await using at = await stocked("older-1", OLD);
    const { server, store } = at;
    const stop = new AbortController();
    let deletes = 0;
    server.way.before = ({ method }) => {
      if (method === "POST" && ++deletes === stopAt) stop.abort(new Error("Interrupted"));
    };
    ended = await gc(store, { ...HERE, signal: stop.signal }).then(() => true, () => false);
    server.way.before = () => {};
    const left = [...server.objects.keys()].filter((key) => key.startsWith(`s/${OLD}/`));
    if (left.length > 0 && left.length < builtContent(at.first).size) {
      assert.ok(!server.objects.has(`s/${OLD}/manifest.json`), left.join());
      await assert.rejects(rollback(store, { ...HERE, to: OLD }), /no whole snapshot/);
    }
    await gc(store, HERE);
    assert.ok(!(await store.folders("s/")).includes(OLD));
    assert.ok(!ended || stopAt > 2, `${stopAt}`);
  }
});

Deno.test("gc() does not wait: it refuses while another publisher works", async () => {
  await using at = await stocked("older-1", OLD);
  await using _held = await takeLease(at.store, { ...HERE, owner: "runner one" });
  await assert.rejects(gc(at.store, HERE), /runner one has the lease until/);
  assert.ok((await at.store.folders("s/")).includes(OLD));
  assert.equal((await statusOf(at.store, HERE)).lease?.owner, "runner one");
});

Deno.test("statusOf() counts the objects of a store as publish() sent them", async () => {
  await using at = await published(0);
  assert.equal((await statusOf(at.store, HERE)).pointer, null);
  const { objects, bytes } = await at.publish(at.first);
  const days = () => Math.floor((Date.now() - Date.parse("2026-10-03")) / DAY);
  const least = days();
  const { pointer, age_days, snapshots } = await statusOf(at.store, HERE);
  assert.equal(pointer?.snapshot, at.first.id);
  assert.ok(age_days! >= least && age_days! <= days(), String(age_days));
  assert.partialDeepStrictEqual(snapshots, [{
    id: at.first.id,
    isWhole: true,
    data_date: "2026-10-03",
    objects,
    bytes,
  }]);
});

Deno.test("planRetention() keeps a snapshot for seven days after it was current", () => {
  const found = Array.from({ length: 12 }, (_, i) => ({
    id: `day-${i}`,
    isWhole: true,
    modified: NOW - i * DAY,
  }));
  const plan = planRetention(found, { named: new Set(["day-0", "day-1"]), now: NOW });
  const gone = [...plan].flatMap(([id, kept]) => kept === null ? id : []);
  // Day 8 was published 8 days ago and was current until 7 days ago.
  assert.deepEqual(gone, ["day-8", "day-9", "day-10", "day-11"]);
});

Deno.test("planRetention() of any store keeps what it promises and plans for each snapshot", () => {
  const found = fc.uniqueArray(
    fc.record({
      id: fc.stringMatching(/^[a-z]{1,4}$/),
      isWhole: fc.boolean(),
      modified: fc.integer({ min: NOW - 30 * DAY, max: NOW }),
    }),
    { selector: ({ id }) => id, maxLength: 20 },
  );
  fc.assert(fc.property(found, fc.nat(20), (found, pick) => {
    const named = new Set(found.filter((_, i) => i === pick).map(({ id }) => id));
    const plan = planRetention(found, { named, now: NOW });
    assert.equal(plan.size, found.length);
    for (const { id, modified } of found) {
      if (named.has(id)) assert.notEqual(plan.get(id), null);
      // Never goes before seven days, or one for a part, have passed since it was written
      if (plan.get(id) === null) assert.ok(NOW - modified >= DAY);
    }
    const whole = found.filter(({ isWhole }) => isWhole);
    const kept = whole.filter(({ id }) => plan.get(id) !== null);
    assert.ok(kept.length >= Math.min(3, whole.length));
    for (const { id, modified } of whole) {
      if (plan.get(id) === null) assert.ok(NOW - modified >= KEEP_MS);
    }
  }));
});
