/**
 * Deno KV as the store: a file, memory, the store of the host, or a server that speaks KV Connect.
 *
 * @module
 */

import { dirname } from "node:path";
import { retry, sleep } from "../../pipeline/retry.ts";
import { messageOf } from "../../pipeline/text.ts";
import {
  type Kv,
  type KvCommit,
  type KvEntries,
  type KvKey,
  type KvListOptions,
  KvUnavailable,
} from "./kv.ts";

/** Attempts of a call that finds another process's lock, and the pauses between them. */
const LOCK_RETRY = { tries: 40, isTransient: isLocked, first: 2, longest: 40, sleep };

/** Commits of one write each that are written together: the store takes 800 KiB at a time. */
const MOST_TOGETHER = 10;

type Waiting = PromiseWithResolvers<string | null> & { commit: KvCommit };

/**
 * Deno KV. It opens at the first call, and again at the next one when opening failed. Commits to a
 * file or to memory that wait at the same time are written together, which is four times as fast;
 * several processes on one file throw `database is locked` before anything is written, so such calls
 * are retried.
 */
export class DenoKv implements Kv {
  readonly #path: string | undefined;
  /** Whether the store is on another machine: then there is no file, and a commit has at most ten checks. */
  readonly #isRemote: boolean;
  #opened: Promise<Deno.Kv> | null = null;
  #inode: number | null = null;
  #waiting: Waiting[] = [];
  #writing = false;

  /**
   * @param path A file, whose folder is created when missing, `:memory:`, an http(s) address, or undefined
   * for the store of the host.
   */
  constructor(path: string | undefined) {
    this.#path = path;
    this.#isRemote = path === undefined || isRemoteStore(path);
  }

  get<T>(keys: readonly KvKey[]): Promise<KvEntries<T>> {
    return this.#call(async (kv) => await kv.getMany<T[]>([...keys]) as unknown as KvEntries<T>);
  }

  list<T>(prefix: KvKey, { limit, after }: KvListOptions): Promise<Deno.KvEntry<T>[]> {
    // The smallest key greater than this one.
    const from = after === undefined ? { prefix } : { prefix, start: [...after, new Uint8Array()] };
    return this.#call((kv) => Array.fromAsync(kv.list<T>(from, { limit, batchSize: limit })));
  }

  commit(commit: KvCommit): Promise<string | null> {
    if (this.#isRemote) return this.#atomic([commit]);
    const waiting = { commit, ...Promise.withResolvers<string | null>() };
    this.#waiting.push(waiting);
    if (!this.#writing) void this.#write();
    return waiting.promise;
  }

  /**
   * Checks that the store, where it is a file, is the one that was opened.
   *
   * @throws {KvUnavailable} When it was deleted, or another one put in its place.
   */
  async inPlace(): Promise<void> {
    if (this.#path === undefined || this.#isRemote || this.#path === ":memory:") return;
    await this.#call(() => Promise.resolve());
    const found = await Deno.stat(this.#path).catch(() => null);
    if (found === null) throw new KvUnavailable("its file was deleted");
    this.#inode ??= found.ino;
    if (found.ino !== this.#inode) throw new KvUnavailable("another file is in its place");
  }

  /** Closes the store; later calls open it again. */
  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = null;
    this.#inode = null;
    (await opened?.catch(() => null))?.close();
  }

  /** Writes the waiting commits, one group after another; never throws. */
  async #write(): Promise<void> {
    this.#writing = true;
    while (this.#waiting.length > 0) {
      const group = takeGroup(this.#waiting);
      try {
        const versionstamp = await this.#atomic(group.map(({ commit }) => commit));
        for (const { commit, resolve, reject } of group) {
          if (versionstamp !== null || group.length === 1) resolve(versionstamp);
          // One of them is refused; committing them one by one shows which.
          else await this.#atomic([commit]).then(resolve, reject);
        }
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#writing = false;
  }

  #atomic(commits: readonly KvCommit[]): Promise<string | null> {
    return this.#call(async (kv) => {
      const atomic = kv.atomic();
      for (const { checks, writes } of commits) {
        atomic.check(...checks);
        for (const write of writes) {
          if ("delete" in write) atomic.delete(write.key);
          else atomic.set(write.key, write.value, { expireIn: write.expireIn });
        }
      }
      const result = await atomic.commit();
      return result.ok ? result.versionstamp : null;
    });
  }

  async #call<T>(work: (kv: Deno.Kv) => Promise<T>): Promise<T> {
    try {
      return await retry(async () => {
        this.#opened ??= openKv(this.#path).catch((error) => {
          this.#opened = null;
          throw error;
        });
        return await work(await this.#opened);
      }, LOCK_RETRY);
    } catch (error) {
      throw new KvUnavailable(messageOf(error), error);
    }
  }
}

/** Takes the first commits that have one write each and no key in common; else the first one. */
function takeGroup(waiting: Waiting[]): Waiting[] {
  const taken = new Set<string>();
  let count = 0;
  for (const { commit: { checks, writes } } of waiting.slice(0, MOST_TOGETHER)) {
    const keys = [...checks, ...writes].map(({ key }) => JSON.stringify(key));
    if (writes.length !== 1 || keys.some((key) => taken.has(key))) break;
    for (const key of keys) taken.add(key);
    count++;
  }
  return waiting.splice(0, Math.max(1, count));
}

/** Whether a path of a store is the address of a server. */
export function isRemoteStore(path: string): boolean {
  return /^https?:/i.test(path);
}

async function openKv(path: string | undefined): Promise<Deno.Kv> {
  if (path !== undefined && path !== ":memory:" && !isRemoteStore(path)) {
    await Deno.mkdir(dirname(path), { recursive: true });
  }
  return await Deno.openKv(path);
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && /database (table )?is (locked|busy)/.test(error.message);
}
