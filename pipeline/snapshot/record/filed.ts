/**
 * What FMCSA's files say about a carrier, in the form for clients that sync: a row without inspections,
 * changes, and values of hidden members. FORMAT.md, "Changes of a day", describes it. Web APIs only.
 *
 * @module
 */

import {
  ABSENT,
  cutRow,
  FILED,
  isHiddenAt,
  ORDERS_AT,
  positionOf,
  RECORD_COLUMNS,
  REFUSED_AT,
} from "./rows.ts";

/** Members by position in a filed row. */
export const FILED_MEMBERS: readonly string[] = RECORD_COLUMNS.slice(0, ORDERS_AT + 1).map(
  ([name]) => name,
);

/** Positions that are always blank in a filed row. */
export const WITHHELD = FILED_MEMBERS.flatMap((_, at) =>
  isHiddenAt(at) || at >= FILED && at < ORDERS_AT ? [at] : []
);

/** The filed row of a row: a value that could not be used is `{"refused": text}` in its place. */
export function filedRow(row: readonly unknown[]): unknown[] {
  const filed = row.slice(0, ORDERS_AT + 1);
  for (const [member, text] of Object.entries(row[REFUSED_AT] || {})) {
    filed[positionOf(member)] = { refused: text };
  }
  for (const at of WITHHELD) if (at < filed.length) filed[at] = ABSENT;
  return cutRow(filed);
}
