import assert from "node:assert/strict";
import { serialize } from "node:v8";
import fc from "fast-check";
import type { Kv } from "../../../api/state/kv.ts";
import { type Decision, RateLimiter } from "../../../api/state/rate_limit.ts";
import type { RateRecord } from "../../../api/state/rate_record.ts";
import { TestClock } from "../../pipeline/snapshot/memory.ts";
import { FakeKv, type KvFault } from "./fake_kv.ts";
import { LIMIT, WINDOW_MS, World } from "./rate_limit_world.ts";

const W = 60_000;

interface Setting {
  clock: TestClock;
  kv: FakeKv;
  /** Another process on the same store. */
  another(): RateLimiter;
}

function setting(options: { limit?: number; maxClients?: number } = {}): Setting {
  const clock = new TestClock();
  const kv = new FakeKv();
  let started = 0;
  const another = (): RateLimiter =>
    new RateLimiter({ kv, clock, owner: `process-${++started}`, ...options });
  return { clock, kv, another };
}

async function takeMany(limiter: RateLimiter, times: number, client = "a"): Promise<Decision[]> {
  const decisions: Decision[] = [];
  for (let i = 0; i < times; i++) decisions.push(await limiter.take(client));
  return decisions;
}

function countAccepted(decisions: Decision[]): number {
  return decisions.filter(({ accepted }) => accepted).length;
}

function recordOf(kv: FakeKv): RateRecord {
  const [entry, ...others] = [...kv.entries.values()];
  assert.equal(others.length, 0);
  return entry!.value as RateRecord;
}

for (const store of ["with a store", "in this process only"] as const) {
  Deno.test(`RateLimiter.take() accepts what an exact log accepts, ${store}`, async () => {
    const steps = fc.array(
      fc.record({
        wait: fc.oneof(
          fc.constantFrom(0, 1, 2_499, 2_500, 57_500, 59_999, 60_000),
          fc.nat({ max: 4_000 }),
        ),
        times: fc.integer({ min: 1, max: 9 }),
      }),
      { maxLength: 80, size: "max" },
    );
    await fc.assert(fc.asyncProperty(steps, fc.constantFrom(1, 7, 60), async (steps, limit) => {
      const clock = new TestClock();
      const kv: Kv | null = store === "with a store" ? new FakeKv() : null;
      const limiter = new RateLimiter({ kv, clock, owner: "only", limit });
      let log: number[] = [];
      for (const { wait, times } of steps) {
        clock.advance(wait);
        for (let i = 0; i < times; i++) {
          const now = clock.now();
          log = log.filter((at) => at > now - W);
          const accepted = log.length < limit;
          const decision = await limiter.take("a");
          if (accepted) log.push(now);
          const free = limit - log.length;
          assert.equal(decision.accepted, accepted);
          assert.equal(decision.reset, Math.ceil((log.at(-1)! + W - now) / 1000));
          // Permits at hand do not look for uses that left the window since they were taken.
          assert.ok(decision.remaining <= free && decision.remaining >= 0);
          assert.equal(decision.degraded, false);
          const retryAfter = accepted ? undefined : Math.ceil((log[0]! + W - now) / 1000);
          assert.equal(decision.retryAfter, retryAfter);
          const { accepted: next, remaining } = limiter.peek("a");
          assert.deepEqual({ next, remaining }, { next: free > 0, remaining: free });
        }
      }
    }));
  });
}

Deno.test("RateLimiter.take() serves 60, and each again 60 s after its use", async () => {
  const { clock, kv, another } = setting();
  const limiter = another();
  for (let i = 0; i < 60; i++) {
    const { accepted, remaining } = await limiter.take("a");
    assert.deepEqual({ accepted, remaining }, { accepted: true, remaining: 59 - i });
    clock.advance(100);
  }
  // A few commits, not sixty.
  assert.ok(kv.calls.length <= 8, `${kv.calls.length} calls`);
  assert.equal((await limiter.take("a")).retryAfter, 54);
  clock.advance(W - 6_000 - 1);
  assert.equal((await limiter.take("a")).accepted, false);
  clock.advance(1);
  for (let i = 0; i < 60; i++) {
    assert.deepEqual((await takeMany(limiter, 2)).map(({ accepted }) => accepted), [true, false]);
    clock.advance(100);
  }
});

