/**
 * A table that scrolls sideways in its own box when the page is narrow.
 *
 * @module
 */

import type { Child } from "hono/jsx";

/** What a table shows. */
export interface TableProps {
  /** Names it, for people and for screen readers; no other table of the page has the same. */
  caption: string;
  heads: readonly string[];
  /** The first cell of a row is its heading. */
  rows: readonly (readonly Child[])[];
}

/** The table. */
export function Table({ caption, heads, rows }: TableProps) {
  return (
    // Keyboards reach a box that scrolls only when it can have the focus.
    <div class="wide" tabindex={0} role="region" aria-label={caption}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>{heads.map((head) => <th scope="col">{head}</th>)}</tr>
        </thead>
        <tbody>
          {rows.map(([first, ...others]) => (
            <tr>
              <th scope="row">{first}</th>
              {others.map((cell) => <td>{cell}</td>)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
