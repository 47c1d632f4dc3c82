/**
 * Input and result of a check, and how sentences name FMCSA's files.
 *
 * @module
 */
import type { Manifest } from "../../pipeline/snapshot/manifest.ts";
import type { CarrierRecord } from "../../pipeline/snapshot/record/record.ts";
import { formatForPeople } from "../../pipeline/dates.ts";
import type { Mcs150Standing } from "./mcs150.ts";
import type { Check, Finding, Inspections24m } from "./schemas.ts";

/** Dates of a snapshot's files and the inspections counted, and a notice when it is a sample. */
export type SnapshotDates = Pick<
  Manifest,
  "data_date" | "inspections_date" | "orders_date" | "window" | "notice" | "gaps"
>;

/** A record, what is derived from it, and the day. */
export interface CheckInput {
  record: CarrierRecord;
  mcs150: Mcs150Standing;
  inspections: Inspections24m | null;
  /** `YYYY-MM-DD` in New York. */
  today: string;
  dates: SnapshotDates;
  /** As {@link censusOf}. */
  census: string;
}

/** The rule or publication a verdict applies, and a page with it. */
export interface Citation {
  citation: string;
  url: string;
}

/** The result of a check. */
export interface CheckResult extends Pick<Check, "state" | "data" | "summary"> {
  /** Sentences. */
  detail: readonly string[];
  /** None when no rule is applied. */
  cited?: Citation;
  /** Whether the file of out-of-service orders decides the result, and so is its source. */
  ofOrders?: boolean;
  /** What needs review; always present in states `bad` and `warn`. */
  found?: CheckFinding;
}

/** A finding in a few words, and the ordinary reasons for it. */
export type CheckFinding = Pick<Finding, "text" | "reasons">;

/** A check, and what in it needs review. */
export interface Checked {
  check: Check;
  found: CheckFinding | undefined;
}

/** `FMCSA's census of Oct 3, 2026`, or `this sample`: its few census rows may be older than its date. */
export function censusOf(
  { data_date, notice }: { data_date: string; notice?: string | undefined },
): string {
  return notice === undefined ? `FMCSA's census of ${formatForPeople(data_date)}` : "this sample";
}

/** For a carrier that is missing: `not in FMCSA's census of Oct 3, 2026`, or that it left and when it was last seen. */
export function absenceWords(
  census: string,
  lastSeen: string | undefined,
): string {
  return lastSeen === undefined
    ? `not in ${census}`
    : `no longer in ${census}, last seen on ${formatForPeople(lastSeen)}`;
}

/** The class whose carriers need operating authority. Always quoted as filed, never stated as ours. */
export const FOR_HIRE_CLASS = "AUTHORIZED FOR HIRE";
