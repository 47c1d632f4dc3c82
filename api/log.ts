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
  /** Writes text when it can be taken. */
  writeLater: (text: string) => Promise<void>;
}

/** Of this many refusals in turn one is logged, so that a flood of requests is none of lines. */
const REFUSALS_PER_LINE = 100;

/** Opens a log; with `off` only what went wrong is written, as text. */
export function openLog(format: LogFormat, { clock, after, write, writeLater }: LogOptions): Log {
  if (format === "off") return { say: write, requests: undefined, flush: () => Promise.resolve() };
  const message = (text: string): string =>
    format === "text" ? text : JSON.stringify({ time: timeOf(clock.now()), message: text });
  const lines = new LineBuffer({
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
  /** The line that says how many were dropped. */
  dropped: (lines: number) => string;
}

/** Milliseconds in which lines are gathered. */
const GATHER_MS = 100;

/**
 * Gathers lines and writes them a few times a second, so that neither their number nor a stalled reader
 * delays the answers they are about. Drops lines when full.
 */
export class LineBuffer {
  readonly #options: LineBufferOptions;
  readonly #most: number;
  #waiting: string[] = [];
  #size = 0;
  #dropped = 0;
  #cancel: (() => void) | null = null;
  #writing: Promise<void> | null = null;

  constructor(options: LineBufferOptions) {
    this.#options = options;
    this.#most = options.most ?? 1024 * 1024;
  }

  push(line: string): void {
    if (this.#size + line.length > this.#most) {
      this.#dropped++;
      return;
    }
    this.#waiting.push(line);
    this.#size += line.length;
    this.#arm();
  }

  /** Writes what waits; resolves when it is written. */
  async flush(): Promise<void> {
    await this.#writing;
    this.#cancel?.();
    this.#cancel = null;
    if (this.#waiting.length > 0) await (this.#writing = this.#write());
  }

  #arm(): void {
    if (this.#cancel !== null || this.#writing !== null) return;
    this.#cancel = this.#options.after(GATHER_MS, () => {
      this.#cancel = null;
      this.#writing = this.#write();
    });
  }

  async #write(): Promise<void> {
    const lines = this.#waiting;
    if (this.#dropped > 0) lines.push(this.#options.dropped(this.#dropped));
    this.#waiting = [];
    this.#dropped = 0;
    await this.#options.write(lines.join("\n") + "\n").catch(() => {});
    // Only now: what is being written counts until then.
    this.#size = this.#waiting.reduce((sum, line) => sum + line.length, 0);
    this.#writing = null;
    if (this.#waiting.length > 0) this.#arm();
  }
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
