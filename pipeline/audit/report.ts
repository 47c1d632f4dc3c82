/**
 * `report.json`: what a build read, wrote and refused. It depends only on the set of rows, not on their
 * order, so it identifies rows by content; line numbers go to the terminal.
 *
 * @module
 */

import { z } from "zod";
import { SYSTEM_CLOCK } from "../clock.ts";
import type { ProblemCount } from "../fmcsa/problems.ts";
import type { Manifest } from "../snapshot/manifest.ts";
import { parseDocument } from "../snapshot/documents.ts";
import { type Snapshot, SnapshotReader } from "../snapshot/reader.ts";
import type { Source } from "../snapshot/source.ts";
import { REPORT_PATH } from "../snapshot/paths.ts";
import type { DayReport } from "./day_changes.ts";
import type { Distribution, DistributionName } from "./distributions.ts";
import type { RecordChanges } from "./record_changes.ts";

export const ROLES = ["census", "inspections"] as const;

export type InputRole = typeof ROLES[number];

/** The two files of every build, and the one that may be left out. */
export const ALL_ROLES = [...ROLES, "orders"] as const;

export type SourceRole = typeof ALL_ROLES[number];

/** One input file. `rows` = `accepted` + `skipped` + `rejected`. */
export interface FileReport {
  rows: number;
  accepted: number;
  rejected: number;
  skipped: number;
  problems: ProblemCount[];
  /** Columns of the file that the build does not know. */
  extra_columns: string[];
  /** Whether the known columns are in an unexpected order. */
  reordered_columns: boolean;
  /** The newest MCS-150 or inspection up to the data date, `YYYY-MM-DD`; for orders, the date of the file. */
  newest?: string;
}

/**
 * The file of out-of-service orders, as read. `accepted` is the sum of the rows by state on the data date:
 * `rescinded`, `unrescinded`, `rescinded_later` (on a day after it) and `unusable` (its dates).
 */
export interface OrdersReport extends FileReport {
  newest: string;
  rescinded: number;
  unrescinded: number;
  rescinded_later: number;
  unusable: number;
  /** Accepted, but the USDOT number is not in the census. */
  unknown_carrier: number;
  /** A failed gate that is not overridden leaves the file out. */
  gates: GateResult[];
}

/** A bound and the figure it was compared with. The table is in FORMAT.md. */
export interface GateResult {
  name: string;
  measured: number;
  unit: "%" | "points" | "days" | "rows" | "files";
  /** Both ends are inclusive; one may be absent. */
  bound: { min?: number; max?: number };
  passed: boolean;
  /** Broken, and overridden for the reason in `forced`. */
  overridden: boolean;
}

/** `s/<id>/report.json`. */
export interface BuildReport {
  format: number;
  data_date: string;
  notice?: string;
  forced?: string;
  census: FileReport;
  inspections: FileReport & {
    in_window: number;
    /** In the window, but the USDOT number is not in the census. */
    unknown_carrier: number;
  };
  /** Present when a file of orders was read, even if it was then left out. */
  orders?: OrdersReport;
  /**
   * When this snapshot has no orders, the report of the last file that was included, for the next comparison.
   */
  orders_before?: OrdersReport;
  /** Share of carriers with the member absent, percent with two decimals, by record member. */
  null_rates: Record<string, number>;
  distributions: Record<DistributionName, Distribution>;
  /** Every gate that was checked. The ones that compare need a previous snapshot. */
  gates: GateResult[];
  /** The active carriers with the most power units, the largest first, which the next build looks up. */
  landmarks: { largest: number[] };
  /** Since the previous snapshot. */
  changes?: DayReport;
  /** Compared with the previous snapshot, the one that the pointer named when this one was built. */
  drift?: {
    previous: string;
    /** Measure, value then, value now, change in percent (null when it was 0). */
    rows: [measure: string, then: number, now: number, percent: number | null][];
    /** Carrier by carrier. */
    changes: RecordChanges;
  };
}

/** A report with the snapshot it belongs to. */
export interface SnapshotReport {
  snapshot: string;
  manifest: Manifest;
  report: BuildReport;
}

const Part = z.looseObject({});

/** The hash shows that a build wrote it: checking these members is enough. */
const Report = z.looseObject({
  census: Part,
  inspections: Part,
  null_rates: Part,
  distributions: Part,
}) as unknown as z.ZodType<BuildReport>;

/**
 * The report of the snapshot that is current at a source; hashes are checked on the way.
 *
 * @throws {SnapshotUnavailable} When an object is missing or is not the one that was published.
 * @throws {SyntaxError | TypeError | RangeError} When the report is malformed or has an unknown format.
 */
export function readReport(source: Source): Promise<SnapshotReport> {
  return new SnapshotReader(source, { clock: SYSTEM_CLOCK }).use(reportOf);
}

/** The report of a snapshot that was pinned by a reader; errors as {@link readReport}. */
export async function reportOf(snapshot: Snapshot): Promise<SnapshotReport> {
  const report = parseDocument(await snapshot.file(REPORT_PATH), REPORT_PATH, Report);
  return { snapshot: snapshot.id, manifest: snapshot.manifest, report };
}

/** How a report differs from that of the previous snapshot, figure by figure. */
export function drift(
  report: BuildReport,
  previous: SnapshotReport,
  changes: RecordChanges,
): NonNullable<BuildReport["drift"]> {
  const then = measures(previous.report);
  const rows = Object.entries(measures(report)).map(
    ([measure, now]): [string, number, number, number | null] => {
      const before = then[measure] ?? 0;
      const percent = before === 0 ? null : Math.round((now - before) / before * 10_000) / 100;
      return [measure, before, now, percent];
    },
  );
  return { previous: previous.snapshot, rows, changes };
}

function measures(report: BuildReport): Record<string, number> {
  const { census, inspections, distributions, null_rates } = report;
  const labeled = (["status", "operation", "rating", "fleet"] as const).flatMap((name) =>
    distributions[name].map(([label, count]) => [`${name} ${label}`, count])
  );
  return {
    "census rows": census.rows,
    "census rows rejected": census.rejected,
    carriers: census.accepted,
    "inspection rows": inspections.rows,
    "inspection rows rejected": inspections.rejected,
    "inspections in the window": inspections.in_window,
    ...Object.fromEntries(labeled),
    ...Object.fromEntries(
      Object.entries(null_rates).map(([member, rate]) => [`% without ${member}`, rate]),
    ),
  };
}
