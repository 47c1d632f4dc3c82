/**
 * The members of a census row, by kind, from its fields.
 *
 * @module
 */

import { MARKS, type Member, VEHICLE_PLACE } from "../snapshot/record/members.ts";
import { CENSUS_FIELDS } from "./columns.ts";
import { foldText, parseDay, parseWholeNumber } from "./fields.ts";
import type { Reason } from "./problems.ts";

/** The index of each field by its name. */
export const FIELD: Readonly<Record<string, number>> = Object.fromEntries(
  CENSUS_FIELDS.map(({ name }, i) => [name, i]),
);

export interface CensusFields {
  dot: number;
  isBlank(field: number): boolean;
  /** The decoded text of the field at an index of CENSUS_FIELDS, with white space as filed. */
  text(field: number): string;
  /** A day `YYYYMMDD` as `YYYY-MM-DD`. */
  isoDay(day: number): string;
  /** Called for each problem; `field` is the column's name, `value` its text. */
  problem(reason: Reason, field: string, value: string): void;
}

/** Reads one member of a row; undefined where the census leaves it blank. */
type Read = (row: CensusFields, latest: number) => unknown;

/** Returns the reader of a member of a kind. `field` is its only field, or the first of several. */
export function reader(kind: Member["kind"], field: number, codes: string): Read {
  switch (kind) {
    case "text":
      return (row) => text(row, field) || undefined;
    case "place":
      return (row) => without(text(row, field), "US");
    case "list":
      return (row) => list(row, field);
    case "code":
      return (row) => code(row, field, codes);
    case "letter":
      return (row) => letter(row, field, codes);
    case "flag":
      return (row) => flag(row, field);
    case "mark":
      return (row) => code(row, field, "U") && true;
    case "count":
      return (row) => count(row, field);
    case "year":
      return (row) => count(row, field) || undefined;
    case "decimal":
      return (row) => decimal(row, field);
    case "day":
      return (row, latest) => day(row, field, latest);
    case "phone":
      return (row) => phone(row, field);
    case "duns":
      return (row) => duns(row, field);
    case "address":
      return (row) => mailing(row, field);
    case "marks":
      return (row) => marks(row, field);
    case "counts":
      return (row) => counts(row, field);
    case "sums":
      return (row) => sums(row, field);
  }
}

function without(value: string, usual: string): string | undefined {
  return value === "" || value === usual ? undefined : value;
}

function text(row: CensusFields, field: number): string {
  const raw = row.text(field);
  if (raw === "") return raw;
  const folded = foldText(raw);
  if (folded.repair) problem(row, folded.repair, field, folded.text);
  return folded.text;
}

/** Counts a problem of a field. */
export function problem(row: CensusFields, reason: Reason, field: number, value: string): void {
  row.problem(reason, CENSUS_FIELDS[field]!.name, value);
}

function code(row: CensusFields, field: number, known: string): string | undefined {
  const value = row.text(field).trim();
  if (value === "") return undefined;
  if (value.length === 1 && known.includes(value)) return value;
  problem(row, "unknown_code", field, value);
  return undefined;
}

function letter(row: CensusFields, field: number, known: string): string | undefined {
  const value = text(row, field);
  if (value === "") return undefined;
  if (value.length !== 1 || !known.includes(value)) problem(row, "unknown_code", field, value);
  return value;
}

function list(row: CensusFields, field: number): string[] | undefined {
  const value = text(row, field);
  if (value === "") return undefined;
  // Never split on commas: PRIVATE PASSENGER, NON-BUSINESS is one class.
  if (!value.includes(";")) return [value];
  const items = value.split(";").map((item) => item.trim()).filter((item) => item !== "");
  return items.length > 0 ? items : undefined;
}

/** Mileages have up to 10 digits. */
const MOST_DIGITS = 10;

function count(row: CensusFields, field: number): number | undefined {
  return countIn(row, field, row.text(field).trim());
}

function countIn(row: CensusFields, field: number, value: string): number | undefined {
  const parsed = parseWholeNumber(value, MOST_DIGITS);
  if (parsed.kind === "number") {
    if (parsed.float) problem(row, "float_number", field, value);
    return parsed.value;
  }
  if (parsed.kind === "bad") problem(row, "bad_number", field, value);
  return undefined;
}

function decimal(row: CensusFields, field: number): number | undefined {
  const value = row.text(field).trim();
  if (value === "") return undefined;
  // FMCSA files three decimals. No value needs an exponent, which languages write in different ways.
  if (/^\d{0,6}(\.\d{0,4}0*)?$/.test(value) && value !== ".") return Number(value);
  problem(row, "bad_number", field, value);
  return undefined;
}

