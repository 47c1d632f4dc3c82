/**
 * A load generator over plain TCP: keep-alive connections, one request at a time on each. It does
 * far less per answer than `fetch`, so that it is the server that is measured.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import type { BenchServer } from "./processes.ts";

/** Connections of a load. */
export const CONNECTIONS = 32;

/** What to send, and for how long. */
interface LoadOptions {
  /** Paths, asked in turn. */
  paths: readonly string[];
  milliseconds: number;
  /** `Accept-Encoding`; none when absent. */
  encoding?: string | undefined;
}

/** What came back. */
export interface LoadResult {
  requests: number;
  requestsPerSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Microseconds of the server's CPU time per request. */
  cpu: number;
}

/**
 * Runs the load.
 *
 * @throws {Error} When an answer is not a 200.
 */
export async function runLoad(
  { port, cpuSeconds }: BenchServer,
  { paths, milliseconds, encoding }: LoadOptions,
): Promise<LoadResult> {
  const cpuBefore = cpuSeconds();
  const accept = encoding === undefined ? "" : `\r\nAccept-Encoding: ${encoding}`;
  const latencies: number[] = [];
  const start = performance.now();
  const end = start + milliseconds;
  let sentBefore = 0;
  // Elsewhere in each run, for runs come within the minute in which a quota counts.
  const firstClient = Math.floor(Math.random() * 2 ** 24);
  function request(path: string): Buffer {
    // A server that trusts one proxy takes each 40 requests for another client's, within its quota.
    const from = clientAddress(firstClient + Math.floor(sentBefore++ / 40));
    const head = `Host: localhost:${port}\r\nX-Forwarded-For: ${from}${accept}`;
    return Buffer.from(`GET ${path} HTTP/1.1\r\n${head}\r\n\r\n`);
  }
  async function worker(first: number): Promise<void> {
    const connection = await Deno.connect({ port });
    connection.setNoDelay(true);
    const buffer = Buffer.alloc(256 * 1024);
    try {
      for (let i = first;; i += CONNECTIONS) {
        const sent = performance.now();
        if (sent >= end) return;
        await writeAll(connection, request(paths[i % paths.length]!));
        await readAnswer(connection, buffer);
        latencies.push(performance.now() - sent);
      }
    } finally {
      connection.close();
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, first) => worker(first)));
  const seconds = (performance.now() - start) / 1000;
  const sorted = Float64Array.from(latencies).sort();
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? NaN;
  return {
    requests: sorted.length,
    requestsPerSecond: sorted.length / seconds,
    p50: at(0.5),
    p99: at(0.99),
    cpu: (cpuSeconds() - cpuBefore) / sorted.length * 1e6,
  };
}

/** A synthetic address for each number. */
export function clientAddress(n: number): string {
  return `10.${n >> 16 & 255}.${n >> 8 & 255}.${n & 255}`;
}

/**
 * Reads one answer on a connection of its own, as it comes: `fetch` would decompress it, and what
 * else waits in this process would be measured late.
 *
 * @throws {Error} When the answer is not a 200.
 */
export async function drain(port: number, path: string, client: string): Promise<void> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const head = `Host: localhost:${port}\r\nX-Forwarded-For: ${client}\r\nAccept-Encoding: gzip`;
  await writeAll(
    connection,
    Buffer.from(`GET ${path} HTTP/1.1\r\n${head}\r\nConnection: close\r\n\r\n`),
  );
  const buffer = Buffer.alloc(64 * 1024);
  const first = await connection.read(buffer) ?? 0;
  const status = buffer.toString("latin1", 0, Math.min(first, 12));
  if (status !== "HTTP/1.1 200") throw new Error(`Cannot use answer: ${status}`);
  while (await connection.read(buffer) !== null);
}

async function writeAll(connection: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
}

async function readAnswer(connection: Deno.Conn, buffer: Buffer): Promise<void> {
  let length = 0;
  let whole = Infinity;
  while (length < whole) {
    const read = await connection.read(buffer.subarray(length));
    if (read === null) throw new Error("Cannot read an answer: the connection was closed");
    length += read;
    if (whole !== Infinity) continue;
    const head = buffer.subarray(0, length).indexOf("\r\n\r\n");
    if (head < 0) continue;
    const text = buffer.toString("latin1", 0, head);
    const declared = /\r\ncontent-length: (\d+)/i.exec(text);
    if (!text.startsWith("HTTP/1.1 200 ") || declared === null) {
      throw new Error(`Cannot use answer: ${text.slice(0, 80)}`);
    }
    whole = head + 4 + Number(declared[1]);
  }
}
