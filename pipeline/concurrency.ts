/**
 * Work on many items, a few of them at a time.
 *
 * @module
 */

/**
 * Does `work` for each item, at most `atOnce` at the same time. The first failure aborts the signal of the
 * others, and is thrown when all have ended.
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
        failed.abort(error); // Only the first is kept
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  stop.throwIfAborted();
}
