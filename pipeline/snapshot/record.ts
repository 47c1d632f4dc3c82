/**
 * The carrier record: what FMCSA's two files say about one USDOT number, and nothing else. No verdict,
 * no "today"; an absent member is blank in the file. FORMAT.md describes it.
 *
 * @module
 */

/** A docket as filed: prefix (`MC`, `MX`, `FF`), number without leading zeros, record status. */
export interface Docket {
  prefix: string;
  number: number;
  /** `A`, `I` or `P`. A flag on the docket's record, not operating authority. */
  status?: string;
}

/** Inspections of one kind, and how many of them found an out-of-service violation of that kind. */
export interface InspectionKind {
  inspections: number;
  out_of_service: number;
}

/** Roadside inspections inside the snapshot's window (the manifest's `window`). */
export interface InspectionSummary {
  total: number;
  /** `YYYY-MM-DD`. */
  last: string;
  violations: number;
  vehicle: InspectionKind;
  driver: InspectionKind;
  hazmat: InspectionKind;
}

/** One carrier of the census file, joined with its inspections. Members are written in this order. */
export interface CarrierRecord {
  dot: number;
  /** White space folded; `""` where the census leaves it blank. */
  legal_name: string;
  dba_name?: string;
  city?: string;
  /** Two letters as filed (states, provinces). */
  state?: string;
  /** As filed; absent for `US` and for blank. */
  country?: string;
  /** `A` active, `I` inactive, `P` pending. */
  status: "A" | "I" | "P";
  /** `A` interstate, `B` intrastate hazmat, `C` intrastate non-hazmat. */
  operation?: "A" | "B" | "C";
  /** CARSHIP letters: C carrier, S shipper, B broker, R registrant, F forwarder, I equipment provider, T cargo tank. */
  roles?: string[];
  /** CLASSDEF phrases. */
  classes?: string[];
  power_units?: number;
  drivers?: number;
  /** True when the census says `Y`, false when `N`. */
  hazmat?: boolean;
  /** Day the MCS-150 was last filed, `YYYY-MM-DD`. */
  mcs150_date?: string;
  /** ADD_DATE. Not a first registration: see the reference on its meaning. */
  added?: string;
  rating?: "S" | "C" | "U";
  rating_date?: string;
  dockets?: Docket[];
  inspections?: InspectionSummary;
}

/** Whether a parsed value is an object and not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a parsed value is a whole number from 0. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

type Check = (value: unknown) => boolean;

const DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const isText: Check = (value) => typeof value === "string";
const isDay: Check = (value) => typeof value === "string" && DAY.test(value);
const isTexts: Check = (value) => Array.isArray(value) && value.every(isText);
const oneOf = (codes: string): Check => (value) =>
  typeof value === "string" && value.length === 1 && codes.includes(value);
const isKind: Check = (value) =>
  isObject(value) && isCount(value.inspections) && isCount(value.out_of_service);
const isDocket: Check = (value) =>
  isObject(value) && isText(value.prefix) && isCount(value.number) &&
  (value.status === undefined || isText(value.status));

const MEMBERS: Record<keyof CarrierRecord, Check> = {
  dot: isCount,
  legal_name: isText,
  dba_name: isText,
  city: isText,
  state: isText,
  country: isText,
  status: oneOf("AIP"),
  operation: oneOf("ABC"),
  roles: isTexts,
  classes: isTexts,
  power_units: isCount,
  drivers: isCount,
  hazmat: (value) => typeof value === "boolean",
  mcs150_date: isDay,
  added: isDay,
  rating: oneOf("SCU"),
  rating_date: isDay,
  dockets: (value) => Array.isArray(value) && value.every(isDocket),
  inspections: (value) =>
    isObject(value) && isCount(value.total) && isDay(value.last) && isCount(value.violations) &&
    isKind(value.vehicle) && isKind(value.driver) && isKind(value.hazmat),
};

const REQUIRED = ["dot", "legal_name", "status"] as const;
const CHECKS = Object.entries(MEMBERS);

/** Whether every member is what the format says. */
export function isRecord(value: unknown): boolean {
  if (!isObject(value) || REQUIRED.some((name) => value[name] === undefined)) return false;
  for (const [name, check] of CHECKS) {
    const member = value[name];
    if (member !== undefined && !check(member)) return false;
  }
  return true;
}
