/**
 * Lists as pages see them: taken in as jobs, and found again with what became of each row.
 *
 * @module
 */

import { gunzipSync, gzipSync } from "node:zlib";
import { unavailable } from "../../api/http/bulk.ts";
import { isRead } from "../../api/operations/items.ts";
import type { PageParts } from "../../api/service.ts";
import { type FoundJob, MOST_NOTE_BYTES } from "../../api/state/jobs.ts";
import { KvUnavailable } from "../../api/state/kv.ts";
import { SharedCache } from "../../pipeline/snapshot/shared_cache.ts";
import type { ReadList } from "./read_list.ts";
import { type ResultRow, rowOfItem, rowOfWrong } from "./result_row.ts";

/** What is kept of a list beside its numbers. */
type Note = Pick<ReadList, "rows" | "column" | "wrong">;

/** A list that was taken in. */
export interface FoundList extends Note {
  job: FoundJob;
}

/** Who reads a list, and until when. */
export interface ListReader {
  client: string;
  signal: AbortSignal;
}

/** Bytes of finished lists to hold, estimated: a few of the longest. */
const HELD_BYTES = 24 * 1024 * 1024;

/** Takes lists in and finds them. One for a process. */
export class Lists {
  readonly #parts: PageParts;
  readonly #held = new SharedCache<readonly ResultRow[]>(HELD_BYTES);

  /** @param parts What pages are given to work with. */
  constructor(parts: PageParts) {
    this.#parts = parts;
  }

  /**
   * Makes a job of a list.
   *
   * @returns Its id.
   * @throws {ServiceError} `rate_limited` or `upstream_unavailable`.
   */
  async take(list: ReadList, client: string): Promise<string> {
    const { dots, rows, column, wrong } = list;
    const note = packNote({ rows, column, wrong });
    const { view } = await readable(this.#parts.jobs.create({ client, dots, note }));
    return view.id;
  }

  /**
   * Finds a list.
   *
   * @throws {ServiceError} `job_not_found` or `upstream_unavailable`.
   */
  async find(id: string): Promise<FoundList> {
    const { jobs } = this.#parts;
    const job = await readable(jobs.find(id));
    const packed = await readable(jobs.note(job.view.id));
    // A job of the API has none: its numbers are its rows.
    const note: Note = packed === null
      ? { rows: job.dots.map((_, i) => i + 1), column: null, wrong: [] }
      : JSON.parse(gunzipSync(packed).toString());
    return { job, ...note };
  }

  /** All rows, in the order of the list, when they were looked up lately. */
  held({ job }: FoundList): readonly ResultRow[] | undefined {
    return this.#held.peek(job.view.id);
  }

  /**
   * The rows of a list in its order, as they are looked up. To be read or returned.
   *
   * @throws {ServiceError} `upstream_unavailable` when too many lists are read.
   */
  async rows(list: FoundList, reader: ListReader): Promise<AsyncGenerator<readonly ResultRow[]>> {
    const slices = await this.#parts.jobs.items(list.job, reader);
    const keep = (rows: readonly ResultRow[]): void =>
      this.#held.put(list.job.view.id, {
        value: rows,
        bytes: rows.reduce((sum, row) => sum + weigh(row), 0),
      });
    async function* rows(): AsyncGenerator<readonly ResultRow[]> {
      const all: ResultRow[] = [];
      let whole = true;
      let at = 0;
      let wrongAt = 0;
      for await (const items of slices) {
        const from = all.length;
        for (const item of items) {
          whole &&= isRead(item);
          const row = list.rows[at++]!;
          while (list.wrong[wrongAt] !== undefined && list.wrong[wrongAt]!.row <= row) {
            all.push(rowOfWrong(list.wrong[wrongAt++]!));
          }
          all.push(rowOfItem(item, row));
        }
        if (at === list.rows.length) all.push(...list.wrong.slice(wrongAt).map(rowOfWrong));
        yield all.slice(from);
      }
      if (whole) keep(all);
    }
    return rows();
  }
}

function packNote(note: Note): Uint8Array<ArrayBuffer> {
  const packed = new Uint8Array(gzipSync(JSON.stringify(note)));
  if (packed.length > MOST_NOTE_BYTES) throw new Error(`A note of ${packed.length} bytes`);
  return packed;
}

/** Makes a failure of the store one that a caller can read. */
function readable<T>(work: Promise<T>): Promise<T> {
  return work.catch((error) => {
    throw error instanceof KvUnavailable ? unavailable(error) : error;
  });
}

function weigh(row: ResultRow): number {
  return 400 + row.reasons.length + row.facts.reduce((sum, { length }) => sum + length + 24, 0);
}
