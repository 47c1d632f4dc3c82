/**
 * Inspections between the two passes: the first packs each row into 32-bit words, in a file for each
 * USDOT range, for `inspection_rollup.ts`.
 *
 * @module
 */

import { INSPECTION_COLUMNS, INSPECTION_WANTED, placesOf } from "../../fmcsa/columns.ts";
import { type CsvRow, fieldBytes } from "../../fmcsa/csv_row.ts";
import { addDays } from "../../dates.ts";
import { isBelievableDay, parseDay, parseWholeNumber } from "../../fmcsa/fields.ts";
import type { Reason } from "../../fmcsa/problems.ts";
import {
  digits,
  type FirstPass,
  type FirstPassTask,
  readRows,
  type RowProblem,
  rowUsdotNumber,
} from "./first_pass.ts";
import { SpillWriter } from "./staging.ts";

const W = placesOf(INSPECTION_WANTED);

/**
 * Positions of the 32-bit words of a spilled inspection. `codes` has the level in its low byte, {@link FLAG}
 * in the next byte and the two letters of the state in its high half. `vehicle`, `driver` and `hazmat` have
 * the violations in their low half and the out-of-service violations in their high half. `name` is the number
 * of bytes in the carrier's name as typed, which follows.
 */
export const WORD = {
  dot: 0,
  id: 1,
  day: 2,
  violations: 3,
  codes: 4,
  vehicle: 5,
  driver: 6,
  hazmat: 7,
  name: 8,
} as const;

/** Words before the name. */
export const HEAD_WORDS = 9;

/** Bits of the second byte of {@link WORD.codes}. */
export const FLAG = { hazmat: 1, postCrash: 2, placarded: 4, interstate: 8 } as const;

/** Longer names are truncated; most of them exceed their field anyway. */
export const NAME_BYTES = 60;

/** Words of the inspection at an offset. */
export function wordsOf(words: Uint32Array, at: number): number {
  return HEAD_WORDS + ((words[at + WORD.name]! + 3) >> 2);
}

/** Runs the first pass over the inspection file. */
export async function spillInspections(task: FirstPassTask): Promise<FirstPass> {
  const spill = new SpillWriter(task.dir);
  const words = new Uint32Array(HEAD_WORDS);
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
      const name = nameBytes(row);
      words[WORD.name] = name.length;
      const { bytes, offset } = spill.reserve(dot, 4 * wordsOf(words, 0));
      bytes.set(wordBytes, offset);
      bytes.set(name, offset + wordBytes.length);
      // Earlier contents of the buffer must not make equal rows differ.
      bytes.fill(0, offset + wordBytes.length + name.length, offset + 4 * wordsOf(words, 0));
      const day = words[WORD.day]!;
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
  words[WORD.dot] = dot;
  words[WORD.id] = id;
  words[WORD.day] = day;
  const violations = count(W.VIOL_TOTAL);
  if (violations < 0) return false;
  words[WORD.violations] = violations;
  for (const { word, violations, outOfService } of KIND_WORDS) {
    const [all, oos] = [count(violations), count(outOfService)];
    if (all < 0 || oos < 0) return false;
    words[word] = (Math.min(all, MOST) | Math.min(oos, MOST) << 16) >>> 0;
  }
  const level = digits(row.bytes, row.starts[W.INSP_LEVEL_ID]!, row.ends[W.INSP_LEVEL_ID]!);
  // The placard column is blank without hazmat; a hazmat violation still shows hazmat.
  const hazmat = words[WORD.hazmat] !== 0 || asText(row, W.HAZMAT_PLACARD_REQ) !== "";
  const flags = (hazmat ? FLAG.hazmat : 0) |
    (isYes(row, W.POST_ACC_IND) ? FLAG.postCrash : 0) |
    (isYes(row, W.HAZMAT_PLACARD_REQ) ? FLAG.placarded : 0) |
    (isYes(row, W.INSP_INTERSTATE) ? FLAG.interstate : 0);
  words[WORD.codes] = (level > 0 && level < 256 ? level : 0) | flags << 8 |
    stateLetters(row, problem) << 16;
  return true;
}

/** Larger counts of violations are stored as this number. */
const MOST = 0xffff;

const KIND_WORDS = [
  { word: WORD.vehicle, violations: W.VEHICLE_VIOL_TOTAL, outOfService: W.VEHICLE_OOS_TOTAL },
  { word: WORD.driver, violations: W.DRIVER_VIOL_TOTAL, outOfService: W.DRIVER_OOS_TOTAL },
  { word: WORD.hazmat, violations: W.HAZMAT_VIOL_TOTAL, outOfService: W.HAZMAT_OOS_TOTAL },
];

function isYes({ bytes, starts, ends }: CsvRow, field: number): boolean {
  return ends[field]! - starts[field]! === 1 && bytes[starts[field]!] === 89;
}

/**
 * Two capital letters as 16 bits; 0 for a blank field, and for any other text, which is counted as a problem.
 */
function stateLetters(row: CsvRow, problem: RowProblem): number {
  const start = row.starts[W.REPORT_STATE]!;
  const length = row.ends[W.REPORT_STATE]! - start;
  if (length === 0) return 0;
  const [a, b] = [row.bytes[start]!, row.bytes[start + 1]!];
  if (length === 2 && a >= 65 && a <= 90 && b >= 65 && b <= 90) return a | b << 8;
  problem(
    "unknown_code",
    `REPORT_STATE ${JSON.stringify(asText(row, W.REPORT_STATE).slice(0, 40))}`,
  );
  return 0;
}

function nameBytes(row: CsvRow): Uint8Array {
  return fieldBytes(row, W.INSP_CARRIER_NAME).subarray(0, NAME_BYTES);
}

/** A day after the file's date is outside the window anyway, so only impossible dates are refused. */
const ANY_DAY = 99_991_231;

function inspectionDay(row: CsvRow): number {
  const { bytes, starts, ends } = row;
  const fast = digits(bytes, starts[W.INSP_DATE]!, ends[W.INSP_DATE]!);
  return isBelievableDay(fast, ANY_DAY) ? fast : parseDay(asText(row, W.INSP_DATE), ANY_DAY);
}

/** A count; 0 for a blank field, -1 for text that is not a number, which is counted as a problem. */
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
