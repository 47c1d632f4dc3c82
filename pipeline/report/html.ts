/**
 * Small pieces of HTML from text that may be hostile.
 *
 * @module
 */

import { plain } from "../text.ts";

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text for an element or a quoted attribute; what cannot be seen is shown as `\uXXXX`. */
export function escape(text: string): string {
  return plain(text).replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

/** A column of {@link htmlTable}. */
export interface Column {
  title: string;
  /** Figures stand to the right. */
  kind?: "number" | "examples";
}

const CLASSES = { number: "right", examples: "examples" };

/** A row: cells are HTML already. The first is the row's heading. */
export interface TableRow {
  cells: string[];
  notable?: boolean;
}

/** Writes a table that scrolls sideways in its own box when the page is narrow. */
export function htmlTable(
  rows: TableRow[],
  { caption, columns }: { caption: string; columns: Column[] },
): string {
  const attribute = (i: number): string => {
    const kind = columns[i]?.kind;
    return kind === undefined ? "" : ` class="${CLASSES[kind]}"`;
  };
  const head = columns
    .map(({ title }, i) => `<th scope="col"${attribute(i)}>${escape(title)}</th>`)
    .join("");
  const body = rows.map(({ cells, notable }) => {
    const inner = cells.map((cell, i) =>
      i === 0 ? `<th scope="row">${cell}</th>` : `<td${attribute(i)}>${cell}</td>`
    ).join("");
    return `<tr${notable ? ` class="notable"` : ""}>${inner}</tr>`;
  });
  // Keyboards reach a box that scrolls only when it can have the focus.
  return `<div class="wide" tabindex="0" role="region" aria-label="${escape(caption)}">
<table><caption>${escape(caption)}</caption>
<thead><tr>${head}</tr></thead>
<tbody>
${body.join("\n")}
</tbody></table></div>`;
}
