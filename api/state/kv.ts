/**
 * What the service needs of a key-value store: reads, a bounded list, and atomic commits that are
 * refused when what they rest on has changed. Deno KV fits it, and so does a fake with faults.
 *
 * @module
 */

/** Parts of a key, from the general to the particular. At most 2,048 bytes when encoded. */
export type KvKey = readonly (string | number)[];

/** What stands under a key. An entry past its `expireIn` may still be returned: values say until when they hold. */
export interface KvEntry<T> {
  readonly key: KvKey;
  /** Null when there is nothing. */
  readonly value: T | null;
  /** Changes with every write; null when there is nothing. */
  readonly versionstamp: string | null;
}

/** A condition of a commit: the key has still the versionstamp that was read. */
export type KvCheck = Pick<KvEntry<unknown>, "key" | "versionstamp">;

/** A write of a commit: a value of at most 65,536 bytes, or a deletion. */
export type KvWrite =
  | { readonly key: KvKey; readonly value: unknown; /** Milliseconds. */ readonly expireIn: number }
  | { readonly key: KvKey; readonly delete: true };

/** Checks and writes that happen together or not at all: at most 10 checks and 800 KiB. */
export interface KvCommit {
  readonly checks: readonly KvCheck[];
  readonly writes: readonly KvWrite[];
}

/** How much of what stands below a prefix is listed. */
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

/** The store did not answer, or not in time. A commit may have taken place all the same. */
export class KvUnavailable extends Error {
  override readonly name = "KvUnavailable";
}

/** Keys that one call reads. */
const READ_KEYS = 10;

/** Entries of any number of keys, in their order. */
export async function getAll<T>(kv: Kv, keys: readonly KvKey[]): Promise<KvEntry<T>[]> {
  const entries: KvEntry<T>[] = [];
  for (let at = 0; at < keys.length; at += READ_KEYS) {
    entries.push(...await kv.getMany<T>(keys.slice(at, at + READ_KEYS)));
  }
  return entries;
}
