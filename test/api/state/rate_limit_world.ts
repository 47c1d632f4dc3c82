/**
 * Several limiters on one store, with everything that can go wrong with them, and a record of what
 * they accepted.
 *
 * @module
 */

import assert from "node:assert/strict";
import { KeyedHash } from "../../../api/state/keyed_hash.ts";
import { type KvCommit, type KvEntry, KvUnavailable } from "../../../api/state/kv.ts";
import { type Decision, RateLimiter } from "../../../api/state/rate_limit.ts";
import type { Clock } from "../../../pipeline/clock.ts";
import { FakeKv, type FakeKvOptions, type KvFault } from "./fake_kv.ts";

/** Small, so that its edge is met often. */
export const LIMIT = 5;

export const WINDOW_MS = 60_000;

/** `late`: the answer is a failure, and the commit takes place some time after. */
export type WorldFault = KvFault | "late";

/** Commits can be delayed, as by a network that gave up on them. */
class LateKv extends FakeKv {
  readonly late: KvCommit[] = [];
  faults: (WorldFault | undefined)[] = [];
  #next: WorldFault | undefined;

  constructor(options: FakeKvOptions = {}) {
    super(options);
    this.options.fault = () => this.#next === "late" ? undefined : this.#next;
  }

  override get<T>(key: Parameters<FakeKv["get"]>[0]): ReturnType<FakeKv["get"]> & Promise<never> {
    this.#next = this.faults.shift();
    if (this.#next === "late") this.#next = "error";
    return super.get<T>(key) as never;
  }

  override getMany<T>(keys: Parameters<FakeKv["getMany"]>[0]): Promise<KvEntry<T>[]> {
    this.#next = undefined;
    return super.getMany<T>(keys);
  }

  override commit(commit: KvCommit): Promise<string | null> {
    this.#next = this.faults.shift();
    if (this.#next !== "late") return super.commit(commit);
    this.late.push(structuredClone(commit));
    return Promise.reject(new KvUnavailable("Cannot commit: no answer in time"));
  }

  async land(): Promise<void> {
    const faults = this.faults;
    this.faults = [];
    for (const commit of this.late.splice(0)) await this.commit(commit);
    this.faults = faults;
  }
}

/** Time passes; the clock that all processes agree on can be put back. */
class WorldClock implements Clock {
  /** Milliseconds that really passed. */
  passed = 0;
  putBack = 0;

  now(): number {
    return Date.UTC(2026, 9, 5) + this.passed - this.putBack;
  }
}

/** An accepted request, at the time that really passed. */
interface Use {
  client: string;
  process: string;
  at: number;
  degraded: boolean;
}

/** The world of a model test. */
export class World {
  readonly clock = new WorldClock();
  readonly kv: LateKv;
  readonly uses: Use[] = [];
  readonly processes: { name: string; limiter: RateLimiter }[] = [];
  readonly #maxClients: number;
  #started = 0;

  constructor({ processes, maxClients = 100, turn }: {
    processes: number;
    maxClients?: number;
    turn?: NonNullable<FakeKvOptions["turn"]>;
  }) {
    this.#maxClients = maxClients;
    this.kv = new LateKv(turn === undefined ? {} : { turn });
    for (let i = 0; i < processes; i++) this.start(i);
  }

  /** Starts a process, in place of one that is killed. */
  start(index: number): void {
    const name = `process-${++this.#started}`;
    const { kv, clock } = this;
    const limiter = new RateLimiter({
      store: { kv, hash: new KeyedHash(kv) },
      clock,
      limit: LIMIT,
      windowMs: WINDOW_MS,
      maxClients: this.#maxClients,
    });
    this.processes[index] = { name, limiter };
  }

  /** One request, which is noted when it is accepted. */
  async take(index: number, client: string): Promise<Decision> {
    const { name, limiter } = this.processes[index]!;
    const decision = await limiter.take(client);
    const { accepted, degraded, remaining, reset, retryAfter } = decision;
    if (accepted) this.uses.push({ client, process: name, at: this.clock.passed, degraded });
    assert.ok(Number.isInteger(remaining) && remaining >= 0 && remaining < LIMIT);
    assert.ok(Number.isInteger(reset) && reset >= 1);
    assert.equal(retryAfter === undefined, accepted);
    assert.ok(
      accepted || (Number.isInteger(retryAfter) && retryAfter! >= 1 && reset >= retryAfter!),
    );
    return decision;
  }

  /**
   * The promise: in no window are more than the limit accepted of one client, by all processes while
   * the store works, by each of them in any case.
   */
  check({ alone = true } = {}): void {
    for (const { client, process, at } of this.uses) {
      const window = this.uses.filter((use) =>
        use.client === client && use.at <= at && use.at > at - WINDOW_MS
      );
      const together = window.filter(({ degraded }) => !degraded).length;
      assert.ok(together <= LIMIT, `${together} of ${client} until ${at}`);
      const own = window.filter((use) => use.process === process).length;
      if (alone) assert.ok(own <= LIMIT, `${own} of ${client} by ${process} until ${at}`);
    }
  }
}