Deno.test("RateLimiter.take() writes nothing for a refusal and asks nobody", async () => {
  const { clock, kv, another } = setting();
  const limiter = another();
  await takeMany(limiter, 60);
  const { length } = kv.calls;
  for (let i = 0; i < 100; i++) {
    const decision = limiter.take("a");
    // The very first refusal needs no call either: this process knows all there is.
    if (i > 0) assert.ok(!(decision instanceof Promise));
    assert.equal((await decision).accepted, false);
    clock.advance(100);
  }
  assert.equal(kv.calls.length, length);

  // A process that knows nothing reads once, and then it knows; while the other one may give permits
  // back, it looks once a second.
  const other = another();
  assert.equal((await other.take("a")).accepted, false);
  const { commits } = kv;
  const before = kv.calls.length;
  for (let i = 0; i < 50; i++) {
    assert.equal((await other.take("a")).accepted, false);
    clock.advance(100);
  }
  assert.ok(kv.calls.length - before <= 5, `${kv.calls.length - before} calls in 5 s`);
  assert.equal(kv.commits, commits);
});

Deno.test("RateLimiter.take() accepts the same number over several processes", async () => {
  const { clock, kv, another } = setting();
  const limiters = [another(), another(), another()];
  let accepted = 0;
  // Hardly more than the limit: a share left unused in one process would be missing.
  for (let i = 0; i < 66; i++) {
    if ((await limiters[i % 3]!.take("a")).accepted) accepted++;
    clock.advance(7);
  }
  assert.equal(accepted, 60);
  const { stamps, open } = recordOf(kv);
  assert.ok(stamps.length <= 60 && open.length <= 3);
  assert.ok(serialize(recordOf(kv)).length < 2_000);
});

Deno.test("RateLimiter.take() accepts the same number of requests that come at once", async () => {
  const { kv, another } = setting();
  const limiters = [another(), another(), another()];
  const decisions = await Promise.all(
    Array.from({ length: 200 }, (_, i) => limiters[i % 3]!.take("a")),
  );
  assert.equal(countAccepted(decisions), 60);
  // One commit serves all who wait, as far as there is room.
  assert.ok(kv.commits <= 6 && kv.calls.length <= 20, `${kv.calls.length} calls`);
});

Deno.test("RateLimiter.take() gives permits back that it did not use", async () => {
  const { clock, another } = setting();
  const [one, two] = [another(), another()];
  await takeMany(one, 20);
  // 11 of its permits lie unused in the first process.
  assert.equal(countAccepted(await takeMany(two, 60)), 29);
  clock.advance(3_000);
  assert.equal(countAccepted(await takeMany(one, 1)), 1);
  clock.advance(1_000);
  assert.equal(countAccepted(await takeMany(two, 60)), 10);
});

Deno.test("RateLimiter.take() counts the permits of a killed process as used", async () => {
  const { clock, another } = setting();
  await takeMany(another(), 20);
  const two = another();
  assert.equal(countAccepted(await takeMany(two, 60)), 29);
  clock.advance(W);
  // The last 16 it held, of which it used 5, might have been used until they lapsed.
  assert.equal(countAccepted(await takeMany(two, 60)), 44);
  clock.advance(2_499);
  assert.equal(countAccepted(await takeMany(two, 60)), 0);
  clock.advance(1);
  assert.equal(countAccepted(await takeMany(two, 60)), 16);
});

Deno.test("RateLimiter.take() limits by itself while the store fails, and heals", async () => {
  const { clock, kv, another } = setting();
  const [one, two] = [another(), another()];
  assert.equal(countAccepted(await takeMany(one, 20)), 20);
  kv.options.fault = () => "error";
  clock.advance(3_000);
  const alone = await takeMany(one, 60);
  assert.equal(countAccepted(alone), 40);
  assert.ok(alone.every(({ degraded }) => degraded));
  assert.equal(alone[0]!.remaining, 39);
  assert.equal(countAccepted(await takeMany(two, 70)), 60);
  delete kv.options.fault;
  // Nothing is free yet, so nothing is written; then the uses of the outage enter the record.
  clock.advance(W - 3_000);
  const healed = await takeMany(one, 30);
  assert.equal(countAccepted(healed), 20);
  assert.ok(healed.slice(0, 20).every(({ degraded }) => !degraded));
  assert.ok(recordOf(kv).stamps.length >= 40);
  assert.equal((await another().take("a")).accepted, false);
  clock.advance(W + 3_000);
  assert.equal(countAccepted(await takeMany(two, 70)), 60);
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
      // The one request that met the failure is decided by what its process knows.
      assert.ok(accepted === 12 || (kind !== "conflict" && accepted === 13), `${accepted}`);
      clock.advance(W + 3_000);
      assert.equal(countAccepted(await takeMany(one, 40)), 12, `after call ${chosen}`);
    }
  });
}

