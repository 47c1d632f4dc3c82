/**
 * `deno task bench:build`: our build, without and with the search index, and DuckDB on a synthetic
 * dataset, each in its own process. DuckDB builds no search index.
 *
 * @module
 */

import { Command } from "commander";
import { openInput } from "../../pipeline/fmcsa/input.ts";
import { type Sidecar, sidecarPath } from "../../pipeline/fmcsa/part.ts";
import { note, print, writeJson } from "../../pipeline/io.ts";
import { inTurn, printMedians, quantile } from "./harness.ts";
import { type Measured, runMeasured } from "./processes.ts";

const OLD = "old-";
const INSPECTIONS_PER_CARRIER = 8_200_000 / 4_500_000;

const { dir, rounds, sizes, peer } = new Command("bench:build")
  .option("--dir <dir>", "folder of the datasets, made when missing, and snapshots", ".data/bench")
  .option("--rounds <n>", "runs of each, for the median", "3")
  .option("--sizes <millions>", "sizes in millions of carriers", "4.5")
  .option("--no-peer", "run only our build")
  .parse()
  .opts<{ dir: string; rounds: string; sizes: string; peer: boolean }>();

for (const carriers of sizes.split(",").map((size) => Math.round(Number(size) * 1e6))) {
  const folder = `${dir}/${carriers}-1`;
  const files = [`${folder}/company_census.csv`, `${folder}/vehicle_inspection.csv`] as const;
  await makeDataset(carriers, folder, files);
  const ours = async (flags: string[]): Promise<Measured> => {
    const [census, inspections] = files;
    const inputs = ["--census", census, "--inspections", inspections, "--data-date", "2026-10-03"];
    const out = ["--out", await freshFolder(folder, "ours"), "--first", ...flags];
    return await run(["pipeline/commands/cli.ts", "build", ...inputs, ...out]);
  };
  const cases: Record<string, () => Promise<Measured>> = {
    "ours": () => ours(["--no-search"]),
    "ours, with search": () => ours([]),
    ...peer && {
      DuckDB: async () =>
        await run([
          "--no-lock",
          "test/bench/duckdb_peer.ts",
          ...files,
          await freshFolder(folder, "peer"),
        ]),
    },
  };
  const results = await inTurn(cases, Number(rounds));
  for (const { name } of await Array.fromAsync(Deno.readDir(folder))) {
    if (name.startsWith(OLD)) await Deno.remove(`${folder}/${name}`, { recursive: true });
  }
  const peerSeconds = quantile((results.get("DuckDB") ?? []).map(({ seconds }) => seconds), 0.5);
  print(`${carriers} carriers, medians of ${rounds}`);
  printMedians(results, [
    ["seconds", (it) => it.seconds, 1],
    ["CPU s", (it) => it.cpuSeconds, 1],
    ["peak GB", (it) => it.peakBytes / 1e9, 2],
    ["s a million", (it) => it.seconds / carriers * 1e6, 2],
    ["of DuckDB's time", (it) => it.seconds / peerSeconds, 2],
  ]);
}

/** A new path: ext4 creates files up to eight times as slowly after many were deleted. */
async function freshFolder(dir: string, name: string): Promise<string> {
  const out = `${dir}/${name}`;
  await Deno.rename(out, `${dir}/${OLD}${crypto.randomUUID()}`).catch(() => {});
  return out;
}

async function run(args: string[]): Promise<Measured> {
  const result = await runMeasured(["run", "-A", ...args]);
  note(`${args.join(" ")}: ${result.seconds.toFixed(1)} s`);
  return result;
}

/** Generates the files unless they exist, with the sidecars that `snapshot fetch` writes. */
async function makeDataset(
  carriers: number,
  folder: string,
  files: readonly string[],
): Promise<void> {
  if (await Deno.stat(sidecarPath(files[1]!)).then(() => true, () => false)) return;
  const inspections = Math.round(carriers * INSPECTIONS_PER_CARRIER);
  note(`Making ${carriers} carriers and ${inspections} inspections in ${folder}`);
  const numbers = ["--carriers", String(carriers), "--inspections", String(inspections)];
  await runMeasured(["task", "gen", ...numbers, "--out", folder]);
  for (const path of files) {
    const input = openInput(path, { hash: true });
    for await (const _ of input.chunks);
    await writeJson(
      sidecarPath(path),
      {
        url: "urn:synthetic",
        bytes: input.bytesRead,
        sha256: input.sha256()!,
        fetched_at: "2026-10-03T12:00:00Z",
      } satisfies Sidecar,
    );
  }
}
