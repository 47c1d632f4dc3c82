/**
 * A store as one process sees it, which a test can hold up, step and kill.
 *
 * @module
 */

import type {
  Kv,
  KvCommit,
  KvEntries,
  KvEntry,
  KvKey,
  KvListOptions,
} from "../../../api/state/kv.ts";

/** Lets whatever can continue do so. */
export function macrotask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** The store as one process sees it: a call needs a permit to reach it, and one to hear the answer. */
export class ProcessKv implements Kv {
  permits = Infinity;
  dead = false;
  readonly waiting: (() => void)[] = [];

  constructor(readonly kv: Kv) {}

  get<T>(keys: readonly KvKey[]): Promise<KvEntries<T>> {
    return this.#call(() => this.kv.get<T>(keys));
  }

  list<T>(prefix: KvKey, options: KvListOptions): Promise<KvEntry<T>[]> {
    return this.#call(() => this.kv.list<T>(prefix, options));
  }

  commit(commit: KvCommit): Promise<string | null> {
    return this.#call(() => this.kv.commit(commit));
  }

  /** Gives permits to those who wait, and to those who come. */
  permit(count: number): void {
    this.permits += count;
    while (this.permits > 0 && this.waiting.length > 0) {
      this.permits--;
      this.waiting.shift()!();
    }
  }

  async #call<T>(work: () => Promise<T>): Promise<T> {
    await this.gate();
    try {
      return await work();
    } finally {
      await this.gate();
    }
  }

  /** Waits for a permit, and for ever when the process is dead. */
  async gate(): Promise<void> {
    if (this.permits > 0) this.permits--;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    if (this.dead) await new Promise(() => {});
  }
}