Deno.test("RateLimiter.take() refuses rather than guesses when every check is lost", async () => {
  const { clock, kv, another } = setting();
  const limiter = another();
  kv.options.fault = () => "conflict";
  const refusal = await limiter.take("a");
  assert.deepEqual(refusal, {
    accepted: false,
    remaining: 0,
    reset: 1,
    retryAfter: 1,
    degraded: false,
  });
  assert.ok(kv.calls.length <= 20);
  delete kv.options.fault;
  clock.advance(1_000);
  assert.equal((await limiter.take("a")).accepted, true);
});

Deno.test("RateLimiter.take() uses no permit that lapsed on its way", async () => {
  const { clock, kv, another } = setting();
  const limiter = another();
  let slow = 1;
  kv.options.turn = (label) => {
    if (label.endsWith("answered") && slow-- > 0) clock.advance(2_500);
    return Promise.resolve();
  };
  assert.equal((await limiter.take("a")).degraded, false);
  const { stamps, open } = recordOf(kv);
  assert.deepEqual({ stamps, held: open.length }, { stamps: [], held: 1 });
  assert.equal(kv.commits, 2);

  // A store that is never in time is no store.
  slow = Infinity;
  assert.equal((await limiter.take("b")).degraded, true);
});

const JUMPS_BACK = [1, 5_000, 3_600_000];

Deno.test("RateLimiter.take() is right after the clock was put back", async () => {
  for (const ms of JUMPS_BACK) {
    const { clock, another } = setting();
    const [one, two] = [another(), another()];
    assert.equal(countAccepted(await takeMany(one, 30)), 30);
    clock.advance(-ms);
    // The 30 stand, although their moments are to come; the permits at hand are not used.
    assert.equal(countAccepted(await takeMany(one, 70)), 30);
    assert.equal((await one.take("a")).retryAfter, 60);
    // Nobody is locked out for as long as the clock was put back.
    clock.advance(W);
    assert.equal(countAccepted(await takeMany(one, 70)), 60);
    assert.equal((await two.take("a")).accepted, false);
  }
});

Deno.test("RateLimiter.take() refuses no longer because the clock was put back", async () => {
  for (const ms of JUMPS_BACK) {
    const { clock, another } = setting();
    const [one, two, three] = [another(), another(), another()];
    await takeMany(one, 20);
    assert.equal(countAccepted(await takeMany(two, 70)), 29);
    assert.equal((await three.take("a")).accepted, false);
    clock.advance(-ms);
    // The first process never comes back to the permits it holds; the third looks for them every
    // second, and each look must not begin the wait anew.
    for (let passed = 0; passed < W; passed += 500) {
      const { accepted, retryAfter } = await three.take("a");
      assert.equal(accepted, false);
      assert.ok(
        retryAfter! <= Math.ceil((W + 2_500 - passed) / 1000),
        `${retryAfter} at ${passed}`,
      );
      clock.advance(500);
    }
    clock.advance(2_500);
    assert.equal(countAccepted(await takeMany(three, 70)), 60);
  }
});

Deno.test("RateLimiter.take() waits no longer when blocked as the clock is put back", async () => {
  for (const ms of JUMPS_BACK) {
    const { clock, another } = setting();
    const limiter = another();
    assert.equal(countAccepted(await takeMany(limiter, 70)), 60);
    clock.advance(-ms);
    assert.equal((await limiter.take("a")).retryAfter, 60);
    clock.advance(W);
    assert.equal(countAccepted(await takeMany(limiter, 70)), 60);
  }
});

Deno.test("RateLimiter.take() is right when the clock is put back during a commit", async () => {
  for (const noticed of [true, false]) {
    const { clock, kv, another } = setting({ limit: 3 });
    const limiter = another();
    kv.options.turn = (label) => {
      if (label === "commit 1 is answered") {
        clock.advance(-2_000);
        if (noticed) limiter.peek("a");
      }
      return Promise.resolve();
    };
    assert.equal((await limiter.take("a")).accepted, true);
    // The permit of the first commit was made for a time that is to come.
    assert.equal(kv.commits, 2);
    assert.equal(countAccepted(await takeMany(limiter, 5)), 2);
  }
});

