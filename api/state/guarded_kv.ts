/**
 * A {@link Kv} that never hangs and does not ask a dead store over and over.
 *
 * @module
 */

import { Circuit, Resting } from "../../pipeline/circuit.ts";
import type { Clock } from "../../pipeline/clock.ts";
import { messageOf } from "../../pipeline/message_of.ts";
import {
  type Kv,
  type KvCommit,
  type KvEntry,
  type KvKey,
  type KvListOptions,
  KvUnavailable,
} from "./kv.ts";

/** What {@link GuardedKv} is wired from. */
export interface GuardOptions {
  clock: Clock;
  /** Milliseconds a call may take. @default {2000} */
  timeout?: number;
  /** Milliseconds after a failure in which no call is made. @default {3000} */
  rest?: number;
  /** Told when the store fails and when it answers again. */
  log?: (line: string) => void;
}

/**
 * Ends a call that takes too long; after a failure calls fail at once for a while, and then one of
 * them is let through to see whether the store is back.
 */
export class GuardedKv implements Kv {
  readonly #kv: Kv;
  readonly #timeout: number;
  readonly #circuit: Circuit;

  /** @param kv The store to guard. */
  constructor(kv: Kv, { clock, timeout = 2_000, rest = 3_000, log }: GuardOptions) {
    this.#kv = kv;
    this.#timeout = timeout;
    this.#circuit = new Circuit({
      clock,
      failures: 1,
      rest,
      onChange: ({ down, error }) =>
        log?.(down ? `The store fails: ${messageOf(error)}` : "The store answers again"),
    });
  }

  /** Whether the last thing heard of the store was a failure. */
  get failing(): boolean {
    return this.#circuit.down;
  }

  get<T>(key: KvKey): Promise<KvEntry<T>> {
    return this.#call(() => this.#kv.get<T>(key));
  }

  getMany<T>(keys: readonly KvKey[]): Promise<KvEntry<T>[]> {
    return this.#call(() => this.#kv.getMany<T>(keys));
  }

  list<T>(prefix: KvKey, options: KvListOptions): Promise<KvEntry<T>[]> {
    return this.#call(() => this.#kv.list<T>(prefix, options));
  }

  commit(commit: KvCommit): Promise<string | null> {
    return this.#call(() => this.#kv.commit(commit));
  }

  async #call<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.#circuit.run(() => this.#inTime(work));
    } catch (error) {
      if (error instanceof KvUnavailable) throw error;
      const options = error instanceof Resting ? {} : { cause: error };
      throw new KvUnavailable(`Cannot use the store: ${messageOf(error)}`, options);
    }
  }

  async #inTime<T>(work: () => Promise<T>): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new KvUnavailable(`Cannot use the store: no answer in ${this.#timeout} ms`)),
        this.#timeout,
      );
    });
    try {
      return await Promise.race([work(), late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
