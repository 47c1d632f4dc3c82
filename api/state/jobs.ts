/**
 * Jobs: one value of the store has a job's numbers, snapshot and day, from which each read computes the
 * answer. No work is done between requests, so none can be lost.
 *
 * @module
 */

import { type Snapshot, SnapshotUnavailable } from "../../pipeline/snapshot/reader.ts";
import { useAsOf } from "../operations/as_of.ts";
import { ServiceError } from "../operations/errors.ts";
import { type BatchItem, streamItems } from "../operations/batch.ts";
import { type JobView, RESULTS_MS } from "../operations/jobs.ts";
import type { AskedNumbers } from "../operations/numbers.ts";
import type { SurfaceDeps } from "../operations/operation.ts";
import { newYorkToday } from "../rules/new_york.ts";
import { snapshotFacts } from "../rules/carrier.ts";
import type { Pinned, Pins } from "./idempotency.ts";
import { type Kv, type KvKey, type KvWrite, transact } from "./kv.ts";
import { type Foreground, Pacer } from "./pacer.ts";
import { admitted, type Slots } from "./slots.ts";
import type { StorageBudget } from "./storage_budget.ts";

interface JobsOptions extends Pick<SurfaceDeps, "clock" | "reader" | "baseUrl"> {
  kv: Kv;
  pins: Pins;
  budget: StorageBudget;
  slots: Slots;
  foreground: Foreground;
  sleep: (ms: number) => Promise<void>;
}

interface NewJob extends AskedNumbers {
  client: string;
  key?: string | null;
  /** What the caller stores with the job of this id, as part of the same commit. */
  beside?: (id: string) => { key: KvKey; value: Uint8Array<ArrayBuffer> }[];
}

export interface FoundJob {
  view: JobView;
  /** Milliseconds since the epoch. */
  expiresAt: number;
  dots: readonly number[];
  pinned: Pinned;
}

type PinnedJob = Pinned & Required<Pick<Pinned, "job">>;

/** The value of a job: 20 KB for 5,000 numbers. */
interface JobRecord extends PinnedJob {
  token: string;
  dots: Uint32Array<ArrayBuffer>;
}

/** Approximate bytes of an item, for measuring how fast a client reads a job. */
const ITEM_BYTES = 6_000;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Creates jobs, finds them and answers them. One per process. */
export class Jobs {
  readonly #options: JobsOptions;
  readonly #pacer: Pacer;

  constructor(options: JobsOptions) {
    this.#options = options;
    this.#pacer = new Pacer(options.foreground);
  }

