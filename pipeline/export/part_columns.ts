/**
 * Collects column values row by row in little memory: numbers in typed arrays, strings joined. Absent values
 * cost no time.
 *
 * @module
 */

import { formatDate } from "../dates.ts";
import type { ExportColumn, ExportValue } from "./columns.ts";
import type { JsonLines } from "./json_lines.ts";

/** Collects the values of one column. */
export interface PartColumn {
  /** Adds the value of a row, computed from the stored one, also to its JSON line, unless it is absent. */
  add(stored: unknown, row: number, lines: JsonLines): void;
  /** The values of the first `rows` rows, null where absent. */
  values(rows: number): unknown[];
}

/** @param most Maximum number of rows. @param days Cache of formatted dates by day; the column adds to it. */
export function partColumn(
  column: ExportColumn,
  { most, days }: { most: number; days: Map<number, string> },
): PartColumn {
  return column.type === "string"
    ? new TextColumn(column, most)
    : new NumberColumn(column, { most, days });
}

/** The text before a value in a JSON line, which begins with the USDOT number. */
function keyOf(name: string): string {
  return `${name === "dot" ? "{" : ","}"${name}":`;
}

/** Columns with so many distinct values that the library would build a dictionary and discard it. */
export const DISTINCT: ReadonlySet<string> = new Set([
  "legal_name",
  "dba_name",
  "zip",
  "mileage",
  "dockets",
]);

/** Number of values that are joined into one string. */
const JOINED = 1_000;

/** Strings joined by line feeds, which no value contains, and the row of each. */
class TextColumn implements PartColumn {
  /** The text before the value in the JSON line. */
  readonly #key: string;
  readonly #isDistinct: boolean;
  readonly #of: ((stored: never) => ExportValue) | undefined;
  readonly #rows: Uint32Array;
  readonly #joined: string[] = [];
  #texts: string[] = [];
  #count = 0;

  constructor({ name, of }: ExportColumn, most: number) {
    this.#isDistinct = DISTINCT.has(name);
    this.#key = keyOf(name);
    this.#of = of;
    this.#rows = new Uint32Array(most);
  }

  add(stored: unknown, row: number, lines: JsonLines): void {
    const text = (this.#of ? this.#of(stored as never) : stored) as string;
    this.#rows[this.#count++] = row;
    this.#texts.push(text);
    if (this.#texts.length === JOINED) this.#join();
    lines.ascii(this.#key);
    lines.text(text);
  }

  values(rows: number): unknown[] {
    if (this.#texts.length > 0) this.#join();
    const values: unknown[] = new Array(rows).fill(null);
    let at = 0;
    for (const joined of this.#joined) {
      // The library encodes strings one by one, but dictionaries of bytes slowly.
      const texts = this.#isDistinct ? linesOf(joined) : joined.split("\n");
      for (const text of texts) values[this.#rows[at++]!] = text.length === 0 ? null : text;
    }
    return values;
  }

  #join(): void {
    this.#joined.push(this.#texts.join("\n"));
    this.#texts = [];
  }
}

const ENCODER = new TextEncoder();
const LINE_FEED = 10;

/** The lines of a text as UTF-8. */
function linesOf(joined: string): Uint8Array[] {
  const bytes = ENCODER.encode(joined);
  const lines: Uint8Array[] = [];
  let from = 0;
  for (let to = bytes.indexOf(LINE_FEED); to >= 0; to = bytes.indexOf(LINE_FEED, from)) {
    lines.push(bytes.subarray(from, to));
    from = to + 1;
  }
  lines.push(bytes.subarray(from));
  return lines;
}

/** Larger counts are omitted, because the library would store a wrong number. */
const INT32_MAX = 2 ** 31 - 1;

const SMALL = Array.from({ length: 1_024 }, (_, i) => BigInt(i));

/** Numbers, days and booleans as 64-bit floats; NaN where absent. */
class NumberColumn implements PartColumn {
  readonly #key: string;
  readonly #column: ExportColumn;
  readonly #most: number;
  readonly #days: Map<number, string>;
  readonly #numbers: Float64Array;

  constructor(
    column: ExportColumn,
    { most, days }: { most: number; days: Map<number, string> },
  ) {
    this.#column = column;
    this.#key = keyOf(column.name);
    this.#most = column.type === "integer" && !column.isLong ? INT32_MAX : Infinity;
    this.#days = days;
    this.#numbers = new Float64Array(most).fill(NaN);
  }

  add(stored: unknown, row: number, lines: JsonLines): void {
    const { of, type } = this.#column;
    const value = (of ? of(stored as never) : stored) as number | boolean | undefined;
    if (value === undefined || Number(value) > this.#most) return;
    this.#numbers[row] = Number(value);
    lines.ascii(this.#key);
    lines.ascii(type === "date" ? this.#day(value as number) : String(value));
  }

  values(rows: number): unknown[] {
    const { type, isLong } = this.#column;
    const values: unknown[] = new Array(rows);
    for (let row = 0; row < rows; row++) {
      const n = this.#numbers[row]!;
      values[row] = Number.isNaN(n)
        ? null
        : type === "boolean"
        ? n === 1
        : isLong
        ? SMALL[n] ?? BigInt(n)
        : n;
    }
    return values;
  }

  #day(stored: number): string {
    let day = this.#days.get(stored);
    if (day === undefined) this.#days.set(stored, day = `"${formatDate(stored)}"`);
    return day;
  }
}
