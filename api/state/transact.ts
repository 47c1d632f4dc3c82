/**
 * The one way to change the store: read, decide, commit if nothing read has changed, else again.
 *
 * @module
 */

import { retry } from "../../pipeline/retry.ts";
import { type Kv, type KvEntry, type KvKey, KvUnavailable, type KvWrite } from "./kv.ts";

/** What to write, and what it comes to. Without writes nothing is committed. */
export interface Step<R> {
  result: R;
  writes?: readonly KvWrite[];
}

/** What {@link transact} works with. */
export interface TransactParts {
  kv: Kv;
  /** Waits before another attempt. @default no pause */
  pause?: (ms: number) => Promise<void>;
}

const TRIES = 8;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Reads at most 10 keys, decides, and commits if none of them has changed; decides again when one has.
 * When the answer to a commit is lost the first key tells whether it took place: the writes must
 * delete it, or give it a value with a `token` that no other call writes.
 *
 * @throws {KvUnavailable} When the store keeps failing: the commit may have taken place all the same.
 */
export function transact<R>(
  { kv, pause = () => Promise.resolve() }: TransactParts,
  keys: readonly KvKey[],
  // deno-lint-ignore no-explicit-any -- each key has a type of its own
  decide: (...entries: KvEntry<any>[]) => Step<R>,
): Promise<R> {
  let lost: Step<R> | null = null;
  return retry(async () => {
    const entries = await kv.getMany<unknown>(keys);
    if (lost !== null && tookPlace(lost, entries[0]!)) return lost.result;
    const step = decide(...entries);
    const { result, writes = [] } = step;
    if (writes.length === 0) return result;
    const before = lost;
    lost = step;
    if (await kv.commit({ checks: entries, writes }) !== null) return result;
    lost = before;
    throw new KvUnavailable("Cannot commit: others change the same records");
  }, {
    tries: TRIES,
    isTransient: (error) => error instanceof KvUnavailable,
    first: FIRST_PAUSE_MS,
    longest: LONGEST_PAUSE_MS,
    sleep: pause,
  });
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
