/**
 * One worker on one job: looks slices of the numbers up and commits their results in order, until the
 * job is finished, the lease is lost or the process stops.
 *
 * @module
 */

import type { Clock } from "../../pipeline/clock.ts";
import type { SnapshotReader } from "../../pipeline/snapshot/reader.ts";
import { type lookUpItems, unavailableItem } from "../operations/items.ts";
import { abortable } from "./abortable.ts";
import { JobLease } from "./jobs_lease.ts";
import { LEASE_MS, resultKey, RESULTS_MS, snapshotOf, storedFor } from "./jobs_record.ts";
import type { Kv } from "./kv.ts";
import { pack } from "./pieces.ts";

/** What workers are made from. */
export interface WorkerParts {
  kv: Kv;
  reader: SnapshotReader;
  clock: Clock;
  /** Waits some milliseconds. */
  sleep: (ms: number) => Promise<void>;
  /** A text that no other commit has. */
  newToken: () => string;
  lookUp: typeof lookUpItems;
  log: (line: string) => void;
}

// The first slice is small enough that the worst reads end within the lease: so each worker that takes
// a job brings it forward, and workers that lose their leases to each other cannot go on so for ever.
const FIRST_SLICE = 32;
const LARGEST_SLICE = 256;

/** Shards read at a time. */
const CONCURRENCY = 32;

/** Tries of one shard. */
const SHARD_TRIES = 3;

/** Tries of a slice of which nothing can be read; the pauses between them double. */
const SLICE_TRIES = 4;
const SLICE_PAUSE_MS = 1_000;

/** Bytes of results in a commit; the rest of the 800 KiB is for the records beside them. */
const COMMIT_BYTES = 700_000;

interface Slice {
  dots: readonly number[];
  /** JSON texts, one for each number. */
  items: readonly string[];
}

/**
 * Works on a job, if it is free, as long as it can. When `signal` is aborted breaks off and hands the
 * lease back.
 *
 * @throws {KvUnavailable} When the store fails: the job is free again when the lease is over.
 */
export async function workOn(
  id: string,
  { parts, signal }: { parts: WorkerParts; signal: AbortSignal },
): Promise<void> {
  const { kv, clock, newToken, sleep, log } = parts;
  // Also ends a reading that is still under way when the work ends otherwise.
  const control = new AbortController();
  const abort = (): void => control.abort(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  const pause = (ms: number): Promise<void> => abortable(sleep(ms), control.signal);
  try {
    const lease = await JobLease.take(id, { kv, clock, newToken, pause });
    if (lease === null) return;
    try {
      await new JobWorker(lease, { parts, signal: control.signal, pause }).run();
    } catch (error) {
      if (!signal.aborted) throw error;
      await lease.handBack();
      log(`Handed job ${id} back at ${lease.record.cursor} of ${lease.record.total}`);
    }
  } finally {
    signal.removeEventListener("abort", abort);
    control.abort();
  }
}

class JobWorker {
  readonly #lease: JobLease;
  readonly #parts: WorkerParts;
  readonly #signal: AbortSignal;
  readonly #pause: (ms: number) => Promise<void>;
  #hopeless = false;

  constructor(
    lease: JobLease,
    { parts, signal, pause }: {
      parts: WorkerParts;
      signal: AbortSignal;
      pause: (ms: number) => Promise<void>;
    },
  ) {
    this.#lease = lease;
    this.#parts = parts;
    this.#signal = signal;
    this.#pause = pause;
  }

  async run(): Promise<void> {
    const { clock } = this.#parts;
    let size = FIRST_SLICE;
    let began = clock.now();
    let reading: Promise<Slice> | null = this.#read(this.#lease.record.cursor, size);
    while (reading !== null) {
      const slice: Slice = await reading;
      const slow = clock.now() - began > LEASE_MS / 4;
      size = slow ? Math.max(size / 2, FIRST_SLICE) : Math.min(size * 2, LARGEST_SLICE);
      const { cursor, total } = this.#lease.record;
      const from = cursor + slice.items.length;
      // Read on while this slice is packed and committed.
      began = clock.now();
      reading = from < total ? this.#read(from, size) : null;
      reading?.catch(() => {});
      if (!await this.#store(slice)) return;
    }
  }

  async #read(from: number, size: number): Promise<Slice> {
    const { clock, log } = this.#parts;
    const { id, snapshot_id } = this.#lease.record;
    const dots = Array.from(this.#lease.dots.subarray(from, from + size));
    const began = clock.now();
    const tries = this.#hopeless ? 2 : SLICE_TRIES;
    for (let attempt = 1;; attempt++) {
      const last = attempt === tries || clock.now() - began > LEASE_MS / 3;
      try {
        const items = await this.#lookUp(dots, last);
        this.#hopeless = last;
        return { dots, items };
      } catch (error) {
        if (this.#signal.aborted) throw error;
        if (last) {
          log(`Job ${id} goes on without ${dots.length} numbers of ${snapshot_id}: ${error}`);
          this.#hopeless = true;
          return { dots, items: dots.map(unavailableItem) };
        }
      }
      // The slices after one that was given up do not wait as long again.
      if (!this.#hopeless) await this.#pause(SLICE_PAUSE_MS * 2 ** (attempt - 1));
    }
  }

  async #lookUp(dots: readonly number[], last: boolean): Promise<string[]> {
    const { reader, sleep, lookUp } = this.#parts;
    const { record } = this.#lease;
    const items = reader.useOf(snapshotOf(record), (snapshot) =>
      lookUp(dots, {
        snapshot,
        today: record.today,
        baseUrl: record.base_url,
        tries: this.#hopeless ? 1 : SHARD_TRIES,
        relook: !last,
        sleep,
        concurrency: CONCURRENCY,
        signal: this.#signal,
      }));
    // A source may not heed the signal.
    return await abortable(items, this.#signal);
  }

  /** Commits results, in several commits when they are too big for one; false when the lease is lost. */
  async #store({ dots, items }: Slice): Promise<boolean> {
    const { record } = this.#lease;
    const text = (record.cursor === 0 ? "" : ",") + items.join(",");
    const packed = pack(new TextEncoder().encode(text));
    if (packed.reduce((sum, { length }) => sum + length, 0) > COMMIT_BYTES) {
      if (items.length === 1) return await this.#store({ dots, items: dots.map(unavailableItem) });
      const half = items.length >> 1;
      return await this.#store({ dots: dots.slice(0, half), items: items.slice(0, half) }) &&
        await this.#store({ dots: dots.slice(half), items: items.slice(half) });
    }
    const now = this.#parts.clock.now();
    // Its life is over: the sweep drops it.
    if (record.expires_at <= now) return false;
    const expireIn = storedFor(record, now);
    const writes = packed.map((value, n) => ({
      key: resultKey(record.id, record.pieces + n),
      value,
      expireIn,
    }));
    const cursor = record.cursor + items.length;
    const end = { finished_at: now, expires_at: now + RESULTS_MS };
    return await this.#lease.commit({
      cursor,
      pieces: record.pieces + packed.length,
      ...(cursor === record.total ? end : {}),
    }, writes);
  }
}
