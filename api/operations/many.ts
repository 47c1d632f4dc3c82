/**
 * Reads of many carriers in one snapshot, a few shards at a time, with retries.
 *
 * @module
 */

import { forEach } from "../../pipeline/concurrency.ts";
import { sleep as timer } from "../../pipeline/retry.ts";
import type { Snapshot } from "../../pipeline/snapshot/reader.ts";
import type { OperationContext } from "./operation.ts";

export interface ManyContext extends OperationContext {
  snapshot: Snapshot;
  /** How many times a shard is read before its numbers fail. @default {3} */
  tries?: number;
  /** Shards read at the same time, at most. @default {64} */
  concurrency?: number;
  /** Waits some milliseconds. @default a timer */
  sleep?: (ms: number) => Promise<void>;
  /** Runs a piece of work when its turn comes. @default at once */
  pacer?: { run<T>(work: () => Promise<T>): Promise<T> };
  /**
   * Throws the snapshot's error when the first reads find no carrier at all, as they do when the
   * snapshot was removed, so that the reader looks for another one.
   */
  relook?: boolean;
}

const FIRST_PAUSE_MS = 200;

const UNPACED: NonNullable<ManyContext["pacer"]> = { run: (work) => work() };

/**
 * Calls `read` for each number. Equal numbers are read once, and numbers of one shard share its read. Numbers
 * that could not be read are retried together, after a pause that doubles each time.
 *
 * @param isFound Whether a result is for a carrier that is in the snapshot.
 * @returns The results by number, without the numbers that could not be read.
 */
export async function readMany<T>(
  dots: readonly number[],
  { snapshot, signal, relook, ...context }: ManyContext,
  { read, isFound }: { read: (dot: number) => Promise<T>; isFound: (found: T) => boolean },
): Promise<Map<number, T>> {
  const { tries = 3, concurrency = 64, sleep = timer, pacer = UNPACED } = context;
  const { width } = snapshot.manifest.families.carriers;
  const done = new Map<number, T>();
  const failures: unknown[] = [];
  async function look(dot: number): Promise<void> {
    try {
      done.set(dot, await read(dot));
    } catch (error) {
      failures.push(error);
    }
  }
  let left = [...new Set(dots)];
  for (let attempt = 1; left.length > 0; attempt++) {
    const shards = Map.groupBy(left, (dot) => Math.floor(dot / width));
    // Read together, so that they share one read even of a shard that is not cached.
    await forEach([...shards.values()], { atOnce: concurrency, signal }, async (shard) => {
      await pacer.run(() => Promise.all(shard.map(look)));
    });
    left = left.filter((dot) => !done.has(dot));
    if (left.length === 0) break;
    if (relook && !done.values().some(isFound)) throw failures[0];
    if (attempt === tries) break;
    await sleep(FIRST_PAUSE_MS * 2 ** (attempt - 1));
  }
  return done;
}
