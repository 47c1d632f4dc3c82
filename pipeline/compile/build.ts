/**
 * From FMCSA's files to a snapshot: two passes over USDOT ranges on every core, then the docket
 * index, the report and the manifest, and one rename that makes it current.
 *
 * @module
 */

import { isDeepStrictEqual } from "node:util";
import { type Baseline, checkBaseline, readBaseline } from "../audit/comparison.ts";
import { GateError, type GateFailure } from "../audit/gates.ts";
import { ALL_ROLES, type BuildReport, type FileReport } from "../audit/report.ts";
import { isoDay } from "../dates.ts";
import { describeProblems } from "../fmcsa/problems.ts";
import { orUndefined } from "../io.ts";
import { FOLDER_KEEPS } from "../snapshot/chain.ts";
import { FORMAT } from "../snapshot/documents.ts";
import { hashText } from "../snapshot/record/filed_hash.ts";
import {
  entryOf,
  type Keeps,
  type Manifest,
  MAX_NOTE,
  type PointerEntry,
} from "../snapshot/manifest.ts";
import { folderOf, folderSource } from "../snapshot/sources/open_source.ts";
import {
  CHANGES_PATH,
  PAST_PATH,
  REPORT_PATH,
  snapshotId,
  snapshotPath,
  SUMS_PATH,
} from "../snapshot/paths.ts";
import type { Source } from "../snapshot/source.ts";
import { adoptSnapshot, FileSyncs, writeDocument, writeSums } from "../snapshot/writer.ts";
import type { BuildOptions, BuildWork } from "./build_options.ts";
import { judgeBuild, OrdersRefused, overrideReasons } from "./judge.ts";
import { openRunner } from "./pool.ts";
import {
  openPredecessor,
  type Predecessor,
  succeed,
  type Succession,
} from "./changes/predecessor.ts";
import { type ReadFiles, readFiles } from "./read_files.ts";
import { prepareStaging, STAGED } from "./spill/staging.ts";
import { CARRIERS_PER_SHARD, writeObjects, type WrittenObjects } from "./write_objects.ts";

export interface BuildOutcome {
  entry: PointerEntry;
  manifest: Manifest;
  report: BuildReport;
  /** False when the same snapshot was current already. */
  isNew: boolean;
  overridden: GateFailure[];
}

/**
 * Builds a snapshot and makes it current in `out`. Readers see no change before the last step. A killed build
 * leaves a `.build` folder that the next build removes.
 *
 * @throws {GateError} When a gate fails, without `force`.
 * @throws {RangeError} When there is nothing to compare with, without `first`, or the data date is in the
 * future.
 * @throws {TypeError} When a file is not the expected one.
 */
export async function build(options: BuildOptions): Promise<BuildOutcome> {
  try {
    return await buildOnce(options);
  } catch (error) {
    if (!(error instanceof OrdersRefused)) throw error;
    options.onNote?.(error.message);
    // The orders are already in shards and histories, so leaving them out means starting over.
    return await buildOnce({ ...options, orders: error.leftOut });
  }
}

async function buildOnce(options: BuildOptions): Promise<BuildOutcome> {
  const { out, signal } = options;
  await using staging = await prepareStaging(out);
  await using pool = await openRunner(options);
  await using syncs = new FileSyncs();
  const stop = Promise.withResolvers<never>();
  stop.promise.catch(() => {});
  const onAbort = (): void => stop.reject(signal?.reason);
  signal?.throwIfAborted();
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([run({ dir: staging.dir, pool, syncs, options }), stop.promise]);
  } finally {
    signal?.removeEventListener("abort", onAbort);
  }
}

