/**
 * `fetch`: downloads the regulator's two files.
 *
 * @module
 */

import type { Command } from "commander";
import { print } from "../io.ts";
import { amount } from "../progress.ts";
import { CENSUS_URL, fetchBoth, type FetchedFile, INSPECTIONS_URL } from "../fmcsa/download.ts";
import { withInterrupt } from "./arguments.ts";

const HELP = `
The files, both public, free and renewed daily about 24 hours behind:
  company_census.csv      one row a USDOT number, 147 columns, about 2 GB
  vehicle_inspection.csv  one row a roadside inspection of three years, 63 columns, about 3 GB

Stop it at any time and run the same command again: a download goes on where it
stopped when the server allows, and starts over when the file has changed since.
A file that is still the server's is not fetched again. Until it is whole a file
is called <name>.part; beside a whole one stands <name>.json with its size and
SHA-256. Give the two --to DIR/... files to "build".

Examples:
  fetch --to data
  fetch --to data --census https://example.org/mirror/census.csv
  build --census data/company_census.csv --inspections data/vehicle_inspection.csv --out snapshot
`;

interface Flags {
  census: string;
  inspections: string;
  to: string;
}

/** Adds `fetch` to the program. Ctrl-C sets exit code 130; other failures reject. */
export function registerFetch(program: Command): void {
  program
    .command("fetch")
    .description("download the regulator's two files, resuming where an earlier run stopped")
    .requiredOption("--to <dir>", "folder for the files, made when absent")
    .option("--census <url>", "address of the company census as CSV", CENSUS_URL)
    .option("--inspections <url>", "address of the vehicle inspections as CSV", INSPECTIONS_URL)
    .addHelpText("after", HELP)
    .action((flags: Flags) =>
      withInterrupt((signal) => run(flags, signal), {
        hint: "run the same command again to go on from here",
      })
    );
}

async function run(flags: Flags, signal: AbortSignal): Promise<void> {
  const { census, inspections } = await fetchBoth({
    censusUrl: flags.census,
    inspectionsUrl: flags.inspections,
    to: flags.to,
    signal,
  });
  print(line(census));
  print(line(inspections));
}

function line(file: FetchedFile): string {
  const state = file.unchanged ? "unchanged" : "fetched";
  return `${file.path}: ${state}, ${amount(file.bytes, "bytes")}, sha256 ${file.sha256}`;
}
