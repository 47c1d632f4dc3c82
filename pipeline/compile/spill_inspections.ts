/**
 * First pass over the inspections: each row becomes five 32-bit words, set aside by USDOT range.
 *
 * @module
 */

import { INSPECTION_COLUMNS, INSPECTION_WANTED } from "../fmcsa/columns.ts";
import { type CsvRow, fieldBytes } from "../fmcsa/csv_row.ts";
import { addDays, isBelievableDay, parseDay, parseWholeNumber } from "../fmcsa/fields.ts";
import type { Reason } from "../fmcsa/problems.ts";
import {
  digits,
  type FirstPass,
  readRows,
  type RowProblem,
  rowUsdotNumber,
  type SpillOptions,
} from "./first_pass.ts";
import { SpillWriter } from "./spill.ts";

const W = Object.fromEntries(INSPECTION_WANTED.map((name, i) => [name, i])) as Record<
  typeof INSPECTION_WANTED[number],
  number
>;

/** Words of a spilled inspection: USDOT number, inspection id, day, violations, level and flags. */
export const INSPECTION_WORDS = 5;

/** The last word: the level in the low byte, then these flags. */
export const FLAG = { vehicleOos: 1 << 8, driverOos: 1 << 9, hazmatOos: 1 << 10, hazmat: 1 << 11 };

/** Runs the first pass over the inspection file into `dir`. */
export async function spillInspections(
  path: string,
  options: SpillOptions,
): Promise<FirstPass> {
  const spill = new SpillWriter(options.dir);
  const words = new Uint32Array(INSPECTION_WORDS);
  const wordBytes = new Uint8Array(words.buffer);
  const perDay = new Map<number, number>();
  const pass = await readRows(path, {
    known: INSPECTION_COLUMNS,
    wanted: INSPECTION_WANTED,
    hash: options.hash,
    progress: options.progress,
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
      if (day <= options.latest) perDay.set(day, (perDay.get(day) ?? 0) + 1);
      return true;
    },
  });
  spill.close();
  return { ...pass, newest: fileDate(perDay) };
}

/** The newest days are outliers while they hold at most this share of all rows ... */
const OUTLIER_SHARE = 1 / 10_000;
/** ... and lie more than this many days after the next older one. */
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
  { problem, words, dot }: {
    problem: RowProblem;
    words: Uint32Array;
    dot: number;
  },
): boolean {
  const whole = (field: number, reason: Reason): number =>
    wholeNumber(row, { field, reason, problem });
  const id = whole(W.INSPECTION_ID, "bad_inspection_id");
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
  const violations = whole(W.VIOL_TOTAL, "bad_count");
  const vehicleOos = whole(W.VEHICLE_OOS_TOTAL, "bad_count");
  const driverOos = whole(W.DRIVER_OOS_TOTAL, "bad_count");
  const hazmatOos = whole(W.HAZMAT_OOS_TOTAL, "bad_count");
  const hazmatViolations = whole(W.HAZMAT_VIOL_TOTAL, "bad_count");
  if (Math.min(violations, vehicleOos, driverOos, hazmatOos, hazmatViolations) < 0) return false;
  const level = digits(row.bytes, row.starts[W.INSP_LEVEL_ID]!, row.ends[W.INSP_LEVEL_ID]!);
  // The placard column is blank without hazmat; a hazmat violation shows hazmat all the same.
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

/** A day after the file's date falls outside the window by itself: only impossible ones are refused. */
const ANY_DAY = 99_991_231;

function inspectionDay(row: CsvRow): number {
  const { bytes, starts, ends } = row;
  const fast = digits(bytes, starts[W.INSP_DATE]!, ends[W.INSP_DATE]!);
  return isBelievableDay(fast, ANY_DAY) ? fast : parseDay(asText(row, W.INSP_DATE), ANY_DAY);
}

/** A count, 0 where blank, -1 with the problem noted where it is no number. */
function wholeNumber(
  row: CsvRow,
  { field, reason, problem }: {
    field: number;
    reason: Reason;
    problem: RowProblem;
  },
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
