/**
 * Parses an upload into rows, each with the number to look up or the reason why there is none. Asks the
 * user about numbers that could be of several kinds, and never guesses.
 *
 * @module
 */

import { ServiceError } from "../../api/operations/errors.ts";
import { JOB_LIMITS } from "../../api/operations/jobs.ts";
import { counted } from "../../pipeline/text.ts";
import {
  type ChosenRoles,
  hasNumbers,
  isHeadingRow,
  type Layout,
  layoutOf,
  numberColumns,
  type Read,
  reheaded,
  type Role,
  unclearColumns,
  withRoles,
} from "./columns.ts";
import { type CellRow, rowsOf, separatorOf } from "./delimited.ts";
import { type Identifier, PROBLEMS, problemWords, readLine } from "./numbers.ts";
import { entriesOf, type RowReading, unreadRow, type UploadRow, usualWidth } from "./rows.ts";
import { readCellWords, readLineWords } from "./words.ts";

export interface ReadColumn {
  /** From 1. */
  place: number;
  heading: string | null;
  role: Role;
}

export interface ParsedUpload {
  /** In the order of the list; 1 to 5,000 of them have a number. */
  rows: UploadRow[];
  /** The columns that were read. Empty for a job created through the API. */
  columns: ReadColumn[];
  /** Number of columns in the list. */
  of: number;
  /** The row with the headings, null for a list without. */
  headingRow: number | null;
  /** Whether numbers without a prefix or a heading were read as USDOT numbers. */
  assumed: boolean;
}

/** A row with one number among other words. */
export interface Maybe {
  text: string;
  number: Identifier;
}

/** What must be answered before a list can be read. */
export interface Question {
  layout: Layout;
  /** Indexes of the columns whose kind of number the user must choose. Empty if the kinds are known. */
  numbers: number[];
  /** Rows whose only number may be the carrier's. A single question covers all of them. */
  maybes: Maybe[];
}

/** Answers to an earlier {@link Question}. */
export interface Answers {
  chosen?: ChosenRoles | undefined;
  words?: boolean | undefined;
}

/** Maximum number of rows to parse. A longer list either has more numbers than a job takes, or hardly any. */
const MOST_ROWS = 4 * JOB_LIMITS.maxItems;

/** Maximum length of a line, in characters: enough for all numbers of a job with their prefixes. */
const LONGEST_LINE = 24 * JOB_LIMITS.maxItems;

/** Commas that may be thousands separators. */
const THOUSANDS = /(?<=\d),(?=\d{3}(?!\d))/g;

/** Number of rows sampled to distinguish a table from lines of numbers. */
const SAMPLE_ROWS = 1_000;

/** Maximum number of columns of numbers in a table. A carrier has one USDOT number and a few dockets. */
const MOST_COLUMNS = 20;

/**
 * Parses the columns of a table, or the numbers of a list without columns. Returns a question if the
 * user must say what some numbers are.
 *
 * @throws {ServiceError} `invalid_body` without numbers, `too_many_items`.
 */
export function parseUpload(
  text: string,
  { chosen, words }: Answers = {},
): ParsedUpload | Question {
  const separator = separatorOf(text);
  const cells = rowsOf(text, separator).take(MOST_ROWS + 1).toArray();
  if (cells.length > MOST_ROWS) throw tooMany(MOST_ROWS, "rows");
  if (cells.length === 0) throw new ServiceError("invalid_body", "This list is empty");
  const isTable = looksLikeTable(cells, { separator, read: lineReader(readLine) });
  const rows = isTable ? cells : cells.map((row) => ({ ...row, cells: [row.line] }));
  const read = isTable ? readCellWords : lineReader(readLineWords);
  const layout = layoutOf(rows, read);
  const { heading, above, body } = layout;
  const numbers = numberColumns(layout.columns);
  if (numbers.length === 0) throw noNumber(body.values().map((row) => rowProblem(row, read)));
  const columns = withRoles(layout.columns, chosen);
  if ((columns ?? []).filter(({ role }) => hasNumbers(role)).length > MOST_COLUMNS) {
    const message = `We can't read more than ${MOST_COLUMNS} columns of numbers: remove the others`;
    throw new ServiceError("invalid_body", message);
  }
  const asked = unclearColumns(layout.columns, numbers);
  if (columns === null && asked.length > 1) return { layout, numbers: asked, maybes: [] };
  const found = above.map(({ row, line }) => unreadRow(row, line, "* is above the headings"));
  const reading: RowReading = {
    // USDOT stands in for a kind that is not known yet. The kind does not change which rows can be read.
    columns: columns ?? layout.columns.map((column, i) => (
      asked.includes(i) ? { ...column, role: "USDOT" } : column
    )),
    read,
    separator,
    width: isTable ? usualWidth(layout) : null,
    headed: heading !== null,
    words,
  };
  let wanted = 0;
  for (const row of body) {
    // A second heading, such as "DOT numbers:" below a section of MC numbers.
    if (isHeadingRow(row)) reading.columns = reheaded(reading.columns, row);
    for (const entry of entriesOf(row, reading)) {
      found.push(entry);
      if (entry.wanted !== null) wanted++;
    }
    if (wanted > JOB_LIMITS.maxItems) throw tooMany(JOB_LIMITS.maxItems, "numbers");
  }
  const maybes = found.flatMap(({ unread }) =>
    unread?.maybe === undefined ? [] : [{ text: unread.text, number: unread.maybe }]
  );
  if (columns === null) return { layout, numbers: asked, maybes };
  if (maybes.length > 0) return { layout, numbers: [], maybes };
  if (wanted === 0) throw noNumber(found.values());
  return {
    rows: found,
    columns: columns.flatMap(({ heading, role }, i) =>
      role === null ? [] : [{ place: i + 1, heading, role }]
    ),
    of: columns.length,
    headingRow: heading?.row ?? null,
    assumed: chosen === undefined && heading === null && columns.length === 1 &&
      columns[0]!.bare > 0,
  };
}

