import assert from "node:assert/strict";
import { rollback } from "../../../pipeline/publish/rollback.ts";
import { gc } from "../../../pipeline/publish/gc.ts";
import { statusOf } from "../../../pipeline/publish/status.ts";
import { storeSource } from "../../../pipeline/publish/store.ts";
import { readManifest } from "../../../pipeline/snapshot/contents.ts";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import { verifySnapshot } from "../../../pipeline/publish/verify.ts";
import { builtDay, contentOf, loseLease, MovedClock, published } from "./world.ts";

const HERE = { clock: new MovedClock(), owner: "a test" };

Deno.test("rollback() goes to the previous snapshot, and forward again", async () => {
  await using at = await published(1);
  const { store, first, second } = at;
  const { sources } = at.pointer();
  const { pointer: { sources: newer } } = await at.publish(second);
  const content = await contentOf(store);
  const back = await rollback(store, { ...HERE, reason: "Dockets are missing" });
  const { snapshot, sequence, reason, withdrawn, previous } = back;
  assert.deepEqual([snapshot, sequence, reason], [first.id, 3, "Dockets are missing"]);
  assert.deepEqual([withdrawn, previous?.snapshot], [second.id, second.id]);
  assert.deepEqual(back.sources, sources);
  const forward = await rollback(store, { ...HERE, to: second.id });
  assert.ok(newer.length > 0);
  assert.deepEqual(forward.sources, newer);
  assert.deepEqual([forward.snapshot, forward.sequence], [second.id, 4]);
  assert.equal(forward.reason, undefined);
  assert.deepEqual(await contentOf(store), content);
});

Deno.test("rollback() takes the withdrawn snapshot out of the chain: it answers for no day and is deleted after 7 days", async () => {
  await using at = await published(2, "small");
  const { store, first, second, server } = at;
  const source = storeSource(store);
  const idOn = (day: string) =>
    new SnapshotReader(source).useAsOf(day, ({ id }) => Promise.resolve(id));
  assert.equal(await idOn("2026-10-04"), second.id);
  await rollback(store, HERE);
  assert.equal(await idOn("2026-10-04"), first.id);
  assert.deepEqual((await verifySnapshot(source, { of: second.id })).problems, []);
  const third = await builtDay(2, { size: "small", previous: first });
  await at.publish(third);
  const { previous } = await readManifest(source, at.pointer());
  assert.equal(previous?.id, first.id);
  assert.equal(await idOn("2026-10-04"), first.id);
  assert.equal(await idOn("2026-10-05"), third.id);

  const fourth = await builtDay(3, { size: "small", previous: third });
  const fifth = await builtDay(4, { size: "small", previous: fourth });
  await at.publish(fourth);
  await at.publish(fifth);
  const age = (days: number, ids: string[]) => {
    for (const [key, stored] of server.objects) {
      if (ids.some((id) => key.includes(id))) stored.modified -= days * 86_400_000;
    }
  };
  age(6, [first.id, second.id, third.id]);
  const isThere = async (id: string) => (await store.folders("s/")).includes(id);
  await gc(store, HERE);
  assert.ok(await isThere(second.id), "replaced less than 7 days ago");
  age(2, [first.id, second.id, third.id]);
  const { problems } = (await gc(store, HERE)).chain!;
  assert.deepEqual(problems, []);
  assert.deepEqual([await isThere(second.id), await isThere(first.id)], [false, true]);
  assert.equal(await idOn("2026-10-04"), first.id);
  await assert.rejects(rollback(store, { ...HERE, to: second.id }), /no whole snapshot/);
});

// Regression: gc counted the days since the withdrawn snapshot had replaced this one, and deleted its search index.
Deno.test("rollback() renews the age of the snapshot it goes back to: gc keeps its search index after the next publish", async () => {
  await using at = await published(1);
  const { store, first, server } = at;
  const withdrawn = await builtDay(14, { previous: first });
  await at.publish(withdrawn);
  for (const stored of server.objects.values()) stored.modified -= 9 * 86_400_000;
  await rollback(store, { ...HERE, to: first.id });
  const third = await builtDay(15, { previous: first });
  await at.publish(third);
  await at.publish(await builtDay(16, { previous: third }));
  await gc(store, HERE);
  const hasSearch = [...server.objects.keys()].some((key) =>
    key.startsWith(`s/${first.id}/search/`)
  );
  assert.ok(hasSearch, "current less than 7 days ago");
});

