/**
 * A report as tables in plain words, which the terminal, the page and the summary of a run all show.
 *
 * @module
 */

import { boundWords, quantity } from "../compile/gates.ts";
import type { BuildReport, FileReport } from "../compile/report.ts";
import type { Manifest } from "../snapshot/manifest.ts";
import { changed, counted, listed } from "../text.ts";
import { distributionTables } from "./distributions.ts";
import { number, type ReportRow, type ReportTable, visible } from "./table.ts";

const FILES = [["census", "Company census"], ["inspections", "Vehicle inspections"]] as const;

/** A change since the previous snapshot that a person should review, in percent. */
const NOTABLE_CHANGE = 5;

/** The tables of a report, in the order to show them. */
export function reportTables(found: BuildReport): ReportTable[] {
  const report = visible(found);
  return [
    rowsTable(report),
    ...FILES.map(([role, name]) => problemsTable(report[role], { id: `problems_${role}`, name })),
    gatesTable(report),
    ...distributionTables(report),
    nullRatesTable(report),
    driftTable(report),
  ];
}

/** What a snapshot has. */
export function countsTable({ counts }: Pick<Manifest, "counts">): ReportTable {
  return {
    id: "counts",
    title: "In the snapshot",
    notes: [],
    columns: [{ title: "What" }, number("Count")],
    rows: holdings({ counts }).map(([label, count]) => ({ cells: [label, counted(count)] })),
  };
}

export function holdings({ counts }: Pick<Manifest, "counts">): [label: string, count: number][] {
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

function rowsTable(report: BuildReport): ReportTable {
  const { in_window, unknown_carrier } = report.inspections;
  const columns = ["Rows read", "Accepted", "Skipped", "Rejected", "Rejected share"];
  return {
    id: "rows",
    title: "Rows read and used",
    notes: [
      `${counted(in_window)} inspections are in the window of 24 months, ` +
      `${counted(unknown_carrier)} of them of a USDOT number that the census lacks.`,
    ],
    columns: [{ title: "File" }, ...columns.map(number)],
    rows: FILES.map(([role, name]) => {
      const { rows, accepted, skipped, rejected } = report[role];
      const percent = rows === 0 ? 0 : rejected / rows * 100;
      const counts = [rows, accepted, skipped, rejected].map(counted);
      return { cells: [name, ...counts, `${percent.toFixed(3)}%`] };
    }),
  };
}

function problemsTable(
  { problems, extra_columns }: FileReport,
  { id, name }: { id: string; name: string },
): ReportTable {
  return {
    id,
    title: `${name}: problems`,
    notes: [
      "Rejected and skipped rows are not in the snapshot. Repaired fields are, or are omitted.",
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

/** Broken gates first. */
function gatesTable({ gates, drift }: BuildReport): ReportTable {
  const rows = gates.map(({ name, measured, unit, bound, passed, overridden }): ReportRow => ({
    cells: [
      name.replaceAll("_", " "),
      quantity(measured, unit),
      boundWords(bound, unit),
      passed ? "passed" : overridden ? "overridden" : "broken",
    ],
    isNotable: !passed,
  }));
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

function nullRatesTable(report: BuildReport): ReportTable {
  return {
    id: "null_rates",
    title: "Carriers without a value, by member",
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
