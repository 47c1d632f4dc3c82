/**
 * Reads one row of a list: the numbers of its carrier, or the reason why it has none.
 *
 * @module
 */

import { splitPlace } from "../../api/operations/match.ts";
import { type Column, hasNumbers, type Layout, type Read } from "./columns.ts";
import type { CellRow } from "./delimited.ts";
import { cutText, type Identifier, KINDS, PROBLEMS, shownCell } from "./numbers.ts";
import { nameBeside, oneCarrier, readCellWords } from "./words.ts";

/**
 * A number from a row, or a row that cannot be read. A row with the numbers of several carriers becomes
 * several of these.
 */
export interface UploadRow {
  /** From 1, as a spreadsheet counts. */
  row: number;
  /** The number to look up, null for a row that cannot be read. */
  wanted: Identifier | null;
  /** USDOT numbers that list the wanted docket, in order of precedence. Set when the docket has been looked up. */
  holders?: readonly number[];
  /** Other numbers of the row, which must belong to the same carrier. */
  also?: Identifier[];
  name?: string;
  city?: string;
  state?: string;
  /** The truncated text of a row that has other words besides its number. */
  text?: string;
  /** For a row that cannot be read: its truncated text, the problem, and the only number that may be the carrier's. */
  unread?: { text: string; problem: string; maybe?: Identifier };
}

/** How rows are read. */
export interface RowReading {
  columns: readonly Column[];
  read: Read;
  separator: string;
  /** Maximum number of cells in a row; null for lines of numbers. */
  width: number | null;
  /** Whether the list has a row of headings. */
  headed: boolean;
  /** The user's answer to whether numbers among other words are the carriers'; undefined if not asked yet. */
  words: boolean | undefined;
}

/** Maximum number of numbers on a line that may all belong to one carrier. */
const MOST_OF_ONE = 4;

/**
 * Returns an entry for each number to look up, with the name and place from the row, or a single entry
 * with a problem.
 */
export function entriesOf(row: CellRow, reading: RowReading): UploadRow[] {
  const { cells, line } = row;
  const { columns, width } = reading;
  const called = calledIn(cells, columns);
  const own = shapeProblem(row, reading) ?? ownNumbers(row, reading);
  const { numbers, maybe, wrong } = own.numbers.length > 0 ? own : elsewhere(row, own, reading);
  if (numbers.length === 0) {
    const { text, problem } = wrong ?? { text: line, problem: PROBLEMS.blank };
    const asked = maybe !== undefined && reading.words === undefined && { maybe };
    return [{
      row: row.row,
      wanted: null,
      unread: { text: cutText(text), problem, ...asked },
      ...called,
    }];
  }
  const isMaybe = maybe !== undefined && numbers.includes(maybe);
  // If the number is in a column of numbers, words in other cells do not count as text beside it.
  const isWhole = width === null || isMaybe || own.numbers.length === 0;
  const spoken = isWhole
    ? line
    : cells.filter((_, i) => hasNumbers(columns[i]?.role ?? null)).join(" ");
  const beside = nameBeside(spoken, { isName: isMaybe });
  const more = beside === null
    ? called
    : { ...called.name ? {} : placed(beside.name), ...called, text: cutText(line) };
  const kind = KINDS.find((kind) => numbers.some((one) => one.kind === kind));
  const first = numbers.filter((one) => one.kind === kind);
  const isOne = width !== null || first.length === 1 && numbers.length <= MOST_OF_ONE;
  const wanted = isOne ? first : numbers;
  const also = isOne ? numbers.filter((one) => !first.includes(one)) : [];
  return wanted.map((wanted) => ({
    row: row.row,
    wanted,
    ...also.length > 0 && { also },
    ...more,
  }));
}

interface Found {
  numbers: Identifier[];
  /** The only number that may be the carrier's. */
  maybe?: Identifier;
  /** The first text that cannot be read, and why. */
  wrong?: { text: string; problem: string };
}

const TOTAL = /^\W*(?:sub|grand)?[ -]?totals?\W*$/i;

/**
 * Returns the problem of a row that is a total, or whose cells may be shifted into other columns. Null
 * if there is none.
 */
function shapeProblem(row: CellRow, { columns, separator, width }: RowReading): Found | null {
  if (width === null) return null;
  // The count in a row of totals would be read as a carrier's number.
  const total = row.cells.find((cell) => TOTAL.test(cell));
  if (total !== undefined) {
    return { numbers: [], wrong: { text: row.line, problem: "* is a total, not a carrier" } };
  }
  const problemOf = (problem: string): Found => ({
    numbers: [],
    wrong: { text: row.line, problem },
  });
  const places = [...columns.keys()].filter((i) => hasNumbers(columns[i]!.role));
  if (widthOf(row.cells) > width && places.some((place) => place > 0)) {
    return problemOf("* has more cells than the other rows: put quotes around names with commas");
  }
  return separator === "," && places.some((place) => mayBeThousands(row, place))
    ? problemOf(PROBLEMS.ambiguous)
    : null;
}

