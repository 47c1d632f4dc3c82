/**
 * How a build differs from the one before, figure by figure.
 *
 * @module
 */

import type { BuildReport } from "./report.ts";

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
