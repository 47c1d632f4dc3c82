/**
 * Gates that compare two reports: days, rows, inspections in the window.
 *
 * @module
 */

import {
  daysFrom,
  type Gate,
  gateOf,
  type GateRow,
  percentOf,
  type ReportPair,
  rounded,
} from "./gates.ts";
import { type BuildReport, ROLES } from "./report.ts";

/** Gates that compare a report with that of the previous snapshot, figure by figure. */
export function driftGates(comparison: ReportPair): Gate[] {
  return [
    ...dayGates(comparison),
    ...countGates(comparison),
  ].map(gateOf);
}

/** Neither the data date nor the newest day of a file goes back: that would be an old file. */
function dayGates({ report, previous, paths: { census, inspections } }: ReportPair): GateRow[] {
  const days = [
    ["data_date", census, (of: BuildReport) => of.data_date],
    ["census_newest_filing", census, (of: BuildReport) => of.census.newest],
    ["inspections_newest_moved", inspections, (of: BuildReport) => of.inspections.newest],
  ] as const;
  return days.flatMap(([name, path, newest]): GateRow[] => {
    const [now, then] = [newest(report), newest(previous)];
    if (now === undefined || then === undefined) return [];
    const broken = `${path} is older than what is current: its newest day is ${now}, ` +
      `the previous snapshot has ${then}. Wait for FMCSA's next file`;
    return [[name, daysFrom(then, now), "days", { min: 0 }, broken]];
  });
}

function countGates({ report, previous, paths }: ReportPair): GateRow[] {
  const [now, then] = [report.inspections, previous.inspections];
  const unknown = ({ unknown_carrier, in_window }: typeof now): number =>
    percentOf(unknown_carrier, in_window);
  const growth = (now: number, then: number): number => percentOf(now - then, then);
  return [
    ...ROLES.map((role): GateRow => {
      const [now, then] = [report[role].rows, previous[role].rows];
      const broken = `${paths[role]} has ${now} rows, the previous snapshot had ${then}`;
      return [`${role}_rows`, growth(now, then), "%", { min: -1, max: 5 }, broken];
    }),
    [
      "inspections_in_window",
      growth(now.in_window, then.in_window),
      "%",
      { min: -5, max: 5 },
      `${paths.inspections} has ${now.in_window} inspections in the window of 24 months, ` +
      `the previous snapshot had ${then.in_window}`,
    ],
    [
      "inspections_unknown_carrier",
      rounded(unknown(now) - unknown(then)),
      "points",
      { max: 1 },
      `${paths.inspections}: ${unknown(now)}% of the inspections have USDOT numbers that ` +
      `${paths.census} lacks, ${unknown(then)}% in the previous snapshot`,
    ],
  ];
}
