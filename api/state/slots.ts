/**
 * How much work is done at a time, in all and for one client: more waits, and too much is refused.
 *
 * @module
 */

import { setImmediate, setTimeout } from "node:timers";
import type { After } from "../../pipeline/clock.ts";
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
  readonly #busy = new Map<string, number>();
  #taken = 0;
  #waiting: Waiter[] = [];

  constructor(limits: SlotLimits, after: After) {
    this.#limits = limits;
    this.#after = after;
  }

  /**
   * Waits for a slot.
   *
   * @returns What gives it back; calling it again has no effect.
   * @throws {ServiceError} `upstream_unavailable` when too many wait, or it took too long.
   */
  async take(client: string): Promise<() => void> {
    if (this.#isFree(client)) this.#occupy(client);
    else await this.#wait(client);
    let given = false;
    return () => {
      if (given) return;
      given = true;
      this.#release(client);
    };
  }

  #isFree(client: string): boolean {
    return this.#taken < this.#limits.total &&
      (this.#busy.get(client) ?? 0) < this.#limits.perClient;
  }

  #occupy(client: string): void {
    this.#taken++;
    this.#busy.set(client, (this.#busy.get(client) ?? 0) + 1);
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
        // Now, not when the waiter goes on: somebody else might come in between.
        this.#occupy(client);
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
    this.#taken--;
    const left = this.#busy.get(client)! - 1;
    if (left > 0) this.#busy.set(client, left);
    else this.#busy.delete(client);
    const next = this.#waiting.findIndex((waiter) => this.#isFree(waiter.client));
    if (next >= 0) this.#waiting.splice(next, 1)[0]!.start();
  }
}

function busy(): ServiceError {
  return new ServiceError(
    "upstream_unavailable",
    "The service is busy with other lists, or with one of yours; try again later",
    { retryAfter: RETRY_AFTER },
  );
}

/** Requests other than lists that are being answered: lists wait for them. */
export interface Foreground {
  open: number;
}

/** Units of work that are begun in one turn of the event loop: a shard is one, a millisecond or less. */
const UNITS = 4;

/** Milliseconds after which requests are taken in. */
const REST_EVERY_MS = 5;

/** Milliseconds for which foreground requests may hold up the next turn. */
const HOLD_MS = 10;

/**
 * Spreads the work of all jobs over turns of the event loop, first come, first served, and after
 * foreground requests, so that a single lookup never waits for more than a few units of it.
 */
export class Pacer {
  readonly #foreground: Foreground;
  readonly #waiting: { units: number; start: () => void }[] = [];
  #lastTurn = 0;
  #lastRest = 0;
  #ticking = false;

  constructor(foreground: Foreground) {
    this.#foreground = foreground;
  }

  /** Waits until so many units of work may begin. */
  turn(units: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ units, start: resolve });
    if (!this.#ticking) this.#next();
    return promise;
  }

  #next(): void {
    this.#ticking = true;
    // Deno takes in no request while immediates follow each other, only while it waits for a timer.
    const now = performance.now();
    const rest = this.#foreground.open > 0 || now - this.#lastRest > REST_EVERY_MS;
    if (rest) this.#lastRest = now;
    (rest ? setTimeout : setImmediate)(() => this.#turn());
  }

  #turn(): void {
    const now = performance.now();
    if (this.#foreground.open === 0 || now - this.#lastTurn > HOLD_MS) {
      this.#lastTurn = now;
      for (let left = UNITS; left > 0 && this.#waiting.length > 0;) {
        const { units, start } = this.#waiting.shift()!;
        left -= units;
        start();
      }
    }
    this.#ticking = this.#waiting.length > 0;
    if (this.#ticking) this.#next();
  }
}
