/**
 * From FMCSA's files to a snapshot: two passes over USDOT ranges on every core, then the docket
 * index, the report and the manifest, and one rename that makes it current.
 *
 * @module
 */

import { isDeepStrictEqual } from "node:util";
import { addDays, compactDay, isoDay } from "../dates.ts";
import { describeProblems } from "../fmcsa/problems.ts";
import { orUndefined } from "../io.ts";
import type { Unit } from "../progress.ts";
import { type BuiltSearch, indexSpilled, indexSteps } from "../search/index/build.ts";
import { hashText } from "../snapshot/filed_hash.ts";
import { FOLDER_KEEPS } from "../snapshot/chain.ts";
import {
  CHANGES_PATH,
  PAST_PATH,
  REPORT_PATH,
  snapshotPath,
  SUMS_PATH,
} from "../snapshot/paths.ts";
import { folderOf, folderSource } from "../snapshot/open_source.ts";
import {
  entryOf,
  type Keeps,
  type Manifest,
  MAX_NOTE,
  type PointerEntry,
} from "../snapshot/manifest.ts";
import { FORMAT } from "../snapshot/documents.ts";
import { PinnedSnapshot } from "../snapshot/pinned_snapshot.ts";
import { SharedCache } from "../snapshot/shared_cache.ts";
import type { Source } from "../snapshot/source.ts";
import {
  adoptSnapshot,
  describeFamily,
  FileSyncs,
  type ShardSum,
  snapshotId,
  writeDocument,
  writeSums,
} from "../snapshot/writer.ts";
import { joinParts } from "../export/join.ts";
import { loadParquet } from "../export/part.ts";
import { writeDockets } from "./assemble.ts";
import { writeChanges } from "./change_log.ts";
import {
  type Baseline,
  checkBaseline,
  comparisonGates,
  readBaseline,
} from "../audit/comparison.ts";
import { dayReport } from "../audit/day_changes.ts";
import { failuresOf, fileGates, GateError, type GateFailure, gateResults } from "../audit/gates.ts";
import { lastOrders, orderGates } from "../audit/order_gates.ts";
import { type BuildRunner, openRunner } from "./pool.ts";
import type { PreviousShards } from "./merge.ts";
import { type InputOptions, type LeftOut, type ReadFiles, readFiles } from "./read_files.ts";
import { recordChanges } from "../audit/record_changes.ts";
import { ALL_ROLES, type BuildReport, drift, type FileReport } from "../audit/report.ts";
import { openPredecessor, type Predecessor, succeed } from "./predecessor.ts";
import { PARTITION_WIDTH, prepareStaging, spilledPartitions, STAGED } from "./staging.ts";
import { Totals } from "./totals.ts";

/** USDOT numbers a carrier shard: about 8 KB to fetch. */
const CARRIERS_PER_SHARD = 100;

/** Docket numbers a docket shard: about 5 KB to fetch. */
const DOCKETS_PER_SHARD = 1000;

/** A date is believable up to this many days after the data date: files are dated a little behind. */
const BELIEVED_AHEAD_DAYS = 31;

export interface BuildOptions extends InputOptions {
  /** The snapshot root: receives `current.json` and `s/<id>/`. */
  out: string;
  /** The snapshot root whose current snapshot this one follows; `out` when absent. */
  previous?: Source;
  /** Roots on this machine that may have the previous snapshot, too; `out` is always asked. */
  folders?: readonly string[];
  /** How long old snapshots are kept in `out`. @default 8 days */
  keeps?: Keeps;
  /** Allows that there is nothing to compare with. */
  first?: boolean;
  /** Why broken bounds of the two files are overridden. */
  force?: string;
  /** Why broken bounds of the file of orders are overridden: without it such a file is left out. */
  forceOrders?: string;
  /** Describes the data when it is not only FMCSA's. */
  notice?: string;
  /** Whether to build the search index. @default {true} */
  search?: boolean;
  /** Whether to write the files of all carriers, which takes `hyparquet-writer`. @default {false} */
  export?: boolean;
  /** @default {navigator.hardwareConcurrency} none for small files */
  workers?: number;
  onProgress?: (step: BuildStep, done: number) => void;
  signal?: AbortSignal;
}

/**
 * The steps of a build: the files are read at once, while a previous snapshot that is on no disk here is
 * copied; then records are written, then indexed.
 */
