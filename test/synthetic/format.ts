/**
 * The format of days, times and rows in FMCSA's files.
 *
 * @module
 */

const FIRST_DAY = dayOf("1960-01-01");
const LAST_DAY = dayOf("2060-12-31");
// Formatting dates and times fifty million times is slow; a small table has all of them.
const WRITTEN = Array.from(
  { length: LAST_DAY - FIRST_DAY + 1 },
  (_, i) => dateOf(FIRST_DAY + i).replaceAll("-", ""),
);
const CLOCK = Array.from(
  { length: 1440 },
  (_, minute) => new Date(minute * 60_000).toISOString().slice(11, 16).replace(":", ""),
);

/** The number (0 is 1970-01-01) of a day written `YYYY-MM-DD`. Throws a RangeError for an invalid day. */
export function dayOf(date: string): number {
  const day = Date.parse(`${date}T00:00:00Z`) / 86_400_000;
  if (Number.isNaN(day) || dateOf(day) !== date) {
    throw new RangeError(`Cannot read date "${date}": expected a day as YYYY-MM-DD`);
  }
  return day;
}

function dateOf(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}

/** `YYYYMMDD`. Days before 1960 or after 2060 are clamped. */
export function compactDay(day: number): string {
  return WRITTEN[Math.max(0, Math.min(WRITTEN.length - 1, Math.floor(day) - FIRST_DAY))]!;
}

/** The number of the last day of a month; month 1 to 12. */
export function lastDayOfMonth(year: number, month: number): number {
  return Date.UTC(year, month, 0) / 86_400_000;
}

/** `HHMM` of a minute of the day (0 to 1439). */
export function clockTime(minute: number): string {
  return CLOCK[minute]!;
}

/** The cell, quoted when it contains a comma, a quote or a line break. */
export function csvCell(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

/** A row under construction; one object is reused for all lines of a file. */
export class RowWriter {
  readonly #at: ReadonlyMap<string, number>;
  readonly #cells: string[];

  constructor(columns: readonly string[]) {
    this.#at = new Map(columns.map((name, position) => [name, position]));
    this.#cells = columns.map(() => "");
  }

  set(column: string, value: string | number): void {
    this.#cells[this.#at.get(column)!] = typeof value === "number" ? String(value) : value;
  }

  /** Returns the line with its line feed, and clears every cell. */
  take(): string {
    const line = this.#cells.join(",") + "\n";
    this.#cells.fill("");
    return line;
  }
}
