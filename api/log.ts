/**
 * The log: a line for each request and each fault, without addresses, queries and bodies.
 *
 * @module
 */

import { hash, randomBytes } from "node:crypto";
import type { After, Clock } from "../pipeline/clock.ts";
import type { Answered, RequestLog } from "./http/exchange.ts";
import { SharedCache } from "../pipeline/snapshot/shared_cache.ts";

export type LogFormat = "json" | "text" | "off";

export interface Log {
  /** Logs an event that is not a request. */
  say: (line: string) => void;
  /** Undefined when requests are not logged. */
  requests: RequestLog | undefined;

  flush(): Promise<void>;
}

interface LogOptions {
  clock: Clock;
  after: After;
  /** Writes a line at once: faults are few, and must not be lost. */
  write: (line: string) => void;
  writeLater: (text: string) => Promise<void>;
}

/** Of this many refusals in turn one is logged, so that a flood of requests is none of lines. */
const REFUSALS_PER_LINE = 100;

/** Opens a log; with `off` only what went wrong is written, as text. */
export function openLog(format: LogFormat, { clock, after, write, writeLater }: LogOptions): Log {
  if (format === "off") return { say: write, requests: undefined, flush: () => Promise.resolve() };
  const message = (text: string): string =>
    format === "text" ? text : JSON.stringify({ time: timeOf(clock.now()), message: text });
  const lines = lineBuffer({
    write: writeLater,
    after,
    dropped: (count) => message(`${count} requests are not in the log: its reader is too slow`),
  });
  const hashOf = clientHashes();
  const line = (answered: Answered, refused?: number): string =>
    format === "text" ? textLine(answered, refused) : jsonLine(answered, refused, hashOf);
  let refused = 0;
  return {
    say: (text) => write(message(text)),
    requests(answered) {
      if (answered.status !== 429) return lines.push(line(answered));
      if (refused++ % REFUSALS_PER_LINE === 0) lines.push(line(answered, refused));
    },
    flush: () => lines.flush(),
  };
}

interface LineBufferOptions {
  /** Writes text; may take as long as it likes. A failure is ignored: there is nowhere to report it. */
  write: (text: string) => Promise<void>;
  after: After;
  /** Characters that may wait. @default {1048576} */
  most?: number;
  dropped: (lines: number) => string;
}

const GATHER_MS = 100;

/**
 * Gathers lines and writes them a few times a second, so that neither their number nor a stalled reader
 * delays the answers they are about. Drops lines when full.
 */
export function lineBuffer(
  { write, after, most = 1024 * 1024, dropped }: LineBufferOptions,
): { push(line: string): void; flush(): Promise<void> } {
  let waiting: string[] = [];
  let size = 0;
  let lost = 0;
  let cancel: (() => void) | null = null;
  let writing: Promise<void> | null = null;

  function arm(): void {
    if (cancel !== null || writing !== null) return;
    cancel = after(GATHER_MS, () => {
      cancel = null;
      writing = writeAll();
    });
  }

  async function writeAll(): Promise<void> {
    const lines = waiting;
    if (lost > 0) lines.push(dropped(lost));
    waiting = [];
    lost = 0;
    await write(lines.join("\n") + "\n").catch(() => {});
    // Only now: what is being written counts until then.
    size = waiting.reduce((sum, line) => sum + line.length, 0);
    writing = null;
    if (waiting.length > 0) arm();
  }

  return {
    push(line) {
      if (size + line.length > most) return void lost++;
      waiting.push(line);
      size += line.length;
      arm();
    },
    /** Writes what waits; resolves when it is written. */
    async flush() {
      await writing;
      cancel?.();
      cancel = null;
      if (waiting.length > 0) await (writing = writeAll());
    },
  };
}

function textLine(
  { at, method, route = "-", status, ms }: Answered,
  refused: number | undefined,
): string {
  const line = `${timeOf(at).slice(11, 19)} ${method} ${route} ${status} ${ms} ms`;
  return refused === undefined ? line : `${line}, ${refused} refused so far`;
}

/** A request as a line of JSON; members that are undefined are left out. */
function jsonLine(
  { at, requestId, method, route, status, ms, bytes, snapshotId, cached, client }: Answered,
  refused: number | undefined,
  hashOf: (client: string) => string,
): string {
  return JSON.stringify({
    time: timeOf(at),
    request: requestId,
    method,
    route,
    status,
    ms,
    bytes,
    snapshot: snapshotId,
    cache: cached === undefined ? undefined : cached ? "hit" : "miss",
    client: hashOf(client),
    refused,
  });
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}

const CLIENTS_CACHED = 10_000;

/**
 * Names clients so that requests of one and of another can be distinguished as long as the process
 * lives, and the address cannot be recovered: the key is random and never leaves the process.
 */
function clientHashes(): (client: string) => string {
  const key = randomBytes(32).toString("hex");
  const cache = new SharedCache<string>(CLIENTS_CACHED);
  return (client) => {
    const known = cache.peek(client);
    if (known !== undefined) return known;
    // As good as an HMAC where so little of the sum is shown, and in half its time.
    const value = hash("sha256", `${key} ${client}`, "base64url").slice(0, 12);
    cache.put(client, { value, bytes: 1 });
    return value;
  };
}
