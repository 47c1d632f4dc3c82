/**
 * Gates that compare two reports: days, rows, blanks, shares of each code, out-of-service rates.
 *
 * @module
 */

import { CENSUS_MEMBERS, type Member } from "../snapshot/members.ts";
import { type Distribution, DISTRIBUTION_NAMES, DISTRIBUTIONS } from "./distributions.ts";
import {
  daysFrom,
  type Gate,
  gateOf,
  type GateRow,
  noisy,
  percentOf,
  type ReportPair,
  rounded,
  sumOf,
} from "./gates.ts";
import { type BuildReport, ROLES } from "./report.ts";

/** Gates that compare a report with that of the previous snapshot, figure by figure. */
export function driftGates(comparison: ReportPair): Gate[] {
  return [
    ...dayGates(comparison),
    ...countGates(comparison),
    ...blankGates(comparison),
    ...distributionGates(comparison),
    ...outOfServiceGates(comparison),
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

/** Members that carriers do not lose or gain overnight, with the columns of the file. */
const COLUMN_OF: Record<string, string> = {
  ...Object.fromEntries(
    Object.entries<Member>(CENSUS_MEMBERS).map(([member, { columns }]) => [
      member,
      columns.length === 1 ? columns[0]! : `${columns[0]} to ${columns.at(-1)}`,
    ]),
  ),
  dockets: "DOCKET1",
};

function blankGates({ report, previous, paths }: ReportPair): GateRow[] {
  return Object.entries(COLUMN_OF).flatMap(([member, column]): GateRow[] => {
    const [now, then] = [report.null_rates[member], previous.null_rates[member]];
    if (now === undefined || then === undefined) return [];
    const broken = `${paths.census}: ${column} is blank for ${now}% of the carriers, ` +
      `for ${then}% in the previous snapshot`;
    return [[`blank_${member}`, rounded(now - then), "points", { min: -1, max: 1 }, broken]];
  });
}

/** Labels of carriers that lack the column: they would hide what changed among those who have it. */
const LACKS_IT = new Set(["not reported", "not rated"]);

function distributionGates({ report, previous, paths }: ReportPair): GateRow[] {
  return DISTRIBUTION_NAMES.flatMap((name): GateRow[] => {
    const { column, unit } = DISTRIBUTIONS[name];
    // A snapshot of an earlier version of this program lacks the newer ones.
    const before = previous.distributions[name]?.filter(([label]) => !LACKS_IT.has(label));
    if (column === undefined || before === undefined) return [];
    const after = report.distributions[name].filter(([label]) => !LACKS_IT.has(label));
    const moves = shareMoves(before, after);
    const most = moves.toSorted((a, b) => Math.abs(b.by) - Math.abs(a.by))[0];
    // Half of all moves: what one label lost another gained.
    const measured = rounded(moves.reduce((sum, { by }) => sum + Math.abs(by), 0) / 2);
    const max = noisy(2, Math.min(sumOf(before), sumOf(after)));
    const broken = `${paths[unit === "inspections" ? unit : "census"]}: ${column} is not spread ` +
      `as before: ${most?.label} has ${most?.now}%, had ${most?.then}%`;
    return [[`drift_${name}`, measured, "points", { max }, broken]];
  });
}

/** How the share of each label changed, in points. */
function shareMoves(
  before: Distribution,
  after: Distribution,
): { label: string; then: number; now: number; by: number }[] {
  const shares = (distribution: Distribution): Map<string, number> => {
    const sum = sumOf(distribution);
    return new Map(distribution.map(([label, count]) => [label, percentOf(count, sum)]));
  };
  const [then, now] = [shares(before), shares(after)];
  return [...new Set([...then.keys(), ...now.keys()])].map((label) => {
    const [was, is] = [then.get(label) ?? 0, now.get(label) ?? 0];
    return { label, then: was, now: is, by: is - was };
  });
}

/** How many inspections count for each kind, and the share of them that put out of service. */
function outOfServiceGates({ report, previous, paths }: ReportPair): GateRow[] {
  const now = new Map(report.distributions.out_of_service ?? []);
  const then = new Map(previous.distributions.out_of_service ?? []);
  return ["vehicle", "driver", "hazmat"].flatMap((kind): GateRow[] => {
    const [count, before] = [now.get(kind) ?? 0, then.get(kind)];
    if (before === undefined) return [];
    const rate = (of: Map<string, number>): number =>
      percentOf(of.get(`${kind} out of service`) ?? 0, of.get(kind) ?? 0);
    const [most, points] = [noisy(5, before, 3), noisy(1, before)];
    return [
      [
        `inspections_${kind}`,
        percentOf(count - before, before),
        "%",
        { min: -most, max: most },
        `${paths.inspections} has ${count} ${kind} inspections, the previous snapshot had ${before}`,
      ],
      [
        `out_of_service_${kind}`,
        rounded(rate(now) - rate(then)),
        "points",
        { min: -points, max: points },
        `${paths.inspections}: ${rate(now)}% of the ${kind} inspections found an ` +
        `out-of-service violation, ${rate(then)}% in the previous snapshot`,
      ],
    ];
  });
}
