/**
 * How much one process stores for a client, and in all, until it expires.
 *
 * @module
 */

import type { Clock } from "../../pipeline/clock.ts";
import { ServiceError } from "../operations/errors.ts";

/** Bytes that jobs and idempotency keys may take up at a time. */
export interface StorageLimits {
  perClient: number;
  total: number;
}

/** The limits of the service. */
export const STORAGE_LIMITS: StorageLimits = {
  perClient: 16 * 1024 * 1024,
  total: 512 * 1024 * 1024,
};

const HOUR_MS = 3_600_000;

/** Bytes that a value counts for at least: keys and indexes take room, too. */
const LEAST_BYTES = 1024;

/** Counts what is stored, by the hour in which it expires. */
export class StorageBudget {
  readonly #clock: Clock;
  readonly #limits: StorageLimits;
  /** Bytes by client, by hour. */
  readonly #hours = new Map<number, Map<string, number>>();
  #total = 0;

  constructor(clock: Clock, limits: StorageLimits = STORAGE_LIMITS) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /**
   * Counts a value of a client that expires in some milliseconds.
   *
   * @throws {ServiceError} `rate_limited` when the client has stored too much, `upstream_unavailable`
   *   when all of them have.
   */
  take(client: string, bytes: number, ms: number): void {
    const now = this.#clock.now();
    this.#expire(now);
    const counted = Math.max(bytes, LEAST_BYTES);
    let own = 0;
    for (const clients of this.#hours.values()) own += clients.get(client) ?? 0;
    const retryAfter = Math.ceil((HOUR_MS - now % HOUR_MS) / 1000);
    if (own + counted > this.#limits.perClient) {
      throw new ServiceError(
        "rate_limited",
        `Cannot store more than ${this.#limits.perClient} bytes of jobs and keys for one client: ` +
          "try again when some have expired",
        { retryAfter },
      );
    }
    if (this.#total + counted > this.#limits.total) {
      throw new ServiceError(
        "upstream_unavailable",
        "The service stores as many jobs and keys as it can; try again later",
        { retryAfter },
      );
    }
    const hour = Math.ceil((now + ms) / HOUR_MS);
    const clients = this.#hours.get(hour) ?? new Map<string, number>();
    this.#hours.set(hour, clients.set(client, (clients.get(client) ?? 0) + counted));
    this.#total += counted;
  }

  #expire(now: number): void {
    for (const [hour, clients] of this.#hours) {
      if (hour * HOUR_MS > now) continue;
      this.#hours.delete(hour);
      for (const bytes of clients.values()) this.#total -= bytes;
    }
  }
}
