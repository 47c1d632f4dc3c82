import assert from "node:assert/strict";
import { publish } from "../../../pipeline/publish/publish.ts";
import { chainOf } from "../../../pipeline/publish/held_chain.ts";
import { ConditionFailed, storeSource } from "../../../pipeline/publish/store.ts";
import { rollback } from "../../../pipeline/publish/rollback.ts";
import { verifySnapshot } from "../../../pipeline/publish/verify.ts";
import { folderSource } from "../../../pipeline/snapshot/sources/open_source.ts";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import { buildFiles, censusCsv, censusRow, tempDir } from "../compile/files.ts";
import { gzipJson } from "../snapshot/memory.ts";
import {
  builtContent,
  builtDay,
  contentOf,
  type Day,
  MovedClock,
  options,
  published,
  TARGETS,
  twoDays,
} from "./world.ts";

for (const [name, open] of Object.entries(TARGETS)) {
  Deno.test(`publish() (${name}) makes a snapshot readable, keeps the previous one, and sends nothing twice`, async () => {
    const { first, second } = await twoDays();
    await using target = await open();
    const { store } = target;
    const progress: [done: number, total: number][] = [];
    const one = await publish(
      first.source,
      store,
      options({ onProgress: (...now) => progress.push(now) }),
    );
    const { snapshot, sequence, previous } = one.pointer;
    assert.deepEqual([snapshot, sequence, previous], [first.id, 1, undefined]);
    assert.deepEqual([one.isMoved, one.objects >= 12, one.skipped], [true, true, 0]);
    assert.deepEqual(progress[0], [0, one.objects]);
    assert.deepEqual(progress.map(([done]) => done), [...Array(one.objects + 1).keys()]);
    assert.deepEqual((await verifySnapshot(target.source)).problems, []);
    assert.deepEqual(await contentOf(store), builtContent(first));

    const two = await publish(second.source, store, options());
    assert.deepEqual([two.pointer.sequence, two.pointer.previous?.snapshot], [2, first.id]);
    assert.equal(two.skipped, 0);
    assert.deepEqual(await contentOf(store), builtContent(first, second));
    const again = await publish(
      second.source,
      store,
      options({ onProgress: (...now) => progress.push(now) }),
    );
    assert.deepEqual(progress.at(-1), [two.objects, two.objects]);
    assert.deepEqual([again.isMoved, again.pointer.sequence], [false, 2]);
    assert.equal(again.objects, 1); // The manifest, to renew its age
    assert.equal(again.skipped, two.objects - 1);
  });

  Deno.test(`publish() (${name}) lets only one of two concurrent publishers through`, async () => {
    const { first, second } = await twoDays();
    await using target = await open();
    await publish(first.source, target.store, options());
    const results = await Promise.allSettled(
      [1, 2].map((i) => publish(second.source, target.store, options({ owner: `runner ${i}` }))),
    );
    const lost = results.flatMap((one) => one.status === "rejected" ? one.reason.message : []);
    assert.equal(lost.length, 1);
    assert.match(lost[0], /runner [12] has the lease until 20\d\d-|Lost the lease/);
    const { problems, snapshot } = await verifySnapshot(target.source);
    assert.deepEqual([problems, snapshot], [[], second.id]);
  });
}

Deno.test("publish() refuses a snapshot that does not follow the current one, and says how to build one", async () => {
  await using at = await published(2);
  const { first, second, store } = at;
  const way = "Build it again with --previous s3://carriers";
  const other = await builtDay(2, { previous: first });
  const alone = await builtDay(2);
  const elsewhere = await builtDay(2, { previous: await builtDay(1) });
  const cases: [Day, RegExp][] = [
    [other, new RegExp(`it follows ${first.id}, and ${second.id} is current there. ${way}`)],
    [elsewhere, new RegExp(`and ${second.id} is current there. ${way}`)],
    [first, new RegExp(`came after it. To go back use .*rollback s3://carriers ${first.id}`)],
  ];
  for (const [day, message] of cases) {
    for (const force of [undefined, "A test"]) {
      await assert.rejects(at.publish(day, force ? { force } : {}), {
        name: "PredecessorError",
        message,
      });
    }
  }
  await assert.rejects(at.publish(alone), {
    name: "GateError",
    message:
      /without a previous snapshot, so that a new chain would begin[^]*--previous[^]*--force/,
  });
  assert.equal(at.pointer().sequence, 2);
  const { pointer, overridden } = await at.publish(alone, { force: "The disk is lost" });
  assert.deepEqual([pointer.reason, overridden[0]?.gate], ["The disk is lost", "predecessor"]);
  assert.deepEqual(pointer.keeps, { days: 400, month_ends: 60 });
  assert.deepEqual((await chainOf(storeSource(store), pointer)).map(({ id }) => id), [alone.id]);
});

