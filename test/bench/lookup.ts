/**
 * Warm and cold lookups against a bare `Deno.serve` that returns the same bytes:
 * `deno task bench:lookup [DIR]`. Each server runs in a process of its own; the load comes from this one.
 *
 * @module
 */

import { SYSTEM_CLOCK } from "../../pipeline/clock.ts";
import { note, print } from "../../pipeline/io.ts";
import { shardPath, snapshotPath } from "../../pipeline/snapshot/manifest.ts";
import { openSource } from "../../pipeline/snapshot/open_source.ts";
import { SnapshotReader } from "../../pipeline/snapshot/reader.ts";
import { decodeCarriers } from "../../pipeline/snapshot/shards.ts";
import { clientAddress, type LoadResult, runLoad } from "./load.ts";
import { cpuMicroseconds } from "./measure.ts";

const ROOT = new URL("../../", import.meta.url);
const CONNECTIONS = 32;
const ROUNDS = 7;
const ROUND_MS = 1_500;
const SHARDS = 200;

interface Server {
  port: number;
  pid: number;
  command: string;
  stop(): Promise<void>;
}

interface Round extends LoadResult {
  /** Microseconds of the server's CPU time per request. */
  cpu: number;
}

interface Sample {
  id: string;
  carriers: number;
  /** One path of each sampled shard. */
  paths: string[];
  /** The paths of every carrier in them. */
  all: string[];
  /** Stored bytes of each sampled shard, ascending. */
  sizes: number[];
}

/** Picks carriers from shards spread over the whole snapshot. */
async function sample(folder: string): Promise<Sample> {
  const source = openSource(folder);
  const reader = new SnapshotReader(source, { clock: SYSTEM_CLOCK });
  return await reader.use(async ({ id, manifest }) => {
    const { runs, width, objects } = manifest.families.carriers;
    const paths: string[] = [];
    const all: string[] = [];
    const sizes: number[] = [];
    const step = Math.max(1, Math.floor(objects / SHARDS));
    let seen = 0;
    for (const [first, last] of runs) {
      for (let shard = first; shard <= last; shard++) {
        if (seen++ % step !== 0) continue;
        const bytes = await source.get(`${snapshotPath(id)}/${shardPath("carriers", shard)}`);
        if (bytes === null) throw new Error(`Cannot find carrier shard ${shard}`);
        const { value } = await decodeCarriers(bytes, { shard, width });
        const inShard = value.map(({ dot }) => `/api/v1/carriers/${dot}`);
        paths.push(inShard[inShard.length >> 1]!);
        all.push(...inShard);
        sizes.push(bytes.length);
      }
    }
    sizes.sort((a, b) => a - b);
    return { id, carriers: manifest.counts.carriers, paths, all, sizes };
  });
}

async function startServer(args: string[], env: Record<string, string>): Promise<Server> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", ...args],
    cwd: ROOT,
    env,
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const output = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  let port: string | undefined;
  while (port === undefined) {
    const { value, done } = await output.read();
    if (done) throw new Error(`Cannot start ${args[0]}: it ended without an address`);
    text += value;
    port = /http:\/\/localhost:(\d+)\//.exec(text)?.[1];
  }
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value} `).join("");
  return {
    port: Number(port),
    pid: child.pid,
    command: `${settings}deno run -A ${args.join(" ")}`,
    async stop() {
      child.kill("SIGKILL");
      await output.cancel();
      await child.status;
    },
  };
}

/** The answers of a running service, as the bare server is to give them. */
async function record(port: number, paths: string[]): Promise<string> {
  const answers = [];
  for (const [n, path] of paths.entries()) {
    const response = await fetch(`http://localhost:${port}${path}`, {
      headers: { "Accept-Encoding": "identity", "X-Forwarded-For": clientAddress(n) },
    });
    const headers = [...response.headers].filter(([name]) =>
      !["date", "content-length"].includes(name)
    );
    answers.push({ headers, body: await response.text() });
  }
  return JSON.stringify(answers);
}

/** Load, with the CPU time the server took for each request where the system reports it. */
async function measure(server: Server, paths: string[], encoding?: string): Promise<Round> {
  const before = await cpuMicroseconds(server.pid);
  const { port } = server;
  const result = await runLoad({
    port,
    paths,
    connections: CONNECTIONS,
    milliseconds: ROUND_MS,
    encoding,
  });
  const after = await cpuMicroseconds(server.pid);
  return { ...result, cpu: (after - before) / result.requests };
}

function median(results: Round[], of: (result: Round) => number): number {
  return results.map(of).sort((a, b) => a - b)[results.length >> 1]!;
}

