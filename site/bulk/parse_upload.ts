/**
 * Parses an upload into rows, each with the number to look up or the reason why there is none. A number
 * that could be of several kinds is asked about, never guessed.
 *
 * @module
 */

import { ServiceError } from "../../api/operations/errors.ts";
import { JOB_LIMITS } from "../../api/operations/jobs.ts";
import { counted } from "../../pipeline/text.ts";
import {
  type ChosenRoles,
  type Column,
  hasNumbers,
  isHeadingRow,
  type Layout,
  layoutOf,
  numberColumns,
  type Read,
  type Role,
  withRoles,
} from "./columns.ts";
import { type CellRow, rowsOf, separatorOf } from "./delimited.ts";
import { cut, type Identifier, KINDS, PROBLEMS, readCell, readLine } from "./numbers.ts";

/** A number of a row, or a row that cannot be read; a row with several numbers is several of these. */
export interface UploadRow {
  /** From 1, as a spreadsheet counts. */
  row: number;
  /** The number to look up, null for a row that cannot be read. */
  wanted: Identifier | null;
  /** USDOT numbers that list a wanted docket, in order of precedence, once they were looked up. */
  holders?: readonly number[];
  /** Other numbers of the row, which must belong to the same carrier. */
  also?: Identifier[];
  name?: string;
  place?: string;
  /** The text of a row that cannot be read, cut, and the reason. */
  unread?: { text: string; problem: string };
}

export interface ReadColumn {
  /** From 1. */
  place: number;
  heading: string | null;
  role: Role;
}

export interface ParsedUpload {
  /** In the order of the list; 1 to 5,000 of them have a number. */
  rows: UploadRow[];
  /** Columns that were read, none for lines of numbers without a heading. */
  columns: ReadColumn[];
  /** Columns of the list. */
  of: number;
  /** The row with the headings, null for a list without. */
  headingRow: number | null;
  /** Whether numbers without prefix and heading were taken for USDOT numbers. */
  assumed: boolean;
}

/** What must be chosen before a list can be read. */
export interface Question {
  layout: Layout;
  /** Columns with numbers, from 0. */
  numbers: number[];
}

/** Rows parsed at most: more have more numbers than a job takes, or hardly any. */
const MOST_ROWS = 4 * JOB_LIMITS.maxItems;

/** Characters of a line of numbers: as many as a job takes, with their prefixes. */
const LONGEST_LINE = 24 * JOB_LIMITS.maxItems;

/** Rows by which a table is distinguished from lines of numbers. */
const SAMPLE_ROWS = 1_000;

/**
 * Parses the columns of a table, or every number of lines that have numbers only.
 *
 * @param chosen The user's answer to an earlier {@link Question}.
 * @throws {ServiceError} `invalid_body` without numbers, `too_many_items`.
 */
