/**
 * Bounds on what a build made: of one report alone, and of one report against that of the previous
 * snapshot.
 *
 * @module
 */

import type { SnapshotReport } from "../report/figures.ts";
import type { BuildReport, Distribution, FileReport, GateResult } from "./report.ts";

/** A bound, what was measured, and what to say when it is broken. */
export interface Gate extends Pick<GateResult, "name" | "measured" | "unit" | "bound"> {
  /** Names the file. */
  broken: string;
}

/** The names of the two files, for messages. */
export interface Paths {
  census: string;
  inspections: string;
}

/** A broken bound, in words for the maintainer. */
export interface GateFailure {
  gate: string;
  message: string;
}

/** A pointer was not moved, because bounds are broken. */
export class GateError extends Error {
  override name = "GateError";
  failures: GateFailure[];
  /** The report of what was refused. */
  refused: SnapshotReport;

  constructor(what: string, failures: GateFailure[], refused: SnapshotReport) {
    super(
      `${what}:\n` + failures.map(({ message }) => `  - ${message}`).join("\n") +
        `\nLook at what is named above. If the data is right all the same, give --force "REASON"; ` +
        `the reason is published with the snapshot`,
    );
    this.failures = failures;
    this.refused = refused;
  }
}

/** The bounds that are broken. */
export function failuresOf(gates: readonly Gate[]): GateFailure[] {
  return gates.filter((gate) => !passes(gate)).map(({ name, measured, unit, bound, broken }) => ({
    gate: name,
    message: `${broken} (${name}: ${quantity(measured, unit)}, allowed ${boundWords(bound, unit)})`,
  }));
}

/** The gates as the report lists them. */
export function gateResults(gates: readonly Gate[], forced: boolean): GateResult[] {
  return gates.map((gate) => {
    const { name, measured, unit, bound } = gate;
    const passed = passes(gate);
    return { name, measured, unit, bound, passed, overridden: !passed && forced };
  });
}

/** A bound in words: `at most 0.1 %`, `-1 to 5 %`. */
export function boundWords({ min, max }: GateResult["bound"], unit: GateResult["unit"]): string {
  if (min === undefined) return `at most ${quantity(max!, unit)}`;
  if (max === undefined) return `at least ${quantity(min, unit)}`;
  return `${min} to ${quantity(max, unit)}`;
}

/** A figure with its unit. */
export function quantity(value: number, unit: GateResult["unit"]): string {
  return `${value.toLocaleString("en-US", { maximumFractionDigits: 3 })} ${unit}`;
}

/** A part of a whole, in percent with three decimals; nothing of nothing is 0. */
export function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : rounded(part / whole * 100);
}

/** Three decimals: the report shows the figure that was judged. */
export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** Days from one day to another, both `YYYY-MM-DD`. */
export function daysFrom(first: string, last: string): number {
  return Math.round((Date.parse(last) - Date.parse(first)) / 86_400_000);
}

/** A bound that widens where few have what is measured: `factor` * 100 / sqrt(n) is noise. */
export function noisy(bound: number, n: number, factor = 1): number {
  return rounded(Math.max(bound, factor * 100 / Math.sqrt(Math.max(n, 1))));
}

function passes({ measured, bound: { min = -Infinity, max = Infinity } }: Gate): boolean {
  return measured >= min && measured <= max;
}

/** Gates that need one report only: all there are for a first snapshot. */
export function fileGates(
  report: BuildReport,
  { paths, whole }: {
    paths: Paths;
    /** Whether the last line of each file has a line end. */
    whole: Record<keyof Paths, boolean>;
  },
): Gate[] {
  return [
    ...rowGates("census", { file: report.census, path: paths.census, whole: whole.census }),
    ...censusGates(report, paths.census),
    ...rowGates("inspections", {
      file: report.inspections,
      path: paths.inspections,
      whole: whole.inspections,
    }),
    newestInspection(report, paths.inspections),
  ];
}

function rowGates(
  role: keyof Paths,
  { file, path, whole }: { file: FileReport; path: string; whole: boolean },
): Gate[] {
  const { rows, accepted, rejected, problems } = file;
  const reasons = problems.filter(({ treatment }) => treatment === "rejected")
    .map(({ reason, count }) => `${reason} ${count}`).join(", ");
  return [
    {
      name: `${role}_cut_short`,
      measured: whole ? 0 : 1,
      unit: "files",
      bound: { max: 0 },
      broken: `${path} does not end with a line end: it was probably cut short in row ${rows}`,
    },
    {
      name: `${role}_usable`,
      measured: accepted,
      unit: "rows",
      bound: { min: 1 },
      broken: `${path} has no row that can be used`,
    },
    {
      name: `${role}_rejected`,
      measured: percentOf(rejected, rows),
      unit: "%",
      bound: { max: 0.1 },
      broken: `${path}: ${rejected} of ${rows} rows were rejected: ${reasons}`,
    },
  ];
}

