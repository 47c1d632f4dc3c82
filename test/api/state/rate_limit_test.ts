import assert from "node:assert/strict";
import fc from "fast-check";
import { KeyedHash } from "../../../api/state/keyed_hash.ts";
import { type Decision, OVERFLOW, RateLimiter, STORED_MS } from "../../../api/state/rate_limit.ts";
import { TestClock } from "../../pipeline/snapshot/memory.ts";
import { FakeKv, withEachFault } from "./fake_kv.ts";

const W = 60_000;

/** A store and limiters that count in it; without a store each limiter counts by itself. */
function setting(kv: FakeKv | null = new FakeKv()) {
  const clock = new TestClock();
  const limiter = (options: { limit?: number; maxClients?: number } = {}) => {
    const store = kv && { kv, hash: new KeyedHash(kv) };
    return new RateLimiter({ store, clock, ...options });
  };
  return { clock, kv: kv!, limiter };
}

/** How many consecutive requests are accepted. */
async function accepted(limiter: RateLimiter, times: number, client = "a"): Promise<number> {
  let count = 0;
  for (let i = 0; i < times; i++) if ((await limiter.take(client)).accepted) count++;
  return count;
}

for (const where of ["with a store", "in this process only"] as const) {
  Deno.test(`RateLimiter.take() accepts what an exact log accepts, ${where}`, async () => {
    const step = fc.record({
      wait: fc.oneof(fc.constantFrom(0, 1, 59_999, 60_000), fc.nat({ max: 4_000 })),
      cost: fc.constantFrom(1, 1, 1, 2, 5),
      times: fc.integer({ min: 1, max: 9 }),
    });
    const steps = fc.array(step, { maxLength: 80, size: "max" });
    await fc.assert(fc.asyncProperty(steps, fc.constantFrom(5, 7, 60), async (steps, limit) => {
      const { clock, ...made } = setting(where === "with a store" ? undefined : null);
      const limiter = made.limiter({ limit });
      let log: number[] = [];
      for (const { wait, cost, times } of steps) {
        clock.advance(wait);
        for (let i = 0; i < times; i++) {
          const now = clock.now();
          log = log.filter((at) => at > now - W);
          const over = log.length + cost - limit;
          const seconds = (moment: number) => Math.ceil((moment + W - now) / 1000);
          const retryAfter = over > 0 ? { retryAfter: seconds(log[over - 1]!) } : {};
          if (over <= 0) log.push(...Array<number>(cost).fill(now));
          assert.deepEqual(await limiter.take("a", cost), {
            accepted: over <= 0,
            remaining: limit - log.length,
            reset: seconds(log.at(-1)!),
            degraded: false,
            ...retryAfter,
          });
          const { accepted, remaining, reset } = limiter.peek("a");
          assert.deepEqual(
            [accepted, remaining, reset],
            [log.length < limit, limit - log.length, seconds(log.at(-1)!)],
          );
        }
      }
    }));
  });
}

Deno.test("RateLimiter.take() writes nothing for a refusal, and reads nothing for a repeated one", async () => {
  const { clock, kv, limiter } = setting();
  const one = limiter();
  assert.equal(await accepted(one, 60), 60);
  const calls = kv.calls.length;
  for (let i = 0; i < 100; i++) {
    const decision = one.take("a");
    assert.ok(!(decision instanceof Promise) && !decision.accepted);
    clock.advance(100);
  }
  assert.equal(kv.calls.length, calls);
  // A new process reads the store once. After that it refuses without reading.
  const [other, { commits }] = [limiter(), kv];
  assert.equal(await accepted(other, 1), 0);
  const before = kv.calls.length;
  assert.equal(await accepted(other, 50), 0);
  assert.deepEqual([kv.calls.length, kv.commits], [before, commits]);
});

Deno.test("RateLimiter.take() decides a client's waiting requests in one commit", async () => {
  const { kv, limiter } = setting();
  const one = limiter();
  await one.take("b");
  const { commits } = kv;
  const reads = () => kv.calls.filter(({ kind }) => kind === "get").length;
  const before = reads();
  const decisions = await Promise.all(Array.from({ length: 80 }, () => one.take("a")));
  assert.equal(decisions.filter(({ accepted }: Decision) => accepted).length, 60);
  assert.ok(kv.commits - commits <= 2, `${kv.commits - commits} commits`);
  assert.equal(reads(), before, "a process that is alone on the store reads nothing");
});

Deno.test("RateLimiter.take() starts a new log when the store has deleted the client's", async () => {
  const { clock, kv, limiter } = setting();
  const one = limiter();
  assert.equal(await accepted(one, 60), 60);
  clock.advance(3 * W);
  for (const [name, { key }] of kv.entries) if (key[0] === "rate") kv.entries.delete(name);
  assert.equal(await accepted(one, 70), 60);
});