Deno.test("publish() over a damaged snapshot needs a reason to begin a new chain, and does not continue the old one", async () => {
  await using at = await published(1);
  const { first, second, server } = at;
  server.objects.delete(`s/${first.id}/past.json`);
  const alone = await builtDay(2);
  await assert.rejects(at.publish(second), /Cannot find ".*past\.json"/);
  await assert.rejects(at.publish(alone), { name: "GateError" });
  const { pointer } = await at.publish(alone, { force: "The disk is lost" });
  assert.equal(pointer.snapshot, alone.id);
});

Deno.test("a build or publish() of a chain into an empty root answers for its own days, and none earlier", async () => {
  await using at = await published(0);
  const { first, second, store, server } = at;
  const third = await builtDay(2, { previous: second });
  const built = new SnapshotReader(second.source);
  const nothing = () => Promise.resolve();
  await assert.rejects(built.useAsOf("2026-10-03", nothing), { first: "2026-10-04" });
  await assert.rejects(at.publish(second, { first: false }), /Nothing is current in s3:/);
  await at.publish(second);
  await at.publish(third);
  const keeps = { days: 400, month_ends: 60 };
  assert.deepEqual(at.pointer().keeps, { ...keeps, from: second.id });
  const idOn = (day: string) =>
    new SnapshotReader(storeSource(store)).useAsOf(day, ({ id }) => Promise.resolve(id));
  assert.equal(await idOn("2026-10-04"), second.id);
  await assert.rejects(idOn("2026-10-03"), { name: "NotKept", first: "2026-10-04" });
  // Snapshots copied by other means are found when the pointer is rewritten.
  for (const [path, bytes] of first.source.objects) {
    if (path !== "current.json") await store.put(path, bytes);
  }
  server.objects.delete("current.json");
  assert.deepEqual((await at.publish(third)).pointer.keeps, keeps);
  assert.equal(await idOn("2026-10-03"), first.id);

  await using lost = await published(0);
  assert.equal((await lost.publish(second)).pointer.keeps?.from, second.id);
  const { pointer } = await lost.publish(await builtDay(2), { force: "A new chain" });
  assert.deepEqual(pointer.keeps, keeps);
});

Deno.test("publish() retains what is usual for the kind of target, or what was last requested", async () => {
  await using at = await published(1);
  const { first, second, store, server } = at;
  const keeps = () => at.pointer().keeps;
  assert.deepEqual(keeps(), { days: 400, month_ends: 60 });
  await at.publish(second, { keeps: { days: 30 } });
  assert.deepEqual(keeps(), { days: 30, month_ends: 60 });
  const before = at.pointer();
  const again = await at.publish(second, { keeps: { month_ends: 2 } });
  assert.deepEqual([again.isMoved, again.isKeepsNew], [false, true]);
  const changed = { published_at: again.pointer.published_at!, sequence: 3 };
  assert.deepEqual(at.pointer(), { ...before, keeps: { days: 30, month_ends: 2 }, ...changed });
  await rollback(store, { clock: new MovedClock(), owner: "a test" });
  assert.deepEqual(keeps(), { days: 30, month_ends: 2 });

  // More days than the chain has. If one of them is missing, the pointer must not promise it.
  await assert.rejects(
    at.publish(second),
    /it was withdrawn on 20\d\d-.*Z \(no reason given\)\. Build a better one/,
  );
  await at.publish(second, { force: "It was right" });
  const third = await builtDay(2, { previous: second });
  await at.publish(third);
  for (const key of [...server.objects.keys()]) {
    if (key.startsWith(`s/${second.id}/`)) server.objects.delete(key);
  }
  await assert.rejects(
    at.publish(third, { keeps: { days: 60 } }),
    new RegExp(`keep 60 days and 2 month ends: ${second.id} of its chain is no longer there`),
  );
  assert.ok(server.objects.has(`s/${first.id}/manifest.json`));
  await using folder = await TARGETS.folder!();
  const { pointer } = await publish(first.source, folder.store, options());
  assert.deepEqual(pointer.keeps, { days: 8, month_ends: 0 });
});

