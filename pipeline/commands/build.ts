/**
 * `snapshot build`.
 *
 * @module
 */

import type { Command } from "commander";
import { build, type BuildOptions, type BuildOutcome, type BuildStep } from "../build/build.ts";
import { SYSTEM_CLOCK } from "../clock.ts";
import { note, print } from "../out.ts";
import { type Progress, startProgress } from "../progress.ts";
import { snapshotPath } from "../snapshot/manifest.ts";
import { openPrevious } from "./previous.ts";
import { parseIsoDay, parsePositive, withInterrupt } from "./arguments.ts";

const HELP = `
Reads both files (plain CSV or gzip), writes a snapshot below DIR and makes it current there. Equal
rows in any order, on any number of cores, give the same snapshot. Readers of DIR see the old snapshot
until the new one is whole; a build that stops or is killed changes nothing, and can be run again.

A build stops when a column is missing, when more than 0.1 % of the rows must be rejected, when a file
seems cut short, or when it has over 1 % fewer rows than --previous. --force REASON overrides all but
the first, and the reason is kept in the snapshot.

Examples:
  $ deno task snapshot build --census data/company_census.csv \\
      --inspections data/vehicle_inspection.csv --out snapshots
  $ SNAPSHOT_URL=snapshots deno task serve

Exit codes: 0 built, 1 stopped (the message says why), 2 wrong arguments, 130 interrupted.`;

interface BuildArguments {
  census: string;
  inspections: string;
  out: string;
  dataDate?: string;
  previous?: string;
  force?: string;
  workers?: number;
  search: boolean;
}

/** Adds `build` to the program. */
export function registerBuild(program: Command): void {
  program.command("build")
    .description("build a snapshot from the regulator's two files")
    .requiredOption("--census <file>", "Company Census File")
    .requiredOption("--inspections <file>", "Vehicle Inspection File")
    .requiredOption("--out <dir>", "snapshot root to write to")
    .option("--data-date <day>", "the day the data stands for, YYYY-MM-DD", parseIsoDay)
    .option("--previous <dir>", "snapshot root to compare with")
    .option("--force <reason>", "build although a bound is broken")
    .option("--no-search", "leave out the search index, half of the work")
    .option("--workers <n>", "worker threads (default: one a core)", parsePositive)
    .addHelpText("after", HELP)
    .action((options: BuildArguments) => withInterrupt((signal) => run(options, signal)));
}

async function run(options: BuildArguments, signal: AbortSignal): Promise<void> {
  const began = performance.now();
  const { previous, ...rest } = options;
  const outcome = await buildWithProgress({
    ...rest,
    ...(previous !== undefined && { previous: openPrevious(previous) }),
    clock: SYSTEM_CLOCK,
    signal,
  });
  for (const { message } of outcome.overridden) note(`Overridden by --force: ${message}`);
  const { entry, report, isNew } = outcome;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  note(
    `${isNew ? "Built" : "Unchanged:"} ${report.census.accepted} carriers, ` +
      `${report.inspections.in_window} inspections in ${seconds} s`,
  );
  print(`${options.out}/${snapshotPath(entry.snapshot)}`);
}

/** Builds with a progress display for each step, and notes on standard error. */
export async function buildWithProgress(options: BuildOptions): Promise<BuildOutcome> {
  let shown: { step: BuildStep; progress: Progress } | undefined;
  try {
    return await build({
      onNote(text): void {
        shown?.progress.end();
        note(text);
      },
      onProgress(step, done): void {
        if (shown?.step.label !== step.label) {
          shown?.progress.end();
          shown = { step, progress: startProgress(step) };
          shown.progress.update(0);
        }
        shown.progress.update(done);
      },
      ...options,
    });
  } finally {
    shown?.progress.end();
  }
}
