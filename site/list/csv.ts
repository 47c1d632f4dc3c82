/**
 * Results as a CSV file (RFC 4180) that spreadsheets open as it is meant: text stays text.
 *
 * @module
 */

import { inert } from "../../pipeline/inert.ts";
import { CARRIER_COLUMNS, type ResultRow, VERDICTS } from "./result_row.ts";

/** What makes a spreadsheet take a cell for a formula, in any width. */
const FORMULA = /^[=+\-@\uff1d\uff0b\uff0d\uff20]/;

/** The same after a mark at which a spreadsheet of another country splits cells. */
const HIDDEN_FORMULA = /([;|]\s*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** What needs none of this: most cells. */
const PLAIN = /^(?:\w[\w .:\/()-]*)?$/;

/** The first line. It begins with a byte order mark: without one Excel spoils names with accents. */
export const CSV_HEAD = "\ufeff" +
  ["row", "dot", "verdict", "reasons", ...CARRIER_COLUMNS.map(([name]) => name)].join(",") + "\r\n";

/** One line for each row in their order. */
export function csvLines(rows: readonly ResultRow[]): string {
  const lines = rows.map(({ row, dot, verdict, reasons, facts }) => [
    String(row),
    dot,
    VERDICTS[verdict].words,
    reasons,
    ...facts,
    ...Array<string>(CARRIER_COLUMNS.length - facts.length).fill(""),
  ]);
  return lines.map((cells) => cells.map(csvCell).join(",") + "\r\n").join("");
}

/**
 * A cell on one line that no spreadsheet runs: an apostrophe stands before what looks like a formula.
 */
export function csvCell(text: string): string {
  if (PLAIN.test(text)) return text;
  const visible = inert(text, Infinity);
  const marked = (FORMULA.test(visible) ? "'" : "") + visible.replace(HIDDEN_FORMULA, "$1'");
  return /[",;']/.test(marked) ? `"${marked.replaceAll('"', '""')}"` : marked;
}
