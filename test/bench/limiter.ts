/**
 * `deno task bench:limiter [DIR]`: warm lookups with requests counted in several stores, refusals, and
 * `take()` alone.
 *
 * @module
 */

import { KeyedHash } from "../../api/state/keyed_hash.ts";
import { DenoKv } from "../../api/state/deno_kv.ts";
import { RateLimiter } from "../../api/state/rate_limit.ts";
import { SYSTEM_CLOCK } from "../../pipeline/clock.ts";
import { print } from "../../pipeline/io.ts";
import {
  carrierShards,
  inTurn,
  openBenchSnapshot,
  printMedians,
  printTable,
  SAMPLE,
} from "./harness.ts";
import { CONNECTIONS, type LoadResult, runLoad } from "./load.ts";
import { startService } from "./processes.ts";

const ROUNDS = 3;
const ROUND_MS = 2_000;

const [folder = SAMPLE] = Deno.args;
print(
  `Data: ${folder}; ${CONNECTIONS} connections, ${ROUNDS} rounds of ${ROUND_MS / 1000} s each;`,
);
print("each client sends 40 requests one after the other, then never comes back");
const shards = await Array.fromAsync(carrierShards(await openBenchSnapshot(folder), 3));
const paths = shards.map(({ records }) => `/api/v1/carriers/${records[0]!.dot}`);
const dir = await Deno.makeTempDir();

const SERVERS: [name: string, env: Record<string, string>, burst: number][] = [
  ["counts in the process", { RATE_LIMIT_STATE: "memory" }, 40],
  ["Deno KV in memory", { RATE_LIMIT_STATE: "kv" }, 40],
  ["Deno KV in memory, bursts of 5", { RATE_LIMIT_STATE: "kv" }, 5],
  ["Deno KV in a file", { RATE_LIMIT_STATE: "kv", KV_PATH: `${dir}/kv` }, 40],
  ["refuses, Deno KV in memory", { RATE_LIMIT_STATE: "kv" }, Infinity],
];
{
  await using servers = new AsyncDisposableStack();
  const cases: Record<string, () => Promise<LoadResult>> = {};
  for (const [name, env, burst] of SERVERS) {
    const server = servers.use(await startService(folder, env));
    cases[name] = () => runLoad(server, { paths, milliseconds: ROUND_MS, burst });
  }
  await inTurn(cases, 1);
  printMedians(await inTurn(cases, ROUNDS), [
    ["requests/s", (it) => it.requestsPerSecond, 0],
    ["p99 ms", (it) => it.p99, 1],
    ["CPU us", (it) => it.cpu, 1],
  ]);
}

const inMemory = new DenoKv(":memory:");
const inFile = new DenoKv(`${dir}/alone`);
printTable([
  ["take() alone, us", "one by one", "1,000 at once", "refusal"],
  ["in the process", ...await takeAlone(null)],
  ["Deno KV in memory", ...await takeAlone(inMemory)],
  ["Deno KV in a file", ...await takeAlone(inFile)],
]);
await inMemory.close();
await inFile.close();
await Deno.remove(dir, { recursive: true });

/** Microseconds of `take()` one by one, for 1,000 clients at once, and for a refusal. */
async function takeAlone(kv: DenoKv | null): Promise<string[]> {
  const store = kv === null ? null : { kv, hash: new KeyedHash(kv) };
  const limiter = new RateLimiter({ store, clock: SYSTEM_CLOCK });
  const clients = Array.from({ length: 1_000 }, (_, i) => `client ${i}`);
  await limiter.take("first");
  const eachOf = async (count: number, work: () => Promise<unknown>): Promise<string> => {
    const began = performance.now();
    await work();
    return ((performance.now() - began) / count * 1000).toFixed(2);
  };
  const alone = await eachOf(1_000, async () => {
    for (const client of clients) await limiter.take(client);
  });
  const together = await eachOf(
    1_000,
    () => Promise.all(clients.map((client) => limiter.take(client))),
  );
  for (let i = 0; i < 60; i++) await limiter.take("first");
  const refusal = await eachOf(200_000, async () => {
    for (let i = 0; i < 200_000; i++) await limiter.take("first");
  });
  return [alone, together, refusal];
}
