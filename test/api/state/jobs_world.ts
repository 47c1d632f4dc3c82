/**
 * Jobs in several processes over one store, each of which a test can step, hold up, kill and replace.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { lookUpItems } from "../../../api/operations/items.ts";
import { Jobs } from "../../../api/state/jobs.ts";
import { OPEN_KEY, type OpenJobs, type OpenLimits } from "../../../api/state/jobs_open.ts";
import type { JobRecord } from "../../../api/state/jobs_record.ts";
import { JobRunner } from "../../../api/state/jobs_runner.ts";
import type { Kv, KvCommit, KvEntry, KvKey, KvListOptions } from "../../../api/state/kv.ts";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import {
  MemorySource,
  type Objects,
  putSnapshot,
  record,
  TestClock,
} from "../../pipeline/snapshot/memory.ts";
import { FakeKv, type FakeKvOptions } from "./fake_kv.ts";

/** Address in the answers. */
export const BASE_URL = "https://carriers.example";

type LookUp = typeof lookUpItems;

/** Lookups without a read: each item says which snapshot it is of. */
export const plainLookUp: LookUp = (dots, { snapshot }) =>
  Promise.resolve(dots.map((dot) => plainItem(dot, snapshot.id)));

/** An item of {@link plainLookUp}. */
export function plainItem(dot: number, snapshot: string): string {
  return JSON.stringify({ dot: String(dot), in: snapshot });
}

/** Lets what can go on go on. */
export function macrotask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** The store as one process sees it: a call needs a permit to reach it, and one to hear the answer. */
export class ProcessKv implements Kv {
  permits = Infinity;
  dead = false;
  readonly waiting: (() => void)[] = [];

  constructor(readonly kv: Kv) {}

  get<T>(key: KvKey): Promise<KvEntry<T>> {
    return this.#call(() => this.kv.get<T>(key));
  }

  getMany<T>(keys: readonly KvKey[]): Promise<KvEntry<T>[]> {
    return this.#call(() => this.kv.getMany<T>(keys));
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

/** One instance of the service. */
export interface Process {
  kv: ProcessKv;
  jobs: Jobs;
  runner: JobRunner;
}

/** What a {@link World} is made of. */
export interface WorldOptions extends FakeKvOptions {
  lookUp?: LookUp;
  limits?: OpenLimits;
  sleep?: (ms: number) => Promise<void>;
}

/** A store, snapshots, a clock, and the processes that share them. */
export class World {
  readonly kv: FakeKv;
  readonly clock = new TestClock();
  readonly objects: Objects = new Map();
  readonly source = new MemorySource(this.objects);
  readonly logged: string[] = [];
  /** What must never happen but did. */
  readonly broken: string[] = [];
  generation = 0;
  #ids = 0;

  constructor(readonly options: WorldOptions = {}) {
    this.kv = new FakeKv(options);
    this.swap();
    this.#watch();
  }

  /** Publishes a new snapshot; the older ones stay. */
  swap(): void {
    this.generation++;
    const carriers = Array.from(
      { length: 40 },
      (_, n) => record(n * 10 + 5, { legal_name: `CARRIER ${n * 10 + 5} g${this.generation}` }),
    );
    putSnapshot(this.objects, { id: `g${this.generation}`, carriers });
  }

  /** Starts an instance. */
  process(): Process {
    const kv = new ProcessKv(this.kv);
    const { clock, options } = this;
    const reader = new SnapshotReader(this.source, { clock, pointerAge: 0 });
    const newId = (): string => {
      const n = String(++this.#ids).padStart(12, "0");
      return `00000000-0000-4000-8000-${n}`;
    };
    const jobs = new Jobs({ kv, clock, reader, newId, ...options });
    const runner = new JobRunner({
      kv,
      clock,
      reader,
      sleep: options.sleep ?? macrotask,
      newToken: newId,
      lookUp: options.lookUp ?? plainLookUp,
      log: (line) => this.logged.push(line),
    });
    return { kv, jobs, runner };
  }

  /** The record of a job. */
  record(id: string): JobRecord {
    return this.kv.entries.get(JSON.stringify(["job", id]))!.value as JobRecord;
  }

  /** The open jobs. */
  get open(): OpenJobs {
    return (this.kv.entries.get(JSON.stringify(OPEN_KEY))?.value ?? {}) as OpenJobs;
  }

  /** Sweeps with a fresh process, lease after lease, until nothing is open. */
  async finishAll(): Promise<void> {
    const { runner } = this.process();
    for (let round = 0; Object.keys(this.open).length > 0; round++) {
      assert.ok(round < 5, `still open: ${JSON.stringify(this.open)} ${this.logged}`);
      this.clock.advance(30_000);
      await runner.sweep();
      await runner.idle();
    }
  }

  /** What holds at any time. */
  check(): void {
    assert.deepEqual(this.broken, []);
    for (const { key, value } of this.kv.entries.values()) {
      if (key[0] !== "job") continue;
      const job = value as JobRecord;
      assert.equal(job.finished_at === null, job.id in this.open, "open until finished");
      assert.equal(job.finished_at !== null, job.cursor === job.total, "finished with the last");
    }
  }

  /** Every piece of results is written once, and every job finished once. */
  #watch(): void {
    const { entries } = this.kv;
    const set = entries.set.bind(entries);
    const finished = new Set<unknown>();
    entries.set = (name, entry) => {
      const { key } = entry;
      if (key[0] === "job_results" && entries.has(name)) this.broken.push(`${name} twice`);
      if (key[0] === "jobs_done") {
        if (finished.has(key[2])) this.broken.push(`${name} finished twice`);
        finished.add(key[2]);
      }
      return set(name, entry);
    };
  }
}

/** The texts of the items of a job that has succeeded. */
export async function itemsOf({ jobs }: Process, id: string): Promise<unknown[]> {
  const { job, results } = await jobs.get(id);
  assert.equal(job.status, "succeeded");
  assert.equal(job.done, job.total);
  return await readItems(results);
}

/** The items of a stream of results. */
export async function readItems(results: AsyncIterable<Uint8Array> | null): Promise<unknown[]> {
  assert.notEqual(results, null);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  for await (const part of results!) text += decoder.decode(part, { stream: true });
  return JSON.parse(`[${text}${decoder.decode()}]`);
}

/** Numbers 1 to `count`. */
export function dotsUpTo(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i + 1);
}
