/**
 * Clocks and timers, passed in so that rules and builds never read the machine's clock themselves.
 *
 * @module
 */

/** `now` returns milliseconds since the epoch. */
export interface Clock {
  now(): number;
}

export const SYSTEM_CLOCK: Clock = { now: () => Date.now() };

/** Calls `then` once after `ms` milliseconds. The returned function cancels it. */
export type After = (ms: number, then: () => void) => () => void;

export function after(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
}

/** Resolves as `work` does, or rejects with `late()` after `ms` milliseconds. Does not stop the work. */
export async function inTime<T>(
  work: () => Promise<T>,
  { ms, late, after: timer = after }: { ms: number; late: () => Error; after?: After },
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const cancel = timer(ms, () => reject(late()));
  try {
    return await Promise.race([work(), promise]);
  } finally {
    cancel();
  }
}

/** Starts a stopwatch: the returned function gives the elapsed milliseconds, rounded to a tenth. */
export function stopwatch(): () => number {
  const begun = performance.now();
  return () => Math.round((performance.now() - begun) * 10) / 10;
}
