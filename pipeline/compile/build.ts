/**
 * From the regulator's two files to a snapshot: two passes over USDOT ranges on every core, then the
 * docket index, the report and the manifest, and one rename that makes it current.
 *
 * @module
 */

import type { SnapshotReport } from "../report/figures.ts";
import type { Clock } from "../clock.ts";
import { addDays, dayNumber, isoDay, windowStart } from "../fmcsa/fields.ts";
import { describeProblems } from "../fmcsa/problems.ts";
import { isDeepStrictEqual } from "node:util";
import { folderSource } from "../snapshot/open_source.ts";
import {
  entryOf,
  FORMAT,
  type Manifest,
  type PointerEntry,
  snapshotPath,
} from "../snapshot/manifest.ts";
import { PinnedSnapshot } from "../snapshot/pinned_snapshot.ts";
import { SharedCache } from "../snapshot/shared_cache.ts";
import type { Source } from "../snapshot/source.ts";
import {
  adoptSnapshot,
  describeFamily,
  REPORT_PATH,
  type ShardSum,
  snapshotId,
  SUMS_PATH,
  writeDocument,
  writeSums,
} from "../snapshot/writer.ts";
import { type BuiltSearch, indexSpilled, indexSteps } from "../search/index/build.ts";
import type { Unit } from "../progress.ts";
import type { Assembled } from "./assemble.ts";
import { writeDockets } from "./dockets.ts";
import type { FirstPass } from "./first_pass.ts";
import { type Baseline, checkBaseline, comparisonGates, drift, readBaseline } from "./baseline.ts";
import { failuresOf, fileGates, GateError, type GateFailure, gateResults } from "./gates.ts";
import { chooseDataDate, fileSize, type Sidecars, sourceFile, trustedSidecar } from "./inputs.ts";
import { WorkerPool } from "./pool.ts";
import type { BuildReport, FileReport } from "./report.ts";
import { spilledPartitions } from "./spill.ts";
import { prepareStaging, STAGED } from "./staging.ts";
import { Totals } from "./totals.ts";
import type { BuildResult, BuildTask } from "./worker.ts";

/** USDOT numbers a carrier shard: about 4 KB to fetch. */
const CARRIERS_PER_SHARD = 100;

/** Docket numbers a docket shard: about 5 KB to fetch. */
const DOCKETS_PER_SHARD = 1000;

/** A date is believable up to this many days after the data date: files are dated a little behind. */
const BELIEVED_AHEAD_DAYS = 31;

/** How to build. */
export interface BuildOptions {
  census: string;
  inspections: string;
  /** The snapshot root: receives `current.json` and `s/<id>/`. */
  out: string;
  /** Date of the census, `YYYY-MM-DD`. Without it: the day it last changed at its source, else its newest day. */
  dataDate?: string;
  /** The snapshot root to compare with where `out` has no snapshot yet. */
  previous?: Source;
  /** There may be nothing to compare with: `out` is to have its first snapshot. */
  first?: boolean;
  /** Why broken bounds are to be overridden. */
  force?: string;
  /** Says of what kind the data is, when it is not only the regulator's. */
  notice?: string;
  /** Whether to make the search index. @default {true} */
  search?: boolean;
  /** @default {navigator.hardwareConcurrency} */
  workers?: number;
  clock: Clock;
  /** Told how far each step has come. */
  onProgress?: (step: BuildStep, done: number) => void;
  /** Told things the maintainer should see. */
  onNote?: (note: string) => void;
  signal?: AbortSignal;
}

/** The steps of a build: both files are read at once, then records are written, then indexed. */
export interface BuildStep {
  label: "read" | "write" | "index";
  unit: Unit;
  total: number;
}

/** What a build made. */
export interface BuildOutcome {
  entry: PointerEntry;
  manifest: Manifest;
  report: BuildReport;
  /** False when the same snapshot stood there already. */
  isNew: boolean;
  overridden: GateFailure[];
}

type Pool = WorkerPool<BuildTask, BuildResult>;

/**
 * Builds a snapshot and makes it current in `out`. Nothing readers can see changes before the last
 * step; a killed build leaves a `.build` folder that the next one clears.
 *
 * @throws {GateError} When a bound is broken and no reason to override it was given.
 * @throws {RangeError} When there is nothing to compare with, and this is not said to be the first.
 * @throws {TypeError} When a file is not what it should be.
 */
export async function build(options: BuildOptions): Promise<BuildOutcome> {
  await using staging = await prepareStaging(options.out);
  using pool: Pool = new WorkerPool(
    new URL("./worker.ts", import.meta.url),
    options.workers ?? Math.max(navigator.hardwareConcurrency, 1),
  );
  const stop = Promise.withResolvers<never>();
  stop.promise.catch(() => {});
  const onAbort = (): void => stop.reject(options.signal?.reason);
  options.signal?.throwIfAborted();
  options.signal?.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([buildIn(staging.dir, { pool, options }), stop.promise]);
  } finally {
    options.signal?.removeEventListener("abort", onAbort);
  }
}

