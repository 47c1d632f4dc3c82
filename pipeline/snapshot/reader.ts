/**
 * The production reader of snapshots: the service and `verify` use it. Web APIs only.
 *
 * @module
 */

import { type After, after as realAfter, type Clock, SYSTEM_CLOCK } from "../clock.ts";
import { abortable } from "../retry.ts";
import { messageOf } from "../text.ts";
import { answeringFor, type PastSnapshot } from "./chain.ts";
import { BrokenObject, readManifest, readObject } from "./contents.ts";
import { type Manifest, parsePointer, type Pointer } from "./manifest.ts";
import { POINTER_PATH } from "./paths.ts";
import {
  PinnedSnapshot,
  type ShardCache,
  type Snapshot,
  type SnapshotName,
} from "./pinned_snapshot.ts";
import { SharedCache } from "./shared_cache.ts";
import type { Source } from "./source.ts";

export type { Snapshot, SnapshotName };

export interface ReaderOptions {
  /** @default {SYSTEM_CLOCK} */
  clock?: Clock;
  after?: After;
  /** Minimum milliseconds between two reads of the pointer. @default {60000} */
  pointerAge?: number;
  /**
   * Limit on the estimated bytes of cached shards. Cached search lists have a separate limit of this size.
   * @default {67108864}
   */
  cacheBytes?: number;
  /** Whether to compare every object with its line of SHA256SUMS, which is read once per snapshot. @default {false} */
  verify?: boolean;
  /** Called when a refresh fails and the older snapshot keeps answering. */
  onStale?: (error: unknown) => void;
}

/**
 * No snapshot can answer now: nothing could be read yet, or an object of the current one is missing or
 * damaged.
 */
export class SnapshotUnavailable extends Error {
  override readonly name = "SnapshotUnavailable";
}

/** A day is before the first snapshot that is kept. */
export class NotKept extends Error {
  override readonly name = "NotKept";
  /** The data date of the first kept snapshot, `YYYY-MM-DD`. */
  readonly first: string;

  constructor(first: string) {
    super(`Cannot answer for a day before ${first}: it is the first that is kept`);
    this.first = first;
  }
}

function notKept(kept: readonly PastSnapshot[]): never {
  throw new NotKept(kept[0]!.data_date);
}

/** Milliseconds that a refresh may take while an older snapshot can still answer. */
const REFRESH_MS = 2_000;

/**
 * Named snapshots whose manifests stay cached, beside the current one: 5 MB where each has 1,000 runs of
 * shards and a chain of 400 days.
 */
const NAMED_SNAPSHOTS = 16;

/** The same limit when every object is verified: each has its SHA256SUMS of about 10 MB. */
const VERIFIED_SNAPSHOTS = 3;

/**
 * Milliseconds for which a pointer with a lower sequence is treated as a stale copy on an edge of a CDN.
 * Longer than any edge may cache it; after that, the sequence must have been restarted.
 */
const OLDER_POINTER_MS = 600_000;

/** Keeps the current snapshot of a {@link Source} and pins it for each piece of work. */
export class SnapshotReader {
  readonly #source: Source;
  readonly #clock: Clock;
  readonly #options: ReaderOptions;
  readonly #cacheBytes: number;
  readonly #cache: ShardCache;
  // Stores nothing, but callers that ask for a shard at the same time share its read.
  readonly #noCache: ShardCache = new SharedCache(0);
  readonly #named: SharedCache<Snapshot>;
  #current: Snapshot | null = null;
  #pointer: Pointer | null = null;
  #olderSince: number | null = null;
  #refreshedAt = 0;
  #refreshing: Promise<Snapshot> | null = null;

  /** Reads nothing until the first use. */
  constructor(source: Source, options: ReaderOptions = {}) {
    this.#source = source;
    this.#clock = options.clock ?? SYSTEM_CLOCK;
    this.#options = options;
    this.#cacheBytes = options.cacheBytes ?? 64 * 1024 * 1024;
    this.#cache = new SharedCache(this.#cacheBytes);
    this.#named = new SharedCache(options.verify ? VERIFIED_SNAPSHOTS : NAMED_SNAPSHOTS);
  }

  /** Bytes are estimated. */
  get cached(): { bytes: number; shards: number } {
    return { bytes: this.#cache.bytes, shards: this.#cache.size };
  }

  /** The pointer that named the current snapshot, once there is one. */
  get pointer(): Readonly<Pointer> | null {
    return this.#pointer;
  }

  /**
   * Runs `work` against one pinned snapshot. When an object that its manifest promises is missing or
   * broken, reads the pointer again, and when that names another snapshot runs `work` again from
   * the start on it: so `work` must have no effects, and must not catch errors of the snapshot.
   *
   * @throws {SnapshotUnavailable} When no snapshot can answer.
   */
  async use<T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    const first = await this.current();
    try {
      return await work(first);
    } catch (error) {
      if (!(error instanceof BrokenObject)) throw error;
      const second = await this.#other(first, error);
      return await work(second).catch(throwUnavailable);
    }
  }

