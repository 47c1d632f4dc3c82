/**
 * `snapshot daily`: fetch, build, verify, publish, gc. A second run resumes where the first one stopped, and does
 * nothing if there is nothing new.
 *
 * @module
 */

import type { Command } from "commander";
import { type Clock, SYSTEM_CLOCK } from "../clock.ts";
import { GateError } from "../audit/gates.ts";
import { readReport, type SnapshotReport } from "../audit/report.ts";
import { type FetchedFiles, fetchFiles, type FetchFilesOptions } from "../fmcsa/download.ts";
import { note, print } from "../io.ts";
import { storeSource } from "../publish/store.ts";
import { renderPage } from "../report/page.tsx";
import { renderMarkdown } from "../report/text.ts";
import { ordersWords, parsePointer, type SourceFile } from "../snapshot/manifest.ts";
import { POINTER_PATH } from "../snapshot/paths.ts";
import { folderSource } from "../snapshot/sources/open_source.ts";
import type { Source } from "../snapshot/source.ts";
import { messageOf } from "../text.ts";
import {
  addBuildOptions,
  addFetchOptions,
  buildWithProgress,
  type FetchArguments,
} from "./build.ts";
import { verifyWithProgress } from "./inspect.ts";
import { interruptible } from "./shared.ts";
import {
  addPublishOptions,
  collectGarbage,
  openRoot,
  openTarget,
  type PublishArguments,
  publishWithProgress,
} from "./target.ts";

/** The exit code of each step, in the order they run. */
const EXIT_CODES = { fetch: 11, build: 12, verify: 13, publish: 14, gc: 15 };

type Step = keyof typeof EXIT_CODES;

export interface DailyArguments extends FetchArguments, PublishArguments {
  out: string;
  /** Where to publish; without it, nothing is published. */
  target?: string;
  /** The root whose current snapshot the new one follows. @default {target} */
  previous?: string;
  forceOrders?: string;
  /** File to append a Markdown summary to. */
  summary?: string;
  /** Folder to write `report.json` and `report.html` to. */
  report?: string;
}

interface DailyContext extends Pick<FetchFilesOptions, "retries"> {
  clock: Clock;
  signal: AbortSignal;
}

export function registerDaily(program: Command): void {
  const command = addFetchOptions(program.command("daily"))
    .description("fetch, build, verify, publish and gc: the work of one day")
    .requiredOption("--out <dir>", "snapshot root to build in")
    .option("--target <target>", "where to publish: a folder or s3://bucket/prefix")
    .option("--summary <file>", "append a summary in Markdown, even if a gate fails")
    .option("--report <dir>", "write report.json and report.html there, even if a gate fails");
  addPublishOptions(addBuildOptions(command)).action(interruptible(run));
}

async function run(signal: AbortSignal, given: DailyArguments): Promise<void> {
  try {
    print(await runDaily(given, { clock: SYSTEM_CLOCK, signal }));
  } catch (error) {
    if (signal.aborted || !(error instanceof StepError)) throw error;
    note(error.message);
    Deno.exitCode = EXIT_CODES[error.step];
  }
}

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
 * Runs all steps. Readers of `out` see the new snapshot once the build is complete, readers of the target once
 * publishing is. A failed step stops the run.
 *
 * @returns A sentence on what was done.
 * @throws {StepError} When a step fails; the summary and the report are still written.
 */
