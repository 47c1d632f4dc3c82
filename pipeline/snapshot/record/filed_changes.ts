/**
 * The filed values that differ between two rows of a carrier: what FMCSA changed, not how it is stored.
 * FORMAT.md, "History", has the rules.
 *
 * @module
 */

import { formatDate, isDayNumber } from "../../dates.ts";
import { CENSUS_MEMBERS, type Member } from "./members.ts";
import {
  ABSENT,
  FILED,
  isLeftRow,
  isSameStored,
  ORDERS_AT,
  positionOf,
  RECORD_COLUMNS,
  REFUSED_AT,
} from "./rows.ts";

/** The positions that are compared. */
const COMPARED = [...Array.from({ length: FILED - 1 }, (_, i) => i + 1), ORDERS_AT];

const MAILING_AT = positionOf("mailing");

/** Positions of the physical address, in the order of the parts of a mailing address. */
const PHYSICAL_AT = ["street", "city", "state", "zip", "country"].map(positionOf);

const IS_DAY = RECORD_COLUMNS.map(([name]) =>
  (CENSUS_MEMBERS as Readonly<Record<string, Member>>)[name]?.kind === "day"
);

/** A filed value that changed: its position, and the value before and after. */
export interface ChangedValue {
  position: number;
  then: FiledValue;
  now: FiledValue;
}

/**
 * The filed values in which a row differs from the previous one; undefined when the carrier was not in the
 * previous snapshot.
 *
 * @param skipped Positions that are not compared.
 */
export function changedValues(
  before: unknown[] | null,
  row: readonly unknown[],
  skipped: readonly number[],
): ChangedValue[] | undefined {
  if (before === null || isLeftRow(before)) return undefined;
  const changed: ChangedValue[] = [];
  for (const position of COMPARED) {
    if (skipped.includes(position)) continue;
    const then = filedAt(before, position);
    const now = filedAt(row, position);
    const isEqual = position === MAILING_AT
      ? isSameMailing(before, row)
      : isSame(position, then, now);
    if (!isEqual) changed.push({ position, then, now });
  }
  return changed;
}

/** The filed value, or in its place the text that could not be used. */
export interface FiledValue {
  value: unknown;
  refused?: string;
}

function filedAt(row: readonly unknown[], position: number): FiledValue {
  const value = row[position] ?? ABSENT;
  if (value !== ABSENT) return { value };
  const refused = (row[REFUSED_AT] as Record<string, string> | undefined | typeof ABSENT) || {};
  const text = refused[RECORD_COLUMNS[position]![0]];
  return text === undefined ? { value } : { value, refused: text };
}

function isSame(position: number, then: FiledValue, now: FiledValue): boolean {
  if (then.refused === now.refused) return isSameStored(then.value, now.value);
  if (!IS_DAY[position]) return false;
  // A date that was implausibly far ahead and becomes plausible later is the same filed value.
  const day = then.refused === undefined ? then.value : now.value;
  const refused = then.refused ?? now.refused;
  return isDayNumber(day) && digitsIn(refused!).slice(0, 8) === digitsIn(formatDate(day));
}

/** A row has the mailing address only where it differs from the physical one, which may have changed. */
function isSameMailing(then: readonly unknown[], now: readonly unknown[]): boolean {
  return PHYSICAL_AT.every((_, part) => mailingPart(then, part) === mailingPart(now, part));
}

function mailingPart(row: readonly unknown[], part: number): unknown {
  const parts = row[MAILING_AT] || [];
  return (parts as (string | null)[])[part] ?? row[PHYSICAL_AT[part]!] ?? ABSENT;
}

function digitsIn(text: string): string {
  return text.replaceAll(/\D/g, "");
}
