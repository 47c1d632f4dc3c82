import assert from "node:assert/strict";
import {
  type Lease,
  LEASE_PATH,
  LeaseError,
  readLease,
  takeLease,
} from "../../../pipeline/publish/lease.ts";
import { abortable } from "../../../pipeline/retry.ts";
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

/** Sleeps whose ends the test decides: the first one at the first `wake`. */
function sleeper() {
  const asked: number[] = [];
  let { promise, resolve } = Promise.withResolvers<void>();
  return {
    asked,
    sleep: (ms: number, signal?: AbortSignal): Promise<void> => {
      asked.push(ms);
      return abortable(promise, signal!);
    },
    wake(): void {
      const wakeUp = resolve;
      ({ promise, resolve } = Promise.withResolvers<void>());
      wakeUp();
    },
  };
}

Deno.test("Lease is for a minute and renews itself three times in it, so that a long upload keeps it", async () => {
  await using server = serveS3();
  const store = bucketStore(server, { tries: 1 });
  let now = 0;
  const clock = { now: () => now };
  const { asked, sleep, wake } = sleeper();
  await using lease = await takeLease(store, { clock, owner: "runner one", sleep });
  const expires = async () => Date.parse((await readLease(store, { now }))!.expires);
  assert.equal(await expires(), 60_000);
  assert.equal(await readLease(store, { now: 60_000 }), null);
  const renew = async (): Promise<void> => {
    const { length } = asked;
    wake();
    while (asked.length === length) await new Promise((resolve) => setTimeout(resolve, 1));
  };
  now = 20_000;
  await renew();
  assert.equal(await expires(), 80_000);
  // A renewal that fails is made up by the next one.
  server.way.fault = ({ method }) => method === "PUT" ? "500" : null;
  now = 40_000;
  await renew();
  assert.equal(await expires(), 80_000);
  server.way.fault = () => null;
  now = 60_000;
  await renew();
  assert.equal(await expires(), 120_000);
  await lease.check();
  assert.deepEqual(asked, [20_000, 20_000, 20_000, 20_000]);
});

Deno.test("Lease aborts its signal when another owner took it or it cannot be renewed", async () => {
  for (const how of ["taken", "silent"]) {
    await using server = serveS3();
    const store = bucketStore(server, { tries: 1 });
    const clock = new MovedClock();
    const { sleep, wake } = sleeper();
    await using lease = await takeLease(store, { clock, owner: "runner one", sleep });
    const lost = new Promise((resolve) => lease.signal.addEventListener("abort", resolve));
    if (how === "silent") {
      server.way.fault = () => "500";
      clock.ahead = 61_000;
    } else {
      const record = JSON.parse(new TextDecoder().decode((await store.get(LEASE_PATH))!.bytes));
      const other = JSON.stringify({ ...record, id: "other", owner: "runner two" });
      await store.put(LEASE_PATH, new TextEncoder().encode(other));
    }
    wake();
    await lost;
    assert.ok(lease.signal.reason instanceof LeaseError);
    assert.match(lease.signal.reason.message, how === "taken" ? /to runner two/ : /not be renewed/);
    await assert.rejects(lease.check(), lease.signal.reason);
  }
});

Deno.test("Lease.check() throws the reason of an interruption, also one during the check", async () => {
  await using server = serveS3();
  const store = bucketStore(server, { tries: 1 });
  const stop = new AbortController();
  const { signal } = stop;
  await using lease = await takeLease(store, { clock: new MovedClock(), owner: "one", signal });
  server.way.before = () => stop.abort(new Error("Interrupted"));
  await assert.rejects(lease.check(), { message: "Interrupted" });
  server.way.fault = () => "500";
  await assert.rejects(lease.check(), { message: "Interrupted" });
});

Deno.test("Lease that is being renewed when it is disposed of is released", async () => {
  await using server = serveS3();
  const store = bucketStore(server);
  const clock = new MovedClock();
  const { sleep, wake } = sleeper();
  const lease = await takeLease(store, { clock, owner: "runner one", sleep });
  const [renewing, read, written] = [1, 2, 3].map(() => Promise.withResolvers<void>());
  let isRenewing = false;
  // A release that does not wait reads the lease meanwhile, and then the renewal overtakes its write.
  server.way.before = async ({ method }) => {
    if (method !== "PUT" || isRenewing) return;
    isRenewing = true;
    renewing!.resolve();
    await Promise.race([read!.promise, new Promise((resolve) => setTimeout(resolve, 50))]);
  };
  server.way.after = async ({ method }) => {
    if (!isRenewing) return;
    if (method === "PUT") return written!.resolve();
    read!.resolve();
    await written!.promise;
  };
  wake();
  await renewing!.promise;
  await lease[Symbol.asyncDispose]();
  assert.equal(await readLease(store, { now: clock.now() }), null);
});

Deno.test("Lease.check() says when the lease is gone", async () => {
  await using server = serveS3();
  const store = bucketStore(server);
  await using lease = await takeLease(store, { clock: new MovedClock(), owner: "runner one" });
  await store.delete([LEASE_PATH]);
  await assert.rejects(lease.check(), /Lost the lease .* to an unknown owner/);
});

Deno.test("takeLease() over an expired lease reports a failed write, not the former owner", async () => {
  await using server = serveS3();
  const store = bucketStore(server, { tries: 1 });
  const clock = new MovedClock();
  await using _dead = await takeLease(store, { clock, owner: "runner one" });
  clock.ahead = 61_000;
  server.way.fault = ({ method }) => method === "PUT" ? "500" : null;
  await assert.rejects(takeLease(store, { clock, owner: "runner two" }), /status 500/);
});

Deno.test("takeLease() names the publisher that was faster", async () => {
  await using server = serveS3();
  const store = bucketStore(server);
  const clock = new MovedClock();
  let hasRaced = false;
  let faster: Lease | undefined;
  server.way.before = async ({ method }) => {
    if (method !== "PUT" || hasRaced) return;
    hasRaced = true;
    faster = await takeLease(store, { clock, owner: "runner one" });
  };
  await assert.rejects(takeLease(store, { clock, owner: "runner two" }), {
    name: "LeaseError",
    message: /runner one has the lease until/,
  });
  await faster?.[Symbol.asyncDispose]();
});

Deno.test("takeLease() gives the lease back when the server ignores or fails its test of conditions", async () => {
  for (const how of ["ignored", "failed"]) {
    await using server = serveS3({ ignoresConditions: how === "ignored" });
    const store = bucketStore(server, { tries: 1 });
    const clock = new MovedClock();
    let writes = 0;
    server.way.fault = ({ method }) =>
      how === "failed" && method === "PUT" && ++writes === 2 ? "500" : null;
    await assert.rejects(
      takeLease(store, { clock, owner: "runner one" }),
      how === "ignored" ? /its server ignores If-Match or If-None-Match/ : /status 500/,
    );
    assert.equal(await readLease(store, { now: clock.now() }), null, how);
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
