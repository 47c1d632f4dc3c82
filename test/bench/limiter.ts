/**
 * What the rate limit costs: warm lookups without it and with it in several stores, refusals, and
 * `take()` alone. Each server is a process of its own; the load comes from this one.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { createApp } from "../../api/http/app.ts";
import type { BatchOptions } from "../../api/http/batches.ts";
import { OPERATIONS } from "../../api/operations/table.ts";
import { KeyedHash } from "../../api/state/keyed_hash.ts";
import { DenoKv } from "../../api/state/deno_kv.ts";
import { type Decision, RateLimiter } from "../../api/state/rate_limit.ts";
import { SYSTEM_CLOCK } from "../../pipeline/clock.ts";
import { note, print } from "../../pipeline/io.ts";
import { openSource } from "../../pipeline/snapshot/open_source.ts";
import { SnapshotReader } from "../../pipeline/snapshot/reader.ts";
import { runLoad } from "./load.ts";
import { cpuMicroseconds } from "./measure.ts";

const HELP = `What the rate limit costs.

  deno task bench:limiter [--snapshot DIR] [--burst N] [--seconds N] [--rounds N]

  --snapshot DIR   snapshot to look up in (default .data/sample)
  --burst N        requests each client sends before the next one comes, at most 60 (default 40)
  --seconds N      length of a round (default 2)
  --rounds N       rounds of each server, in turn; the median counts (default 3)`;

const ROOT = new URL("../../", import.meta.url);
const CONNECTIONS = 32;
const PATHS = ["286764", "146793", "295017"].map((dot) => `/api/v1/carriers/${dot}`);

/** Accepts everything, and answers in the same form. */
class NoLimit extends RateLimiter {
  static readonly #yes: Decision = { accepted: true, remaining: 59, reset: 60, degraded: false };

  override take(): Decision {
    return NoLimit.#yes;
  }
}

/** A server to measure: `burst` requests of each client, or all of one that is refused. */
interface Case {
  name: string;
  store: "none" | "process" | "memory" | "file";
  burst: number;
}

interface Figures {
  requestsPerSecond: number;
  p99: number;
  /** Microseconds of the server's CPU time a request. */
  cpu: number;
}

function limiterOf(store: Case["store"], file: string): RateLimiter {
  const clock = SYSTEM_CLOCK;
  if (store === "none") return new NoLimit({ store: null, clock });
  if (store === "process") return new RateLimiter({ store: null, clock });
  return counting(new DenoKv(store === "memory" ? ":memory:" : file));
}

function counting(kv: DenoKv): RateLimiter {
  return new RateLimiter({ store: { kv, hash: new KeyedHash(kv) }, clock: SYSTEM_CLOCK });
}

/** Serves until it is killed. Clients are made up here: a peer address for each burst. */
function serve(
  folder: string,
  { store, burst, file }: Omit<Case, "name"> & { file: string },
): void {
  const app = createApp({
    operations: OPERATIONS,
    mounts: [],
    reader: new SnapshotReader(openSource(folder), { clock: SYSTEM_CLOCK }),
    clock: SYSTEM_CLOCK,
    limiter: limiterOf(store, file),
    proxyHops: 0,
    sharedCache: false,
    // No batch is sent here.
    batches: {} as BatchOptions,
    foreground: { open: 0 },
    baseUrl: "http://localhost",
    log: note,
  });
  let requests = 0;
  Deno.serve({ port: 0, onListen: ({ port }) => print(String(port)) }, async (request) => {
    const client = Math.floor(requests++ / burst);
    const hostname = `10.${client >> 16 & 255}.${client >> 8 & 255}.${client & 255}`;
    const response = await app.fetch(request, {
      remoteAddr: { transport: "tcp", hostname, port: 1 },
    });
    if (response.status !== 429) return response;
    // The load generator takes a 200 only.
    return new Response(await response.text(), { headers: response.headers });
  });
}

/** Runs a server, loads it in rounds on request, and stops it. */
async function startServer(folder: string, { store, burst }: Case): Promise<{
  round(milliseconds: number): Promise<Figures>;
  stop(): Promise<void>;
}> {
  const dir = await Deno.makeTempDir();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "test/bench/limiter.ts", "--serve", store, "--burst", String(burst)]
      .concat("--snapshot", folder, "--file", `${dir}/kv`),
    cwd: ROOT,
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const output = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const port = Number((await output.read()).value);
  return {
    async round(milliseconds) {
      const before = await cpuMicroseconds(child.pid);
      const load = await runLoad({ port, paths: PATHS, connections: CONNECTIONS, milliseconds });
      const cpu = (await cpuMicroseconds(child.pid) - before) / load.requests;
      return { requestsPerSecond: load.requestsPerSecond, p99: load.p99, cpu };
    },
    async stop() {
      child.kill("SIGKILL");
      await output.cancel();
      await child.status;
      await Deno.remove(dir, { recursive: true });
    },
  };
}

