/**
 * The first pass over an input file: rows are split, checked and spilled by USDOT range.
 *
 * @module
 */

import { matchHeader } from "../../fmcsa/columns.ts";
import { CsvScanner } from "../../fmcsa/csv.ts";
import { type CsvRow, fieldBytes } from "../../fmcsa/csv_row.ts";
import { parseWholeNumber } from "../../fmcsa/fields.ts";
import { openInput } from "../../fmcsa/input.ts";
import { addProblem, type ProblemTallies, type Reason } from "../../fmcsa/problems.ts";
import { messageOf } from "../../text.ts";

/** A file to read. */
export interface FirstPassTask {
  path: string;
  /** The folder to spill into. */
  dir: string;
  /** The last plausible day, `YYYYMMDD` as a number. */
  latest: number;
  /** Whether to hash the file. */
  hash: boolean;
  progress: (bytes: number) => void;
}

/** The result of a first pass. Plain data: a worker posts it. */
export interface FirstPass {
  bytes: number;
  /** Absent when the task did not ask for it. */
  sha256?: string;
  /** Rows below the header, good or not. */
  rows: number;
  /** Rows spilled for the second pass. */
  kept: number;
  problems: ProblemTallies;
  extraColumns: string[];
  /** Whether the known columns are in an unusual order. */
  reordered: boolean;
  /** False when the last line has no line end. */
  whole: boolean;
  /** The newest plausible day seen, `YYYYMMDD` as a number; 0 when there is none. */
  newest: number;
}

/** Counts a problem of the current row. */
export type RowProblem = (reason: Reason, detail: string) => void;

/**
 * Splits a file into rows.
 *
 * @param options.row Returns whether the row was kept. If it was not, `row` has counted a problem.
 * @throws {TypeError} When the file does not have the expected header.
 */
export async function readRows(
  { path, hash, progress }: FirstPassTask,
  options: {
    known: readonly string[];
    wanted: readonly string[];
    row: (row: CsvRow, problem: RowProblem) => boolean;
  },
): Promise<FirstPass> {
  const problems: ProblemTallies = {};
  let header: { extra: string[]; reordered: boolean } | undefined;
  let rows = 0;
  let kept = 0;
  let line = 0;
  const problem: RowProblem = (reason, detail) => addProblem(problems, reason, { line, detail });
  const scanner = new CsvScanner({
    header(names): readonly number[] {
      const match = matchHeader(names, { ...options, file: path });
      header = match;
      return match.places;
    },
    row(row): void {
      rows++;
      line = row.line;
      try {
        if (options.row(row, problem)) kept++;
      } catch (error) {
        throw new Error(`Cannot use ${path}:${line}: ${messageOf(error)}`, { cause: error });
      }
    },
    problem(reason, at): void {
      rows++;
      addProblem(problems, reason, at);
    },
  });
  const input = openInput(path, { hash });
  for await (const chunk of input.chunks) {
    scanner.push(chunk);
    progress(input.bytesRead);
  }
  const whole = scanner.finish();
  if (header === undefined) throw new TypeError(`Cannot read ${path}: the file is empty`);
  const sha256 = input.sha256();
  return {
    bytes: input.bytesRead,
    ...(sha256 !== undefined && { sha256 }),
    rows,
    kept,
    problems,
    extraColumns: header.extra,
    reordered: header.reordered,
    whole,
    newest: 0,
  };
}

/**
 * The USDOT number of a row; undefined when it cannot be used, which is counted as a problem.
 *
 * @param options.blank The problem to count for a blank or 0: some inspections have no number, but
 * every census row must.
 */
export function rowUsdotNumber(
  row: CsvRow,
  { field, problem, blank }: { field: number; problem: RowProblem; blank: Reason },
): number | undefined {
  const fast = digits(row.bytes, row.starts[field]!, row.ends[field]!);
  if (fast > 0) return fast;
  const text = new TextDecoder().decode(fieldBytes(row, field)).trim();
  const parsed = parseWholeNumber(text);
  const detail = `DOT_NUMBER ${JSON.stringify(text.slice(0, 40))}`;
  if (parsed.kind === "bad") {
    problem("bad_usdot_number", detail);
    return undefined;
  }
  if (parsed.kind === "blank" || parsed.value === 0) {
    problem(blank, detail);
    return undefined;
  }
  if (parsed.float) problem("float_number", detail);
  return parsed.value;
}

/** One to eight digits as a number, -1 for anything else. Nearly every row takes this path. */
export function digits(bytes: Uint8Array, start: number, end: number): number {
  if (start === end || end - start > 8) return -1;
  let value = 0;
  for (let i = start; i < end; i++) {
    const digit = bytes[i]! - 48;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}
