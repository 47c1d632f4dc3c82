import assert from "node:assert/strict";
import { LEASE_PATH, LeaseError, readLease, takeLease } from "../../../pipeline/publish/lease.ts";
import { serveS3 } from "./s3_server.ts";
import { bucketStore, MovedClock } from "./world.ts";

Deno.test("takeLease() keeps a second publisher out, names the owner, and lets the next one in", async () => {
  await using server = serveS3();
  const store = bucketStore(server);
  const clock = new MovedClock();
  {
    await using _first = await takeLease(store, { clock, owner: "runner one" });
    await assert.rejects(takeLease(store, { clock, owner: "runner two" }), {
      name: "LeaseError",
      message: /^Cannot work on .*: runner one has the lease until 20\d\d-.*Z\. Wait/,
    });
  }
  assert.equal(await readLease(store, { now: clock.now() }), null);
  await using second = await takeLease(store, { clock, owner: "runner two" });
  await second.check();
  assert.equal((await readLease(store, { now: clock.now() }))!.owner, "runner two");
});

Deno.test("takeLease() takes over a killed publisher's lease, and that publisher notices if it resumes", async () => {
  await using server = serveS3();
  const store = bucketStore(server);
  const clock = new MovedClock();
  await using dead = await takeLease(store, { clock, owner: "runner one" });
  clock.ahead = 61_000;
  await assert.rejects(dead.check(), /it expired/);
  await using _next = await takeLease(store, { clock, owner: "runner two" });
  await assert.rejects(dead.check(), {
    name: "LeaseError",
    message: /Lost the lease .* to runner two/,
  });
});

Deno.test("Lease renews itself, so that a long upload keeps it", async () => {
  await using server = serveS3();
  const store = bucketStore(server);
  const clock = { now: () => 0 }; // Never expires, however slow the machine is
  const renewed = Promise.withResolvers<void>();
  let writes = 0;
  server.way.after = ({ method }) => {
    if (method === "PUT" && ++writes === 4) renewed.resolve();
  };
  await using lease = await takeLease(store, { clock, owner: "runner one", term: 900 });
  await renewed.promise;
  assert.equal(lease.signal.aborted, false);
});

Deno.test("Lease aborts its signal when another owner took it or it cannot be renewed", async () => {
  for (const how of ["taken", "silent"]) {
    await using server = serveS3();
    const store = bucketStore(server, { tries: 1 });
    await using lease = await takeLease(store, {
      clock: new MovedClock(),
      owner: "runner one",
      term: 900,
    });
    const lost = new Promise((resolve) => lease.signal.addEventListener("abort", resolve));
    if (how === "silent") server.way.fault = () => "500";
    else {
      const record = JSON.parse(new TextDecoder().decode((await store.get(LEASE_PATH))!.bytes));
      const other = JSON.stringify({ ...record, id: "other", owner: "runner two" });
      await store.put(LEASE_PATH, new TextEncoder().encode(other));
    }
    await lost;
    assert.ok(lease.signal.reason instanceof LeaseError);
    assert.match(lease.signal.reason.message, how === "taken" ? /to runner two/ : /not be renewed/);
  }
});

Deno.test("takeLease() succeeds when the write's response is lost, and over an unreadable record", async () => {
  await using server = serveS3();
  const store = bucketStore(server);
  const clock = new MovedClock();
  await store.put(LEASE_PATH, new TextEncoder().encode("{half"));
  let isFirst = true;
  server.way.fault = ({ method }) => {
    if (method !== "PUT" || !isFirst) return null;
    isFirst = false;
    return "lost";
  };
  await using lease = await takeLease(store, { clock, owner: "runner one" });
  await lease.check();
});
