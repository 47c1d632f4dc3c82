/**
 * Detects which columns of an upload contain USDOT numbers, dockets and names, or which columns the user
 * must be asked about.
 *
 * @module
 */

import { STATE_LETTERS } from "../../pipeline/search/query/query.ts";
import type { CellRow } from "./delimited.ts";
import { type Kind, KINDS, type ReadCell, shownCell } from "./numbers.ts";

/** What a column contains. In a `marked` column, only numbers with a prefix are read. */
export type Role = Kind | "marked" | "name" | "city" | "state";

/** Roles that a user can choose for a column. */
export const CHOICES = [...KINDS, "name"] as const satisfies readonly Role[];

/** Roles that a user chose, by column index. */
export type ChosenRoles = ReadonlyMap<number, Role>;

/** A column, as described by its heading and its first cells. */
export interface Column {
  heading: string | null;
  /** What it contains, null when that is not known. */
  role: Role | null;
  filled: number;
  numbers: number;
  /** Numbers without a prefix. */
  bare: number;
  /** Whether a number has the prefix of a docket, or of a USDOT number. */
  hasDocket: boolean;
  hasUsdot: boolean;
  /** Cells with other words and a single number that may be the carrier's. */
  maybes: number;
  /**
   * The first cells with a number without a prefix. If there are none, the first cells with a number
   * that may be the carrier's, or else the first that are not blank.
   */
  samples: string[];
}

/** Returns the numbers in a cell, or a single problem if it cannot be read. Empty for a blank cell. */
export type Read = (cell: string) => readonly ReadCell[];

/** The rows of a list, split into cells. */
export interface Layout {
  heading: CellRow | null;
  /** Rows above the headings, such as a title. */
  above: readonly CellRow[];
  body: readonly CellRow[];
  columns: readonly Column[];
}

/** Number of rows sampled to classify the columns of a table. For a list of one column, all rows are used. */
const SAMPLE_ROWS = 1_000;

/** Maximum number of cells in the sample: a table with many columns is classified from fewer rows. */
const SAMPLE_CELLS = 50_000;

const HEADING_ROWS = 10;

const SAMPLES = 4;

const NUMBER = "(?:docket)?(?:number|num|nbr|no|nr|id)?s?";

/**
 * Patterns for headings, which are first reduced to letters and digits. Numbers in a `docket` column may
 * be MC, MX or FF, so they need a prefix.
 */
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

/** Splits the rows of a list into headings and body, and classifies its columns. */
export function layoutOf(rows: readonly CellRow[], read: Read): Layout {
  const width = Math.max(0, ...rows.slice(0, SAMPLE_ROWS).map(({ cells }) => cells.length));
  const sample = width === 1
    ? rows
    : rows.slice(0, Math.min(SAMPLE_ROWS, Math.ceil(SAMPLE_CELLS / width)));
  const at = headingAt(sample, read);
  const heading = rows[at] ?? null;
  const columns = Array.from({ length: width }, (_, i) => {
    const cells = sample.slice(at + 1).map(({ cells }) => cells[i] ?? "");
    return columnOf(shownCell(heading?.cells[i] ?? ""), { cells, read });
  });
  nameColumns(columns, sample.slice(at + 1));
  return { heading, above: rows.slice(0, Math.max(0, at)), body: rows.slice(at + 1), columns };
}

/**
 * Detects the columns of states and cities, and then takes the only text column left as the carrier
 * names. Does nothing if a heading names that column.
 */
function nameColumns(columns: readonly Column[], rows: readonly CellRow[]): void {
  if (columns.length < 2 || columns.some(({ role }) => role === "name")) return;
  const isWordy = (column: Column | undefined): column is Column =>
    column?.role === null && column.filled > 0 && !holdsNumbers(column);
  const states = [...columns.keys()].filter((i) =>
    isWordy(columns[i]) && rows.every(({ cells }) => {
      const cell = (cells[i] ?? "").trim().toLowerCase();
      return cell === "" || STATE_LETTERS.has(cell);
    })
  );
  const [at = -1] = states.length === 1 ? states : [];
  if (columns[at] !== undefined) {
    columns[at].role = "state";
    if (isWordy(columns[at - 1]) && columns.filter(isWordy).length > 1) {
      columns[at - 1]!.role = "city";
    }
  }
  const words = columns.filter(isWordy);
  if (words.length === 1) words[0]!.role = "name";
}

