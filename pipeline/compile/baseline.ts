/**
 * The one rule for moving a pointer: a snapshot is compared with the one that the pointer names now,
 * by the reports of both. `build` and `publish` follow it; `rollback` goes to a snapshot that passed
 * when it was published, and does not.
 *
 * @module
 */

import { SYSTEM_CLOCK } from "../clock.ts";
import { messageOf } from "../text.ts";
import type { SnapshotReport } from "../report/figures.ts";
import { reportOf } from "../report/read.ts";
import { parsePointer, type Pointer, POINTER_PATH } from "../snapshot/manifest.ts";
import type { Snapshot } from "../snapshot/pinned_snapshot.ts";
import { SnapshotReader, SnapshotUnavailable } from "../snapshot/reader.ts";
import { type Source, SourceFailure } from "../snapshot/source.ts";
import { driftGates, type Gate, type Paths } from "./gates.ts";
import { landmarkGates } from "./landmarks.ts";
import type { BuildReport } from "./report.ts";

/** The snapshot that a pointer names now. */
export interface Baseline {
  pointer: Pointer;
  /** Where it was read. */
  where: string;
  /** Its report, or why there is none to compare with: it is missing, or not the one that was published. */
  found: SnapshotReport | { problem: string };
}

/** The report to compare with is missing or altered. */
export class BaselineError extends Error {
  override name = "BaselineError";
}

/**
 * Reads what the pointer of a root names now; null where there is no pointer.
 *
 * @throws {Error} When the pointer cannot be understood, or the root cannot be read.
 */
export async function readBaseline(root: Source): Promise<Baseline | null> {
  const bytes = await root.get(POINTER_PATH);
  return bytes === null ? null : await baselineOf(root, parsePointer(bytes));
}

/** Reads the report of the snapshot that a pointer names. */
export async function baselineOf(root: Source, pointer: Pointer): Promise<Baseline> {
  const name = { id: pointer.snapshot, manifestSha256: pointer.manifest_sha256 };
  const reader = new SnapshotReader(root, { clock: SYSTEM_CLOCK });
  const found = await reader.useOf(name, reportOf).catch((error) => {
    if (isOutage(error)) throw error;
    return { problem: messageOf(error) };
  });
  return { pointer, where: root.name, found };
}

/**
 * Refuses a move that cannot be compared, before any work is done.
 *
 * @throws {RangeError} When there is nothing to compare with and nobody said that this is the first.
 * @throws {BaselineError} When the report to compare with cannot be used and no reason to go on was given.
 */
export function checkBaseline(
  baseline: Baseline | null,
  { first = false, force, where }: {
    first?: boolean | undefined;
    force?: string | undefined;
    where: string;
  },
): void {
  const problem = baseline && problemOf(baseline);
  if (problem && force === undefined) {
    throw new BaselineError(
      `${problem}. \`verify\` says what else is wrong; --force "REASON" goes without`,
    );
  }
  if (baseline !== null || first) return;
  throw new RangeError(
    `Nothing is current in ${where}, so there is nothing to compare the new snapshot with. If it is ` +
      "the first one there, give --first. If there should be one, look for the missing current.json",
  );
}

/** The gates that compare a snapshot with what the pointer names now; none without a baseline. */
export async function comparisonGates(
  { report, snapshot, paths }: {
    report: BuildReport;
    /** Reads what was built. */
    snapshot: Snapshot;
    paths: Paths;
  },
  baseline: Baseline | null,
): Promise<Gate[]> {
  if (baseline === null) return [];
  const { found } = baseline;
  const problem = problemOf(baseline);
  const readable: Gate = {
    name: "previous_report",
    measured: problem === undefined ? 1 : 0,
    unit: "files",
    bound: { min: 1 },
    broken: problem ?? "",
  };
  if (!("report" in found)) return [readable];
  const comparison = { report, previous: found.report, paths };
  return [readable, ...driftGates(comparison), ...await landmarkGates(snapshot, comparison)];
}

function problemOf({ pointer, where, found }: Baseline): string | undefined {
  if ("report" in found) return undefined;
  return `The report of ${pointer.snapshot}, which is current in ${where}, cannot be used: ` +
    found.problem;
}

/** How a report differs from that of the previous snapshot, figure by figure. */
export function drift(
  report: BuildReport,
  previous: { snapshot: string; report: BuildReport },
): NonNullable<BuildReport["drift"]> {
  const then = measures(previous.report);
  const rows = Object.entries(measures(report)).map(([measure, now]) => {
    const before = then[measure] ?? 0;
    const percent = before === 0 ? null : Math.round((now - before) / before * 10_000) / 100;
    return [measure, before, now, percent] as [string, number, number, number | null];
  });
  return { previous: previous.snapshot, rows };
}

/** A host that does not answer says nothing about the report. */
function isOutage(error: unknown): boolean {
  if (error instanceof SourceFailure) return true;
  if (error instanceof SnapshotUnavailable || error instanceof Error) {
    return error.cause !== undefined && isOutage(error.cause);
  }
  return false;
}

function measures(report: BuildReport): Record<string, number> {
  return {
    "census rows": report.census.rows,
    "census rows rejected": report.census.rejected,
    carriers: report.census.accepted,
    "inspection rows": report.inspections.rows,
    "inspection rows rejected": report.inspections.rejected,
    "inspections in the window": report.inspections.in_window,
    ...Object.fromEntries(
      (["status", "operation", "rating", "fleet"] as const).flatMap((name) =>
        report.distributions[name].map(([label, count]) => [`${name} ${label}`, count])
      ),
    ),
    ...Object.fromEntries(
      Object.entries(report.null_rates).map(([member, rate]) => [`% without ${member}`, rate]),
    ),
  };
}
