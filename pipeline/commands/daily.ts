/**
 * `snapshot daily`: fetch, build, verify, publish, gc. Run again it resumes where it stopped, and does
 * nothing when there is nothing new.
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
  /** Without it, nothing is published. */
  target?: string;
  /** The root whose current snapshot the new one follows. @default {target} */
  previous?: string;
  forceOrders?: string;
  /** A file to which a summary in Markdown is appended. */
  summary?: string;
  /** A folder for `report.json` and `report.html`. */
  report?: string;
}

interface Surroundings extends Pick<FetchFilesOptions, "retries"> {
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
 * Does a day's work. What readers of `out` see changes at the end of the build, what others see at the
 * end of publishing, and each only when all steps before it succeeded.
 *
 * @returns In a sentence, what was done.
 * @throws {StepError} When a step fails; the summary and the report are still written.
 */
export async function runDaily(given: DailyArguments, here: Surroundings): Promise<string> {
  const { out, target } = given;
  const { signal } = here;
  let found: SnapshotReport | undefined;
  try {
    const files = await step("fetch", () => fetchFiles({ ...given, ...here }));
    const built = await step("build", () => buildIfNew(given, here, files));
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
 * Builds what follows the current snapshot of the target, unless a root has a snapshot of these very files.
 *
 * @returns No report when `out` has nothing to publish.
 */
async function buildIfNew(
  { previous: location, ...given }: DailyArguments,
  { clock, signal }: Surroundings,
  files: FetchedFiles,
): Promise<{ verdict: string; report?: SnapshotReport }> {
  const out = folderSource(given.out);
  const previous = await previousOf(location, given);
  const { census, inspections, orders } = files;
  if (orders instanceof Error) note(`${orders.message}. Out-of-service orders are not included`);
  const built = await currentOf(out, files);
  // The same files with orders that were refused are another snapshot.
  const isOther = given.forceOrders !== undefined;
  if (!isOther && built?.unchanged !== undefined && await follows(out, previous)) {
    note(built.unchanged);
    return { verdict: built.unchanged, report: await readReport(out) };
  }
  const published = previous && await currentOf(previous, files);
  if (!isOther && published?.unchanged !== undefined) return { verdict: published.unchanged };
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

/** What the next snapshot follows: what is at `--previous`, else at the target; undefined for a first one. */
async function previousOf(
  location: string | undefined,
  { target }: Pick<DailyArguments, "target">,
): Promise<Source | undefined> {
  if (location !== undefined) return openRoot(location);
  if (target === undefined) return undefined;
  const source = storeSource(openTarget(target));
  return await source.get(POINTER_PATH) === null ? undefined : source;
}

/** Whether the current snapshot of `out` is, or follows, that of a root; any does where there is none. */
async function follows(out: Source, root: Source | undefined): Promise<boolean> {
  const bytes = root && await root.get(POINTER_PATH);
  if (!bytes) return true;
  const { snapshot } = parsePointer(bytes);
  const { snapshot: own, manifest } = await readReport(out);
  return own === snapshot || manifest.previous?.id === snapshot;
}

/** What is current at a root, null when nothing is; `unchanged` says so when it was made from these files. */
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
    // Without today's orders nothing better can be made of the same two files.
    (orders instanceof Error || hashOf("orders") === orders?.sha256);
  if (!isSame) return {};
  const unchanged =
    `Unchanged: ${snapshot}, current in ${root.name}, was made from these very files`;
  return { unchanged };
}

/** Writes the verdict, a sentence, and the report if there is one. */
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
