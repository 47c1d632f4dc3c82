/**
 * Parses delimited text into rows of cells, lenient where people's files are malformed.
 *
 * csv-parse takes seconds for 4 MB of short rows, too slow for a public form; this takes 0.1 s.
 *
 * @module
 */

import { ServiceError } from "../../api/operations/errors.ts";

/** One row that is not blank. */
export interface CellRow {
  /** From 1; blank rows count, a row may span several lines. */
  row: number;
  cells: string[];
  /** The row's text, unparsed. */
  line: string;
}

/** Separators in the order of preference where several are as frequent. */
const SEPARATORS = ["\t", ";", ",", "|"] as const;

/** Cells that are looked at: as many as 5,000 rows of FMCSA's census file have. */
const MOST_CELLS = 800_000;

/** Rows looked at to find the separator. */
const SAMPLE_LINES = 50;

/** Characters in which a quoted cell must have ended, or its quote is taken for a letter. */
const LONGEST_QUOTED = 10_000;

/** The separator that most of the first lines have; a comma where there is none. */
export function separatorOf(text: string): string {
  const lines = text.split("\n", SAMPLE_LINES);
  const counts = SEPARATORS.map((mark) => lines.filter((line) => line.includes(mark)).length);
  const most = Math.max(...counts);
  return most === 0 ? "," : SEPARATORS[counts.indexOf(most)]!;
}

/**
 * The rows that are not blank, of a text with LF line ends. Cells are unquoted but not trimmed.
 *
 * @throws {ServiceError} `invalid_body` when there are too many cells.
 */
export function* rowsOf(text: string, separator: string): Generator<CellRow> {
  let at = 0;
  let nextSeparator = -1;
  let nextLine = -1;
  let read = 0;

  /** The end of what is not quoted: the next separator or line. Each is looked for once only. */
  function endFrom(from: number): number {
    if (nextSeparator < from) nextSeparator = place(separator, from);
    if (nextLine < from) nextLine = place("\n", from);
    return Math.min(nextSeparator, nextLine);
  }

  function place(mark: string, from: number): number {
    const found = text.indexOf(mark, from);
    return found < 0 ? text.length : found;
  }

  for (let row = 1; at < text.length; row++) {
    if (text[at] === "\n") {
      at++;
      continue;
    }
    const cells: string[] = [];
    const from = at;
    for (;;) {
      const quoted = text[at] === '"' ? closingQuote(text, at + 1) : -1;
      const end = endFrom(quoted < 0 ? at : quoted + 1);
      cells.push(
        quoted < 0
          ? text.slice(at, end)
          : text.slice(at + 1, quoted).replaceAll('""', '"') + text.slice(quoted + 1, end),
      );
      if (++read > MOST_CELLS) {
        throw new ServiceError(
          "invalid_body",
          "We can't read so big a table: keep only the columns with numbers and names",
        );
      }
      at = end + 1;
      if (end === nextLine) break;
    }
    if (cells.some((cell) => /\S/.test(cell))) {
      yield { row, cells, line: text.slice(from, nextLine) };
    }
  }
}

/** Index of the closing quote, -1 when there is none near. */
function closingQuote(text: string, from: number): number {
  for (let at = from; at < from + LONGEST_QUOTED;) {
    const quote = text.indexOf('"', at);
    if (quote < 0 || quote > from + LONGEST_QUOTED) return -1;
    if (text[quote + 1] !== '"') return quote;
    at = quote + 2;
  }
  return -1;
}
