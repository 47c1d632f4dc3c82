/**
 * A {@link Kv} that never hangs and does not ask a dead store over and over.
 *
 * @module
 */

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
  readonly #clock: Clock;
  readonly #timeout: number;
  readonly #rest: number;
  readonly #log: (line: string) => void;
  #failedAt: number | null = null;
  #probing = false;

  /** @param kv The store to guard. */
  constructor(kv: Kv, options: GuardOptions) {
    this.#kv = kv;
    this.#clock = options.clock;
    this.#timeout = options.timeout ?? 2_000;
    this.#rest = options.rest ?? 3_000;
    this.#log = options.log ?? (() => {});
  }

  /** Whether the last thing heard of the store was a failure. */
  get failing(): boolean {
    return this.#failedAt !== null;
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
    const probe = this.#failedAt !== null;
    if (probe) {
      const age = this.#clock.now() - this.#failedAt!;
      // A negative age is a clock put back.
      if (this.#probing || (age >= 0 && age < this.#rest)) {
        throw new KvUnavailable("Cannot use the store: it failed a moment ago");
      }
      this.#probing = true;
    }
    try {
      const result = await this.#inTime(work);
      if (this.#failedAt !== null) this.#log("The store answers again");
      this.#failedAt = null;
      return result;
    } catch (error) {
      if (this.#failedAt === null) this.#log(`The store fails: ${messageOf(error)}`);
      this.#failedAt = this.#clock.now();
      throw error instanceof KvUnavailable
        ? error
        : new KvUnavailable(`Cannot use the store: ${messageOf(error)}`, { cause: error });
    } finally {
      if (probe) this.#probing = false;
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
