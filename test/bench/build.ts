/**
 * `deno task bench:build`: our build beside DuckDB on a synthetic dataset.
 *
 * @module
 */

import { note } from "../../pipeline/io.ts";
import {
  benchCommand,
  type BenchFiles,
  dataset,
  inTurn,
  median,
  printTable,
  runBench,
} from "./harness.ts";
import { type Measured, runMeasured } from "./processes.ts";

const HELP = `
Generates the files if DIR does not have them (about 5 GB at national size), then alternates our build
without and with the search index and DuckDB, each in its own process. DuckDB builds no search index.

Examples:
  $ deno task bench:build                           national size: 4.5 M carriers, 8.2 M inspections
  $ deno task bench:build --sizes 0.5,1.5,4.5 --no-peer       growth: that many million carriers`;

interface Options {
  dir: string;
  seed: string;
  rounds: string;
  sizes: string;
  peer: boolean;
}

const INSPECTIONS_PER_CARRIER = 8_200_000 / 4_500_000;

const OLD = "old-";

const command = benchCommand("build", "time a national build and DuckDB", HELP)
  .option("--dir <dir>", "folder of the synthetic files", ".data/bench")
  .option("--seed <n>", "seed of the dataset", "1")
  .option("--rounds <n>", "runs of each, for the median", "3")
  .option("--sizes <millions>", "sizes in millions of carriers", "4.5")
  .option("--no-peer", "run only our build");

await runBench<Options>(command, async ({ dir, seed, rounds, sizes, peer }) => {
  const table = [[
    "",
    "carriers",
    "seconds",
    "CPU s",
    "peak GB",
    "s a million",
    "of DuckDB's time",
  ]];
  const figures: Record<string, unknown> = {};
  for (const carriers of sizes.split(",").map((size) => Math.round(Number(size) * 1e6))) {
    const inspections = Math.round(carriers * INSPECTIONS_PER_CARRIER);
    const files = await dataset(dir, { carriers, inspections, seed });
    const cases: Record<string, () => Promise<Measured>> = {
      "ours": () => runOurs(files, ["--no-search"]),
      "ours, with search": () => runOurs(files, []),
    };
    if (peer) cases.DuckDB = () => runPeer(files);
    const runs = await inTurn(cases, { rounds: Number(rounds), show });
    await removeOld(files.dir);
    const peerSeconds = median(runs.get("DuckDB") ?? [], ({ seconds }) => seconds);
    for (const [name, all] of runs) {
      const seconds = median(all, (run) => run.seconds);
      table.push([
        name,
        String(carriers),
        seconds.toFixed(1),
        median(all, (run) => run.cpuSeconds).toFixed(1),
        (median(all, (run) => run.peakBytes) / 1e9).toFixed(2),
        (seconds / (carriers / 1e6)).toFixed(2),
        peer ? (seconds / peerSeconds).toFixed(2) : "-",
      ]);
    }
    figures[carriers] = Object.fromEntries(runs);
  }
  note(`Medians of ${rounds}`);
  printTable(table);
  return figures;
});

async function runOurs(
  { dir, census, inspections }: BenchFiles,
  flags: string[],
): Promise<Measured> {
  const out = await freshFolder(dir, "ours");
  const args = ["--census", census, "--inspections", inspections, "--data-date", "2026-10-03"];
  const program = "pipeline/commands/cli.ts";
  return await runMeasured([
    "run",
    "-A",
    program,
    "build",
    ...args,
    ...flags,
    "--out",
    out,
    "--first",
  ]);
}

async function runPeer({ dir, census, inspections }: BenchFiles): Promise<Measured> {
  const out = await freshFolder(dir, "peer");
  const program = "test/bench/duckdb_peer.ts";
  return await runMeasured(["run", "-A", "--no-lock", program, census, inspections, out]);
}

/**
 * The path of a folder to write. The one of the run before is removed at the end: ext4 creates files up to
 * eight times as slowly in the minutes after many were removed.
 */
async function freshFolder(dir: string, name: string): Promise<string> {
  const out = `${dir}/${name}`;
  await Deno.rename(out, `${dir}/${OLD}${crypto.randomUUID()}`).catch(() => {});
  return out;
}

async function removeOld(dir: string): Promise<void> {
  for await (const { name } of Deno.readDir(dir)) {
    if (name.startsWith(OLD)) await Deno.remove(`${dir}/${name}`, { recursive: true });
  }
}

function show({ seconds, cpuSeconds, peakBytes }: Measured): string {
  return `${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s CPU, ${
    (peakBytes / 1e9).toFixed(2)
  } GB`;
}
