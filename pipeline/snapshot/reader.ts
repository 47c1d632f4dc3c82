/**
 * The production reader of snapshots: the service and `verify` use it. Web APIs only.
 *
 * @module
 */

import { type After, after, type Clock } from "../clock.ts";
import { messageOf } from "../text.ts";
import {
  type Manifest,
  parseManifest,
  parsePointer,
  type Pointer,
  POINTER_PATH,
  snapshotPath,
} from "./manifest.ts";
import {
  BrokenObject,
  PinnedSnapshot,
  readPromised,
  type ShardCache,
  type Snapshot,
  type SnapshotName,
} from "./pinned_snapshot.ts";
import { SharedCache } from "./shared_cache.ts";
import type { Source } from "./source.ts";
import { sha256Hex } from "./contents.ts";

export type { Snapshot, SnapshotName };

/** Options of {@link SnapshotReader}. */
export interface ReaderOptions {
  clock: Clock;
  /** @default {after} */
  after?: After;
  /** Milliseconds between two looks at the pointer, at least. @default {60000} */
  pointerAge?: number;
  /** Milliseconds that a look at the pointer may take while an older snapshot can answer. @default {2000} */
  pointerTimeout?: number;
  /** Estimated bytes of parsed shards to hold. @default {67108864} */
  cacheBytes?: number;
  /** Compare every object with its line of SHA256SUMS, which is read once a snapshot. @default {false} */
  verify?: boolean;
  /** Told when a look at the pointer fails and the older snapshot goes on answering. */
  onStale?: (error: unknown) => void;
}

/** No snapshot can answer now: nothing could be read yet, or an object of the current one is missing or broken. */
export class SnapshotUnavailable extends Error {
  override readonly name = "SnapshotUnavailable";
}

/** Named snapshots whose manifests are held. */
const NAMED_HELD = 3;

/**
 * Milliseconds for which a pointer older than the one last seen is taken for what some edge of a CDN
 * still holds. Longer than any edge may hold it; after that somebody began to count anew.
 */
const OLDER_POINTER_MS = 600_000;

/** Keeps the current snapshot of a {@link Source} and lends it to one piece of work at a time. */
export class SnapshotReader {
  readonly #source: Source;
  readonly #clock: Clock;
  readonly #after: After;
  readonly #pointerAge: number;
  readonly #pointerTimeout: number;
  readonly #cache: ShardCache;
  readonly #verify: boolean;
  // Holds nothing, but lets those who ask for a shard at the same time share its read.
  readonly #passing: ShardCache = new SharedCache(0);
  readonly #named = new SharedCache<PinnedSnapshot>(NAMED_HELD);
  readonly #onStale: (error: unknown) => void;
  #current: PinnedSnapshot | null = null;
  #pointer: Pointer | null = null;
  #olderSince: number | null = null;
  #lookedAt = 0;
  #looking: Promise<PinnedSnapshot> | null = null;

  /** Reads nothing until the first use. */
  constructor(source: Source, options: ReaderOptions) {
    this.#source = source;
    this.#clock = options.clock;
    this.#after = options.after ?? after;
    this.#pointerAge = options.pointerAge ?? 60_000;
    this.#pointerTimeout = options.pointerTimeout ?? 2_000;
    this.#cache = new SharedCache(options.cacheBytes ?? 64 * 1024 * 1024);
    this.#verify = options.verify ?? false;
    this.#onStale = options.onStale ?? (() => {});
  }

  /** Estimated bytes and number of the parsed shards held. */
  get held(): { bytes: number; shards: number } {
    return { bytes: this.#cache.bytes, shards: this.#cache.size };
  }

  /** The pointer that named the current snapshot, once there is one. */
  get pointer(): Readonly<Pointer> | null {
    return this.#pointer;
  }

  /**
   * Runs `work` against one pinned snapshot. When an object that its manifest promises is missing or
   * broken, looks at the pointer once more, and when that names another snapshot runs `work` again
   * from the start on it: so `work` must not have effects, and must let errors of the snapshot pass.
   *
   * @throws {SnapshotUnavailable} When no snapshot can answer.
   */
  async use<T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    const first = await this.#pin();
    try {
      return await work(first);
    } catch (error) {
      if (!(error instanceof BrokenObject)) throw error;
      const second = await this.#another(first, error);
      try {
        return await work(second);
      } catch (again) {
        throw again instanceof BrokenObject ? unavailable(again) : again;
      }
    }
  }

