/**
 * The carrier record: only what FMCSA's files say about one USDOT number. It has no verdict and no "today";
 * an absent member is blank in the file. FORMAT.md describes it.
 *
 * @module
 */

/** Maximum number of inspections that a record lists individually. */
export const MAX_INSPECTIONS = 50;

/** Maximum number of names of other carriers that a record lists. */
export const MAX_NAMES = 5;

/** Maximum number of changes that a record lists. */
export const MAX_CHANGES = 100;

/** Maximum number of out-of-service orders that a record lists. */
export const MAX_ORDERS = 20;

/**
 * One inspection: days before the window's end, state (`""` when unknown), level (0 when unknown), then
 * numbers: all violations; for vehicle, driver and hazmat, the violations and those out of service;
 * {@link INSPECTION_FLAG}. Trailing zeros are omitted.
 */
export type InspectionRow = [ago: number, state: string, ...numbers: number[]];

/** The last number of an {@link InspectionRow}. */
export const INSPECTION_FLAG = { hazmat: 1, postCrash: 2 } as const;

/**
 * Numbers of inspections, each followed by the number with an out-of-service violation: by calendar month
 * from the oldest, by state, by level.
 */
export interface InspectionSums {
  months: number[];
  states: (string | number)[];
  levels: number[];
}

/** An inspection to sum: its month from 0, state, level, and whether it found an out-of-service violation. */
export type Summed = readonly [month: number, state: string, level: number, isOut: boolean];

/** The sums of inspections in a window of `monthCount` months. States are sorted by count, levels by level. */
export function sumInspections(
  inspections: Iterable<Summed>,
  monthCount: number,
): InspectionSums {
  const months: number[] = new Array(2 * monthCount).fill(0);
  const states = new Map<string, [number, number]>();
  const levels = new Map<number, [number, number]>();
  for (const [month, state, level, isOut] of inspections) {
    const out = isOut ? 1 : 0;
    months[2 * month]! += 1;
    months[2 * month + 1]! += out;
    addPair(states, state, out);
    addPair(levels, level, out);
  }
  return {
    months,
    states: [...states].sort(([a, [m]], [b, [n]]) => n - m || (a < b ? -1 : 1))
      .flatMap(([state, pair]) => [state, ...pair]),
    levels: [...levels].sort(([a], [b]) => a - b).flatMap(([level, pair]) => [level, ...pair]),
  };
}

function addPair<K>(pairs: Map<K, [number, number]>, key: K, out: number): void {
  const [count, outs] = pairs.get(key) ?? [0, 0];
  pairs.set(key, [count + 1, outs + out]);
}

/** A docket as filed: prefix (`MC`, `MX`, `FF`), number without leading zeros, record status. */
export interface Docket {
  prefix: string;
  number: number;
  /** `A`, `I` or `P`. A flag on the docket's record, not operating authority. */
  status?: string;
  /** All statuses, {@link status} first, if the row lists the docket with several. */
  statuses?: string[];
}

/** Inspections of one kind, and how many of them found an out-of-service violation of that kind. */
export interface InspectionKind {
  inspections: number;
  out_of_service: number;
}

/** A number of inspections, with the first and the last one as days before the window's end. */
export type InspectionSpan = [inspections: number, first: number, last: number];

/** Roadside inspections inside the snapshot's window (the manifest's `window`). */
export interface InspectionSummary {
  total: number;
  /** `YYYY-MM-DD`. */
  last: string;
  violations: number;
  vehicle: InspectionKind;
  driver: InspectionKind;
  hazmat: InspectionKind;
  /** The newest {@link MAX_INSPECTIONS}; a build always writes them. */
  latest?: InspectionRow[];
  /** Only with more than {@link MAX_INSPECTIONS} inspections, because `latest` then lacks some. */
  sums?: InspectionSums;
  /** Inspected as interstate; only of carriers registered as intrastate. */
  interstate?: InspectionSpan;
  /** Inspected with a hazmat placard; only of carriers not registered for hazmat. */
  placarded?: InspectionSpan;
  /** Inspected under a name that is neither the legal nor the DBA name. */
  renamed?: InspectionSpan;
  /** The most frequent names of `renamed`, at most {@link MAX_NAMES}. */
  names?: [name: string, ...InspectionSpan][];
}

/**
 * A row of FMCSA's file of out-of-service orders. Its dates alone decide its state: the file's STATUS is
 * that of the USDOT number, and is not kept.
 */
export interface OutOfServiceOrder {
  /** Day of the order, `YYYY-MM-DD`; absent only with `unusable`. */
  date?: string;
  /** As filed, white space folded; `""` where blank. */
  reason: string;
  /** Day of the rescission, which may be after the data date; absent where none is recorded. */
  rescinded?: string;
  /**
   * Both dates as filed, truncated, `""` where blank: one is impossible, the first is missing, or the second
   * is before the first. Then all that is known about the order is that the file has it.
   */
  unusable?: { date: string; rescinded: string };
}

