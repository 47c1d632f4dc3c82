import assert from "node:assert/strict";
import fc from "fast-check";
import { KeyedHash } from "../../../api/state/keyed_hash.ts";
import { type KvCommit, type KvEntries, type KvKey, KvUnavailable } from "../../../api/state/kv.ts";
import { type Decision, RateLimiter, WINDOW_MS } from "../../../api/state/rate_limit.ts";
import { assertSteps, step } from "../../steps.ts";
import { FakeKv, KV_FAULTS, type KvFault } from "./fake_kv.ts";

/** Small, so that steps often reach it. */
const LIMIT = 5;
/** How far the clock moves backward in total. `rest()` waits longer than that. */
const MAX_SETBACK_MS = 50_000;
const PROCESSES = 3;

/** `late`: the call fails, but its commit takes place some time later. */
type WorldFault = KvFault | "late";

/** Reads and writes can fail, and commits can arrive late, as when the network times out. */
class LateKv extends FakeKv {
  faults: (WorldFault | undefined)[] = [];
  #late: KvCommit[] = [];

  override get<T>(keys: readonly KvKey[]): Promise<KvEntries<T>> {
    // Only the limiter's own reads, not the secret.
    const fault = keys[0]![0] === "rate" ? this.faults.shift() : undefined;
    this.options.fault = () => fault === "late" ? "error" : fault;
    return super.get<T>(keys);
  }

  override commit(commit: KvCommit): Promise<string | null> {
    const fault = this.faults.shift();
    if (fault === "late") {
      this.#late.push(structuredClone(commit));
      return Promise.reject(new KvUnavailable("no answer in time"));
    }
    this.options.fault = () => fault;
    return super.commit(commit);
  }

  async land(): Promise<void> {
    this.options.fault = () => undefined;
    for (const commit of this.#late.splice(0)) await super.commit(commit);
  }
}

/** Several limiters on one store with all faults, and the requests that they accepted. */
class World {
  readonly kv = new LateKv();
  /** Accepted requests, at the real time. */
  readonly uses: { client: string; limiter: RateLimiter; at: number; degraded: boolean }[] = [];
  readonly limiters = Array.from({ length: PROCESSES }, () => this.limiter());
  /** Milliseconds that really passed, and how far every process's clock moved backward. */
  passed = 0;
  setback = 0;

  /** A process, or the replacement of a killed one. */
  limiter(): RateLimiter {
    const { kv } = this;
    const clock = { now: () => Date.UTC(2026, 9, 5) + this.passed - this.setback };
    const store = { kv, hash: new KeyedHash(kv) };
    return new RateLimiter({ store, clock, limit: LIMIT });
  }

  async take(process: number, client: string): Promise<Decision> {
    const limiter = this.limiters[process]!;
    const decision = await limiter.take(client);
    const { accepted, degraded, remaining, reset, retryAfter = 1 } = decision;
    if (accepted) this.uses.push({ client, limiter, at: this.passed, degraded });
    assert.ok([remaining, reset, retryAfter].every(Number.isInteger));
    assert.ok(remaining >= 0 && remaining < LIMIT && retryAfter >= 1 && reset >= retryAfter);
    assert.equal(decision.retryAfter === undefined, accepted);
    return decision;
  }

  /** Without faults and after all windows: any client is accepted exactly as often as promised. */
  async rest(process: number, client: string): Promise<void> {
    this.kv.faults = [];
    this.passed += WINDOW_MS + MAX_SETBACK_MS;
    for (let left = LIMIT - 1; left >= 0; left--) {
      const { accepted, degraded, remaining } = await this.take(process, client);
      assert.deepEqual([accepted, degraded, remaining], [true, false, left]);
    }
    assert.equal((await this.take(process, client)).accepted, false);
  }

  /**
   * The promise: in no window is one client accepted more often than the limit, by all processes together while
   * the store works, and by each process in any case.
   */
  check(): void {
    for (const { client, limiter, at } of this.uses) {
      const window = this.uses.filter((use) =>
        use.client === client && use.at <= at && use.at > at - WINDOW_MS
      );
      const together = window.filter(({ degraded }) => !degraded).length;
      assert.ok(together <= LIMIT, `${together} of ${client} until ${at}`);
      const own = window.filter((use) => use.limiter === limiter).length;
      assert.ok(own <= LIMIT, `${own} of ${client} by one process until ${at}`);
    }
  }
}

const who = fc.tuple(fc.nat(PROCESSES - 1), fc.constantFrom("a", "b", "c"));
const edges = [0, 1, 999, 1_000, 2_499, 2_500, 2_501, 57_499, 57_500, 59_999, 60_000, 60_001];
const wait = fc.oneof(fc.constantFrom(...edges), fc.nat(WINDOW_MS + 5_000));
const fault = fc.constantFrom<WorldFault | undefined>(undefined, "late", ...KV_FAULTS);
const faults = fc.array(fault, { minLength: 1, maxLength: 30 });
const take = step(
  "take",
  fc.tuple(who, fc.integer({ min: 1, max: 8 })),
  (world: World, who, times) =>
    Promise.all(Array.from({ length: times }, () => world.take(...who))),
);
const STEPS = [
  take,
  take,
  step("wait", fc.tuple(wait), (world: World, ms) => world.passed += ms),
  step("setback", fc.tuple(fc.nat(20_000)), (world: World, ms) => {
    world.setback = Math.min(world.setback + ms, MAX_SETBACK_MS);
  }),
  step(
    "kill",
    fc.tuple(fc.nat(PROCESSES - 1)),
    (world: World, at) => world.limiters[at] = world.limiter(),
  ),
  step("fail", fc.tuple(faults), (world: World, faults) => world.kv.faults.push(...faults)),
  step("land", fc.constant([]), (world: World) => world.kv.land()),
  step("rest", who, (world: World, ...who) => world.rest(...who)),
];

Deno.test("RateLimiter.take() keeps to the limit whatever fails", async () => {
  await assertSteps(STEPS, {
    world: () => new World(),
    end: (world) => world.check(),
    numRuns: 300,
  });
});
