/**
 * `snapshot daily`: fetch, build, verify, publish, gc. Run again it resumes where it stopped, and does
 * nothing when there is nothing new.
 *
 * @module
 */

import type { Command } from "commander";
import { type Clock, SYSTEM_CLOCK } from "../clock.ts";
import type { BuildOptions } from "../compile/build.ts";
import { GateError } from "../compile/gates.ts";
import { readReport, type SnapshotReport } from "../compile/report.ts";
import { fetchBoth, type FetchBothOptions } from "../fmcsa/download.ts";
import { note, print } from "../io.ts";
import { storeSource } from "../publish/store.ts";
import { POINTER_PATH } from "../snapshot/manifest.ts";
import { folderSource } from "../snapshot/open_source.ts";
import type { Source } from "../snapshot/source.ts";
import { messageOf } from "../text.ts";
import {
  addBuildOptions,
  addFetchOptions,
  buildWithProgress,
  type FetchArguments,
  RESUME_HINT,
} from "./build.ts";
import { verifyWithProgress } from "./inspect.ts";
import {
  addReportOptions,
  interruptible,
  madeFrom,
  openPrevious,
  type ReportArguments,
  writeReports,
} from "./shared.ts";
import {
  addPublishOptions,
  collect,
  openTarget,
  type PublishArguments,
  publishWithProgress,
} from "./target.ts";

/** The exit code of each step, in the order they run. */
const EXIT_CODES = { fetch: 11, build: 12, verify: 13, publish: 14, gc: 15 };

type Step = keyof typeof EXIT_CODES;

interface DailyArguments extends FetchArguments, ReportArguments, PublishArguments {
  out: string;
  target?: string;
  previous?: string;
  workers?: number;
}

export function registerDaily(program: Command): void {
  const command = addFetchOptions(program.command("daily"))
    .description("fetch, build, verify, publish and gc: the work of one day")
    .requiredOption("--out <dir>", "snapshot root to build in")
    .option("--target <target>", "where to publish: a folder or s3://bucket/prefix");
  addReportOptions(addPublishOptions(addBuildOptions(command)))
    .action(interruptible(run, RESUME_HINT));
}

async function run(signal: AbortSignal, given: DailyArguments): Promise<void> {
  const { to, census, inspections, previous, target, ...rest } = given;
  try {
    const verdict = await runDaily({
      ...rest,
      fetch: { to, census, inspections },
      ...(previous !== undefined && { previous: openPrevious(previous) }),
      ...(target !== undefined && {
        target: storeSource(openTarget(target)),
        publish: (dir, signal) => publishWithProgress(dir, target, { ...rest, signal }),
        gc: (signal) => collect(target, { say: note, signal }),
      }),
      clock: SYSTEM_CLOCK,
      signal,
    });
    print(verdict);
  } catch (error) {
    if (signal.aborted || !(error instanceof StepError)) throw error;
    note(error.message);
    Deno.exitCode = EXIT_CODES[error.step];
  }
}

export interface DailyOptions
  extends ReportArguments, Pick<BuildOptions, "first" | "force" | "workers"> {
  fetch: FetchArguments & Pick<FetchBothOptions, "retries">;
  out: string;
  /** What to compare with where `out` has no snapshot yet. @default {target} */
  previous?: Source;
  target?: Source;
  /** Publishes what is current in a root; returns a sentence on what it did. */
  publish?: (dir: string, signal: AbortSignal) => Promise<string>;
  /** Removes what no reader of `target` can still need, once something was published. */
  gc?: (signal: AbortSignal) => Promise<void>;
  clock: Clock;
  signal: AbortSignal;
}

/** Names the step at which a day's work stopped. */
export class StepError extends Error {
  override name = "StepError";
  readonly step: Step;

  constructor(step: Step, cause: unknown) {
    const hint = step === "fetch" ? ". Nothing was changed; try again when the file is there" : "";
    super(`Stopped at ${step}: ${messageOf(cause)}${hint}`, { cause });
    this.step = step;
  }
}

/**
 * Does a day's work. What readers of `out` see changes at the end of the build, what others see at the
 * end of publishing, and each only when all steps before it succeeded.
 *
 * @returns In a sentence, what was done.
 * @throws {StepError} When a step fails; the summary and the report are still written.
 */
export async function runDaily(options: DailyOptions): Promise<string> {
  const { out, signal, clock, publish, gc } = options;
  let found: SnapshotReport | undefined;
  try {
    const files = await step("fetch", () => fetchBoth({ ...options.fetch, clock, signal }));
    const built = await step("build", () => buildIfNew(options, files));
    let { verdict } = built;
    found = built.report;
    if (found !== undefined) {
      await step("verify", async () => {
        const { problems } = await verifyWithProgress(folderSource(out), signal);
        if (problems.length > 0) throw new Error(problems.join("\n"));
      });
      if (publish) verdict += `. ${await step("publish", () => publish(out, signal))}`;
      if (publish && gc) await step("gc", () => gc(signal));
    }
    await writeReports(options, verdict, found);
    return verdict;
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    if (error.cause instanceof GateError) found = error.cause.refused;
    await writeReports(options, error.message, found);
    throw error;
  }
}

async function step<T>(name: Step, run: () => Promise<T>): Promise<T> {
  note(`== ${name}`);
  try {
    return await run();
  } catch (error) {
    throw new StepError(name, error);
  }
}

/**
 * Builds, unless the root or the previous snapshot was made from these very files.
 *
 * @returns No report when `out` has nothing to publish.
 */
async function buildIfNew(
  options: DailyOptions,
  { census, inspections }: Awaited<ReturnType<typeof fetchBoth>>,
): Promise<{ verdict: string; report?: SnapshotReport }> {
  const out = folderSource(options.out);
  const hashes = { census: census.sha256, inspections: inspections.sha256 };
  const unchanged = (id: string, where: Source): string =>
    `Unchanged: ${id}, current in ${where.name}, was made from these very files`;
  const same = await madeFrom(out, hashes);
  if (same !== undefined) {
    note(unchanged(same, out));
    return { verdict: unchanged(same, out), report: await readReport(out) };
  }
  let previous = options.previous;
  if (previous === undefined && options.target !== undefined && await isEmpty(out)) {
    previous = await isEmpty(options.target) ? undefined : options.target;
  }
  const published = previous && await madeFrom(previous, hashes);
  if (published !== undefined) return { verdict: unchanged(published, previous!) };
  const { entry: { snapshot }, manifest, report } = await buildWithProgress({
    ...options,
    census: census.path,
    inspections: inspections.path,
    ...(previous && { previous }),
  });
  return { verdict: `Built ${snapshot}`, report: { snapshot, manifest, report } };
}

async function isEmpty(root: Source): Promise<boolean> {
  return await root.get(POINTER_PATH) === null;
}
