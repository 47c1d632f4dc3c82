/**
 * Civil days without a clock: `YYYY-MM-DD` strings outside, whole days since 1970-01-01 inside.
 * Proleptic Gregorian, years 0001 to 9999.
 *
 * Arithmetic on integers (https://howardhinnant.github.io/date_algorithms.html): a carrier needs about
 * twenty of these operations, `Date` takes five times as long and `Temporal.PlainDate` forty times.
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

export const MONTHS: readonly string[] =
  ("January February March April May June July August September October November December")
    .split(" ");

/** Days of 400 years, after which the calendar repeats. */
const ERA_DAYS = 146_097;

/** Days from 0000-03-01 to 1970-01-01. */
const EPOCH = 719_468;

const FIRST_DAY = -719_162;
const LAST_DAY = 2_932_896;

export function lastDayOfMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** The day number of a civil day; year, month and day must exist. */
export function dayNumber({ year, month, day }: CivilDay): DayNumber {
  // Years from March on, so that a leap day is the last day of one.
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
 * Reads `YYYY-MM-DD`.
 *
 * @throws {SyntaxError} When the text is not of that form or names a day that does not exist.
 */
export function parseDate(text: string): DayNumber {
  return dayNumber(readDate(text));
}

function readDate(text: string): CivilDay {
  const [year, month, day] = /^\d{4}-\d\d-\d\d$/.test(text)
    ? [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))]
    : [0, 0, 0];
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > lastDayOfMonth(year, month)) {
    throw new SyntaxError(
      `Cannot parse date ${JSON.stringify(text.slice(0, 40))}: not an existing day YYYY-MM-DD`,
    );
  }
  return { year, month, day };
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
  return `${year < 1000 ? String(year).padStart(4, "0") : year}-${two(month)}-${two(day)}`;
}

function two(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

/**
 * Writes a `YYYY-MM-DD` day for people: `Apr 30, 2028`.
 *
 * @throws {SyntaxError} When the text is not an existing day.
 */
export function formatForPeople(date: string): string {
  const { year, month, day } = readDate(date);
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
 * The day it is in New York, whose days the deadlines follow, as `YYYY-MM-DD`.
 *
 * @param ms Milliseconds since the epoch.
 * @throws {RangeError} When it is not a time.
 */
export function newYorkToday(ms: number): string {
  return newYork(ms).toPlainDate().toString();
}

/**
 * The first instant of the next day in New York.
 *
 * @param ms Milliseconds since the epoch.
 * @returns Milliseconds since the epoch, greater than `ms`.
 */
export function nextNewYorkMidnight(ms: number): number {
  return newYork(ms).add({ days: 1 }).startOfDay().epochMilliseconds;
}

function newYork(ms: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO("America/New_York");
}

/** An instant and the day in New York that it is in. */
export interface NewYorkNow {
  today: string;
  /** Milliseconds since the epoch. */
  now: number;
  /** Milliseconds since the epoch of the next midnight in New York. */
  dayEnds: number;
}

/** The day in New York, computed once a day instead of once a request. */
export class NewYorkDay {
  #today = "";
  #from = Infinity;
  #ends = -Infinity;

  at(now: number): NewYorkNow {
    // The lower bound is for a clock that is put back.
    if (now < this.#from || now >= this.#ends) {
      this.#today = newYorkToday(now);
      this.#from = now;
      this.#ends = nextNewYorkMidnight(now);
    }
    return { today: this.#today, now, dayEnds: this.#ends };
  }
}