export interface BuildStep {
  label: "read" | "copy" | "write" | "index";
  unit: Unit;
  total: number;
}

export interface BuildOutcome {
  entry: PointerEntry;
  manifest: Manifest;
  report: BuildReport;
  /** False when the same snapshot was current already. */
  isNew: boolean;
  overridden: GateFailure[];
}

interface Work {
  /** The build's own folder. */
  dir: string;
  pool: BuildRunner;
  syncs: FileSyncs;
  options: BuildOptions;
}

/**
 * Builds a snapshot and makes it current in `out`. Nothing readers can see changes before the last
 * step; a killed build leaves a `.build` folder that the next one removes.
 *
 * @throws {GateError} When a bound is broken, without `force`.
 * @throws {RangeError} When there is nothing to compare with, without `first`, or the data is of a day to
 *   come.
 * @throws {TypeError} When a file is not what it should be.
 */
export async function build(options: BuildOptions): Promise<BuildOutcome> {
  try {
    return await buildOnce(options);
  } catch (error) {
    if (!(error instanceof OrdersRefused)) throw error;
    options.onNote?.(error.message);
    // Their rows are in shards and their changes in histories by now: it starts over without them.
    return await buildOnce({ ...options, orders: error.leftOut });
  }
}

/** A gate of the file of orders failed: the snapshot is built without it. */
class OrdersRefused extends Error {
  readonly leftOut: LeftOut;

