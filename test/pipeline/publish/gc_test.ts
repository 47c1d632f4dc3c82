import assert from "node:assert/strict";
import fc from "fast-check";
import { folderStore } from "../../../pipeline/publish/folder_store.ts";
import { gc } from "../../../pipeline/publish/gc.ts";
import { Lease } from "../../../pipeline/publish/lease.ts";
import { PROBE_PREFIX } from "../../../pipeline/publish/open_store.ts";
import { publish } from "../../../pipeline/publish/publish.ts";
import { rollback } from "../../../pipeline/publish/rollback.ts";
import { KEEP_MS, planRetention, statusOf } from "../../../pipeline/publish/status.ts";
import type { Store } from "../../../pipeline/publish/store.ts";
import { tempDir } from "../compile/files.ts";
import { type S3Server, serveS3 } from "./s3_server.ts";
import { bucketStore, builtContent, contentOf, MovedClock, options, twoDays } from "./world.ts";

const DAY = 86_400_000;
const NOW = 100 * DAY;
const OLD = "2026-09-01-0000000000000000";

/** A store with the two days, and under old names copies of the first. */
async function stocked(server: S3Server, ids: readonly string[]): Promise<Store> {
  const days = await twoDays();
  const store = bucketStore(server);
  await publish(days.first.source, store, options());
  const root = `s/${days.first.id}/`;
  for (const [i, id] of ids.entries()) {
    for (const [key, stored] of [...server.objects]) {
      if (!key.startsWith(root)) continue;
      const modified = stored.modified - (i + 30) * DAY;
      server.objects.set(`s/${id}/${key.slice(root.length)}`, { ...stored, modified });
    }
  }
  await publish(days.second.source, store, options());
  return store;
}

Deno.test("gc() removes what is old, all of it, and nothing else", async () => {
  await using server = serveS3({ pageSize: 4 });
  const store = await stocked(server, ["older-1", "older-2", OLD]);
  const before = await contentOf(store);
  const options = { clock: new MovedClock(), owner: "a test" };
  const dry = await gc(store, { ...options, isDryRun: true });
  assert.deepEqual(await contentOf(store), before);
  const removed: string[] = [];
  const found = await gc(store, { ...options, onRemove: ({ id }) => removed.push(id) });
  assert.deepEqual(found, dry);
  assert.deepEqual(removed, ["older-2", OLD]);
  const expected = [...before].filter(([path]) => !removed.some((id) => path.includes(id)));
  assert.deepEqual([...await contentOf(store)], expected);
  const { snapshots } = await statusOf(store, options);
  assert.deepEqual(snapshots.map(({ kept }) => kept), [
    "the pointer names it",
    "the pointer names it",
    "one of the newest 3",
  ]);
});

Deno.test("gc() removes an old snapshot from a folder, with its empty folders", async () => {
  await using dir = await tempDir();
  const days = await twoDays();
  const store = folderStore(dir.path, new MovedClock());
  await publish(days.first.source, store, options());
  for (const [i, id] of ["older-1", OLD].entries()) {
    for (const [path, bytes] of days.first.source.objects) {
      if (!path.startsWith("s/")) continue;
      const copy = path.replace(days.first.id, id);
      await store.put(copy, bytes, { contentType: "", cacheControl: "" });
      await Deno.utime(
        `${dir.path}/${copy}`,
        Date.now() / 1000,
        Date.now() / 1000 - (30 + i) * 86_400,
      );
    }
  }
  await publish(days.second.source, store, options());
  await gc(store, { clock: new MovedClock(), owner: "a test" });
  const left = await Array.fromAsync(Deno.readDir(`${dir.path}/s`), ({ name }) => name);
  assert.deepEqual(left.sort(), [days.first.id, days.second.id, "older-1"].sort());
});

Deno.test("gc() stopped at any delete leaves a remainder that rollback refuses and the next gc removes", async () => {
  await using server = serveS3({ pageSize: 4 });
  for (let at = 1;; at++) {
    server.objects.clear();
    server.way.before = () => {};
    const store = await stocked(server, ["older-1", OLD]);
    const stop = new AbortController();
    let deletes = 0;
    server.way.before = ({ method }) => {
      if (method === "POST" && ++deletes === at) stop.abort(new Error("Interrupted"));
    };
    const clock = new MovedClock();
    const ended = await gc(store, { clock, owner: "a test", signal: stop.signal })
      .then(() => true, () => false);
    server.way.before = () => {};
    const left = [...server.objects.keys()].filter((key) => key.startsWith(`s/${OLD}/`));
    const days = await twoDays();
    if (left.length > 0 && left.length < builtContent(days.first).size) {
      assert.ok(!server.objects.has(`s/${OLD}/manifest.json`), left.join());
      await assert.rejects(
        rollback(store, { clock, owner: "a test", to: OLD }),
        /no whole snapshot/,
      );
    }
    await gc(store, { clock, owner: "a test" });
    assert.ok(!(await store.folders("s/")).includes(OLD));
    if (ended) return assert.ok(at > 2, `${at}`);
  }
});

Deno.test("gc() does not wait: it refuses while another publisher works", async () => {
  await using server = serveS3();
  const store = await stocked(server, ["older-1", OLD]);
  const clock = new MovedClock();
  await using _held = await Lease.take(store, { clock, owner: "runner one" });
  await assert.rejects(
    gc(store, { clock, owner: "a test" }),
    /runner one has the lease until/,
  );
  assert.ok((await store.folders("s/")).includes(OLD));
  const { lease } = await statusOf(store, { clock });
  assert.equal(lease?.owner, "runner one");
});

Deno.test("gc() keeps an upload that broke off today, and removes probes of killed processes", async () => {
  await using server = serveS3();
  const store = await stocked(server, [OLD]);
  const now = Date.now();
  const stored = { ...server.objects.get("current.json")!, modified: now - 2 * DAY };
  server.objects.set("s/broken-today/carriers/1.json.gz", { ...stored, modified: now });
  server.objects.set("s/broken-before/carriers/1.json.gz", stored);
  server.objects.set(`${PROBE_PREFIX}old`, stored);
  server.objects.set(`${PROBE_PREFIX}new`, { ...stored, modified: now });
  await gc(store, { clock: new MovedClock(), owner: "a test" });
  const left = await store.folders("s/");
  assert.ok(left.includes("broken-today") && !left.includes("broken-before"), left.join());
  assert.ok(server.objects.has(`${PROBE_PREFIX}new`) && !server.objects.has(`${PROBE_PREFIX}old`));
});

Deno.test("statusOf() counts the objects of a store as publish() sent them", async () => {
  await using server = serveS3();
  const store = bucketStore(server);
  const days = await twoDays();
  const clock = new MovedClock();
  assert.equal((await statusOf(store, { clock })).pointer, null);
  const { objects, bytes } = await publish(days.first.source, store, options());
  const { pointer, age_days, snapshots } = await statusOf(store, { clock });
  assert.equal(pointer?.snapshot, days.first.id);
  assert.equal(age_days, Math.floor((clock.now() - Date.parse("2026-10-03")) / DAY));
  const [{ modified: _, ...found }] = snapshots as [typeof snapshots[number]];
  assert.deepEqual(found, {
    id: days.first.id,
    isWhole: true,
    data_date: "2026-10-03",
    objects,
    bytes,
    kept: "the pointer names it",
  });
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
