import assert from "node:assert/strict";
import fc from "fast-check";
import { takeLease } from "../../../pipeline/publish/lease.ts";
import { rollback } from "../../../pipeline/publish/rollback.ts";
import { gc } from "../../../pipeline/publish/gc.ts";
import {
  KEEP_REPLACED_MS,
  keptReasons,
  planRetention,
} from "../../../pipeline/publish/retention.ts";
import { statusOf } from "../../../pipeline/publish/status.ts";
import { answeringFor, keptOf, type PastSnapshot } from "../../../pipeline/snapshot/chain.ts";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import { httpSource } from "../../../pipeline/snapshot/sources/http_source.ts";
import { mix } from "../../../pipeline/mix.ts";
import { seedsOf } from "../../fuzz.ts";
import { NEVER_LATE, putSnapshot, record } from "../snapshot/memory.ts";
import { BUCKET, FAULTS, serveS3 } from "./s3_server.ts";
import {
  bucketStore,
  builtContent,
  chainObjects,
  contentOf,
  dayAfter,
  loseLease,
  MovedClock,
  nameOn,
  published,
} from "./world.ts";

const DAY = 86_400_000;
const NOW = 100 * DAY;
const SIZE = { objects: 1, bytes: 1 };
const OLD = "2026-09-01-0000000000000000";
const HERE = { clock: new MovedClock(), owner: "a test" };

/** A bucket with the two days and, under old names, copies of the first, each a day older. */
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

