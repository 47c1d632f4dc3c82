/**
 * The rows of a shard: carrier records as values by position, checked while they are read. FORMAT.md
 * has the positions. Web APIs only.
 *
 * @module
 */

import { formatDate, isDayNumber } from "../../dates.ts";
import { CENSUS_MEMBERS, MARKS, type Member } from "./members.ts";
import {
  type CarrierRecord,
  type Docket,
  isCount,
  isObject,
  type LeftCarrier,
  type OutOfServiceOrder,
  type RecordChange,
} from "./record.ts";

/** The value of an absent member. Only `legal_name` can be an empty string. */
export const ABSENT = "";

/** Reads a stored value; returns undefined for what the format does not allow. */
type Read = (stored: unknown) => unknown;

type Column = readonly [name: string, read: Read];

type Check = (stored: unknown) => boolean;

const isText: Check = (stored) => typeof stored === "string";
const isArrayOf = (check: Check): Check => (stored) => Array.isArray(stored) && stored.every(check);
const isNullOr = (check: Check): Check => (stored) => stored === null || check(stored);
const isSpan: Check = (stored) => isArrayOf(isCount)(stored) && (stored as number[]).length === 3;

function checked(check: Check): Read {
  return (stored) => check(stored) ? stored : undefined;
}

const ONLY_MARKS = new RegExp(`^[${MARKS}]*$`);

const readDay: Read = (stored) => isDayNumber(stored) ? formatDate(stored) : undefined;

function readerOf({ kind, codes = "" }: Member): Read {
  switch (kind) {
    case "text":
    case "place":
    case "letter":
    case "phone":
    case "duns":
      return checked(isText);
    case "list":
      return (stored) => typeof stored === "string" ? stored.split(";") : undefined;
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
      return readDay;
    case "marks":
      return checked((stored) => typeof stored === "string" && ONLY_MARKS.test(stored));
    case "sums":
      return checked(isArrayOf(isCount));
    case "counts":
      return checked(isArrayOf(isNullOr(isCount)));
  }
}

