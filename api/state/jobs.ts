/**
 * Jobs as requests see them: made, and looked at.
 *
 * @module
 */

import { getAll } from "./kv.ts";
import { ServiceError } from "../operations/errors.ts";
import { type CreatedJob, JobMaker, type JobsOptions, type NewJob } from "./jobs_create.ts";
import {
  isFree,
  jobKey,
  type JobRecord,
  type JobView,
  noteKeys,
  resultKey,
  viewOf,
} from "./jobs_record.ts";
import { unpack } from "./pieces.ts";

/** How far a job is. */
export interface SeenJob {
  job: JobView;
  /** What was noted when it was made, null for nothing. */
  note: Uint8Array<ArrayBuffer> | null;
  /** Whether it waits for somebody to take it up: kick it. */
  free: boolean;
}

/** A job as a request finds it. */
export interface FoundJob {
  job: JobView;
  /** The items as JSON joined by commas, in parts; null until the job has succeeded. Can be read once. */
  results: AsyncIterable<Uint8Array> | null;
  /** Whether it waits for somebody to take it up: kick it. */
  free: boolean;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Makes jobs and finds them again. */
export class Jobs {
  readonly #options: JobsOptions;
  readonly #maker: JobMaker;

  /** One for a process. */
  constructor(options: JobsOptions) {
    this.#options = options;
    this.#maker = new JobMaker(options);
  }

  /** Makes a job: {@link JobMaker.create}. */
  create(wanted: NewJob): Promise<CreatedJob> {
    return this.#maker.create(wanted);
  }

  /**
   * Finds a job, with its results when it has succeeded.
   *
   * @throws {ServiceError} `job_not_found` for an unknown or malformed id, and when its time is over.
   * @throws {KvUnavailable}
   */
  async get(id: string): Promise<FoundJob> {
    const { kv, clock } = this.#options;
    const record = await this.#record(id);
    const free = isFree(record, clock.now());
    const job = viewOf(record);
    if (record.finished_at === null) return { job, results: null, free };
    // All of them before the answer begins, so that it cannot break off.
    const keys = Array.from({ length: record.pieces }, (_, n) => resultKey(record.id, n));
    const pieces = await getAll<Uint8Array<ArrayBuffer>>(kv, keys);
    const packed = pieces.map(({ value }) => value).filter((value) => value !== null);
    // The sweep was here meanwhile.
    if (packed.length < pieces.length) throw notFound();
    return { job, results: unpack(packed), free };
  }

  /** Finds a job without its results; errors as {@link Jobs.get}. */
  async look(id: string): Promise<SeenJob> {
    const { kv, clock } = this.#options;
    const record = await this.#record(id);
    const entries = await kv.getMany<Uint8Array<ArrayBuffer>>(noteKeys(record.id));
    const parts = entries.flatMap(({ value }) => value === null ? [] : [value]);
    const note = parts.length === 0 ? null : await new Blob(parts).bytes();
    return { job: viewOf(record), note, free: isFree(record, clock.now()) };
  }

  async #record(id: string): Promise<JobRecord> {
    const { kv, clock } = this.#options;
    if (!UUID.test(id)) throw notFound();
    const { value: record } = await kv.get<JobRecord>(jobKey(id.toLowerCase()));
    if (record === null || record.expires_at <= clock.now()) throw notFound();
    return record;
  }
}

function notFound(): ServiceError {
  return new ServiceError(
    "job_not_found",
    "Cannot find this job: there is none of this id, or its results are older than an hour",
  );
}
