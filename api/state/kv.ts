/**
 * The key-value store: its interface, a guard against failures, and the only way to change it: read, decide,
 * commit if nothing that was read has changed, otherwise start over.
 *
 * @module
 */

import { Circuit, CircuitOpen } from "../../pipeline/circuit.ts";
import { type Clock, inTime } from "../../pipeline/clock.ts";
import { DAY_MS } from "../../pipeline/dates.ts";
import { retry } from "../../pipeline/retry.ts";
import { messageOf } from "../../pipeline/text.ts";

export type KvKey = Deno.KvKey;

/** The `expireIn` of a value that is kept as long as the store exists. */
export const NO_END_MS = 100 * 365 * DAY_MS;

/** The entry of a key. One past its `expireIn` may still be returned: values carry their own expiry. */
export type KvEntry<T> = Deno.KvEntryMaybe<T>;

export type KvEntries<T> = [KvEntry<T>, ...KvEntry<T>[]];

/** A write of a commit: a value of at most 65,536 bytes, or a deletion. */
export type KvWrite =
  | { readonly key: KvKey; readonly value: unknown; /** Milliseconds. */ readonly expireIn: number }
  | { readonly key: KvKey; readonly delete: true };

/** Checks and writes that happen together or not at all: at most 10 checks and 800 KiB. */
export interface KvCommit {
  /** Each key still has the versionstamp that was read. */
  readonly checks: readonly Deno.AtomicCheck[];
  readonly writes: readonly KvWrite[];
}

export interface KvListOptions {
  readonly limit: number;
  /** Returns only entries after this key, which must have the prefix. */
  readonly after?: KvKey;
}

/** A store shared by all instances of the service. Every method may throw {@link KvUnavailable}. */
export interface Kv {
  /** Entries of 1 to 10 keys, in their order. */
  get<T>(keys: readonly KvKey[]): Promise<KvEntries<T>>;
  /** The first entries below a prefix, at most `limit` (500 at most), by key. */
  list<T>(prefix: KvKey, options: KvListOptions): Promise<Deno.KvEntry<T>[]>;
  /**
   * @returns The versionstamp of the commit, or null when a check failed.
   * @throws {KvUnavailable} Also when it is not known whether the commit took place.
   */
  commit(commit: KvCommit): Promise<string | null>;
}

/** The store did not answer in time. A commit may still have taken place. */
export class KvUnavailable extends Error {
  override readonly name = "KvUnavailable";

  constructor(reason: string, cause?: unknown) {
    super(`Cannot use the store: ${reason}`, { cause });
  }
}

const OPEN_MS = 3_000;

/**
 * A store that aborts calls that take too long, and makes no calls for a while after a failure.
 *
 * @param options.timeout Milliseconds a call may take.
 */
export function guardedKv(
  kv: Kv,
  { clock, timeout: ms = 2_000, log }: {
    clock: Clock;
    timeout?: number;
    log?: (line: string) => void;
  },
): Kv {
  const circuit = new Circuit({
    clock,
    failures: 1,
    openMs: OPEN_MS,
    onChange: ({ down, error }) =>
      log?.(down ? `The store fails: ${messageOf(error)}` : "The store works again"),
  });
  const late = (): Error => new KvUnavailable(`no answer in ${ms} ms`);
  async function call<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await circuit.run(() => inTime(work, { ms, late }));
    } catch (error) {
      if (error instanceof KvUnavailable) throw error;
      throw new KvUnavailable(messageOf(error), error instanceof CircuitOpen ? undefined : error);
    }
  }
  return {
    get: (keys) => call(() => kv.get(keys)),
    list: (prefix, options) => call(() => kv.list(prefix, options)),
    commit: (commit) => call(() => kv.commit(commit)),
  };
}

/** The result of a transaction, and its writes. Without writes, nothing is committed. */
export interface Step<R> {
  result: R;
  /** The first write is to the first key: a deletion, or a value with a `token` that no other call writes. */
  writes?: readonly KvWrite[];
}

/**
 * Reads at most 10 keys, decides, and commits if none of them has changed; decides again when one has.
 * When the answer to a commit is lost the first key shows whether it took place.
 *
 * @throws {KvUnavailable} When the store keeps failing: the commit may still have taken place.
 */
export function transact<R>(
  // By default there is no pause before another attempt.
  { kv, sleep = () => Promise.resolve() }: { kv: Kv; sleep?: (ms: number) => Promise<void> },
  keys: readonly KvKey[],
  // deno-lint-ignore no-explicit-any -- each key has its own type
  decide: (...entries: KvEntry<any>[]) => Step<R>,
): Promise<R> {
  let lost: Step<R> | null = null;
  return retry(async () => {
    const entries = await kv.get<{ token?: unknown }>(keys);
    if (lost?.writes?.[0] && isWritten(lost.writes[0], entries[0])) return lost.result;
    const step = decide(...entries);
    const { result, writes = [] } = step;
    if (writes.length === 0) return result;
    const before = lost;
    lost = step;
    if (await kv.commit({ checks: entries, writes }) !== null) return result;
    lost = before;
    throw new KvUnavailable("others change the same records");
  }, {
    tries: 8,
    isTransient: (error) => error instanceof KvUnavailable,
    first: 100,
    longest: 2_000,
    sleep,
  });
}

function isWritten(write: KvWrite, { value }: KvEntry<{ token?: unknown }>): boolean {
  if ("delete" in write) return value === null;
  return value?.token === (write.value as { token: unknown }).token;
}
