/**
 * The snapshot that a build follows and is compared with: the one that the pointer names.
 *
 * @module
 */

import { SYSTEM_CLOCK } from "../clock.ts";
import { messageOf } from "../text.ts";
import { parsePointer, type Pointer } from "../snapshot/manifest.ts";
import { POINTER_PATH } from "../snapshot/paths.ts";
import type { Snapshot } from "../snapshot/pinned_snapshot.ts";
import { SnapshotReader } from "../snapshot/reader.ts";
import { type Source, SourceFailure } from "../snapshot/source.ts";
import { changeGates } from "./change_gates.ts";
import type { Gate, Paths } from "./gates.ts";
import { lookupGates } from "./landmarks.ts";
import { type BuildReport, reportOf, type SnapshotReport } from "./report.ts";

/** The snapshot that a pointer names now. */
export interface Baseline {
  pointer: Pointer;
  /** Where it was read. */
  where: string;
  /** Its report, or why it cannot be used: it is missing, or not the one that was published. */
  found: SnapshotReport | { problem: string };
}

/** The report to compare with is missing or altered. */
export class BaselineError extends Error {
  override name = "BaselineError";
}

/**
 * Reads the snapshot that the pointer of a root names now; null when there is no pointer.
 *
 * @throws {BaselineError} When the pointer has a format that this code does not read.
 * @throws {Error} When the pointer is malformed, or the root cannot be read.
 */
export async function readBaseline(root: Source): Promise<Baseline | null> {
  const bytes = await root.get(POINTER_PATH);
  if (bytes === null) return null;
  try {
    const pointer = parsePointer(bytes);
    const name = { id: pointer.snapshot, manifestSha256: pointer.manifest_sha256 };
    const reader = new SnapshotReader(root, { clock: SYSTEM_CLOCK });
    const found = await reader.useOf(name, reportOf).catch((error) => {
      if (isOutage(error)) throw error;
      return { problem: messageOf(error) };
    });
    return { pointer, where: root.name, found };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new BaselineError(
      `${error.message}. A new format has a root of its own: build into an empty folder with --first`,
    );
  }
}

/** Whether the source did not answer. In that case, the report itself may be fine. */
function isOutage(error: unknown): boolean {
  return error instanceof SourceFailure || error instanceof Error && isOutage(error.cause);
}

/**
 * Fails early, before any work is done, when the new snapshot could not be compared with the current one.
 *
 * @throws {RangeError} When there is nothing to compare with and `first` is not set.
 * @throws {BaselineError} When the report to compare with cannot be used and `force` is not set.
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
      `${problem}. \`verify\` lists what else is wrong; --force "REASON" skips the comparison`,
    );
  }
  if (baseline !== null || first) return;
  throw new RangeError(
    `Nothing is current in ${where}, so there is nothing to compare the new snapshot with. If it is ` +
      "the first one there, give --first. If there should be one, look for the missing current.json",
  );
}

/** The gates that compare a new snapshot with the previous one; none without a baseline. */
export async function comparisonGates(
  { report, snapshot, paths }: { report: BuildReport; snapshot: Snapshot; paths: Paths },
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
  return [
    readable,
    ...changeGates(comparison),
    ...await lookupGates(snapshot, comparison),
  ];
}

function problemOf({ pointer, where, found }: Baseline): string | undefined {
  if ("report" in found) return undefined;
  return `The report of ${pointer.snapshot}, which is current in ${where}, cannot be used: ` +
    found.problem;
}
