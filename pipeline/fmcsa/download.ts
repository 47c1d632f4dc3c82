/**
 * Downloads the regulator's files: resumed after any interruption, skipped when unchanged, and under
 * the final name only when whole.
 *
 * @module
 */

import { basename, dirname, join } from "node:path";
import { type Clock, SYSTEM_CLOCK } from "../clock.ts";
import { note } from "../io.ts";
import { duration, type StartProgress, startProgress } from "../progress.ts";
import { openPart, type Part } from "./part.ts";
import { backOff, PassingError, sleep } from "../retry.ts";
import { readSidecar, type Sidecar } from "./sidecar.ts";
import { type Job, tryOnce } from "./transfer.ts";

export { readSidecar, type Sidecar } from "./sidecar.ts";

/** The Company Census File as CSV, data set `az4n-8mr2`: about 2 GB, daily. */
export const CENSUS_URL =
  "https://data.transportation.gov/api/views/az4n-8mr2/rows.csv?accessType=DOWNLOAD";

/** The Vehicle Inspection File as CSV, data set `fx4q-ay7w`: about 3 GB, daily. */
export const INSPECTIONS_URL =
  "https://data.transportation.gov/api/views/fx4q-ay7w/rows.csv?accessType=DOWNLOAD";

const IDLE_MS = 60_000;
const RETRIES = 8;
const LONGEST_RETRY_AFTER_MS = 3_600_000;
/** Bytes a try must add to count as progress, so that a server dripping bytes is given up too. */
const PROGRESS_BYTES = 1 << 20;

/** Options of {@link fetchFile}. */
export interface FetchOptions {
  /** `http:` or `https:`, without user name and password. */
  url: string;
  /** Full path of the file; its folder must exist. */
  to: string;
  /** @default {fetch} over HTTP/1.1, where a chunked body shows that it ended. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** @default {SYSTEM_CLOCK} */
  clock?: Clock;
  /** Stops the download; what has come is flushed and stays for the next run. */
  signal?: AbortSignal;
  /** @default {undefined} shows nothing */
  progress?: StartProgress;
  /** Told of resumes, restarts and retries, a line each. @default {undefined} */
  say?: (line: string) => void;
  /** Tries after failures in a row without progress. @default {8} */
  retries?: number;
  /** Longest silence of the server, ms. @default {60000} */
  idleMs?: number;
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** From 0 up to 1, for the jitter. @default {Math.random} */
  random?: () => number;
}

/** A file that is there, whole. */
export interface FetchedFile {
  path: string;
  url: string;
  bytes: number;
  /** Hex. */
  sha256: string;
  etag?: string;
  last_modified?: string;
  /** True when the file that was there is still the server's, and no body was read. */
  unchanged: boolean;
}

/**
 * Downloads one file. Beside it stand `<file>.json` (the {@link Sidecar}), `<file>.lock`, and until it
 * is whole `<file>.part` and `<file>.part.json`.
 *
 * @throws {TypeError} When the address is no plain http(s) address.
 * @throws {Error} When the server refuses, sends a web page, or keeps failing; or another fetch holds the lock.
 * @throws The signal's reason, when that was aborted.
 */
export async function fetchFile(options: FetchOptions): Promise<FetchedFile> {
  const url = checkedUrl(options.url);
  const { to, signal } = options;
  signal?.throwIfAborted();
  const lock = await takeLock(to);
  const client = options.fetch === undefined ? Deno.createHttpClient({ http2: false }) : undefined;
  let part: Part | undefined;
  try {
    const sidecar = await readSidecar(to);
    part = await openPart(to, { url, ...(signal && { signal }) });
    const clock = options.clock ?? SYSTEM_CLOCK;
    const job: Job = {
      label: basename(to),
      url,
      part,
      old: sidecar?.url === url ? sidecar : undefined,
      fetch: options.fetch ?? ((url, init) => fetch(url, { ...init, ...(client && { client }) })),
      clock,
      idleMs: options.idleMs ?? IDLE_MS,
      signal,
      progress: options.progress,
      say: (line) => options.say?.(`${basename(to)}: ${line}`),
    };
    const kept = await tryUntilDone(job, options);
    if (kept !== undefined) {
      await part.discard();
      return result(to, { sidecar: kept, unchanged: true });
    }
    const now = new Date(clock.now()).toISOString();
    return result(to, { sidecar: await part.commit(to, now), unchanged: false });
  } finally {
    await part?.close();
    client?.close();
    await release(lock);
  }
}

