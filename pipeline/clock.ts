/**
 * The time, passed in, so that no rule and no build reads the machine's clock by itself.
 *
 * @module
 */

/** Milliseconds since the epoch. */
export interface Clock {
  now(): number;
}

export const SYSTEM_CLOCK: Clock = { now: () => Date.now() };

/** Calls `then` once after some milliseconds, unless the returned function is called before. */
export type After = (ms: number, then: () => void) => () => void;

export function after(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
}

/** What the work resolves to, or the error of `late` when it takes longer; the work is not stopped. */
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

/** Starts to measure: returns a function that returns the milliseconds since then, to a tenth. */
export function stopwatch(): () => number {
  const begun = performance.now();
  return () => Math.round((performance.now() - begun) * 10) / 10;
}
