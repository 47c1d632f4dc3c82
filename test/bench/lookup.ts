/**
 * `deno task bench:lookup [DIR]`: warm and cold lookups against a bare `Deno.serve` that returns the same
 * bytes.
 *
 * @module
 */

import { print } from "../../pipeline/io.ts";
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
import { clientAddress, CONNECTIONS, type LoadResult, runLoad } from "./load.ts";
import { type BenchServer, startServer, startService } from "./processes.ts";
import type { BareAnswer } from "./servers.ts";

const ROUNDS = 7;
const ROUND_MS = 1_500;
const SHARDS = 200;

/** The answers of a running service, as the bare server is to give them, and the time of each. */
async function record(
  { address }: BenchServer,
  paths: string[],
): Promise<{ answers: BareAnswer[]; times: number[] }> {
  const answers: BareAnswer[] = [];
  const times: number[] = [];
  for (const [n, path] of paths.entries()) {
    const began = performance.now();
    const response = await fetch(address + path, {
      headers: { "Accept-Encoding": "identity", "X-Forwarded-For": clientAddress(n) },
    });
    const body = await response.text();
    times.push(performance.now() - began);
    const headers = [...response.headers].filter(([name]) =>
      !["date", "content-length"].includes(name)
    );
    answers.push({ headers, body });
  }
  return { answers, times };
}

const command = benchCommand("lookup", "compare warm and cold lookups with a bare Deno.serve")
  .argument("[dir]", "folder of a snapshot", SAMPLE);

await runBench(command, async (_, folder) => {
  const { id, manifest, shards } = await openBenchSnapshot(folder!);
  const sampled = await Array.fromAsync(shards(SHARDS));
  const inEach = sampled.map(({ records }) => records.map(({ dot }) => `/api/v1/carriers/${dot}`));
  const paths = inEach.map((of) => of[of.length >> 1]!);
  const all = inEach.flat();
  print(
    `Snapshot ${id}, ${manifest.counts.carriers} carriers; ${CONNECTIONS} connections, ` +
      `${ROUNDS} rounds of ${ROUND_MS / 1000} s each, in turn`,
  );
  await using ours = await startService(folder!);
  const cold = await record(ours, paths);
  const file = await Deno.makeTempFile();
  await Deno.writeTextFile(file, JSON.stringify((await record(ours, paths)).answers));
  const bare = (encoding: string) => startServer(["test/bench/servers.ts", "bare", file, encoding]);
  await using identity = await bare("identity");
  await using gzip = await bare("gzip");
  await Deno.remove(file);
  const names = {
    cached: `${paths.length} carriers, finished answers cached`,
    made: `${all.length} carriers in turn: shard cached, answer made again`,
    bare: "bare Deno.serve",
    cachedGzip: "finished answers cached, gzipped",
    bareGzip: "bare Deno.serve of gzipped bytes",
  };
  const measure = (server: BenchServer, paths: string[], encoding?: string): Promise<LoadResult> =>
    runLoad(server, { paths, milliseconds: ROUND_MS, encoding });
  const cases: Record<keyof typeof names, () => Promise<LoadResult>> = {
    cached: () => measure(ours, paths),
    made: () => measure(ours, all),
    bare: () => measure(identity, paths),
    cachedGzip: () => measure(ours, paths, "gzip"),
    bareGzip: () => measure(gzip, paths, "gzip"),
  };
  await inTurn(cases, { rounds: 1 });
  const rounds = await inTurn(cases, { rounds: ROUNDS });
  const table = [[
    "",
    "requests/s",
    "p50 ms",
    "p99 ms",
    "CPU us",
    "of bare by CPU",
    "by requests/s",
  ]];
  for (const [key, results] of rounds) {
    // Of each pair of rounds, which ran under about the same load.
    const peer = rounds.get(key.endsWith("Gzip") ? "bareGzip" : "bare")!;
    const ratio = (of: (round: LoadResult) => number): string =>
      quantile(results.map((round, at) => of(round) / of(peer[at]!)), 0.5).toFixed(2);
    table.push([
      names[key],
      median(results, (round) => round.requestsPerSecond).toFixed(0),
      median(results, (round) => round.p50).toFixed(2),
      median(results, (round) => round.p99).toFixed(2),
      median(results, (round) => round.cpu).toFixed(1),
      ratio(({ cpu }) => 1 / cpu),
      ratio((round) => round.requestsPerSecond),
    ]);
  }
  printTable(table);
  const sizes = sampled.map(({ bytes }) => bytes);
  print(
    `Cold lookup: one object, median ${quantile(sizes, 0.5)} bytes, p99 ${
      quantile(sizes, 0.99)
    }, ` +
      `largest ${quantile(sizes, 1)} of ${sizes.length}; median ${
        quantile(cold.times, 0.5).toFixed(2)
      } ms`,
  );
  return { rounds: Object.fromEntries(rounds), sizes, cold: cold.times };
});
