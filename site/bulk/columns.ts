/**
 * Detects which columns of an upload have USDOT numbers, dockets and names; where the headings don't say, what to ask.
 *
 * @module
 */

import type { CellRow } from "./delimited.ts";
import { cut, type Kind, KINDS, type ReadCell } from "./numbers.ts";

/** What a column contains. In a `marked` one only numbers with a prefix are read. */
export type Role = Kind | "marked" | "name" | "city" | "state";

/** Roles that a user can choose for a column. */
export const CHOICES = [...KINDS, "name"] as const satisfies readonly Role[];

/** Roles that a user chose, by the number of the column, from 0. */
export type ChosenRoles = ReadonlyMap<number, Role>;

/** A column as far as its heading and its first cells show it. */
export interface Column {
  heading: string | null;
  /** What it contains, null when that is not known. */
  role: Role | null;
  filled: number;
  numbers: number;
  /** Numbers without a prefix. */
  bare: number;
  /** Whether a number has the prefix of a docket. */
  hasDocket: boolean;
  /** Its first numbers, or else its first cells. */
  samples: string[];
}

/** The numbers of a cell, or the one reason why it cannot be read; none for a blank one. */
export type Read = (cell: string) => readonly ReadCell[];

/** The rows of a list, split into cells. */
export interface Layout {
  heading: CellRow | null;
  /** Rows above the headings, such as a title. */
  above: readonly CellRow[];
  body: readonly CellRow[];
  columns: readonly Column[];
}

/** Rows by which a table's columns are judged; a list of one column is judged by all. */
const SAMPLE_ROWS = 1_000;

const HEADING_ROWS = 10;

const SAMPLES = 4;

const NUMBER = "(?:docket)?(?:number|num|nbr|no|nr|id)?s?";

/** Headings without anything but letters and digits. A docket may be any of MC, MX and FF. */
const HEADINGS: readonly [Role, RegExp][] = [
  ["USDOT", new RegExp(`^(?:carrier|company|fmcsa)?(?:us)?dot${NUMBER}$`)],
  ["MC", new RegExp(`^(?:carrier|company|fmcsa|icc)?mc${NUMBER}$`)],
  ["MX", new RegExp(`^mx${NUMBER}$`)],
  ["FF", new RegExp(`^ff${NUMBER}$`)],
  ["marked", new RegExp(`^(?:docket|(?:mc|mx|ff){2,3})${NUMBER}$`)],
  [
    "name",
    /^(?:your|legal|carrier|company|business|vendor|customer|dba)*(?:name|carrier|company|vendor|dba)s?$/,
  ],
  ["city", /^(?:your|phy|physical|carrier)?(?:city|town)$/],
  ["state", /^(?:your|phy|physical|carrier)?(?:state|st|province|stateprovince)$/],
];

/** Parts the rows of a list into headings and body, and judges its columns. */
export function layoutOf(rows: readonly CellRow[], read: Read): Layout {
  const width = Math.max(0, ...rows.slice(0, SAMPLE_ROWS).map(({ cells }) => cells.length));
  const sample = width === 1 ? rows : rows.slice(0, SAMPLE_ROWS);
  const at = headingAt(sample, read);
  const heading = rows[at] ?? null;
  const columns = Array.from({ length: width }, (_, i) => {
    const cells = sample.slice(at + 1).map(({ cells }) => cells[i] ?? "");
    return columnOf(cut(heading?.cells[i] ?? ""), { cells, read });
  });
  // Without a heading for names, the only column of words has them.
  const words = columns.filter((column) =>
    column.role === null && column.filled > 0 && !holdsNumbers(column)
  );
  const isNamed = columns.some(({ role }) => role === "name");
  if (!isNamed && columns.length > 1 && words.length === 1) words[0]!.role = "name";
  return { heading, above: rows.slice(0, Math.max(0, at)), body: rows.slice(at + 1), columns };
}

