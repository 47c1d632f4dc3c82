import assert from "node:assert/strict";
import { publish } from "../../../pipeline/publish/publish.ts";
import { ConditionFailed } from "../../../pipeline/publish/store.ts";
import { rollback } from "../../../pipeline/publish/rollback.ts";
import { lookUpFailures } from "../../../pipeline/search/query/golden.ts";
import { FORMAT } from "../../../pipeline/snapshot/manifest.ts";
import { verifySnapshot } from "../../../pipeline/snapshot/verify.ts";
import { gzipJson, MemorySource } from "../snapshot/memory.ts";
import { serveS3 } from "./s3_server.ts";
import {
  bucketStore,
  builtContent,
  contentOf,
  MovedClock,
  options,
  TARGETS,
  twoDays,
} from "./world.ts";

for (const [name, open] of Object.entries(TARGETS)) {
  Deno.test(`publish() (${name}) makes a snapshot readable, keeps the previous one, and sends nothing twice`, async () => {
    const days = await twoDays();
    await using target = await open();
    const { store } = target;
    const first = await publish(days.first.source, store, options());
    const { snapshot, sequence, previous } = first.pointer;
    assert.deepEqual([snapshot, sequence, previous], [days.first.id, 1, undefined]);
    assert.ok(first.isMoved);
    assert.ok(first.objects >= 12, `${first.objects}`);
    assert.equal(first.skipped, 0);
    const { problems } = await verifySnapshot(target.source, {
      clock: new MovedClock(),
      lookUp: lookUpFailures,
    });
    assert.deepEqual(problems, []);
    assert.deepEqual(await contentOf(store), builtContent(days.first));

    const next = await publish(days.second.source, store, options());
    assert.deepEqual([next.pointer.sequence, next.pointer.previous?.snapshot], [2, days.first.id]);
    assert.equal(next.skipped, 0);
    assert.deepEqual(await contentOf(store), builtContent(days.first, days.second));
    const again = await publish(days.second.source, store, options());
    assert.equal(again.isMoved, false);
    assert.equal(again.objects, 1); // The manifest, for its age
    assert.equal(again.skipped, next.objects - 1);
    assert.equal(again.pointer.sequence, 2);
  });

  Deno.test(`publish() (${name}) lets one of two publishers at once through`, async () => {
    const days = await twoDays();
    await using target = await open();
    await publish(days.first.source, target.store, options());
    const results = await Promise.allSettled(
      [1, 2].map((i) =>
        publish(days.second.source, target.store, options({ owner: `runner ${i}` }))
      ),
    );
    // Where conditions are kept. Without, both may come through, one after the other.
    const lost = results.filter(({ status }) => status === "rejected");
    if (name !== "S3 that ignores conditions") assert.equal(lost.length, 1);
    for (const result of lost) {
      const { message } = (result as PromiseRejectedResult).reason;
      assert.match(message, /runner [12] has the lease until 20\d\d-|Lost the lease/);
    }
    const { problems, snapshot } = await verifySnapshot(target.source, {
      clock: new MovedClock(),
      lookUp: lookUpFailures,
    });
    assert.deepEqual([problems, snapshot], [[], days.second.id]);
  });
}

Deno.test("publish() refuses data older than what is current, unless a reason is given", async () => {
  const days = await twoDays();
  await using server = serveS3();
  const store = bucketStore(server);
  await publish(days.second.source, store, options());
  const before = server.objects.get("current.json");
  await assert.rejects(publish(days.first.source, store, options()), {
    name: "GateError",
    message:
      /census\.csv is older than what is current: .* 2026-10-03, .* has 2026-10-04\.[^]*--force/,
  });
  assert.equal(server.objects.get("current.json"), before);
  const { pointer, overridden } = await publish(
    days.first.source,
    store,
    options({ force: "A test" }),
  );
  assert.match(overridden[0]!.message, /2026-10-04/);
  assert.deepEqual([pointer.reason, pointer.previous?.snapshot], ["A test", days.second.id]);
});

Deno.test("publish() sets the headers of each kind of object, and never a content coding", async () => {
  const days = await twoDays();
  await using server = serveS3();
  await publish(days.first.source, bucketStore(server), options());
  const headers = (path: string) => {
    const { contentType, cacheControl } = server.objects.get(path)!;
    return [contentType, cacheControl];
  };
  const forever = "public, max-age=31536000, immutable";
  const root = `s/${days.first.id}`;
  assert.deepEqual(headers(`${root}/carriers/0.json.gz`), ["application/gzip", forever]);
  assert.deepEqual(headers(`${root}/manifest.json`), ["application/json", forever]);
  assert.deepEqual(headers(`${root}/SHA256SUMS`), ["text/plain; charset=utf-8", forever]);
  assert.deepEqual(headers("current.json"), ["application/json", "public, max-age=60"]);
  assert.deepEqual(headers("publish.lock"), ["application/json", "no-store"]);
});

Deno.test("publish() writes the manifest after all other objects and the pointer after that", async () => {
  const days = await twoDays();
  await using server = serveS3();
  await publish(days.first.source, bucketStore(server), options());
  const writes = server.asked.filter(({ method }) => method === "PUT").map(({ key }) => key)
    .filter((key) => key !== "publish.lock");
  assert.deepEqual(writes.slice(-2), [`s/${days.first.id}/manifest.json`, "current.json"]);
});

