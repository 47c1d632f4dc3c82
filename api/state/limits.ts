/**
 * Limits on how fast jobs are processed, and on how much is stored in total and per client.
 *
 * @module
 */

import type { Clock } from "../../pipeline/clock.ts";
import { ServiceError } from "../operations/errors.ts";

/** Counts requests in progress other than batches and jobs, which wait for these. */
export interface Foreground {
  open: number;
  /** When the last one arrived, in the time of `performance.now()`. */
  cameAt: number;
}

/** Maximum pieces of work that jobs may start in one turn of the event loop, and have in flight. */
const PIECES = { begun: 12, inFlight: 64 };

/** The same while there are foreground requests, each of which needs several turns. */
const PIECES_BESIDE = { begun: 2, inFlight: 8 };

/** How long after a foreground request another one is expected, in milliseconds. */
const EXPECTED_MS = 100;

/** Milliseconds for which foreground requests may delay the next turn. */
const DELAY_MS = 10;

/**
 * Spreads the work of all jobs over turns of the event loop, first come, first served, and after
 * foreground requests, so that a single lookup never waits for more than a few pieces of it. A piece is a
 * read of a shard or the writing of a slice, a millisecond or less.
 */
export class Pacer {
  readonly #foreground: Foreground;
  readonly #waiting: (() => void)[] = [];
  #inFlight = 0;
  #lastTurn = 0;
  #isTicking = false;

  constructor(foreground: Foreground) {
    this.#foreground = foreground;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    this.#tick();
    await promise;
    try {
      return await work();
    } finally {
      this.#inFlight--;
      this.#tick();
    }
  }

  #tick(): void {
    if (this.#isTicking || this.#waiting.length === 0) return;
    this.#isTicking = true;
    // Deno accepts requests while it waits for a timer, but not while one immediate follows another.
    setTimeout(() => this.#turn());
  }

  #turn(): void {
    this.#isTicking = false;
    const { open, cameAt } = this.#foreground;
    const now = performance.now();
    const isBeside = open > 0 || now - cameAt < EXPECTED_MS;
    const { begun, inFlight } = isBeside ? PIECES_BESIDE : PIECES;
    if (open === 0 || now - this.#lastTurn > DELAY_MS) {
      this.#lastTurn = now;
      const most = Math.max(0, Math.min(begun, inFlight - this.#inFlight));
      for (const start of this.#waiting.splice(0, most)) {
        this.#inFlight++;
        start();
      }
    }
    // All are in flight: the next one to finish continues.
    if (this.#inFlight < inFlight) this.#tick();
  }
}

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
   * Counts a value of a client that expires in some milliseconds.
   *
   * @throws {ServiceError} `rate_limited` when the client has stored too much, `upstream_unavailable`
   *   when all of them have.
   */
  take(client: string, bytes: number, ms: number): void {
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
    for (const name of [client, ALL]) clients.set(name, (clients.get(name) ?? 0) + counted);
  }
}

/** The entry for all clients together; no client has this name. */
const ALL = "";
