import assert from "node:assert/strict";
import fc from "fast-check";
import { KeyedHash } from "../../../api/state/keyed_hash.ts";
import { type Decision, OVERFLOW, RateLimiter } from "../../../api/state/rate_limit.ts";
import { TestClock } from "../../pipeline/snapshot/memory.ts";
import { FakeKv, type KvFault } from "./fake_kv.ts";

const W = 60_000;

interface Setting {
  clock: TestClock;
  kv: FakeKv;
  /** Another process on the same store. */
  another(): RateLimiter;
  /** The log of the one client. */
  log(): number[];
}

function setting(options: { limit?: number } = {}): Setting {
  const clock = new TestClock();
  const kv = new FakeKv();
  return {
    clock,
    kv,
    another: () => new RateLimiter({ store: { kv, hash: new KeyedHash(kv) }, clock, ...options }),
    log: () => [...kv.entries.values()].find(({ key }) => key[0] === "rate")!.value as number[],
  };
}

async function takeMany(limiter: RateLimiter, times: number, client = "a"): Promise<Decision[]> {
  const decisions: Decision[] = [];
  for (let i = 0; i < times; i++) decisions.push(await limiter.take(client));
  return decisions;
}

function countAccepted(decisions: Decision[]): number {
  return decisions.filter(({ accepted }) => accepted).length;
}

for (const where of ["with a store", "in this process only"] as const) {
  Deno.test(`RateLimiter.take() accepts what an exact log accepts, ${where}`, async () => {
    const steps = fc.array(
      fc.record({
        wait: fc.oneof(fc.constantFrom(0, 1, 59_999, 60_000), fc.nat({ max: 4_000 })),
        cost: fc.constantFrom(1, 1, 1, 2, 5),
        times: fc.integer({ min: 1, max: 9 }),
      }),
      { maxLength: 80, size: "max" },
    );
    await fc.assert(fc.asyncProperty(steps, fc.constantFrom(5, 7, 60), async (steps, limit) => {
      const clock = new TestClock();
      const kv = new FakeKv();
      const store = where === "with a store" ? { kv, hash: new KeyedHash(kv) } : null;
      const limiter = new RateLimiter({ store, clock, limit });
      let log: number[] = [];
      for (const { wait, cost, times } of steps) {
        clock.advance(wait);
        for (let i = 0; i < times; i++) {
          const now = clock.now();
          log = log.filter((at) => at > now - W);
          const accepted = log.length + cost <= limit;
          const decision = await limiter.take("a", cost);
          const over = log[log.length + cost - limit - 1];
          if (accepted) log.push(...Array<number>(cost).fill(now));
          assert.equal(decision.accepted, accepted);
          assert.equal(decision.reset, Math.ceil((log.at(-1)! + W - now) / 1000));
          assert.equal(decision.remaining, limit - log.length);
          assert.equal(decision.degraded, false);
          const retryAfter = accepted ? undefined : Math.ceil((over! + W - now) / 1000);
          assert.equal(decision.retryAfter, retryAfter);
          const { accepted: next, remaining } = limiter.peek("a");
          assert.deepEqual([next, remaining], [log.length < limit, limit - log.length]);
        }
      }
    }));
  });
}

Deno.test("RateLimiter.take() writes nothing for a refusal, and reads nothing for a repeated one", async () => {
  const { clock, kv, another } = setting();
  const limiter = another();
  await takeMany(limiter, 60);
  const calls = kv.calls.length;
  for (let i = 0; i < 100; i++) {
    const decision = limiter.take("a");
    assert.ok(!(decision instanceof Promise) && !decision.accepted);
    clock.advance(100);
  }
  assert.equal(kv.calls.length, calls);
  // A process that knows nothing tries once, reads, and then knows.
  const other = another();
  const { commits } = kv;
  assert.equal((await other.take("a")).accepted, false);
  const before = kv.calls.length;
  assert.equal(countAccepted(await takeMany(other, 50)), 0);
  assert.equal(kv.calls.length, before);
  assert.equal(kv.commits, commits);
});

Deno.test("RateLimiter.take() decides the requests of a client that wait in one commit", async () => {
  const { kv, another } = setting();
  const limiter = another();
  await limiter.take("b");
  const commits = kv.commits;
  assert.equal(countAccepted(await Promise.all(await takes(limiter, 80))), 60);
  assert.ok(kv.commits - commits <= 2, `${kv.commits - commits} commits`);
});

function takes(limiter: RateLimiter, times: number): (Decision | Promise<Decision>)[] {
  return Array.from({ length: times }, () => limiter.take("a"));
}

Deno.test("RateLimiter.take() limits by itself while the store fails, and adds what it accepted afterwards", async () => {
  const { clock, kv, another, log } = setting();
  const [one, two] = [another(), another()];
  assert.equal(countAccepted(await takeMany(one, 20)), 20);
  assert.equal((await two.take("b")).accepted, true);
  kv.options.fault = () => "error";
  clock.advance(3_000);
  const alone = await takeMany(one, 60);
  assert.equal(countAccepted(alone), 40);
  assert.ok(alone.slice(0, 40).every(({ degraded }) => degraded));
  assert.equal(countAccepted(await takeMany(two, 70)), 60);
  delete kv.options.fault;
  clock.advance(W - 3_000);
  const healed = await takeMany(one, 30);
  assert.equal(countAccepted(healed), 20);
  assert.ok(healed.every(({ degraded }) => !degraded));
  assert.equal(log().length, 60);
  assert.equal((await another().take("a")).accepted, false);
});

