/**
 * A list while it is looked up: its rows as they come, how far it is, and a way to cancel. When the
 * result follows, the style sheet hides all of this.
 *
 * @module
 */

import { counted } from "../../../pipeline/report/plain.ts";
import type { ResultRow } from "../../list/result_row.ts";
import { Columns, Row } from "./table.tsx";

/** What comes first; {@link readingEnd} closes it. Leaving the page ends the work. */
export function readingHead(): string {
  const head = (
    <>
      <h1>Checking your list</h1>
      <p class="actions">
        <a class="button quiet" href="/bulk">Cancel</a>
      </p>
    </>
  );
  return `<div class="reading">${head}<div class="wide" tabindex="0" role="region" ` +
    `aria-label="Rows so far"><table class="rows"><thead>${<Columns />}</thead>`;
}

/** Some rows, and how far the list is with them: shown until there are more. */
export function ReadingRows(
  { rows, done, total }: { rows: readonly ResultRow[]; done: number; total: number },
) {
  return (
    <tbody>
      {rows.map((row) => <Row row={row} />)}
      <tr class="sofar">
        <td colspan={7}>
          <progress max={total} value={done} aria-label="Rows checked"></progress> {counted(done)}
          {" "}
          of {counted(total)} checked
        </td>
      </tr>
    </tbody>
  );
}

/** What comes last. */
export function readingEnd(): string {
  return "</table></div></div>";
}
