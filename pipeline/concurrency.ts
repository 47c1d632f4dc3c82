/**
 * Processes many items with limited concurrency.
 *
 * @module
 */

/**
 * Calls `work` for each item, at most `atOnce` at a time. The first failure aborts the signal of the other calls,
 * and is thrown once they have all settled.
 */
export async function forEach<T>(
  items: readonly T[],
  { atOnce, signal }: { atOnce: number; signal: AbortSignal | undefined },
  work: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failed = new AbortController();
  const stop = AbortSignal.any([failed.signal, ...(signal === undefined ? [] : [signal])]);
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length && !stop.aborted) {
      try {
        await work(items[next++]!, stop);
      } catch (error) {
        failed.abort(error); // Later calls of abort() have no effect
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  stop.throwIfAborted();
}