Deno.test("RateLimiter.take() counts a commit that takes place late", async () => {
  for (const landsAt of ["get 3 is answered", "get 3 reaches the store", "commit 4 is answered"]) {
    const turn = async (label: string): Promise<void> => {
      if (label === landsAt) await world.kv.land();
    };
    const world = new World({ processes: 1, turn });
    await world.take(0, "a");
    world.kv.faults = ["late"];
    assert.equal((await world.take(0, "a")).degraded, true);
    world.clock.passed += 10;
    for (let left = LIMIT - 3; left >= 0; left--) {
      const { accepted, degraded, remaining } = await world.take(0, "a");
      assert.deepEqual({ accepted, degraded, remaining }, {
        accepted: true,
        degraded: false,
        remaining: left,
      });
    }
    assert.equal((await world.take(0, "a")).accepted, false);
    world.clock.passed += WINDOW_MS - 10;
    assert.deepEqual(
      [await world.take(0, "a"), await world.take(0, "a"), await world.take(0, "a")]
        .map(({ accepted }) => accepted),
      [true, true, false],
    );
  }
});

Deno.test("RateLimiter.take() keeps to the limit when the store comes back amid a crowd", async () => {
  // The store is too slow for all tries of the first, and then quick.
  let slow = 10;
  const world: World = new World({
    processes: 1,
    turn(label) {
      if (/^commit .* answered$/.test(label) && slow-- > 0) world.clock.passed += 2_500;
      return Promise.resolve();
    },
  });
  const takes = Array.from({ length: 4 }, () => world.take(0, "a"));
  // Newcomers, also between the failure and the moment those who waited are told of it.
  for (let i = 0; i < 300; i++) {
    await Promise.resolve();
    takes.push(world.take(0, "a"));
  }
  await Promise.all(takes);
  world.check();
  assert.ok(slow < 0);
  assert.equal(world.uses.length, LIMIT);
});

Deno.test("RateLimiter forgets the clients that asked least lately", async () => {
  const { clock, kv, another } = setting({ limit: 4, maxClients: 10 });
  const limiter = another();
  assert.equal(countAccepted(await takeMany(limiter, 2, "regular")), 2);
  for (let i = 0; i < 100; i++) {
    await limiter.take(`passer-by ${i}`);
    await limiter.take("passer-by");
  }
  assert.equal(limiter.peek("passer-by 1").remaining, 4);
  assert.equal(limiter.peek("passer-by 99").remaining, 3);
  assert.equal(limiter.peek("passer-by").remaining, 0);
  assert.equal(limiter.peek("regular").remaining, 4);
  // Forgotten here, not in the store: what it had taken counts as used, also what it had not used.
  const calls = kv.calls.length;
  const left = countAccepted(await takeMany(limiter, 10, "regular"));
  assert.ok(left <= 2 && kv.calls.length > calls);
  clock.advance(W + 2_500);
  assert.equal(countAccepted(await takeMany(limiter, 10, "regular")), 4);
});

Deno.test("RateLimiter.peek() counts nothing and asks nobody", async () => {
  const { clock, kv, another } = setting({ limit: 2 });
  const limiter = another();
  const fresh = { accepted: true, remaining: 2, reset: 0, degraded: false };
  assert.deepEqual(limiter.peek("a"), fresh);
  await limiter.take("a");
  clock.advance(1_500);
  const { length } = kv.calls;
  assert.deepEqual(limiter.peek("a"), { ...fresh, remaining: 1, reset: 59 });
  assert.equal(kv.calls.length, length);
  await limiter.take("a");
  assert.deepEqual(limiter.peek("a"), {
    accepted: false,
    remaining: 0,
    reset: 60,
    retryAfter: 59,
    degraded: false,
  });
});

Deno.test("RateLimiter keeps clients and policies apart and no address in the store", async () => {
  const { clock, kv, another } = setting({ limit: 2 });
  const limiter = another();
  const wider = new RateLimiter({ kv, clock, owner: "other", limit: 9 });
  assert.equal(countAccepted(await takeMany(limiter, 5, "192.0.2.1")), 2);
  assert.equal(countAccepted(await takeMany(limiter, 5, "192.0.2.2")), 2);
  assert.equal(countAccepted(await takeMany(wider, 20, "192.0.2.1")), 9);
  assert.equal(kv.entries.size, 3);
  assert.doesNotMatch([...kv.entries.keys()].join(), /192\.0/);
});
