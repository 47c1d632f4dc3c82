/**
 * A change of the store that is decided on what was read, and tried until it is known what became of it.
 *
 * @module
 */

import { type Kv, type KvEntry, type KvKey, KvUnavailable, type KvWrite } from "../state/kv.ts";

/** What to write, and what it comes to. Without writes nothing is committed. */
export interface Step<R> {
  result: R;
  writes?: readonly KvWrite[];
}

/** What {@link transact} works with. */
export interface TransactParts {
  kv: Kv;
  /** Waits before another try when the store failed. @default no pause */
  pause?: (ms: number) => Promise<void>;
}

/** Over about seven seconds, with pauses. */
const TRIES = 8;
const PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Reads keys, at most 10, decides, and commits if none of them has changed. Decides again when one has.
 * When the answer to a commit is lost the first key tells whether it took place: the writes must
 * delete it or give it a value with a `token` that no other call of this function writes.
 *
 * @throws {KvUnavailable} When the store fails for long: then it may have taken place all the same.
 */
export async function transact<R>(
  { kv, pause = () => Promise.resolve() }: TransactParts,
  keys: readonly KvKey[],
  // deno-lint-ignore no-explicit-any -- each key has a type of its own
  decide: (...entries: KvEntry<any>[]) => Step<R>,
): Promise<R> {
  let lost: Step<R> | null = null;
  for (let attempt = 1;; attempt++) {
    let step: Step<R> | null = null;
    try {
      const entries = await kv.getMany<unknown>(keys);
      if (lost !== null && tookPlace(lost, entries[0]!)) return lost.result;
      step = decide(...entries);
      const { writes = [] } = step;
      if (writes.length === 0) return step.result;
      if (await kv.commit({ checks: entries, writes }) !== null) return step.result;
      if (attempt === TRIES) throw new KvUnavailable("Cannot commit: others are in the way");
    } catch (error) {
      if (!(error instanceof KvUnavailable) || attempt === TRIES) throw error;
      lost = step ?? lost;
      await pause(Math.min(PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS));
    }
  }
}

function tookPlace({ writes = [] }: Step<unknown>, first: KvEntry<unknown>): boolean {
  const name = JSON.stringify(first.key);
  const write = writes.find(({ key }) => JSON.stringify(key) === name);
  if (write === undefined || "delete" in write) return first.value === null;
  return tokenOf(first.value) === tokenOf(write.value);
}

function tokenOf(value: unknown): unknown {
  return (value as { token?: unknown } | null)?.token;
}
