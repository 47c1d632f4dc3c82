/**
 * A source that asks a second time when the first request fails in passing or is slow. Web APIs only.
 *
 * @module
 */

import type { After, Clock } from "../clock.ts";
import { type Source, SourceFailure } from "./source.ts";

/** Options of {@link hedgedSource}. */
export interface HedgeOptions {
  clock: Clock;
  after: After;
}

/** Second requests that may go out at once, after a time without any. */
export const HEDGE_BURST = 10;

/** Second requests for each first one, in the long run. */
export const HEDGE_SHARE = 0.1;

/**
 * Reads through `source` with two attempts at most: the second begins at once when the first fails in
 * passing, or else when it takes longer than nineteen in twenty reads did of late; the first whole
 * answer wins, and the other attempt is ended. The pointer is read like the rest: whichever edge
 * answers, it answers with a pointer that was published.
 *
 * Second attempts are bounded by {@link HEDGE_BURST} and {@link HEDGE_SHARE}, so that a host in need
 * is not asked twice as much.
 */
export function hedgedSource(source: Source, { clock, after }: HedgeOptions): Source {
  const latencies = new Latencies();
  let allowance = HEDGE_BURST;
  return {
    name: source.name,
    async get(path, signal) {
      allowance = Math.min(HEDGE_BURST, allowance + HEDGE_SHARE);
      const begun = clock.now();
      const stop = new AbortController();
      const either = signal === undefined ? stop.signal : AbortSignal.any([stop.signal, signal]);
      const { promise, resolve, reject } = Promise.withResolvers<
        Uint8Array<ArrayBuffer> | null
      >();
      let open = 0;
      let again = true;

      function attempt(): void {
        open++;
        source.get(path, either).then((bytes) => {
          open--;
          resolve(bytes);
        }, (error) => {
          open--;
          if (isPassing(error) && attemptAgain()) return;
          if (open === 0) reject(error);
        });
      }

      function attemptAgain(): boolean {
        if (!again || either.aborted || allowance < 1) return false;
        again = false;
        allowance--;
        attempt();
        return true;
      }

      attempt();
      const cancel = after(latencies.slow(), attemptAgain);
      try {
        const bytes = await promise;
        latencies.add(clock.now() - begun);
        return bytes;
      } finally {
        cancel();
        if (open > 0) stop.abort(new Error("another attempt answered first"));
      }
    },
  };
}

/** Tells whether the same read may succeed in a moment. */
function isPassing(error: unknown): boolean {
  return error instanceof SourceFailure && error.passing;
}

const REMEMBERED = 64;
const ENOUGH = 16;
const UNKNOWN_MS = 500;
const SHORTEST_MS = 30;
const LONGEST_MS = 1_000;

/** How long reads took of late. */
class Latencies {
  readonly #last: number[] = [];
  #at = 0;

  add(ms: number): void {
    this.#last[this.#at] = ms;
    this.#at = (this.#at + 1) % REMEMBERED;
  }

  /** Milliseconds after which a read is slow. */
  slow(): number {
    const { length } = this.#last;
    if (length < ENOUGH) return UNKNOWN_MS;
    const p95 = this.#last.toSorted((a, b) => a - b)[Math.floor(length * 0.95)]!;
    return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, p95));
  }
}
