/**
 * Requests with keys, over a store in memory.
 *
 * @module
 */

import { Idempotency, type StoredResponse } from "../../../api/state/idempotency.ts";
import type { Kv, KvCommit } from "../../../api/state/kv.ts";
import { TestClock } from "../../pipeline/snapshot/memory.ts";
import { FakeKv, type FakeKvOptions } from "./fake_kv.ts";

/** Milliseconds others wait for a request. */
export const LEASE = 30_000;

/** Milliseconds a key is kept. */
export const DAY = 86_400_000;

/** A store, a clock and processes that use them. */
export class IdempotencyWorld {
  readonly clock = new TestClock();
  readonly kv: FakeKv;
  #tokens = 0;

  constructor(options: FakeKvOptions = {}) {
    this.kv = new FakeKv(options);
  }

  /** A process; its work is never ended for taking too long unless a signal is given. */
  process(kv: Kv = this.kv, signal = new AbortController().signal): Idempotency {
    const newToken = (): string => `token ${++this.#tokens}`;
    return new Idempotency({ kv, clock: this.clock, newToken, timeout: () => signal });
  }
}

/** A request of one client, whose fingerprint is its body. */
export function request(body: string, more: { client?: string; operation?: string } = {}) {
  return { client: "192.0.2.1", operation: "batch", key: "k", ...more, fingerprint: body };
}

/** An answer that names the run it comes from; as long as told, and then not to be packed. */
export function answer(run: string, length = 0): StoredResponse {
  const name = new TextEncoder().encode(run);
  const body = new Uint8Array(Math.max(length, name.length));
  let state = 12345;
  for (let i = 0; i < body.length; i++) body[i] = state = (state * 1103515245 + 12345) & 0x7fffffff;
  body.set(name);
  return { status: 200, headers: [["Snapshot-Id", run], ["X", "é, b"]], body };
}

/** Where a process dies: before or after a commit, counted from 1. */
export interface Death {
  commit: number;
  after: boolean;
}

/** A store as a process sees it that dies: from then on nothing is ever answered. */
export class MortalKv implements Kv {
  readonly #kv: Kv;
  readonly #death: Death | null;
  /** Told at the end. */
  readonly died: Promise<void>;
  #die: () => void;
  #commits = 0;
  #dead = false;

  constructor(kv: Kv, death: Death | null) {
    this.#kv = kv;
    this.#death = death;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.died = promise;
    this.#die = resolve;
  }

  get: Kv["get"] = (key) => this.#dead ? this.#end() : this.#kv.get(key);
  getMany: Kv["getMany"] = (keys) => this.#dead ? this.#end() : this.#kv.getMany(keys);
  list: Kv["list"] = (prefix, options) => this.#kv.list(prefix, options);

  async commit(commit: KvCommit): Promise<string | null> {
    const last = ++this.#commits === this.#death?.commit;
    if (this.#dead || (last && !this.#death!.after)) return await this.#end();
    const result = await this.#kv.commit(commit);
    return last ? await this.#end() : result;
  }

  #end(): Promise<never> {
    this.#dead = true;
    this.#die();
    return new Promise<never>(() => {});
  }
}
