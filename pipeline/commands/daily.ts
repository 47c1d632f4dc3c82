/**
 * `snapshot daily`.
 *
 * @module
 */

import type { Command } from "commander";
import { SYSTEM_CLOCK } from "../clock.ts";
import { note, print } from "../io.ts";
import { CENSUS_URL, INSPECTIONS_URL } from "../fmcsa/download.ts";
import { parsePositive, withInterrupt } from "./arguments.ts";
import { type DailyOptions, runDaily, type Step, StepError } from "./daily_run.ts";
import { addLeaving, type Leaving } from "./leave.ts";
import { openPrevious } from "./previous.ts";
import { addPublishOptions, type PublishArguments, publishWithProgress } from "./publish.ts";
import { storeSource } from "../publish/store.ts";
import { openTarget, TARGET_HELP } from "./target.ts";

const EXIT_CODES: Record<Step, number> = { fetch: 11, build: 12, verify: 13, publish: 14 };

const HELP = `
Does "fetch", "build", "verify" and "publish" one after the other, each of which is a command of its own
too. Run it again whenever it stopped: what was fetched is kept, files that made the current snapshot
are not built again, a snapshot that is there is not published twice.

The build is compared with what is current in --out, or where that is empty with --previous or TARGET,
and again with what is current in TARGET before it is published. A broken bound stops it, and readers
see what they saw before. The first run has nothing to compare with and needs --first. Without --target
nothing is published.
${TARGET_HELP}

Examples:
  $ deno task snapshot daily --to data --out snapshots --first
  $ deno task snapshot daily --to data --out snapshots --target s3://carriers \\
      --public-url https://data.example.org
  $ deno task snapshot daily --to data --out snapshots --summary summary.md --report report

Exit codes: 0 done or nothing new, 2 wrong arguments, 11 stopped at fetch, 12 at build, 13 at verify,
14 at publish (the message says why), 130 interrupted.`;

interface DailyArguments extends Leaving, PublishArguments {
  to: string;
  out: string;
  target?: string;
  census: string;
  inspections: string;
  previous?: string;
  workers?: number;
}

/** Adds `daily` to the program. */
export function registerDaily(program: Command): void {
  const command = program.command("daily")
    .description("fetch, build, verify and publish: all that a day needs")
    .requiredOption("--to <dir>", "folder for the regulator's files")
    .requiredOption("--out <dir>", "snapshot root to build in")
    .option("--census <url>", "address of the company census as CSV", CENSUS_URL)
    .option("--inspections <url>", "address of the vehicle inspections as CSV", INSPECTIONS_URL)
    .option("--previous <location>", "what to compare with where --out has no snapshot yet")
    .option("--first", "allow that there is nothing to compare with, in --out or at TARGET")
    .option("--force <reason>", "continue although a bound is broken")
    .option("--workers <n>", "worker threads (default: one a core)", parsePositive)
    .option("--target <target>", "where to publish: a folder or s3://bucket/prefix")
    .addHelpText("after", HELP);
  addLeaving(addPublishOptions(command))
    .action((options: DailyArguments) =>
      withInterrupt((signal) => run(options, signal), {
        hint: "run the same command again to resume",
      })
    );
}

async function run(given: DailyArguments, signal: AbortSignal): Promise<void> {
  const { to, census, inspections, previous, target, ...rest } = given;
  const options: DailyOptions = {
    ...rest,
    fetch: { to, censusUrl: census, inspectionsUrl: inspections },
    ...(previous !== undefined && { previous: openPrevious(previous) }),
    ...(target !== undefined && {
      target: storeSource(openTarget(target)),
      publish: (dir, signal) => publishWithProgress(dir, target, { ...rest, signal }),
    }),
    clock: SYSTEM_CLOCK,
    signal,
  };
  try {
    print(await runDaily(options));
  } catch (error) {
    if (signal.aborted || !(error instanceof StepError)) throw error;
    note(error.message);
    Deno.exitCode = EXIT_CODES[error.step];
  }
}
