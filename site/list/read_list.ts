/**
 * From the text of a list to the USDOT numbers in it, with nothing lost silently: what was read, from
 * which column, and which rows hold no number.
 *
 * @module
 */

import { readDots } from "../../api/operations/dots.ts";
import { ServiceError } from "../../api/operations/errors.ts";
import { JOB_LIMITS } from "../../api/operations/jobs.ts";
import { type CellRow, rowsOf, separatorOf } from "./cells.ts";
import { chooseColumn, type ReadColumn } from "./column.ts";
import { bareNumber, cut, isNumber, isSeveral } from "./number_cell.ts";

/** A row without a number in it. */
export interface WrongRow {
  /** From 1, as a spreadsheet counts. */
  row: number;
  /** What stands there, cut. */
  text: string;
}

/** A list that was read. */
export interface ReadList {
  /** 1 to 5,000 numbers in the order of the list. */
  dots: number[];
  /** For each number its row. */
  rows: number[];
  /** Null where every cell was read. */
  column: ReadColumn | null;
  wrong: WrongRow[];
}

/** How a list came. */
export interface ListOptions {
  /** Typed or pasted: several numbers in a line are a list then, not a table. */
  pasted: boolean;
}

/** Rows that are looked at. More hold more numbers than a job takes, or hardly any. */
const MOST_ROWS = 4 * JOB_LIMITS.maxItems;

/** Rows without a number that a list may have: what is noted of them must fit one value of the store. */
const MOST_WRONG = 300;

/** Numbers and what may stand between them in a list, but no tabs: those are of a table. */
const NUMBERS_ONLY = /^[\d ,;|\n]+$/;

interface Cell {
  row: number;
  cell: string;
}

/**
 * Reads a list: every number of a plain list, one column of a table.
 *
 * @throws {ServiceError} `invalid_body` without numbers or with too many rows that are none;
 *   `too_many_items`.
 */
export function readList(text: string, { pasted }: ListOptions): ReadList {
  if (pasted && NUMBERS_ONLY.test(text)) {
    return collect(allCells(tableOf(text.replace(/[;|]/g, ","), ",")), null);
  }
  const separator = separatorOf(text);
  const rows = tableOf(text, separator);
  const column = chooseColumn(rows, { free: pasted && separator !== "\t" });
  if (column === null) return collect(allCells(rows), null);
  const body = rows.slice(column.heading === null ? 0 : 1);
  return collect(columnCells(body, column.place - 1), column);
}

function tableOf(text: string, separator: string): CellRow[] {
  const rows: CellRow[] = [];
  for (const row of rowsOf(text, separator)) {
    if (rows.length === MOST_ROWS) throw tooMany(`more than ${MOST_ROWS} rows`);
    rows.push(row);
  }
  if (rows.length === 0) {
    throw new ServiceError("invalid_body", "Cannot read the list: it is empty");
  }
  return rows;
}

function* allCells(rows: readonly CellRow[]): Generator<Cell> {
  for (const { row, cells } of rows) {
    for (const text of cells) {
      for (const cell of isSeveral(text) ? text.trim().split(/\s+/) : [text]) {
        if (/\S/.test(cell)) yield { row, cell };
      }
    }
  }
}

function* columnCells(rows: readonly CellRow[], place: number): Generator<Cell> {
  for (const { row, cells } of rows) yield { row, cell: cells[place] ?? "" };
}

function collect(cells: Iterable<Cell>, column: ReadColumn | null): ReadList {
  const { maxItems } = JOB_LIMITS;
  const texts: string[] = [];
  const rows: number[] = [];
  const wrong: WrongRow[] = [];
  for (const { row, cell } of cells) {
    if (isNumber(cell)) {
      if (texts.length === maxItems) throw tooMany(`more than ${maxItems} numbers`);
      texts.push(bareNumber(cell));
      rows.push(row);
    } else {
      wrong.push({ row, text: cut(cell) });
    }
  }
  if (texts.length === 0) {
    throw new ServiceError("invalid_body", "Cannot find a USDOT number in this list");
  }
  if (wrong.length > MOST_WRONG) {
    throw new ServiceError(
      "invalid_body",
      `Cannot read this list: ${wrong.length} of its rows hold no USDOT number` +
        (column === null ? "" : ` in column ${column.place}; head the right column USDOT`),
    );
  }
  return { dots: readDots({ dots: texts }, maxItems), rows, column, wrong };
}

function tooMany(what: string): ServiceError {
  const most = JOB_LIMITS.maxItems;
  return new ServiceError(
    "too_many_items",
    `Cannot check a list of ${what} at once: split it into lists of at most ${most} and check ` +
      "one after the other",
  );
}
