/**
 * Parses single fields of FMCSA's files: text, numbers and days.
 *
 * @module
 */

import type { Clock } from "../clock.ts";
import { addDays, civilOfCompact, compactDay, isCivilDay, utcDate } from "../dates.ts";

// Everything that Unicode calls a control, a line end or a byte order mark.
// deno-lint-ignore no-control-regex
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]/;
// deno-lint-ignore no-control-regex
const ALL_CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]+/g;
// Anything except printable ASCII with single spaces inside.
const UNFOLDED = /[^!-~ ]|^ | $| {2}/;

const STRICT_UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const WINDOWS_1252 = new TextDecoder("windows-1252");

/** A field's text, and what was repaired in it. */
interface FieldText {
  text: string;
  repair: "invalid_utf8" | "control_character" | undefined;
}

/**
 * Decodes a field with bytes over 0x7f. What is not UTF-8 is read as Windows-1252, the encoding of
 * FMCSA's older files, in which every byte string is valid.
 */
export function decodeField(bytes: Uint8Array): FieldText {
  try {
    return { text: STRICT_UTF8.decode(bytes), repair: undefined };
  } catch {
    return { text: WINDOWS_1252.decode(bytes), repair: "invalid_utf8" };
  }
}

/** Replaces white space and control characters with single spaces, and trims the text. */
export function foldText(text: string): FieldText {
  if (!UNFOLDED.test(text)) return { text, repair: undefined };
  const repair = CONTROLS.test(text) ? "control_character" : undefined;
  const spaced = repair ? text.replaceAll(ALL_CONTROLS, " ") : text;
  return { text: spaced.replaceAll(/\s+/g, " ").trim(), repair };
}

/**
 * A whole number, or why there is none. `float` marks `146894.0`, which is damage from a file saved again by
 * a spreadsheet.
 */
type NumberField =
  | { kind: "number"; value: number; float: boolean }
  | { kind: "blank" }
  | { kind: "bad" };

/** Reads up to `maxDigits` digits, leading zeros allowed, with an optional `.0`. */
export function parseWholeNumber(text: string, maxDigits = 8): NumberField {
  const end = text.length;
  if (end === 0) return { kind: "blank" };
  let value = 0;
  let i = 0;
  let digits = 0;
  for (; i < end; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) break;
    if (value > 0 || digit > 0) digits++;
    value = value * 10 + digit;
    if (digits > maxDigits) return { kind: "bad" };
  }
  if (i === end) return { kind: "number", value, float: false };
  if (i > 0 && /^\.0+$/.test(text.slice(i))) return { kind: "number", value, float: true };
  return { kind: "bad" };
}

/**
 * Reads `YYYYMMDD` or `YYYYMMDD HHMM` (the census changed between the two in 2026; a float's `.0` is
 * accepted), from 1900 to `latest`.
 *
 * @param latest The last plausible day, `YYYYMMDD` as a number.
 * @returns `YYYYMMDD` as a number, 0 for a blank field, -1 for a bad one.
 */
export function parseDay(text: string, latest: number): number {
  if (text === "") return 0;
  if (text.length !== 8 && !/^\d{8}( \d{4}|\.0+)$/.test(text)) return -1;
  let value = 0;
  for (let i = 0; i < 8; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return isBelievableDay(value, latest) ? value : -1;
}

/** Whether `YYYYMMDD` as a number is a day from 1900 to `latest`. */
export function isBelievableDay(day: number, latest: number): boolean {
  return day >= 19_000_101 && day <= latest &&
    isCivilDay(civilOfCompact(day));
}

/**
 * Reads `YYYY-MM-DD`, with a time of midnight or without one; arguments and result as {@link parseDay}.
 */
export function parseIsoDay(text: string, latest: number): number {
  if (text === "") return 0;
  if (!/^\d{4}-\d\d-\d\d(T00:00:00(\.0+)?)?$/.test(text)) return -1;
  const day = compactDay(text);
  return isBelievableDay(day, latest) ? day : -1;
}

/**
 * Rejects a data date more than a day ahead of the clock. Once such a snapshot is current, the files of the
 * next days would be rejected as older. One day of tolerance covers every time zone.
 *
 * @param origin Where the date comes from, and what to do.
 * @throws {RangeError}
 */
export function checkDataDate(
  day: string,
  { clock, origin }: { clock: Clock; origin: string },
): void {
  const today = utcDate(clock.now());
  if (compactDay(day) <= addDays(compactDay(today), 1)) return;
  throw new RangeError(
    `Cannot use data of ${day}: this machine's clock says ${today}. The date is ${origin}`,
  );
}
