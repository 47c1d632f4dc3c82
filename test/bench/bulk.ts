/**
 * Batch and job over a snapshot beside a plain loop of single lookups, from disk and over HTTP with a
 * delay: `deno task bench:bulk [--snapshot DIR]`. Each run is a process of its own.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { sleep, SYSTEM_CLOCK } from "../../pipeline/clock.ts";
import { note, print } from "../../pipeline/io.ts";
import { shardPath, snapshotPath } from "../../pipeline/snapshot/manifest.ts";
import { openSource } from "../../pipeline/snapshot/open_source.ts";
import { SnapshotReader } from "../../pipeline/snapshot/reader.ts";
import { decodeCarriers } from "../../pipeline/snapshot/shards.ts";
import { clientAddress } from "./load.ts";
import type { BulkCost, BulkTask } from "./bulk_process.ts";

const HELP = `Times batch and job at random known numbers beside a loop of single lookups.

  deno task bench:bulk [--snapshot DIR] [--runs N]

  --snapshot DIR   folder of a snapshot (default .data/sample)
  --runs N         runs of each; the median counts (default 3)`;

const ROOT = new URL("../../", import.meta.url);
const DELAY_MS = 20;
const BATCH = 100;
const JOB = 5_000;
/** Lookups before each run: the cache of shards is full then, and V8 has grown to its working size. */
const WARM = 6_000;
/** The loop with a delay would take minutes: a part of it is enough. */
const SLOW_LOOP = 250;

/** Random numbers that the snapshot knows. */
async function knownNumbers(folder: string, count: number): Promise<number[]> {
  const source = openSource(folder);
  const { id, manifest } = await new SnapshotReader(source, { clock: SYSTEM_CLOCK })
    .use((snapshot) => Promise.resolve(snapshot));
  const { runs, width } = manifest.families.carriers;
  const shards = runs.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, i) => first + i)
  );
  const dots: number[] = [];
  while (dots.length < count) {
    const shard = shards[Math.floor(Math.random() * shards.length)]!;
    const bytes = await source.get(`${snapshotPath(id)}/${shardPath("carriers", shard)}`);
    if (bytes === null) throw new Error(`Cannot find carrier shard ${shard}`);
    const { value } = await decodeCarriers(bytes, { shard, width });
    dots.push(value[Math.floor(Math.random() * value.length)]!.dot);
  }
  return dots;
}

async function startServer(folder: string): Promise<{ address: string; stop(): Promise<void> }> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "test/bench/slow_server.ts", folder, String(DELAY_MS)],
    cwd: ROOT,
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const output = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  let address: string | undefined;
  while (address === undefined) {
    const { value, done } = await output.read();
    if (done) throw new Error("Cannot start the server: it ended without an address");
    text += value;
    address = /http:\/\/localhost:\d+/.exec(text)?.[0];
  }
  return {
    address,
    async stop() {
      child.kill("SIGKILL");
      await output.cancel();
      await child.status;
    },
  };
}

async function run(task: BulkTask, snapshot: string, file: string): Promise<BulkCost> {
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "test/bench/bulk_process.ts", task, snapshot, file],
    cwd: ROOT,
    stdout: "piped",
    stderr: "inherit",
  }).output();
  if (!success) throw new Error(`The run of ${task} failed`);
  return JSON.parse(new TextDecoder().decode(stdout));
}

const COLUMNS = [12, 10, 7, 9, 9, 9, 9, 10, 10, 10] as const;

function row(cells: readonly string[]): void {
  print(
    cells.map((cell, i) => i < 2 ? cell.padEnd(COLUMNS[i]!) : cell.padStart(COLUMNS[i]!)).join(""),
  );
}

/** Clients that read a job each, while single lookups are timed. */
const CROWD = 10;

