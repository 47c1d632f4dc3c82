import assert from "node:assert/strict";
import { Lease, LeaseHeld } from "../../../pipeline/publish/lease.ts";
import { isHeld, LEASE_PATH, readLease } from "../../../pipeline/publish/lease_note.ts";
import { serveS3 } from "./s3_server.ts";
import { TARGETS } from "./targets.ts";
import { bucketStore, MovedClock } from "./world.ts";

for (const [name, open] of Object.entries(TARGETS)) {
  Deno.test(`Lease (${name}) keeps a second holder out, says who holds it, and lets the next in`, async () => {
    await using target = await open();
    const { store } = target;
    const clock = new MovedClock();
    {
      await using _held = await Lease.take(store, { clock, owner: "runner one" });
      await assert.rejects(Lease.take(store, { clock, owner: "runner two" }), {
        name: "LeaseHeld",
        message: /^Cannot work on .*: runner one does, and holds it until 20\d\d-.*Z\. Wait/,
      });
    }
    assert.equal(isHeld((await readLease(store))!, clock.now()), false);
    await using second = await Lease.take(store, { clock, owner: "runner two" });
    await second.check();
    assert.equal((await readLease(store))!.generation, 2);
  });
}

Deno.test("Lease.take() takes over what a dead holder left, and check() tells that one if it wakes", async () => {
  await using server = serveS3();
  const store = bucketStore(server);
  const clock = new MovedClock();
  await using dead = await Lease.take(store, { clock, owner: "runner one" });
  clock.ahead = 61_000;
  await using _next = await Lease.take(store, { clock, owner: "runner two" });
  await assert.rejects(dead.check(), {
    name: "LeaseHeld",
    message: /Lost the lease .* to runner two/,
  });
});

Deno.test("Lease.check() refuses a lease that ran out, though nobody else took it", async () => {
  await using server = serveS3();
  const clock = new MovedClock();
  await using lease = await Lease.take(bucketStore(server), { clock, owner: "runner one" });
  clock.ahead = 61_000;
  await assert.rejects(lease.check(), /it ran out/);
});

Deno.test("Lease renews itself while it is held, so that a long upload keeps it", async () => {
  await using server = serveS3();
  const store = bucketStore(server);
  const clock = new MovedClock();
  const renewed = Promise.withResolvers<void>();
  let writes = 0;
  server.way.after = ({ method }) => {
    if (method === "PUT" && ++writes === 4) renewed.resolve();
  };
  await using lease = await Lease.take(store, { clock, owner: "runner one", term: 900 });
  await renewed.promise;
  assert.equal((await readLease(store))!.generation, 1);
  assert.equal(lease.lost.aborted, false);
});

Deno.test("Lease says that it is lost when somebody else took it or it cannot be renewed", async () => {
  for (const how of ["taken", "silent"]) {
    await using server = serveS3();
    const store = bucketStore(server, { tries: 1 });
    const clock = new MovedClock();
    await using lease = await Lease.take(store, { clock, owner: "runner one", term: 900 });
    const lost = new Promise((resolve) => lease.lost.addEventListener("abort", resolve));
    if (how === "taken") {
      const held = server.objects.get(LEASE_PATH)!;
      const note = { ...JSON.parse(new TextDecoder().decode(held.bytes)), id: "other" };
      const bytes = new TextEncoder().encode(JSON.stringify({ ...note, owner: "runner two" }));
      server.objects.set(LEASE_PATH, { ...held, bytes });
    } else {
      server.way.fault = () => "500";
    }
    await lost;
    assert.ok(lease.lost.reason instanceof LeaseHeld);
    assert.match(lease.lost.reason.message, how === "taken" ? /to runner two/ : /not be renewed/);
  }
});

Deno.test("Lease.take() lets one of many through", async () => {
  await using server = serveS3();
  const clock = new MovedClock();
  const results = await Promise.allSettled(
    Array.from(
      { length: 12 },
      (_, i) => Lease.take(bucketStore(server), { clock, owner: `runner ${i}` }),
    ),
  );
  const held = results.filter((result) => result.status === "fulfilled");
  assert.equal(held.length, 1);
  for (const result of results) {
    if (result.status === "fulfilled") await result.value[Symbol.asyncDispose]();
    else assert.match(result.reason.message, /runner \d+ does, and holds it until/);
  }
});

Deno.test("Lease.take() is ours when the answer to our write was lost", async () => {
  await using server = serveS3({ fault: ({ method }) => method === "PUT" ? "lost" : null });
  const clock = new MovedClock();
  await using lease = await Lease.take(bucketStore(server), { clock, owner: "runner one" });
  await lease.check();
});

Deno.test("Lease.take() writes over a note that nobody can read", async () => {
  await using server = serveS3();
  const store = bucketStore(server);
  const bytes = new TextEncoder().encode("{half");
  await store.put(LEASE_PATH, bytes, { contentType: "x", cacheControl: "x" });
  await using lease = await Lease.take(store, { clock: new MovedClock(), owner: "runner one" });
  await lease.check();
});