Deno.test("publish() moves nothing when what readers would get is not what was built", async () => {
  const days = await twoDays();
  await using server = serveS3();
  const store = bucketStore(server);
  await publish(days.first.source, store, options());
  const pointer = server.objects.get("current.json");
  const broken = new MemorySource(new Map());
  for (const wrong of ["missing", "garbage"] as const) {
    broken.fault = () => wrong;
    await assert.rejects(
      publish(days.second.source, store, options({ publicSource: broken })),
      wrong === "missing"
        ? /read back from memory, "s\/.*" is missing\. The pointer was not moved/
        : /read back from memory, "s\/.*" has other bytes/,
    );
  }
  assert.equal(server.objects.get("current.json"), pointer);
  const { objects, skipped } = await publish(days.second.source, store, options());
  assert.equal(objects, 1);
  assert.ok(skipped >= 10);
});

Deno.test("publish() looks carriers up through the reader: what does not answer stops it", async () => {
  const days = await twoDays();
  await using server = serveS3();
  const real = days.first.source;
  // Both dockets' shards sound while hashes are compared, gone or empty when carriers are looked up
  const cases: [Uint8Array<ArrayBuffer> | null, RegExp][] = [
    [null, /Cannot find "s\/.*\/dockets\//],
    [gzipJson({}), /read back from a cache, A lookup of docket MC \d+ lacks USDOT \d+.*not moved/],
  ];
  for (const [later, message] of cases) {
    let reads = 0;
    const publicSource = {
      name: "a cache",
      get: (path: string) =>
        path.includes("/dockets/") && ++reads > 2 ? Promise.resolve(later) : real.get(path),
    };
    await assert.rejects(
      publish(days.first.source, bucketStore(server), options({ publicSource })),
      message,
    );
    assert.equal(server.objects.has("current.json"), false);
  }
});

Deno.test("publish() refuses a built object that is damaged and names it", async () => {
  const days = await twoDays();
  await using server = serveS3();
  const path = `s/${days.first.id}/carriers/1.json.gz`;
  const damaged = days.first.source.objects.get(path)!.slice();
  damaged[damaged.length >> 1]! ^= 1;
  days.first.source.objects.set(path, damaged);
  await assert.rejects(
    publish(days.first.source, bucketStore(server), options()),
    new RegExp(`Cannot publish "${path}" of .*: it is damaged`),
  );
  days.first.source.objects.delete(path);
  await assert.rejects(
    publish(days.first.source, bucketStore(server), options()),
    new RegExp(`Cannot find "${path}"`),
  );
  assert.equal(server.objects.has(path), false);
  assert.equal(server.objects.has(`s/${days.first.id}/manifest.json`), false);
});

Deno.test("publish() mends an object that was damaged in the store", async () => {
  const days = await twoDays();
  await using server = serveS3();
  const store = bucketStore(server);
  await publish(days.first.source, store, options());
  const path = `s/${days.first.id}/carriers/1.json.gz`;
  const sound = server.objects.get(path)!;
  server.objects.set(path, { ...sound, etag: '"00000000000000000000000000000000"' });
  const { objects } = await publish(days.first.source, store, options());
  assert.equal(objects, 2);
  assert.deepEqual(server.objects.get(path)!.bytes, sound.bytes);
});

Deno.test("publish() leaves the pointer alone when another publisher has moved it", async () => {
  const days = await twoDays();
  await using server = serveS3();
  const store = bucketStore(server);
  await publish(days.first.source, store, options());
  const theirs = new TextEncoder().encode(JSON.stringify({
    format: FORMAT,
    snapshot: "theirs",
    data_date: "2026-10-03",
    manifest_sha256: "0".repeat(64),
    sources: [],
  }));
  server.way.before = ({ method, key }) => {
    if (method !== "PUT" || key !== "current.json") return;
    server.objects.set(key, { ...server.objects.get(key)!, bytes: theirs, etag: '"theirs"' });
  };
  await assert.rejects(publish(days.second.source, store, options()), {
    name: ConditionFailed.name,
    message: new RegExp(`it was moved from ${days.first.id} to theirs in between`),
  });
  assert.deepEqual(server.objects.get("current.json")!.bytes, theirs);
});

Deno.test("publish() that slept past its lease does not move the pointer", async () => {
  const days = await twoDays();
  await using server = serveS3();
  const store = bucketStore(server);
  await publish(days.first.source, store, options());
  const clock = new MovedClock();
  let hasSlept = false;
  server.way.before = async ({ method, key }) => {
    if (hasSlept || method !== "PUT" || !key.endsWith("/manifest.json")) return;
    hasSlept = true;
    // The first publisher hangs here; its lease runs out and another one goes past it.
    const later = new MovedClock();
    later.ahead = 120_000;
    await publish(days.second.source, store, options({ clock: later, owner: "the second" }));
    await rollback(store, { clock: later, owner: "the second" });
  };
  await assert.rejects(
    publish(days.second.source, store, options({ clock })),
    { name: "LeaseError", message: /Lost the lease of s3:\/\/carriers to the second/ },
  );
  const pointer = JSON.parse(new TextDecoder().decode(server.objects.get("current.json")!.bytes));
  assert.deepEqual([pointer.snapshot, pointer.sequence], [days.first.id, 3]);
});

Deno.test("publish() stopped by a signal leaves the pointer and releases the lease", async () => {
  const days = await twoDays();
  await using server = serveS3();
  const store = bucketStore(server);
  await publish(days.first.source, store, options());
  const pointer = server.objects.get("current.json");
  for (const at of [3, 7, 13, 25]) {
    const stop = new AbortController();
    const began = server.asked.length;
    server.way.before = ({ n }) => {
      if (n === began + at) stop.abort(new Error("Interrupted"));
    };
    await assert.rejects(
      publish(days.second.source, store, options({ signal: stop.signal })),
      /Interrupted/,
    );
    server.way.before = () => {};
    assert.equal(server.objects.get("current.json"), pointer);
  }
  // None of them waits for a lease to run out
  const { isMoved } = await publish(days.second.source, store, options());
  assert.ok(isMoved);
});