/** Times single lookups alone, and while many read jobs. */
async function crowd(folder: string, dots: readonly number[]): Promise<void> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "main.ts"],
    cwd: ROOT,
    env: {
      SNAPSHOT_URL: folder,
      PORT: "0",
      BASE_URL: "",
      KV_PATH: ":memory:",
      LOG: "off",
      TRUSTED_PROXY_HOPS: "1",
    },
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const output = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const address = /http:\/\/localhost:\d+/.exec((await output.read()).value ?? "")![0];
  const from = (n: number): Record<string, string> => ({ "X-Forwarded-For": clientAddress(n) });
  try {
    const alone = await lookups(address, { dots, ends: sleep(3_000) });
    const jobs = Array.from({ length: CROWD }, async (_, n) => {
      const body = JSON.stringify({ dots: [...dots.slice(n), ...dots.slice(0, n)].map(String) });
      const headers = { "Content-Type": "application/json", ...from(n) };
      const created = await fetch(`${address}/api/v1/jobs`, { method: "POST", headers, body });
      const results = await fetch((await created.json()).status_url, { headers: from(n) });
      for await (const _ of results.body!);
      if (!results.ok) throw new Error(`A job answered ${results.status}`);
    });
    const start = performance.now();
    const ends = Promise.all(jobs);
    const crowded = await lookups(address, { dots, ends });
    const seconds = ((performance.now() - start) / 1000).toFixed(2);
    print(`A lookup alone: p50 ${alone.p50.toFixed(1)} ms, p99 ${alone.p99.toFixed(1)} ms`);
    print(
      `While ${CROWD} clients read jobs of ${JOB} in ${seconds} s: p50 ${
        crowded.p50.toFixed(1)
      } ms, ` +
        `p99 ${crowded.p99.toFixed(1)} ms (to reach: 50) of ${crowded.count}`,
    );
  } finally {
    child.kill("SIGKILL");
    await output.cancel();
    await child.status;
  }
}

/** Latencies of one lookup each 5 ms, each from an address of its own. */
async function lookups(
  address: string,
  { dots, ends }: { dots: readonly number[]; ends: Promise<unknown> },
): Promise<{ p50: number; p99: number; count: number }> {
  const times: number[] = [];
  const open: Promise<void>[] = [];
  let ended = false;
  void ends.then(() => ended = true);
  for (let n = 0; !ended; n++) {
    const start = performance.now();
    const headers = { "X-Forwarded-For": clientAddress(100_000 + n) };
    open.push(
      fetch(`${address}/api/v1/carriers/${dots[n % dots.length]}`, { headers }).then(
        async (response) => {
          await response.body?.cancel();
          times.push(performance.now() - start);
        },
      ),
    );
    await sleep(5);
  }
  await Promise.all(open);
  await ends;
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(times.length * share)]!;
  return { p50: at(0.5), p99: at(0.99), count: times.length };
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

async function bench(folder: string, runs: number): Promise<void> {
  print(`Data: ${folder}; ${runs} runs each, the one of median seconds shown`);
  print(`Each run is a process of its own, after ${WARM} single lookups; KV in a file`);
  const dots = await knownNumbers(folder, WARM + JOB);
  const warm = dots.splice(0, WARM);
  const file = await Deno.makeTempFile();
  const server = await startServer(folder);
  const growths: number[] = [];
  try {
    row([
      "from",
      "task",
      "items",
      "seconds",
      "CPU s",
      "commits",
      "reads",
      "MB read",
      "MB out",
      "MB grown",
    ]);
    for (const [name, address] of [["disk", folder], [`HTTP ${DELAY_MS} ms`, server.address]]) {
      const slow = address === server.address;
      const tasks: [BulkTask, number][] = [
        ["loop", BATCH],
        ["batch", BATCH],
        ["loop", slow ? SLOW_LOOP : JOB],
        ["job", JOB],
      ];
      for (const [task, items] of tasks) {
        await Deno.writeTextFile(
          file,
          JSON.stringify({ warm, dots: dots.slice(0, items) }),
        );
        const costs: BulkCost[] = [];
        for (let i = 0; i < runs; i++) costs.push(await run(task, address!, file));
        costs.sort((a, b) => a.seconds - b.seconds);
        if (task === "job") growths.push(...costs.map(({ growthBytes }) => growthBytes));
        const { seconds, cpuSeconds, commits, reads, bytesRead, bytesOut, growthBytes } =
          costs[costs.length >> 1]!;
        row([
          name!,
          task,
          String(items),
          seconds.toFixed(2),
          cpuSeconds.toFixed(2),
          String(commits),
          String(reads),
          megabytes(bytesRead),
          megabytes(bytesOut),
          megabytes(growthBytes),
        ]);
      }
    }
    print("To reach: job from disk 2.5 s, over HTTP 4 s, grown by 40 MB at most, 1 commit");
    print(`Most that a job grew: ${megabytes(Math.max(...growths))} MB`);
    await crowd(folder, dots);
  } finally {
    await server.stop();
    await Deno.remove(file);
  }
}

const { values } = parseArgs({
  options: {
    snapshot: { type: "string", default: new URL(".data/sample", ROOT).pathname },
    runs: { type: "string", default: "3" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) print(HELP);
else {
  try {
    await bench(values.snapshot, Number(values.runs));
  } catch (error) {
    note(
      `Cannot run the bench on ${values.snapshot}: ${
        error instanceof Error ? error.message : error
      }`,
    );
    note("Give the folder of a snapshot, or run `deno task start` once for .data/sample");
    Deno.exitCode = 1;
  }
}
