/**
 * The bounds a build must keep before anything of it can be seen.
 *
 * @module
 */

import type { BuildReport, FileReport } from "./report.ts";

/** More rejected rows than this share stop a build. */
export const MAX_REJECTED_SHARE = 0.001;

/** Fewer rows than the snapshot before by more than this share stop a build. */
export const MAX_ROWS_LOST_SHARE = 0.01;

/** A bound that was broken, in words for the maintainer. */
export interface GateFailure {
  gate: "rejected_rows" | "rows_lost" | "cut_short" | "no_rows";
  message: string;
}

/** Says which bounds a build broke. */
export class GateError extends Error {
  override name = "GateError";
  failures: GateFailure[];

  constructor(failures: GateFailure[]) {
    super(
      `The build stopped, nothing was changed:\n` +
        failures.map(({ message }) => `  - ${message}`).join("\n") +
        `\nLook at the rows named above. If the data is right all the same, give --force "REASON"; ` +
        `the reason is kept in the snapshot`,
    );
    this.failures = failures;
  }
}

/**
 * Checks one input file's figures.
 *
 * @param options.path For messages.
 * @param options.whole Whether its last line had a line end.
 * @param options.previousRows Rows of the same file in the snapshot before.
 */
export function checkFile(
  file: FileReport,
  options: { path: string; whole: boolean; previousRows?: number },
): GateFailure[] {
  const { path, whole, previousRows } = options;
  const failures: GateFailure[] = [];
  if (!whole) {
    failures.push({
      gate: "cut_short",
      message:
        `${path} does not end with a line end: it was probably cut short in row ${file.rows}`,
    });
  }
  if (file.accepted === 0) {
    failures.push({ gate: "no_rows", message: `${path} holds no row that can be used` });
  }
  if (file.rejected > file.rows * MAX_REJECTED_SHARE) {
    const percent = (file.rejected / file.rows * 100).toFixed(3);
    const reasons = file.problems.filter(({ treatment }) => treatment === "rejected")
      .map(({ reason, count }) => `${reason} ${count}`).join(", ");
    failures.push({
      gate: "rejected_rows",
      message: `${path}: ${file.rejected} of ${file.rows} rows (${percent} %) were rejected, ` +
        `more than ${MAX_REJECTED_SHARE * 100} %: ${reasons}`,
    });
  }
  if (previousRows !== undefined && file.rows < previousRows * (1 - MAX_ROWS_LOST_SHARE)) {
    failures.push({
      gate: "rows_lost",
      message: `${path} has ${file.rows} rows, the snapshot before had ${previousRows}: ` +
        `more than ${MAX_ROWS_LOST_SHARE * 100} % are gone`,
    });
  }
  return failures;
}

/** How this build differs from the one before. */
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