  constructor(failures: readonly GateFailure[], refused: NonNullable<LeftOut["refused"]>) {
    super(
      `Out-of-service orders are not included:\n` +
        failures.map(({ message }) => `  - ${message}`).join("\n") +
        `\nIf that file is correct, give --force-orders "REASON"; the reason is published with the snapshot`,
    );
    this.leftOut = { why: "refused", refused };
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

async function run(work: Work): Promise<BuildOutcome> {
  const { dir, syncs, options } = work;
  const { out, force, forceOrders, keeps = FOLDER_KEEPS, onNote = () => {} } = options;
  const reasons = reasonsOf(force, forceOrders);
  if (Math.max(options.notice?.length ?? 0, reasons.length) > MAX_NOTE) {
    throw new RangeError(`Cannot build with a notice or reasons of over ${MAX_NOTE} characters`);
  }
  // First, so that a wrong baseline does not fail after minutes of work.
  const own = await readBaseline(folderSource(out));
  const baseline = options.previous === undefined ? own : await previousBaseline(options.previous);
  checkBaseline(baseline, { first: options.first, force, where: out });

  const predecessor = openBaseline(work, baseline);
  // It is awaited after the first pass, which may fail before.
  predecessor.catch(() => {});
  const { passes, leftOut, sources, dataDate, window } = await readFiles(options, {
    dir,
    runner: work.pool,
    onRead: (bytes, total) => options.onProgress?.({ label: "read", unit: "bytes", total }, bytes),
  });
  const succession = succeed(await predecessor, {
    dataDate,
    width: CARRIERS_PER_SHARD,
    hasOrders: passes.orders !== undefined,
  });
  const totals = await writeRecords(work, { passes, dataDate, window, merge: succession.merge });
  const staged = `${dir}/${snapshotPath(STAGED)}`;
  // A worker merges the terms, which cannot be split, while this thread writes the dockets.
  const indexing = options.search === false ? undefined : indexRecords(work, totals);
  const docketShards = writeDockets(staged, { parts: totals.dockets, width: DOCKETS_PER_SHARD });
  const exported = options.export
    ? joinParts(totals.exported, {
      dir: `${dir}/export`,
      to: staged,
      library: await loadParquet(),
      facts: { data_date: dataDate, ...(options.notice && { notice: options.notice }) },
    })
    : undefined;
  const search = await indexing;
  const { added, changed, removed, hash, tally } = totals.log;
  const changes = succession.merge &&
    await writeChanges(staged, { dir: `${dir}/changes`, partitions: totals.partitions });

  const report = totals.report({ dataDate, notice: options.notice });
  for (const role of ALL_ROLES) {
    if (report[role] === undefined) continue;
    describeProblems(totals.problems[role], options[role] as string).forEach(onNote);
    describeColumns(report[role], options[role] as string).forEach(onNote);
  }
  if (leftOut?.refused) report.orders = leftOut.refused.report;
  const draft: Omit<Manifest, "files"> = {
    format: FORMAT,
    data_date: dataDate,
    ...(report.notice !== undefined && { notice: report.notice }),
    inspections_date: isoDay(window.to),
    ...(passes.orders && { orders_date: isoDay(passes.orders.newest) }),
    ...(leftOut && { orders: leftOut.why }),
    ...succession.manifest,
    window: { from: isoDay(window.from), to: isoDay(window.to) },
    counts: totals.counts(),
    sync: { ...(changes && { added, changed, removed }), hash: hashText(succession.hash + hash) },
    families: {
      carriers: describeFamily(totals.shards, CARRIERS_PER_SHARD),
      dockets: describeFamily(docketShards, DOCKETS_PER_SHARD),
    },
    ...(search && { search: search.manifest }),
    ...(exported && { export: exported.manifest }),
  };
  const sums = await writeSums(staged, [
    ...byNumber(totals.shards),
    ...byNumber(docketShards),
    ...(search?.sums ?? []),
    ...(exported?.sums ?? []),
  ]);
  if (own !== null && "report" in own.found && isSame(own.found, { report, sums, draft })) {
    const entry = { ...entryOf(own.pointer), sources };
    const kept = { ...own.pointer.keeps, ...keeps };
    await adoptSnapshot(out, { staged, entry, over: own.pointer.snapshot, syncs, keeps: kept });
    const { manifest, report } = own.found;
    return { entry, manifest, report, isNew: false, overridden: [] };
  }

  const before = baseline && "report" in baseline.found ? lastOrders(baseline.found) : undefined;
  const orderFailures: GateFailure[] = [];
  if (report.orders !== undefined && passes.orders !== undefined) {
    const gates = orderGates(report.orders, {
      path: options.orders as string,
      whole: passes.orders.whole,
      dataDate,
      before,
      losses: totals.losses,
    });
    orderFailures.push(...failuresOf(gates));
    report.orders.gates = gateResults(gates, forceOrders !== undefined);
    if (orderFailures.length > 0 && forceOrders === undefined) {
      const source = sources.find(({ role }) => role === "orders")!;
      throw new OrdersRefused(orderFailures, { report: report.orders, source });
    }
  } else if (before !== undefined) report.orders_before = before;

  if (baseline && "report" in baseline.found) {
    report.drift = drift(report, baseline.found, recordChanges(totals.changes));
  }
  if (succession.merge) {
    const { chain } = (await predecessor)!;
    report.changes = dayReport(tally, { counts: totals.log, dataDate, chain });
  }
  const whole = { census: passes.census.whole, inspections: passes.inspections.whole };
  const gates = [
    ...fileGates(report, { paths: options, whole }),
    ...await comparisonGates(
      { report, snapshot: stagedSnapshot(dir, draft), paths: options },
      baseline,
    ),
  ];
  const failures = failuresOf(gates);
  report.gates = gateResults(gates, force !== undefined);
  const forced = reasonsOf(
    failures.length > 0 ? force : undefined,
    orderFailures.length > 0 ? forceOrders : undefined,
  );
  if (forced !== "") report.forced = draft.forced = forced;
  const manifest: Manifest = {
    ...draft,
    files: {
      [SUMS_PATH]: sums,
      [REPORT_PATH]: writeDocument(`${staged}/${REPORT_PATH}`, report),
      [PAST_PATH]: writeDocument(`${staged}/${PAST_PATH}`, succession.past),
      ...(changes && { [CHANGES_PATH]: changes }),
    },
  };
  options.signal?.throwIfAborted();
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

/** The reasons for overriding bounds as a snapshot has them; empty without any. */
function reasonsOf(force: string | undefined, forceOrders: string | undefined): string {
  return [force, forceOrders && `orders: ${forceOrders}`].filter(Boolean).join("; ");
}

/** What a root keeps: `from` this snapshot where it has not the one before. */
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
  { dir, options }: Work,
  baseline: Baseline | null,
): Promise<Predecessor | undefined> {
  if (baseline === null || !("report" in baseline.found)) return undefined;
  const { out, previous = folderSource(out), folders = [], signal, onProgress } = options;
  return await openPredecessor(previous, baseline.pointer, {
    copyTo: `${dir}/previous`,
    folders: [out, ...folders, folderOf(previous.name) ?? []].flat(),
    signal,
    onCopied: (done, total) => onProgress?.({ label: "copy", unit: "objects", total }, done),
  });
}

/** The second pass: writes the carrier shards. */
async function writeRecords(
  { dir, pool, syncs, options }: Work,
  { passes, dataDate, window, merge }: Omit<ReadFiles, "sources"> & {
    merge: PreviousShards | undefined;
  },
): Promise<Totals> {
  const partitions = [
    ...new Set([
      ...spilledPartitions(`${dir}/census`, `${dir}/inspections`, `${dir}/orders`),
      ...previousPartitions(merge),
    ]),
  ].sort((a, b) => a - b);
  const totals = new Totals(passes, partitions);
  const step: BuildStep = { label: "write", unit: "rows", total: passes.census.kept };
  const task = {
    kind: "assemble" as const,
    censusDir: `${dir}/census`,
    inspectionDir: `${dir}/inspections`,
    ...(passes.orders && { ordersDir: `${dir}/orders` }),
    ...(options.search !== false && { searchDir: `${dir}/search` }),
    ...(options.export && { exportDir: `${dir}/export` }),
    changesDir: `${dir}/changes`,
    to: `${dir}/${snapshotPath(STAGED)}`,
    width: CARRIERS_PER_SHARD,
    window,
    latest: addDays(compactDay(dataDate), BELIEVED_AHEAD_DAYS),
    dataDate,
    ...(merge && { merge }),
  };
  await Promise.all(partitions.map(async (partition) => {
    const assembled = await pool.run(() => ({ ...task, partition }));
    totals.add(assembled);
    // This thread waits for the workers anyway; all at the end takes a quarter of the build.
    syncs.add(assembled.shards.map(({ path }) => `${task.to}/${path}`));
    options.onProgress?.(step, totals.counts().carriers);
  }));
  return totals;
}

function indexRecords({ dir, pool, options }: Work, totals: Totals): Promise<BuiltSearch> {
  const { partitions } = totals;
  const step: BuildStep = { label: "index", unit: "steps", total: indexSteps(partitions) };
  let done = 0;
  return indexSpilled({
    dir: `${dir}/search`,
    to: `${dir}/${snapshotPath(STAGED)}`,
    partitions,
    carriers: totals.counts().carriers,
    async run(task): Promise<unknown> {
      const result = await pool.run(() => task);
      options.onProgress?.(step, ++done);
      return result;
    },
  });
}

/** The partitions that have shards in the previous snapshot. */
function previousPartitions(merge: PreviousShards | undefined): number[] {
  if (merge === undefined) return [];
  const shards = PARTITION_WIDTH / CARRIERS_PER_SHARD;
  return merge.family.runs.flatMap(([first, last]) => {
    const from = Math.floor(first / shards);
    return Array.from({ length: Math.floor(last / shards) - from + 1 }, (_, i) => from + i);
  });
}

/** Messages about columns that differ from the usual, though all that are needed are there. */
function describeColumns(file: FileReport, path: string): string[] {
  const { extra_columns, reordered_columns } = file;
  return [
    ...(extra_columns.length > 0
      ? [`${path}: new columns, not used: ${extra_columns.join(", ")}`]
      : []),
    ...(reordered_columns ? [`${path}: the columns come in another order; read by name`] : []),
  ];
}

function byNumber(shards: readonly ShardSum[]): ShardSum[] {
  return shards.toSorted((a, b) => a.shard - b.shard);
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
  // A report has more after the comparison with the previous snapshot.
  const facts = (
    { gates: _, drift: __, forced: ___, orders_before: ____, changes: _____, orders, ...rest }:
      BuildReport,
  ) => ({ ...rest, orders: orders && { ...orders, gates: [] } });
  return isDeepStrictEqual(facts(JSON.parse(JSON.stringify(built.report))), facts(report));
}

/** Reads what was built, before it has a name. */
function stagedSnapshot(dir: string, draft: Omit<Manifest, "files">): PinnedSnapshot {
  return new PinnedSnapshot({ id: STAGED, manifestSha256: "" }, {
    manifest: draft as Manifest,
    source: folderSource(dir),
    cache: new SharedCache(16 * 1024 * 1024),
    listCacheBytes: 16 * 1024 * 1024,
  });
}
