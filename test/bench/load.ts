/**
 * A load generator over plain TCP: keep-alive connections, one request at a time on each. It does far less work
 * per response than `fetch`, which would limit the throughput before the server does.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import type { Run } from "../run_main.ts";
import { quantile } from "./harness.ts";
import { cpuSeconds } from "./processes.ts";

/** Connections of a load. */
export const CONNECTIONS = 32;

/** What to send, and for how long. */
interface LoadOptions {
  /** Paths, requested in turn. */
  paths: readonly string[];
  milliseconds: number;
  /** `Accept-Encoding`; no header when absent. */
  encoding?: string;
  /** Requests of a client before the next client starts. @default {40} */
  burst?: number;
}

/** The results. */
export interface LoadResult {
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
 * @throws {Error} When an answer is neither a 200 nor a 429.
 */
export async function runLoad(
  server: Run,
  { paths, milliseconds, encoding = "identity", burst = 40 }: LoadOptions,
): Promise<LoadResult> {
  const { port } = server;
  const cpuBefore = cpuSeconds(server);
  const latencies: number[] = [];
  const start = performance.now();
  let sent = 0;
  // Each run uses new addresses, because runs are less than the rate limit's minute apart.
  const firstClient = Math.floor(Math.random() * 2 ** 24);
  async function worker(): Promise<void> {
    using connection = await Deno.connect({ port });
    connection.setNoDelay(true);
    const buffer = Buffer.alloc(256 * 1024);
    for (;;) {
      const began = performance.now();
      if (began >= start + milliseconds) return;
      const client = clientAddress(firstClient + Math.floor(sent / burst));
      await ask(connection, port, { path: paths[sent++ % paths.length]!, client, encoding });
      await readAnswer(connection, buffer);
      latencies.push(performance.now() - began);
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  return {
    requestsPerSecond: latencies.length * 1000 / (performance.now() - start),
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    cpu: (cpuSeconds(server) - cpuBefore) / latencies.length * 1e6,
  };
}

/** A synthetic address for each number. */
export function clientAddress(n: number): string {
  return `10.${n >> 16 & 255}.${n >> 8 & 255}.${n & 255}`;
}

/**
 * Reads one response on its own connection, as it arrives: `fetch` would decompress it, and
 * other work in this process would delay the measurement.
 *
 * @throws {Error} When the answer is not a 200.
 */
export async function drain(port: number, path: string, client: string): Promise<void> {
  using connection = await Deno.connect({ port });
  await ask(connection, port, { path, client, encoding: "gzip\r\nConnection: close" });
  const buffer = Buffer.alloc(64 * 1024);
  const first = await connection.read(buffer) ?? 0;
  const status = buffer.toString("latin1", 0, Math.min(first, 12));
  if (status !== "HTTP/1.1 200") throw new Error(`Cannot use answer: ${status}`);
  while (await connection.read(buffer) !== null);
}

async function ask(
  connection: Deno.Conn,
  port: number,
  { path, client, encoding }: { path: string; client: string; encoding: string },
): Promise<void> {
  const head = `Host: localhost:${port}\r\nX-Forwarded-For: ${client}`;
  await connection.write(
    Buffer.from(`GET ${path} HTTP/1.1\r\n${head}\r\nAccept-Encoding: ${encoding}\r\n\r\n`),
  );
}

async function readAnswer(connection: Deno.Conn, buffer: Buffer): Promise<void> {
  let length = 0;
  let whole = Infinity;
  while (length < whole) {
    const read = await connection.read(buffer.subarray(length));
    if (read === null) throw new Error("Cannot read an answer: the connection was closed");
    length += read;
    const head = whole === Infinity ? buffer.subarray(0, length).indexOf("\r\n\r\n") : -1;
    if (head < 0) continue;
    const text = buffer.toString("latin1", 0, head);
    const declared = /^HTTP\/1.1 (?:200|429) [^]*\r\ncontent-length: (\d+)/i.exec(text);
    if (declared === null) throw new Error(`Cannot use answer: ${text.slice(0, 80)}`);
    whole = head + 4 + Number(declared[1]);
  }
}