async function buildIn(
  dir: string,
  { pool, options }: { pool: Pool; options: BuildOptions },
): Promise<BuildOutcome> {
  const { onNote = () => {} } = options;
  // First of all: what is wrong here should not show after minutes of work.
  const own = await readBaseline(folderSource(options.out));
  if (own !== null && options.previous !== undefined) {
    onNote(`Compared with ${own.pointer.snapshot}, current in ${options.out}, not with --previous`);
  }
  const previous = own ?? await previousBaseline(options);
  const { first, force, out } = options;
  checkBaseline(previous, { first, force, where: out });
  const staged = `${dir}/${snapshotPath(STAGED)}`;
  const sidecars: Sidecars = {
    census: await trustedSidecar(options.census),
    inspections: await trustedSidecar(options.inspections),
  };
  const today = isoDay(dayNumber(new Date(options.clock.now()).toISOString().slice(0, 10)));
  const latest = dayNumber(options.dataDate ?? today);
  const passes = await firstPasses(dir, { pool, options, latest, sidecars });
  const sources = (["census", "inspections"] as const).map((role) =>
    sourceFile(role, { path: options[role], pass: passes[role], sidecar: sidecars[role] })
  );
  const dataDate = options.dataDate ?? chooseDataDate(passes, { sidecars, onNote });
  // Each file has its own date; without a single inspection the window ends with the census.
  const inspectionsDate = passes.inspections.newest || dayNumber(dataDate);
  const window = { from: windowStart(inspectionsDate), to: inspectionsDate };
  const totals = new Totals(passes);
  const partitions = spilledPartitions(`${dir}/census`, `${dir}/inspections`);
  const step: BuildStep = { label: "write", unit: "rows", total: passes.census.kept };
  await Promise.all(partitions.map(async (partition) => {
    const result = await pool.run({
      kind: "assemble",
      partition,
      censusDir: `${dir}/census`,
      inspectionDir: `${dir}/inspections`,
      ...(options.search === false ? {} : { searchDir: `${dir}/search` }),
      to: staged,
      width: CARRIERS_PER_SHARD,
      window,
      latest: addDays(dayNumber(dataDate), BELIEVED_AHEAD_DAYS),
      dataDate,
    });
    totals.add((result as { assembled: Assembled }).assembled);
    options.onProgress?.(step, totals.counts().carriers);
  }));
  // A worker merges the terms, which is work for one, while this thread writes the dockets.
  const indexing = options.search === false
    ? undefined
    : indexRecords(dir, { pool, options, partitions, totals });
  const docketShards = writeDockets(staged, {
    parts: totals.dockets,
    width: DOCKETS_PER_SHARD,
  });
  const search = await indexing;
  const report = totals.report({
    dataDate,
    ...(options.notice === undefined ? {} : { notice: options.notice }),
  });
  for (const role of ["census", "inspections"] as const) {
    describeProblems(totals.problems[role], options[role]).forEach(onNote);
    describeColumns(report[role], options[role]).forEach(onNote);
  }
  const draft: Omit<Manifest, "files"> = {
    format: FORMAT,
    data_date: dataDate,
    ...(report.notice === undefined ? {} : { notice: report.notice }),
    inspections_date: isoDay(inspectionsDate),
    window: { from: isoDay(window.from), to: isoDay(window.to) },
    counts: totals.counts(),
    families: {
      carriers: describeFamily(totals.shards, CARRIERS_PER_SHARD),
      dockets: describeFamily(docketShards, DOCKETS_PER_SHARD),
    },
    ...(search ? { search: search.manifest } : {}),
  };
  const sums = writeSums(staged, [
    ...byNumber(totals.shards),
    ...byNumber(docketShards),
    ...(search?.sums ?? []),
  ]);
  if (own !== null && isSame(own, { report, sums })) {
    const { found, pointer } = own as Baseline & { found: SnapshotReport };
    const entry = { ...entryOf(pointer), sources };
    await adoptSnapshot(options.out, { staged, entry, over: pointer.snapshot });
    return { entry, ...found, isNew: false, overridden: [] };
  }
  const whole = { census: passes.census.whole, inspections: passes.inspections.whole };
  const built = stagedSnapshot(dir, draft);
  const gates = [
    ...fileGates(report, { paths: options, whole }),
    ...await comparisonGates({ report, snapshot: built, paths: options }, previous),
  ];
  const failures = failuresOf(gates);
  report.gates = gateResults(gates, options.force !== undefined);
  if (failures.length > 0 && options.force !== undefined) {
    report.forced = draft.forced = options.force;
  }
  if (previous && "report" in previous.found) report.drift = drift(report, previous.found);
  const manifest: Manifest = {
    ...draft,
    files: {
      [SUMS_PATH]: sums,
      [REPORT_PATH]: writeDocument(`${staged}/${REPORT_PATH}`, report),
    },
  };
  options.signal?.throwIfAborted();
  const { sha256 } = writeDocument(`${staged}/manifest.json`, manifest);
  const snapshot = snapshotId(manifest, sha256);
  if (failures.length > 0 && options.force === undefined) {
    const refused = { snapshot, manifest, report };
    throw new GateError("The build stopped, nothing was changed", failures, refused);
  }
  const entry = { snapshot, data_date: dataDate, manifest_sha256: sha256, sources };
  const isNew = await adoptSnapshot(options.out, { staged, entry, over: own?.pointer.snapshot });
  return { entry, manifest, report, isNew, overridden: failures };
}