Deno.test("build() and publish() refuse data more than a day ahead of the clock, and accept tomorrow's", async () => {
  await using dir = await tempDir();
  const at = (day: string) => ({ now: () => Date.parse(day) });
  const census = censusCsv([censusRow(1)]);
  const dataDate = "2026-10-03";
  const build = (day: string) =>
    buildFiles(dir.path, { census }, { clock: at(day), dataDate, search: false });
  // Every page and answer repeats it.
  const notice = "x".repeat(1_001);
  await assert.rejects(
    buildFiles(dir.path, { census }, { notice }),
    /notice .*over 1000 characters/,
  );
  const message =
    /^Cannot use data of 2026-10-03: this machine's clock says 2026-10-01\. The date is the one of /;
  await assert.rejects(build("2026-10-01T23:59"), { name: "RangeError", message });
  await build("2026-10-02");
  await using here = await published(0);
  const source = folderSource(`${dir.path}/out`);
  const publishAt = (day: string) => publish(source, here.store, options({ clock: at(day) }));
  await assert.rejects(publishAt("2026-10-01"), { name: "RangeError", message });
  assert.equal(here.server.objects.size, 0);
  assert.equal((await publishAt("2026-10-02")).pointer.data_date, dataDate);
});

Deno.test("publish() requires --first for a first snapshot, and a reason for gates that a build with --force overrode", async () => {
  await using at = await published(0);
  const { first: _, ...usual } = options();
  await assert.rejects(publish(at.first.source, at.store, usual), /Nothing is current/);
  await using dir = await tempDir();
  const census = censusCsv([censusRow(1)]).trimEnd();
  await buildFiles(dir.path, { census }, { force: "checked by hand", search: false });
  const message =
    /It was built with --force "checked by hand" \(census_cut_short: 1 files, allowed/;
  const source = folderSource(`${dir.path}/out`);
  await assert.rejects(publish(source, at.store, options()), message);
  // A reason that was not needed is not published.
  assert.equal((await at.publish(at.first, { force: "A test" })).pointer.reason, undefined);
});

Deno.test("publish() writes the manifest last and then the pointer, each with its headers and no content coding", async () => {
  await using at = await published(1);
  const writes = at.server.asked.filter(({ method }) => method === "PUT").map(({ key }) => key)
    .filter((key) => key !== "publish.lock");
  const root = `s/${at.first.id}`;
  assert.deepEqual(writes.slice(-2), [`${root}/manifest.json`, "current.json"]);
  const forever = "public, max-age=31536000, immutable";
  const expected = {
    [`${root}/carriers/0.json.gz`]: ["application/gzip", forever],
    [`${root}/manifest.json`]: ["application/json", forever],
    [`${root}/SHA256SUMS`]: ["text/plain; charset=utf-8", forever],
    "current.json": ["application/json", "public, max-age=60"],
    "publish.lock": ["application/json", "no-store"],
  };
  for (const [path, headers] of Object.entries(expected)) {
    assert.deepEqual(Object.values(at.server.objects.get(path)!.headers), headers, path);
  }
});

Deno.test("publish() leaves the pointer unchanged when readers would not get the built snapshot, or the public URL does not answer", async () => {
  await using at = await published(1);
  const { second, second: { id, source } } = at;
  // A document is compared only by hash. Both docket shards are valid at first, but not when they are looked up.
  const cases: [part: string, from: number, Uint8Array<ArrayBuffer> | null, RegExp][] = [
    ["/report.json", 1, null, /read back from a cache: Cannot find "s.*pointer was not moved/],
    ["/report.json", 1, gzipJson({}), /read back from a cache: Cannot use "s.*SHA-256/],
    ["/dockets/", 3, null, /Cannot find "s\/.*\/dockets\//],
    ["/dockets/", 3, gzipJson({}), /a cache: A lookup of docket MC \d+ lacks USDOT \d+.*not moved/],
    ["/dockets/4.", 2, gzipJson({}), /a cache: A lookup of docket MC 4250 lacks USDOT 4250\. The/],
  ];
  for (const [part, from, bytes, message] of cases) {
    let reads = 0;
    const publicSource = {
      name: "a cache",
      get: (path: string) =>
        path.includes(part) && ++reads >= from ? Promise.resolve(bytes) : source.get(path),
    };
    await assert.rejects(at.publish(second, { publicSource }), message);
  }
  assert.equal(at.pointer().snapshot, at.first.id);
  const { objects, skipped } = await at.publish(second);
  assert.equal(objects, 1);
  assert.ok(skipped >= 10);
  assert.equal(at.pointer().snapshot, id);
});

Deno.test("publish() names a damaged or missing object of the build and refuses it, and repairs one in the store", async () => {
  await using at = await published(0);
  const { first, first: { id, source }, server } = at;
  const path = `s/${id}/carriers/1.json.gz`;
  const sound = source.objects.get(path)!;
  source.objects.set(path, sound.with(20, sound[20]! ^ 1));
  await assert.rejects(
    at.publish(first),
    new RegExp(`Cannot publish from .*: Cannot use "${path}" .* Build the snapshot again there`),
  );
  source.objects.delete(path);
  await assert.rejects(at.publish(first), new RegExp(`Cannot find "${path}"`));
  for (const name of [path, `s/${id}/manifest.json`]) assert.ok(!server.objects.has(name));
  source.objects.set(path, sound);
  await at.publish(first);
  const stored = server.objects.get(path)!;
  server.objects.set(path, { ...stored, etag: '"00000000000000000000000000000000"' });
  assert.equal((await at.publish(first)).objects, 2);
  assert.equal(server.objects.get(path)!.etag, stored.etag);
});

Deno.test("publish() leaves the pointer alone when another publisher has moved it", async () => {
  await using at = await published(1);
  const { server } = at;
  const theirs = new TextEncoder().encode(JSON.stringify({ ...at.pointer(), snapshot: "theirs" }));
  server.way.before = ({ method, key }) => {
    if (method !== "PUT" || key !== "current.json") return;
    server.objects.set(key, { ...server.objects.get(key)!, bytes: theirs, etag: '"theirs"' });
  };
  await assert.rejects(at.publish(at.second), {
    name: ConditionFailed.name,
    message: new RegExp(`it was moved from ${at.first.id} to theirs in between`),
  });
  assert.equal(at.pointer().snapshot, "theirs");
});

Deno.test("publish() that cannot write the pointer says so", async () => {
  await using at = await published(1);
  at.server.way.fault = ({ method, key }) =>
    method === "PUT" && key === "current.json" ? "500" : null;
  await assert.rejects(at.publish(at.second), {
    name: "Error",
    message: /^Cannot write s3:\/\/carriers\/current\.json: status 500/,
  });
});

Deno.test("publish() that slept past its lease does not move the pointer", async () => {
  await using at = await published(1);
  const { server, store, second } = at;
  let hasSlept = false;
  server.way.before = async ({ method, key }) => {
    if (hasSlept || method !== "PUT" || !key.endsWith("/manifest.json")) return;
    hasSlept = true;
    // The first publisher hangs here; its lease expires and another one overtakes it.
    const clock = new MovedClock();
    clock.ahead = 120_000;
    await at.publish(second, { clock, owner: "the second" });
    await rollback(store, { clock, owner: "the second" });
  };
  await assert.rejects(at.publish(second), {
    name: "LeaseError",
    message: /Lost the lease of s3:\/\/carriers to the second/,
  });
  assert.deepEqual([at.pointer().snapshot, at.pointer().sequence], [at.first.id, 3]);
});

Deno.test("publish() interrupted while reading back reports the interruption, not a mismatch", async () => {
  await using at = await published(1, "small");
  const stop = new AbortController();
  const publicSource = {
    name: "a cache",
    get: () => {
      stop.abort(new Error("Interrupted"));
      return Promise.resolve(null);
    },
  };
  const interrupted = at.publish(at.second, { publicSource, signal: stop.signal });
  await assert.rejects(interrupted, { message: "Interrupted" });
  assert.equal(at.pointer().snapshot, at.first.id);
});
