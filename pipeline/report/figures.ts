/**
 * What a report shows, in plain words: each figure has a title, what is counted and labelled values,
 * for the text table and for the page alike.
 *
 * @module
 */

import { boundWords, quantity } from "../compile/gates.ts";
import type { BuildReport, FileReport, GateResult } from "../compile/report.ts";
import type { Manifest } from "../snapshot/manifest.ts";
import { DISTRIBUTION_WORDS, type DistributionName, reasonWords } from "./words.ts";

/** Labelled values to draw. */
export interface Figure {
  /** Names the figure on the page, as an anchor. */
  id: string;
  title: string;
  /** What the values count, in the plural. `%`: values are percents of all carriers. */
  unit: string;
  /** What a reader must know to read it right. */
  explanation: string;
  rows: [label: string, value: number][];
  /** Values in time are drawn as columns, others as bars. */
  shape: "bars" | "columns";
  /** What the values are parts of, where they are. */
  whole?: number;
}

/** The two files, with their names in plain words, in the order to show them. */
export const FILES = [
  ["census", "Company census"],
  ["inspections", "Vehicle inspections"],
] as const;

/** A distribution of the report as a figure. */
function distributionFigure(report: BuildReport, name: DistributionName): Figure {
  const { title, unit, explanation, labels = {}, shape = "bars" } = DISTRIBUTION_WORDS[name];
  // A snapshot of an earlier version of this program lacks the newer ones.
  const rows = (report.distributions[name] ?? []).map(([label, count]): [string, number] => [
    Object.hasOwn(labels, label) ? labels[label]! : label,
    count,
  ]);
  // Not the sum of the rows: the states are only the biggest ones.
  const whole = {
    carriers: report.census.accepted,
    dockets: rows.reduce((sum, [, count]) => sum + count, 0),
    inspections: report.inspections.in_window,
  }[unit];
  return { id: name, title, unit, explanation, rows, shape, whole };
}

/** A figure's title, with the unit where the title does not name it. */
export function titleWithUnit({ title, unit }: Figure): string {
  if (title.toLowerCase().includes(unit)) return title;
  return `${title} (${unit === "%" ? "percent" : unit})`;
}

/** Every distribution, in the order to show them. */
export function distributionFigures(report: BuildReport): Figure[] {
  return (Object.keys(DISTRIBUTION_WORDS) as DistributionName[]).map((name) =>
    distributionFigure(report, name)
  );
}

/** What became of the rows of one file. */
export function rowsFigure(report: BuildReport, role: "census" | "inspections"): Figure {
  const file: FileReport = report[role];
  const rows: Figure["rows"] = [
    ["Rows in", file.rows],
    ["Accepted", file.accepted],
    ["Skipped", file.skipped],
    ["Rejected", file.rejected],
  ];
  if (role === "inspections") {
    const { in_window, unknown_carrier } = report.inspections;
    rows.push(["In the window", in_window], ["Carrier unknown", unknown_carrier]);
  }
  return {
    id: `rows_${role}`,
    title: `${FILES.find(([key]) => key === role)![1]}: rows in and out`,
    unit: "rows",
    explanation: role === "census"
      ? "Skipped rows say nothing about a carrier; rejected rows could not be used."
      : "The window is 24 months. Inspections of a USDOT number that the census lacks count for nobody.",
    rows,
    shape: "bars",
  };
}

/** Problems of both files with one treatment, the most frequent first. */
export function problemsFigure(
  report: BuildReport,
  treatment: FileReport["problems"][number]["treatment"],
): Figure {
  const counts = new Map<string, number>();
  for (const problem of FILES.flatMap(([role]) => report[role].problems)) {
    if (problem.treatment !== treatment) continue;
    counts.set(problem.reason, (counts.get(problem.reason) ?? 0) + problem.count);
  }
  const rows = [...counts]
    .map(([reason, count]): [string, number] => [reasonWords(reason), count])
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const ofRows = treatment !== "repaired";
  return {
    id: `problems_${treatment}`,
    title: ofRows
      ? `Rows ${treatment} in both files, by reason`
      : "Fields repaired in both files, by reason",
    unit: ofRows ? "rows" : "fields",
    explanation: ofRows
      ? "These rows are not in the snapshot."
      : "The row is in the snapshot; the field was mended or left out.",
    rows,
    shape: "bars",
  };
}

/** How often each member of a record is blank. */
export function nullRatesFigure(report: BuildReport): Figure {
  return {
    id: "null_rates",
    title: "Carriers without a value, by member",
    unit: "%",
    explanation: "Percent of all carriers for which the files leave the member blank.",
    rows: Object.entries(report.null_rates),
    shape: "bars",
  };
}

/** What the snapshot holds. */
export function holdings(manifest: Manifest): Figure["rows"] {
  const { counts } = manifest;
  return [
    ["Carriers", counts.carriers],
    ["Carriers active", counts.active],
    ["Carriers inactive", counts.inactive],
    ["Carriers pending", counts.pending],
    ["Carriers inspected in the window", counts.carriers_inspected],
    ["Inspections of these carriers", counts.inspections],
    ["Dockets", counts.dockets],
  ];
}

/** What a report without a comparison says of its gates. */
export const FIRST_BUILD = "Not compared with an earlier snapshot: absolute bounds only.";

/** A gate in words. */
export interface GateRow {
  name: string;
  measured: string;
  bound: string;
  verdict: "held" | "broken" | "overridden";
}

/** The gates of a report, broken ones first. */
export function gateRows(gates: readonly GateResult[]): GateRow[] {
  const rows = gates.map(({ name, measured, unit, bound, passed, overridden }): GateRow => ({
    name: name.replaceAll("_", " "),
    measured: quantity(measured, unit),
    bound: boundWords(bound, unit),
    verdict: passed ? "held" : overridden ? "overridden" : "broken",
  }));
  return [
    ...rows.filter(({ verdict }) => verdict !== "held"),
    ...rows.filter(({ verdict }) => verdict === "held"),
  ];
}

/** A change since the snapshot before that a person should look at, in percent. */
export const NOTABLE_CHANGE = 5;

/** Whether a drift row is to be marked: changed by more than {@link NOTABLE_CHANGE}, or new. */
export function isNotable(now: number, percent: number | null): boolean {
  return percent === null ? now !== 0 : Math.abs(percent) > NOTABLE_CHANGE;
}
