/**
 * Inspections between the two passes: the first packs each row into five 32-bit words, in a file for
 * each USDOT range; the second rolls them up by carrier.
 *
 * @module
 */

import * as aq from "arquero";
import { INSPECTION_COLUMNS, INSPECTION_WANTED } from "../fmcsa/columns.ts";
import { type CsvRow, fieldBytes } from "../fmcsa/csv_row.ts";
import { addDays, isBelievableDay, isoDay, parseDay, parseWholeNumber } from "../fmcsa/fields.ts";
import type { Reason } from "../fmcsa/problems.ts";
import type { InspectionSummary } from "../snapshot/record.ts";
import {
  digits,
  type FirstPass,
  type FirstPassTask,
  readRows,
  type RowProblem,
  rowUsdotNumber,
} from "./first_pass.ts";
import { SpillWriter } from "./staging.ts";

const W = Object.fromEntries(INSPECTION_WANTED.map((name, i) => [name, i])) as Record<
  typeof INSPECTION_WANTED[number],
  number
>;

/** Words of a spilled inspection: USDOT number, inspection id, day, violations, level and flags. */
const INSPECTION_WORDS = 5;

/** The last word: the level in the low byte, then these flags. */
const FLAG = { vehicleOos: 1 << 8, driverOos: 1 << 9, hazmatOos: 1 << 10, hazmat: 1 << 11 };

/** Runs the first pass over the inspection file. */
export async function spillInspections(task: FirstPassTask): Promise<FirstPass> {
  const spill = new SpillWriter(task.dir);
  const words = new Uint32Array(INSPECTION_WORDS);
  const wordBytes = new Uint8Array(words.buffer);
  const perDay = new Map<number, number>();
  const pass = await readRows(task, {
    known: INSPECTION_COLUMNS,
    wanted: INSPECTION_WANTED,
    row(row, problem): boolean {
      const dot = rowUsdotNumber(row, {
        field: W.DOT_NUMBER,
        problem,
        blank: "no_usdot_number",
      });
      if (dot === undefined || !packRow(row, { problem, words, dot })) return false;
      const { bytes, offset } = spill.reserve(dot, wordBytes.length);
      bytes.set(wordBytes, offset);
      const day = words[2]!;
      if (day <= task.latest) perDay.set(day, (perDay.get(day) ?? 0) + 1);
      return true;
    },
  });
  spill.close();
  return { ...pass, newest: fileDate(perDay) };
}

/** The newest days are outliers while they have at most this share of all rows ... */
const OUTLIER_SHARE = 1 / 10_000;
/** ... and are more than this many days after the next older one. */
const OUTLIER_GAP_DAYS = 7;

/**
 * The inspection file's own date: its newest inspection day, without the few days that mistyped dates
 * put far after all others. The 24-month window ends on it.
 *
 * @param perDay Rows by day, `YYYYMMDD` as a number.
 * @returns `YYYYMMDD` as a number, 0 without a row.
 */
export function fileDate(perDay: ReadonlyMap<number, number>): number {
  const days = [...perDay].sort(([a], [b]) => b - a);
  let rows = 0;
  for (const [, count] of days) rows += count;
  let newer = 0;
  for (const [i, [day, count]] of days.entries()) {
    newer += count;
    const older = days[i + 1]?.[0];
    const outlier = older !== undefined && newer <= rows * OUTLIER_SHARE &&
      addDays(older, OUTLIER_GAP_DAYS) < day;
    if (!outlier) return day;
  }
  return 0;
}

