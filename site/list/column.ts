/**
 * Which column of a table holds the USDOT numbers.
 *
 * @module
 */

import type { CellRow } from "./cells.ts";
import { cut, isHeading, isNumber, isSeveral } from "./number_cell.ts";

/** The column that the numbers are read from. */
export interface ReadColumn {
  /** From 1. */
  place: number;
  /** Columns of the table. */
  of: number;
  /** Its heading, null for a table without. */
  heading: string | null;
}

/** Rows by which the column is chosen. */
const SAMPLE_ROWS = 1_000;

/**
 * Chooses the column with a heading such as `USDOT`, or else the one with the most numbers; of equal
 * ones the first. Null when the text is no table but a list: a single row of numbers or, when it is
 * `free` to be one, several.
 *
 * @param rows At least one.
 */
export function chooseColumn(
  rows: readonly CellRow[],
  { free }: { free: boolean },
): ReadColumn | null {
  const columns = columnsOf(rows.slice(0, SAMPLE_ROWS));
  const first = rows[0]!.cells;
  const headed = first.some(isHeading);
  if (!headed && (free || rows.length === 1)) {
    if (columns.length === 1 || columns.every(isOfNumbers)) return null;
  }
  let place = -1;
  columns.forEach(({ numbers }, i) => {
    if (headed && !isHeading(first[i] ?? "")) return;
    if (place < 0 || numbers > columns[place]!.numbers) place = i;
  });
  // A first row without any number among rows with numbers is a heading too.
  const heading = headed || (columns[place]!.numbers > 0 && !first.some(isNumber));
  return {
    place: place + 1,
    of: columns.length,
    heading: heading ? cut(first[place] ?? "") : null,
  };
}

/** How many cells of a column are filled, and how many of them hold numbers. */
interface Column {
  filled: number;
  numbers: number;
}

function columnsOf(rows: readonly CellRow[]): Column[] {
  const columns: Column[] = [];
  for (const { cells } of rows) {
    cells.forEach((cell, i) => {
      const column = columns[i] ??= { filled: 0, numbers: 0 };
      if (/\S/.test(cell)) column.filled++;
      if (isNumber(cell) || isSeveral(cell)) column.numbers++;
    });
  }
  return columns;
}

function isOfNumbers({ filled, numbers }: Column): boolean {
  return 2 * numbers >= filled;
}
