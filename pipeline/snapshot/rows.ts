/**
 * Carrier records as the rows of a shard: values by position, checked when they are read. FORMAT.md has
 * the positions. Web APIs only.
 *
 * @module
 */

import { CENSUS_MEMBERS, MARKS, type Member } from "./members.ts";
import {
  type CarrierRecord,
  type Docket,
  type InspectionRow,
  type InspectionSummary,
  type InspectionSums,
  isCount,
} from "./record.ts";

/** Stands for an absent member. No member but `legal_name` is an empty string. */
const ABSENT = "";

/** How a member is stored. */
interface Column {
  name: string;
  /** Absent where a value is stored as it is. */
  write?: (value: never) => unknown;
  /** Returns undefined for what the format does not allow. */
  read: (stored: unknown) => unknown;
}

type Check = (stored: unknown) => boolean;

const isText: Check = (stored) => typeof stored === "string";
const isArrayOf = (check: Check): Check => (stored) => Array.isArray(stored) && stored.every(check);
const isNullOr = (check: Check): Check => (stored) => stored === null || check(stored);
const isSpan: Check = (stored) => isArrayOf(isCount)(stored) && (stored as number[]).length === 3;

function checked(check: Check): Pick<Column, "read"> {
  return { read: (stored) => check(stored) ? stored : undefined };
}

const DAY_MS = 86_400_000;
/** Days from 1970 that a year of four digits can have. */
const MOST_DAYS = 2_900_000;

/** `YYYY-MM-DD`, stored as days from 1970-01-01. */
const DAY: Pick<Column, "write" | "read"> = {
  write: (day: string) => Date.parse(day) / DAY_MS,
  read: (stored) =>
    Number.isInteger(stored) && (stored as number) > -MOST_DAYS / 4 &&
      (stored as number) < MOST_DAYS
      ? new Date(stored as number * DAY_MS).toISOString().slice(0, 10)
      : undefined,
};

function censusColumn({ kind, codes = "" }: Member): Pick<Column, "write" | "read"> {
  switch (kind) {
    case "text":
    case "place":
    case "letter":
    case "phone":
    case "duns":
      return checked(isText);
    case "list":
      return {
        write: (items: string[]) => items.join(";"),
        read: (stored) => typeof stored === "string" ? stored.split(";") : undefined,
      };
    case "address":
      return checked(isArrayOf(isNullOr(isText)));
    case "code":
      return checked((stored) =>
        typeof stored === "string" && stored.length === 1 && codes.includes(stored)
      );
    case "flag":
      return checked((stored) => typeof stored === "boolean");
    case "mark":
      return checked((stored) => stored === true);
    case "count":
    case "year":
      return checked(isCount);
    case "decimal":
      return checked((stored) => typeof stored === "number" && stored >= 0);
    case "day":
      return DAY;
    case "marks":
      return checked((stored) =>
        typeof stored === "string" && [...stored].every((mark) => MARKS.includes(mark))
      );
    case "sums":
      return checked(isArrayOf(isCount));
    case "counts":
      return checked(isArrayOf(isNullOr(isCount)));
  }
}

/** `[prefix, number, status]`, without the status where there is none. */
const DOCKETS: Column = {
  name: "dockets",
  write: (dockets: Docket[]) =>
    dockets.map(({ prefix, number, status }) =>
      status === undefined ? [prefix, number] : [prefix, number, status]
    ),
  read: (stored) => readAll(stored, docketOf),
};

function docketOf(stored: unknown): Docket | undefined {
  if (!Array.isArray(stored)) return undefined;
  const [prefix, number, status] = stored;
  if (!isText(prefix) || !isCount(number)) return undefined;
  if (status === undefined) return { prefix, number };
  return isText(status) ? { prefix, number, status } : undefined;
}

function readAll<T>(stored: unknown, read: (item: unknown) => T | undefined): T[] | undefined {
  if (!Array.isArray(stored)) return undefined;
  const items: T[] = [];
  for (const item of stored) {
    const value = read(item);
    if (value === undefined) return undefined;
    items.push(value);
  }
  return items;
}

