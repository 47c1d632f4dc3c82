/**
 * Lists as pages see them: taken in as jobs, and found again with what became of each row.
 *
 * @module
 */

import { unavailable } from "../../api/http/bulk.ts";
import { ServiceError } from "../../api/operations/errors.ts";
import type { Item } from "../../api/operations/items.ts";
import type { PageParts } from "../../api/service.ts";
import type { JobView } from "../../api/state/jobs_record.ts";
import { RESULTS_MS } from "../../api/state/jobs_record.ts";
import { KvUnavailable } from "../../api/state/kv.ts";
import { pack, unpack } from "../../api/state/pieces.ts";
import { RateLimiter } from "../../api/state/rate_limit.ts";
import { SharedCache } from "../../pipeline/snapshot/shared_cache.ts";
import { itemsOf } from "./items_text.ts";
import type { ReadList } from "./read_list.ts";
import { type ResultRow, rowOfItem, rowOfWrong } from "./result_row.ts";

/** What is kept of a list beside its numbers. */
type Note = Pick<ReadList, "rows" | "column" | "wrong">;

/** A list that was taken in. */
export interface FoundList extends Pick<ReadList, "column" | "wrong"> {
  job: JobView;
  /** In the order of the list; null until all numbers are looked up. */
  rows: readonly ResultRow[] | null;
  /** Milliseconds since the epoch until which the results are kept; null until then. */
  keptUntil: number | null;
}

/** Lists of one address in a minute: each may keep a worker busy for seconds. */
export const LIST_QUOTA = { limit: 20, windowMs: 60_000 } as const;

/** Bytes of finished lists to hold, estimated: a few of the longest. */
const HELD_BYTES = 24 * 1024 * 1024;

/** Takes lists in and finds them. One for a process. */
export class Lists {
  readonly #parts: PageParts;
  readonly #limiter: RateLimiter;
  readonly #held = new SharedCache<readonly ResultRow[]>(HELD_BYTES);

  /** @param parts What pages are given to work with. */
  constructor(parts: PageParts) {
    this.#parts = parts;
    const { clock } = parts;
    this.#limiter = new RateLimiter({ kv: null, clock, owner: "lists", ...LIST_QUOTA });
  }

  /**
   * Counts a list against the quota of a client, before it is read.
   *
   * @throws {ServiceError} `rate_limited`.
   */
  async admit(client: string): Promise<void> {
    const { accepted, retryAfter = 1 } = await this.#limiter.take(client);
    if (accepted) return;
    throw new ServiceError(
      "rate_limited",
      `Cannot take more than ${LIST_QUOTA.limit} lists a minute from one address: try again in ` +
        `${retryAfter} s`,
      { retryAfter },
    );
  }

  /**
   * Makes a job of a list.
   *
   * @returns Its id.
   * @throws {ServiceError} `rate_limited` or `upstream_unavailable`.
   */
  async take(list: ReadList, client: string): Promise<string> {
    const { jobs, runner, baseUrl } = this.#parts;
    const { dots, rows, column, wrong } = list;
    const note: Note = { rows, column, wrong };
    const [packed] = pack(new TextEncoder().encode(JSON.stringify(note)));
    const { id } = await heard(jobs.create({ client, dots, baseUrl, note: packed! }));
    runner.kick(id!);
    return id!;
  }

  /**
   * Finds a list.
   *
   * @throws {ServiceError} `job_not_found` or `upstream_unavailable`.
   */
  async find(id: string): Promise<FoundList> {
    const { jobs, runner } = this.#parts;
    const { job, note: packed, free } = await heard(jobs.look(id));
    if (free) runner.kick(job.id);
    const note = await noteOf(packed, job.total);
    const { column, wrong } = note;
    if (job.finished_at === null) return { job, column, wrong, rows: null, keptUntil: null };
    const rows = await this.#held.get(job.id, async () => {
      const rows = await this.#rowsOf(job.id, note);
      return { value: rows, bytes: rows.reduce((sum, row) => sum + weigh(row), 0) };
    });
    return { job, column, wrong, rows, keptUntil: Date.parse(job.finished_at) + RESULTS_MS };
  }

  async #rowsOf(id: string, { rows, wrong }: Note): Promise<ResultRow[]> {
    const { results } = await heard(this.#parts.jobs.get(id));
    const found: ResultRow[] = wrong.map(rowOfWrong);
    let at = 0;
    for await (const text of itemsOf(results!)) {
      found.push(rowOfItem(JSON.parse(text) as Item, rows[at++]!));
    }
    return found.sort((a, b) => a.row - b.row);
  }
}

async function noteOf(packed: Uint8Array | null, total: number): Promise<Note> {
  // A job of the API has none: its numbers are its rows.
  if (packed === null) {
    return { rows: Array.from({ length: total }, (_, i) => i + 1), column: null, wrong: [] };
  }
  const chunks: Uint8Array<ArrayBuffer>[] = await Array.fromAsync(unpack([packed]));
  return JSON.parse(await new Blob(chunks).text());
}

/** What a caller hears of a store that fails. */
function heard<T>(work: Promise<T>): Promise<T> {
  return work.catch((error) => {
    throw error instanceof KvUnavailable ? unavailable(error) : error;
  });
}

function weigh(row: ResultRow): number {
  return 400 + row.reasons.length + row.facts.reduce((sum, { length }) => sum + length + 24, 0);
}