Deno.test("gc() deletes old snapshots completely, and nothing else", async () => {
  await using at = await stocked("older-1", "older-2", OLD);
  const { store, server: { objects } } = at;
  const fresh = objects.get("current.json")!;
  objects.set("s/broken-today/carriers/1.json.gz", fresh);
  const old = { ...fresh, modified: fresh.modified - 2 * DAY };
  objects.set("s/broken-before/carriers/1.json.gz", old);
  const before = await contentOf(store);
  const { snapshots: planned } = await statusOf(store, HERE);
  assert.deepEqual((await gc(store, HERE)).snapshots, planned);
  assert.partialDeepStrictEqual(planned.find(({ id }) => id === "broken-before"), {
    isWhole: false,
    isSearchRemoved: false,
    objects: 1,
    bytes: old.bytes.length,
    modified: old.modified,
    losesSearch: false,
  });
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

Deno.test("gc() stopped at any delete leaves a remainder that rollback refuses and the next gc deletes", async () => {
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

Deno.test("gc() does not wait: it refuses to run while another publisher works", async () => {
  await using at = await stocked("older-1", OLD);
  await using _held = await takeLease(at.store, { ...HERE, owner: "runner one" });
  await assert.rejects(gc(at.store, HERE), /runner one has the lease until/);
  assert.ok((await at.store.folders("s/")).includes(OLD));
  assert.equal((await statusOf(at.store, HERE)).lease?.owner, "runner one");
});

Deno.test("gc() deletes nothing more once it lost its lease, or where nothing is published", async () => {
  await using at = await stocked("older-1", "older-2", OLD);
  at.server.way.before = ({ method }) => {
    if (method === "POST") loseLease(at.server);
  };
  const before = await at.store.folders("s/");
  await assert.rejects(gc(at.store, HERE), { name: "LeaseError" });
  assert.equal((await at.store.folders("s/")).length, before.length - 1);

  await using empty = await published(1, "small");
  empty.server.objects.delete("current.json");
  const content = await contentOf(empty.store);
  await assert.rejects(gc(empty.store, HERE), /nothing is published there, so nothing says what/);
  assert.deepEqual(await contentOf(empty.store), content);
});

Deno.test("statusOf() counts the objects in a store as publish() sent them", async () => {
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

/** 16 days of a chain in a bucket, each published on its day; the last one today. */
function chainBucket() {
  const { objects, chain, keeps } = chainObjects({ first: "2026-09-29", days: 16 });
  const server = serveS3();
  const now = HERE.clock.now();
  for (const [path, bytes] of objects) {
    const i = chain.findIndex(({ id }) => path.startsWith(`s/${id}/`));
    const modified = now - (chain.length - 1 - i) * DAY;
    server.objects.set(path, { bytes, etag: `"${path}"`, modified, headers: {} });
  }
  const kept = keptOf(chain, keeps);
  return {
    chain,
    kept,
    server,
    store: bucketStore(server),
    idsWith: (part: "search" | "export") =>
      [...server.objects.keys()].flatMap((key) => {
        const [, id, folder] = /^s\/(.*)\/(search|export)\//.exec(key) ?? [];
        return folder === part ? id! : [];
      }).sort(),
    /** Checks that each day since the oldest retained one is answered by the correct snapshot. */
    async check(): Promise<void> {
      const source = httpSource(`${server.url}/${BUCKET}`, { fetch, after: NEVER_LATE });
      const reader = new SnapshotReader(source);
      for (let day = kept[0]!.data_date; day <= chain.at(-1)!.data_date; day = dayAfter(day)) {
        assert.equal(await nameOn(reader, day), answeringFor(day, kept)!.id, day);
      }
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

Deno.test("gc() stopped at any delete keeps the days and month ends in the pointer, old ones without search and export, and each answers", async () => {
  let ended = false;
  for (let stopAt = 1; !ended; stopAt++) {
    await using at = chainBucket();
    const { server, store, chain, kept } = at;
    const stop = new AbortController();
    let deletes = 0;
    server.way.before = ({ method }) => {
      if (method === "POST" && ++deletes === stopAt) stop.abort(new Error("Interrupted"));
    };
    ended = await gc(store, { ...HERE, signal: stop.signal }).then(() => true, () => false);
    server.way.before = () => {};
    await at.check();
    await gc(store, HERE);
    await at.check();
    // Ten days, the end of September, and a snapshot replaced less than seven days ago.
    const ids = kept.map(({ id }) => id);
    assert.deepEqual(ids, ["2026-09-30", ...chain.slice(-11).map(({ id }) => id)]);
    assert.deepEqual(await store.folders("s/"), ids.toSorted());
    assert.deepEqual(at.idsWith("search"), chain.slice(-9).map(({ id }) => id));
    assert.deepEqual(at.idsWith("export"), chain.slice(-9).map(({ id }) => id));
    if (!ended) continue;
    assert.equal(stopAt, 15); // Two for each of four deleted snapshots, and for each of three without search and export
    const { chain: status, snapshots } = await statusOf(store, HERE);
    assert.deepEqual(status, {
      snapshots: 16,
      first_day: "2026-09-29",
      kept: 12,
      kept_first_day: "2026-09-30",
      kept_month_ends: 1,
      keeps: { days: 10, month_ends: 1 },
      without_search: 3,
      gaps: [],
      problems: [],
    });
    assert.ok(snapshots.every(({ kept, losesSearch }) => kept !== null && !losesSearch));
    const end = snapshots.find(({ id }) => id === "2026-09-30")!;
    assert.deepEqual([end.kept, end.isSearchRemoved], ["the last of 2026-09", true]);
  }
});

Deno.test("gc() through faults of 5 seeds ends with the same objects, and each retained day answers meanwhile", async () => {
  for (const seed of seedsOf(5)) {
    await using at = chainBucket();
    at.server.way.fault = ({ n }) => {
      const draw = mix(seed, n, 1);
      return draw % 3 === 0 ? FAULTS[Math.floor(draw / 3) % FAULTS.length]! : null;
    };
    let isOver = false;
    const polling = (async () => {
      while (!isOver) await at.check();
    })();
    polling.catch(() => {}); // Rethrown below
    await gc(bucketStore(at.server, { tries: 12 }), HERE);
    isOver = true;
    await polling;
    at.server.way.fault = () => null;
    const ids = at.kept.map(({ id }) => id);
    assert.deepEqual(await at.store.folders("s/"), ids, `seed ${seed}`);
    assert.deepEqual(at.idsWith("search"), at.chain.slice(-9).map(({ id }) => id), `seed ${seed}`);
  }
});

Deno.test("gc() also keeps what the previous pointer promised, for readers that still use it", async () => {
  await using at = chainBucket();
  const { server, store, chain } = at;
  const pointer = JSON.parse(new TextDecoder().decode(server.objects.get("current.json")!.bytes));
  const { id: snapshot, ...yesterday } = chain.at(-2)!;
  const bytes = new TextEncoder().encode(
    JSON.stringify({ ...pointer, previous: { snapshot, ...yesterday, sources: [] } }),
  );
  server.objects.set("current.json", { ...server.objects.get("current.json")!, bytes });
  const { snapshots } = await gc(store, HERE);
  const edge = chain.at(-12)!;
  assert.equal(snapshots.find(({ id }) => id === edge.id)?.kept, "kept by the pointer before");
  assert.ok((await store.folders("s/")).includes(edge.id));
});

Deno.test("gc() deletes nothing when the chain cannot be read, and statusOf() says what is wrong with it", async () => {
  await using at = chainBucket();
  const { server, store, chain } = at;
  const current = `s/${chain.at(-1)!.id}`;
  const past = server.objects.get(`${current}/past.json`)!;
  server.objects.delete(`${current}/past.json`);
  const before = [...server.objects.keys()].filter((key) => key !== "publish.lock");
  await assert.rejects(gc(store, HERE), /Cannot read the chain of .*past\.json.* or roll back/);
  assert.deepEqual([...server.objects.keys()].filter((key) => key !== "publish.lock"), before);
  server.objects.set(`${current}/past.json`, past);

  const [lost, other, changed] = chain.slice(-5).map(({ id }) => id);
  server.objects.delete(`s/${lost}/manifest.json`);
  const write = (id: string, change: (manifest: Record<string, unknown>) => void) => {
    const stored = server.objects.get(`s/${id}/manifest.json`)!;
    const manifest = JSON.parse(new TextDecoder().decode(stored.bytes));
    change(manifest);
    const bytes = new TextEncoder().encode(JSON.stringify(manifest));
    server.objects.set(`s/${id}/manifest.json`, { ...stored, bytes });
  };
  write(other!, (manifest) => delete manifest.previous);
  write(changed!, (manifest) => manifest.notice = "Another");
  const { chain: found, snapshots } = await statusOf(store, HERE);
  const rest = snapshots.find(({ id }) => id === lost);
  assert.deepEqual([rest?.isWhole, rest?.kept], [false, "of the last 10 days"]);
  assert.deepEqual(found?.problems, [
    `${lost} is to be kept and is not there`,
    `The manifest of ${other} is not the one that the chain names`,
    `The manifest of ${changed} is not the one that the chain names`,
  ]);
});

Deno.test("statusOf() lists the days without a snapshot", async () => {
  await using at = chainBucket();
  const { objects } = chainObjects({ first: "2026-09-29", days: 16, without: ["2026-10-02"] });
  at.server.objects.clear();
  for (const [path, bytes] of objects) {
    at.server.objects.set(path, { bytes, etag: `"${path}"`, modified: 0, headers: {} });
  }
  const { gaps } = (await statusOf(at.store, HERE)).chain!;
  assert.deepEqual(gaps, [{ after: "2026-10-01", before: "2026-10-03", days: 1 }]);
});

Deno.test("statusOf() describes a store whose previous snapshot is gone", async () => {
  await using at = await published(2, "small");
  const { objects } = at.server;
  for (const key of [...objects.keys()]) {
    if (key.startsWith(`s/${at.first.id}/`)) objects.delete(key);
  }
  const { snapshots, orders } = await statusOf(at.store, HERE);
  assert.deepEqual(snapshots.map(({ id }) => id), [at.second.id]);
  // It was built without a search index and without orders.
  assert.deepEqual([snapshots[0]!.isSearchRemoved, orders], [false, null]);
});

Deno.test("statusOf() describes a store whose pointer does not say how long snapshots are kept", async () => {
  await using at = await published(2, "small");
  const { keeps: _, ...pointer } = at.pointer();
  const bytes = new TextEncoder().encode(JSON.stringify({ ...pointer, previous: undefined }));
  const stored = at.server.objects.get("current.json")!;
  at.server.objects.set("current.json", { ...stored, bytes });
  const { chain } = await statusOf(at.store, HERE);
  assert.deepEqual([chain?.keeps, chain?.kept, chain?.kept_month_ends], [null, 2, 0]);
  const past = chainObjects({ first: "2026-09-29", days: 3 }).chain;
  const reason = "all of its chain are kept";
  assert.deepEqual([...keptReasons(past, undefined)], past.map(({ id }) => [id, reason]));
});

Deno.test("statusOf() takes a snapshot whose manifest was removed meanwhile for one that is not whole", async () => {
  await using at = await published(2, "small");
  const path = `s/${at.first.id}/manifest.json`;
  at.server.way.after = ({ key }) => {
    if (key === path) at.server.objects.delete(path);
  };
  const { snapshots } = await statusOf(at.store, HERE);
  assert.deepEqual(snapshots.map(({ id, isWhole }) => [id, isWhole]).sort(), [
    [at.first.id, false],
    [at.second.id, true],
  ]);
});

Deno.test("statusOf() names the orders of the current snapshot, and snapshots that do not follow the one before them in the chain", async () => {
  const { objects, chain: built, keeps } = chainObjects({ first: "2026-09-29", days: 15 });
  const statusAfter = async (past: PastSnapshot[]) => {
    await using at = chainBucket();
    const last = { id: "2026-10-14", dataDate: "2026-10-14", ordersDate: "2026-10-12" };
    putSnapshot(objects, { ...last, carriers: [record(7)], past, keeps });
    at.server.objects.clear();
    for (const [path, bytes] of objects) {
      at.server.objects.set(path, { bytes, etag: `"${path}"`, modified: 0, headers: {} });
    }
    return await statusOf(at.store, HERE);
  };
  const before = { id: "2026-09-28", data_date: "2026-09-28", manifest_sha256: "0".repeat(64) };
  const { chain, orders } = await statusAfter([
    before,
    ...built.filter(({ id }) => id !== "2026-10-10"),
  ]);
  assert.equal(orders, "out-of-service orders to 2026-10-12");
  assert.deepEqual(chain!.problems, [
    "2026-09-29 follows nothing, the chain has 2026-09-28 before it",
    "2026-10-11 follows 2026-10-10, the chain has 2026-10-09 before it",
  ]);
  assert.deepEqual((await statusAfter(built.slice(1))).chain!.problems, [
    "2026-09-30 follows 2026-09-29, the chain has nothing before it",
  ]);
});

Deno.test("planRetention() keeps a snapshot for seven days after it was current", () => {
  const found = Array.from({ length: 12 }, (_, i) => ({
    id: `day-${i}`,
    isWhole: true,
    isSearchRemoved: false,
    modified: NOW - i * DAY,
  }));
  const named = new Set(["day-0", "day-1"]);
  const plan = planRetention(found, { named, chained: new Map(), current: "", now: NOW });
  const gone = [...plan].flatMap(([id, { kept }]) => kept === null ? id : []);
  // Day 8 was published 8 days ago and was current until 7 days ago.
  assert.deepEqual(gone, ["day-8", "day-9", "day-10", "day-11"]);
});

Deno.test("planRetention() removes the search index of an old snapshot eight days after it was current", () => {
  const found = Array.from({ length: 12 }, (_, i) => ({
    id: `day-${i}`,
    isWhole: true,
    isSearchRemoved: false,
    data_date: "2026-01-01",
    modified: NOW - i * DAY,
    ...(i % 2 === 0 ? { search: SIZE } : { export: SIZE }),
  }));
  const chained = new Map(found.map(({ id }) => [id, "of the chain"]));
  const options = { named: new Set<string>(), chained, current: "2026-10-30", now: NOW };
  const plan = planRetention(found, options);
  const losing = [...plan].flatMap(([id, { losesSearch }]) => losesSearch ? id : []);
  assert.deepEqual(losing, ["day-9", "day-10", "day-11"]);
});

Deno.test("planRetention() takes the higher of two ids of one time for the newer, and keeps no upload for a day", () => {
  const at = (id: string, modified: number, isWhole = true) => (
    { id, isWhole, isSearchRemoved: false, modified }
  );
  const old = NOW - 30 * DAY;
  const ids = ["a", "b", "c", "d", "e"];
  for (const order of [ids, ids.toReversed(), ["c", "a", "e", "b", "d"]]) {
    const found = [...order.map((id) => at(id, old)), at("f", NOW - DAY, false)];
    const options = { named: new Set<string>(), chained: new Map(), current: "", now: NOW };
    const plan = [...planRetention(found, options)];
    const kept = plan.flatMap(([id, { kept }]) => kept === null ? [] : id);
    assert.deepEqual(kept.sort(), ["c", "d", "e"]);
    // Not whole, and older than a day.
    assert.deepEqual(plan.at(-1), ["f", { kept: null, losesSearch: false }]);
  }
});

Deno.test("planRetention() of any store keeps its promises and has a plan for each snapshot", () => {
  const found = fc.uniqueArray(
    fc.record({
      id: fc.stringMatching(/^[a-z]{1,4}$/),
      isWhole: fc.boolean(),
      isSearchRemoved: fc.constant(false),
      data_date: fc.integer({ min: 1, max: 30 }).map((n) => `2026-10-${`${n}`.padStart(2, "0")}`),
      modified: fc.integer({ min: NOW - 30 * DAY, max: NOW }),
      search: fc.constant({ objects: 1, bytes: 1 }),
    }),
    { selector: ({ id }) => id, maxLength: 20 },
  );
  fc.assert(fc.property(found, fc.nat(20), fc.nat(), (found, pick, chains) => {
    const named = new Set(found.filter((_, i) => i === pick).map(({ id }) => id));
    const inChain = found.filter(({ isWhole }, i) => isWhole && chains >> i & 1);
    const chained = new Map(inChain.map(({ id }) => [id, "of the chain"]));
    const plan = planRetention(found, { named, chained, current: "2026-10-30", now: NOW });
    assert.equal(plan.size, found.length);
    for (const { id, modified } of found) {
      const { kept } = plan.get(id)!;
      if (named.has(id) || chained.has(id)) assert.notEqual(kept, null);
      // Deleted only seven days after it was written, or one day for a partial snapshot
      if (kept === null) assert.ok(NOW - modified >= DAY);
    }
    const whole = found.filter(({ isWhole }) => isWhole);
    const kept = whole.filter(({ id }) => plan.get(id)!.kept !== null);
    assert.ok(kept.length >= Math.min(3, whole.length));
    for (const { id, modified, data_date } of whole) {
      const { kept, losesSearch } = plan.get(id)!;
      if (kept === null) assert.ok(NOW - modified >= KEEP_REPLACED_MS);
      if (losesSearch) assert.ok(!named.has(id) && NOW - modified >= KEEP_REPLACED_MS + DAY, id);
      if (losesSearch) assert.ok(chained.has(id) && data_date < "2026-10-22", id);
    }
  }));
});
