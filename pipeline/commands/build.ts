/**
 * `snapshot fetch` and `build`: download FMCSA's files, and build a snapshot from them.
 *
 * @module
 */

import { type Command, Option } from "commander";
import { SYSTEM_CLOCK } from "../clock.ts";
import { build, type BuildOutcome } from "../compile/build.ts";
import type { BuildOptions, BuildStep } from "../compile/build_options.ts";
import {
  CENSUS_URL,
  type FetchedFile,
  fetchFiles,
  INSPECTIONS_URL,
  ORDERS_URL,
} from "../fmcsa/download.ts";
import { note, print } from "../io.ts";
import { amount, type Progress, startProgress } from "../progress.ts";
import { snapshotPath } from "../snapshot/paths.ts";
import { dayArgument, interruptible, parseReason } from "./shared.ts";
import { openRoot } from "./target.ts";

export interface FetchArguments {
  census: string;
  inspections: string;
  orders?: string;
  to: string;
}

export function registerFetch(program: Command): void {
  addFetchOptions(program.command("fetch"))
    .description("download FMCSA's files, resuming where an earlier run stopped")
    .action(interruptible(async (signal, options: FetchArguments) => {
      for (const file of Object.values(await fetchFiles({ ...options, signal }))) {
        if (file instanceof Error) {
          note(file.message);
          Deno.exitCode = 1;
          continue;
        }
        const { path, unchanged, bytes, sha256 } = file as FetchedFile;
        const state = unchanged ? "unchanged" : "fetched";
        print(`${path}: ${state}, ${amount(bytes, "bytes")}, sha256 ${sha256}`);
      }
    }));
}

export function addFetchOptions(command: Command): Command {
  return command
    .requiredOption("--to <dir>", "folder for FMCSA's files, created if missing")
    .option("--census <url>", "URL of the company census as CSV", CENSUS_URL)
    .option("--inspections <url>", "URL of the vehicle inspections as CSV", INSPECTIONS_URL)
    .addOption(
      new Option(
        "--orders [url]",
        `also the out-of-service orders as CSV (default URL: "${ORDERS_URL}")`,
      ).preset(ORDERS_URL),
    );
}

interface BuildArguments extends Omit<BuildOptions, "previous" | "orders" | "clock"> {
  previous?: string;
  orders?: string;
}

export function registerBuild(program: Command): void {
  const command = program.command("build")
    .description("build a snapshot from FMCSA's files")
    .requiredOption("--census <file>", "Company Census File")
    .requiredOption("--inspections <file>", "Vehicle Inspection File")
    .requiredOption("--out <dir>", "snapshot root to write to")
    .option("--orders <file>", "Out of Service Orders file, left out if it breaks a bound")
    .option("--data-date <day>", "the date of the data, YYYY-MM-DD", dayArgument)
    .option("--no-search", "leave out the search index, a third of the work");
  addBuildOptions(command).action(interruptible(run));
}

export function addBuildOptions(command: Command): Command {
  return command
    .option("--previous <location>", "the root whose current snapshot the new one follows")
    .option("--export", "also write all carriers as one Parquet and one NDJSON file")
    .option("--first", "confirm that there is nothing to compare with")
    .option("--force <reason>", "continue although a gate failed", parseReason)
    .option(
      "--force-orders <reason>",
      "include the out-of-service orders although a gate of theirs failed",
      parseReason,
    );
}

async function run(signal: AbortSignal, { previous, ...options }: BuildArguments): Promise<void> {
  const began = performance.now();
  const { entry: { snapshot }, report: { census, inspections }, isNew } = await buildWithProgress({
    ...options,
    ...(previous !== undefined && { previous: openRoot(previous) }),
    clock: SYSTEM_CLOCK,
    signal,
  });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  note(
    `${isNew ? "Built" : "Unchanged:"} ${census.accepted} carriers, ` +
      `${inspections.in_window} inspections in ${seconds} s`,
  );
  print(`${options.out}/${snapshotPath(snapshot)}`);
}

/** Builds a snapshot, and shows the progress of each step and notes on standard error. */
export async function buildWithProgress(options: BuildOptions): Promise<BuildOutcome> {
  let label: BuildStep["label"] | undefined;
  let progress: Progress | undefined;
  try {
    const outcome = await build({
      ...options,
      onNote(text): void {
        progress?.end();
        note(text);
      },
      onProgress(step, done): void {
        if (label !== step.label) {
          progress?.end();
          progress = startProgress(step);
          progress.update(0);
          label = step.label;
        }
        progress?.update(done);
      },
    });
    for (const { message } of outcome.overridden) note(`Overridden: ${message}`);
    return outcome;
  } finally {
    progress?.end();
  }
}
