/**
 * Calendar days in three forms: `YYYY-MM-DD` strings in documents, whole days since 1970-01-01 in calculations and
 * stored rows, and `YYYYMMDD` numbers while FMCSA's files are read. Proleptic Gregorian, years 0001 to 9999.
 *
 * Uses integer arithmetic (https://howardhinnant.github.io/date_algorithms.html), because each carrier needs about
 * twenty of these operations: `Date` takes five times as long, and `Temporal.PlainDate` forty times.
 *
 * @module
 */

/** Whole days since 1970-01-01; negative before it. */
export type DayNumber = number;

/** Year, month 1 to 12, day of month from 1. */
export interface CivilDay {
  year: number;
  month: number;
  day: number;
}

export const DAY_MS = 86_400_000;

export const MONTHS: readonly string[] =
  ("January February March April May June July August September October November December")
    .split(" ");

/** Days in 400 years, after which the calendar repeats. */
const ERA_DAYS = 146_097;

/** Days from 0000-03-01 to 1970-01-01. */
const EPOCH = 719_468;

const FIRST_DAY = -719_162;
const LAST_DAY = 2_932_896;

export function lastDayOfMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Whether the calendar has this day. */
export function isCivilDay({ year, month, day }: CivilDay): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= lastDayOfMonth(year, month);
}

/** Whether a stored value is a day in the years 0001 to 9999. */
export function isDayNumber(value: unknown): value is DayNumber {
  return Number.isInteger(value) && value as number >= FIRST_DAY && value as number <= LAST_DAY;
}

/** Converts a calendar day, which must exist, to a day number. */
export function dayNumber({ year, month, day }: CivilDay): DayNumber {
  // Years start in March, so that a leap day is the last day of its year.
  const y = month > 2 ? year : year - 1;
  const dayOfYear = Math.trunc((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return y * 365 + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + dayOfYear -
    EPOCH;
}

export function civilDay(days: DayNumber): CivilDay {
  const era = Math.floor((days + EPOCH) / ERA_DAYS);
  const dayOfEra = days + EPOCH - era * ERA_DAYS;
  const yearOfEra = Math.trunc(
    (dayOfEra - Math.trunc(dayOfEra / 1460) + Math.trunc(dayOfEra / 36_524) -
      Math.trunc(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra -
    (365 * yearOfEra + Math.trunc(yearOfEra / 4) - Math.trunc(yearOfEra / 100));
  const month = Math.trunc((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.trunc((153 * month + 2) / 5) + 1;
  const year = yearOfEra + era * 400;
  return month < 10 ? { year, month: month + 3, day } : { year: year + 1, month: month - 9, day };
}

/**
 * Parses `YYYY-MM-DD`.
 *
 * @throws {SyntaxError} When the text has another form, or the day does not exist.
 */
export function parseDate(text: string): DayNumber {
  return dayNumber(readDate(text));
}

/** Whether a text is an existing day in the form `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  return civilOfText(text) !== undefined;
}

function readDate(text: string): CivilDay {
  const civil = civilOfText(text);
  if (civil !== undefined) return civil;
  throw new SyntaxError(
    `Cannot parse date ${JSON.stringify(text.slice(0, 40))}: not an existing day YYYY-MM-DD`,
  );
}

function civilOfText(text: string): CivilDay | undefined {
  if (text.length !== 10 || text[4] !== "-" || text[7] !== "-") return undefined;
  const civil = { year: digits(text, 0, 4), month: digits(text, 5, 7), day: digits(text, 8, 10) };
  return civil.year >= 1 && isCivilDay(civil) ? civil : undefined;
}

/** Parses the digits from `at` to `end`; NaN if any is not a digit. A regular expression takes three times as long. */
function digits(text: string, at: number, end: number): number {
  let value = 0;
  for (; at < end; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return NaN;
    value = 10 * value + digit;
  }
  return value;
}

/**
 * Formats a day as `YYYY-MM-DD`.
 *
 * @throws {RangeError} Outside the years 0001 to 9999.
 */
export function formatDate(days: DayNumber): string {
  if (!(days >= FIRST_DAY && days <= LAST_DAY)) {
    throw new RangeError(`Cannot format day ${days}: outside the years 0001 to 9999`);
  }
  const { year, month, day } = civilDay(days);
  return `${year < 1000 ? String(year).padStart(4, "0") : year}-${twoDigits(month)}-${
    twoDigits(day)
  }`;
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

/**
 * Formats a `YYYY-MM-DD` day for people: `Apr 30, 2028`.
 *
 * @throws {SyntaxError} When the text is not an existing day.
 */
export function formatForPeople(date: string): string {
  const { year, month, day } = readDate(date);
  return `${MONTHS[month - 1]!.slice(0, 3)} ${day}, ${year}`;
}

/** Adds whole months, which may be negative. A day that the resulting month lacks becomes its last day. */
export function addMonths(days: DayNumber, months: number): DayNumber {
  const from = civilDay(days);
  const count = from.year * 12 + from.month - 1 + months;
  const year = Math.floor(count / 12);
  const month = count - year * 12 + 1;
  return dayNumber({ year, month, day: Math.min(from.day, lastDayOfMonth(year, month)) });
}

/**
 * Days from one `YYYY-MM-DD` day to another; negative when `to` is earlier.
 *
 * @throws {SyntaxError} When either text is not an existing day.
 */
export function daysBetween(from: string, to: string): number {
  return parseDate(to) - parseDate(from);
}

/** Age of data in days; 0 if its date is after `today`, as the day may not have begun in New York yet. */
export function ageInDays(date: string, today: string): number {
  return Math.max(0, daysBetween(date, today));
}

/** Whole years from one day to a later one, both `YYYY-MM-DD`. */
export function wholeYears(from: string, to: string): number {
  const years = Number(to.slice(0, 4)) - Number(from.slice(0, 4));
  return to.slice(5) < from.slice(5) ? years - 1 : years;
}

/**
 * The UTC day of an instant, as `YYYY-MM-DD`.
 *
 * @param ms Milliseconds since the epoch.
 */
export function utcDate(ms: number): string {
  return formatDate(Math.floor(ms / DAY_MS));
}

/** Converts `20260403` to `2026-04-03`. */
export function isoDay(compact: number): string {
  const text = String(compact);
  return `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6, 8)}`;
}

/** Converts `2026-04-03` to `20260403`. Ignores text after the day, and does not check that the day exists. */
export function compactDay(iso: string): number {
  return Number(iso.slice(0, 4)) * 10_000 + Number(iso.slice(5, 7)) * 100 +
    Number(iso.slice(8, 10));
}

/** Splits `20260403` into year, month and day. */
export function civilOfCompact(compact: number): CivilDay {
  return {
    year: Math.floor(compact / 10_000),
    month: Math.floor(compact / 100) % 100,
    day: compact % 100,
  };
}

/** Adds whole days to a `YYYYMMDD` day. */
export function addDays(compact: number, days: number): number {
  const { year, month, day } = civilDay(dayNumber(civilOfCompact(compact)) + days);
  return year * 10_000 + month * 100 + day;
}

/**
 * The first day of the 24 months that end on `last`: one day after the same date two years earlier, with
 * February 28 for 29. Both days are `YYYYMMDD` and inclusive.
 */
export function windowStart(last: number): number {
  const before = last - 20_000;
  return addDays(isCivilDay(civilOfCompact(before)) ? before : before - 1, 1);
}
