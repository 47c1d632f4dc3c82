/**
 * The right to bring a job forward: every commit goes through the versionstamp of the record, so of two
 * who believe they have it only one can use it.
 *
 * @module
 */

import type { Clock } from "../../pipeline/clock.ts";
import { OPEN_KEY, OPEN_STORED_MS, type OpenJobs, withoutJobs } from "./jobs_open.ts";
import {
  doneKey,
  dotsKey,
  isFree,
  jobKey,
  type JobRecord,
  LEASE_MS,
  storedFor,
} from "./jobs_record.ts";
import { type Kv, KvUnavailable, type KvWrite } from "./kv.ts";

/** What a lease works with. */
export interface LeaseParts {
  kv: Kv;
  clock: Clock;
  /** A text that no other commit has. */
  newToken: () => string;
  /** Waits some milliseconds, or rejects when the work is to stop. */
  pause: (ms: number) => Promise<void>;
}

/** Tries of a commit that met a conflict or a failing store, over about seven seconds. */
const TRIES = 8;
const PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/** A lease as one worker holds it. */
export class JobLease {
  /** The numbers of the job, in the order asked. */
  readonly dots: Uint32Array;
  readonly #parts: LeaseParts;
  #record: JobRecord;
  #versionstamp: string;

  private constructor(
    parts: LeaseParts,
    job: { record: JobRecord; versionstamp: string; dots: Uint32Array },
  ) {
    this.#parts = parts;
    this.#record = job.record;
    this.#versionstamp = job.versionstamp;
    this.dots = job.dots;
  }

  /** The record as last committed. */
  get record(): JobRecord {
    return this.#record;
  }

  /**
   * Takes a job.
   *
   * @returns Null when it is not there, not free, or another was quicker.
   * @throws {KvUnavailable} When the store fails for long.
   */
  static async take(id: string, parts: LeaseParts): Promise<JobLease | null> {
    const [job, dots] = await parts.kv.getMany<unknown>([jobKey(id), dotsKey(id)]);
    const record = job!.value as JobRecord | null;
    if (record === null || dots!.value === null || !isFree(record, parts.clock.now())) return null;
    const lease = new JobLease(parts, {
      record,
      versionstamp: job!.versionstamp!,
      dots: dots!.value as Uint32Array,
    });
    return await lease.commit({ attempts: record.attempts + 1 }) ? lease : null;
  }

  /**
   * Commits a change of the record, with the lease renewed, and writes beside it. A change that ends
   * the job also takes it from the open jobs. When it is not known whether a commit took place, the
   * token in the record tells.
   *
   * @returns Whether it took place; false when the lease is lost.
   * @throws {KvUnavailable} When the store fails for long.
   */
  async commit(change: Partial<JobRecord>, writes: readonly KvWrite[] = []): Promise<boolean> {
    const { kv, clock, newToken, pause } = this.#parts;
    const key = jobKey(this.#record.id);
    const now = clock.now();
    const held = { key, versionstamp: this.#versionstamp };
    const value = {
      ...this.#record,
      lease_until: now + LEASE_MS,
      ...change,
      token: newToken(),
    };
    const all = [...writes, { key, value, expireIn: storedFor(value, now) }];
    const accept = (versionstamp: string): true => {
      this.#record = value;
      this.#versionstamp = versionstamp;
      return true;
    };
    for (let attempt = 1;; attempt++) {
      try {
        if (attempt > 1) {
          const entry = await kv.get<JobRecord>(key);
          if (entry.value?.token === value.token) return accept(entry.versionstamp!);
          if (entry.versionstamp !== held.versionstamp) return false;
        }
        const open = value.finished_at === null ? null : await kv.get<OpenJobs>(OPEN_KEY);
        const versionstamp = await kv.commit(
          open === null ? { checks: [held], writes: all } : {
            checks: [held, open],
            writes: [...all, ...endOf(value, open.value ?? {}, now)],
          },
        );
        if (versionstamp !== null) return accept(versionstamp);
        if (attempt === TRIES) throw new KvUnavailable("Cannot commit: others are in the way");
      } catch (error) {
        if (!(error instanceof KvUnavailable) || attempt === TRIES) throw error;
        await pause(Math.min(PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS));
      }
    }
  }

  /**
   * Lets another take the job at once. Tried once: a lease that is not handed back ends by itself.
   *
   * @throws {KvUnavailable}
   */
  async handBack(): Promise<void> {
    const { kv, clock, newToken } = this.#parts;
    const key = jobKey(this.#record.id);
    const value = { ...this.#record, lease_until: 0, token: newToken() };
    await kv.commit({
      checks: [{ key, versionstamp: this.#versionstamp }],
      writes: [{ key, value, expireIn: storedFor(value, clock.now()) }],
    });
  }
}

/** What the commit that ends a job writes beside results and record. */
function endOf(job: JobRecord, open: OpenJobs, now: number): KvWrite[] {
  return [
    { key: OPEN_KEY, value: withoutJobs(open, [job.id]), expireIn: OPEN_STORED_MS },
    { key: doneKey(job), value: job.pieces, expireIn: storedFor(job, now) },
    { key: dotsKey(job.id), delete: true },
  ];
}