Deno.test("RateLimiter.take() counts by itself after as many refused commits as the limit allows", async () => {
  const { kv, limiter } = setting();
  const one = limiter({ limit: 4 });
  await one.take("b");
  kv.options.fault = ({ kind }) => kind === "commit" ? "conflict" : undefined;
  const tried = kv.calls.filter(({ kind }) => kind === "commit").length;
  const { accepted, degraded, remaining } = await one.take("a");
  assert.deepEqual([accepted, degraded, remaining], [true, true, 3]);
  assert.equal(kv.calls.filter(({ kind }) => kind === "commit").length - tried, 5);
});

Deno.test("RateLimiter.take() waits for the oldest of its own and another process's requests", async () => {
  const { clock, kv, limiter } = setting();
  const [one, two] = [limiter({ limit: 4 }), limiter({ limit: 4 })];
  await one.take("a");
  clock.advance(10_000);
  kv.options.fault = () => "error";
  await one.take("a"); // Not stored
  kv.options = {};
  clock.advance(10_000);
  await two.take("a", 2);
  clock.advance(10_000);
  // Requests at 0, 10, 20 and 20 seconds: two more are possible when the first two are a minute old.
  const { accepted, retryAfter, reset } = await one.take("a", 2);
  assert.deepEqual([accepted, retryAfter, reset], [false, 40, 50]);
});

Deno.test("RateLimiter.take() loses and duplicates nothing when one store call fails", async () => {
  await withEachFault(async (kv, fault, where) => {
    const { clock, limiter } = setting(kv);
    const [one, two] = [limiter({ limit: 12 }), limiter({ limit: 12 })];
    let count = 0;
    for (let i = 0; i < 40; i++) {
      count += await accepted(i % 3 === 0 ? two : one, 1);
      clock.advance(10);
    }
    // If the answer to a commit is lost, its request counts twice, so fewer may be accepted. One process never
    // accepts too many.
    assert.ok(count >= 11 && count <= (fault === "conflict" ? 12 : 13), `${count}, ${where}`);
    kv.options = {};
    clock.advance(W);
    assert.equal(await accepted(one, 40), 12, where);
  });
});

Deno.test("RateLimiter.take() is correct after the clock moved backward, and locks no client out meanwhile", async () => {
  for (const ms of [1, 5_000, 3_600_000]) {
    const { clock, limiter } = setting();
    const [one, two, single] = [limiter(), limiter(), limiter({ limit: 1 })];
    assert.equal(await accepted(one, 30), 30);
    await single.take("a");
    clock.advance(-ms);
    assert.equal((await single.take("a")).retryAfter, 60);
    assert.equal(await accepted(one, 70), 30);
    assert.equal((await one.take("a")).retryAfter, 60);
    // A refused process's checks must not restart the wait.
    for (let passed = 0; passed < W; passed += 500) {
      assert.equal(await accepted(two, 1), 0);
      clock.advance(500);
    }
    assert.equal(await accepted(two, 70), 60);
  }
});

// Regression: 10,001 other clients reset a client's limit.
Deno.test("RateLimiter forgets no client whose requests still count", async () => {
  for (const kv of [undefined, null]) {
    const { clock, ...made } = setting(kv);
    const limiter = made.limiter({ limit: 4, maxClients: 10 });
    assert.equal(await accepted(limiter, 3, "192.0.2.1"), 3);
    clock.advance(30_000);
    for (let i = 0; i < 100; i++) await limiter.take(`10.${i}.0.1`);
    assert.equal(await accepted(limiter, 3, "192.0.2.1"), 1);
    // After a window, clients whose requests no longer count are forgotten, this one's newest still counts.
    clock.advance(W - 30_000);
    await limiter.take("172.16.0.1");
    assert.equal(await accepted(limiter, 9, "192.0.2.1"), 3);
    clock.advance(W);
    assert.equal(await accepted(limiter, 9, "192.0.2.1"), 4);
  }
});

Deno.test("RateLimiter forgets clients whose requests no longer count, and accepts a new client", async () => {
  const { clock, ...made } = setting(null);
  const limiter = made.limiter({ limit: 4 });
  for (let i = 0; i < 9; i++) await limiter.take(`10.${i}.0.1`);
  assert.equal(limiter.clients, 9);
  const unknown = { accepted: true, remaining: 4, reset: 0, degraded: false };
  assert.deepEqual([limiter.peek("192.0.2.1"), limiter.clients], [unknown, 9]);
  clock.advance(W);
  await limiter.take("192.0.2.1");
  assert.equal(limiter.clients, 1);
});