function columnOf(
  heading: string,
  { cells, read }: { cells: readonly string[]; read: Read },
): Column {
  const filled = cells.map((cell) => ({ cell, found: read(cell) }))
    .filter(({ found }) => found.length > 0);
  const numbers = filled.flatMap(({ found }) => found.filter((one) => "number" in one));
  const numbered = filled.filter(({ found }) => "number" in found[0]!);
  const column: Column = {
    heading: heading === "" ? null : heading,
    role: headingRole(heading),
    filled: filled.length,
    numbers: numbers.length,
    bare: numbers.filter(({ kind }) => kind === null).length,
    hasDocket: numbers.some(({ kind }) => kind !== null && kind !== "USDOT"),
    samples: (numbered.length > 0 ? numbered : filled).slice(0, SAMPLES)
      .map(({ cell }) => cut(cell)),
  };
  return isWords(column.role) && holdsNumbers(column) ? { ...column, role: null } : column;
}

/**
 * The columns with the roles that were chosen, or else that they have; null when no column of numbers was
 * chosen, and when the headings don't say which column has them or what kind they are: then the user must
 * choose. A single column without a heading has USDOT numbers, which is what the page asks for.
 */
export function withRoles(
  columns: readonly Column[],
  chosen: ChosenRoles | undefined,
): readonly Column[] | null {
  if (chosen !== undefined) {
    const found = columns.map((column, i): Column => {
      const isPlace = column.role === "city" || column.role === "state";
      return { ...column, role: chosen.get(i) ?? (isPlace ? column.role : null) };
    });
    return found.some(({ role }) => hasNumbers(role)) ? found : null;
  }
  const kinds = columns.flatMap(({ role }) => KINDS.filter((kind) => kind === role));
  if (kinds.length > 0) return new Set(kinds).size === kinds.length ? columns : null;
  const marked = numberColumns(columns).filter((i) => columns[i]!.bare === 0);
  if (marked.length > 0) {
    return columns.map((column, i) => marked.includes(i) ? { ...column, role: "marked" } : column);
  }
  const [only, ...others] = columns;
  if (others.length > 0 || only!.heading !== null || only!.hasDocket) return null;
  return [{ ...only!, role: "USDOT" }];
}

/** Columns that mostly have numbers, or else those with any. */
export function numberColumns(columns: readonly Column[]): number[] {
  const places = [...columns.keys()];
  const mostly = places.filter((i) => holdsNumbers(columns[i]!));
  return mostly.length > 0 ? mostly : places.filter((i) => columns[i]!.numbers > 0);
}

function holdsNumbers({ filled, numbers }: Pick<Column, "filled" | "numbers">): boolean {
  return numbers > 0 && 2 * numbers >= filled;
}

/** Whether a row has the heading of a column of numbers. */
export function isHeadingRow({ cells }: CellRow): boolean {
  return cells.some(isNumberHeading);
}

/**
 * The first row with the heading of a column of numbers that has some below; or the first row when it
 * has no digit and most others have numbers; else -1.
 */
function headingAt(rows: readonly CellRow[], read: Read): number {
  const isNumber = (cell = ""): boolean => read(cell).some((one) => "number" in one);
  const at = rows.slice(0, HEADING_ROWS).findIndex(({ cells }, i) =>
    cells.some((cell, column) =>
      isNumberHeading(cell) && rows.slice(i + 1).some(({ cells }) => isNumber(cells[column]))
    )
  );
  if (at >= 0) return at;
  const [first, ...others] = rows;
  if (first === undefined || first.cells.some((cell) => /\p{Nd}/u.test(cell))) return -1;
  const numbered = others.filter(({ cells }) => cells.some((cell) => isNumber(cell)));
  return numbered.length > 0 && 2 * numbered.length >= others.length ? 0 : -1;
}

function isNumberHeading(cell: string): boolean {
  return hasNumbers(headingRole(cell));
}

function isWords(role: Role | null): boolean {
  return role === "name" || role === "city" || role === "state";
}

/** Whether a column of a role has numbers. */
export function hasNumbers(role: Role | null): role is Kind | "marked" {
  return role !== null && !isWords(role);
}

function headingRole(cell: string): Role | null {
  if (cell.length > 60) return null;
  const letters = cell.normalize("NFKC").toLowerCase().replace(/[^a-z0-9]/g, "");
  return HEADINGS.find(([, pattern]) => pattern.test(letters))?.[0] ?? null;
}