async function run(work: BuildWork): Promise<BuildOutcome> {
  const { dir, syncs, options } = work;
  const { out, force, keeps = FOLDER_KEEPS } = options;
  checkNotes(options);
  // Checked first, so that a wrong baseline does not fail after minutes of work.
  const own = await readBaseline(folderSource(out));
  const baseline = options.previous === undefined ? own : await previousBaseline(options.previous);
  checkBaseline(baseline, { first: options.first, force, where: out });

  const predecessor = openBaseline(work, baseline);
  // Awaited only after the first pass. If that fails first, a rejection here must not count as unhandled.
  predecessor.catch(() => {});
  const read = await readFiles(options, {
    dir,
    runner: work.pool,
    onRead: (bytes, total) => options.onProgress?.({ label: "read", unit: "bytes", total }, bytes),
  });
  const { sources, dataDate } = read;
  const previous = await predecessor;
  const succession = succeed(previous, {
    dataDate,
    width: CARRIERS_PER_SHARD,
    hasOrders: read.passes.orders !== undefined,
  });
  const { merge } = succession;
  const written = await writeObjects(work, read, merge && { merge, previous: previous! });
  const report = reportOf(options, read, written);
  const draft = draftOf({ read, written, succession, notice: report.notice });
  const staged = `${dir}/${snapshotPath(STAGED)}`;
  const sums = await writeSums(staged, written.sums);
  if (own !== null && "report" in own.found && isSame(own.found, { report, sums, draft })) {
    const entry = { ...entryOf(own.pointer), sources };
    const kept = { ...own.pointer.keeps, ...keeps };
    await adoptSnapshot(out, { staged, entry, over: own.pointer.snapshot, syncs, keeps: kept });
    const { manifest, report } = own.found;
    return { entry, manifest, report, isNew: false, overridden: [] };
  }

  const chain = merge && previous!.chain;
  const { totals, changes } = written;
  const { failures, orderFailures, forced } = await judgeBuild(work, {
    read,
    totals,
    report,
    draft,
    baseline,
    chain,
  });
  if (forced !== "") report.forced = draft.forced = forced;
  options.signal?.throwIfAborted();
  const manifest = writeDocuments(staged, { draft, report, sums, changes, past: succession.past });
  const { sha256 } = writeDocument(`${staged}/manifest.json`, manifest);
  const snapshot = snapshotId(manifest, sha256);
  if (failures.length > 0 && force === undefined) {
    const refused = { snapshot, manifest, report };
    throw new GateError("The build stopped, nothing was changed", failures, refused);
  }
  const entry = { snapshot, data_date: dataDate, manifest_sha256: sha256, sources };
  const over = own?.pointer.snapshot;
  const kept = await keptHere(out, { keeps, own, manifest, snapshot });
  const isNew = await adoptSnapshot(out, { staged, entry, over, syncs, keeps: kept });
  return { entry, manifest, report, isNew, overridden: [...failures, ...orderFailures] };
}

/** @throws {RangeError} When the notice or the reasons are too long to be repeated in answers. */
function checkNotes(options: BuildOptions): void {
  const longest = Math.max(options.notice?.length ?? 0, overrideReasons(options).length);
  if (longest <= MAX_NOTE) return;
  throw new RangeError(`Cannot build with a notice or reasons of over ${MAX_NOTE} characters`);
}

/** The report of what was read and written, without gates; notes what a maintainer should know. */
function reportOf(
  options: BuildOptions,
  { dataDate, leftOut }: ReadFiles,
  { totals }: WrittenObjects,
): BuildReport {
  const { notice, onNote = () => {} } = options;
  const report = totals.report({ dataDate, notice });
  for (const role of ALL_ROLES) {
    if (report[role] === undefined) continue;
    describeProblems(totals.problems[role], options[role] as string).forEach(onNote);
    describeColumns(report[role], options[role] as string).forEach(onNote);
  }
  if (leftOut?.refused) report.orders = leftOut.refused.report;
  return report;
}

