/**
 * Time that passes only when no other work is left, so that hours of waiting take a moment and tests
 * are deterministic.
 *
 * @module
 */

import { setImmediate } from "node:timers";
import type { Clock } from "../../pipeline/clock.ts";

interface Due {
  at: number;
  then: () => void;
}

/** A clock and its timers. */
export class VirtualTime implements Clock {
  #now: number;
  // Sorted by time. Timers of the same moment run in the order they were set.
  readonly #queue: Due[] = [];

  constructor(now: number = Date.UTC(2026, 9, 5, 16)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  /** Pending timers. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** Sets a timer; an arrow, so that it can be passed as a function. */
  readonly after = (ms: number, then: () => void): () => void => {
    const due = { at: this.#now + Math.max(0, ms), then };
    let at = this.#queue.length;
    while (at > 0 && this.#queue[at - 1]!.at > due.at) at--;
    this.#queue.splice(at, 0, due);
    return () => {
      const found = this.#queue.indexOf(due);
      if (found >= 0) this.#queue.splice(found, 1);
    };
  };

  /** Waits some milliseconds; rejects when the signal is aborted first. */
  readonly sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const end = (): void => {
        cancel();
        reject(signal!.reason);
      };
      const cancel = this.after(ms, () => {
        signal?.removeEventListener("abort", end);
        resolve();
      });
      signal?.addEventListener("abort", end, { once: true });
    });

  /** Advances time until no timer is left, or to a moment. Work that doesn't wait for a timer runs first. */
  async run(until: number = Infinity): Promise<void> {
    while (true) {
      await settled();
      const next = this.#queue[0];
      if (next === undefined || next.at > until) break;
      this.#queue.shift();
      this.#now = next.at;
      next.then();
    }
    if (until !== Infinity) this.#now = Math.max(this.#now, until);
  }
}

/** Resolves when no promise can make progress. */
function settled(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