/**
 * Whether the separator splits the text into the cells of a table. In lines of nothing but numbers, it
 * may also separate numbers or thousands. Such lines are a table only if there are several and all have
 * the same number of cells.
 */
function looksLikeTable(
  rows: readonly CellRow[],
  { separator, read }: { separator: string; read: Read },
): boolean {
  const sample = rows.slice(0, SAMPLE_ROWS);
  const wide = sample.filter(({ cells }) => cells.filter((cell) => /\S/.test(cell)).length > 1);
  if (wide.length === 0) return false;
  if (separator === "\t" || wide.some(({ line }) => line.includes('"'))) return true;
  if (wide.some(isHeadingRow)) return true;
  const several = sample.filter(({ cells }) => cells.length > 1);
  const lines = wide.map(({ line }) => read(line));
  if (!lines.every((numbers) => numbers.every((one) => "number" in one || isAmbiguous(one)))) {
    const parted = several.filter(({ line }) => line.replace(THOUSANDS, "").includes(separator));
    const widths = [...Map.groupBy(parted, ({ cells }) => cells.length).values()];
    return 2 * Math.max(0, ...widths.map((rows) => rows.length)) >= sample.length;
  }
  const [first] = sample;
  return sample.length > 1 && sample.every(({ cells }) => cells.length === first!.cells.length) &&
    lines.some((numbers) => numbers.length > 1 || "problem" in numbers[0]!);
}

function isAmbiguous(one: { problem: string }): boolean {
  return one.problem === PROBLEMS.ambiguous;
}

/** Returns a function that reads lines and caches the results. */
function lineReader(readWhole: (line: string, most: number) => ReturnType<Read>): Read {
  const known = new Map<string, ReturnType<Read>>();
  return (line) => {
    if (line.length > LONGEST_LINE) throw tooMany(JOB_LIMITS.maxItems, "numbers");
    const numbers = known.get(line) ?? readWhole(line, JOB_LIMITS.maxItems);
    known.set(line, numbers);
    return numbers;
  };
}

function rowProblem({ row, cells, line }: CellRow, read: Read): UploadRow {
  const problems = cells.flatMap(read).flatMap((one) => "problem" in one ? [one.problem] : []);
  const problem = problems.find((it) => it !== PROBLEMS.text) ?? problems[0] ?? PROBLEMS.blank;
  return unreadRow(row, line, problem);
}

/** Returns an error that says why the first row with a digit cannot be read, or that there is no number. */
function noNumber(rows: IteratorObject<UploadRow>): ServiceError {
  const none = "We can't find a USDOT, MC, MX or FF number in this list";
  const near = rows.find(({ unread }) => /\d/.test(unread!.text));
  return new ServiceError(
    "invalid_body",
    near === undefined ? none : `${none}. Row ${near.row}: ${problemWords(near.unread!)}`,
  );
}

export function tooMany(most: number, of: "numbers" | "rows"): ServiceError {
  return new ServiceError(
    "too_many_items",
    `We can't check a list of more than ${
      counted(most)
    } ${of} at once: split it into lists of at ` +
      `most ${counted(JOB_LIMITS.maxItems)} numbers`,
  );
}
