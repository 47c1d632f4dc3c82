/**
 * Slots: limits on concurrent work, in total and per client.
 *
 * @module
 */

import { type After, inTime } from "../../pipeline/clock.ts";
import { ServiceError } from "../operations/errors.ts";
import { CUSTOMER, networkOf } from "./network.ts";

export interface SlotLimits {
  /** Most pieces of work at one time. */
  total: number;
  perClient: number;
  /** Most pieces of work that may wait, in total and per client. */
  waiting: number;
  waitingPerClient: number;
  /** Milliseconds after which waiting work is refused. */
  patienceMs: number;
}

/** Batches and jobs that one process evaluates at one time. */
export const EVALUATIONS: SlotLimits = {
  total: 16,
  perClient: 1,
  waiting: 100,
  waitingPerClient: 20,
  patienceMs: 10_000,
};

/**
 * Lookups as of a past day that one process answers at one time. An old snapshot is not cached, so each costs
 * up to five times as much as other lookups, which must not wait for many of them.
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

/** Interval, in milliseconds, over which clients' progress is measured while others wait. */
const MEASURED_MS = 2_000;

/** Bytes that a client must send or read in that interval to keep its slot: 32 KiB a second. */
const LEAST_BYTES = 64 * 1024;

/** After this many milliseconds of our own work, a client's progress is measured from the start again. */
const SHORT_MS = 200;

/** A piece of work that has a slot. */
export interface Slot {
  /** Now waits for its client to send or to read. The client loses the slot if it is too slow. */
  waits(): void;
  /** The client sent or read this many bytes. */
  moved(bytes: number): void;
  /** Further calls have no effect. */
  release(): void;
}

interface Taken {
  network: string;
  /** Bytes since the measurement began. */
  bytes: number;
  /** Whether it has only waited for its client since then, except for short pieces of work. */
  isMeasured: boolean;
  isWaiting: boolean;
  /** When its work was resumed, in the time of `performance.now()`. */
  continuedAt: number;
  lost: ((error: ServiceError) => void) | undefined;
}

/**
 * Hands out slots, first come, first served among the clients that may have one. While clients wait, the
 * slowest of those who block them lose their slots.
 */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #after: After;
  readonly #taken = new Set<Taken>();
  /** Callbacks that start the waiting ones, in order. */
  readonly #waiting = new Map<Taken, () => void>();
  #cancel: (() => void) | null = null;

  constructor(limits: SlotLimits, after: After) {
    this.#limits = limits;
    this.#after = after;
  }

  /**
   * Waits for a slot.
   *
   * @param lost Called when the slot was given to another client; without it, the slot is never taken away.
   * @throws {ServiceError} `upstream_unavailable` when too many wait, or it took too long.
   */
  async take(client: string, lost?: (error: ServiceError) => void): Promise<Slot> {
    const network = networkOf(client, CUSTOMER);
    const continuedAt = performance.now();
    const state = { bytes: 0, isMeasured: false, isWaiting: false, continuedAt };
    const taken: Taken = { network, ...state, lost };
    if (this.#isFree(network)) this.#taken.add(taken);
    else await this.#wait(taken);
    return {
      waits(): void {
        taken.isWaiting = true;
        if (performance.now() - taken.continuedAt > SHORT_MS) taken.isMeasured = false;
      },
      moved(bytes): void {
        taken.isWaiting = false;
        taken.bytes += bytes;
        taken.continuedAt = performance.now();
      },
      release: () => this.#release(taken),
    };
  }

  #isFree(network: string): boolean {
    const { total, perClient } = this.#limits;
    return this.#taken.size < total && countOf(network, this.#taken) < perClient;
  }

  async #wait(taken: Taken): Promise<void> {
    const { waiting, waitingPerClient, patienceMs: ms } = this.#limits;
    const own = countOf(taken.network, this.#waiting.keys());
    if (this.#waiting.size >= waiting || own >= waitingPerClient) throw busy();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.set(taken, resolve);
    if (this.#cancel === null) this.#measure();
    try {
      await inTime(() => promise, { ms, late: busy, after: this.#after });
    } finally {
      this.#waiting.delete(taken);
      if (this.#waiting.size === 0) {
        this.#cancel?.();
        this.#cancel = null;
      }
    }
  }

  #measure(): void {
    for (const one of this.#taken) Object.assign(one, { bytes: 0, isMeasured: true });
    this.#cancel = this.#after(MEASURED_MS, () => {
      this.#cancel = null;
      this.#endSlowest();
      if (this.#waiting.size > 0) this.#measure();
    });
  }

  /**
   * For each waiting piece of work, ends a slow one. If the waiting one's network already has its maximum,
   * only a slow one of that network is ended.
   */
  #endSlowest(): void {
    const slow = [...this.#taken]
      .filter((one) => one.lost && one.isMeasured && one.isWaiting && one.bytes < LEAST_BYTES)
      .sort((a, b) => a.bytes - b.bytes);
    for (const { network } of [...this.#waiting.keys()]) {
      const isOwn = countOf(network, this.#taken) >= this.#limits.perClient;
      const at = isOwn ? slow.findIndex((one) => one.network === network) : 0;
      const [ended] = at < 0 ? [] : slow.splice(at, 1);
      if (ended === undefined) continue;
      this.#release(ended);
      ended.lost!(tooSlow());
    }
  }

  #release(taken: Taken): void {
    if (!this.#taken.delete(taken)) return;
    const next = this.#waiting.entries().find(([{ network }]) => this.#isFree(network));
    if (next === undefined) return;
    const [waiter, start] = next;
    // Now, not when the waiter resumes: another could come in between.
    this.#waiting.delete(waiter);
    this.#taken.add(waiter);
    start();
  }
}

/**
 * Yields pieces to a client, which holds a slot until it has read them all. Aborting `control` ends it, and
 * losing the slot aborts `control`.
 *
 * @throws {ServiceError} As {@link Slots.take}.
 */
export async function admitted<T>(
  pieces: AsyncIterable<T> | Iterable<T>,
  { slots, client, control, bytesOf }: {
    slots: Slots;
    client: string;
    control: AbortController;
    bytesOf: (piece: T) => number;
  },
): Promise<AsyncGenerator<T, void, void>> {
  const slot = await slots.take(client, (error) => control.abort(error));
  // A generator that was never started would never run its `finally`.
  control.signal.addEventListener("abort", slot.release, { once: true });
  slot.waits();
  async function* all(): AsyncGenerator<T, void, void> {
    slot.moved(0);
    try {
      for await (const piece of pieces) {
        slot.waits();
        yield piece;
        slot.moved(bytesOf(piece));
      }
    } finally {
      slot.release();
    }
  }
  return all();
}

function countOf(network: string, slots: Iterable<Taken>): number {
  let count = 0;
  for (const slot of slots) if (slot.network === network) count++;
  return count;
}

function busy(): ServiceError {
  return new ServiceError(
    "upstream_unavailable",
    "The service is busy with other requests, or with some of yours; try again later",
    { retryAfter: RETRY_AFTER },
  );
}

function tooSlow(): ServiceError {
  return new ServiceError(
    "upstream_unavailable",
    "The connection was too slow while others waited; try again later",
    { retryAfter: RETRY_AFTER },
  );
}
