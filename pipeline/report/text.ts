/**
 * The report as text for a terminal, at most 100 columns wide.
 *
 * @module
 */

import type { SnapshotReport } from "../compile/report.ts";
import { cellsOf, cut, wrap } from "../text.ts";
import { countsTable, fullValue, type ReportTable, reportTables, visible } from "./tables.ts";

const WIDTH = 100;
const BAR = 40;
const LABEL = 32;

/** The report as lines, each with a line end. Equal reports make equal text. */
export function renderText(found: SnapshotReport): string {
  const { snapshot, manifest, report: { data_date, notice, forced } } = visible(found);
  const { from, to } = manifest.window;
  const lines = [
    ...wrap(`Snapshot ${snapshot}`, WIDTH),
    ...wrap(`Data of ${data_date}, inspections from ${from} to ${to}`, WIDTH),
    ...remark("Notice", notice),
    ...remark("Forced", forced),
    ...[countsTable(manifest), ...reportTables(found.report)].flatMap(tableLines),
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

/** A table with its title, after a blank line. */
export function tableLines(table: ReportTable): string[] {
  const { title, notes, rows } = table;
  const body = rows.length === 0 ? ["None."] : table.chart ? bars(table) : lines(table);
  const said = table.chart ? [] : notes.flatMap((note) => wrap(note, WIDTH - 2));
  return ["", ...wrap(title, WIDTH), ...[...said, ...body].map((line) => `  ${line}`.trimEnd())];
}

function lines({ columns, rows }: ReportTable): string[] {
  const isNumber = columns.map((column) => column.isNumber === true);
  const [head, ...rest] = aligned(
    [columns.map(({ title }) => title), ...rows.map(({ cells }) => cells)],
    isNumber,
  );
  return [
    head!,
    ...rows.flatMap(({ examples = [] }, i) => [
      rest[i]!,
      ...examples.flatMap((example) =>
        wrap(example, WIDTH - 8).map((line, j) => (j === 0 ? "    - " : "      ") + line)
      ),
    ]),
  ];
}

/** The cells of each row, and a bar for every value above 0, however small. */
function bars(table: ReportTable): string[] {
  const { columns, rows } = table;
  const most = fullValue(table);
  const cells = rows.map(({ cells, value = 0 }) => [
    ...cells,
    "#".repeat(value === 0 ? 0 : Math.max(1, Math.round(value / most * BAR))),
  ]);
  return aligned(cells, columns.map((column) => column.isNumber === true));
}

/** Pads cells to columns, numbers to the right. */
function aligned(rows: string[][], isNumber: readonly boolean[]): string[] {
  const cells = rows.map(([label, ...rest]) => [cut(label!, LABEL), ...rest]);
  const widths = cells[0]!.map((_, i) => Math.max(...cells.map((row) => cellsOf(row[i]!))));
  return cells.map((row) =>
    row.map((cell, i) => {
      const gap = " ".repeat(widths[i]! - cellsOf(cell));
      return isNumber[i] ? gap + cell : cell + gap;
    }).join("  ").trimEnd()
  );
}