for (const kind of ["error", "lost", "conflict"] as const satisfies KvFault[]) {
  Deno.test(`RateLimiter.take() loses and doubles nothing when one call meets ${kind}`, async () => {
    let hit = true;
    for (let chosen = 1; hit; chosen++) {
      hit = false;
      const { clock, kv, another } = setting({ limit: 12 });
      const [one, two] = [another(), another()];
      kv.options.fault = ({ number }) => {
        if (number !== chosen) return undefined;
        hit = true;
        return kind;
      };
      let accepted = 0;
      for (let i = 0; i < 40; i++) {
        if ((await (i % 3 === 0 ? two : one).take("a")).accepted) accepted++;
        clock.advance(10);
      }
      // A request whose commit is lost counts twice: too few are accepted then, never too many of one process.
      assert.ok(accepted >= 11 && accepted <= (kind === "conflict" ? 12 : 13), `${accepted}`);
      delete kv.options.fault;
      clock.advance(W);
      assert.equal(countAccepted(await takeMany(one, 40)), 12, `after call ${chosen}`);
    }
  });
}

Deno.test("RateLimiter.take() is right after the clock was set back, and locks no one out meanwhile", async () => {
  for (const ms of [1, 5_000, 3_600_000]) {
    const { clock, another } = setting();
    const [one, two] = [another(), another()];
    assert.equal(countAccepted(await takeMany(one, 30)), 30);
    clock.advance(-ms);
    assert.equal(countAccepted(await takeMany(one, 70)), 30);
    assert.equal((await one.take("a")).retryAfter, 60);
    // Each look of a process that is refused must not restart the wait.
    for (let passed = 0; passed < W; passed += 500) {
      assert.equal((await two.take("a")).accepted, false);
      clock.advance(500);
    }
    assert.equal(countAccepted(await takeMany(two, 70)), 60);
  }
});

// 10,001 other clients once reset a client's limit.
Deno.test("RateLimiter forgets no client whose requests count", async () => {
  const kv = new FakeKv();
  for (const store of [{ kv, hash: new KeyedHash(kv) }, null]) {
    const clock = new TestClock();
    const limiter = new RateLimiter({ store, clock, limit: 4, maxClients: 10 });
    assert.equal(countAccepted(await takeMany(limiter, 3, "192.0.2.1")), 3);
    clock.advance(30_000);
    for (let i = 0; i < 100; i++) await limiter.take(`10.${i}.0.1`);
    assert.equal(countAccepted(await takeMany(limiter, 3, "192.0.2.1")), 1);
    clock.advance(W);
    assert.equal(countAccepted(await takeMany(limiter, 9, "192.0.2.1")), 4);
  }
});

Deno.test("RateLimiter lets clients beyond its bound share a log by network, and a new window ends that", async () => {
  const clock = new TestClock();
  const limiter = new RateLimiter({ store: null, clock, limit: 4, maxClients: 2 });
  await takeMany(limiter, 1, "192.0.2.1");
  await takeMany(limiter, 1, "192.0.2.2");
  // A customer with a /48 has 65,536 networks of /64: they count as one.
  let accepted = 0;
  for (let i = 0; i < 100; i++) {
    if ((await limiter.take(`2001:db8:1:${i.toString(16)}::/64`)).accepted) accepted++;
  }
  assert.equal(accepted, 4);
  assert.ok(countAccepted(await takeMany(limiter, 9, "2001:db8:2:1::/64")) > 0);
  // However many come, logs are bounded.
  for (let i = 0; i < 5_000; i++) await limiter.take(`${i >> 8}.${i & 255}.0.1`);
  assert.ok(limiter.clients <= 2 + OVERFLOW, `${limiter.clients}`);
  clock.advance(2 * W);
  await limiter.take("192.0.2.1");
  clock.advance(W);
  assert.equal(countAccepted(await takeMany(limiter, 9, "2001:db8:1:9::/64")), 4);
});

Deno.test("RateLimiter keeps clients and policies apart, and no address in the store, not even its plain hash", async () => {
  const { clock, kv, another } = setting({ limit: 2 });
  const limiter = another();
  const wider = new RateLimiter({ store: { kv, hash: new KeyedHash(kv) }, clock, limit: 9 });
  assert.equal(countAccepted(await takeMany(limiter, 5, "192.0.2.1")), 2);
  assert.equal(countAccepted(await takeMany(limiter, 5, "192.0.2.2")), 2);
  assert.equal(countAccepted(await takeMany(wider, 20, "192.0.2.1")), 9);
  const keys = [...kv.entries.values()].filter(({ key }) => key[0] === "rate").map(({ key }) =>
    key
  );
  assert.equal(keys.length, 3);
  assert.doesNotMatch(JSON.stringify(keys), /192\.0/);
  // Another store has another secret, so names from one say nothing about the other.
  const other = setting({ limit: 2 });
  await other.another().take("192.0.2.1");
  assert.ok([...other.kv.entries.keys()].every((key) => !key.includes(String(keys[0]![3]))));
});
