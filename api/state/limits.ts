/**
 * How much work is done and how much is stored at a time, in all and for one client.
 *
 * @module
 */

import type { After, Clock } from "../../pipeline/clock.ts";
import { ServiceError } from "../operations/errors.ts";

/** Limits of {@link Slots}. */
export interface SlotLimits {
  /** Pieces of work at a time. */
  total: number;
  perClient: number;
  /** Pieces of work that may wait, in all and for one client. */
  waiting: number;
  waitingPerClient: number;
  /** Milliseconds after which one that waits is refused. */
  patienceMs: number;
}

/** Batches and jobs that one process evaluates at a time. */
export const EVALUATIONS: SlotLimits = {
  total: 16,
  perClient: 1,
  waiting: 100,
  waitingPerClient: 20,
  patienceMs: 10_000,
};

/** Seconds after which a refused client should try again. */
const RETRY_AFTER = 5;

interface Waiter {
  client: string;
  start: () => void;
}

/** Hands out slots, first come, first served among the clients that may have one. */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #after: After;
  /** The client of each slot that is taken. */
  readonly #taken: string[] = [];
  #waiting: Waiter[] = [];

  constructor(limits: SlotLimits, after: After) {
    this.#limits = limits;
    this.#after = after;
  }

  /**
   * Waits for a slot.
   *
   * @returns A function that releases it; calling it again has no effect.
   * @throws {ServiceError} `upstream_unavailable` when too many wait, or it took too long.
   */
  async take(client: string): Promise<() => void> {
    if (this.#isFree(client)) this.#taken.push(client);
    else await this.#wait(client);
    let isReleased = false;
    return () => {
      if (!isReleased) this.#release(client);
      isReleased = true;
    };
  }

  #isFree(client: string): boolean {
    const { total, perClient } = this.#limits;
    return this.#taken.length < total &&
      this.#taken.filter((other) => other === client).length < perClient;
  }

  #wait(client: string): Promise<void> {
    const { waiting, waitingPerClient, patienceMs } = this.#limits;
    const own = this.#waiting.filter((other) => other.client === client).length;
    if (this.#waiting.length >= waiting || own >= waitingPerClient) throw busy();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = {
      client,
      start: () => {
        cancel();
        // Now, not when the waiter resumes: another could come in between.
        this.#taken.push(client);
        resolve();
      },
    };
    const cancel = this.#after(patienceMs, () => {
      this.#waiting = this.#waiting.filter((other) => other !== waiter);
      reject(busy());
    });
    this.#waiting.push(waiter);
    return promise;
  }

  #release(client: string): void {
    this.#taken.splice(this.#taken.indexOf(client), 1);
    const next = this.#waiting.findIndex((waiter) => this.#isFree(waiter.client));
    if (next >= 0) this.#waiting.splice(next, 1)[0]!.start();
  }
}

function busy(): ServiceError {
  return new ServiceError(
    "upstream_unavailable",
    "The service is busy with other batches and jobs, or with one of yours; try again later",
    { retryAfter: RETRY_AFTER },
  );
}

/** Requests other than batches and jobs that are being answered: batches and jobs wait for them. */
export interface Foreground {
  open: number;
  /** When the last one came, as `performance.now()` has it. */
  cameAt: number;
}

/** Pieces of work that jobs may begin in one turn of the event loop, and have in flight. */
const PIECES = { begun: 8, inFlight: 64 };

/** The same beside foreground requests, each of which needs several turns. */
const PIECES_BESIDE = { begun: 2, inFlight: 8 };

/** Milliseconds after a foreground request for which the next one is expected. */
const EXPECTED_MS = 100;

/** Milliseconds for which foreground requests may delay the next turn. */
const DELAY_MS = 10;

/** Milliseconds of turns after which requests are accepted. */
const TURNS_MS = 5;

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
  #lastAccepted = 0;
  #isTicking = false;

  constructor(foreground: Foreground) {
    this.#foreground = foreground;
  }

  /** Does a piece of work when its turn comes. */
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
    // Deno accepts requests while it waits for a timer, a millisecond or two, and none while immediates
    // follow each other.
    const now = performance.now();
    if (now - this.#lastAccepted < TURNS_MS && !this.#isBeside(now)) {
      setImmediate(() => this.#turn());
    } else {
      setTimeout(() => {
        this.#lastAccepted = performance.now();
        this.#turn();
      });
    }
  }

  #turn(): void {
    this.#isTicking = false;
    const now = performance.now();
    if (this.#foreground.open === 0 || now - this.#lastTurn > DELAY_MS) {
      this.#lastTurn = now;
      const { begun, inFlight } = this.#isBeside(now) ? PIECES_BESIDE : PIECES;
      const most = Math.min(begun, inFlight - this.#inFlight);
      for (const start of this.#waiting.splice(0, Math.max(0, most))) {
        this.#inFlight++;
        start();
      }
      // Full: the next one to end continues.
      if (this.#inFlight >= inFlight) return;
    }
    this.#tick();
  }

  #isBeside(now: number): boolean {
    const { open, cameAt } = this.#foreground;
    return open > 0 || now - cameAt < EXPECTED_MS;
  }
}

/** Bytes that jobs and idempotency keys may take up at a time, in each process. */
export const STORAGE_LIMITS = { perClient: 16 * 1024 * 1024, total: 512 * 1024 * 1024 };

const HOUR_MS = 3_600_000;

/** Bytes that a value counts for at least: keys and indexes need space, too. */
const LEAST_BYTES = 1024;

/** Counts what is stored, by the hour in which it expires. */
export class StorageBudget {
  readonly #clock: Clock;
  readonly #limits: typeof STORAGE_LIMITS;
  /** Bytes by client, by hour. */
  readonly #hours = new Map<number, Map<string, number>>();
  #total = 0;

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
    const now = this.#clock.now();
    this.#expire(now);
    const counted = Math.max(bytes, LEAST_BYTES);
    let own = counted;
    for (const clients of this.#hours.values()) own += clients.get(client) ?? 0;
    const retryAfter = Math.ceil((HOUR_MS - now % HOUR_MS) / 1000);
    if (own > this.#limits.perClient) {
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
