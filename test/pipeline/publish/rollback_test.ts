import assert from "node:assert/strict";
import { publish } from "../../../pipeline/publish/publish.ts";
import { rollback } from "../../../pipeline/publish/rollback.ts";
import { httpSource } from "../../../pipeline/snapshot/http_source.ts";
import { BUCKET, serveS3 } from "./s3_server.ts";
import {
  bucketStore,
  contentOf,
  MovedClock,
  options,
  pollWhole,
  TARGETS,
  twoDays,
} from "./world.ts";

const HERE = { clock: new MovedClock(), owner: "a test" };

for (const [name, open] of Object.entries(TARGETS)) {
  Deno.test(`rollback() (${name}) goes to the previous snapshot, and forward again`, async () => {
    const days = await twoDays();
    await using target = await open();
    const { store } = target;
    const { pointer: before } = await publish(days.first.source, store, options());
    await publish(days.second.source, store, options());
    const content = await contentOf(store);
    const back = await rollback(store, { ...HERE, reason: "Dockets are missing" });
    assert.deepEqual(
      [back.snapshot, back.sequence, back.reason, back.withdrawn, back.previous?.snapshot],
      [days.first.id, 3, "Dockets are missing", days.second.id, days.second.id],
    );
    assert.deepEqual(back.sources, before.sources);
    const forward = await rollback(store, HERE);
    assert.deepEqual([forward.snapshot, forward.sequence], [days.second.id, 4]);
    assert.equal(forward.reason, undefined);
    assert.deepEqual(await contentOf(store), content);
  });
}

Deno.test("publish() does not bring back what was rolled back from, unless a reason is given", async () => {
  const days = await twoDays();
  await using server = serveS3();
  const store = bucketStore(server);
  await publish(days.first.source, store, options());
  await publish(days.second.source, store, options());
  await rollback(store, { ...HERE, reason: "Dockets are missing" });
  // The daily run comes again, with the same files of FMCSA
  await assert.rejects(publish(days.second.source, store, options()), {
    name: "GateError",
    message: /it was withdrawn on 20.*Z \(Dockets are missing\)\. Build a better one\n[^]*--force/,
  });
  const { pointer } = await publish(days.second.source, store, options({ force: "It was right" }));
  assert.deepEqual([pointer.snapshot, pointer.reason], [days.second.id, "It was right"]);
  assert.equal(pointer.withdrawn, undefined);
});

Deno.test("rollback() goes to any whole snapshot by its id", async () => {
  const days = await twoDays();
  await using server = serveS3();
  const store = bucketStore(server);
  await publish(days.first.source, store, options());
  await publish(days.second.source, store, options());
  const { previous: _, ...forgetful } = JSON.parse(
    new TextDecoder().decode(server.objects.get("current.json")!.bytes),
  );
  const stored = server.objects.get("current.json")!;
  const bytes = new TextEncoder().encode(JSON.stringify(forgetful));
  server.objects.set("current.json", { ...stored, bytes });
  await assert.rejects(rollback(store, HERE), /has no previous snapshot/);
  const back = await rollback(store, { ...HERE, to: days.first.id });
  assert.deepEqual([back.snapshot, back.data_date], [days.first.id, "2026-10-03"]);
  assert.deepEqual(back.sources, []);
});

Deno.test("rollback() refuses what is not whole, not there, or current", async () => {
  const days = await twoDays();
  await using server = serveS3();
  const store = bucketStore(server);
  await assert.rejects(rollback(store, HERE), /nothing is published there/);
  await publish(days.first.source, store, options());
  await assert.rejects(rollback(store, HERE), /has no previous snapshot/);
  await publish(days.second.source, store, options());
  const pointer = server.objects.get("current.json");
  for (const to of ["2026-01-01-0000000000000000", "../x", "publish.lock"]) {
    await assert.rejects(rollback(store, { ...HERE, to }), /has no whole snapshot of that name/);
  }
  await assert.rejects(rollback(store, { ...HERE, to: days.second.id }), /it is current/);
  const root = `s/${days.first.id}`;
  const undo = new Map(server.objects);
  const damages: [string, RegExp][] = [
    [`${root}/carriers/1.json.gz`, /1 of its objects are missing, e\.g\. "s\/.*\/1\.json\.gz"/],
    [`${root}/manifest.json`, /Cannot find ".*manifest\.json"/],
    [`${root}/SHA256SUMS`, /Cannot find ".*SHA256SUMS"/],
  ];
  for (const [path, message] of damages) {
    server.objects.delete(path);
    await assert.rejects(rollback(store, HERE), message);
    server.objects.set(path, undo.get(path)!);
  }
  const shard = undo.get(`${root}/carriers/1.json.gz`)!;
  server.objects.set(`${root}/carriers/1.json.gz`, { ...shard, bytes: shard.bytes.slice(1) });
  await assert.rejects(rollback(store, HERE), /carriers\/1\.json\.gz" has other bytes/);
  assert.equal(server.objects.get("current.json"), pointer);
});

Deno.test("rollback() under load: readers always see one of the two, whole", async () => {
  const days = await twoDays();
  await using server = serveS3();
  const store = bucketStore(server);
  await publish(days.first.source, store, options());
  await publish(days.second.source, store, options());
  const source = httpSource(`${server.url}/${BUCKET}`, { fetch });
  const polls = Array.from({ length: 4 }, () => pollWhole(source, days));
  for (let i = 0; i < 12; i++) {
    const { snapshot } = await rollback(store, HERE);
    assert.equal(snapshot, i % 2 === 0 ? days.first.id : days.second.id);
  }
  for (const poll of polls) {
    await poll.stop();
    assert.ok(new Set(poll.seen).size === 2, poll.seen.join());
  }
});
