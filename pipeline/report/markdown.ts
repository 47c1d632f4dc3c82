/**
 * The report in GitHub's Markdown, for the summary of a run: what needs review first, the rest folded.
 *
 * @module
 */

import type { SnapshotReport } from "../compile/report.ts";
import { plain } from "../text.ts";
import { reportTables } from "./tables.ts";
import { renderText, tableLines } from "./text.ts";

/** Writes the summary. `verdict` is a sentence on how the run ended. */
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

/** A block of code, which nothing in it can close. */
function fenced(lines: string[]): string[] {
  return ["```text", ...lines.map((line) => line.replaceAll("`", "'")), "```"];
}

/** Text that is neither Markdown nor HTML: a message may name what a file has. */
function inert(text: string): string {
  return plain(text).replace(/[^\p{L}\p{N} .,:;%/()+-]/gu, (found) => `&#${found.codePointAt(0)};`);
}