  /**
   * Creates a job on the current snapshot or, if a day is asked for, on the snapshot of that day. If the key
   * is bound already, returns the job that it is bound to.
   *
   * @throws {ServiceError} `rate_limited` or `idempotency_key_reused`; for the day, as {@link useAsOf}.
   * @throws {SnapshotUnavailable}
   * @throws {KvUnavailable} Also when it is not known whether the job was created. If it has a key, sending
   *   the request again is safe, and shows whether it was.
   */
  async create({ client, dots, asOf, key = null, beside = () => [] }: NewJob): Promise<{
    view: JobView;
    replayed: boolean;
  }> {
    const { kv, pins, budget } = this.#options;
    const request = key === null ? null : {
      client,
      operation: "createJob",
      key,
      dots,
      asOf,
    };
    const bound = request && await pins.find(request);
    if (bound !== null) return { view: this.#view(bound, "queued"), replayed: true };
    const pinned = await this.#pin(dots.length, asOf);
    const { id } = pinned.job;
    const value: JobRecord = { ...pinned, token: id, dots: Uint32Array.from(dots) };
    const others = beside(id);
    const writes: KvWrite[] = [{ key: jobKey(id), value }, ...others]
      .map((write) => ({ ...write, expireIn: RESULTS_MS }));
    const bytes = others.reduce((sum, { value }) => sum + value.length, 4 * dots.length);
    const kept = await budget.charge(
      { client, bytes, ms: RESULTS_MS },
      () =>
        request === null
          ? transact({ kv }, [jobKey(id)], () => ({ result: { pinned, first: true }, writes }))
          : pins.bind(request, pinned, writes),
    );
    return { view: this.#view(kept.pinned, "queued"), replayed: !kept.first };
  }

  /**
   * Finds a job.
   *
   * @throws {ServiceError} `job_not_found` for an unknown or malformed id, and after an hour.
   * @throws {KvUnavailable}
   */
  async find(id: string): Promise<FoundJob> {
    const { kv, clock } = this.#options;
    const [{ value }] = UUID.test(id)
      ? await kv.get<JobRecord>([jobKey(id.toLowerCase())])
      : [{ value: null }];
    if (value === null || value.job.created_at + RESULTS_MS <= clock.now()) {
      throw new ServiceError(
        "job_not_found",
        "Cannot find this job: there is none with this id, or it is older than 1 hour; send its " +
          "numbers again, with a new Idempotency-Key",
      );
    }
    return {
      view: this.#view(value, "succeeded"),
      expiresAt: value.job.created_at + RESULTS_MS,
      dots: [...value.dots],
      pinned: value,
    };
  }

  /**
   * Looks up the numbers of a job, in order and in slices, as fast as they are read. It must be read to the
   * end or returned, because it holds a slot until then. `control` ends it, and is aborted when the slot is lost.
   *
   * @throws {ServiceError} `upstream_unavailable` when no slot is free in time.
   */
  async items<T>(
    { dots, pinned }: FoundJob,
    { client, control, finish }: {
      client: string;
      control: AbortController;
      /** Converts an item to what the generator yields. */
      finish: (item: BatchItem) => T;
    },
  ): Promise<AsyncGenerator<T[], void, void>> {
    const { slots, sleep, reader, baseUrl } = this.#options;
    const { signal } = control;
    const pacer = this.#pacer;
    async function* items(): AsyncGenerator<T[], void, void> {
      const { today, asOf } = pinned;
      const snapshot = await reader.useOf<Snapshot | null>(
        pinned.snapshot,
        (snapshot) => Promise.resolve(snapshot),
      ).catch((error) => {
        if (error instanceof SnapshotUnavailable) return null;
        throw error;
      });
      const day = { snapshot, today, asOf, baseUrl };
      yield* streamItems(dots, { ...day, signal, sleep, pacer, finish });
    }
    const bytesOf = (items: T[]): number => items.length * ITEM_BYTES;
    return await admitted(items(), { slots, client, control, bytesOf });
  }

  async #pin(total: number, asOf: string | undefined): Promise<PinnedJob> {
    const { reader, clock } = this.#options;
    const now = clock.now();
    const asked = { reader, today: newYorkToday(now), asOf, code: "invalid_body" } as const;
    return await useAsOf(asked, ({ id, manifestSha256, manifest }, day) =>
      Promise.resolve({
        snapshot: { id, manifestSha256 },
        facts: snapshotFacts({ id, manifest }, day),
        ...day,
        job: { id: crypto.randomUUID(), total, created_at: now },
      }));
  }

  #view({ facts, job, asOf }: Pinned, status: JobView["status"]): JobView {
    const { id, total, created_at } = job!;
    const created = new Date(created_at).toISOString();
    const succeeded = status === "succeeded";
    return {
      id,
      status,
      ...(asOf !== undefined && { as_of: asOf }),
      total,
      done: succeeded ? total : 0,
      created_at: created,
      finished_at: succeeded ? created : null,
      expires_at: new Date(created_at + RESULTS_MS).toISOString(),
      status_url: `${this.#options.baseUrl}/api/v1/jobs/${id}`,
      snapshot: facts,
    };
  }
}

function jobKey(id: string): KvKey {
  return ["job", id];
}