/** Members whose filed value may be unusable. */
export const REFUSABLE = [
  "phone",
  "operation",
  "hazmat",
  "power_units",
  "drivers",
  "mileage",
  "mcs150_date",
  "added",
  "prior_revoked",
  "prior_revoked_dot",
  "review_date",
  "crash_rate",
  "rating",
  "rating_date",
  "mail_returned",
  "dockets",
] as const;

/** A member of {@link REFUSABLE}. */
export type RefusedMember = typeof REFUSABLE[number];

/** A filed value that changed between two snapshots. */
export interface RecordChange {
  /** Data date of the first snapshot with the new value, `YYYY-MM-DD`. */
  day: string;
  /**
   * A member of the census, `dockets` or `orders`; `dot` when the carrier appeared in the census, for the
   * first time since snapshots are kept or again.
   */
  member: string;
  /** The value before, absent where blank; for `dot` the data date of the last snapshot that had the carrier. */
  was?: unknown;
  /** The value before was filed but not usable: the text as filed. */
  wasRefused?: string;
  /** The value before is not kept: phone number, street, mailing address. */
  isHidden?: true;
}

/** A carrier that is no longer in the census. */
export interface LeftCarrier {
  dot: number;
  /** Data date of the last snapshot that had it, `YYYY-MM-DD`. */
  last_seen: string;
  changes?: RecordChange[];
}

/** One carrier of the census file, joined with its inspections. Members are written in this order. */
export interface CarrierRecord {
  dot: number;
  /** White space folded; `""` where the census leaves it blank. */
  legal_name: string;
  dba_name?: string;
  street?: string;
  city?: string;
  /** Two letters as filed (states, provinces). */
  state?: string;
  /** As filed: five digits, ZIP+4, a foreign code or a country's name. */
  zip?: string;
  /** As filed; absent for `US` and for blank. */
  country?: string;
  /**
   * Street, city, state, ZIP and country of the mailing address, null where the same as the physical
   * one, `""` where blank, nulls at the end cut off. Absent when all are the same.
   */
  mailing?: (string | null)[];
  /** The census marks the physical address as undeliverable. */
  undeliverable?: true;
  /** Day on which mail to the mailing address was found undeliverable. */
  mail_returned?: string;
  /** Digits only; ten for the United States and Canada. */
  phone?: string;
  business_form?: string;
  /** Nine digits. */
  duns?: string;
  /** `A` active, `I` inactive, `P` pending. */
  status: "A" | "I" | "P";
  /** `A` interstate, `B` intrastate hazmat, `C` intrastate non-hazmat. */
  operation?: "A" | "B" | "C";
  /** CARSHIP letters: C carrier, S shipper, B broker, R registrant, F forwarder, I equipment provider, T cargo tank. */
  roles?: string[];
  /** CLASSDEF phrases. */
  classes?: string[];
  power_units?: number;
  /** Counts by ownership and kind of vehicle, in the order of members.ts; trailing zeros omitted. */
  vehicles?: number[];
  drivers?: number;
  /**
   * Drivers by distance, interstate or intrastate, and with a CDL, in the order of members.ts; null where
   * blank, trailing nulls omitted.
   */
  driver_counts?: (number | null)[];
  /** A letter of MARKS for each column of CARGO that is marked. */
  cargo?: string;
  cargo_other?: string;
  /** True when the census says `Y`, false when `N`. */
  hazmat?: boolean;
  /** Miles; absent when 0 without a year. */
  mileage?: number;
  mileage_year?: number;
  /** Day the MCS-150 was last filed, `YYYY-MM-DD`. */
  mcs150_date?: string;
  /** ADD_DATE. Not a first registration: see the reference on its meaning. */
  added?: string;
  rating?: "S" | "C" | "U";
  rating_date?: string;
  /** A letter of REVIEW_TYPE as filed. */
  review_type?: string;
  review_date?: string;
  crash_rate?: number;
  /** PRIOR_REVOKE_FLAG, as the carrier filed it. */
  prior_revoked?: boolean;
  /** The number that was revoked, often the carrier's own. */
  prior_revoked_dot?: number;
  dockets?: Docket[];
  inspections?: InspectionSummary;
  /**
   * What the census has but this build could not use, by member: the text as filed, cut; `""` for a phone
   * number. Such a member is absent above, and is not blank in the file.
   */
  refused?: Partial<Record<RefusedMember, string>>;
  /** Changes of the last 24 months between snapshots, newest first; at most {@link MAX_CHANGES}. */
  changes?: RecordChange[];
  /**
   * Out-of-service orders, newest first, those with unusable dates last; at most {@link MAX_ORDERS}. Absent
   * when there are none, and in a snapshot that does not include orders (`orders_date` of the manifest).
   */
  orders?: OutOfServiceOrder[];
  /** How many orders the file has, where that is more than {@link MAX_ORDERS}. The oldest rescinded are left out. */
  orders_total?: number;
}

/** Whether a row is of a carrier in the census. */
export function isRecord(row: CarrierRecord | LeftCarrier): row is CarrierRecord {
  return "status" in row;
}

/** Whether a parsed value is an object and not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a parsed value is a whole number from 0. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