export async function runDaily(given: DailyArguments, context: DailyContext): Promise<string> {
  const { out, target } = given;
  const { signal } = context;
  let found: SnapshotReport | undefined;
  try {
    const files = await step("fetch", () => fetchFiles({ ...given, ...context }));
    const built = await step("build", () => buildIfNew(given, context, files));
    let { verdict } = built;
    found = built.report;
    if (found !== undefined) {
      await step("verify", async () => {
        const { problems } = await verifyWithProgress(folderSource(out), { signal });
        if (problems.length > 0) throw new Error(problems.join("\n"));
      });
      if (target !== undefined) {
        const publish = () => publishWithProgress(out, target, { ...given, signal });
        verdict += `. ${await step("publish", publish)}`;
        await step("gc", () => collectGarbage(target, { say: note, signal }));
      }
    }
    await writeReports(given, verdict, found);
    return verdict;
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    if (error.cause instanceof GateError) found = error.cause.refused;
    await writeReports(given, error.message, found);
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
 * Builds the successor of the previous root's current snapshot, unless `out` or that root already has a snapshot
 * of the same files.
 *
 * @returns What was done, without a report if `out` has nothing to publish.
 */
async function buildIfNew(
  { previous: location, ...given }: DailyArguments,
  { clock, signal }: DailyContext,
  files: FetchedFiles,
): Promise<{ verdict: string; report?: SnapshotReport }> {
  const out = folderSource(given.out);
  const previous = await previousOf(location, given);
  const { census, inspections, orders } = files;
  if (orders instanceof Error) note(`${orders.message}. Out-of-service orders are not included`);
  const built = await currentOf(out, files);
  // With --force-orders, the same files may give a new snapshot: one that includes orders that failed a gate.
  const isForced = given.forceOrders !== undefined;
  if (!isForced && built?.unchanged !== undefined && await follows(out, previous)) {
    note(built.unchanged);
    return { verdict: built.unchanged, report: await readReport(out) };
  }
  const published = previous && await currentOf(previous, files);
  if (!isForced && published?.unchanged !== undefined) return { verdict: published.unchanged };
  const { entry: { snapshot }, manifest, report } = await buildWithProgress({
    ...given,
    census: census.path,
    inspections: inspections.path,
    orders: orders instanceof Error ? { why: "missing" } : orders?.path,
    ...(previous && { previous }),
    clock,
    signal,
  });
  const words = ordersWords(manifest);
  const verdict = `Built ${snapshot}${words === undefined ? "" : `, ${words}`}`;
  return { verdict, report: { snapshot, manifest, report } };
}

/** The root whose current snapshot the new one follows: `--previous`, or else the target; undefined for the first. */
async function previousOf(
  location: string | undefined,
  { target }: Pick<DailyArguments, "target">,
): Promise<Source | undefined> {
  if (location !== undefined) return openRoot(location);
  if (target === undefined) return undefined;
  const source = storeSource(openTarget(target));
  return await source.get(POINTER_PATH) === null ? undefined : source;
}

/** Whether the current snapshot of `out` is, or directly follows, that of `root`. True if `root` has none. */
async function follows(out: Source, root: Source | undefined): Promise<boolean> {
  const bytes = root && await root.get(POINTER_PATH);
  if (!bytes) return true;
  const { snapshot } = parsePointer(bytes);
  const { snapshot: own, manifest } = await readReport(out);
  return own === snapshot || manifest.previous?.id === snapshot;
}

/** Null if the root has no current snapshot. `unchanged` is a message, set if that was built from these files. */
async function currentOf(
  root: Source,
  { census, inspections, orders }: FetchedFiles,
): Promise<{ unchanged?: string } | null> {
  const bytes = await root.get(POINTER_PATH);
  if (bytes === null) return null;
  const { snapshot, sources } = parsePointer(bytes);
  const hashOf = (of: SourceFile["role"]): string | undefined =>
    sources.find(({ role }) => role === of)?.sha256;
  const isSame = hashOf("census") === census.sha256 &&
    hashOf("inspections") === inspections.sha256 &&
    // If today's orders are missing, a rebuild of the same two files could not be any better.
    (orders instanceof Error || hashOf("orders") === orders?.sha256);
  if (!isSame) return {};
  const unchanged =
    `Unchanged: ${snapshot}, current in ${root.name}, was made from these very files`;
  return { unchanged };
}

/** Writes the summary and the report files that the options ask for. */
async function writeReports(
  { summary, report: dir }: DailyArguments,
  verdict: string,
  found?: SnapshotReport,
): Promise<void> {
  if (summary !== undefined) {
    await Deno.writeTextFile(summary, renderMarkdown(verdict, found), { append: true });
  }
  if (dir !== undefined && found !== undefined) {
    await Deno.mkdir(dir, { recursive: true });
    await Deno.writeTextFile(`${dir}/report.json`, JSON.stringify(found.report, null, 2) + "\n");
    await Deno.writeTextFile(`${dir}/report.html`, renderPage(found));
  }
}