function milliseconds(value: number): string {
  return `${value.toFixed(2)} ms`;
}

async function bench(folder: string): Promise<void> {
  const { id, carriers, paths, all, sizes } = await sample(folder);
  print(`Data: snapshot ${id} in ${folder}, ${carriers} carriers, ${paths.length} of them asked`);
  const ours = await startServer(["main.ts"], {
    SNAPSHOT_URL: folder,
    PORT: "0",
    BASE_URL: "",
    KV_PATH: ":memory:",
    TRUSTED_PROXY_HOPS: "1",
  });
  const file = await Deno.makeTempFile();
  const bare: Server[] = [];
  try {
    const cold: number[] = [];
    for (const [n, path] of paths.entries()) {
      const headers = { "X-Forwarded-For": clientAddress(n) };
      const start = performance.now();
      await (await fetch(`http://localhost:${ours.port}${path}`, { headers })).body?.cancel();
      cold.push(performance.now() - start);
    }
    cold.sort((a, b) => a - b);
    const answers = await record(ours.port, paths);
    await Deno.writeTextFile(file, answers);
    for (const encoding of ["identity", "gzip"]) {
      bare.push(await startServer(["test/bench/bare_server.ts", file, encoding], {}));
    }
    const [identity, gzip] = bare as [Server, Server];
    print(`Ours: ${ours.command}`);
    print("Bare: deno run -A test/bench/bare_server.ts, the same headers, bodies and encoding");
    print(
      `Load: ${CONNECTIONS} keep-alive connections, ${ROUNDS} rounds of ${ROUND_MS / 1000} s each`,
    );
    const cases = {
      cached: () => measure(ours, paths),
      made: () => measure(ours, all),
      bare: () => measure(identity, paths),
      cachedGzip: () => measure(ours, paths, "gzip"),
      bareGzip: () => measure(gzip, paths, "gzip"),
    };
    type Case = keyof typeof cases;
    const names: Record<Case, string> = {
      cached: `Cached answers, ${paths.length} carriers`,
      made: `Answers made each time, ${all.length} carriers in turn (shards cached)`,
      bare: "Bare Deno.serve",
      cachedGzip: `Cached answers, gzipped`,
      bareGzip: "Bare Deno.serve of gzipped bytes",
    };
    const keys = Object.keys(cases) as Case[];
    const rounds = Object.fromEntries(keys.map((key) => [key, []])) as unknown as Record<
      Case,
      Round[]
    >;
    for (const key of keys) await cases[key]();
    // In turn, so that whatever else the machine does falls on all.
    for (let round = 0; round < ROUNDS; round++) {
      for (const key of keys) rounds[key].push(await cases[key]());
    }
    for (const key of keys) {
      const list = rounds[key];
      print(names[key]);
      print(
        `  ${Math.round(median(list, (round) => round.requestsPerSecond))} requests/s, ` +
          `p50 ${milliseconds(median(list, (round) => round.p50))}, ` +
          `p99 ${milliseconds(median(list, (round) => round.p99))}, ` +
          `server CPU ${median(list, (round) => round.cpu).toFixed(1)} us a request`,
      );
    }
    const compared = [
      ["cached", "bare", 0.6],
      ["made", "bare", 0.35],
      ["cachedGzip", "bareGzip", 0.6],
    ] as const;
    for (const [key, peer, goal] of compared) {
      // Of each pair of rounds, which ran under about the same load.
      const ratio = (of: (round: Round) => number): string => {
        const ratios = rounds[key].map((round, i) => of(round) / of(rounds[peer][i]!));
        return ratios.sort((a, b) => a - b)[ratios.length >> 1]!.toFixed(2);
      };
      print(
        `Ratio to bare, ${names[key]}: ${ratio(({ cpu }) => 1 / cpu)} by server CPU ` +
          `(to reach: ${goal}), ${ratio((round) => round.requestsPerSecond)} by requests/s`,
      );
    }
    print(
      `Cold lookup       one object, median ${sizes[sizes.length >> 1]} bytes, largest of ` +
        `${sizes.length} ${sizes.at(-1)} (to reach: 15360); median ` +
        milliseconds(cold[cold.length >> 1]!),
    );
  } finally {
    await Promise.all([ours, ...bare].map((server) => server.stop()));
    await Deno.remove(file);
  }
}

const folder = Deno.args[0] ?? ".data/sample";
try {
  await bench(Deno.args[0] ?? new URL(folder, ROOT).pathname);
} catch (error) {
  note(`Cannot run the bench on ${folder}: ${error instanceof Error ? error.message : error}`);
  note("Give the folder of a snapshot, or run `deno task start` once for .data/sample");
  Deno.exitCode = 1;
}
