/**
 * How FMCSA's files write days, times and CSV cells.
 *
 * @module
 */

const FIRST_DAY = dayOf("1960-01-01");
const LAST_DAY = dayOf("2060-12-31");
const WRITTEN = writeAll();
const CLOCK = Array.from(
  { length: 1440 },
  (_, minute) =>
    String(Math.floor(minute / 60)).padStart(2, "0") + String(minute % 60).padStart(2, "0"),
);

/** The number (0 is 1970-01-01) of a day written `YYYY-MM-DD`; throws a RangeError when there is no such day. */
export function dayOf(date: string): number {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : NaN;
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== date) {
    throw new RangeError(`Cannot read date "${date}": expected a day as YYYY-MM-DD`);
  }
  return ms / 86_400_000;
}

/** `YYYYMMDD`. Days before 1960 or after 2060 are clamped. */
export function compactDay(day: number): string {
  return WRITTEN[Math.max(0, Math.min(WRITTEN.length - 1, Math.floor(day) - FIRST_DAY))] as string;
}

/** The number of the last day of a month; month 1 to 12. */
export function lastDayOfMonth(year: number, month: number): number {
  return Date.UTC(year, month, 0) / 86_400_000;
}

/** `HHMM` of a minute of the day (0 to 1439). */
export function clockTime(minute: number): string {
  return CLOCK[minute] as string;
}

// Formatting dates and times fifty million times is slow; all of them are a small table.
function writeAll(): string[] {
  const all: string[] = [];
  for (let day = FIRST_DAY; day <= LAST_DAY; day++) {
    all.push(new Date(day * 86_400_000).toISOString().slice(0, 10).replaceAll("-", ""));
  }
  return all;
}

/** The cell, quoted when it contains a comma, a quote or a line break. */
export function csvCell(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

/** Position of each column by name, e.g. `{ MCS150_DATE: 0, ... }`. */
export function columnPositions(header: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(header.map((name, position) => [name, position]));
}