/** Microseconds of `take()` one by one, for 1,000 clients at once, and for a refusal. */
async function takeAlone(limiter: RateLimiter): Promise<string[]> {
  const clients = Array.from({ length: 1_000 }, (_, i) => `client ${i}`);
  await limiter.take("first");
  const start = performance.now();
  for (const client of clients) await limiter.take(client);
  const alone = (performance.now() - start) / clients.length;
  const middle = performance.now();
  await Promise.all(clients.map((client) => limiter.take(client)));
  const together = (performance.now() - middle) / clients.length;
  for (let i = 0; i < 60; i++) await limiter.take(clients[0]!);
  const refusals = 200_000;
  const end = performance.now();
  for (let i = 0; i < refusals; i++) limiter.take(clients[0]!);
  const refusal = (performance.now() - end) / refusals;
  return [alone, together, refusal].map((milliseconds) => (milliseconds * 1000).toFixed(2));
}

function table(rows: string[][]): void {
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)));
  for (const row of rows) {
    const cells = row.map((cell, at) =>
      at === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[at]!)
    );
    print(`  ${cells.join("  ")}`);
  }
}

async function bench(
  folder: string,
  { burst, seconds, rounds }: { burst: number; seconds: number; rounds: number },
): Promise<void> {
  const cases: Case[] = [
    { name: "accepts everything", store: "none", burst },
    { name: "in the process only", store: "process", burst },
    { name: "Deno KV in memory", store: "memory", burst },
    { name: "Deno KV in memory, bursts of 5", store: "memory", burst: 5 },
    { name: "Deno KV in a file", store: "file", burst },
    { name: "refusals, Deno KV in memory", store: "memory", burst: Infinity },
  ];
  print(
    `Data: ${folder}; ${CONNECTIONS} keep-alive connections, ${rounds} rounds of ${seconds} s;`,
  );
  print(`each client sends ${burst} requests one after the other, then never comes back`);
  const servers = await Promise.all(cases.map((one) => startServer(folder, one)));
  const figures: Figures[][] = cases.map(() => []);
  try {
    for (const server of servers) await server.round(1_000);
    for (let round = 0; round < rounds; round++) {
      for (const [at, server] of servers.entries()) {
        figures[at]!.push(await server.round(seconds * 1000));
      }
    }
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
  const median = (list: Figures[], of: (figures: Figures) => number): number =>
    list.map(of).sort((a, b) => a - b)[list.length >> 1]!;
  const base = median(figures[0]!, (one) => one.requestsPerSecond);
  const baseCpu = median(figures[0]!, (one) => one.cpu);
  table([
    ["limiter", "requests/s", "of the first", "p99 ms", "CPU us/request", "by CPU"],
    ...cases.map(({ name }, at) => {
      const perSecond = median(figures[at]!, (one) => one.requestsPerSecond);
      const cpu = median(figures[at]!, (one) => one.cpu);
      const p99 = median(figures[at]!, (one) => one.p99);
      return [name, perSecond.toFixed(0), (perSecond / base).toFixed(2), p99.toFixed(1)]
        .concat(cpu.toFixed(1), (baseCpu / cpu).toFixed(2));
    }),
  ]);
  print("To reach: 0.5 with Deno KV in memory");
  const dir = await Deno.makeTempDir();
  const stores = [new DenoKv(":memory:"), new DenoKv(`${dir}/kv`)];
  table([
    ["take() alone, us", "one by one", "1,000 at once", "refusal"],
    ["Deno KV in memory", ...await takeAlone(counting(stores[0]!))],
    ["Deno KV in a file", ...await takeAlone(counting(stores[1]!))],
  ]);
  for (const store of stores) await store.close();
  await Deno.remove(dir, { recursive: true });
}

const { values } = parseArgs({
  options: {
    help: { type: "boolean", short: "h" },
    snapshot: { type: "string", default: new URL(".data/sample", ROOT).pathname },
    burst: { type: "string", default: "40" },
    seconds: { type: "string", default: "2" },
    rounds: { type: "string", default: "3" },
    serve: { type: "string" },
    file: { type: "string", default: "" },
  },
});
const { snapshot, file } = values;
const burst = Number(values.burst);
if (values.help) print(HELP);
else if (values.serve !== undefined) {
  serve(snapshot, { store: values.serve as Case["store"], burst, file });
} else {
  await bench(snapshot, {
    burst,
    seconds: Number(values.seconds),
    rounds: Number(values.rounds),
  });
}
