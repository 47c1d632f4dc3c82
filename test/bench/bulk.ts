/**
 * `deno task bench:bulk [DIR]`: a batch and a job over random USDOT numbers, compared with a plain loop of
 * single lookups, from disk and over HTTP with a delay.
 *
 * @module
 */

import { print } from "../../pipeline/io.ts";
import { sleep } from "../../pipeline/retry.ts";
import { folderSource } from "../../pipeline/snapshot/sources/open_source.ts";
import { serve } from "../serve.ts";
import type { BulkCost } from "./bulk_process.ts";
import {
  carrierShards,
  inTurn,
  openBenchSnapshot,
  printMedians,
  quantile,
  SAMPLE,
} from "./harness.ts";
import { clientAddress, drain } from "./load.ts";
import { runMeasured, startService } from "./processes.ts";

const ROUNDS = 3;
const DELAY_MS = 20;
const BATCH = 100;
const JOB = 5_000;
/** Lookups before each run, until the shard cache is full and V8 has grown to its working size. */
const WARM = 6_000;
/** Clients that each read a job while single lookups are timed. */
const CROWD = 10;

const [folder = SAMPLE] = Deno.args;
print(`Data: ${folder}; each run is a process of its own, after ${WARM} lookups; KV in a file`);
const warm = await knownNumbers(WARM + JOB);
const dots = warm.splice(WARM);
const file = await Deno.makeTempFile();
{
  const { get } = folderSource(folder);
  await using slow = serve(async (request) => {
    const bytes = get(new URL(request.url).pathname.slice(1));
    await sleep(DELAY_MS);
    return new Response(await bytes);
  });
  const cases: Record<string, () => Promise<BulkCost>> = {};
  for (
    const [task, items, from, address] of [
      ["loop", JOB, "disk", folder],
      ["job", JOB, "disk", folder],
      ["job", JOB, `HTTP ${DELAY_MS} ms`, slow.url],
      ["loop", BATCH, `HTTP ${DELAY_MS} ms`, slow.url],
      ["batch", BATCH, `HTTP ${DELAY_MS} ms`, slow.url],
    ] as const
  ) {
    cases[`${task} of ${items}, ${from}`] = async () => {
      await Deno.writeTextFile(file, JSON.stringify({ warm, dots: dots.slice(0, items) }));
      const args = ["run", "-A", "test/bench/bulk_process.ts", task, address, file];
      return JSON.parse((await runMeasured(args)).stdout);
    };
  }
  printMedians(await inTurn(cases, ROUNDS), [
    ["seconds", (it) => it.seconds, 2],
    ["CPU s", (it) => it.cpuSeconds, 2],
    ["MB read", (it) => it.bytesRead / 1e6, 1],
    ["MB out", (it) => it.bytesOut / 1e6, 1],
    ["MB grown", (it) => it.growthBytes / 1e6, 1],
  ]);
}
await Deno.remove(file);

await using server = await startService(folder);
print(`A lookup alone: ${await lookups(sleep(3_000))}`);
const began = performance.now();
const beside = await lookups(Promise.all(Array.from({ length: CROWD }, (_, n) => readJob(n))));
const seconds = ((performance.now() - began) / 1000).toFixed(2);
print(`While ${CROWD} clients read jobs of ${JOB} in ${seconds} s: ${beside}`);

/** Numbers in the snapshot, spread over as many shards as possible, in random order. */
async function knownNumbers(count: number): Promise<number[]> {
  const snapshot = await openBenchSnapshot(folder);
  const random = (below: number): number => Math.floor(Math.random() * below);
  const dots: number[] = [];
  while (dots.length < count) {
    for await (const { records } of carrierShards(snapshot, count)) {
      dots.splice(random(dots.length + 1), 0, records[random(records.length)]!.dot);
    }
  }
  return dots.slice(0, count);
}

async function readJob(n: number): Promise<void> {
  const client = clientAddress(n);
  const created = await fetch(`${server.address}/api/v1/jobs`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Forwarded-For": client },
    body: JSON.stringify({ dots: [...dots.slice(n), ...dots.slice(0, n)].map(String) }),
  });
  const { id } = await created.json();
  await drain(server.port, `/api/v1/jobs/${id}`, client);
}

/** Latencies of one lookup every 5 ms until something ends, each from a new address. */
async function lookups(ends: Promise<unknown>): Promise<string> {
  const times: number[] = [];
  const open: Promise<void>[] = [];
  let ended = false;
  void ends.then(() => ended = true);
  for (let n = 0; !ended; n++) {
    const start = performance.now();
    const path = `/api/v1/carriers/${dots[n % dots.length]}`;
    const answered = drain(server.port, path, clientAddress(100_000 + n));
    open.push(answered.then(() => void times.push(performance.now() - start)));
    await sleep(5);
  }
  await Promise.all([...open, ends]);
  const [p50, p99] = [0.5, 0.99].map((share) => quantile(times, share).toFixed(1));
  return `p50 ${p50} ms, p99 ${p99} ms of ${times.length}`;
}
