/**
 * One row of the Company Census File as a {@link CarrierRecord}.
 *
 * @module
 */

import type { CarrierRecord, Docket } from "../snapshot/record.ts";
import { CENSUS_WANTED } from "./columns.ts";
import { foldText, isoDay, parseDay, parseWholeNumber } from "./fields.ts";
import type { Reason } from "./problems.ts";

/** The index of each wanted column in a row of wanted fields. */
const F = Object.fromEntries(CENSUS_WANTED.map((name, i) => [name, i])) as Record<
  typeof CENSUS_WANTED[number],
  number
>;

const DOCKET_SLOTS = [
  [F.DOCKET1PREFIX, F.DOCKET1, F.DOCKET1_STATUS_CODE],
  [F.DOCKET2PREFIX, F.DOCKET2, F.DOCKET2_STATUS_CODE],
  [F.DOCKET3PREFIX, F.DOCKET3, F.DOCKET3_STATUS_CODE],
] as const;

export interface CensusFields {
  dot: number;
  /** The field in the order of CENSUS_WANTED, decoded, not folded. */
  text(field: number): string;
  /** Called for each problem; `field` is the column's name, `value` its text. */
  problem(reason: Reason, field: string, value: string): void;
}

/**
 * Makes a record of a row. Members are in the order of the type, so equal facts are equal bytes.
 *
 * @param options.latest The last believable day, `YYYYMMDD` as a number.
 * @returns Undefined when the status is neither A, I nor P: such a row is neither active nor inactive.
 */
export function toRecord(
  row: CensusFields,
  { latest }: { latest: number },
): CarrierRecord | undefined {
  const status = code(row, F.STATUS_CODE, "bad_status", ["A", "I", "P"]);
  if (status === undefined) {
    if (row.text(F.STATUS_CODE).trim() === "") row.problem("bad_status", "STATUS_CODE", "");
    return undefined;
  }
  const rating = code(row, F.SAFETY_RATING, "unknown_code", ["S", "C", "U"]);
  // One literal with undefined members, which JSON leaves out: adding members one by one makes
  // dozens of hidden classes, and printing the records takes twice as long.
  const record: { [K in keyof CarrierRecord]-?: CarrierRecord[K] | undefined } = {
    dot: row.dot,
    legal_name: text(row, F.LEGAL_NAME),
    dba_name: text(row, F.DBA_NAME) || undefined,
    city: text(row, F.PHY_CITY) || undefined,
    state: text(row, F.PHY_STATE) || undefined,
    country: country(row),
    status,
    operation: code(row, F.CARRIER_OPERATION, "unknown_code", ["A", "B", "C"]),
    roles: list(row, F.CARSHIP),
    classes: list(row, F.CLASSDEF),
    power_units: count(row, F.POWER_UNITS),
    drivers: count(row, F.TOTAL_DRIVERS),
    hazmat: flag(row, F.HM_Ind),
    mcs150_date: day(row, F.MCS150_DATE, latest),
    added: day(row, F.ADD_DATE, latest),
    rating,
    rating_date: rating && day(row, F.SAFETY_RATING_DATE, latest),
    dockets: dockets(row),
    inspections: undefined,
  };
  return record as CarrierRecord;
}

function text(row: CensusFields, field: number): string {
  const raw = row.text(field);
  if (raw === "") return raw;
  const folded = foldText(raw);
  if (folded.repair) row.problem(folded.repair, CENSUS_WANTED[field]!, folded.text);
  return folded.text;
}

function code<T extends string>(
  row: CensusFields,
  field: number,
  reason: Reason,
  known: readonly T[],
): T | undefined {
  const value = row.text(field).trim();
  if (value === "") return undefined;
  if ((known as readonly string[]).includes(value)) return value as T;
  row.problem(reason, CENSUS_WANTED[field]!, value);
  return undefined;
}

function country(row: CensusFields): string | undefined {
  const value = text(row, F.PHY_COUNTRY);
  return value === "" || value === "US" ? undefined : value;
}

function list(row: CensusFields, field: number): string[] | undefined {
  const value = text(row, field);
  if (value === "") return undefined;
  // Never split on commas: PRIVATE PASSENGER, NON-BUSINESS is one class.
  if (!value.includes(";")) return [value];
  const items = value.split(";").map((item) => item.trim()).filter((item) => item !== "");
  return items.length > 0 ? items : undefined;
}

function count(row: CensusFields, field: number): number | undefined {
  const value = row.text(field).trim();
  const parsed = parseWholeNumber(value);
  if (parsed.kind === "number") {
    if (parsed.float) row.problem("float_number", CENSUS_WANTED[field]!, value);
    return parsed.value;
  }
  if (parsed.kind === "bad") row.problem("bad_number", CENSUS_WANTED[field]!, value);
  return undefined;
}

function flag(row: CensusFields, field: number): boolean | undefined {
  const value = code(row, field, "unknown_code", ["Y", "N"]);
  return value === undefined ? undefined : value === "Y";
}

function day(row: CensusFields, field: number, latest: number): string | undefined {
  const value = row.text(field).trim();
  const parsed = parseDay(value, latest);
  if (parsed > 0) return isoDay(parsed);
  if (parsed < 0) row.problem("bad_date", CENSUS_WANTED[field]!, value);
  return undefined;
}

/** All dockets of the three slots; a repeated one keeps its position and its best status. */
function dockets(row: CensusFields): Docket[] | undefined {
  let found: Docket[] | undefined;
  for (const [prefixField, numberField, statusField] of DOCKET_SLOTS) {
    const digits = row.text(numberField).trim();
    if (digits === "") continue;
    const prefix = row.text(prefixField).trim();
    const parsed = parseWholeNumber(digits);
    if (parsed.kind === "number" && parsed.value === 0 && prefix === "") continue;
    if (parsed.kind !== "number" || parsed.value === 0 || !/^[A-Z]{1,3}$/.test(prefix)) {
      row.problem("bad_docket", CENSUS_WANTED[numberField]!, `${prefix} ${digits}`);
      continue;
    }
    if (parsed.float) row.problem("float_number", CENSUS_WANTED[numberField]!, digits);
    const status = row.text(statusField).trim();
    const twin = found?.find((d) => d.number === parsed.value && d.prefix === prefix);
    if (twin) {
      row.problem("repeated_docket", CENSUS_WANTED[numberField]!, `${prefix} ${digits}`);
      if (statusRank(status) > statusRank(twin.status ?? "")) twin.status = status;
    } else {
      const docket: Docket = { prefix, number: parsed.value };
      if (status !== "") docket.status = status;
      (found ??= []).push(docket);
    }
  }
  return found;
}

/** Active before pending before inactive before anything else. */
export function statusRank(status: string): number {
  return status === "A" ? 3 : status === "P" ? 2 : status === "I" ? 1 : 0;
}