/** The part of the manifest that is known before the gates. */
function draftOf(
  { read: { passes, leftOut, dataDate, window }, written, succession, notice }: {
    read: ReadFiles;
    written: WrittenObjects;
    succession: Succession;
    notice: string | undefined;
  },
): Omit<Manifest, "files"> {
  const { totals, families, search, exported, changes } = written;
  const { added, changed, removed, hash } = totals.log;
  return {
    format: FORMAT,
    data_date: dataDate,
    ...(notice !== undefined && { notice }),
    inspections_date: isoDay(window.to),
    ...(passes.orders && { orders_date: isoDay(passes.orders.newest) }),
    ...(leftOut && { orders: leftOut.why }),
    ...succession.manifest,
    window: { from: isoDay(window.from), to: isoDay(window.to) },
    counts: totals.counts(),
    sync: { ...(changes && { added, changed, removed }), hash: hashText(succession.hash + hash) },
    families,
    ...(search && { search: search.manifest }),
    ...(exported && { export: exported.manifest }),
  };
}

/** Writes the report and the list of predecessors; returns the manifest with their hashes. */
function writeDocuments(
  staged: string,
  { draft, report, sums, changes, past }: {
    draft: Omit<Manifest, "files">;
    report: BuildReport;
    sums: Manifest["files"]["SHA256SUMS"];
    changes: WrittenObjects["changes"];
    past: Succession["past"];
  },
): Manifest {
  return {
    ...draft,
    files: {
      [SUMS_PATH]: sums,
      [REPORT_PATH]: writeDocument(`${staged}/${REPORT_PATH}`, report),
      [PAST_PATH]: writeDocument(`${staged}/${PAST_PATH}`, past),
      ...(changes && { [CHANGES_PATH]: changes }),
    },
  };
}

/** What `out` keeps of the chain. `from` is this snapshot if `out` lacks the previous one. */
async function keptHere(
  out: string,
  { keeps, own, manifest: { previous }, snapshot }: {
    keeps: Keeps;
    own: Baseline | null;
    manifest: Manifest;
    snapshot: string;
  },
): Promise<Keeps> {
  if (previous === undefined) return keeps;
  const isThere = await orUndefined(Deno.lstat(`${out}/${snapshotPath(previous.id)}`));
  const from = isThere === undefined ? snapshot : own?.pointer.keeps?.from;
  return from === undefined ? keeps : { ...keeps, from };
}

async function previousBaseline(previous: Source): Promise<Baseline> {
  const found = await readBaseline(previous);
  if (found !== null) return found;
  throw new RangeError(`Cannot compare with ${previous.name}: Cannot find "current.json" there`);
}

/** Opens the snapshot that this one follows; undefined for the first, and when `force` skips the comparison. */
async function openBaseline(
  { dir, options }: BuildWork,
  baseline: Baseline | null,
): Promise<Predecessor | undefined> {
  if (baseline === null || !("report" in baseline.found)) return undefined;
  const { out, previous = folderSource(out), folders = [], signal } = options;
  return await openPredecessor(previous, baseline.pointer, {
    changesTo: options.export ? `${dir}/earlier` : undefined,
    folders: [out, ...folders, folderOf(previous.name) ?? []].flat(),
    signal,
  });
}

/** Messages about unusual columns, although all needed columns are there. */
function describeColumns(file: FileReport, path: string): string[] {
  const { extra_columns, reordered_columns } = file;
  return [
    ...(extra_columns.length > 0
      ? [`${path}: new columns, not used: ${extra_columns.join(", ")}`]
      : []),
    ...(reordered_columns ? [`${path}: the columns come in another order; read by name`] : []),
  ];
}

/** Whether the current snapshot of `out` has the same objects and the same facts in its report. */
function isSame(
  { manifest, report }: { manifest: Manifest; report: BuildReport },
  built: {
    report: BuildReport;
    sums: Manifest["files"]["SHA256SUMS"];
    draft: Omit<Manifest, "files">;
  },
): boolean {
  if (manifest.files[SUMS_PATH].sha256 !== built.sums.sha256) return false;
  if (manifest.orders !== built.draft.orders) return false;
  // Ignores what the comparison with the previous snapshot adds to a report, which the new one still lacks.
  const facts = (
    { gates: _, drift: __, forced: ___, orders_before: ____, changes: _____, orders, ...rest }:
      BuildReport,
  ) => ({ ...rest, orders: orders && { ...orders, gates: [] } });
  return isDeepStrictEqual(facts(JSON.parse(JSON.stringify(built.report))), facts(report));
}
