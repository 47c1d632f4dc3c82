/**
 * `deno task bench:lookup [DIR]`: warm and cold lookups against a bare `Deno.serve` that returns the same
 * bytes.
 *
 * @module
 */

import { print } from "../../pipeline/io.ts";
import { type Run, start } from "../run_main.ts";
import type { BareAnswer } from "./bare_server.ts";
import {
  carrierShards,
  inTurn,
  openBenchSnapshot,
  printMedians,
  quantile,
  SAMPLE,
} from "./harness.ts";
import { clientAddress, CONNECTIONS, type LoadResult, runLoad } from "./load.ts";
import { startService } from "./processes.ts";

const ROUNDS = 7;
const ROUND_MS = 1_500;
const SHARDS = 200;

const [folder = SAMPLE] = Deno.args;
const snapshot = await openBenchSnapshot(folder);
const shards = await Array.fromAsync(carrierShards(snapshot, SHARDS));
const paths = shards.map(({ records }) => records.map(({ dot }) => `/api/v1/carriers/${dot}`));
const few = paths.map((of) => of[of.length >> 1]!);
const many = paths.flat();
print(`Snapshot ${snapshot.id}, ${snapshot.manifest.counts.carriers} carriers; ${CONNECTIONS}`);
print(`connections, ${ROUNDS} rounds of ${ROUND_MS / 1000} s each, in turn`);

await using ours = await startService(folder);
const cold = await record(ours, few);
const file = await Deno.makeTempFile();
await Deno.writeTextFile(file, JSON.stringify((await record(ours, few)).answers));
const bare = (encoding: string): Promise<Run> =>
  start({}, { args: ["run", "-A", "test/bench/bare_server.ts", file, encoding] });
await using plain = await bare("identity");
await using gzip = await bare("gzip");
await Deno.remove(file);

const load = (server: Run, paths: string[], encoding?: string) => () =>
  runLoad(server, { paths, milliseconds: ROUND_MS, ...encoding && { encoding } });
const cases = {
  "bare Deno.serve": load(plain, few),
  [`${few.length} carriers, answers cached`]: load(ours, few),
  [`${many.length} carriers in turn, answers computed`]: load(ours, many),
  "bare Deno.serve, gzipped": load(gzip, few, "gzip"),
  "answers cached, gzipped": load(ours, few, "gzip"),
};
await inTurn(cases, 1);
const rounds = await inTurn(cases, ROUNDS);
const [bareRounds, , , bareGzipRounds] = [...rounds.values()];
// For each pair of rounds, which ran under about the same load.
const results = new Map(
  rounds.entries().map(([name, all]) => {
    const peers = name.endsWith("gzipped") ? bareGzipRounds! : bareRounds!;
    return [name, all.map((result, round) => ({ ...result, peer: peers[round]! }))];
  }),
);
type Compared = LoadResult & { peer: LoadResult };
printMedians<Compared>(results, [
  ["requests/s", (it) => it.requestsPerSecond, 0],
  ["share", (it) => it.requestsPerSecond / it.peer.requestsPerSecond, 2],
  ["CPU us", (it) => it.cpu, 1],
  ["share by CPU", (it) => it.peer.cpu / it.cpu, 2],
  ["p50 ms", (it) => it.p50, 2],
  ["p99 ms", (it) => it.p99, 2],
]);
const sizes = shards.map(({ bytes }) => bytes);
const [median, p99, most] = [0.5, 0.99, 1].map((share) => quantile(sizes, share));
print(
  `Cold lookup: one object, median ${median} bytes, p99 ${p99}, largest ${most} of ` +
    `${sizes.length}; median ${quantile(cold.times, 0.5).toFixed(2)} ms`,
);

/** The service's responses for the bare server to return, and the time of each. */
async function record(
  { address }: Run,
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
    const headers = [...response.headers].filter(([name]) => !/^(date|content-length)$/.test(name));
    answers.push({ headers, body });
  }
  return { answers, times };
}
