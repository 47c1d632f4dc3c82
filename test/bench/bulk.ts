/**
 * `deno task bench:bulk`: batch and job over a snapshot beside a plain loop of single lookups, from disk and
 * over HTTP with a delay.
 *
 * @module
 */

import { sleep } from "../../pipeline/retry.ts";
import { print } from "../../pipeline/io.ts";
import type { BulkCost } from "./bulk_process.ts";
import {
  benchCommand,
  inTurn,
  median,
  openBenchSnapshot,
  printTable,
  quantile,
  runBench,
  SAMPLE,
} from "./harness.ts";
import { clientAddress, drain } from "./load.ts";
import { runMeasured, startServer, startService } from "./processes.ts";

const DELAY_MS = 20;
const BATCH = 100;
const JOB = 5_000;
/** Lookups before each run: the cache of shards is full then, and V8 has grown to its working size. */
const WARM = 6_000;
/** The loop with a delay would take minutes: a part of it is enough. */
const SLOW_LOOP = 250;

/** Numbers that the snapshot knows, of as many shards as there are, in random order. */
async function knownNumbers(folder: string, count: number): Promise<number[]> {
  const { shards } = await openBenchSnapshot(folder);
  const random = (below: number): number => Math.floor(Math.random() * below);
  const dots: number[] = [];
  while (dots.length < count) {
    for await (const { records } of shards(count)) dots.push(records[random(records.length)]!.dot);
  }
  for (let i = dots.length - 1; i > 0; i--) {
    const k = random(i + 1);
    [dots[i], dots[k]] = [dots[k]!, dots[i]!];
  }
  return dots.slice(0, count);
}

/** Clients that read a job each, while single lookups are timed. */
const CROWD = 10;

/** Times single lookups alone, and while many read jobs. */
async function crowd(folder: string, dots: readonly number[]): Promise<void> {
  await using server = await startService(folder, { LOG: "off" });
  const { address, port } = server;
  const alone = await lookups(port, { dots, ends: sleep(3_000) });
  const jobs = Array.from({ length: CROWD }, async (_, n) => {
    const client = clientAddress(n);
    const created = await fetch(`${address}/api/v1/jobs`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Forwarded-For": client },
      body: JSON.stringify({ dots: [...dots.slice(n), ...dots.slice(0, n)].map(String) }),
    });
    const { id } = await created.json();
    await drain(port, `/api/v1/jobs/${id}`, client);
  });
  const start = performance.now();
  const ends = Promise.all(jobs);
  const crowded = await lookups(port, { dots, ends });
  const seconds = ((performance.now() - start) / 1000).toFixed(2);
  print(`A lookup alone: p50 ${alone.p50.toFixed(1)} ms, p99 ${alone.p99.toFixed(1)} ms`);
  print(
    `While ${CROWD} clients read jobs of ${JOB} in ${seconds} s: p50 ${
      crowded.p50.toFixed(1)
    } ms, ` +
      `p99 ${crowded.p99.toFixed(1)} ms (to reach: 50) of ${crowded.count}`,
  );
}

/** Latencies of one lookup each 5 ms, each from an address of its own. */
async function lookups(
  port: number,
  { dots, ends }: { dots: readonly number[]; ends: Promise<unknown> },
): Promise<{ p50: number; p99: number; count: number }> {
  const times: number[] = [];
  const open: Promise<void>[] = [];
  let ended = false;
  void ends.then(() => ended = true);
  for (let n = 0; !ended; n++) {
    const start = performance.now();
    const path = `/api/v1/carriers/${dots[n % dots.length]}`;
    open.push(
      drain(port, path, clientAddress(100_000 + n)).then(() => {
        times.push(performance.now() - start);
      }),
    );
    await sleep(5);
  }
  await Promise.all(open);
  await ends;
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99), count: times.length };
}

const command = benchCommand(
  "bulk",
  "compare a batch and a job with single lookups, for random USDOT numbers",
)
  .option("--snapshot <dir>", "folder of a snapshot", SAMPLE)
  .option("--runs <n>", "alternating runs of each, for the median", "3");

await runBench<{ snapshot: string; runs: string }>(command, async ({ snapshot, runs }) => {
  print(
    `Data: ${snapshot}; each run is a process of its own, after ${WARM} single lookups; KV in a file`,
  );
  const dots = await knownNumbers(snapshot, WARM + JOB);
  const warm = dots.splice(0, WARM);
  const file = await Deno.makeTempFile();
  await using server = await startServer([
    "test/bench/servers.ts",
    "slow",
    snapshot,
    String(DELAY_MS),
  ]);
  const cases: Record<string, () => Promise<BulkCost>> = {};
  for (
    const [from, address] of [["disk", snapshot], [`HTTP ${DELAY_MS} ms`, server.address]] as const
  ) {
    const loop = address === server.address ? SLOW_LOOP : JOB;
    const tasks = [["loop", BATCH], ["batch", BATCH], ["loop", loop], ["job", JOB]] as const;
    for (const [task, items] of tasks) {
      cases[`${task} of ${items}, ${from}`] = async () => {
        await Deno.writeTextFile(file, JSON.stringify({ warm, dots: dots.slice(0, items) }));
        const program = "test/bench/bulk_process.ts";
        return JSON.parse((await runMeasured(["run", "-A", program, task, address, file])).stdout);
      };
    }
  }
  const costs = await inTurn(cases, { rounds: Number(runs) });
  await Deno.remove(file);
  printTable([
    ["", "seconds", "CPU s", "commits", "reads", "MB read", "MB out", "MB grown"],
    ...costs.entries().map(([name, all]) => {
      const of = (member: keyof BulkCost): number => median(all, (cost) => cost[member]);
      const megabytes = (member: keyof BulkCost): string => (of(member) / 1e6).toFixed(1);
      return [name, of("seconds").toFixed(2), of("cpuSeconds").toFixed(2)]
        .concat(String(of("commits")), String(of("reads")))
        .concat(megabytes("bytesRead"), megabytes("bytesOut"), megabytes("growthBytes"));
    }),
  ]);
  await crowd(snapshot, dots);
  return Object.fromEntries(costs);
});
