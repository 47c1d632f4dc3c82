/**
 * The report in GitHub's Markdown, for the summary of a run: short, with what needs review first.
 *
 * @module
 */

import type { SnapshotReport } from "../compile/report.ts";
import { plain } from "../text.ts";
import { countsTable, type ReportRow, type ReportTable, reportTables } from "./tables.ts";

/** Writes the summary. `verdict` is a sentence on how the run ended. */
export function renderMarkdown(verdict: string, report?: SnapshotReport): string {
  const [title = "", ...more] = verdict.split("\n").map(inert);
  const head = [`## ${title}`, "", ...more.flatMap((line) => [line, ""])];
  return [...head, ...(report === undefined ? [] : body(report))].join("\n") + "\n";
}

function body({ snapshot, manifest, report }: SnapshotReport): string[] {
  const { data_date, notice, forced } = report;
  const tables = reportTables(report);
  const named = (id: string): ReportTable => tables.find((table) => table.id === id)!;
  return [
    `Snapshot ${inert(snapshot)}, data of ${inert(data_date)}.`,
    "",
    ...(notice === undefined ? [] : [`Notice: ${inert(notice)}`, ""]),
    ...(forced === undefined ? [] : [`**Forced**: ${inert(forced)}`, ""]),
    ...markdown(named("rows")),
    ...markdown(countsTable(manifest)),
    ...reviewed(named("gates")),
    ...reviewed(named("drift")),
  ];
}

/** Rows that need review, then all of them folded. */
function reviewed(table: ReportTable): string[] {
  const { title, notes, rows } = table;
  const notable = rows.filter(({ isNotable }) => isNotable);
  return [
    `### ${title}`,
    "",
    ...notes.flatMap((note) => [inert(note), ""]),
    ...(rows.length === 0 ? [] : [
      `${notable.length} of ${rows.length} need review.`,
      "",
      ...(notable.length === 0 ? [] : markdown(table, notable)),
      "<details>",
      `<summary>All ${rows.length}</summary>`,
      "",
      ...markdown(table),
      "</details>",
      "",
    ]),
  ];
}

function markdown({ columns, rows }: ReportTable, some: ReportRow[] = rows): string[] {
  const line = (cells: string[]): string => `| ${cells.map(inert).join(" | ")} |`;
  return [
    line(columns.map(({ title }) => title)),
    `| ${columns.map(({ isNumber }) => isNumber ? "--:" : "---").join(" | ")} |`,
    ...some.map(({ cells }) => line(cells)),
    "",
  ];
}

/** Text that is neither Markdown nor HTML: labels may be hostile. */
function inert(text: string): string {
  return plain(text).replace(/[^\p{L}\p{N} .,:;%/()+-]/gu, (found) => `&#${found.codePointAt(0)};`);
}
