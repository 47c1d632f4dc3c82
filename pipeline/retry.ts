/**
 * Trying again: which failures are worth it, and how long to wait. Web APIs only.
 *
 * @module
 */

import { type After, after as realAfter } from "./clock.ts";

/** A failure that may end by itself. Carries the wait the server asked for, in ms. */
export class TransientError extends Error {
  override readonly name = "TransientError";
  readonly waitMs: number | undefined;

  constructor(message: string, options: { waitMs?: number | undefined; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.waitMs = options.waitMs;
  }
}

/**
 * The wait before a further try, in ms: doubling from the first to the longest, of which a random half,
 * so that many clients do not come back together.
 *
 * @param failures How many tries have failed in a row, from 1.
 * @param random From 0 up to 1.
 */
export function backOff(
  failures: number,
  random: number,
  { first, longest }: { first: number; longest: number },
): number {
  const full = Math.min(longest, first * 2 ** (failures - 1));
  return Math.round(full * (1 + random) / 2);
}

/** Waits, or rejects with the signal's reason when that is aborted first. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = realAfter(ms, resolve);
  await (signal === undefined ? promise : abortable(promise, signal).finally(cancel));
}

/**
 * Waits for a promise, or rejects with `late` (the signal's reason by default) when the signal is aborted
 * first. Nothing of the promise is kept by the signal afterwards, as it would be after a race with a
 * promise of the signal.
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
  /** Milliseconds of the first pause and of the longest one, as {@link backOff} takes them. */
  first: number;
  longest: number;
  sleep: (ms: number) => Promise<void>;
  /** Whether the failed attempt got further than those before it: then it counts as the first failure. */
  hasProgress?: () => boolean;
  onRetry?: (retry: { error: unknown; failures: number; waitMs: number }) => void;
}

/**
 * Does the work until it succeeds; throws its last error. A pause is as long as the server asked for,
 * where a {@link TransientError} says so.
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

/** A network conversation that is given up when nothing comes for a while. */
export interface Watch {
  /** Hand this to fetch. */
  readonly signal: AbortSignal;
  /**
   * Runs one step (until the headers, until the next bytes) under the time limits.
   *
   * @throws {TransientError} On silence and on network failures.
   * @throws The reason of the outer signal, when that one stopped the step.
   */
  step<T>(work: () => Promise<T>): Promise<T>;
  /** Ends the limit of the whole. */
  end(): void;
}

/** Watches a conversation for `idleMs` of silence, and for its end within `totalMs` if given. */
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

/** The bytes of a body as they come, each read one step. */
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

/** "fetch failed" says nothing; the refused connection or the unknown host is in its causes. */
function deepestMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? deepestMessage(error.cause) : error.message;
}
