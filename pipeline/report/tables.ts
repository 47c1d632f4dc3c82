/**
 * Converts a build report to tables for the terminal, the HTML page and the GitHub run summary.
 *
 * @module
 */

import {
  DISTRIBUTION_NAMES,
  type DistributionName,
  DISTRIBUTIONS,
} from "../audit/distributions.ts";
import { boundWords, quantity } from "../audit/gates.ts";
import type {
  BuildReport,
  FileReport,
  GateResult,
  OrdersReport,
  SourceRole,
} from "../audit/report.ts";
import type { Manifest } from "../snapshot/manifest.ts";
import { dayTables } from "./day_tables.ts";
import { number, type ReportRow, type ReportTable } from "./table.ts";
import { capitalized, changed, counted, escapeInvisible, listed, share } from "../text.ts";

/** Copies a value and escapes invisible characters in its strings, because labels and examples may be hostile. */
export function visible<T>(value: T): T {
  if (typeof value === "string") return escapeInvisible(value) as T;
  if (Array.isArray(value)) return value.map(visible) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [escapeInvisible(key), visible(member)]),
  ) as T;
}

const FILES = [
  ["census", "Company census"],
  ["inspections", "Vehicle inspections"],
  ["orders", "Out-of-service orders"],
] as const;

/** The source files that a report covers. */
function filesOf(report: BuildReport): [role: SourceRole, name: string, file: FileReport][] {
  return FILES.flatMap(([role, name]) => {
    const file = report[role];
    return file === undefined ? [] : [[role, name, file]];
  });
}

/** Changes since the previous snapshot above this percentage need review by a person. */
const NOTABLE_CHANGE = 5;

/** The tables of a report, in display order. */
export function reportTables(found: BuildReport): ReportTable[] {
  const report = visible(found);
  return [
    rowsTable(report),
    ...filesOf(report).map(([role, name, file]) =>
      problemsTable(file, { id: `problems_${role}`, name })
    ),
    gatesTable(report),
    ...DISTRIBUTION_NAMES.map((name) => distributionTable(report, name)),
    nullRatesTable(report),
    driftTable(report),
    ...dayTables(report),
  ];
}

export function countsTable({ counts }: Pick<Manifest, "counts">): ReportTable {
  return {
    id: "counts",
    title: "In the snapshot",
    notes: [],
    columns: [{ title: "What" }, number("Count")],
    rows: snapshotCounts({ counts }).map(([label, count]) => ({ cells: [label, counted(count)] })),
  };
}

export function snapshotCounts(
  { counts }: Pick<Manifest, "counts">,
): [label: string, count: number][] {
  return [
    ["Carriers", counts.carriers],
    ["Carriers active", counts.active],
    ["Carriers inactive", counts.inactive],
    ["Carriers pending", counts.pending],
    ["Carriers inspected in the window", counts.carriers_inspected],
    ["Inspections of these carriers", counts.inspections],
    ["Dockets", counts.dockets],
    ...(counts.orders === undefined
      ? []
      : [["Out-of-service orders of all carriers", counts.orders] as [string, number]]),
  ];
}

function rowsTable(report: BuildReport): ReportTable {
  const { in_window, unknown_carrier } = report.inspections;
  const columns = ["Rows read", "Accepted", "Skipped", "Rejected", "Rejected share"];
  return {
    id: "rows",
    title: "Rows read and used",
    notes: [
      `${counted(in_window)} inspections are in the 24-month window, ` +
      `${counted(unknown_carrier)} of them for a USDOT number not in the census.`,
      ...(report.orders === undefined ? [] : [ordersNote(report.orders)]),
    ],
    columns: [{ title: "File" }, ...columns.map(number)],
    rows: filesOf(report).map(([, name, { rows, accepted, skipped, rejected }]) => {
      const percent = rows === 0 ? 0 : rejected / rows * 100;
      const counts = [rows, accepted, skipped, rejected].map(counted);
      return { cells: [name, ...counts, `${percent.toFixed(3)}%`] };
    }),
  };
}

function ordersNote(orders: OrdersReport): string {
  const { rescinded, unrescinded, rescinded_later, unusable, unknown_carrier, newest } = orders;
  return `Out-of-service orders through ${newest}: ${counted(rescinded)} rescinded, ${
    counted(unrescinded)
  } with no recorded rescission, ${counted(rescinded_later)} with a later one, ${
    counted(unusable)
  } with unusable dates; ${counted(unknown_carrier)} for a USDOT number not in the census.`;
}

