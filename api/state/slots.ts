/**
 * How much work is done at a time, in all and for one client: more waits, and too much is refused.
 *
 * @module
 */

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

/** Slices of jobs that are looked up at a time: few, so that a single lookup finds the process free. */
export const SLICES: SlotLimits = {
  total: 2,
  perClient: Infinity,
  waiting: Infinity,
  waitingPerClient: Infinity,
  patienceMs: 60_000,
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
