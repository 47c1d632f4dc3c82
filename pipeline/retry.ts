/**
 * Retries with backoff, and network timeouts. Web APIs only.
 *
 * @module
 */

import { type After, after as realAfter } from "./clock.ts";

/** A failure worth a retry. `waitMs` is the wait that the server asked for, if any. */
export class TransientError extends Error {
  override readonly name = "TransientError";
  readonly waitMs: number | undefined;

  constructor(message: string, options: { waitMs?: number | undefined; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.waitMs = options.waitMs;
  }
}

/**
 * Returns how long to wait before the next try, in ms: `first`, doubled with each failure up to `longest`, with up to
 * half of it subtracted at random, so that clients do not all retry at the same time.
 *
 * @param failures Number of consecutive failures, at least 1.
 * @param random From 0 to 1, exclusive.
 */
export function backOff(
  failures: number,
  random: number,
  { first, longest }: { first: number; longest: number },
): number {
  const full = Math.min(longest, first * 2 ** (failures - 1));
  return Math.round(full * (1 + random) / 2);
}

/** Waits for `ms` milliseconds. Rejects with the signal's reason if it is aborted first. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = realAfter(ms, resolve);
  await (signal === undefined ? promise : abortable(promise, signal).finally(cancel));
}

/**
 * Waits for a promise. Rejects with `late`, by default the signal's reason, if the signal is aborted first. Unlike
 * `Promise.race()` with a promise of the signal, leaves no listener on the signal that would leak memory.
 */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal, late?: Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(late ?? signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

export interface RetryOptions {
  tries: number;
  isTransient: (error: unknown) => boolean;
  /** Milliseconds of the first and the longest wait; see {@link backOff}. */
  first: number;
  longest: number;
  sleep: (ms: number) => Promise<void>;
  /** Whether the failed try got further than earlier ones. If so, it counts as the first failure. */
  hasProgress?: () => boolean;
  onRetry?: (retry: { error: unknown; failures: number; waitMs: number }) => void;
}

/**
 * Retries the work on transient errors until it succeeds or has failed `tries` times in a row; then throws the last
 * error. Waits as long as the server asked for, if a {@link TransientError} has `waitMs`.
 */
export async function retry<T>(
  work: () => Promise<T>,
  { tries, isTransient, first, longest, sleep, hasProgress, onRetry }: RetryOptions,
): Promise<T> {
  let failures = 0;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error)) throw error;
      failures = hasProgress?.() ? 1 : failures + 1;
      if (failures >= tries) throw error;
      const asked = error instanceof TransientError ? error.waitMs : undefined;
      const waitMs = asked ?? backOff(failures, Math.random(), { first, longest });
      onRetry?.({ error, failures, waitMs });
      await sleep(waitMs);
    }
  }
}

/** A network request with time limits. */
export interface Watch {
  /** The signal to pass to fetch. */
  readonly signal: AbortSignal;
  /**
   * Runs one step, such as reading the headers or the next bytes, within the time limits.
   *
   * @throws {TransientError} On a timeout or a network failure.
   * @throws The reason of the outer signal, if it was aborted.
   */
  step<T>(work: () => Promise<T>): Promise<T>;
  /** Cancels the limit on the whole request. */
  end(): void;
}

/** Limits each step of a request to `idleMs`, and the whole request to `totalMs`, if given. */
export function watch(
  idleMs: number,
  outer?: AbortSignal,
  { totalMs, after = realAfter }: { totalMs?: number; after?: After } = {},
): Watch {
  const late = new AbortController();
  const signal = outer === undefined ? late.signal : AbortSignal.any([late.signal, outer]);
  const start = (ms: number, why: string) =>
    after(ms, () => late.abort(new TransientError(`${why} ${ms / 1000} s`)));
  const end = totalMs === undefined ? () => {} : start(totalMs, "not all of it came in");
  return {
    signal,
    end,
    async step<T>(work: () => Promise<T>): Promise<T> {
      signal.throwIfAborted();
      const cancel = start(idleMs, "no byte came for");
      try {
        return await work();
      } catch (cause) {
        signal.throwIfAborted();
        if (cause instanceof Error && cause.name === "NotCapable") throw cause;
        throw new TransientError(deepestMessage(cause), { cause });
      } finally {
        cancel();
      }
    },
  };
}

/** Yields the bytes of a body as they arrive. Each read is one step. */
export async function* chunks(
  { body }: Response,
  { step }: Watch,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = body?.getReader();
  try {
    for (;;) {
      const next = await step(async () => await reader?.read());
      if (next === undefined || next.done) return;
      if (next.value.length > 0) yield next.value;
    }
  } finally {
    reader?.cancel().catch(() => {});
  }
}

/** The innermost cause's message: "fetch failed" says nothing; its cause names the refused connection or unknown host. */
function deepestMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? deepestMessage(error.cause) : error.message;
}