function packRow(
  row: CsvRow,
  { problem, words, dot }: { problem: RowProblem; words: Uint32Array; dot: number },
): boolean {
  const count = (field: number): number =>
    wholeNumber(row, { field, reason: "bad_count", problem });
  const id = wholeNumber(row, { field: W.INSPECTION_ID, reason: "bad_inspection_id", problem });
  if (id <= 0) {
    if (id === 0) problem("bad_inspection_id", "INSPECTION_ID is blank or 0");
    return false;
  }
  const day = inspectionDay(row);
  if (day <= 0) {
    const text = asText(row, W.INSP_DATE).slice(0, 40);
    problem("bad_inspection_date", `INSP_DATE ${JSON.stringify(text)}`);
    return false;
  }
  const violations = count(W.VIOL_TOTAL);
  const vehicleOos = count(W.VEHICLE_OOS_TOTAL);
  const driverOos = count(W.DRIVER_OOS_TOTAL);
  const hazmatOos = count(W.HAZMAT_OOS_TOTAL);
  const hazmatViolations = count(W.HAZMAT_VIOL_TOTAL);
  if (Math.min(violations, vehicleOos, driverOos, hazmatOos, hazmatViolations) < 0) return false;
  const level = digits(row.bytes, row.starts[W.INSP_LEVEL_ID]!, row.ends[W.INSP_LEVEL_ID]!);
  // The placard column is blank without hazmat; a hazmat violation still shows hazmat.
  const placard = asText(row, W.HAZMAT_PLACARD_REQ);
  const hazmat = placard !== "" || hazmatViolations > 0 || hazmatOos > 0;
  words[0] = dot;
  words[1] = id;
  words[2] = day;
  words[3] = violations;
  words[4] = (level > 0 && level < 256 ? level : 0) |
    (vehicleOos > 0 ? FLAG.vehicleOos : 0) | (driverOos > 0 ? FLAG.driverOos : 0) |
    (hazmatOos > 0 ? FLAG.hazmatOos : 0) | (hazmat ? FLAG.hazmat : 0);
  return true;
}

/** A day after the file's date falls outside the window anyway: only impossible ones are refused. */
const ANY_DAY = 99_991_231;

function inspectionDay(row: CsvRow): number {
  const { bytes, starts, ends } = row;
  const fast = digits(bytes, starts[W.INSP_DATE]!, ends[W.INSP_DATE]!);
  return isBelievableDay(fast, ANY_DAY) ? fast : parseDay(asText(row, W.INSP_DATE), ANY_DAY);
}

/** A count, 0 where blank, -1 with the problem counted where it is not a number. */
function wholeNumber(
  row: CsvRow,
  { field, reason, problem }: { field: number; reason: Reason; problem: RowProblem },
): number {
  const start = row.starts[field]!;
  const end = row.ends[field]!;
  const fast = digits(row.bytes, start, end);
  if (fast >= 0) return fast;
  const text = asText(row, field);
  const parsed = parseWholeNumber(text);
  if (parsed.kind === "number") {
    if (parsed.float) {
      problem("float_number", `${INSPECTION_WANTED[field]} ${JSON.stringify(text)}`);
    }
    return parsed.value;
  }
  if (parsed.kind === "blank") {
    if (reason === "bad_count") problem("blank_count", INSPECTION_WANTED[field]!);
    return 0;
  }
  problem(reason, `${INSPECTION_WANTED[field]} ${JSON.stringify(text.slice(0, 40))}`);
  return -1;
}

function asText(row: CsvRow, field: number): string {
  const { bytes, starts, ends } = row;
  if (ends[field]! - starts[field]! > 40) {
    return new TextDecoder().decode(fieldBytes(row, field)).trim();
  }
  let text = "";
  for (let i = starts[field]!; i < ends[field]!; i++) text += String.fromCharCode(bytes[i]!);
  return text.trim();
}

/** The days counted, `YYYYMMDD` as numbers, both included. */
export interface InspectionWindow {
  from: number;
  to: number;
}

// Levels that count for each kind, from FMCSA's roadside inspection report; hazmat where it is present.
const DRIVER_LEVEL = levelTable([1, 2, 3, 6]);
const VEHICLE_LEVEL = levelTable([1, 2, 5, 6]);
const HAZMAT_LEVEL = levelTable([1, 2, 3, 4, 5, 6]);

/** A partition's inspections, rolled up. */
interface RollUp {
  byDot: Map<number, InspectionSummary>;
  /** Rows in the window, carriers of the census or not. */
  inWindow: number;
  /** The newest day in the window, 0 without a row. */
  newest: number;
  /** Rows that repeat an inspection of the same carrier. */
  duplicates: number[];
  months: Map<string, number>;
  levels: Map<string, number>;
}

