/**
 * Reads the report of a snapshot.
 *
 * @module
 */

import type { BuildReport } from "../compile/report.ts";
import { SYSTEM_CLOCK } from "../clock.ts";
import { FORMAT } from "../snapshot/manifest.ts";
import { type Snapshot, SnapshotReader } from "../snapshot/reader.ts";
import type { Source } from "../snapshot/source.ts";
import type { SnapshotReport } from "./figures.ts";

const REPORT_PATH = "report.json";

/**
 * The report of the snapshot that is current at a source; hashes are checked on the way.
 *
 * @throws {SnapshotUnavailable} When an object is missing or is not the one that was published.
 * @throws {SyntaxError | TypeError | RangeError} When the report is malformed or of another format.
 */
export function readReport(source: Source): Promise<SnapshotReport> {
  return new SnapshotReader(source, { clock: SYSTEM_CLOCK }).use(reportOf);
}

/** The report of a snapshot that was pinned by a reader; errors as {@link readReport}. */
export async function reportOf(snapshot: Snapshot): Promise<SnapshotReport> {
  const report = parseReport(await snapshot.file(REPORT_PATH), REPORT_PATH);
  return { snapshot: snapshot.id, manifest: snapshot.manifest, report };
}

function parseReport(bytes: Uint8Array, path: string): BuildReport {
  let value: BuildReport;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw new SyntaxError(`Cannot parse "${path}": not JSON in UTF-8`, { cause: error });
  }
  if (value?.format !== FORMAT) {
    throw new RangeError(`Cannot read "${path}": it is not of format ${FORMAT}`);
  }
  // The hash says that a build wrote it: a look at its members is enough.
  value.gates ??= [];
  // Reports of 2026-11 had one sample of whole records.
  if (!isObject(value.landmarks?.sampled)) value.landmarks = { largest: [], sampled: {} };
  for (const member of ["census", "inspections", "null_rates", "distributions"] as const) {
    if (!isObject(value[member])) {
      throw new TypeError(`Cannot read "${path}": member "${member}" is missing or malformed`);
    }
  }
  return value;
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
