/**
 * Gates that compare two reports: days, rows, blanks, shares of each code, out-of-service rates.
 *
 * @module
 */

import { CENSUS_MEMBERS, type Member } from "../snapshot/members.ts";
import { daysFrom, type Gate, noisy, percentOf, type ReportPair, rounded, sumOf } from "./gates.ts";
import { type Distribution, ROLES } from "./report.ts";

/** Gates that compare a report with that of the previous snapshot, figure by figure. */
export function driftGates(comparison: ReportPair): Gate[] {
  return [
    ...dayGates(comparison),
    ...countGates(comparison),
    ...blankGates(comparison),
    ...distributionGates(comparison),
    ...outOfServiceGates(comparison),
  ];
}

/** Neither the data date nor the newest day of a file goes back: that would be an old file. */
function dayGates({ report, previous, paths }: ReportPair): Gate[] {
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
        `the previous snapshot has ${then}. Wait for FMCSA's next file`,
    }]
  );
}

function countGates({ report, previous, paths }: ReportPair): Gate[] {
  const files = ROLES.map((role): Gate => {
    const [now, then] = [report[role].rows, previous[role].rows];
    return {
      name: `${role}_rows`,
      measured: percentOf(now - then, then),
      unit: "%",
      bound: { min: -1, max: 5 },
      broken: `${paths[role]} has ${now} rows, the previous snapshot had ${then}`,
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
        `the previous snapshot had ${then.in_window}`,
    },
    {
      name: "inspections_unknown_carrier",
      measured: rounded(unknown(now) - unknown(then)),
      unit: "points",
      bound: { max: 1 },
      broken: `${paths.inspections}: ${unknown(now)}% of the inspections have USDOT numbers that ` +
        `${paths.census} lacks, ${unknown(then)}% in the previous snapshot`,
    },
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

function blankGates({ report, previous, paths }: ReportPair): Gate[] {
  return Object.entries(COLUMN_OF).flatMap(([member, column]) => {
    const [now, then] = [report.null_rates[member], previous.null_rates[member]];
    if (now === undefined || then === undefined) return [];
    return [{
      name: `blank_${member}`,
      measured: rounded(now - then),
      unit: "points" as const,
      bound: { min: -1, max: 1 },
      broken: `${paths.census}: ${column} is blank for ${now}% of the carriers, ` +
        `for ${then}% in the previous snapshot`,
    }];
  });
}

const DISTRIBUTIONS = [
  ["status", "census", "STATUS_CODE"],
  ["operation", "census", "CARRIER_OPERATION"],
  ["roles", "census", "CARSHIP"],
  ["classes", "census", "CLASSDEF"],
  ["cargo", "census", "CRGO_GENFREIGHT to CRGO_CARGOOTHR"],
  ["business_form", "census", "BUSINESS_ORG_DESC"],
  ["hazmat", "census", "HM_Ind"],
  ["rating", "census", "SAFETY_RATING"],
  ["rating_age_years", "census", "SAFETY_RATING_DATE"],
  ["review_type", "census", "REVIEW_TYPE"],
  ["prior_revoked", "census", "PRIOR_REVOKE_FLAG"],
  ["docket_prefix", "census", "DOCKET1PREFIX to DOCKET3PREFIX"],
  ["docket_status", "census", "DOCKET1_STATUS_CODE to DOCKET3_STATUS_CODE"],
  ["states", "census", "PHY_STATE"],
  ["fleet", "census", "POWER_UNITS"],
  ["inspection_levels", "inspections", "INSP_LEVEL_ID"],
  ["inspection_states", "inspections", "REPORT_STATE"],
] as const;

/** Labels of carriers that lack the column: they would hide what changed among those who have it. */
const LACKS_IT = new Set(["not reported", "not rated"]);

function distributionGates({ report, previous, paths }: ReportPair): Gate[] {
  return DISTRIBUTIONS.flatMap(([name, role, column]) => {
    // A snapshot of an earlier version of this program lacks the newer ones.
    const before = previous.distributions[name]?.filter(([label]) => !LACKS_IT.has(label));
    if (before === undefined) return [];
    const after = report.distributions[name].filter(([label]) => !LACKS_IT.has(label));
    const moves = shareMoves(before, after);
    const most = moves.toSorted((a, b) => Math.abs(b.by) - Math.abs(a.by))[0];
    return [{
      name: `drift_${name}`,
      // Half of all moves: what one label lost another gained.
      measured: rounded(moves.reduce((sum, { by }) => sum + Math.abs(by), 0) / 2),
      unit: "points" as const,
      bound: { max: noisy(2, Math.min(sumOf(before), sumOf(after))) },
      broken: `${paths[role]}: ${column} is not spread as before: ${most?.label} has ` +
        `${most?.now}%, had ${most?.then}%`,
    }];
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
function outOfServiceGates({ report, previous, paths }: ReportPair): Gate[] {
  const now = new Map(report.distributions.out_of_service ?? []);
  const then = new Map(previous.distributions.out_of_service ?? []);
  return ["vehicle", "driver", "hazmat"].flatMap((kind): Gate[] => {
    const [count, before] = [now.get(kind) ?? 0, then.get(kind)];
    if (before === undefined) return [];
    const rate = (of: Map<string, number>): number =>
      percentOf(of.get(`${kind} out of service`) ?? 0, of.get(kind) ?? 0);
    const most = noisy(5, before, 3);
    return [{
      name: `inspections_${kind}`,
      measured: percentOf(count - before, before),
      unit: "%",
      bound: { min: -most, max: most },
      broken: `${paths.inspections} has ${count} ${kind} inspections, ` +
        `the previous snapshot had ${before}`,
    }, {
      name: `out_of_service_${kind}`,
      measured: rounded(rate(now) - rate(then)),
      unit: "points",
      bound: { min: -noisy(1, before), max: noisy(1, before) },
      broken: `${paths.inspections}: ${rate(now)}% of the ${kind} inspections found an ` +
        `out-of-service violation, ${rate(then)}% in the previous snapshot`,
    }];
  });
}
