/**
 * `deno task bench:build`: our build beside DuckDB on a synthetic dataset.
 *
 * @module
 */

import { Command } from "commander";
import { note, print } from "../../pipeline/io.ts";
import { openInput } from "../../pipeline/fmcsa/input.ts";
import { readSidecar, writeSidecar } from "../../pipeline/fmcsa/part.ts";
import { measure, type Measured } from "./measure.ts";

const HELP = `
Generates the files when DIR lacks them (about 4.8 GB at national size), then runs our build and the peer
in turn, each in its own process, and prints seconds, peak resident memory of the process tree (from
/proc, so on Linux only) and the ratio ours / peer.

Examples:
  $ deno task bench:build                           national size: 4.5 M carriers, 8.2 M inspections
  $ deno task bench:build --sizes 0.5,1.5,4.5       growth: that many million carriers, ours only`;

interface Options {
  dir: string;
  seed: string;
  rounds: string;
  sizes?: string;
}

const CARRIERS = 4_500_000;
const INSPECTIONS_PER_CARRIER = 8_200_000 / CARRIERS;

const program = new Command("bench:build")
  .description("time a national build against DuckDB")
  .option("--dir <dir>", "folder of the synthetic files", ".data/bench")
  .option("--seed <n>", "seed of the dataset", "1")
  .option("--rounds <n>", "runs of each; the median counts", "3")
  .option("--sizes <millions>", "only ours, at these sizes")
  .addHelpText("after", HELP)
  .parse(Deno.args, { from: "user" });
const options = program.opts<Options>();
const repository = new URL("../../", import.meta.url).pathname;

if (options.sizes) await growth(options.sizes.split(",").map((size) => Number(size) * 1e6));
else await versus();

async function versus(): Promise<void> {
  const files = await dataset(CARRIERS);
  const ours: Measured[] = [];
  const peer: Measured[] = [];
  for (let round = 1; round <= Number(options.rounds); round++) {
    ours.push(await runOurs(files, { search: false }));
    note(`round ${round}: ours ${show(ours.at(-1)!)}`);
    peer.push(await runPeer(files));
    note(`round ${round}: DuckDB ${show(peer.at(-1)!)}`);
  }
  const a = median(ours);
  const b = median(peer);
  const whole = await runOurs(files, { search: true });
  print(`ours    ${show(a)}; with the search index ${show(whole)}`);
  print(`DuckDB  ${show(b)}`);
  print(
    `ratio   ${(a.seconds / b.seconds).toFixed(2)} of its time, ${
      (a.peakBytes / b.peakBytes).toFixed(2)
    } of its memory (medians of ${options.rounds})`,
  );
}

async function growth(sizes: number[]): Promise<void> {
  for (const carriers of sizes) {
    const measured = await runOurs(await dataset(carriers), { search: true });
    const perMillion = measured.seconds / (carriers / 1e6);
    print(`${carriers / 1e6} M carriers: ${show(measured)}, ${perMillion.toFixed(2)} s a million`);
  }
}

interface Files {
  dir: string;
  census: string;
  inspections: string;
}

async function dataset(carriers: number): Promise<Files> {
  const inspections = Math.round(carriers * INSPECTIONS_PER_CARRIER);
  const dir = `${options.dir}/${carriers}-${options.seed}`;
  const files = {
    dir,
    census: `${dir}/company_census.csv`,
    inspections: `${dir}/vehicle_inspection.csv`,
  };
  const there = await Promise.all([Deno.stat(files.census), Deno.stat(files.inspections)])
    .then(() => true, () => false);
  if (!there) {
    note(`Making ${carriers} carriers and ${inspections} inspections in ${dir}`);
    const args = ["--carriers", carriers, "--inspections", inspections, "--seed", options.seed];
    await measure(["task", "gen", ...args.map(String), "--out", dir], { cwd: repository });
  }
  await noteFile(files.census);
  await noteFile(files.inspections);
  return files;
}

/** Writes the sidecar that fetch writes, with the hash: fetch computes it while it waits for the network. */
async function noteFile(path: string): Promise<void> {
  if (await readSidecar(path) !== undefined) return;
  const input = openInput(path, { hash: true });
  for await (const _ of input.chunks);
  await writeSidecar(path, {
    url: "urn:synthetic",
    bytes: input.bytesRead,
    sha256: input.sha256()!,
    fetched_at: "2026-10-03T12:00:00Z",
  });
}

/** The peer builds no search index, so ours builds none beside it. */
async function runOurs(
  { dir, census, inspections }: Files,
  { search }: { search: boolean },
): Promise<Measured> {
  const out = `${dir}/ours`;
  await Deno.remove(out, { recursive: true }).catch(() => {});
  const args = ["--census", census, "--inspections", inspections, "--data-date", "2026-10-03"];
  if (!search) args.push("--no-search");
  const program = `${repository}pipeline/commands/cli.ts`;
  return await measure(["run", "-A", program, "build", ...args, "--out", out, "--first"]);
}

async function runPeer({ dir, census, inspections }: Files): Promise<Measured> {
  const out = `${dir}/peer`;
  await Deno.remove(out, { recursive: true }).catch(() => {});
  const program = `${repository}test/bench/duckdb_peer.ts`;
  return await measure(["run", "-A", "--no-lock", program, census, inspections, out]);
}

function median(all: Measured[]): Measured {
  return all.toSorted((a, b) => a.seconds - b.seconds)[Math.floor(all.length / 2)]!;
}

function show({ seconds, peakBytes }: Measured): string {
  return `${seconds.toFixed(1)} s, ${(peakBytes / 1e9).toFixed(2)} GB`;
}
