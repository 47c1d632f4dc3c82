/**
 * Many small jobs, a few at a time.
 *
 * @module
 */

/**
 * Does `work` for each item, at most `atOnce` at the same time. The first failure stops the others
 * through the signal they are given, and is thrown when all have ended.
 */
export async function eachAtOnce<T>(
  items: readonly T[],
  { atOnce, signal }: { atOnce: number; signal: AbortSignal },
  work: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length && !stop.aborted) {
      try {
        await work(items[next++]!, stop);
      } catch (error) {
        failed.abort(error); // Only the first is kept
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  stop.throwIfAborted();
}