async function previousBaseline({ previous }: BuildOptions): Promise<Baseline | null> {
  if (previous === undefined) return null;
  const found = await readBaseline(previous);
  if (found !== null) return found;
  throw new RangeError(`Cannot compare with ${previous.name}: Cannot find "current.json" there`);
}

/** Whether a root's current snapshot has the same objects and the same facts in its report. */
function isSame(
  { found }: Baseline,
  { report, sums }: { report: BuildReport; sums: Manifest["files"]["SHA256SUMS"] },
): boolean {
  if (!("report" in found) || found.manifest.files[SUMS_PATH].sha256 !== sums.sha256) return false;
  const facts = ({ gates: _, drift: __, forced: ___, ...rest }: BuildReport) => rest;
  return isDeepStrictEqual(facts(JSON.parse(JSON.stringify(report))), facts(found.report));
}

/** Reads what was built, before it has a name. */
function stagedSnapshot(dir: string, draft: Omit<Manifest, "files">): PinnedSnapshot {
  return new PinnedSnapshot({ id: STAGED, manifestSha256: "" }, {
    manifest: draft as Manifest,
    source: folderSource(dir),
    cache: new SharedCache(16 * 1024 * 1024),
    sparse: true,
  });
}

async function firstPasses(
  dir: string,
  { pool, options, latest, sidecars }: {
    pool: Pool;
    options: BuildOptions;
    latest: number;
    sidecars: Sidecars;
  },
): Promise<Record<"census" | "inspections", FirstPass>> {
  const sizes = {
    census: await fileSize(options.census),
    inspections: await fileSize(options.inspections),
  };
  const step: BuildStep = {
    label: "read",
    unit: "bytes",
    total: sizes.census + sizes.inspections,
  };
  const done = { census: 0, inspections: 0 };
  const read = async (kind: "census" | "inspections"): Promise<FirstPass> => {
    const hash = sidecars[kind] === undefined;
    const task: BuildTask = { kind, path: options[kind], dir: `${dir}/${kind}`, latest, hash };
    const result = await pool.run(task, (bytes) => {
      done[kind] = bytes;
      options.onProgress?.(step, done.census + done.inspections);
    });
    return (result as { pass: FirstPass }).pass;
  };
  const [census, inspections] = await Promise.all([read("census"), read("inspections")]);
  return { census, inspections };
}

function indexRecords(
  dir: string,
  { pool, options, partitions, totals }: {
    pool: Pool;
    options: BuildOptions;
    partitions: number[];
    totals: Totals;
  },
): Promise<BuiltSearch> {
  let done = 0;
  return indexSpilled({
    dir: `${dir}/search`,
    to: `${dir}/${snapshotPath(STAGED)}`,
    partitions,
    carriers: totals.counts().carriers,
    async run(task): Promise<unknown> {
      const result = await pool.run(task);
      const step: BuildStep = { label: "index", unit: "steps", total: indexSteps(partitions) };
      options.onProgress?.(step, ++done);
      return (result as { value: unknown }).value;
    },
  });
}

function byNumber(shards: readonly ShardSum[]): ShardSum[] {
  return shards.toSorted((a, b) => a.shard - b.shard);
}

/** Says when a file's columns are others than usual, though all that are needed are there. */
function describeColumns(file: FileReport, path: string): string[] {
  const { extra_columns, reordered_columns } = file;
  return [
    ...(extra_columns.length > 0
      ? [`${path}: new columns, not used: ${extra_columns.join(", ")}`]
      : []),
    ...(reordered_columns ? [`${path}: the columns stand in another order; read by name`] : []),
  ];
}