function problemsTable(
  { problems, extra_columns }: FileReport,
  { id, name }: { id: string; name: string },
): ReportTable {
  return {
    id,
    title: `${name}: problems`,
    notes: [
      "Rejected and skipped rows are not in the snapshot. Bad fields were corrected or left blank.",
      ...extra_columns.length === 0
        ? []
        : [`Columns that the build does not know: ${listed(extra_columns)}.`],
    ],
    columns: [{ title: "Reason" }, number("Count"), { title: "Treatment" }],
    rows: problems.map(({ reason, treatment, count, examples }) => ({
      cells: [
        reason.replaceAll("_", " ").replace("usdot", "USDOT").replace("utf8", "UTF-8"),
        counted(count),
        treatment,
      ],
      examples,
    })),
  };
}

/** Lists the failed gates first. */
function gatesTable({ gates, orders, drift }: BuildReport): ReportTable {
  const rowWith = (broken: string) => (gate: GateResult): ReportRow => {
    const { name, measured, unit, bound, passed, overridden } = gate;
    return {
      cells: [
        name.replaceAll("_", " "),
        quantity(measured, unit),
        boundWords(bound, unit),
        passed ? "passed" : overridden ? "overridden" : broken,
      ],
      isNotable: !passed,
    };
  };
  const rows = [
    ...gates.map(rowWith("broken")),
    ...(orders?.gates ?? []).map(rowWith("file left out")),
  ];
  return {
    id: "gates",
    title: "Gates",
    notes: drift === undefined
      ? ["Not compared with an earlier snapshot: absolute bounds only."]
      : [],
    columns: [{ title: "Gate" }, number("Measured"), number("Bound"), { title: "Verdict" }],
    rows: rows.sort((a, b) => Number(b.isNotable) - Number(a.isNotable)),
  };
}

function distributionTable(report: BuildReport, name: DistributionName): ReportTable {
  const { title, unit, explanation, shape = "bars", labels: own } = DISTRIBUTIONS[name];
  const words = new Map(Object.entries({ "not reported": "Not reported", ...own }));
  // Reports of earlier versions lack the newer distributions.
  const rows = report.distributions[name] ?? [];
  // Carriers and inspections are not summed, because only the largest states are listed.
  const whole = {
    carriers: report.census.accepted,
    dockets: rows.reduce((sum, [, count]) => sum + count, 0),
    inspections: report.inspections.in_window,
  }[unit];
  return {
    id: name,
    title,
    notes: [explanation],
    columns: [{ title: "Label" }, number(capitalized(unit)), number("Share")],
    rows: rows.map(([label, count]) => ({
      cells: [words.get(label) ?? label, counted(count), share(count, whole)],
      value: count,
    })),
    chart: { shape },
  };
}

function nullRatesTable(report: BuildReport): ReportTable {
  return {
    id: "null_rates",
    title: "Carriers missing a value, by field",
    notes: ["Percent of all carriers for which the files leave the member blank."],
    columns: [{ title: "Member" }, number("Percent of carriers")],
    rows: Object.entries(report.null_rates).map(([member, rate]) => ({
      cells: [member, `${rate.toFixed(2)}%`],
      value: rate,
    })),
    chart: { shape: "bars", most: 100 },
  };
}

function driftTable({ drift }: BuildReport): ReportTable {
  const rows = (drift?.rows ?? []).map(([measure, then, now, percent]): ReportRow => {
    const isNotable = percent === null ? now !== 0 : Math.abs(percent) > NOTABLE_CHANGE;
    const cells = [measure, counted(then), counted(now), changed(now, percent)];
    return { cells: [...cells, isNotable ? "review" : ""], isNotable };
  });
  return {
    id: "drift",
    title: "Changes since the previous snapshot",
    notes: [
      drift === undefined
        ? "The build was not compared with another snapshot."
        : `Compared with ${drift.previous}. "review" marks what changed by more than ` +
          `${NOTABLE_CHANGE}%, or is new.`,
    ],
    columns: [
      { title: "Measure" },
      number("Then"),
      number("Now"),
      number("Change"),
      { title: "Mark" },
    ],
    rows,
  };
}
