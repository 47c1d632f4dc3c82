/**
 * Logs one line per request or fault, without IP addresses, queries or bodies.
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
  /** Writes a line synchronously. Faults are few and must not be lost. */
  write: (line: string) => void;
  writeLater: (text: string) => Promise<void>;
}

/** Only one in this many 429 answers is logged, so that a flood of requests does not flood the log. */
const REFUSALS_PER_LINE = 100;

/** Opens a log. With `off`, only messages are written, as text, and no requests. */
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
  /** Writes text; may be slow. A failure is ignored, because there is nowhere to report it. */
  write: (text: string) => Promise<void>;
  after: After;
  /** Most characters that may wait in the buffer. @default {1048576} */
  most?: number;
  dropped: (lines: number) => string;
}

const GATHER_MS = 100;

/**
 * Buffers lines and writes them at most ten times a second, so that neither a flood of lines nor a stalled
 * reader of the log delays answers. Drops lines when the buffer is full.
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
    // Updated only after the write, because text being written still counts toward `most`.
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
    /** Resolves when the buffered lines are written. */
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

/** A request as one line of JSON. */
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
 * Returns a function that hashes client addresses, so that the log can tell clients apart while the process
 * runs. The addresses cannot be recovered, because the key is random and never leaves the process.
 */
function clientHashes(): (client: string) => string {
  const key = randomBytes(32).toString("hex");
  const cache = new SharedCache<string>(CLIENTS_CACHED);
  return (client) => {
    const known = cache.peek(client);
    if (known !== undefined) return known;
    // As safe as an HMAC, since only 12 characters of the hash are logged, and twice as fast.
    const value = hash("sha256", `${key} ${client}`, "base64url").slice(0, 12);
    cache.put(client, { value, bytes: 1 });
    return value;
  };
}