/** `[inspections, out_of_service]`. */
const KIND: Pick<Column, "write" | "read"> = {
  write: (kind: InspectionSummary["vehicle"]) => [kind.inspections, kind.out_of_service],
  read: (stored) => {
    if (!isArrayOf(isCount)(stored)) return undefined;
    const [inspections, out_of_service] = stored as number[];
    return out_of_service === undefined ? undefined : { inspections, out_of_service };
  },
};

/** The first by days before the window's end, each other by days before the one before it. */
const LATEST: Column = {
  name: "latest",
  write: (rows: InspectionRow[]) =>
    rows.map(([ago, ...rest], i) => [i === 0 ? ago : ago - rows[i - 1]![0], ...rest]),
  read: (stored) => {
    let ago = 0;
    return readAll(stored, (row) => {
      if (!Array.isArray(row)) return undefined;
      const [days, state, ...numbers] = row;
      if (!isCount(days) || !isText(state) || !numbers.every(isCount)) return undefined;
      return [ago += days, state, ...numbers];
    });
  },
};

const SUMS: Column = {
  name: "sums",
  write: ({ months, states, levels }: InspectionSums) => [months, states, levels],
  read: (stored) => {
    if (!Array.isArray(stored)) return undefined;
    const [months, states, levels] = stored;
    const isSums = isArrayOf(isCount)(months) && isArrayOf(isCount)(levels) &&
      isArrayOf((part) => isText(part) || isCount(part))(states);
    return isSums ? { months, states, levels } : undefined;
  },
};

/** The positions of `inspections`. */
export const INSPECTION_COLUMNS: readonly Column[] = [
  { name: "total", ...checked(isCount) },
  { name: "last", ...DAY },
  { name: "violations", ...checked(isCount) },
  { name: "vehicle", ...KIND },
  { name: "driver", ...KIND },
  { name: "hazmat", ...KIND },
  LATEST,
  SUMS,
  { name: "interstate", ...checked(isSpan) },
  { name: "placarded", ...checked(isSpan) },
  { name: "renamed", ...checked(isSpan) },
  {
    name: "names",
    ...checked(
      isArrayOf((name) => Array.isArray(name) && isText(name[0]) && isSpan(name.slice(1))),
    ),
  },
];

/** The positions of a row. */
export const RECORD_COLUMNS: readonly Column[] = [
  { name: "dot", ...checked(isCount) },
  ...Object.entries<Member>(CENSUS_MEMBERS)
    .map(([name, member]) => ({ name, ...censusColumn(member) })),
  DOCKETS,
  {
    name: "inspections",
    write: (summary: InspectionSummary) => writeRow(INSPECTION_COLUMNS, summary),
    read: (stored) => {
      const summary = readRow(INSPECTION_COLUMNS, stored);
      const isWhole = INSPECTION_COLUMNS.slice(0, 6).every(({ name }) =>
        summary?.[name] !== undefined
      );
      return isWhole ? summary : undefined;
    },
  },
];

function writeRow(columns: readonly Column[], item: object): unknown[] {
  const row: unknown[] = [];
  let end = 0;
  for (const { name, write } of columns) {
    const value = item[name as never];
    row.push(value === undefined ? ABSENT : write === undefined ? value : write(value));
    if (value !== undefined) end = row.length;
  }
  row.length = end;
  return row;
}

function readRow(columns: readonly Column[], stored: unknown): Record<string, unknown> | undefined {
  if (!Array.isArray(stored)) return undefined;
  const item: Record<string, unknown> = {};
  const end = Math.min(stored.length, columns.length);
  for (let i = 0; i < end; i++) {
    if (stored[i] === ABSENT) continue;
    const { name, read } = columns[i]!;
    const value = read(stored[i]);
    if (value === undefined) return undefined;
    item[name] = value;
  }
  return item;
}

/** The row of a record. */
export function rowOf(record: CarrierRecord): unknown[] {
  return writeRow(RECORD_COLUMNS, record);
}

/** The record of a row; undefined when any value is not what the format says. */
export function recordOf(row: unknown): CarrierRecord | undefined {
  const record = readRow(RECORD_COLUMNS, row);
  if (record?.dot === undefined || record.status === undefined) return undefined;
  record.legal_name ??= "";
  return record as unknown as CarrierRecord;
}
