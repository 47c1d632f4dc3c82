/**
 * Uploads as jobs: dockets are resolved when the job is created, results are looked up when it is read.
 *
 * @module
 */

import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { type BatchItem, isRead } from "../../api/operations/batch.ts";
import { ServiceError } from "../../api/operations/errors.ts";
import { findDockets } from "../../api/operations/lookup.ts";
import type { PageParts } from "../../api/service.ts";
import type { FoundJob } from "../../api/state/jobs.ts";
import type { KvKey } from "../../api/state/kv.ts";
import { SharedCache } from "../../pipeline/snapshot/shared_cache.ts";
import { type Corrections, correctRows } from "./corrections.ts";
import type { ParsedUpload } from "./parse_upload.ts";
import { resultMaker, type ResultRow } from "./result.ts";

/**
 * An upload with its job. The job has one USDOT number for each row with a number, in the order of the
 * rows; 0, which is never found, stands for a docket that no carrier lists. How the upload was parsed is
 * stored with the job.
 */
export interface UploadJob {
  job: FoundJob;
  parsed: ParsedUpload;
}

/** How the upload was parsed is stored in parts: a value of the store has at most 65,536 bytes. */
const PARTS = 4;
const PART_BYTES = 60_000;

/** Estimated size of the finished results to cache, in bytes: enough for a few of the longest lists. */
const CACHE_BYTES = 24 * 1024 * 1024;

/** Creates jobs from uploads and reads their results. One per process. */
export class UploadJobs {
  readonly #parts: PageParts;
  readonly #cache = new SharedCache<readonly ResultRow[]>(CACHE_BYTES);

  constructor(parts: PageParts) {
    this.#parts = parts;
  }

  /**
   * Creates a job and returns its id.
   *
   * @throws {ServiceError} `rate_limited` or `too_many_items`.
   */
  async create(parsed: ParsedUpload, client: string): Promise<string> {
    const { reader, jobs } = this.#parts;
    const dockets = parsed.rows.flatMap(({ wanted }) => wanted ?? [])
      .filter(({ kind }) => kind !== "USDOT");
    // `useOf` does not evict cached shards. `use` would, because a list reads many of them.
    const name = await reader.current();
    const holders = await reader.useOf(name, (snapshot) => findDockets(dockets, snapshot));
    const rows = parsed.rows.map((row) => {
      const known = row.wanted && holders.get(row.wanted);
      return known ? { ...row, holders: known } : row;
    });
    const dots = rows.flatMap(({ wanted, holders }) =>
      wanted === null ? [] : holders === undefined ? wanted.number : holders[0] ?? 0
    );
    const packed = pack({ ...parsed, rows });
    const beside = (id: string) =>
      partKeys(id).map((key, n) => ({
        key,
        value: packed.slice(n * PART_BYTES, (n + 1) * PART_BYTES),
      })).filter(({ value }) => value.length > 0);
    const { view } = await jobs.create({ client, dots, beside });
    return view.id;
  }

  /**
   * Creates a job from an existing one with corrected rows, and returns its id. Returns the id of the
   * existing job if nothing was corrected.
   *
   * @throws {ServiceError} As {@link create} and {@link find}.
   */
  async correct(id: string, corrections: Corrections, client: string): Promise<string> {
    const { job, parsed } = await this.find(id);
    const corrected = correctRows(parsed, corrections);
    return corrected === null ? job.view.id : await this.create(corrected, client);
  }

  /**
   * Finds a job. A job created through the API has only numbers, so each of them is a row.
   *
   * @throws {ServiceError} `job_not_found`.
   */
  async find(id: string): Promise<UploadJob> {
    const { jobs, kv } = this.#parts;
    const job = await jobs.find(id);
    const entries = await kv.get<Uint8Array<ArrayBuffer>>(partKeys(job.view.id));
    const parts = entries.flatMap(({ value }) => value === null ? [] : [value]);
    if (parts.length > 0) {
      const packed = await new Blob(parts).bytes();
      return { job, parsed: JSON.parse(brotliDecompressSync(packed).toString()) };
    }
    const rows = job.dots.map((number, i) => (
      { row: i + 1, wanted: { kind: "USDOT", number } } as const
    ));
    return { job, parsed: { rows, columns: [], of: 1, headingRow: null, assumed: false } };
  }

  /** All results in row order, when they are cached. */
  cached({ job }: UploadJob): readonly ResultRow[] | undefined {
    return this.#cache.peek(job.view.id);
  }

  /**
   * Streams the results in row order, as they are looked up.
   *
   * @throws {ServiceError} `upstream_unavailable` when too many jobs are being read.
   */
  async results(
    { job, parsed: { rows } }: UploadJob,
    reader: { client: string; control: AbortController },
  ): Promise<AsyncGenerator<readonly ResultRow[], void, void>> {
    const finish = (item: BatchItem): BatchItem => item;
    const slices = await this.#parts.jobs.items(job, { ...reader, finish });
    const cache = this.#cache;
    async function* results(): AsyncGenerator<readonly ResultRow[], void, void> {
      const resultOf = resultMaker();
      const all: ResultRow[] = [];
      let whole = true;
      for await (const items of slices) {
        whole &&= items.every(isRead);
        const from = all.length;
        const left = items.values();
        while (all.length < rows.length) {
          const row = rows[all.length]!;
          const item = row.wanted === null ? null : left.next().value;
          if (item === undefined) break;
          all.push(resultOf(row, item));
        }
        yield all.slice(from);
      }
      if (whole) cache.put(job.view.id, { value: all, bytes: 2 * JSON.stringify(all).length });
    }
    return results();
  }
}

function partKeys(id: string): KvKey[] {
  return Array.from({ length: PARTS }, (_, n) => ["job_note", id, n]);
}

function pack(parsed: ParsedUpload): Uint8Array<ArrayBuffer> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 7 };
  const packed = new Uint8Array(brotliCompressSync(JSON.stringify(parsed), { params }));
  if (packed.length <= PARTS * PART_BYTES) return packed;
  throw new ServiceError(
    "too_many_items",
    "We can't keep this list with all of its names and unreadable rows: split it",
  );
}
