/**
 * Renders the report as text for a terminal, at most 100 columns wide, and as a GitHub run summary.
 *
 * @module
 */

import type { SnapshotReport } from "../audit/report.ts";
import { ordersWords } from "../snapshot/manifest.ts";
import { cellsOf, cut, escapeInvisible, wrap } from "../text.ts";
import { fullValue, type ReportTable } from "./table.ts";
import { countsTable, reportTables, visible } from "./tables.ts";

const WIDTH = 100;
const BAR = 40;
const LABEL = 32;

/** Renders the report as lines that each end in a line feed. The same report always gives the same text. */
export function renderText(found: SnapshotReport): string {
  const { snapshot, manifest, report: { data_date, notice, forced } } = visible(found);
  const { from, to } = manifest.window;
  const lines = [
    ...wrap(`Snapshot ${snapshot}`, WIDTH),
    ...wrap(`Data of ${data_date}, inspections from ${from} to ${to}`, WIDTH),
    ...remark("Orders", ordersWords(manifest)),
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
function tableLines(table: ReportTable): string[] {
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

/** The rows with bars of `#`. Any value above 0 gets at least one `#`. */
function bars(table: ReportTable): string[] {
  const { columns, rows } = table;
  const most = fullValue(table);
  const cells = rows.map(({ cells, value = 0 }) => [
    ...cells,
    "#".repeat(value === 0 ? 0 : Math.max(1, Math.round(value / most * BAR))),
  ]);
  return aligned(cells, columns.map((column) => column.isNumber === true));
}

/** Pads cells to equal widths per column; numbers are right-aligned. */
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

/**
 * Renders a run summary in GitHub Markdown: the rows that need review, then the full report, collapsed.
 *
 * @param verdict How the run ended: a sentence, and perhaps more lines.
 */
export function renderMarkdown(verdict: string, found?: SnapshotReport): string {
  const [title = "", ...more] = verdict.split("\n").map(inert);
  const head = [`## ${title}`, "", ...more.flatMap((line) => [line, ""])];
  if (found === undefined) return head.join("\n") + "\n";
  const notable = reportTables(found.report)
    .map((table) => ({ ...table, rows: table.rows.filter(({ isNotable }) => isNotable) }))
    .filter(({ rows }) => rows.length > 0);
  return [
    ...head,
    ...(notable.length === 0
      ? ["Nothing needs review."]
      : fenced(notable.flatMap(tableLines).slice(1))),
    "",
    "<details>",
    "<summary>The whole report</summary>",
    "",
    ...fenced(renderText(found).trimEnd().split("\n")),
    "",
    "</details>",
    "",
  ].join("\n");
}

/** A code block. Replaces backticks in its text, so that the text can't close the block. */
function fenced(lines: string[]): string[] {
  return ["```text", ...lines.map((line) => line.replaceAll("`", "'")), "```"];
}

/** Escapes Markdown and HTML, because an error message may quote the contents of a file. */
function inert(text: string): string {
  return escapeInvisible(text).replace(
    /[^\p{L}\p{N} .,:;%/()+-]/gu,
    (found) => `&#${found.codePointAt(0)};`,
  );
}
