/**
 * Parses delimited text into rows of cells, and tolerates malformed files.
 *
 * csv-parse takes seconds for 4 MB of short rows, too slow for a public form; this takes 0.2 s.
 *
 * @module
 */

import { ServiceError } from "../../api/operations/errors.ts";

/** One row that is not blank. */
export interface CellRow {
  /** The row's number, from 1. Blank rows count, and a row may span several lines. */
  row: number;
  cells: string[];
  /** The row's text, unparsed. */
  line: string;
}

/** Separators. If several are equally frequent, the first of them is used. */
const SEPARATORS = ["\t", ";", ",", "|"] as const;

/** Maximum number of cells to read: as many as 5,000 rows of FMCSA's census file have. */
const MOST_CELLS = 800_000;

const SAMPLE_LINES = 50;

/**
 * Maximum length of a quoted cell, in characters. Without a closing quote by then, the opening quote is
 * literal text.
 */
const LONGEST_QUOTED = 10_000;

/** Returns the separator that occurs in most of the first lines; a comma if none occurs. */
export function separatorOf(text: string): string {
  const lines = text.split("\n", SAMPLE_LINES);
  const counts = SEPARATORS.map((mark) => lines.filter((line) => line.includes(mark)).length);
  const most = Math.max(...counts);
  return most === 0 ? "," : SEPARATORS[counts.indexOf(most)]!;
}

/**
 * Yields the rows that are not blank. The text has LF line endings. Cells are unquoted but not trimmed.
 *
 * @throws {ServiceError} `invalid_body` when there are too many cells.
 */
export function* rowsOf(text: string, separator: string): Generator<CellRow> {
  const ends = `${separator}\n`;
  const quoted = `(?:"((?:[^"]|""){0,${LONGEST_QUOTED}})"(?!"))?`;
  let count = 0;
  let row = 1;
  let from = 0;
  let cells: string[] = [];
  for (const found of text.matchAll(new RegExp(`${quoted}([^${ends}]*)([${ends}]?)`, "gy"))) {
    const [whole, inside, rest, end] = found as [string, string?, string?, string?];
    cells.push(inside === undefined ? rest! : inside.replaceAll('""', '"') + rest);
    if (++count > MOST_CELLS) {
      throw new ServiceError(
        "invalid_body",
        "We can't read so big a table: keep only the columns with numbers and names",
      );
    }
    if (end === separator) continue;
    const next = found.index! + whole.length;
    if (cells.some((cell) => /\S/.test(cell))) {
      yield { row, cells, line: text.slice(from, next - end!.length) };
    }
    row++;
    from = next;
    cells = [];
  }
}
