/**
 * The key-value store: its interface, a guard against a store that fails, and the one way to change it:
 * read, decide, commit if nothing read has changed, else again.
 *
 * @module
 */

import { Circuit, CircuitOpen } from "../../pipeline/circuit.ts";
import { type Clock, inTime } from "../../pipeline/clock.ts";
import { retry } from "../../pipeline/retry.ts";
import { messageOf } from "../../pipeline/text.ts";

/** Parts of a key, from the general to the particular. At most 2,048 bytes when encoded. */
export type KvKey = readonly (string | number)[];

/** The entry of a key. One past its `expireIn` may still be returned: values carry their own expiry. */
export interface KvEntry<T> {
  readonly key: KvKey;
  /** Null when there is nothing. */
  readonly value: T | null;
  /** Changes with every write; null when there is nothing. */
  readonly versionstamp: string | null;
}

/** A condition of a commit: the key has still the versionstamp that was read. */
type KvCheck = Pick<KvEntry<unknown>, "key" | "versionstamp">;

/** A write of a commit: a value of at most 65,536 bytes, or a deletion. */
export type KvWrite =
  | { readonly key: KvKey; readonly value: unknown; /** Milliseconds. */ readonly expireIn: number }
  | { readonly key: KvKey; readonly delete: true };

/** Checks and writes that happen together or not at all: at most 10 checks and 800 KiB. */
export interface KvCommit {
  readonly checks: readonly KvCheck[];
  readonly writes: readonly KvWrite[];
}

/** How many of the entries below a prefix are listed. */
export interface KvListOptions {
  readonly limit: number;
  /** Only what comes after this key, which is below the prefix itself. */
  readonly after?: KvKey;
}

/** A store shared by all instances of the service. Every method may throw {@link KvUnavailable}. */
export interface Kv {
  get<T>(key: KvKey): Promise<KvEntry<T>>;
  /** Entries of at most 10 keys, in their order. */
  getMany<T>(keys: readonly KvKey[]): Promise<KvEntry<T>[]>;
  /** The first entries below a prefix, at most `limit` (500 at most), by key. */
  list<T>(prefix: KvKey, options: KvListOptions): Promise<KvEntry<T>[]>;
  /**
   * @returns The versionstamp of what was written, or null when a check failed.
   * @throws {KvUnavailable} Also when it is not known whether the commit took place.
   */
  commit(commit: KvCommit): Promise<string | null>;
}

/** The store did not answer in time. A commit may still have taken place. */
export class KvUnavailable extends Error {
  override readonly name = "KvUnavailable";
}

/** The error of a store that cannot be used. */
export function kvUnavailable(reason: string, cause?: unknown): KvUnavailable {
  return new KvUnavailable(`Cannot use the store: ${reason}`, { cause });
}

interface GuardOptions {
  clock: Clock;
  /** Milliseconds a call may take. @default {2000} */
  timeout?: number;
  /** Called when the store fails and when it works again. */
  log?: (line: string) => void;
}

/** Milliseconds after a failure in which no call is made. */
const OPEN_MS = 3_000;

/** Ends a call that takes too long, and makes none for a while after a failure. */
export class GuardedKv implements Kv {
  readonly #kv: Kv;
  readonly #timeout: number;
  readonly #circuit: Circuit;

  /** @param kv The store to guard. */
  constructor(kv: Kv, { clock, timeout = 2_000, log }: GuardOptions) {
    this.#kv = kv;
    this.#timeout = timeout;
    this.#circuit = new Circuit({
      clock,
      failures: 1,
      openMs: OPEN_MS,
      onChange: ({ down, error }) =>
        log?.(down ? `The store fails: ${messageOf(error)}` : "The store works again"),
    });
  }

  get<T>(key: KvKey): Promise<KvEntry<T>> {
    return this.#call(() => this.#kv.get<T>(key));
  }

  getMany<T>(keys: readonly KvKey[]): Promise<KvEntry<T>[]> {
    return this.#call(() => this.#kv.getMany<T>(keys));
  }

  list<T>(prefix: KvKey, options: KvListOptions): Promise<KvEntry<T>[]> {
    return this.#call(() => this.#kv.list<T>(prefix, options));
  }

  commit(commit: KvCommit): Promise<string | null> {
    return this.#call(() => this.#kv.commit(commit));
  }

  async #call<T>(work: () => Promise<T>): Promise<T> {
    const ms = this.#timeout;
    const late = (): Error => kvUnavailable(`no answer in ${ms} ms`);
    try {
      return await this.#circuit.run(() => inTime(work, { ms, late }));
    } catch (error) {
      if (error instanceof KvUnavailable) throw error;
      throw kvUnavailable(messageOf(error), error instanceof CircuitOpen ? undefined : error);
    }
  }
}

/** The result of a transaction, and what to write for it. Without writes nothing is committed. */
export interface Step<R> {
  result: R;
  writes?: readonly KvWrite[];
}

interface TransactParts {
  kv: Kv;
  /** Waits before another attempt. @default no pause */
  pause?: (ms: number) => Promise<void>;
}

const TRIES = 8;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Reads at most 10 keys, decides, and commits if none of them has changed; decides again when one has.
 * When the answer to a commit is lost the first key shows whether it took place: the writes must
 * delete it, or give it a value with a `token` that no other call writes.
 *
 * @throws {KvUnavailable} When the store keeps failing: the commit may still have taken place.
 */
export function transact<R>(
  { kv, pause = () => Promise.resolve() }: TransactParts,
  keys: readonly KvKey[],
  // deno-lint-ignore no-explicit-any -- each key has its own type
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
