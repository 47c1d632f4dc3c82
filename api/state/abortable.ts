/**
 * Waiting that can be broken off.
 *
 * @module
 */

/**
 * Waits for a promise, or rejects with the signal's reason when that is aborted first. Nothing of the
 * promise is held by the signal afterwards, as it would be after a race with a promise of the signal.
 */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
