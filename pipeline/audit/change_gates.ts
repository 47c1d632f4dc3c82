/**
 * Gates that compare a report with the previous snapshot's: dates, row counts, and the rate at which each
 * filed member and each inspection figure changed across all carriers.
 *
 * @module
 */

import { daysBetween } from "../dates.ts";
import {
  type Gate,
  gateOf,
  type GateRow,
  noisy,
  percentOf,
  type ReportPair,
  rounded,
} from "./gates.ts";
import { INSPECTION_FIGURES } from "./record_changes.ts";
import { type BuildReport, ROLES } from "./report.ts";

/**
 * Limit on a change, in percent: `atOnce` plus `aDay` for each day since the previous snapshot, but at most
 * `most`. That cap catches values in the wrong rows even after a long gap, or when a wrong date suggests one.
 */
interface GrowingBound {
  atOnce: number;
  aDay: number;
  most: number;
}

/** For most members: the share of carriers whose value may change, of those with a value. */
const MEMBERS: GrowingBound = { atOnce: 3, aDay: 1, most: 15 };
/** The same, for members that carriers update with each MCS-150 filing. */
const FILINGS: GrowingBound = { atOnce: 3, aDay: 1.5, most: 30 };
const BOUNDS: Record<string, GrowingBound> = {
  mcs150_date: FILINGS,
  mileage: FILINGS,
  mileage_year: FILINGS,
  power_units: FILINGS,
  drivers: FILINGS,
  last_inspection: { atOnce: 5, aDay: 2, most: 60 },
};
/** How much an inspection figure may change: the sum of each carrier's difference, as a share of the total. */
const FIGURES: GrowingBound = { atOnce: 3, aDay: 0.5, most: 15 };

/** With fewer carriers than this, or a smaller total of a figure, a rate is not meaningful and not checked. */
const FEWEST = 10;

/** Percent of the previous snapshot's carriers that the new one may lack. */
const MOST_LEFT = 1;

/** Gates that compare a report with that of the previous snapshot. */
export function changeGates(pair: ReportPair): Gate[] {
  return [...dayGates(pair), ...countGates(pair), ...factGates(pair)].map(gateOf);
}

/** The data date and the newest day of each file must not move backward. If one does, the file is old. */
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
    return [[name, daysBetween(then, now), "days", { min: 0 }, broken]];
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

/** What changed in a column, its bound, and its description. */
interface Measured {
  column: string;
  percent: number;
  max: number;
  change: string;
}

/** Gates on the changes in `report.drift.changes`: one gate per member, which reports its worst column. */
function factGates({ report, previous, paths }: ReportPair): GateRow[] {
  const { compared, left, facts } = report.drift!.changes;
  const days = Math.max(1, daysBetween(previous.data_date, report.data_date));
  // For a figure, `having` is the sum over both snapshots, so half of it is the figure's size.
  const countOf = (name: string, having: number): number =>
    INSPECTION_FIGURES.has(name) ? having / 2 : having;
  const judged = facts.filter(([name, , having]) => countOf(name, having) >= FEWEST);
  const named = Map.groupBy(judged, ([name]) => name);
  const all = compared + left;
  const lacks = `${paths.census} lacks ${left} of the ${all} carriers of the previous snapshot`;
  return [
    ["carriers_left", percentOf(left, all), "%", { max: MOST_LEFT }, lacks],
    ...[...named].map(([name, columns]): GateRow => {
      const isFigure = INSPECTION_FIGURES.has(name);
      const path = paths[isFigure || name === "last_inspection" ? "inspections" : "census"];
      const { atOnce, aDay, most } = isFigure ? FIGURES : BOUNDS[name] ?? MEMBERS;
      const bound = Math.min(most, atOnce + aDay * days);
      const measured = columns.map(([, column, having, changed]): Measured => {
        const percent = percentOf(changed, having);
        const change = isFigure
          ? `differs by ${percent}%`
          : `differs for ${percent}% of the ${having} carriers that have it`;
        return { column, percent, max: noisy(bound, countOf(name, having)), change };
      });
      const beyond = ({ percent, max }: Measured): number => percent - max;
      const [worst, ...others] = measured.sort((a, b) => beyond(b) - beyond(a));
      const also = others.filter((each) => beyond(each) > 0).map(({ column }) => `, ${column}`);
      const { column, percent, max, change } = worst!;
      const since = days === 1 ? "a day ago" : `${days} days ago`;
      const broken = `${path}: ${column} ${change}, compared with ${since}` +
        (also.length === 0 ? "" : `; so do ${also.join("").slice(2)}`);
      return [`changed_${name}`, percent, "%", { max }, broken];
    }),
  ];
}
