/**
 * The report in GitHub's Markdown, for the summary of a run: short, with what needs review first.
 *
 * @module
 */

import type { SnapshotReport } from "../compile/report.ts";
import { FILES, FIRST_BUILD, type GateRow, gateRows, holdings, isNotable } from "./figures.ts";
import { changed, counted, plain } from "../text.ts";

/** Writes the summary. `verdict` is a sentence on how the run ended. */
export function renderMarkdown(verdict: string, report?: SnapshotReport): string {
  const [title = "", ...more] = verdict.split("\n").map(inert);
  const head = [`## ${title}`, "", ...more.flatMap((line) => [line, ""])];
  return [...head, ...(report === undefined ? [] : body(report))].join("\n") + "\n";
}

function body({ snapshot, manifest, report }: SnapshotReport): string[] {
  const { data_date, notice, forced, drift } = report;
  const gates = gateRows(report.gates);
  const broken = gates.filter(({ verdict }) => verdict !== "passed");
  return [
    `Snapshot ${inert(snapshot)}, data of ${inert(data_date)}.`,
    "",
    ...(notice === undefined ? [] : [`Notice: ${inert(notice)}`, ""]),
    ...(forced === undefined ? [] : [`**Forced**: ${inert(forced)}`, ""]),
    ...table(["File", "Rows read", "Accepted", "Skipped", "Rejected"], [
      ...FILES.map(([role, name]) => {
        const { rows, accepted, skipped, rejected } = report[role];
        return [name, ...[rows, accepted, skipped, rejected].map(counted)];
      }),
    ]),
    ...table(
      ["In the snapshot", "Count"],
      holdings(manifest).map(([label, count]) => [label, counted(count)]),
    ),
    "### Gates",
    "",
    ...(drift === undefined ? [FIRST_BUILD, ""] : []),
    ...(broken.length === 0 ? [`All ${gates.length} bounds passed.`, ""] : gateTable(broken)),
    ...folded(`All ${gates.length} bounds`, gateTable(gates)),
    ...(drift === undefined ? [] : driftTables(drift)),
  ];
}

function gateTable(rows: GateRow[]): string[] {
  return table(
    ["Gate", "Measured", "Bound", "Verdict"],
    rows.map(({ name, measured, bound, verdict }) => [name, measured, bound, verdict]),
  );
}

function driftTables({ previous, rows }: NonNullable<SnapshotReport["report"]["drift"]>): string[] {
  const columns = ["Measure", "Then", "Now", "Change"];
  const cells = (some: typeof rows): string[][] =>
    some.map(([measure, then, now, percent]) => [
      measure,
      counted(then),
      counted(now),
      changed(now, percent),
    ]);
  const notable = rows.filter(([, , now, percent]) => isNotable(now, percent));
  return [
    "### What changed",
    "",
    `Since ${inert(previous)}: ${notable.length} of ${rows.length} figures by more than 5%.`,
    "",
    ...(notable.length === 0 ? [] : table(columns, cells(notable))),
    ...folded(`All ${rows.length} figures`, table(columns, cells(rows))),
  ];
}

/** The first column is left-aligned, others right-aligned. */
function table(columns: string[], rows: string[][]): string[] {
  const line = (cells: string[]): string => `| ${cells.map(inert).join(" | ")} |`;
  return [
    line(columns),
    `| ${columns.map((_, i) => i === 0 ? "---" : "--:").join(" | ")} |`,
    ...rows.map(line),
    "",
  ];
}

function folded(summary: string, lines: string[]): string[] {
  return ["<details>", `<summary>${summary}</summary>`, "", ...lines, "</details>", ""];
}

/** Text that is neither Markdown nor HTML: labels may be hostile. */
function inert(text: string): string {
  return plain(text).replace(/[^\p{L}\p{N} .,:;%/()+-]/gu, (found) => `&#${found.codePointAt(0)};`);
}
