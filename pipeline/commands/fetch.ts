/**
 * `snapshot fetch`.
 *
 * @module
 */

import type { Command } from "commander";
import { print } from "../io.ts";
import { amount } from "../progress.ts";
import { CENSUS_URL, fetchBoth, INSPECTIONS_URL } from "../fmcsa/download.ts";
import { withInterrupt } from "./shared.ts";

const HELP = `
The files, both public, free and updated daily about 24 hours behind:
  company_census.csv      one row per USDOT number, 147 columns, about 2 GB
  vehicle_inspection.csv  one row per roadside inspection of three years, 63 columns, about 3 GB

Stop it at any time and run the same command again: a download resumes when the server allows, and
starts over when the file has changed since. A file that has not changed is not fetched again. An
incomplete file is called <name>.part; beside a complete one is <name>.json with its size and SHA-256.

Examples:
  $ deno task snapshot fetch --to data
  $ deno task snapshot fetch --to data --census https://example.org/mirror/census.csv

Exit codes: 0 fetched or unchanged, 1 failed (run it again), 2 wrong arguments, 130 interrupted.`;

interface FetchArguments {
  census: string;
  inspections: string;
  to: string;
}

export function registerFetch(program: Command): void {
  program
    .command("fetch")
    .description("download FMCSA's two files, resuming where an earlier run stopped")
    .requiredOption("--to <dir>", "folder for the files, made when absent")
    .option("--census <url>", "address of the company census as CSV", CENSUS_URL)
    .option("--inspections <url>", "address of the vehicle inspections as CSV", INSPECTIONS_URL)
    .addHelpText("after", HELP)
    .action((options: FetchArguments) =>
      withInterrupt((signal) => run(options, signal), {
        hint: "run the same command again to resume",
      })
    );
}

async function run(options: FetchArguments, signal: AbortSignal): Promise<void> {
  const { census, inspections } = await fetchBoth({
    censusUrl: options.census,
    inspectionsUrl: options.inspections,
    to: options.to,
    signal,
  });
  for (const { path, unchanged, bytes, sha256 } of [census, inspections]) {
    const state = unchanged ? "unchanged" : "fetched";
    print(`${path}: ${state}, ${amount(bytes, "bytes")}, sha256 ${sha256}`);
  }
}
