/**
 * `deno task bench:limiter`: warm lookups without it and with it in several stores, refusals, and
 * `take()` alone. Each server is a process of its own; the load comes from this one.
 *
 * @module
 */

import { Option } from "commander";
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
import {
  benchCommand,
  inTurn,
  median,
  openBenchSnapshot,
  printTable,
  runBench,
  SAMPLE,
} from "./harness.ts";
import { clientAddress, CONNECTIONS, type LoadResult, runLoad } from "./load.ts";
import { startServer } from "./processes.ts";

/** Accepts everything, and answers in the same form. */
class NoLimit extends RateLimiter {
  static readonly #yes: Decision = { accepted: true, remaining: 59, reset: 60, degraded: false };

  override take(): Decision {
    return NoLimit.#yes;
  }
}

interface Options {
  snapshot: string;
  burst: string;
  seconds: string;
  rounds: string;
  /** Given to a process that is to serve; Infinity requests of one client are refused. */
  store?: "none" | "process" | "memory" | "file";
  file?: string;
}

function limiterOf({ store, file }: Options): RateLimiter {
  const clock = SYSTEM_CLOCK;
  if (store === "none") return new NoLimit({ store: null, clock });
  if (store === "process") return new RateLimiter({ store: null, clock });
  return counting(new DenoKv(store === "memory" ? ":memory:" : file!));
}

function counting(kv: DenoKv): RateLimiter {
  return new RateLimiter({ store: { kv, hash: new KeyedHash(kv) }, clock: SYSTEM_CLOCK });
}

/** Serves until it is killed. Clients are made up here: a peer address for each burst. */
function serve(options: Options): void {
  const burst = Number(options.burst);
  const app = createApp({
    operations: OPERATIONS,
    mounts: [],
    reader: new SnapshotReader(openSource(options.snapshot), { clock: SYSTEM_CLOCK }),
    clock: SYSTEM_CLOCK,
    limiter: limiterOf(options),
    proxyHops: 0,
    sharedCache: false,
    // No batch is sent here.
    batches: {} as BatchOptions,
    foreground: { open: 0, cameAt: 0 },
    baseUrl: "http://localhost",
    log: note,
  });
  let requests = 0;
  Deno.serve(
    { port: 0, onListen: ({ port }) => print(`http://localhost:${port}`) },
    async (request) => {
      const hostname = clientAddress(Math.floor(requests++ / burst));
      const response = await app.fetch(request, {
        remoteAddr: { transport: "tcp", hostname, port: 1 },
      });
      if (response.status !== 429) return response;
      // The load generator takes a 200 only.
      return new Response(await response.text(), { headers: response.headers });
    },
  );
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

const CASES: Record<string, Pick<Options, "store"> & { burst?: string }> = {
  "accepts everything": { store: "none" },
  "counts in the process": { store: "process" },
  "Deno KV in memory": { store: "memory" },
  "Deno KV in memory, bursts of 5": { store: "memory", burst: "5" },
  "Deno KV in a file": { store: "file" },
  "refuses, Deno KV in memory": { store: "memory", burst: "Infinity" },
};

const command = benchCommand("limiter", "measure the cost of the rate limit")
  .option("--snapshot <dir>", "snapshot to look up in", SAMPLE)
  .option("--burst <n>", "requests per client before the next client starts, at most 60", "40")
  .option("--seconds <n>", "length of a round", "2")
  .option("--rounds <n>", "alternating rounds of each server, for the median", "3")
  .addOption(new Option("--store <name>").hideHelp())
  .addOption(new Option("--file <path>").hideHelp());

await runBench<Options>(command, async (options) => {
  if (options.store !== undefined) return serve(options);
  const { snapshot, seconds, rounds } = options;
  print(
    `Data: ${snapshot}; ${CONNECTIONS} keep-alive connections, ${rounds} rounds of ${seconds} s;`,
  );
  print("each client sends its requests one after the other, then never comes back");
  const paths: string[] = [];
  for await (const { records } of (await openBenchSnapshot(snapshot)).shards(3)) {
    paths.push(`/api/v1/carriers/${records[0]!.dot}`);
  }
  const dir = await Deno.makeTempDir();
  await using servers = new AsyncDisposableStack();
  const cases: Record<string, () => Promise<LoadResult>> = {};
  for (const [name, { store, burst = options.burst }] of Object.entries(CASES)) {
    const file = `${dir}/${name}`;
    const args = ["--store", store!, "--burst", burst, "--snapshot", snapshot, "--file", file];
    const server = servers.use(await startServer(["test/bench/limiter.ts", ...args]));
    await runLoad(server, { paths, milliseconds: 1_000 });
    cases[name] = () => runLoad(server, { paths, milliseconds: Number(seconds) * 1000 });
  }
  const figures = await inTurn(cases, { rounds: Number(rounds) });
  const first = figures.values().next().value!;
  const base = median(first, (one) => one.requestsPerSecond);
  const baseCpu = median(first, (one) => one.cpu);
  printTable([
    ["limiter", "requests/s", "of the first", "p99 ms", "CPU us/request", "by CPU"],
    ...figures.entries().map(([name, all]) => {
      const perSecond = median(all, (one) => one.requestsPerSecond);
      const cpu = median(all, (one) => one.cpu);
      const p99 = median(all, (one) => one.p99);
      return [name, perSecond.toFixed(0), (perSecond / base).toFixed(2), p99.toFixed(1)]
        .concat(cpu.toFixed(1), (baseCpu / cpu).toFixed(2));
    }),
  ]);
  const stores = [new DenoKv(":memory:"), new DenoKv(`${dir}/alone`)] as const;
  printTable([
    ["take() alone, us", "one by one", "1,000 at once", "refusal"],
    ["Deno KV in memory", ...await takeAlone(counting(stores[0]))],
    ["Deno KV in a file", ...await takeAlone(counting(stores[1]))],
  ]);
  for (const store of stores) await store.close();
  await Deno.remove(dir, { recursive: true });
  return Object.fromEntries(figures);
});