Deno.test("rollback() and forward again find the whole chain in between, however late gc runs", async () => {
  await using at = await published(2, "small");
  const { store, first, second, server } = at;
  const third = await builtDay(2, { size: "small", previous: second });
  await at.publish(third);
  await rollback(store, { ...HERE, to: first.id });
  for (const stored of server.objects.values()) stored.modified -= 30 * 86_400_000;
  await gc(store, HERE);
  await rollback(store, HERE);
  const reader = new SnapshotReader(storeSource(store));
  assert.equal(await reader.useAsOf("2026-10-04", ({ id }) => Promise.resolve(id)), second.id);
  assert.deepEqual((await statusOf(store, HERE)).chain?.problems, []);
});

Deno.test("rollback() refuses a snapshot without its search index, and one whose chain has a gap", async () => {
  await using at = await published(2);
  const { store, first, second, server: { objects } } = at;
  const third = await builtDay(2, { previous: second });
  await at.publish(third);
  const remove = (prefix: string) => {
    for (const key of [...objects.keys()]) if (key.startsWith(prefix)) objects.delete(key);
  };
  const before = new Map(objects);
  remove(`s/${first.id}/search/`);
  await assert.rejects(
    rollback(store, { ...HERE, to: first.id }),
    /is kept without its search index and files of all carriers, which gc removed\. Go to a newer one/,
  );
  for (const [key, stored] of before) objects.set(key, stored);
  await rollback(store, { ...HERE, to: first.id });
  remove(`s/${second.id}/`);
  await assert.rejects(
    rollback(store, HERE),
    new RegExp(`${second.id} of its chain is no longer there, and older ones are`),
  );
});

Deno.test("rollback() goes to any complete snapshot by its id", async () => {
  await using at = await published(2);
  const { objects } = at.server;
  const change = (path: string, json: unknown) => {
    const bytes = new TextEncoder().encode(JSON.stringify(json));
    objects.set(path, { ...objects.get(path)!, bytes });
  };
  const { previous: _, keeps: __, ...forgetful } = at.pointer();
  change("current.json", forgetful);
  await assert.rejects(rollback(at.store, HERE), /has no previous snapshot/);
  const path = `s/${at.first.id}/manifest.json`;
  const manifest = objects.get(path)!;
  const sound = JSON.parse(new TextDecoder().decode(manifest.bytes));
  change(path, { ...sound, inspections_date: "2026-10-01" });
  await assert.rejects(rollback(at.store, { ...HERE, to: at.first.id }), /manifest is damaged/);
  objects.set(path, manifest);
  const back = await rollback(at.store, { ...HERE, to: at.first.id });
  assert.deepEqual([back.snapshot, back.data_date], [at.first.id, "2026-10-03"]);
  assert.deepEqual(back.sources, []);
  assert.deepEqual(back.keeps, at.store.keeps);
});

Deno.test("rollback() that lost its lease does not move the pointer", async () => {
  await using at = await published(2, "small");
  at.server.way.before = ({ method, key }) => {
    if (method === "PUT" && key.endsWith("/manifest.json")) loseLease(at.server);
  };
  await assert.rejects(rollback(at.store, HERE), { name: "LeaseError" });
  assert.equal(at.pointer().snapshot, at.second.id);
});

Deno.test("rollback() refuses a snapshot that is incomplete, missing or current", async () => {
  await using at = await published(2);
  const { server: { objects }, store, first, second } = at;
  await using empty = await published(0);
  await assert.rejects(rollback(empty.store, HERE), /nothing is published there/);
  for (const to of ["2026-01-01-0000000000000000", "publish.lock"]) {
    await assert.rejects(rollback(store, { ...HERE, to }), /has no whole snapshot of that name/);
  }
  await assert.rejects(rollback(store, { ...HERE, to: second.id }), /it is current/);
  const root = `s/${first.id}`;
  const shard = objects.get(`${root}/carriers/1.json.gz`)!;
  const damaged = { ...shard, bytes: shard.bytes.slice(1) };
  const damages: [string, typeof shard | null, RegExp][] = [
    ["carriers/1.json.gz", null, /1 of its objects are missing, e\.g\. "s\/.*\/1\.json\.gz"/],
    ["manifest.json", null, /Cannot find ".*manifest\.json"/],
    ["SHA256SUMS", null, /Cannot find ".*SHA256SUMS"/],
    ["carriers/1.json.gz", damaged, /carriers\/1\.json\.gz" .*SHA-256/],
  ];
  for (const [path, bad, message] of damages) {
    const sound = objects.get(`${root}/${path}`)!;
    if (bad === null) objects.delete(`${root}/${path}`);
    else objects.set(`${root}/${path}`, bad);
    await assert.rejects(rollback(store, HERE), message);
    objects.set(`${root}/${path}`, sound);
  }
  assert.equal(at.pointer().snapshot, second.id);
});
