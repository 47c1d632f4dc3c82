/**
 * Deno KV as a {@link Kv}.
 *
 * @module
 */

import { dirname } from "node:path";
import { sleep } from "../../pipeline/clock.ts";
import { messageOf } from "../../pipeline/message_of.ts";
import {
  type Kv,
  type KvCommit,
  type KvEntry,
  type KvKey,
  type KvListOptions,
  KvUnavailable,
} from "./kv.ts";

/** Tries of a call that meets another process's lock; the pauses between them double up to a bound. */
const LOCK_TRIES = 16;
const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 80;

/**
 * Opens at the first call, and again at the next one when opening failed. Several processes on one
 * file throw `database is locked` instead of waiting for each other, so such calls are tried again:
 * the lock is refused before anything is written.
 */
export class DenoKv implements Kv {
  readonly #path: string | undefined;
  #opened: Promise<Deno.Kv> | null = null;
  #turn: Promise<unknown> = Promise.resolve();

  /** @param path A file, whose folder is made when there is none, `:memory:`, or undefined for the store of the host. */
  constructor(path: string | undefined) {
    this.#path = path;
  }

  get<T>(key: KvKey): Promise<KvEntry<T>> {
    return this.#call(async (kv) => await kv.get<T>(key) as KvEntry<T>);
  }

  getMany<T>(keys: readonly KvKey[]): Promise<KvEntry<T>[]> {
    return this.#call(async (kv) => await kv.getMany<T[]>([...keys]) as KvEntry<T>[]);
  }

  list<T>(prefix: KvKey, { limit, after }: KvListOptions): Promise<KvEntry<T>[]> {
    return this.#call(async (kv) => {
      const entries: KvEntry<T>[] = [];
      const options = { limit, batchSize: limit };
      // The least key that is greater.
      const from = after === undefined
        ? { prefix }
        : { prefix, start: [...after, new Uint8Array()] };
      for await (const entry of kv.list<T>(from, options)) entries.push(entry as KvEntry<T>);
      return entries;
    });
  }

  commit(commit: KvCommit): Promise<string | null> {
    if (!isFile(this.#path)) return this.#commit(commit);
    // On a file one at a time: many that try again at once keep each other, and other processes, out.
    const turn = this.#turn.then(() => this.#commit(commit));
    this.#turn = turn.catch(() => {});
    return turn;
  }

  #commit({ checks, writes }: KvCommit): Promise<string | null> {
    return this.#call(async (kv) => {
      const atomic = kv.atomic().check(...checks);
      for (const write of writes) {
        if ("delete" in write) atomic.delete(write.key);
        else atomic.set(write.key, write.value, { expireIn: write.expireIn });
      }
      const result = await atomic.commit();
      return result.ok ? result.versionstamp : null;
    });
  }

  /** Closes the store; later calls open it again. */
  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = null;
    (await opened?.catch(() => null))?.close();
  }

  async #call<T>(work: (kv: Deno.Kv) => Promise<T>): Promise<T> {
    let pause = FIRST_PAUSE_MS;
    for (let attempt = 1;; attempt++) {
      try {
        return await work(await this.#open());
      } catch (error) {
        if (!isLocked(error) || attempt === LOCK_TRIES) throw unavailable(error);
      }
      // Jitter, or processes that met once meet again.
      await sleep(pause * (0.5 + Math.random()));
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
    }
  }

  #open(): Promise<Deno.Kv> {
    this.#opened ??= openKv(this.#path).catch((error) => {
      this.#opened = null;
      throw error;
    });
    return this.#opened;
  }
}

function isFile(path: string | undefined): path is string {
  return path !== undefined && path !== ":memory:";
}

async function openKv(path: string | undefined): Promise<Deno.Kv> {
  if (isFile(path)) {
    await Deno.mkdir(dirname(path), { recursive: true });
  }
  return await Deno.openKv(path);
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && /database (table )?is (locked|busy)/.test(error.message);
}

function unavailable(error: unknown): KvUnavailable {
  return new KvUnavailable(`Cannot use the store: ${messageOf(error)}`, { cause: error });
}
