/**
 * Gates: bounds on the results of a build. This file has the ones that need only one report.
 *
 * @module
 */

import { daysBetween } from "../dates.ts";
import type { Distribution } from "./distributions.ts";
import type {
  BuildReport,
  FileReport,
  GateResult,
  InputRole,
  SnapshotReport,
  SourceRole,
} from "./report.ts";

/** A bound, what was measured, and what to say when it is broken. */
export interface Gate extends Pick<GateResult, "name" | "measured" | "unit" | "bound"> {
  /** The message when the gate fails. It names the file. */
  broken: string;
}

/** A {@link Gate} as a row of a table. */
export type GateRow = [
  name: string,
  measured: number,
  unit: Gate["unit"],
  bound: Gate["bound"],
  broken: string,
];

export function gateOf([name, measured, unit, bound, broken]: GateRow): Gate {
  return { name, measured, unit, bound, broken };
}

export type Paths = Record<InputRole, string>;

/** Two reports to compare, and the names of the newer one's files. */
export interface ReportPair {
  report: BuildReport;
  previous: BuildReport;
  paths: Paths;
}

/** A failed gate, in words for the maintainer. */
export interface GateFailure {
  gate: string;
  message: string;
}

/** The pointer was not moved, because gates failed. */
export class GateError extends Error {
  override name = "GateError";
  failures: GateFailure[];
  /** The report of the snapshot that was refused. */
  refused: SnapshotReport;

  constructor(what: string, failures: GateFailure[], refused: SnapshotReport) {
    super(
      `${what}:\n` + failures.map(({ message }) => `  - ${message}`).join("\n") +
        `\nCheck what is named above. After a gap of weeks true files may break a bound: ` +
        `OPERATIONS.md, "After a long gap". If the data is correct, give --force "REASON"; ` +
        `the reason is published with the snapshot`,
    );
    this.failures = failures;
    this.refused = refused;
  }
}

export function failuresOf(gates: readonly Gate[]): GateFailure[] {
  return gates.filter((gate) => !passes(gate)).map(({ name, measured, unit, bound, broken }) => ({
    gate: name,
    message: `${broken} (${name}: ${quantity(measured, unit)}, allowed ${boundWords(bound, unit)})`,
  }));
}

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
  const figure = value.toLocaleString("en-US");
  return unit === "%" ? `${figure}%` : `${figure} ${unit}`;
}

/** A part of a whole, in percent with three decimals; 0 of 0 is 0. */
export function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : rounded(part / whole * 100);
}

/** Three decimals, so that the report shows exactly the figure that the gate compared. */
export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** A bound that widens for small counts: among `n` carriers, 100 / sqrt(n) percent may be noise. */
export function noisy(bound: number, n: number): number {
  return rounded(Math.max(bound, 100 / Math.sqrt(Math.max(n, 1))));
}

export function sumOf(distribution: Distribution): number {
  return distribution.reduce((sum, [, count]) => sum + count, 0);
}

/**
 * Gates that need only one report: the only ones for a first snapshot.
 *
 * @param options.whole Whether the last line of each file has a line end.
 */
export function fileGates(
  report: BuildReport,
  { paths, whole }: { paths: Paths; whole: Record<InputRole, boolean> },
): Gate[] {
  const rows = (role: InputRole): GateRow[] =>
    rowGates(role, report[role], { path: paths[role], whole: whole[role] });
  return [
    ...rows("census"),
    ...censusGates(report, paths.census),
    ...rows("inspections"),
    newestInspection(report, paths.inspections),
  ].map(gateOf);
}

/** Gates on the rows of any file. */
export function rowGates(
  role: SourceRole,
  { rows, accepted, rejected, problems }: FileReport,
  { path, whole }: { path: string; whole: boolean },
): GateRow[] {
  const reasons = problems.filter(({ treatment }) => treatment === "rejected")
    .map(({ reason, count }) => `${reason} ${count}`).join(", ");
  const cut = `${path} does not end with a line end: it was probably cut short in row ${rows}`;
  const few = `${path}: ${rejected} of ${rows} rows were rejected: ${reasons}`;
  return [
    [`${role}_cut_short`, whole ? 0 : 1, "files", { max: 0 }, cut],
    [`${role}_usable`, accepted, "rows", { min: 1 }, `${path} has no row that can be used`],
    [`${role}_rejected`, percentOf(rejected, rows), "%", { max: 0.1 }, few],
  ];
}

function censusGates({ census, distributions, null_rates }: BuildReport, path: string): GateRow[] {
  const { rows, accepted, problems } = census;
  const count = (distribution: Distribution, label: string): number =>
    distribution.find(([name]) => name === label)?.[1] ?? 0;
  const repeated = problems.find(({ reason }) => reason === "duplicate_usdot_number")?.count ?? 0;
  const active = count(distributions.status, "A");
  const undated = count(distributions.rating_age_years, "no date");
  const rated = sumOf(distributions.rating_age_years);
  return [
    [
      "census_duplicates",
      percentOf(repeated, rows),
      "%",
      { max: 0.05 },
      `${path}: ${repeated} rows repeat the USDOT number of another row`,
    ],
    [
      "census_names_blank",
      null_rates.legal_name!,
      "%",
      { max: 5 },
      `${path}: LEGAL_NAME is blank too often`,
    ],
    [
      "census_active",
      percentOf(active, accepted),
      "%",
      { min: 10 },
      `${path}: only ${active} of ${accepted} carriers are active in STATUS_CODE`,
    ],
    [
      "census_ratings_undated",
      percentOf(undated, rated),
      "%",
      { max: noisy(10, rated) },
      `${path}: ${undated} of ${rated} rated carriers have no possible date in SAFETY_RATING_DATE`,
    ],
  ];
}

function newestInspection({ data_date, inspections }: BuildReport, path: string): GateRow {
  const { newest } = inspections;
  const broken = newest === undefined
    ? `${path} has no inspection of the 24 months up to ${data_date}`
    : `${path}: the newest inspection is of ${newest}, long before the data date ${data_date}`;
  // No inspection in the whole window: 731 days, two years with a leap day.
  const behind = newest === undefined ? 731 : daysBetween(newest, data_date);
  // FMCSA's own file has been 63 days behind (July 2026).
  return ["inspections_newest", behind, "days", { max: 90 }, broken];
}
