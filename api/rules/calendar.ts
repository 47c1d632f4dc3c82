/**
 * Civil days without a clock: `YYYY-MM-DD` strings outside, whole days since 1970-01-01 inside.
 * Proleptic Gregorian, years 0001 to 9999. Nothing here knows what day it is.
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

/** English month names, January first. */
export const MONTHS: readonly string[] = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const DAYS_PER_ERA = 146_097;
const FIRST_DAY = -719_162;
const LAST_DAY = 2_932_896;

// Built once: constructing a formatter costs far more than using it.
const NEW_YORK = new Intl.DateTimeFormat("en-US", {
  timeZone: "America/New_York",
  calendar: "gregory",
  numberingSystem: "latn",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
});

/** The last day of a month, 28 to 31. */
export function lastDayOfMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** The day number of a civil day; year, month and day must exist. */
export function dayNumber({ year, month, day }: CivilDay): DayNumber {
  // Years that begin in March put the leap day last, so no table is needed.
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) +
    dayOfYear;
  return era * DAYS_PER_ERA + dayOfEra - 719_468;
}

/** The civil day of a day number. */
export function civilDay(days: DayNumber): CivilDay {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / DAYS_PER_ERA);
  const dayOfEra = shifted - era * DAYS_PER_ERA;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra -
    (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1,
  };
}

/**
 * Reads `YYYY-MM-DD`.
 *
 * @throws {SyntaxError} When the text is not of that form or names a day that does not exist.
 */
export function parseDate(text: string): DayNumber {
  const shaped = text.length === 10 && text.charCodeAt(4) === 45 && text.charCodeAt(7) === 45;
  const year = shaped ? digits(text, 0, 4) : 0;
  const month = shaped ? digits(text, 5, 7) : 0;
  const day = shaped ? digits(text, 8, 10) : 0;
  if (
    !(year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= lastDayOfMonth(year, month))
  ) {
    throw new SyntaxError(
      `Cannot parse date ${JSON.stringify(text.slice(0, 40))}: not an existing day YYYY-MM-DD`,
    );
  }
  return dayNumber({ year, month, day });
}

/**
 * Writes `YYYY-MM-DD`.
 *
 * @throws {RangeError} Outside the years 0001 to 9999.
 */
export function formatDate(days: DayNumber): string {
  if (!(days >= FIRST_DAY && days <= LAST_DAY)) {
    throw new RangeError(`Cannot format day ${days}: outside the years 0001 to 9999`);
  }
  const { year, month, day } = civilDay(days);
  return `${String(year).padStart(4, "0")}-${month < 10 ? "0" : ""}${month}-${
    day < 10 ? "0" : ""
  }${day}`;
}

/**
 * Writes a `YYYY-MM-DD` day for people: `Apr 30, 2028`.
 *
 * @throws {SyntaxError} When the text is not an existing day.
 */
export function formatForPeople(date: string): string {
  const { year, month, day } = civilDay(parseDate(date));
  return `${MONTHS[month - 1]!.slice(0, 3)} ${day}, ${year}`;
}

/** Moves by whole months, back when negative; a day the target month lacks becomes its last day. */
export function addMonths(days: DayNumber, months: number): DayNumber {
  const from = civilDay(days);
  const count = from.year * 12 + from.month - 1 + months;
  const year = Math.floor(count / 12);
  const month = count - year * 12 + 1;
  return dayNumber({ year, month, day: Math.min(from.day, lastDayOfMonth(year, month)) });
}

/**
 * Days from one `YYYY-MM-DD` day to another, negative when the second comes first.
 *
 * @throws {SyntaxError} When either text is not an existing day.
 */
export function daysBetween(from: string, to: string): number {
  return parseDate(to) - parseDate(from);
}

/** Days from a date of data to today; 0 for data of a day that has not begun in New York yet. */
export function ageInDays(date: string, today: string): number {
  return Math.max(0, daysBetween(date, today));
}

/**
 * The day it is in New York, whose days the deadlines follow.
 *
 * @param ms Milliseconds since the epoch.
 * @throws {RangeError} When it is not a time.
 */
export function newYorkToday(ms: number): string {
  let year = "";
  let month = "";
  let day = "";
  for (const part of NEW_YORK.formatToParts(ms)) {
    if (part.type === "year") year = part.value.padStart(4, "0");
    else if (part.type === "month") month = part.value;
    else if (part.type === "day") day = part.value;
  }
  return `${year}-${month}-${day}`;
}

/**
 * The first instant of the next day in New York: until then {@link newYorkToday} stays as it is.
 * For the years since 1967, in which that midnight is 04:00 or 05:00 UTC.
 *
 * @param ms Milliseconds since the epoch.
 * @returns Milliseconds since the epoch, greater than `ms`.
 */
export function nextNewYorkMidnight(ms: number): number {
  const tomorrow = parseDate(newYorkToday(ms)) + 1;
  const summer = tomorrow * DAY_MS + 4 * HOUR_MS;
  return newYorkToday(summer) === formatDate(tomorrow) ? summer : summer + HOUR_MS;
}

function digits(text: string, from: number, to: number): number {
  let value = 0;
  for (let i = from; i < to; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (!(digit >= 0 && digit <= 9)) return NaN;
    value = value * 10 + digit;
  }
  return value;
}
