/**
 * Downloads FMCSA's files: resumed after any interruption, skipped when unchanged, and under the
 * final name only when complete.
 *
 * @module
 */

import { basename, dirname, join } from "node:path";
import { type Clock, SYSTEM_CLOCK } from "../clock.ts";
import { note } from "../io.ts";
import { duration, type StartProgress, startProgress } from "../progress.ts";
import { retry, sleep, TransientError } from "../retry.ts";
import { messageOf } from "../text.ts";
import { Part, readSidecar, type Sidecar } from "./part.ts";
import { attempt, type Transfer } from "./transfer.ts";

/** The Company Census File as CSV, data set `az4n-8mr2`: about 2 GB, daily. */
export const CENSUS_URL =
  "https://data.transportation.gov/api/views/az4n-8mr2/rows.csv?accessType=DOWNLOAD";

/** The Vehicle Inspection File as CSV, data set `fx4q-ay7w`: about 3 GB, daily. */
export const INSPECTIONS_URL =
  "https://data.transportation.gov/api/views/fx4q-ay7w/rows.csv?accessType=DOWNLOAD";

/** The Out of Service Orders file as CSV, data set `p2mt-9ige`: about 45 MB, daily. */
export const ORDERS_URL =
  "https://data.transportation.gov/api/views/p2mt-9ige/rows.csv?accessType=DOWNLOAD";

const IDLE_MS = 60_000;
const RETRIES = 8;
/**
 * An attempt must receive this many bytes to count as progress, so that a very slow server is given up on
 * too.
 */
const PROGRESS_BYTES = 1 << 20;

export interface FetchOptions {
  /** `http:` or `https:`, without user name and password. */
  url: string;
  /** Full path of the file; its folder must exist. */
  to: string;
  /** @default {fetch} over HTTP/1.1, where chunked encoding marks the end of the body. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** @default {SYSTEM_CLOCK} */
  clock?: Clock;
  /** Stops the download; the bytes received are flushed and kept for the next run. */
  signal?: AbortSignal;
  /** @default {undefined} shows nothing */
  progress?: StartProgress;
  /** Receives a line for each resume, restart and retry. @default {undefined} */
  say?: (line: string) => void;
  /** Retries after consecutive failures without progress. @default {8} */
  retries?: number;
  /** Longest time to wait for more data from the server, ms. @default {60000} */
  idleMs?: number;
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** A file that is complete. */
export interface FetchedFile extends Omit<Sidecar, "fetched_at"> {
  path: string;
  /** True when the existing file is still current, so no body was read. */
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
  const { to, signal, clock = SYSTEM_CLOCK } = options;
  const label = basename(to);
  signal?.throwIfAborted();
  await using _lock = await takeLock(to);
  using client = Deno.createHttpClient({ http2: false });
  const old = await readSidecar(to);
  await using part = await Part.open(to, url, signal);
  const isUnchanged = await attemptUntilDone({
    label,
    url,
    part,
    old: old?.url === url ? old : undefined,
    fetch: options.fetch ?? ((url, init) => fetch(url, { ...init, client })),
    clock,
    idleMs: options.idleMs ?? IDLE_MS,
    signal,
    progress: options.progress,
    say: (line) => options.say?.(`${label}: ${line}`),
  }, options);
  if (isUnchanged) await part.discard();
  const { fetched_at: _, ...file } = isUnchanged
    ? old!
    : await part.commit(to, new Date(clock.now()).toISOString());
  return { path: to, ...file, unchanged: isUnchanged };
}

/** Fills the part of a transfer; returns whether the file in place is unchanged instead. */
async function attemptUntilDone(
  transfer: Transfer,
  { retries = RETRIES, sleep: wait = sleep }: FetchOptions,
): Promise<boolean> {
  const { part, url, signal, say } = transfer;
  let best = part.size;
  try {
    return await retry(async () => {
      for (;;) {
        const outcome = await attempt(transfer);
        if (outcome !== "again") return outcome === "unchanged";
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
      sleep: (ms) => wait(ms, signal).finally(() => signal?.throwIfAborted()),
    });
  } catch (error) {
    if (!(error instanceof TransientError)) throw error;
    throw new Error(
      `Cannot fetch "${url}": failed ${retries + 1} times in a row, last: ${error.message}`,
      { cause: error },
    );
  }
}

export interface FetchFilesOptions extends Omit<FetchOptions, "url" | "to"> {
  /** Addresses of the files. */
  census: string;
  inspections: string;
  orders?: string;
  /** The folder; made when absent. */
  to: string;
}

/** The files of a day; in place of an optional one that cannot be fetched, the error. */
export interface FetchedFiles {
  census: FetchedFile;
  inspections: FetchedFile;
  orders?: FetchedFile | Error;
}

/**
 * Downloads the files as `company_census.csv`, `vehicle_inspection.csv` and, if wanted,
 * `out_of_service_orders.csv`. One after the other: the connection to the server is the bottleneck, and one
 * progress bar fits a terminal.
 */
export async function fetchFiles(
  { census, inspections, orders, to, ...rest }: FetchFilesOptions,
): Promise<FetchedFiles> {
  // Checks all addresses first: a typo should not show up only after the first 2 GB.
  [census, inspections, ...(orders === undefined ? [] : [orders])].forEach(checkedUrl);
  await Deno.mkdir(to, { recursive: true });
  const fetchTo = (name: string, url: string): Promise<FetchedFile> =>
    fetchFile({ progress: startProgress, say: note, ...rest, url, to: join(to, name) });
  const files = {
    census: await fetchTo("company_census.csv", census),
    inspections: await fetchTo("vehicle_inspection.csv", inspections),
  };
  if (orders === undefined) return files;
  const third = await fetchTo("out_of_service_orders.csv", orders).catch((error) => {
    rest.signal?.throwIfAborted();
    return error instanceof Error ? error : new Error(messageOf(error));
  });
  return { ...files, orders: third };
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

/** Locks `<to>.lock`, which is never removed. Otherwise, two fetches could lock two different files. */
async function takeLock(to: string): Promise<AsyncDisposable> {
  const lock = await Deno.open(`${to}.lock`, { write: true, create: true }).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new Error(`Cannot fetch to "${to}": no folder "${dirname(to)}"`, { cause: error });
  });
  // The system releases it when the process dies.
  if (!await lock.tryLock(true)) {
    lock.close();
    throw new Error(`Cannot fetch to "${to}": another fetch is writing it`);
  }
  return {
    // Unlocks explicitly: closing is not enough while a child process being started shares the file.
    async [Symbol.asyncDispose](): Promise<void> {
      using file = lock;
      await file.unlock();
    },
  };
}
