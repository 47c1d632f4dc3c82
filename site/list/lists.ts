/**
 * Lists as pages see them: dockets resolved, taken in as jobs, and found again with their results.
 *
 * @module
 */

import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { unavailable } from "../../api/http/bulk.ts";
import { ServiceError } from "../../api/operations/errors.ts";
import type { Item } from "../../api/operations/items.ts";
import { findDockets } from "../../api/operations/lookup_mc.ts";
import { forCaller } from "../../api/operations/operation.ts";
import type { PageParts } from "../../api/service.ts";
import { type JobView, NOTE_BYTES, RESULTS_MS } from "../../api/state/jobs_record.ts";
import { KvUnavailable } from "../../api/state/kv.ts";
import { RateLimiter } from "../../api/state/rate_limit.ts";
import { SharedCache } from "../../pipeline/snapshot/shared_cache.ts";
import type { ListRow, ReadList } from "./read_list.ts";
import { type Answer, type ResultRow, resultsOf } from "./result.ts";

/**
 * What is kept of a list. `holders` has, for each row with a docket, the USDOT numbers that list it. The
 * job has a number for each row with one, in order; 0, which is never found, for a docket that nobody
 * lists.
 */
interface Note extends ReadList {
  holders: number[][];
}

/** A list that was taken in. */
export interface FoundList {
  job: JobView;
  /** How the list was read. */
  list: ReadList;
  /** In the order of the list; null until all numbers are looked up. */
  results: readonly ResultRow[] | null;
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
      `We can't take more than ${LIST_QUOTA.limit} lists a minute from one address: try again in ` +
        `${retryAfter} s`,
      { retryAfter },
    );
  }

  /**
   * Makes a job of a list.
   *
   * @returns Its id.
   * @throws {ServiceError} `rate_limited`, `upstream_unavailable` or `too_many_items`.
   */
  async take(list: ReadList, client: string): Promise<string> {
    const { jobs, runner, baseUrl } = this.#parts;
    const wanted = list.rows.flatMap(({ wanted }) => wanted ?? []);
    const holders = await this.#holders(wanted.filter(({ kind }) => kind !== "USDOT"));
    const left = holders.values();
    const dots = wanted.map(({ kind, number }) =>
      kind === "USDOT" ? number : left.next().value![0] ?? 0
    );
    const note = packNote({ ...list, holders });
    const { id } = await readable(jobs.create({ client, dots, baseUrl, note }));
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
    const { job, note: packed, free } = await readable(jobs.look(id));
    if (free) runner.kick(job.id);
    const list = packed === null ? listOfJob(job.total) : unpackNote(packed);
    if (job.finished_at === null) return { job, list, results: null, keptUntil: null };
    const results = await this.#held.get(job.id, async () => {
      const value = await this.#resultsOf(job.id, list);
      return { value, bytes: value.reduce((sum, row) => sum + weigh(row), 0) };
    });
    return { job, list, results, keptUntil: Date.parse(job.finished_at) + RESULTS_MS };
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

  async #resultsOf(id: string, { rows, holders }: Note): Promise<ResultRow[]> {
    const { results } = await readable(this.#parts.jobs.get(id));
    const items = itemsOf(results!);
    const left = holders.values();
    const answers = new Map<ListRow, Answer>();
    for (const row of rows) {
      if (row.wanted === null) continue;
      const { value: text } = await items.next();
      const item = JSON.parse(text!) as Item;
      const { kind } = row.wanted;
      if (kind === "USDOT") row.wanted.number = Number(item.dot);
      answers.set(row, {
        item,
        holders: kind === "USDOT" ? [row.wanted.number] : left.next().value!,
      });
    }
    return resultsOf(rows, (row) => answers.get(row));
  }
}

/** A job of the API has no note: its numbers are its rows. */
function listOfJob(total: number): Note {
  const rows = Array.from({ length: total }, (_, i): ListRow => ({
    row: i + 1,
    // The number comes with its item.
    wanted: { kind: "USDOT", number: 0 },
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

function unpackNote(packed: Uint8Array): Note {
  return JSON.parse(brotliDecompressSync(packed).toString());
}

/** How every item begins. After a comma it is nowhere else: inside a text its quotes would be escaped. */
const BEGINNING = '{"dot":"';

/**
 * The JSON text of each item, from the items' JSON joined by commas and cut anywhere: those of 5,000
 * numbers are 20 MB.
 */
export async function* itemsOf(parts: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  let beginning = "";
  for await (const part of parts) {
    const texts = (rest + decoder.decode(part, { stream: true })).split("," + BEGINNING);
    rest = texts.pop()!;
    for (const text of texts) {
      yield beginning + text;
      beginning = BEGINNING;
    }
  }
  yield beginning + rest;
}

/** Makes the store's failure one that a caller can read. */
function readable<T>(work: Promise<T>): Promise<T> {
  return work.catch((error) => {
    throw error instanceof KvUnavailable ? unavailable(error) : error;
  });
}

function weigh({ facts, columns, ownName, ownPlace }: ResultRow): number {
  const texts = [...facts.map(({ words }) => words), ...columns, ownName, ownPlace];
  return 400 + texts.reduce((sum, { length }) => sum + length + 24, 0);
}
