/**
 * How much jobs and idempotency keys may occupy in the store, in total and per client.
 *
 * @module
 */

import type { Clock } from "../../pipeline/clock.ts";
import { ServiceError } from "../operations/errors.ts";
import { KvUnavailable } from "./kv.ts";

/** Most bytes that jobs and idempotency keys may occupy at one time, per process. */
export const STORAGE_LIMITS = { perClient: 16 * 1024 * 1024, total: 512 * 1024 * 1024 };

const HOUR_MS = 3_600_000;

/** How long anything is stored, and an hour, in milliseconds. */
const MOST_MS = 25 * HOUR_MS;

/** The least number of bytes that a value counts as: keys and indexes need space, too. */
const LEAST_STORED = 1024;

/** Counts what is stored, by the hour in which it expires. */
export class StorageBudget {
  readonly #clock: Clock;
  readonly #limits: typeof STORAGE_LIMITS;
  readonly #hours = new Map<number, Map<string, number>>();

  constructor(clock: Clock, limits = STORAGE_LIMITS) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /**
   * Stores a value of a client that expires in some milliseconds, and counts its bytes, unless it turns out
   * that it was not stored.
   *
   * @param store Says in `first` whether it stored the value. If it is not known, the value counts.
   * @throws {ServiceError} `rate_limited` when the client has stored too much, `upstream_unavailable`
   *   when all of them have; and whatever `store` throws.
   */
  async charge<T extends { first: boolean }>(
    { client, bytes, ms }: { client: string; bytes: number; ms: number },
    store: () => Promise<T>,
  ): Promise<T> {
    const giveBack = this.#take(client, bytes, ms);
    try {
      const stored = await store();
      if (!stored.first) giveBack();
      return stored;
    } catch (error) {
      if (!(error instanceof KvUnavailable)) giveBack();
      throw error;
    }
  }

  #take(client: string, bytes: number, ms: number): () => void {
    const { perClient, total } = this.#limits;
    const now = this.#clock.now();
    const counted = Math.max(bytes, LEAST_STORED);
    const retryAfter = Math.ceil((HOUR_MS - now % HOUR_MS) / 1000);
    let [own, all] = [counted, counted];
    for (const [hour, clients] of this.#hours) {
      // Hours far in the future come from a clock that was wrong.
      if (hour * HOUR_MS <= now || hour * HOUR_MS > now + MOST_MS) this.#hours.delete(hour);
      else {
        own += clients.get(client) ?? 0;
        all += clients.get(ALL)!;
      }
    }
    if (own > perClient) {
      const message =
        `Cannot store more than ${perClient} bytes of jobs and keys for one client: ` +
        "try again when some have expired";
      throw new ServiceError("rate_limited", message, { retryAfter });
    }
    if (all > total) {
      const message = "The service stores as many jobs and keys as it can; try again later";
      throw new ServiceError("upstream_unavailable", message, { retryAfter });
    }
    const hour = Math.ceil((now + ms) / HOUR_MS);
    const clients = this.#hours.getOrInsertComputed(hour, () => new Map());
    const add = (bytes: number): void => {
      for (const name of [client, ALL]) clients.set(name, (clients.get(name) ?? 0) + bytes);
    };
    add(counted);
    return () => add(-counted);
  }
}

/** The entry for all clients together; no client has this name. */
const ALL = "";