function censusGates(report: BuildReport, path: string): Gate[] {
  const { census, distributions, null_rates } = report;
  const twice = census.problems.find(({ reason }) => reason === "duplicate_usdot_number");
  const active = distributions.status.find(([status]) => status === "A")?.[1] ?? 0;
  const ages = distributions.rating_age_years;
  const undated = ages.find(([label]) => label === "no date")?.[1] ?? 0;
  const rated = sumOf(ages);
  return [
    {
      name: "census_duplicates",
      measured: percentOf(twice?.count ?? 0, census.rows),
      unit: "%",
      bound: { max: 0.05 },
      broken: `${path}: ${twice?.count} rows repeat the USDOT number of another row`,
    },
    {
      name: "census_names_blank",
      measured: null_rates.legal_name ?? 0,
      unit: "%",
      bound: { max: 5 },
      broken: `${path}: LEGAL_NAME is blank too often`,
    },
    {
      name: "census_active",
      measured: percentOf(active, census.accepted),
      unit: "%",
      bound: { min: 10 },
      broken: `${path}: only ${active} of ${census.accepted} carriers are active in STATUS_CODE`,
    },
    {
      name: "census_ratings_undated",
      measured: percentOf(undated, rated),
      unit: "%",
      bound: { max: noisy(10, rated) },
      broken: `${path}: ${undated} of ${rated} rated carriers have no possible date in ` +
        "SAFETY_RATING_DATE",
    },
  ];
}

function newestInspection({ data_date, inspections }: BuildReport, path: string): Gate {
  const { newest } = inspections;
  return {
    name: "inspections_newest",
    // A window without an inspection is two years behind.
    measured: newest === undefined ? 731 : daysFrom(newest, data_date),
    unit: "days",
    // FMCSA's own file has been 63 days behind (July 2026).
    bound: { max: 90 },
    broken: newest === undefined
      ? `${path} has no inspection of the 24 months up to ${data_date}`
      : `${path}: the newest inspection is of ${newest}, long before the data date ${data_date}`,
  };
}

/** Members that carriers do not lose or gain overnight, with the column of the file. */
const COLUMN_OF: Record<string, string> = {
  legal_name: "LEGAL_NAME",
  dba_name: "DBA_NAME",
  city: "PHY_CITY",
  state: "PHY_STATE",
  country: "PHY_COUNTRY",
  operation: "CARRIER_OPERATION",
  roles: "CARSHIP",
  classes: "CLASSDEF",
  power_units: "POWER_UNITS",
  drivers: "TOTAL_DRIVERS",
  hazmat: "HM_Ind",
  mcs150_date: "MCS150_DATE",
  added: "ADD_DATE",
  rating: "SAFETY_RATING",
  rating_date: "SAFETY_RATING_DATE",
  dockets: "DOCKET1",
};

const DISTRIBUTIONS = [
  ["status", "census", "STATUS_CODE"],
  ["operation", "census", "CARRIER_OPERATION"],
  ["roles", "census", "CARSHIP"],
  ["classes", "census", "CLASSDEF"],
  ["hazmat", "census", "HM_Ind"],
  ["rating", "census", "SAFETY_RATING"],
  ["rating_age_years", "census", "SAFETY_RATING_DATE"],
  ["docket_prefix", "census", "DOCKET1PREFIX to DOCKET3PREFIX"],
  ["docket_status", "census", "DOCKET1_STATUS_CODE to DOCKET3_STATUS_CODE"],
  ["states", "census", "PHY_STATE"],
  ["fleet", "census", "POWER_UNITS"],
  ["inspection_levels", "inspections", "INSP_LEVEL_ID"],
] as const;

/** Labels of carriers that lack the column: they would hide what changed among those who have it. */
const LACKS_IT = new Set(["not reported", "not rated"]);

/** What is compared. */
export interface Comparison {
  report: BuildReport;
  previous: BuildReport;
  paths: Paths;
}

/** Gates that compare a report with that of the previous snapshot. */
export function driftGates(comparison: Comparison): Gate[] {
  return [
    ...dayGates(comparison),
    ...countGates(comparison),
    ...blankGates(comparison),
    ...distributionGates(comparison),
    ...outOfServiceGates(comparison),
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
        `the previous snapshot has ${then}. Wait for FMCSA's next file`,
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
      broken:
        `${paths.inspections}: ${unknown(now)} % of the inspections are of USDOT numbers that ` +
        `${paths.census} lacks, ${unknown(then)} % in the previous snapshot`,
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
        `for ${then} % in the previous snapshot`,
    }];
  });
}

function distributionGates({ report, previous, paths }: Comparison): Gate[] {
  return DISTRIBUTIONS.flatMap(([name, role, column]) => {
    // A snapshot of an earlier version of this program lacks the newer ones.
    const before = previous.distributions[name]?.filter(([label]) => !LACKS_IT.has(label));
    if (before === undefined) return [];
    const after = report.distributions[name].filter(([label]) => !LACKS_IT.has(label));
    const moves = shareMoves(before, after);
    const most = moves.toSorted((a, b) => Math.abs(b.by) - Math.abs(a.by))[0];
    return [{
      name: `drift_${name}`,
      // Half of all moves: what one label lost another has won.
      measured: rounded(moves.reduce((sum, { by }) => sum + Math.abs(by), 0) / 2),
      unit: "points" as const,
      bound: { max: noisy(2, Math.min(sumOf(before), sumOf(after))) },
      broken: `${paths[role]}: ${column} is not spread as before: ${most?.label} has ` +
        `${most?.now} %, had ${most?.then} %`,
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
function outOfServiceGates({ report, previous, paths }: Comparison): Gate[] {
  const [now, then] = [report, previous].map(({ distributions }) =>
    new Map(distributions.out_of_service ?? [])
  ) as [Map<string, number>, Map<string, number>];
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
      broken: `${paths.inspections}: ${rate(now)} % of the ${kind} inspections found an ` +
        `out-of-service violation, ${rate(then)} % in the previous snapshot`,
    }];
  });
}

function sumOf(distribution: Distribution): number {
  return distribution.reduce((sum, [, count]) => sum + count, 0);
}
