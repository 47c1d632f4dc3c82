/**
 * Downloads FMCSA's two files: resumed after any interruption, skipped when unchanged, and under the
 * final name only when complete.
 *
 * @module
 */

import { basename, dirname, join } from "node:path";
import { type Clock, SYSTEM_CLOCK } from "../clock.ts";
import { note } from "../io.ts";
import { duration, type StartProgress, startProgress } from "../progress.ts";
import { retry, sleep, TransientError } from "../retry.ts";
import { Part, readSidecar, type Sidecar } from "./part.ts";
import { attempt, type Transfer } from "./transfer.ts";

/** The Company Census File as CSV, data set `az4n-8mr2`: about 2 GB, daily. */
export const CENSUS_URL =
  "https://data.transportation.gov/api/views/az4n-8mr2/rows.csv?accessType=DOWNLOAD";

/** The Vehicle Inspection File as CSV, data set `fx4q-ay7w`: about 3 GB, daily. */
export const INSPECTIONS_URL =
  "https://data.transportation.gov/api/views/fx4q-ay7w/rows.csv?accessType=DOWNLOAD";

const IDLE_MS = 60_000;
const RETRIES = 8;
/** Bytes an attempt must add to count as progress, so that a server dripping bytes is given up too. */
const PROGRESS_BYTES = 1 << 20;

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
  /** Receives a line for each resume, restart and retry. @default {undefined} */
  say?: (line: string) => void;
  /** Retries after failures in a row without progress. @default {8} */
  retries?: number;
  /** Longest silence of the server, ms. @default {60000} */
  idleMs?: number;
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** A file that is complete. */
export interface FetchedFile {
  path: string;
  url: string;
  bytes: number;
  /** Hex. */
  sha256: string;
  etag?: string;
  last_modified?: string;
  /** True when the file in place is still the server's, and no body was read. */
  unchanged: boolean;
}

/**
 * Downloads one file. Next to it are `<file>.json` (the {@link Sidecar}), `<file>.lock`, and until it
 * is complete `<file>.part` and `<file>.part.json`.
 *
 * @throws {TypeError} When the address is not a plain http(s) address.
 * @throws {Error} When the server refuses, sends a web page, or keeps failing; or another fetch has the lock.
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
    part = await Part.open(to, { url, ...(signal && { signal }) });
    const clock = options.clock ?? SYSTEM_CLOCK;
    const transfer: Transfer = {
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
    if (await attemptUntilDone(transfer, options) === "unchanged") {
      await part.discard();
      return fetchedFile(to, { sidecar: sidecar!, unchanged: true });
    }
    const fetchedAt = new Date(clock.now()).toISOString();
    return fetchedFile(to, { sidecar: await part.commit(to, fetchedAt), unchanged: false });
  } finally {
    await part?.close();
    client?.close();
    await release(lock);
  }
}

async function attemptUntilDone(
  transfer: Transfer,
  { retries = RETRIES, signal, ...options }: FetchOptions,
): Promise<"whole" | "unchanged"> {
  const { part, url, say } = transfer;
  let best = part.size;
  try {
    return await retry(async () => {
      for (;;) {
        const outcome = await attempt(transfer);
        if (outcome !== "again") return outcome;
      }
    }, {
      tries: retries + 1,
      isTransient: (error) => error instanceof TransientError,
      hasProgress() {
        if (part.size < best + PROGRESS_BYTES) return false;
        best = part.size;
        return true;
      },
      onRetry({ error, failures, waitMs }) {
        const pause = duration(waitMs / 1000);
        say(`${(error as Error).message}; retry ${failures} of ${retries} in ${pause}`);
      },
      first: 1000,
      longest: 60_000,
      async sleep(ms) {
        try {
          await (options.sleep ?? sleep)(ms, signal);
        } finally {
          signal?.throwIfAborted();
        }
      },
    });
  } catch (error) {
    if (!(error instanceof TransientError)) throw error;
    throw new Error(
      `Cannot fetch "${url}": failed ${retries + 1} times in a row, last: ${error.message}`,
      { cause: error },
    );
  }
}

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
 * connection to the server is the bottleneck, and one progress bar fits a terminal.
 */
export async function fetchBoth(
  options: FetchBothOptions,
): Promise<{ census: FetchedFile; inspections: FetchedFile }> {
  const { censusUrl = CENSUS_URL, inspectionsUrl = INSPECTIONS_URL, to, ...rest } = options;
  checkedUrl(censusUrl);
  checkedUrl(inspectionsUrl); // A typing error should not show after the first 2 GB
  await Deno.mkdir(to, { recursive: true });
  const common = { progress: startProgress, say: note, ...rest };
  return {
    census: await fetchFile({ ...common, url: censusUrl, to: join(to, "company_census.csv") }),
    inspections: await fetchFile({
      ...common,
      url: inspectionsUrl,
      to: join(to, "vehicle_inspection.csv"),
    }),
  };
}

function fetchedFile(
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

/** Locks `<to>.lock`, which is never removed: two fetches could then lock two different files. */
async function takeLock(to: string): Promise<Deno.FsFile> {
  const lock = await Deno.open(`${to}.lock`, { write: true, create: true }).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new Error(`Cannot fetch to "${to}": no folder "${dirname(to)}"`, { cause: error });
  });
  try {
    if (await lock.tryLock(true)) return lock; // The system releases it when the process dies
  } catch (error) {
    lock.close();
    throw error;
  }
  lock.close();
  throw new Error(`Cannot fetch to "${to}": another fetch is writing it`);
}

/** Unlocks explicitly: closing is not enough while a child process being started shares the file. */
async function release(lock: Deno.FsFile): Promise<void> {
  try {
    await lock.unlock();
  } finally {
    lock.close();
  }
}
