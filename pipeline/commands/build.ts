/**
 * `snapshot build`.
 *
 * @module
 */

import type { Command } from "commander";
import { SYSTEM_CLOCK } from "../clock.ts";
import { build, type BuildOptions, type BuildOutcome, type BuildStep } from "../compile/build.ts";
import { GateError } from "../compile/gates.ts";
import { note, print } from "../io.ts";
import { type Progress, startProgress } from "../progress.ts";
import { snapshotPath } from "../snapshot/manifest.ts";
import { messageOf } from "../text.ts";
import {
  addReportOptions,
  openPrevious,
  parseIsoDay,
  parsePositive,
  type ReportArguments,
  withInterrupt,
  writeReports,
} from "./shared.ts";

const HELP = `
Reads both files (plain CSV or gzip), writes a snapshot below DIR and makes it current there. Equal
rows in any order, on any number of cores, produce the same snapshot. Readers of DIR see the old
snapshot until the new one is complete; a build that stops or is killed changes nothing, and can be
run again.

A build stops when a column is missing, when more than 0.1% of the rows are rejected, when a file
seems cut short, and when the data differs by more than elapsed time explains from the snapshot that
is current in DIR, or in --previous where DIR has none: rows, blanks, shares of each code,
out-of-service rates, carriers gone or changed, dates that go back. The report lists what was measured
and what is allowed. --force REASON overrides all but a missing column, and the reason is kept in the
snapshot. The first build has nothing to compare with and needs --first: read its report.

Examples:
  $ deno task snapshot build --census data/company_census.csv \\
      --inspections data/vehicle_inspection.csv --out snapshots --first
  $ SNAPSHOT_URL=snapshots deno task serve

Exit codes: 0 built, 1 stopped (the message says why), 2 wrong arguments, 130 interrupted.`;

interface BuildArguments extends ReportArguments, Omit<BuildOptions, "previous" | "clock"> {
  previous?: string;
}

export function registerBuild(program: Command): void {
  const command = program.command("build")
    .description("build a snapshot from FMCSA's two files")
    .requiredOption("--census <file>", "Company Census File")
    .requiredOption("--inspections <file>", "Vehicle Inspection File")
    .requiredOption("--out <dir>", "snapshot root to write to")
    .option("--data-date <day>", "the date of the data, YYYY-MM-DD", parseIsoDay)
    .option("--no-search", "leave out the search index, half of the work")
    .addHelpText("after", HELP);
  addReportOptions(addBuildOptions(command))
    .action((options: BuildArguments) => withInterrupt((signal) => run(options, signal)));
}

/** Adds the options of a command that builds. */
export function addBuildOptions(command: Command): Command {
  return command
    .option("--previous <location>", "what to compare with where --out has no snapshot yet")
    .option("--first", "allow that there is nothing to compare with")
    .option("--force <reason>", "continue although a bound is broken")
    .option(
      "--workers <n>",
      "worker threads (default: one per core, none for small files)",
      parsePositive,
    );
}

async function run({ previous, ...options }: BuildArguments, signal: AbortSignal): Promise<void> {
  const began = performance.now();
  const { entry, manifest, report, isNew } = await buildWithProgress({
    ...options,
    ...(previous !== undefined && { previous: openPrevious(previous) }),
    clock: SYSTEM_CLOCK,
    signal,
  }).catch(async (error) => {
    const found = error instanceof GateError ? error.refused : undefined;
    await writeReports(options, { verdict: `Stopped at build: ${messageOf(error)}`, found });
    throw error;
  });
  const { snapshot } = entry;
  await writeReports(options, {
    verdict: `Built ${snapshot}`,
    found: { snapshot, manifest, report },
  });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  note(
    `${isNew ? "Built" : "Unchanged:"} ${report.census.accepted} carriers, ` +
      `${report.inspections.in_window} inspections in ${seconds} s`,
  );
  print(`${options.out}/${snapshotPath(snapshot)}`);
}

/** Builds with a progress display for each step, and notes on standard error. */
export async function buildWithProgress(options: BuildOptions): Promise<BuildOutcome> {
  let shown: { step: BuildStep; progress: Progress } | undefined;
  try {
    const outcome = await build({
      ...options,
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
    });
    for (const { message } of outcome.overridden) note(`Overridden by --force: ${message}`);
    return outcome;
  } finally {
    shown?.progress.end();
  }
}