  /**
   * Runs `work` against the snapshot of that name, current or not, without a look at the pointer. It is
   * for bulk reads: it holds no shards and pushes out none of those that {@link use} holds.
   *
   * @throws {SnapshotUnavailable} When the snapshot, or an object that its manifest promises, cannot be read.
   */
  async useOf<T>(name: SnapshotName, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    try {
      const key = `${name.id} ${name.manifestSha256}`;
      const pinned = await this.#named.get(key, async () => ({
        value: new PinnedSnapshot(name, {
          manifest: await this.#manifestOf(name),
          source: this.#source,
          cache: this.#passing,
          sparse: true,
          verify: this.#verify,
        }),
        bytes: 1,
      }));
      return await work(pinned);
    } catch (error) {
      throw error instanceof BrokenObject ? unavailable(error) : error;
    }
  }

  async #manifestOf(name: SnapshotName): Promise<Manifest> {
    const current = this.#current;
    if (current?.id === name.id && current.manifestSha256 === name.manifestSha256) {
      return current.manifest;
    }
    const bytes = await readPromised(this.#source, manifestPath(name.id));
    try {
      return await checkManifest(bytes, name);
    } catch (error) {
      throw new BrokenObject(messageOf(error), { cause: error });
    }
  }

  async #pin(): Promise<PinnedSnapshot> {
    const current = this.#current;
    const age = this.#clock.now() - this.#lookedAt;
    // A negative age is a clock put back: look again.
    if (current !== null && age >= 0 && age < this.#pointerAge) return current;
    try {
      return await this.#look();
    } catch (error) {
      if (this.#current !== null) return this.#current;
      throw unavailable(error);
    }
  }

  async #another(first: PinnedSnapshot, broken: BrokenObject): Promise<PinnedSnapshot> {
    // A look that was under way may have read the pointer before the object went.
    if (this.#looking !== null) await this.#looking.catch(() => null);
    if (this.#current !== null && this.#current.id !== first.id) return this.#current;
    const found = await this.#look().catch(() => null);
    if (found === null || found.id === first.id) throw unavailable(broken);
    return found;
  }

  #look(): Promise<PinnedSnapshot> {
    this.#looking ??= this.#read().catch((error) => {
      if (this.#current !== null) this.#onStale(error);
      throw error;
    }).finally(() => {
      this.#looking = null;
      this.#lookedAt = this.#clock.now();
    });
    return this.#looking;
  }

  async #read(): Promise<PinnedSnapshot> {
    const current = this.#current;
    const pointer = parsePointer(
      current === null
        ? await readPromised(this.#source, POINTER_PATH)
        : await this.#readInTime(POINTER_PATH),
    );
    if (current !== null && this.#isLeftBehind(pointer)) return current;
    if (current !== null && current.id === pointer.snapshot) {
      this.#pointer = pointer;
      return current;
    }
    const path = manifestPath(pointer.snapshot);
    const bytes = current === null
      ? await readPromised(this.#source, path)
      : await this.#readInTime(path);
    const name = { id: pointer.snapshot, manifestSha256: pointer.manifest_sha256 };
    const pinned = new PinnedSnapshot(name, {
      manifest: await checkManifest(bytes, name),
      source: this.#source,
      cache: this.#cache,
      sparse: false,
      verify: this.#verify,
    });
    this.#current = pinned;
    this.#pointer = pointer;
    return pinned;
  }

  /** Whether an edge still holds a pointer from before the one last seen. */
  #isLeftBehind({ sequence }: Pointer): boolean {
    const seen = this.#pointer?.sequence;
    if (seen === undefined || sequence === undefined || sequence >= seen) {
      this.#olderSince = null;
      return false;
    }
    this.#olderSince ??= this.#clock.now();
    return this.#clock.now() - this.#olderSince < OLDER_POINTER_MS;
  }

  async #readInTime(path: string): Promise<Uint8Array<ArrayBuffer>> {
    const control = new AbortController();
    const { promise: late, reject } = Promise.withResolvers<never>();
    // The race is for sources that do not heed the signal.
    const cancel = this.#after(this.#pointerTimeout, () => {
      const error = new Error(`Cannot read "${path}": no answer in ${this.#pointerTimeout} ms`);
      control.abort(error);
      reject(error);
    });
    try {
      return await Promise.race([readPromised(this.#source, path, control.signal), late]);
    } finally {
      cancel();
    }
  }
}

function manifestPath(id: string): string {
  return `${snapshotPath(id)}/manifest.json`;
}

async function checkManifest(
  bytes: Uint8Array<ArrayBuffer>,
  { id, manifestSha256 }: SnapshotName,
): Promise<Manifest> {
  if (await sha256Hex(bytes) !== manifestSha256) {
    throw new Error(`Cannot use "${manifestPath(id)}": its SHA-256 is not the one expected`);
  }
  return parseManifest(bytes);
}

function unavailable(cause: unknown): SnapshotUnavailable {
  return new SnapshotUnavailable(messageOf(cause), { cause });
}