function columnOf(
  heading: string,
  { cells, read }: { cells: readonly string[]; read: Read },
): Column {
  const filled = cells.map((cell) => ({ cell, found: read(cell) }))
    .filter(({ found }) => found.length > 0);
  const numbers = filled.flatMap(({ found }) => found.filter((one) => "number" in one));
  const bare = filled.filter(({ found }) =>
    found.some((one) => "number" in one && one.kind === null)
  );
  const maybes = filled.filter(({ found }) => hasMaybe(found[0]!));
  const samples = [bare, maybes, filled].find((some) => some.length > 0) ?? [];
  const column: Column = {
    heading: heading === "" ? null : heading,
    role: headingRole(heading),
    filled: filled.length,
    numbers: numbers.length,
    bare: numbers.filter(({ kind }) => kind === null).length,
    hasDocket: numbers.some(({ kind }) => kind !== null && kind !== "USDOT"),
    hasUsdot: numbers.some(({ kind }) => kind === "USDOT"),
    maybes: maybes.length,
    samples: samples.slice(0, SAMPLES).map(({ cell }) => shownCell(cell)),
  };
  return isWords(column.role) && holdsNumbers(column) ? { ...column, role: null } : column;
}

/**
 * Returns the columns with the roles that the user chose, or else with the detected roles. Returns null
 * if the user must choose: no column of numbers was chosen, or the headings don't say which columns have
 * numbers and of which kind. Numbers in a single column without a heading are USDOT numbers, because the
 * page asks for those.
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
  // Numbers with a prefix in only a few rows don't show what the other rows have.
  const most = Math.max(...columns.map(({ filled }) => filled));
  const marked = numberColumns(columns).filter((i) => {
    const { numbers, bare, filled } = columns[i]!;
    return numbers > 0 && bare === 0 && 2 * filled >= most;
  });
  if (marked.length > 0) {
    return columns.map((column, i) => marked.includes(i) ? { ...column, role: "marked" } : column);
  }
  const [only, ...others] = columns;
  if (others.length > 0 || only!.heading !== null || only!.hasDocket) return null;
  return [{ ...only!, role: "USDOT" }];
}

/**
 * Returns the indexes of the columns that mostly have numbers. If there are none, of those with any
 * number, or else of those with any number that may be the carrier's.
 */
export function numberColumns(columns: readonly Column[]): number[] {
  const where = (has: (column: Column) => boolean): number[] =>
    [...columns.keys()].filter((i) => has(columns[i]!));
  const mostly = where(holdsNumbers);
  if (mostly.length > 0) return mostly;
  const any = where(({ numbers }) => numbers > 0);
  return any.length > 0 ? any : where(({ maybes }) => maybes > 0);
}

/**
 * Returns the indexes of the columns of numbers whose kind the user must choose, because some numbers
 * have no prefix. If all have one, returns all of `numbers`.
 */
export function unclearColumns(columns: readonly Column[], numbers: readonly number[]): number[] {
  const unclear = numbers.filter((i) => columns[i]!.bare + columns[i]!.maybes > 0);
  return unclear.length > 0 ? unclear : [...numbers];
}

function hasMaybe(one: ReadCell): boolean {
  return "problem" in one && one.maybe !== undefined;
}

function holdsNumbers({ filled, numbers }: Pick<Column, "filled" | "numbers">): boolean {
  return numbers > 0 && 2 * numbers >= filled;
}

/** Whether a row has the heading of a column of numbers. */
export function isHeadingRow({ cells }: CellRow): boolean {
  return cells.some(isNumberHeading);
}

/** Returns the columns with the roles from another row of headings. */
export function reheaded(columns: readonly Column[], { cells }: CellRow): readonly Column[] {
  return columns.map((column, i) => {
    const role = headingRole(cells[i] ?? "");
    return role === null ? column : { ...column, role };
  });
}

/**
 * Returns the index of the row of headings: the first row with a heading for a column of numbers and a
 * number below it, or else row 0 if it has no digits and at least half of the other rows have numbers.
 * Returns -1 if there is none.
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

/** Whether columns with this role contain numbers. */
export function hasNumbers(role: Role | null): role is Kind | "marked" {
  return role !== null && !isWords(role);
}

function headingRole(cell: string): Role | null {
  if (cell.length > 60) return null;
  const letters = cell.normalize("NFKC").toLowerCase().replace(/[^a-z0-9]/g, "");
  return HEADINGS.find(([, pattern]) => pattern.test(letters))?.[0] ?? null;
}