/** Options of {@link fetchBoth}. */
export interface FetchBothOptions extends Omit<FetchOptions, "url" | "to"> {
  /** @default {CENSUS_URL} */
  censusUrl?: string;
  /** @default {INSPECTIONS_URL} */
  inspectionsUrl?: string;
  /** The folder; made when absent. */
  to: string;
}

/**
 * Downloads both files as `company_census.csv` and `vehicle_inspection.csv`. One after the other: the
 * line to the server is the bottleneck, and one bar fits a terminal.
 */
export async function fetchBoth(
  options: FetchBothOptions,
): Promise<{ census: FetchedFile; inspections: FetchedFile }> {
  const { censusUrl = CENSUS_URL, inspectionsUrl = INSPECTIONS_URL, to, ...rest } = options;
  checkedUrl(censusUrl);
  checkedUrl(inspectionsUrl); // A typing error should not show after the first 2 GB
  await Deno.mkdir(to, { recursive: true });
  const common = { progress: startProgress, say: note, ...rest };
  const census = await fetchFile({
    ...common,
    url: censusUrl,
    to: join(to, "company_census.csv"),
  });
  const inspections = await fetchFile({
    ...common,
    url: inspectionsUrl,
    to: join(to, "vehicle_inspection.csv"),
  });
  return { census, inspections };
}

/** Tries until the part is whole (undefined) or the file that is there proves unchanged (its note). */
async function tryUntilDone(job: Job, options: FetchOptions): Promise<Sidecar | undefined> {
  const { part, url } = job;
  const retries = options.retries ?? RETRIES;
  let best = part.size;
  for (let failures = 0;;) {
    try {
      const outcome = await tryOnce(job);
      if (outcome === "whole") return undefined;
      if (outcome === "unchanged") return job.old;
    } catch (error) {
      if (!(error instanceof PassingError)) throw error;
      if (part.size >= best + PROGRESS_BYTES) {
        best = part.size;
        failures = 0;
      }
      failures += 1;
      if (failures > retries) {
        throw new Error(
          `Cannot fetch "${url}": failed ${failures} times in a row, last: ${error.message}`,
          { cause: error },
        );
      }
      const { waitMs } = error;
      if (waitMs !== undefined && waitMs > LONGEST_RETRY_AFTER_MS) {
        throw new Error(
          `Cannot fetch "${url}" now: ${error.message}, the server asks to come back in ` +
            duration(waitMs / 1000),
          { cause: error },
        );
      }
      const wait = waitMs ?? backOff(failures, (options.random ?? Math.random)());
      job.say(`${error.message}; retry ${failures} of ${retries} in ${duration(wait / 1000)}`);
      try {
        await (options.sleep ?? sleep)(wait, options.signal);
      } finally {
        options.signal?.throwIfAborted();
      }
    }
  }
}

function result(
  path: string,
  { sidecar, unchanged }: { sidecar: Sidecar; unchanged: boolean },
): FetchedFile {
  const { fetched_at: _, ...rest } = sidecar;
  return { path, ...rest, unchanged };
}

/** The address in its normal form. Credentials are refused: the address ends up in public files. */
function checkedUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null) throw new TypeError(`Cannot fetch "${text}": not an address`);
  if (url.username !== "" || url.password !== "") {
    throw new TypeError(
      `Cannot fetch from "${url.host}": leave user name and password out of the address`,
    );
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new TypeError(`Cannot fetch "${text}": only http: and https: addresses`);
  }
  url.hash = "";
  return url.href;
}

/** Locks `<to>.lock`, which stays behind: removing it would let two fetches lock two files. */
async function takeLock(to: string): Promise<Deno.FsFile> {
  const lock = await Deno.open(`${to}.lock`, { write: true, create: true }).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new Error(`Cannot fetch to "${to}": no folder "${dirname(to)}"`, { cause: error });
  });
  try {
    if (await lock.tryLock(true)) return lock; // The system lets go when the process dies
  } catch (error) {
    lock.close();
    throw error;
  }
  lock.close();
  throw new Error(`Cannot fetch to "${to}": another fetch is writing it`);
}

/** Unlocks by word: closing is not enough while a child process just being started shares the file. */
async function release(lock: Deno.FsFile): Promise<void> {
  try {
    await lock.unlock();
  } finally {
    lock.close();
  }
}
