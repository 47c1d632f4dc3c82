/**
 * Gates that hold a report against that of the snapshot before.
 *
 * @module
 */

import { daysFrom, type Gate, type Paths, percentOf, rounded } from "./gates.ts";
import type { BuildReport, Distribution } from "./report.ts";

/** Members that carriers do not lose or gain overnight, with the column of the file. */
const COLUMN_OF: Record<string, string> = {
  legal_name: "LEGAL_NAME",
  dba_name: "DBA_NAME",
  city: "PHY_CITY",
  state: "PHY_STATE",
  operation: "CARRIER_OPERATION",
  roles: "CARSHIP",
  classes: "CLASSDEF",
  power_units: "POWER_UNITS",
  drivers: "TOTAL_DRIVERS",
  hazmat: "HM_Ind",
  mcs150_date: "MCS150_DATE",
  added: "ADD_DATE",
  rating: "SAFETY_RATING",
  dockets: "DOCKET1",
};

const DISTRIBUTIONS = [
  ["status", "census", "STATUS_CODE"],
  ["operation", "census", "CARRIER_OPERATION"],
  ["states", "census", "PHY_STATE"],
  ["fleet", "census", "POWER_UNITS"],
  ["inspection_levels", "inspections", "INSP_LEVEL_ID"],
] as const;

/** What is compared. */
export interface Comparison {
  report: BuildReport;
  previous: BuildReport;
  paths: Paths;
}

/** All gates of this file. */
export function driftGates(comparison: Comparison): Gate[] {
  return [
    ...dayGates(comparison),
    ...countGates(comparison),
    ...blankGates(comparison),
    ...distributionGates(comparison),
  ];
}

/** Neither the data date nor the newest day of a file goes back: that would be an old file. */
function dayGates({ report, previous, paths }: Comparison): Gate[] {
  const days = [
    ["data_date", paths.census, report.data_date, previous.data_date],
    ["census_newest_filing", paths.census, report.census.newest, previous.census.newest],
    [
      "inspections_newest_moved",
      paths.inspections,
      report.inspections.newest,
      previous.inspections.newest,
    ],
  ] as const;
  return days.flatMap(([name, path, now, then]) =>
    now === undefined || then === undefined ? [] : [{
      name,
      measured: daysFrom(then, now),
      unit: "days" as const,
      bound: { min: 0 },
      broken: `${path} is older than what is current: its newest day is ${now}, ` +
        `the snapshot before has ${then}. Wait for the regulator's next file`,
    }]
  );
}

function countGates({ report, previous, paths }: Comparison): Gate[] {
  const files = (["census", "inspections"] as const).map((role): Gate => {
    const [now, then] = [report[role].rows, previous[role].rows];
    return {
      name: `${role}_rows`,
      measured: percentOf(now - then, then),
      unit: "%",
      bound: { min: -1, max: 5 },
      broken: `${paths[role]} has ${now} rows, the snapshot before had ${then}`,
    };
  });
  const [now, then] = [report.inspections, previous.inspections];
  const unknown = ({ unknown_carrier, in_window }: typeof now): number =>
    percentOf(unknown_carrier, in_window);
  return [
    ...files,
    {
      name: "inspections_in_window",
      measured: percentOf(now.in_window - then.in_window, then.in_window),
      unit: "%",
      bound: { min: -5, max: 5 },
      broken: `${paths.inspections} has ${now.in_window} inspections in the window of 24 months, ` +
        `the snapshot before had ${then.in_window}`,
    },
    {
      name: "inspections_unknown_carrier",
      measured: rounded(unknown(now) - unknown(then)),
      unit: "points",
      bound: { max: 1 },
      broken:
        `${paths.inspections}: ${unknown(now)} % of the inspections are of USDOT numbers that ` +
        `${paths.census} lacks, ${unknown(then)} % in the snapshot before`,
    },
  ];
}

function blankGates({ report, previous, paths }: Comparison): Gate[] {
  return Object.entries(COLUMN_OF).flatMap(([member, column]) => {
    const [now, then] = [report.null_rates[member], previous.null_rates[member]];
    if (now === undefined || then === undefined) return [];
    return [{
      name: `blank_${member}`,
      measured: rounded(now - then),
      unit: "points" as const,
      bound: { min: -1, max: 1 },
      broken: `${paths.census}: ${column} is blank for ${now} % of the carriers, ` +
        `for ${then} % in the snapshot before`,
    }];
  });
}

function distributionGates({ report, previous, paths }: Comparison): Gate[] {
  return DISTRIBUTIONS.map(([name, role, column]) => {
    const moves = shareMoves(previous.distributions[name], report.distributions[name]);
    const most = moves.toSorted((a, b) => Math.abs(b.by) - Math.abs(a.by))[0];
    return {
      name: `drift_${name}`,
      // Half of all moves: what one label lost another has won.
      measured: rounded(moves.reduce((sum, { by }) => sum + Math.abs(by), 0) / 2),
      unit: "points" as const,
      bound: { max: 2 },
      broken: `${paths[role]}: ${column} is not spread as before: ${most?.label} has ` +
        `${most?.now} %, had ${most?.then} %`,
    };
  });
}

/** How the share of each label changed, in points. */
function shareMoves(
  before: Distribution,
  after: Distribution,
): { label: string; then: number; now: number; by: number }[] {
  const shares = (distribution: Distribution): Map<string, number> => {
    const sum = distribution.reduce((total, [, count]) => total + count, 0);
    return new Map(distribution.map(([label, count]) => [label, percentOf(count, sum)]));
  };
  const [then, now] = [shares(before), shares(after)];
  return [...new Set([...then.keys(), ...now.keys()])].map((label) => {
    const [was, is] = [then.get(label) ?? 0, now.get(label) ?? 0];
    return { label, then: was, now: is, by: is - was };
  });
}