export function parseUpload(text: string, chosen?: ChosenRoles): ParsedUpload | Question {
  const separator = separatorOf(text);
  const cells = rowsOf(text, separator).take(MOST_ROWS + 1).toArray();
  if (cells.length > MOST_ROWS) throw tooMany(MOST_ROWS, "rows");
  if (cells.length === 0) throw new ServiceError("invalid_body", "This list is empty");
  const readLine = lineReader();
  const isTable = looksLikeTable(cells, { separator, readLine });
  const rows = isTable ? cells : cells.map((row) => ({ ...row, cells: [row.line] }));
  const read = isTable ? readTableCell : readLine;
  const layout = layoutOf(rows, read);
  const { heading, above, body } = layout;
  const numbers = numberColumns(layout.columns);
  if (numbers.length === 0) throw noNumber(body.map((row) => rowProblem(row, read)));
  const columns = withRoles(layout.columns, chosen);
  if (columns === null) return { layout, numbers };
  const found = above.map(({ row, line }) => unread(row, line, "above the headings"));
  const reading = { columns, read, separator, width: isTable ? usualWidth(layout) : null };
  let wanted = 0;
  for (const row of body) {
    for (const entry of entriesOf(row, reading)) {
      found.push(entry);
      if (entry.wanted !== null) wanted++;
    }
    if (wanted > JOB_LIMITS.maxItems) throw tooMany(JOB_LIMITS.maxItems, "numbers");
  }
  if (wanted === 0) throw noNumber(found);
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
 * Whether the separator parts cells of a table. In lines of numbers only, the same mark may part
 * numbers or thousands; they are a table when several lines have as many cells.
 */
function looksLikeTable(
  rows: readonly CellRow[],
  { separator, readLine }: { separator: string; readLine: Read },
): boolean {
  const sample = rows.slice(0, SAMPLE_ROWS);
  const wide = sample.filter(({ cells }) => cells.filter((cell) => /\S/.test(cell)).length > 1);
  if (wide.length === 0) return false;
  if (separator === "\t" || wide.some(({ line }) => line.includes('"'))) return true;
  if (wide.some(isHeadingRow)) return true;
  const several = sample.filter(({ cells }) => cells.length > 1);
  const lines = wide.map(({ line }) => readLine(line));
  if (!lines.every((numbers) => numbers.every((one) => "number" in one || isAmbiguous(one)))) {
    return 2 * several.length >= sample.length;
  }
  const [first] = sample;
  return sample.length > 1 && sample.every(({ cells }) => cells.length === first!.cells.length) &&
    lines.some((numbers) => numbers.length > 1 || "problem" in numbers[0]!);
}

function isAmbiguous(one: { problem: string }): boolean {
  return one.problem === PROBLEMS.ambiguous;
}

const readTableCell: Read = (cell) => {
  const read = readCell(cell);
  return read === null ? [] : [read];
};

/** Reads lines, each only once. */
function lineReader(): Read {
  const known = new Map<string, ReturnType<Read>>();
  return (line) => {
    if (line.length > LONGEST_LINE) throw tooMany(JOB_LIMITS.maxItems, "numbers");
    const numbers = known.get(line) ?? readLine(line, JOB_LIMITS.maxItems);
    known.set(line, numbers);
    return numbers;
  };
}

interface Reading {
  columns: readonly Column[];
  read: Read;
  separator: string;
  /** Cells that a row may have; null for lines of numbers. */
  width: number | null;
}

function entriesOf(row: CellRow, { columns, read, separator, width }: Reading): UploadRow[] {
  const { cells, line } = row;
  const places = columns.flatMap(({ role }, i) => hasNumbers(role) ? [[i, role] as const] : []);
  if (width !== null) {
    if (widthOf(cells) > width && places.some(([place]) => place > 0)) {
      return [unread(row.row, line, "more cells than the other rows; quote names with commas")];
    }
    if (separator === "," && places.some(([place]) => mayBeThousands(row, place))) {
      return [unread(row.row, line, PROBLEMS.ambiguous)];
    }
  }
  const numbers: Identifier[] = [];
  let wrong: UploadRow | undefined;
  for (const [place, role] of places) {
    const cell = cells[place] ?? "";
    for (const one of read(cell)) {
      if ("problem" in one) {
        wrong ??= unread(row.row, cell, one.problem);
        continue;
      }
      const kind = one.kind ?? role;
      if (kind === "marked") wrong ??= unread(row.row, cell, PROBLEMS.unmarked);
      else numbers.push({ ...one, kind });
    }
  }
  const [name, city, state] = (["name", "city", "state"] as const)
    .map((own) => cut(cells[columns.findIndex(({ role }) => role === own)] ?? ""));
  const place = [city, state].filter(Boolean).join(", ");
  const called = { ...name && { name }, ...place && { place } };
  if (numbers.length === 0) {
    return [{ ...wrong ?? unread(row.row, line, PROBLEMS.blank), ...called }];
  }
  const kind = KINDS.find((kind) => numbers.some((one) => one.kind === kind));
  const first = width === null ? numbers : numbers.filter((one) => one.kind === kind);
  const also = numbers.filter((one) => !first.includes(one));
  return first.map((wanted) => ({
    row: row.row,
    wanted,
    ...also.length > 0 && { also },
    ...called,
  }));
}

/** Whether a number without quotes and its neighbor could be the thousands of one number. */
function mayBeThousands({ cells, line }: CellRow, place: number): boolean {
  const pair = (left = "", right = ""): boolean =>
    /^\s*\d{1,3}$/.test(left) && /^\d{3}\s*$/.test(right) && line.includes(`${left},${right}`);
  return pair(cells[place], cells[place + 1]) || pair(cells[place - 1], cells[place]);
}

/** Cells of a row up to the last that is not blank. */
function widthOf(cells: readonly string[]): number {
  return cells.findLastIndex((cell) => /\S/.test(cell)) + 1;
}

/** Cells that a row may have: as many as the headings, or as most rows. */
function usualWidth({ heading, body }: Layout): number {
  if (heading !== null) return widthOf(heading.cells);
  const byWidth = Map.groupBy(body.slice(0, SAMPLE_ROWS), ({ cells }) => widthOf(cells));
  return [...byWidth].sort(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? 0;
}

function unread(row: number, text: string, problem: string): UploadRow {
  return { row, wanted: null, unread: { text: cut(text), problem } };
}

function rowProblem({ row, cells, line }: CellRow, read: Read): UploadRow {
  const problems = cells.flatMap(read).flatMap((one) => "problem" in one ? [one.problem] : []);
  const problem = problems.find((it) => it !== PROBLEMS.text) ?? problems[0] ?? PROBLEMS.blank;
  return unread(row, line, problem);
}

/** Says why the first row with a digit is not read, else that there is no number. */
function noNumber(rows: readonly UploadRow[]): ServiceError {
  const none = "We can't find a USDOT, MC, MX or FF number in this list";
  const near = rows.find(({ unread }) => /\d/.test(unread!.text));
  return new ServiceError(
    "invalid_body",
    near === undefined
      ? none
      : `${none}. Row ${near.row}, “${near.unread!.text}”: ${near.unread!.problem}`,
  );
}

function tooMany(most: number, of: "numbers" | "rows"): ServiceError {
  return new ServiceError(
    "too_many_items",
    `We can't check a list of more than ${
      counted(most)
    } ${of} at once: split it into lists of at ` +
      `most ${counted(JOB_LIMITS.maxItems)} numbers`,
  );
}
