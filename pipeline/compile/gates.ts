/**
 * Gates: bounds on what a build made. Here are those that need one report only.
 *
 * @module
 */

import type {
  BuildReport,
  Distribution,
  FileReport,
  GateResult,
  InputRole,
  SnapshotReport,
} from "./report.ts";

/** A bound, what was measured, and what to say when it is broken. */
export interface Gate extends Pick<GateResult, "name" | "measured" | "unit" | "bound"> {
  /** Names the file. */
  broken: string;
}

/** The names of the two files, for messages. */
export type Paths = Record<InputRole, string>;

/** Two reports to compare, and the names of the files that the newer one is of. */
export interface ReportPair {
  report: BuildReport;
  previous: BuildReport;
  paths: Paths;
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
        `\nCheck what is named above. If the data is correct, give --force "REASON"; ` +
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

function passes({ measured, bound: { min = -Infinity, max = Infinity } }: Gate): boolean {
  return measured >= min && measured <= max;
}

/** A bound in words: `at most 0.1%`, `-1 to 5%`. */
export function boundWords({ min, max }: GateResult["bound"], unit: GateResult["unit"]): string {
  if (min === undefined) return `at most ${quantity(max!, unit)}`;
  if (max === undefined) return `at least ${quantity(min, unit)}`;
  return `${min} to ${quantity(max, unit)}`;
}

/** A figure with its unit: `22.3%`, `90 days`. */
export function quantity(value: number, unit: GateResult["unit"]): string {
  const figure = value.toLocaleString("en-US", { maximumFractionDigits: 3 });
  return unit === "%" ? `${figure}%` : `${figure} ${unit}`;
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

/** A bound that widens where few carriers have what is measured: `factor` * 100 / sqrt(n) is noise. */
export function noisy(bound: number, n: number, factor = 1): number {
  return rounded(Math.max(bound, factor * 100 / Math.sqrt(Math.max(n, 1))));
}

/** All that a distribution counts. */
export function sumOf(distribution: Distribution): number {
  return distribution.reduce((sum, [, count]) => sum + count, 0);
}

/**
 * Gates that need one report only: all there are for a first snapshot.
 *
 * @param options.whole Whether the last line of each file has a line end.
 */
export function fileGates(
  report: BuildReport,
  { paths, whole }: { paths: Paths; whole: Record<InputRole, boolean> },
): Gate[] {
  return [
    ...rowGates("census", report.census, { path: paths.census, whole: whole.census }),
    ...censusGates(report, paths.census),
    ...rowGates("inspections", report.inspections, {
      path: paths.inspections,
      whole: whole.inspections,
    }),
    newestInspection(report, paths.inspections),
  ];
}

function rowGates(
  role: InputRole,
  { rows, accepted, rejected, problems }: FileReport,
  { path, whole }: { path: string; whole: boolean },
): Gate[] {
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

function censusGates({ census, distributions, null_rates }: BuildReport, path: string): Gate[] {
  const count = (distribution: Distribution, label: string): number =>
    distribution.find(([name]) => name === label)?.[1] ?? 0;
  const repeated =
    census.problems.find(({ reason }) => reason === "duplicate_usdot_number")?.count ?? 0;
  const active = count(distributions.status, "A");
  const undated = count(distributions.rating_age_years, "no date");
  const rated = sumOf(distributions.rating_age_years);
  return [
    {
      name: "census_duplicates",
      measured: percentOf(repeated, census.rows),
      unit: "%",
      bound: { max: 0.05 },
      broken: `${path}: ${repeated} rows repeat the USDOT number of another row`,
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
