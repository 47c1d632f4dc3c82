/**
 * What the first pass over either file has in common: chunks to rows, header check, problems counted.
 *
 * @module
 */

import { messageOf } from "../text.ts";
import { matchHeader } from "../fmcsa/columns.ts";
import { CsvScanner } from "../fmcsa/csv.ts";
import { type CsvRow, fieldBytes } from "../fmcsa/csv_row.ts";
import { parseWholeNumber } from "../fmcsa/fields.ts";
import { openInput } from "../fmcsa/input.ts";
import { addProblem, type ProblemTallies, type Reason } from "../fmcsa/problems.ts";

/** What a first pass found. Plain data: a worker posts it. */
export interface FirstPass {
  bytes: number;
  /** Absent when it was known before. */
  sha256?: string;
  /** Rows below the header, good or not. */
  rows: number;
  /** Rows set aside for the second pass. */
  kept: number;
  problems: ProblemTallies;
  extraColumns: string[];
  /** Whether the known columns stand in another order than usual. */
  reordered: boolean;
  /** False when the last line has no line end. */
  whole: boolean;
  /** The newest believable day seen, `YYYYMMDD` as a number; 0 when there is none. */
  newest: number;
}

/** What the first pass over either file is told. */
export interface SpillOptions {
  /** The folder to spill into. */
  dir: string;
  /** The last believable day, `YYYYMMDD` as a number. */
  latest: number;
  /** Whether to hash the file. */
  hash: boolean;
  progress: (bytes: number) => void;
}

/** Notes a problem of the row at hand. */
export type RowProblem = (reason: Reason, detail: string) => void;

/**
 * Splits a file into rows.
 *
 * @param options.row Returns whether it kept the row; one it does not keep it notes as a problem.
 * @throws {TypeError} When the header is not that of the file.
 */
export async function readRows(
  path: string,
  options: {
    known: readonly string[];
    wanted: readonly string[];
    hash: boolean;
    progress: (bytes: number) => void;
    row: (row: CsvRow, problem: RowProblem) => boolean;
  },
): Promise<FirstPass> {
  const problems: ProblemTallies = {};
  let hasHeader = false;
  let extraColumns: string[] = [];
  let reordered = false;
  let rows = 0;
  let kept = 0;
  let line = 0;
  const problem: RowProblem = (reason, detail) => addProblem(problems, reason, { line, detail });
  const scanner = new CsvScanner({
    header(names): readonly number[] {
      const match = matchHeader(names, { ...options, file: path });
      hasHeader = true;
      extraColumns = match.extra;
      reordered = match.reordered;
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
  const input = openInput(path, options);
  for await (const chunk of input.chunks) {
    scanner.push(chunk);
    options.progress(input.bytesRead);
  }
  const whole = scanner.finish();
  if (!hasHeader) throw new TypeError(`Cannot read ${path}: the file is empty`);
  const sha256 = input.sha256();
  return {
    bytes: input.bytesRead,
    ...(sha256 === undefined ? {} : { sha256 }),
    rows,
    kept,
    problems,
    extraColumns,
    reordered,
    whole,
    newest: 0,
  };
}

/**
 * The USDOT number of a row, or undefined with the problem noted.
 *
 * @param options.blank What a blank or 0 is: inspections have such rows, the census must not.
 */
export function rowUsdotNumber(
  row: CsvRow,
  { field, problem, blank }: { field: number; problem: RowProblem; blank: Reason },
): number | undefined {
  const start = row.starts[field]!;
  const end = row.ends[field]!;
  const fast = digits(row.bytes, start, end);
  if (fast > 0) return fast;
  const text = new TextDecoder().decode(fieldBytes(row, field)).trim();
  const parsed = parseWholeNumber(text);
  if (parsed.kind === "bad") {
    problem("bad_usdot_number", `DOT_NUMBER ${JSON.stringify(text.slice(0, 40))}`);
    return undefined;
  }
  if (parsed.kind === "blank" || parsed.value === 0) {
    problem(blank, `DOT_NUMBER ${JSON.stringify(text.slice(0, 40))}`);
    return undefined;
  }
  if (parsed.float) problem("float_number", `DOT_NUMBER ${JSON.stringify(text)}`);
  return parsed.value;
}

/** One to eight digits as a number, -1 for anything else. The path nearly every row takes. */
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
