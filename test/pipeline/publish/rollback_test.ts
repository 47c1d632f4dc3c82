import assert from "node:assert/strict";
import { rollback } from "../../../pipeline/publish/rollback.ts";
import { contentOf, MovedClock, published } from "./world.ts";

const HERE = { clock: new MovedClock(), owner: "a test" };

Deno.test("rollback() goes to the previous snapshot, and forward again", async () => {
  await using at = await published(1);
  const { store, first, second } = at;
  const { sources } = at.pointer();
  await at.publish(second);
  const content = await contentOf(store);
  const back = await rollback(store, { ...HERE, reason: "Dockets are missing" });
  const { snapshot, sequence, reason, withdrawn, previous } = back;
  assert.deepEqual([snapshot, sequence, reason], [first.id, 3, "Dockets are missing"]);
  assert.deepEqual([withdrawn, previous?.snapshot], [second.id, second.id]);
  assert.deepEqual(back.sources, sources);
  const forward = await rollback(store, HERE);
  assert.deepEqual([forward.snapshot, forward.sequence], [second.id, 4]);
  assert.equal(forward.reason, undefined);
  assert.deepEqual(await contentOf(store), content);
});

Deno.test("rollback() goes to any whole snapshot by its id", async () => {
  await using at = await published(2);
  const { objects } = at.server;
  const change = (path: string, json: unknown) => {
    const bytes = new TextEncoder().encode(JSON.stringify(json));
    objects.set(path, { ...objects.get(path)!, bytes });
  };
  const { previous: _, ...forgetful } = at.pointer();
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
});

Deno.test("rollback() refuses what is not whole, not there, or current", async () => {
  await using at = await published(2);
  const { server: { objects }, store, first, second } = at;
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