/** Rolls up the spilled words of one partition. The result does not depend on the order of the rows. */
export function rollUpInspections(words: Uint32Array, window: InspectionWindow): RollUp {
  const { rows, duplicates } = windowRows(words, window);
  const n = rows.length;
  const column = (read: (at: number) => number): Float64Array => {
    const values = new Float64Array(n);
    for (let i = 0; i < n; i++) values[i] = read(rows[i]!);
    return values;
  };
  const bit = (at: number, mask: number): number => (words[at + 4]! & mask) === 0 ? 0 : 1;
  const level = (at: number): number => words[at + 4]! & 0xff;
  const table = aq.table({
    dot: column((at) => words[at]!),
    day: column((at) => words[at + 2]!),
    violations: column((at) => words[at + 3]!),
    vehicle: column((at) => VEHICLE_LEVEL[level(at)]!),
    vehicleOos: column((at) => VEHICLE_LEVEL[level(at)]! & bit(at, FLAG.vehicleOos)),
    driver: column((at) => DRIVER_LEVEL[level(at)]!),
    driverOos: column((at) => DRIVER_LEVEL[level(at)]! & bit(at, FLAG.driverOos)),
    hazmat: column((at) => HAZMAT_LEVEL[level(at)]! & bit(at, FLAG.hazmat)),
    hazmatOos: column((at) =>
      HAZMAT_LEVEL[level(at)]! & bit(at, FLAG.hazmat) & bit(at, FLAG.hazmatOos)
    ),
    month: column((at) => Math.floor(words[at + 2]! / 100)),
    level: column(level),
  });
  const { op } = aq;
  const carriers = table.groupby("dot").rollup({
    total: op.count(),
    last: op.max("day"),
    violations: op.sum("violations"),
    vehicle: op.sum("vehicle"),
    vehicleOos: op.sum("vehicleOos"),
    driver: op.sum("driver"),
    driverOos: op.sum("driverOos"),
    hazmat: op.sum("hazmat"),
    hazmatOos: op.sum("hazmatOos"),
  }).objects() as Record<string, number>[];
  const byDot = new Map<number, InspectionSummary>();
  for (const row of carriers) {
    byDot.set(row.dot!, {
      total: row.total!,
      last: isoDay(row.last!),
      violations: row.violations!,
      vehicle: { inspections: row.vehicle!, out_of_service: row.vehicleOos! },
      driver: { inspections: row.driver!, out_of_service: row.driverOos! },
      hazmat: { inspections: row.hazmat!, out_of_service: row.hazmatOos! },
    });
  }
  return {
    byDot,
    inWindow: n,
    newest: rows.reduce((newest, at) => Math.max(newest, words[at + 2]!), 0),
    duplicates,
    months: counts(table, "month", (month) => isoDay(month * 100 + 1).slice(0, 7)),
    levels: counts(table, "level", String),
  };
}

/** Offsets of the rows to count: in the window, each inspection of a carrier once. */
function windowRows(
  words: Uint32Array,
  window: InspectionWindow,
): { rows: Uint32Array; duplicates: number[] } {
  const rows = new Uint32Array(words.length / INSPECTION_WORDS);
  const seen = new Map<number, number>();
  const duplicates: number[] = [];
  let n = 0;
  for (let at = 0; at < words.length; at += INSPECTION_WORDS) {
    // Ids have at most 8 digits, and a partition at most 100,000 USDOT numbers: the key is exact.
    const key = words[at + 1]! * 100_000 + words[at]! % 100_000;
    const twin = seen.get(key);
    if (twin !== undefined) {
      duplicates.push(words[at + 1]!);
      if (isGreater(words, at, rows[twin]!)) rows[twin] = at;
      continue;
    }
    seen.set(key, n);
    rows[n++] = at;
  }
  let kept = 0;
  for (let i = 0; i < n; i++) {
    const day = words[rows[i]! + 2]!;
    if (day >= window.from && day <= window.to) rows[kept++] = rows[i]!;
  }
  return { rows: rows.subarray(0, kept), duplicates };
}

/** Orders two rows of one inspection by content, so that either row order keeps the same. */
function isGreater(words: Uint32Array, a: number, b: number): boolean {
  for (let i = 2; i < INSPECTION_WORDS; i++) {
    if (words[a + i]! !== words[b + i]!) return words[a + i]! > words[b + i]!;
  }
  return false;
}

function counts(
  table: aq.ColumnTable,
  column: string,
  label: (value: number) => string,
): Map<string, number> {
  const rows = table.groupby(column).count().objects() as Record<string, number>[];
  return new Map(rows.map((row) => [label(row[column]!), row.count!]));
}

function levelTable(levels: number[]): Uint8Array {
  const table = new Uint8Array(256);
  for (const level of levels) table[level] = 1;
  return table;
}
