/**
 * Uploads as jobs: dockets are resolved when the job is created, results are looked up when it is read.
 *
 * @module
 */

import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { unavailable } from "../../api/http/batches.ts";
import { isRead } from "../../api/operations/batch.ts";
import { ServiceError } from "../../api/operations/errors.ts";
import { findDockets } from "../../api/operations/lookup.ts";
import { forCaller } from "../../api/operations/operation.ts";
import type { PageParts } from "../../api/service.ts";
import { type FoundJob, NOTE_BYTES } from "../../api/state/jobs.ts";
import { KvUnavailable } from "../../api/state/kv.ts";
import { SharedCache } from "../../pipeline/snapshot/shared_cache.ts";
import type { ParsedUpload, UploadRow } from "./parse_upload.ts";
import { resultMaker, type ResultRow } from "./result.ts";

/**
 * What is stored with the job. `holders` has, for each row with a docket, the USDOT numbers that list
 * it. The job has one number for each row with a number, in order: 0, which is never found, for a
 * docket that no carrier lists.
 */
interface Note extends ParsedUpload {
  holders: number[][];
}

export interface UploadJob {
  job: FoundJob;
  /** How the upload was parsed. */
  parsed: Note;
}

/** The client that reads the results, and its disconnect signal. */
interface JobReader {
  client: string;
  signal: AbortSignal;
}

/** Bytes of finished results to cache, estimated: a few of the longest. */
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
   * @throws {ServiceError} `rate_limited`, `upstream_unavailable` or `too_many_items`.
   */
  async create(parsed: ParsedUpload, client: string): Promise<string> {
    const { jobs } = this.#parts;
    const wanted = parsed.rows.flatMap(({ wanted }) => wanted ?? []);
    const holders = await this.#holders(wanted.filter(({ kind }) => kind !== "USDOT"));
    const left = holders.values();
    const dots = wanted.map(({ kind, number }) =>
      kind === "USDOT" ? number : left.next().value![0] ?? 0
    );
    const note = packNote({ ...parsed, holders });
    const { view } = await readable(jobs.create({ client, dots, note }));
    return view.id;
  }

  /**
   * Finds a job.
   *
   * @throws {ServiceError} `job_not_found` or `upstream_unavailable`.
   */
  async find(id: string): Promise<UploadJob> {
    const { jobs } = this.#parts;
    const job = await readable(jobs.find(id));
    const note = await readable(jobs.note(job.view.id));
    return {
      job,
      parsed: note === null
        ? rowsOfJob(job.dots)
        : JSON.parse(brotliDecompressSync(note).toString()) as Note,
    };
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
    { job, parsed: { rows, holders } }: UploadJob,
    reader: JobReader,
  ): Promise<AsyncGenerator<readonly ResultRow[], void, void>> {
    const slices = await this.#parts.jobs.items(job, { ...reader, finish: (item) => item });
    const cache = this.#cache;
    async function* results(): AsyncGenerator<readonly ResultRow[], void, void> {
      const make = resultMaker();
      const docketHolders = holders.values();
      const all: ResultRow[] = [];
      let whole = true;
      let at = 0;
      /** Adds the following rows without a number. */
      function unread(): void {
        while (rows[at]?.wanted === null) all.push(make(rows[at++]!));
      }
      for await (const items of slices) {
        const from = all.length;
        for (const item of items) {
          whole &&= isRead(item);
          unread();
          const row = rows[at++]!;
          const usdot = row.wanted!.kind === "USDOT";
          const holders = usdot ? [Number(item.dot)] : docketHolders.next().value!;
          all.push(make(row, { item, holders }));
        }
        unread();
        yield all.slice(from);
      }
      const bytes = all.reduce((sum, row) => sum + weigh(row), 0);
      if (whole) cache.put(job.view.id, { value: all, bytes });
    }
    return results();
  }

  async #holders(dockets: Parameters<typeof findDockets>[0]): Promise<number[][]> {
    if (dockets.length === 0) return [];
    const { reader } = this.#parts;
    try {
      const name = await reader.use((snapshot) => Promise.resolve(snapshot));
      return await reader.useOf(name, (snapshot) => findDockets(dockets, snapshot));
    } catch (error) {
      throw forCaller(error);
    }
  }
}

/** A job made through the API has no note: its numbers are its rows. */
function rowsOfJob(dots: readonly number[]): Note {
  const rows = dots.map((number, i): UploadRow => ({
    row: i + 1,
    wanted: { kind: "USDOT", number },
  }));
  return { rows, columns: [], of: 1, headingRow: null, assumed: false, holders: [] };
}

function packNote(note: Note): Uint8Array<ArrayBuffer> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 7 };
  const packed = new Uint8Array(brotliCompressSync(JSON.stringify(note), { params }));
  if (packed.length <= NOTE_BYTES) return packed;
  throw new ServiceError(
    "too_many_items",
    "We can't keep this list with all of its names and unreadable rows: split it",
  );
}

/** Maps a failure of the store to an error for callers. */
function readable<T>(work: Promise<T>): Promise<T> {
  return work.catch((error) => {
    throw error instanceof KvUnavailable ? unavailable(error) : error;
  });
}

function weigh({ facts, columns, ownName, ownPlace }: ResultRow): number {
  const texts = [...facts.map(({ words }) => words), ...columns, ownName, ownPlace];
  return 400 + texts.reduce((sum, { length }) => sum + length + 24, 0);
}