function ownNumbers({ cells, line }: CellRow, reading: RowReading): Found {
  const { columns, read, words, headed } = reading;
  const found: Found = { numbers: [] };
  for (const [place, column] of columns.entries()) {
    const { role } = column;
    if (!hasNumbers(role)) continue;
    const text = cells[place] ?? "";
    for (const one of read(text)) {
      if ("number" in one && (one.kind !== null || role !== "marked")) {
        found.numbers.push({ number: one.number, kind: one.kind ?? role as Identifier["kind"] });
        continue;
      }
      const isMaybe = "problem" in one && one.maybe !== undefined;
      const kind = role !== "marked" ? role : mayBeUsdot(column, reading) ? "USDOT" : null;
      const isUnmarked = "number" in one || isMaybe && kind === null;
      found.wrong ??= { text, problem: isUnmarked ? PROBLEMS.unmarked : one.problem };
      if (isMaybe && kind !== null) found.maybe = { kind, number: one.maybe! };
    }
  }
  if (found.numbers.length === 0 && found.maybe !== undefined && words === true) {
    return { ...found, numbers: [found.maybe] };
  }
  const isMarked = !headed && columns.some(({ role }) => role === "marked");
  if (!isMarked || found.numbers.length === 0) return found;
  // Without headings, nothing says which column is the carrier's, so the numbers with a prefix in all cells count.
  const all = prefixed(cells);
  return all !== null
    ? { numbers: all }
    : { numbers: [], wrong: { text: line, problem: PROBLEMS.several } };
}

/**
 * Whether a number without a prefix may be a USDOT number in a list of numbers with prefixes. The page
 * asks for USDOT numbers.
 */
function mayBeUsdot({ hasDocket, hasUsdot }: Column, { width }: RowReading): boolean {
  return width === null && (hasUsdot || !hasDocket);
}

/**
 * Returns the numbers with a prefix in any cell of a row. In a list without headings, returns the row's
 * only number if none has a prefix.
 */
function elsewhere(row: CellRow, own: Found, { columns, width, headed, words }: RowReading): Found {
  if (width === null || own.wrong?.problem === PROBLEMS.several) return own;
  const numbers = prefixed(row.cells);
  if (numbers === null) return { ...own, wrong: { text: row.line, problem: PROBLEMS.several } };
  if (numbers.length > 0) return { numbers };
  const [role, ...others] = new Set(columns.map(({ role }) => role).filter(hasNumbers));
  const [whole] = headed || own.maybe !== undefined || others.length > 0
    ? []
    : readCellWords(row.line);
  if (whole === undefined || role === "marked") return own;
  // The row has nothing but this number.
  if ("number" in whole) return { ...own, numbers: [{ kind: role!, number: whole.number }] };
  if (whole.maybe === undefined) return own;
  const maybe = { kind: role!, number: whole.maybe };
  const wrong = { text: row.line, problem: PROBLEMS.text };
  return { numbers: words === true ? [maybe] : [], maybe, wrong };
}

/** Returns the numbers with a prefix in any of the cells. Null if they cannot all belong to one carrier. */
function prefixed(cells: readonly string[]): Identifier[] | null {
  const found = cells.filter((cell) => /\d/.test(cell)).flatMap(readCellWords);
  if (found.some((one) => "problem" in one && one.problem === PROBLEMS.several)) return null;
  const numbers = found.flatMap((one) =>
    "number" in one && one.kind !== null ? [{ kind: one.kind, number: one.number }] : []
  );
  return oneCarrier(numbers);
}

/** Returns the carrier's name, city and state from the columns of a row. */
function calledIn(cells: readonly string[], columns: readonly Column[]) {
  const [name, city, state] = (["name", "city", "state"] as const)
    .map((own) => shownCell(cells[columns.findIndex(({ role }) => role === own)] ?? ""));
  return { ...name && { name }, ...city && { city }, ...state && { state } };
}

/** Splits a name with a place after it, such as `Acme, Akron, OH`. */
function placed(text: string): Pick<UploadRow, "name" | "city" | "state"> {
  if (text === "") return {};
  const { name, city, state } = splitPlace(text);
  return name === "" ? {} : {
    name: shownCell(name),
    ...city && { city: shownCell(city) },
    ...state && { state: shownCell(state) },
  };
}

/**
 * Whether a number without quotes and the one in the next or previous cell could be one number, split at
 * its thousands comma.
 */
function mayBeThousands({ cells, line }: CellRow, place: number): boolean {
  const pair = (left = "", right = ""): boolean =>
    /^\s*\d{1,3}$/.test(left) && /^\d{3}\s*$/.test(right) && line.includes(`${left},${right}`);
  return pair(cells[place], cells[place + 1]) || pair(cells[place - 1], cells[place]);
}

/** Number of cells in a row up to the last that is not blank. */
function widthOf(cells: readonly string[]): number {
  return cells.findLastIndex((cell) => /\S/.test(cell)) + 1;
}

/** Number of rows sampled to find the usual width. */
const SAMPLE_ROWS = 1_000;

/** Returns the number of cells in the row of headings or, without one, the most common number of cells. */
export function usualWidth({ heading, body }: Layout): number {
  if (heading !== null) return widthOf(heading.cells);
  const byWidth = Map.groupBy(body.slice(0, SAMPLE_ROWS), ({ cells }) => widthOf(cells));
  return [...byWidth].sort(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? 0;
}

export function unreadRow(row: number, text: string, problem: string): UploadRow {
  return { row, wanted: null, unread: { text: cutText(text), problem } };
}
