/**
 * A store in memory with the limits of Deno KV, for models, schedulers and fault loops.
 *
 * @module
 */

import assert from "node:assert/strict";
import { serialize } from "node:v8";
import {
  type Kv,
  type KvCommit,
  type KvEntries,
  type KvEntry,
  type KvKey,
  type KvListOptions,
  KvUnavailable,
} from "../../../api/state/kv.ts";

/**
 * A fault of a call: `error` fails before anything happens, `lost` after it happened (the
 * answer is lost), `conflict` refuses a commit although its checks pass.
 */
export type KvFault = "error" | "lost" | "conflict";

export const KV_FAULTS = ["error", "lost", "conflict"] as const satisfies KvFault[];

/** A call: its number, from 1, among all calls of the store. */
type KvCall = { number: number; kind: "get" | "list" | "commit" };

/** Options that a test can change at any time. */
interface FakeKvOptions {
  fault?: (call: KvCall) => KvFault | undefined;
  /** Runs before and after each call, e.g. a scheduler's turn. */
  turn?: (label: string) => Promise<void>;
}

/** Copies values in and out; each commit raises the versionstamp. Never expires anything, as Deno KV may be late. */
export class FakeKv implements Kv {
  readonly entries = new Map<string, Deno.KvEntry<unknown>>();
  readonly calls: KvCall[] = [];
  /** Number of commits whose checks passed. */
  commits = 0;

  constructor(public options: FakeKvOptions = {}) {}

  get<T>(keys: readonly KvKey[]): Promise<KvEntries<T>> {
    assert.ok(keys.length > 0 && keys.length <= 10, `get of ${keys.length}`);
    return this.#call("get", () => keys.map((key) => this.#read<T>(key)) as KvEntries<T>);
  }

  list<T>(prefix: KvKey, { limit, after }: KvListOptions): Promise<Deno.KvEntry<T>[]> {
    assert.ok(limit <= 500, "list of more than 500");
    return this.#call("list", () => {
      const below = [...this.entries.values()].filter(({ key }) =>
        key.length > prefix.length && prefix.every((part, i) => part === key[i]) &&
        (after === undefined || compareKeys(key, after) > 0)
      );
      below.sort((a, b) => compareKeys(a.key, b.key));
      return below.slice(0, limit).map(({ key }) => this.#read<T>(key) as Deno.KvEntry<T>);
    });
  }

  commit({ checks, writes }: KvCommit): Promise<string | null> {
    assert.ok(checks.length <= 10, "more than 10 checks");
    let total = 0;
    for (const write of writes) {
      const bytes = "delete" in write ? 0 : serialize(write.value).length;
      assert.ok(bytes <= 65_536, `value of ${bytes} bytes`);
      total += bytes;
    }
    assert.ok(total <= 800_000, `commit of ${total} bytes`);
    return this.#call("commit", () => {
      for (const { key, versionstamp } of checks) {
        if (this.#read(key).versionstamp !== versionstamp) return null;
      }
      const versionstamp = String(++this.commits).padStart(20, "0");
      for (const write of writes) {
        const { key } = write;
        if ("delete" in write) this.entries.delete(nameOf(key));
        else {
          const value = structuredClone(write.value);
          this.entries.set(nameOf(key), { key: [...key], value, versionstamp });
        }
      }
      return versionstamp;
    }, () => null);
  }

  #read<T>(key: KvKey): KvEntry<T> {
    const entry = this.entries.get(nameOf(key));
    return entry === undefined
      ? { key, value: null, versionstamp: null }
      : { ...entry, value: structuredClone(entry.value) as T };
  }

  async #call<T>(kind: KvCall["kind"], work: () => T, conflict?: () => T): Promise<T> {
    const call = { number: this.calls.length + 1, kind };
    this.calls.push(call);
    await this.options.turn?.(`${kind} ${call.number} reaches the store`);
    const fault = this.options.fault?.(call);
    if (fault === "error") throw new KvUnavailable(`call ${call.number} was chosen`);
    const result = fault === "conflict" && conflict !== undefined ? conflict() : work();
    await this.options.turn?.(`${kind} ${call.number} is answered`);
    if (fault === "lost") throw new KvUnavailable(`the answer of call ${call.number} is lost`);
    return result;
  }
}

function nameOf(key: KvKey): string {
  const name = JSON.stringify(key);
  assert.ok(name.length <= 2_048, `key of ${name.length} characters`);
  return name;
}

function compareKeys(a: KvKey, b: KvKey): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    if (a[i] !== b[i]) return String(a[i]) < String(b[i]) ? -1 : 1;
  }
  return a.length - b.length;
}

/** Runs a test with each fault at its first store call, then at its second, and so on until it makes fewer calls. */
export async function withEachFault(
  test: (kv: FakeKv, fault: KvFault, where: string) => Promise<void>,
): Promise<void> {
  for (const fault of KV_FAULTS) {
    let hit = true;
    for (let chosen = 1; hit; chosen++) {
      hit = false;
      const fail = ({ number }: KvCall): KvFault | undefined => {
        hit ||= number === chosen;
        return number === chosen ? fault : undefined;
      };
      await test(new FakeKv({ fault: fail }), fault, `${fault} at ${chosen}`);
    }
  }
}

/** A process on a store: a call needs a permit to reach the store, and another for its answer. */
export class KvProcess {
  permits = Infinity;
  dead = false;
  readonly kv: Kv;
  readonly #waiting: (() => void)[] = [];

  constructor(store: Kv) {
    this.kv = {
      get: (keys) => this.run(() => store.get(keys)),
      list: (prefix, options) => this.run(() => store.list(prefix, options)),
      commit: (commit) => this.run(() => store.commit(commit)),
    };
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Gives permits to waiting and future calls. */
  permit(count: number): void {
    this.permits += count;
    for (; this.permits > 0 && this.isWaiting; this.permits--) this.#waiting.shift()!();
  }

  /** Runs work between two permits. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#gate();
    try {
      return await work();
    } finally {
      await this.#gate();
    }
  }

  /** Waits for a permit. In a dead process, never resolves. */
  async #gate(): Promise<void> {
    if (this.permits > 0) this.permits--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (this.dead) await new Promise(() => {});
  }
}