function docketOf(stored: unknown): Docket | undefined {
  if (!Array.isArray(stored)) return undefined;
  const [prefix, number, ...statuses] = stored;
  if (!isText(prefix) || !isCount(number) || !statuses.every(isText)) return undefined;
  const [status] = statuses;
  if (status === undefined) return { prefix, number };
  return { prefix, number, status, ...(statuses.length > 1 && { statuses }) };
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

const readKind: Read = (stored) => {
  if (!isArrayOf(isCount)(stored)) return undefined;
  const [inspections, out_of_service] = stored as number[];
  return out_of_service === undefined ? undefined : { inspections, out_of_service };
};

const readLatest: Read = (stored) => {
  let ago = 0;
  return readAll(stored, (row) => {
    if (!Array.isArray(row)) return undefined;
    const [days, state, ...numbers] = row;
    if (!isCount(days) || !isText(state) || !numbers.every(isCount)) return undefined;
    return [ago += days, state, ...numbers];
  });
};

const readSums: Read = (stored) => {
  if (!Array.isArray(stored)) return undefined;
  const [months, states, levels] = stored;
  const isSums = isArrayOf(isCount)(months) && isArrayOf(isCount)(levels) &&
    isArrayOf((part) => isText(part) || isCount(part))(states);
  return isSums ? { months, states, levels } : undefined;
};

/** The positions of `inspections`. */
export const SUMMARY_COLUMNS: readonly Column[] = [
  ["total", checked(isCount)],
  ["last", readDay],
  ["violations", checked(isCount)],
  ["vehicle", readKind],
  ["driver", readKind],
  ["hazmat", readKind],
  ["latest", readLatest],
  ["sums", readSums],
  ["interstate", checked(isSpan)],
  ["placarded", checked(isSpan)],
  ["renamed", checked(isSpan)],
  [
    "names",
    checked(isArrayOf((name) => Array.isArray(name) && isText(name[0]) && isSpan(name.slice(1)))),
  ],
];

const ALWAYS_THERE = SUMMARY_COLUMNS.slice(0, 6).map(([name]) => name);

/** Reads a stored order. It has two days or, when they cannot be used, the two filed texts in their place. */
function orderOf(stored: unknown): OutOfServiceOrder | undefined {
  if (!Array.isArray(stored)) return undefined;
  const [date, reason = ABSENT, rescinded = ABSENT] = stored;
  if (!isText(reason)) return undefined;
  if (isText(date)) {
    return isText(rescinded) ? { reason, unusable: { date, rescinded } } : undefined;
  }
  const days = [date, rescinded].map((day) => day === ABSENT ? ABSENT : readDay(day)) as string[];
  if (days.includes(undefined!)) return undefined;
  const order = { date: days[0]!, reason };
  return days[1] === ABSENT ? order : { ...order, rescinded: days[1]! };
}

/** The positions of a row. */
export const RECORD_COLUMNS: readonly Column[] = [
  ["dot", checked(isCount)],
  ...Object.entries<Member>(CENSUS_MEMBERS)
    .map(([name, member]): Column => [name, readerOf(member)]),
  ["dockets", (stored) => readAll(stored, docketOf)],
  ["inspections", (stored) => {
    const summary = readColumns(SUMMARY_COLUMNS, stored);
    return ALWAYS_THERE.every((name) => summary?.[name] !== undefined) ? summary : undefined;
  }],
  ["refused", checked((stored) => isObject(stored) && Object.values(stored).every(isText))],
  ["changes", readChanges],
  ["orders", (stored) => readAll(stored, orderOf)],
  ["orders_total", checked(isCount)],
];

/** The position of a member. */
export function positionOf(member: string): number {
  return RECORD_COLUMNS.findIndex(([name]) => name === member);
}

/** The number of positions that come from the census; the others come from inspections and history. */
export const FILED = positionOf("inspections");

/** The position of the orders, which are also compared with those of the previous snapshot. */
export const ORDERS_AT = positionOf("orders");

/** The position of the texts that could not be used. */
export const REFUSED_AT = positionOf("refused");

const isHidden = RECORD_COLUMNS.map(([name]) =>
  (CENSUS_MEMBERS as Readonly<Record<string, Member>>)[name]?.isHidden === true
);

/** Changes as stored, by day: each position is followed by the value before the change. */
export type StoredChanges = Record<string, unknown[]>;

/** The value of a change that is not given. */
export const HIDDEN_VALUE = null;

/** Whether a change of the member at a position is kept without the value before. */
export function isHiddenAt(position: number): boolean {
  return isHidden[position]!;
}

function readChanges(stored: unknown): RecordChange[] | undefined {
  if (!isObject(stored)) return undefined;
  const changes: RecordChange[] = [];
  for (const [day, values] of Object.entries(stored)) {
    const date = readDay(Number(day));
    if (date === undefined || !Array.isArray(values) || values.length % 2 !== 0) return undefined;
    for (let i = 0; i < values.length; i += 2) {
      const change = readChange(values[i], values[i + 1]);
      if (change === undefined) return undefined;
      changes.push({ day: date as string, ...change });
    }
  }
  // `Object.entries` lists integer keys in ascending order, but here the newest day comes first.
  return changes.sort((a, b) => a.day < b.day ? 1 : a.day > b.day ? -1 : 0);
}

function readChange(position: unknown, was: unknown): Omit<RecordChange, "day"> | undefined {
  if (!isCount(position) || position >= FILED && position !== ORDERS_AT) return undefined;
  const [member, read] = RECORD_COLUMNS[position]!;
  if (was === HIDDEN_VALUE) return { member, isHidden: true };
  if (was === ABSENT) return { member };
  if (isObject(was)) {
    return isText(was.refused) ? { member, wasRefused: was.refused as string } : undefined;
  }
  const value = position === 0 ? readDay(was) : read(was);
  return value === undefined ? undefined : { member, was: value };
}

function readColumns(
  columns: readonly Column[],
  stored: unknown,
): Record<string, unknown> | undefined {
  if (!Array.isArray(stored)) return undefined;
  const item: Record<string, unknown> = {};
  const end = Math.min(stored.length, columns.length);
  for (let i = 0; i < end; i++) {
    if (stored[i] === ABSENT) continue;
    const [name, read] = columns[i]!;
    const value = read(stored[i]);
    if (value === undefined) return undefined;
    item[name] = value;
  }
  return item;
}

/** The record of a row; undefined when any value is not what the format says. */
export function recordOf(row: unknown): CarrierRecord | undefined {
  const record = readColumns(RECORD_COLUMNS, row);
  if (record?.dot === undefined || record.status === undefined) return undefined;
  record.legal_name ??= "";
  return record as unknown as CarrierRecord;
}

/** Whether a row is of a carrier that left the census: its number and {@link LeftCarrier}. */
export function isLeftRow(row: unknown): row is [number, { last_seen: number; changes?: unknown }] {
  return Array.isArray(row) && isObject(row[1]);
}

/** The carrier that left of such a row; undefined when it is not what the format says. */
export function leftCarrierOf(row: unknown): LeftCarrier | undefined {
  if (!isLeftRow(row)) return undefined;
  const [dot, { last_seen, changes }] = row;
  const day = readDay(last_seen);
  const read = changes === undefined ? [] : readChanges(changes);
  if (!isCount(dot) || day === undefined || read === undefined) return undefined;
  return { dot, last_seen: day as string, ...(changes !== undefined && { changes: read }) };
}

/** Whether two stored values are the same. */
export function isSameStored(a: unknown, b: unknown): boolean {
  return a === b ||
    typeof a === "object" && typeof b === "object" && JSON.stringify(a) === JSON.stringify(b);
}

/** The values up to the last one present; changes its argument. */
export function cutRow(row: unknown[]): unknown[] {
  while (row.at(-1) === ABSENT) row.pop();
  return row;
}