function flag(row: CensusFields, field: number): boolean | undefined {
  const value = code(row, field, "YN");
  return value === undefined ? undefined : value === "Y";
}

function day(row: CensusFields, field: number, latest: number): string | undefined {
  const value = row.text(field).trim();
  const parsed = parseDay(value, latest);
  if (parsed > 0) return row.isoDay(parsed);
  if (parsed < 0) problem(row, "bad_date", field, value);
  return undefined;
}

const NORTH_AMERICAN = /^[2-9]\d\d[2-9]\d{6}$/;

/** The digits of a phone number. Any other text, such as `0` or `01012022`, is counted and gives undefined. */
function phone(row: CensusFields, field: number): string | undefined {
  const value = row.text(field);
  if (NORTH_AMERICAN.test(value)) return value;
  const digits = value.replace(/\D/g, "").replace(/^1(?=\d{10}$)/, "");
  if (NORTH_AMERICAN.test(digits)) return digits;
  const country = row.text(FIELD.PHY_COUNTRY!);
  const abroad = country !== "" && country !== "US" && country !== "CA";
  if (abroad && /^\d{8,15}$/.test(digits) && !/^(\d)\1*$/.test(digits)) return digits;
  if (value.trim() !== "") problem(row, "bad_phone", field, "");
  return undefined;
}

/** Nine digits; `--` stands for none. */
function duns(row: CensusFields, field: number): string | undefined {
  const value = row.text(field).trim();
  if (/^\d{9}$/.test(value) && value !== "000000000") return value;
  if (/[1-9A-Z]/i.test(value)) problem(row, "bad_number", field, value);
  return undefined;
}

const PHYSICAL = ["STREET", "CITY", "STATE", "ZIP", "COUNTRY"].map((part) => FIELD[`PHY_${part}`]!);

/** The mailing address, whose first field is `first`; undefined when it is the same as the physical address. */
function mailing(row: CensusFields, first: number): (string | null)[] | undefined {
  if (PHYSICAL.every((field, i) => row.text(field) === row.text(first + i))) return undefined;
  const parts = PHYSICAL.map((field, i) => {
    const part = without(text(row, first + i), "US") ?? "";
    const physical = without(foldText(row.text(field)).text, "US") ?? "";
    return part === physical ? null : part;
  });
  while (parts.at(-1) === null) parts.pop();
  return parts.length === 0 ? undefined : parts;
}

const ZERO = 48;
const COMMA = 44;
const MARK = "X".charCodeAt(0);

function marks(row: CensusFields, field: number): string | undefined {
  const value = row.text(field);
  let marked = "";
  let place = 0;
  for (let i = 0; i < value.length; i++) {
    const character = value.charCodeAt(i);
    if (character === COMMA) place++;
    else if (character === MARK) marked += MARKS[place]!;
    else problem(row, "unknown_code", field, value[i]!);
  }
  return marked || undefined;
}

/** Calls `each` with the position of each filled part of joined columns, and its count if it is one. */
function eachCount(
  row: CensusFields,
  field: number,
  each: (position: number, count: number | undefined) => void,
): void {
  const value = row.text(field);
  let position = 0;
  let start = 0;
  while (start < value.length) {
    let count = 0;
    let isPlain = true;
    let end = start;
    for (; end < value.length; end++) {
      const digit = value.charCodeAt(end) - ZERO;
      if (digit === COMMA - ZERO) break;
      isPlain &&= digit >= 0 && digit <= 9;
      count = count * 10 + digit;
    }
    if (isPlain && end - start <= MOST_DIGITS) {
      if (end > start) each(position, count);
    } else each(position, countIn(row, field, value.slice(start, end).trim()));
    start = end + 1;
    position++;
  }
}

function counts(row: CensusFields, field: number): (number | null)[] | undefined {
  const numbers: (number | null)[] = [];
  eachCount(row, field, (position, count) => {
    if (count === undefined) return;
    while (numbers.length < position) numbers.push(null);
    numbers.push(count);
  });
  return numbers.length === 0 ? undefined : numbers;
}

/** The position of each column of `vehicles` in its sums. */
const SUM_OF = Object.values(VEHICLE_PLACE);

function sums(row: CensusFields, field: number): number[] | undefined {
  const totals: number[] = [];
  eachCount(row, field, (column, count = 0) => {
    if (count === 0) return;
    const place = SUM_OF[column]!;
    while (totals.length <= place) totals.push(0);
    totals[place]! += count;
  });
  return totals.length === 0 ? undefined : totals;
}