Deno.test("when full, RateLimiter lets only the clients of the largest network share a log", async () => {
  for (const kv of [undefined, null]) {
    const { clock, ...made } = setting(kv);
    const limiter = made.limiter({ limit: 4, maxClients: 100 });
    // A customer with a /48 has 65,536 networks of /64. Regression: they filled the table, and all later
    // clients shared the logs of their networks.
    for (let i = 0; i < 5; i++) await limiter.take(`172.${16 + i}.0.1`);
    let count = 0;
    for (let i = 0; i < 200; i++) {
      count += await accepted(limiter, 1, `2001:db8:1:${i.toString(16)}::/64`);
    }
    assert.equal(count, 95);
    for (let i = 0; i < 90; i++) assert.equal(await accepted(limiter, 9, `10.1.0.${i}`), 4);
    assert.equal(await accepted(limiter, 9, "2001:db8:1:1::/64"), 0);
    clock.advance(W);
    await limiter.take("10.1.0.1");
    clock.advance(W);
    assert.equal(await accepted(limiter, 9, "2001:db8:1:9::/64"), 4);
  }
});

Deno.test("a log that a network comes to share has the newest requests of its clients, in order", async () => {
  for (const kv of [undefined, null]) {
    const { clock, ...made } = setting(kv);
    const limiter = made.limiter({ limit: 3, maxClients: 2 });
    await limiter.take("10.1.0.1");
    clock.advance(20_000);
    await limiter.take("10.1.0.2");
    clock.advance(20_000);
    await limiter.take("10.1.0.1");
    await limiter.take("10.2.0.1");
    assert.equal(await accepted(limiter, 1, "10.1.0.2"), 0);
    clock.advance(45_000);
    assert.equal(await accepted(limiter, 9, "10.1.0.2"), 2);
  }
});

Deno.test("processes whose clients come to share a log count each other's requests", async () => {
  const { limiter } = setting();
  const options = { limit: 6, maxClients: 2 };
  const [one, two] = [limiter(options), limiter(options)];
  for (const client of ["10.1.0.1", "10.1.0.2", "10.2.0.1", "10.1.0.1"]) await one.take(client);
  for (const client of ["10.1.0.3", "10.1.0.4", "10.2.0.2"]) await two.take(client);
  assert.equal(await accepted(two, 9, "10.1.0.3"), 1);
});

Deno.test("when full and without a large network, RateLimiter lets new clients share logs by network", async () => {
  const { clock, ...made } = setting(null);
  const limiter = made.limiter({ limit: 4, maxClients: 2 });
  for (const client of ["192.0.2.1", "198.51.100.2"]) await limiter.take(client);
  let count = 0;
  for (let i = 0; i < 100; i++) {
    count += await accepted(limiter, 1, `2001:db8:1:${i.toString(16)}::/64`);
  }
  assert.equal(count, 4);
  assert.ok(await accepted(limiter, 9, "2001:db8:2:1::/64") > 0);
  // The number of logs is bounded, however many clients there are.
  for (let i = 0; i < 5_000; i++) await limiter.take(`${i >> 8}.${i & 255}.0.1`);
  assert.ok(limiter.clients <= 2 + OVERFLOW, `${limiter.clients}`);
  clock.advance(2 * W);
  await limiter.take("192.0.2.1");
  clock.advance(W);
  assert.equal(await accepted(limiter, 9, "2001:db8:1:9::/64"), 4);
});

Deno.test("RateLimiter separates clients and policies, and stores no address, not even as a plain hash", async () => {
  const namesIn = (kv: FakeKv) =>
    [...kv.entries.values()].filter(({ key }) => key[0] === "rate").map(({ key }) => key[2]);
  const { kv, limiter } = setting();
  const narrow = limiter({ limit: 2 });
  assert.equal(await accepted(narrow, 5, "192.0.2.1"), 2);
  assert.equal(await accepted(narrow, 5, "192.0.2.2"), 2);
  assert.equal(await accepted(limiter({ limit: 9 }), 20, "192.0.2.1"), 9);
  assert.equal(namesIn(kv).length, 3);
  // A record outlives its requests also by a clock that is a minute behind.
  assert.ok(STORED_MS >= 2 * W);
  assert.doesNotMatch([...kv.entries.keys()].join(), /192\.0/);
  // Another store has another secret, so the same client has a different name in it.
  const other = setting();
  await other.limiter().take("192.0.2.1");
  assert.ok(!namesIn(kv).includes(namesIn(other.kv)[0]));
});
