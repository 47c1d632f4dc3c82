/**
 * The report as text for a terminal, at most 100 columns wide.
 *
 * @module
 */

import type { FileReport, SnapshotReport } from "../compile/report.ts";
import {
  distributionFigures,
  type Figure,
  FILES,
  FIRST_BUILD,
  gateRows,
  holdings,
  isNotable,
  NOTABLE_CHANGE,
  nullRatesFigure,
  titleWithUnit,
  visible,
} from "./figures.ts";
import { cellsOf, changed, counted, cut, share, wrap } from "../text.ts";

const WIDTH = 100;
const BAR = 40;

/** The report as lines, each with a line end. Equal reports make equal text. */
export function renderTable(found: SnapshotReport): string {
  const { snapshot, manifest, report } = visible(found);
  const { window } = manifest;
  const lines = [
    ...wrap(`Snapshot ${snapshot}`, WIDTH),
    ...wrap(`Data of ${report.data_date}, inspections from ${window.from} to ${window.to}`, WIDTH),
    ...remark("Notice", report.notice),
    ...remark("Forced", report.forced),
    ...section("Rows read and used", files(report)),
    ...FILES.flatMap(([role, name]) => section(`${name}: problems`, problems(report[role]))),
    ...FILES.flatMap(([role, name]) => {
      const extra = report[role].extra_columns;
      if (extra.length === 0) return [];
      return section(`${name}: columns not known`, wrap(extra.join(", "), WIDTH - 2));
    }),
    ...section("Gates", gates(report)),
    ...section(
      "In the snapshot",
      aligned(holdings(manifest).map(([label, count]) => [label, counted(count)])),
    ),
    ...[...distributionFigures(report), nullRatesFigure(report)]
      .flatMap((figure) => section(titleWithUnit(figure), bars(figure))),
    ...drift(report.drift),
  ];
  return lines.join("\n") + "\n";
}

function remark(name: string, text: string | undefined): string[] {
  if (text === undefined) return [];
  const lead = `${name}: `;
  return wrap(text, WIDTH - lead.length).map((line, i) =>
    (i === 0 ? lead : " ".repeat(lead.length)) + line
  );
}

function section(title: string, body: string[]): string[] {
  return ["", ...wrap(title, WIDTH), ...body.map((line) => `  ${line}`.trimEnd())];
}

function files(report: SnapshotReport["report"]): string[] {
  const { in_window, unknown_carrier } = report.inspections;
  return [
    ...aligned([
      ["File", "Rows read", "Accepted", "Skipped", "Rejected", "Rejected share"],
      ...FILES.map(([role, name]) => {
        const { rows, accepted, skipped, rejected } = report[role];
        const percent = rows === 0 ? 0 : rejected / rows * 100;
        return [
          name,
          ...[rows, accepted, skipped, rejected].map(counted),
          `${percent.toFixed(3)}%`,
        ];
      }),
    ]),
    `${counted(in_window)} inspections are in the window, ` +
    `${counted(unknown_carrier)} of them of a USDOT number that the census lacks.`,
  ];
}

function problems({ problems }: FileReport): string[] {
  if (problems.length === 0) return ["None."];
  const lines = aligned([
    ["Reason", "Count", "Treatment"],
    ...problems.map(({ reason, count, treatment }) => [
      cut(reason, 40),
      counted(count),
      ` ${treatment}`,
    ]),
  ], { left: [2] });
  return [
    lines[0]!,
    ...problems.flatMap(({ examples }, i) => [
      lines[i + 1]!,
      ...examples.flatMap((example) =>
        wrap(example, WIDTH - 8).map((line, j) => (j === 0 ? "    - " : "      ") + line)
      ),
    ]),
  ];
}

function gates({ gates, drift }: SnapshotReport["report"]): string[] {
  return [
    ...(drift === undefined ? [FIRST_BUILD] : []),
    ...aligned([
      ["Gate", "Measured", "Bound", ""],
      ...gateRows(gates).map(({ name, measured, bound, verdict }) => [
        cut(name, 32),
        measured,
        bound,
        verdict === "passed" ? "" : verdict.toUpperCase(),
      ]),
    ], { left: [3] }),
  ];
}

function bars({ rows, unit, whole }: Figure): string[] {
  if (rows.length === 0) return ["None."];
  const most = unit === "%" ? 100 : Math.max(1, ...rows.map(([, value]) => value));
  return aligned(
    rows.map(([label, value]) => [
      cut(label, 30),
      unit === "%" ? value.toFixed(2) : counted(value),
      ...(whole === undefined ? [] : [share(value, whole)]),
      // A bar for every count above 0, however small.
      "#".repeat(value === 0 ? 0 : Math.max(1, Math.round(value / most * BAR))),
    ]),
    { left: [whole === undefined ? 2 : 3] },
  );
}

function drift(drift: SnapshotReport["report"]["drift"]): string[] {
  if (drift === undefined) return [];
  const body = aligned([
    ["Measure", "Then", "Now", "Change", ""],
    ...drift.rows.map(([measure, then, now, percent]) => [
      cut(measure, 32),
      counted(then),
      counted(now),
      changed(now, percent),
      isNotable(now, percent) ? "<<" : "",
    ]),
  ]);
  return section(`Compared with snapshot ${drift.previous}`, [
    ...body,
    `<< changed by more than ${NOTABLE_CHANGE}%, or new`,
  ]);
}

/** Pads cells to columns: the first and those of `left` to the left, others to the right. */
function aligned(rows: string[][], { left = [] }: { left?: number[] } = {}): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, i) => widths[i] = Math.max(widths[i] ?? 0, cellsOf(cell)));
  }
  return rows.map((row) =>
    row.map((cell, i) => {
      const gap = " ".repeat(widths[i]! - cellsOf(cell));
      return i === 0 || left.includes(i) ? cell + gap : gap + cell;
    }).join("  ").trimEnd()
  );
}
