/**
 * A day's work in one go: fetch, build, verify, publish. Run again it goes on where it stopped, and
 * does nothing when there is nothing new.
 *
 * @module
 */

import type { BuildOptions, BuildOutcome } from "../compile/build.ts";
import { GateError } from "../compile/gates.ts";
import type { Clock } from "../clock.ts";
import { messageOf } from "../text.ts";
import { note } from "../io.ts";
import { fetchBoth, type FetchBothOptions } from "../fmcsa/download.ts";
import type { SnapshotReport } from "../compile/report.ts";
import { readReport } from "../compile/report.ts";
import { folderSource } from "../snapshot/open_source.ts";
import { POINTER_PATH } from "../snapshot/manifest.ts";
import type { Source } from "../snapshot/source.ts";
import { buildWithProgress } from "./build.ts";
import { leave, type Leaving } from "./leave.ts";
import { madeFrom } from "./previous.ts";
import { verifyWithProgress } from "./verify.ts";

/** The steps, in their order. */
export type Step = "fetch" | "build" | "verify" | "publish";

/** What to do. */
export interface DailyOptions extends Leaving, Pick<BuildOptions, "first" | "force" | "workers"> {
  /** Addresses, folder and patience of the download. */
  fetch: Pick<FetchBothOptions, "to" | "censusUrl" | "inspectionsUrl" | "retries">;
  /** The snapshot root to build in. */
  out: string;
  /** What to compare with where `out` has no snapshot yet. @default `target` */
  previous?: Source;
  /** Where `publish` publishes to. */
  target?: Source;
  /** Makes what is current in a root the one that readers see; says what it did. */
  publish?: (dir: string, signal: AbortSignal) => Promise<string>;
  clock: Clock;
  signal: AbortSignal;
}

/** Says at which step a day's work stopped. */
export class StepError extends Error {
  override name = "StepError";
  readonly step: Step;

  constructor(step: Step, cause: unknown) {
    const way = step === "fetch" ? ". Nothing was changed; try again when the file is there" : "";
    super(`Stopped at ${step}: ${messageOf(cause)}${way}`, { cause });
    this.step = step;
  }
}

/**
 * Does a day's work. What readers of `out` see changes at the end of the build, what others see at the
 * end of publishing, and each only when all before it went well.
 *
 * @returns In a sentence, what was done.
 * @throws {StepError} When a step fails; the summary is left all the same.
 */
export async function runDaily(options: DailyOptions): Promise<string> {
  let found: SnapshotReport | undefined;
  const onReport = (report: SnapshotReport): void => void (found = report);
  try {
    const verdict = await work(options, onReport);
    await leave(verdict, { ...options, found });
    return verdict;
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    if (error.cause instanceof GateError) found = error.cause.refused;
    await leave(error.message, { ...options, found });
    throw error;
  }
}

async function work(
  options: DailyOptions,
  onReport: (report: SnapshotReport) => void,
): Promise<string> {
  const { out, signal, clock, publish } = options;
  const here = folderSource(out);
  const files = await step("fetch", () => fetchBoth({ ...options.fetch, clock, signal }));
  const hashes = { census: files.census.sha256, inspections: files.inspections.sha256 };
  const paths = { census: files.census.path, inspections: files.inspections.path };
  const built = await step("build", () => buildIfNew(options, { here, hashes, paths }));
  const { verdict, report } = built;
  if (report === undefined) return verdict;
  onReport(report);
  await step("verify", async () => {
    const { problems } = await verifyWithProgress(here, { clock, signal });
    if (problems.length > 0) throw new Error(problems.join("\n"));
  });
  if (publish === undefined) return verdict;
  return `${verdict}. ${await step("publish", () => publish(out, signal))}`;
}

/** Builds, unless the root or the snapshot before was made from these very files. */
async function buildIfNew(
  options: DailyOptions,
  { here, hashes, paths }: {
    here: Source;
    hashes: Parameters<typeof madeFrom>[1];
    paths: Pick<BuildOptions, "census" | "inspections">;
  },
): Promise<{ verdict: string; report?: SnapshotReport }> {
  const isEmpty = await here.get(POINTER_PATH) === null;
  const previous = options.previous ?? (isEmpty ? await nonEmpty(options.target) : undefined);
  const unchanged = (id: string, where: string): string =>
    `Unchanged: ${id}, current in ${where}, was made from these very files`;
  const same = await madeFrom(here, hashes);
  if (same !== undefined) {
    note(unchanged(same, here.name));
    return { verdict: unchanged(same, here.name), report: await readReport(here) };
  }
  const before = previous && await madeFrom(previous, hashes);
  if (before !== undefined) return { verdict: unchanged(before, previous!.name) };
  const { out, first, force, workers, clock, signal } = options;
  const outcome: BuildOutcome = await buildWithProgress({
    ...paths,
    out,
    ...(previous && { previous }),
    ...(first !== undefined && { first }),
    ...(force !== undefined && { force }),
    ...(workers !== undefined && { workers }),
    clock,
    signal,
  });
  const { entry: { snapshot }, manifest, report, overridden } = outcome;
  for (const { message } of overridden) note(`Overridden by --force: ${message}`);
  return { verdict: `Built ${snapshot}`, report: { snapshot, manifest, report } };
}

async function nonEmpty(root: Source | undefined): Promise<Source | undefined> {
  return root && await root.get(POINTER_PATH) !== null ? root : undefined;
}

async function step<T>(name: Step, run: () => Promise<T>): Promise<T> {
  note(`== ${name}`);
  try {
    return await run();
  } catch (error) {
    throw new StepError(name, error);
  }
}
