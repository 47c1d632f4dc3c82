/**
 * How much work is done and how much is stored at a time, in all and for one client.
 *
 * @module
 */

import { type After, type Clock, inTime } from "../../pipeline/clock.ts";
import { ServiceError } from "../operations/errors.ts";

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

/**
 * Lookups as of a past day that one process answers at a time: an old snapshot is not cached, so each costs
 * up to five times as much as another lookup, which must not wait for many of them.
 */
export const AS_OF_READS: SlotLimits = {
  total: 8,
  perClient: 2,
  waiting: 200,
  waitingPerClient: 60,
  patienceMs: 10_000,
};

/** Seconds after which a refused client should try again. */
const RETRY_AFTER = 5;

type Slot = { client: string };

/** Hands out slots, first come, first served among the clients that may have one. */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #after: After;
  readonly #taken = new Set<Slot>();
  /** What starts those that wait, in their order. */
  readonly #waiting = new Map<Slot, () => void>();

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
    const slot = { client };
    if (this.#isFree(client)) this.#taken.add(slot);
    else await this.#wait(slot);
    return () => this.#release(slot);
  }

  #isFree(client: string): boolean {
    const { total, perClient } = this.#limits;
    return this.#taken.size < total && countOf(client, this.#taken) < perClient;
  }

  async #wait(slot: Slot): Promise<void> {
    const { waiting, waitingPerClient, patienceMs: ms } = this.#limits;
    const own = countOf(slot.client, this.#waiting.keys());
    if (this.#waiting.size >= waiting || own >= waitingPerClient) throw busy();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.set(slot, resolve);
    try {
      await inTime(() => promise, { ms, late: busy, after: this.#after });
    } finally {
      this.#waiting.delete(slot);
    }
  }

  #release(slot: Slot): void {
    if (!this.#taken.delete(slot)) return;
    const next = this.#waiting.entries().find(([{ client }]) => this.#isFree(client));
    if (next === undefined) return;
    const [waiter, start] = next;
    // Now, not when the waiter resumes: another could come in between.
    this.#waiting.delete(waiter);
    this.#taken.add(waiter);
    start();
  }
}

function countOf(client: string, slots: Iterable<Slot>): number {
  return Iterator.from(slots).filter((slot) => slot.client === client).toArray().length;
}

function busy(): ServiceError {
  return new ServiceError(
    "upstream_unavailable",
    "The service is busy with other requests of this kind, or with one of yours; try again later",
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
const PIECES = { begun: 12, inFlight: 64 };

/** The same beside foreground requests, each of which needs several turns. */
const PIECES_BESIDE = { begun: 2, inFlight: 8 };

/** Milliseconds after a foreground request for which the next one is expected. */
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
    // Deno accepts requests while it waits for a timer, and none while immediates follow each other.
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
    // Full: the next one to end continues.
    if (this.#inFlight < inFlight) this.#tick();
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
    const counted = Math.max(bytes, LEAST_BYTES);
    const retryAfter = Math.ceil((HOUR_MS - now % HOUR_MS) / 1000);
    let [own, all] = [counted, counted];
    for (const [hour, clients] of this.#hours) {
      if (hour * HOUR_MS <= now) this.#hours.delete(hour);
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

/** Stands for all clients: none has this name. */
const ALL = "";