  /**
   * Runs `work` against the snapshot of that name, current or not, without reading the pointer. For
   * large reads: it caches no shards and evicts none of those that {@link use} cached.
   *
   * @throws {SnapshotUnavailable} When the snapshot, or an object that its manifest promises, cannot be read.
   */
  async useOf<T>(name: SnapshotName, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    try {
      const pinned = await this.#named.get(`${name.id} ${name.manifestSha256}`, async () => {
        const manifest = await this.#manifestOf(name);
        return { value: this.#pinned(name, manifest, this.#noCache), bytes: 1 };
      });
      return await work(pinned);
    } catch (error) {
      return throwUnavailable(error);
    }
  }

  /**
   * Runs `work` against the snapshot that answers for a day, `YYYY-MM-DD`: of those kept, the one with the
   * newest data date at or before it. As {@link useOf}, unless that is the current one.
   *
   * @throws {NotKept} When every kept snapshot is newer.
   * @throws {SnapshotUnavailable} When the snapshot cannot be read.
   */
  async useAsOf<T>(day: string, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    const name = await this.use(async (current) => {
      const kept = await current.kept();
      const { id, manifest_sha256 } = answeringFor(day, kept) ?? notKept(kept);
      return id === current.id ? null : { id, manifestSha256: manifest_sha256 };
    });
    return name === null ? await this.use(work) : await this.useOf(name, work);
  }

  /**
   * The snapshots that {@link useAsOf} chooses from, the oldest first and the current one last.
   *
   * @throws {SnapshotUnavailable} When the list cannot be read.
   */
  async kept(): Promise<readonly PastSnapshot[]> {
    return await this.use((current) => current.kept());
  }

  async #manifestOf({ id, manifestSha256 }: SnapshotName): Promise<Manifest> {
    const current = this.#current;
    if (current?.id === id && current.manifestSha256 === manifestSha256) return current.manifest;
    try {
      return await readManifest(this.#source, { snapshot: id, manifest_sha256: manifestSha256 });
    } catch (cause) {
      throw cause instanceof BrokenObject ? cause : new BrokenObject(messageOf(cause), { cause });
    }
  }

  #pinned(name: SnapshotName, manifest: Manifest, cache: ShardCache): Snapshot {
    const { verify = false } = this.#options;
    const keeps = () => this.#pointer?.keeps;
    const parts = { manifest, source: this.#source, cache, verify, keeps };
    return new PinnedSnapshot(name, { ...parts, listCacheBytes: this.#cacheBytes });
  }

  /**
   * The snapshot that is used now.
   *
   * @throws {SnapshotUnavailable} When there is none.
   */
  async current(): Promise<Snapshot> {
    const current = this.#current;
    const { pointerAge = 60_000 } = this.#options;
    const age = this.#clock.now() - this.#refreshedAt;
    // A negative age means that the clock moved backward: refresh.
    if (current !== null && age >= 0 && age < pointerAge) return current;
    try {
      return await this.#refresh();
    } catch (error) {
      if (this.#current !== null) return this.#current;
      throw unavailable(error);
    }
  }

  async #other(first: Snapshot, broken: BrokenObject): Promise<Snapshot> {
    // A refresh in progress may have read the pointer before the object was removed.
    if (this.#refreshing !== null) await this.#refreshing.catch(() => null);
    if (this.#current !== null && this.#current.id !== first.id) return this.#current;
    const found = await this.#refresh().catch(() => null);
    if (found === null || found.id === first.id) throw unavailable(broken);
    return found;
  }

  #refresh(): Promise<Snapshot> {
    this.#refreshing ??= this.#readCurrent().catch((error) => {
      if (this.#current !== null) this.#options.onStale?.(error);
      throw error;
    }).finally(() => {
      this.#refreshing = null;
      this.#refreshedAt = this.#clock.now();
    });
    return this.#refreshing;
  }

  async #readCurrent(): Promise<Snapshot> {
    const current = this.#current;
    const pointer = parsePointer(
      await this.#inTime((signal) => readObject(this.#source, POINTER_PATH, signal)),
    );
    if (current !== null && this.#isStaleCopy(pointer)) return current;
    if (current?.id !== pointer.snapshot) {
      const manifest = await this.#inTime((signal) => readManifest(this.#source, pointer, signal));
      const name = { id: pointer.snapshot, manifestSha256: pointer.manifest_sha256 };
      this.#current = this.#pinned(name, manifest, this.#cache);
    }
    this.#pointer = pointer;
    return this.#current!;
  }

  /** Whether a pointer is older than the one last seen: an edge of a CDN still has it. */
  #isStaleCopy({ sequence }: Pointer): boolean {
    const seen = this.#pointer?.sequence;
    if (seen === undefined || sequence === undefined || sequence >= seen) {
      this.#olderSince = null;
      return false;
    }
    const now = this.#clock.now();
    // `#olderSince` is after `now` when the clock moved backward.
    this.#olderSince = Math.min(this.#olderSince ?? now, now);
    return now - this.#olderSince < OLDER_POINTER_MS;
  }

  /** Limits the time of a read while an older snapshot can answer. */
  async #inTime<T>(read: (signal?: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#current === null) return await read();
    const late = new AbortController();
    const why = `Cannot refresh from ${this.#source.name}: no answer in ${REFRESH_MS} ms`;
    const { after = realAfter } = this.#options;
    const cancel = after(REFRESH_MS, () => late.abort(new Error(why)));
    // Some sources ignore the signal.
    return await abortable(read(late.signal), late.signal).finally(cancel);
  }
}

function throwUnavailable(error: unknown): never {
  throw error instanceof BrokenObject ? unavailable(error) : error;
}

function unavailable(cause: unknown): SnapshotUnavailable {
  return new SnapshotUnavailable(messageOf(cause), { cause });
}
