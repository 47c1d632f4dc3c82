/**
 * What every check reads and answers, and how FMCSA's files are named in sentences.
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

/** A record with what was derived from it, on a day. */
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

/** What a check answers. */
export interface CheckResult extends Pick<Check, "state" | "data" | "summary"> {
  /** Sentences. */
  detail: readonly string[];
  /** None when no rule is applied. */
  cited?: Citation;
  /** Whether the file of out-of-service orders decides; it is the source then. */
  ofOrders?: boolean;
  /** What needs a look; always there in state `bad` and `warn`. */
  found?: CheckFinding;
}

/** A finding in a few words, and the ordinary reasons for it. */
export type CheckFinding = Pick<Finding, "text" | "reasons">;

/** A check and what needs a look about it. */
export interface Checked {
  check: Check;
  found: CheckFinding | undefined;
}

/** `FMCSA's census of Oct 3, 2026`; a sample has few of its rows, and older than its date. */
export function censusOf(
  { data_date, notice }: { data_date: string; notice?: string | undefined },
): string {
  return notice === undefined ? `FMCSA's census of ${formatForPeople(data_date)}` : "this sample";
}

/** Where a carrier is not: `not in FMCSA's census of Oct 3, 2026`, or that it left and when it was last seen. */
export function absenceWords(
  census: string,
  lastSeen: string | undefined,
): string {
  return lastSeen === undefined
    ? `not in ${census}`
    : `no longer in ${census}, last seen on ${formatForPeople(lastSeen)}`;
}

/** The class whose carriers need operating authority; always quoted, never said of a carrier. */
export const FOR_HIRE_CLASS = "AUTHORIZED FOR HIRE";
