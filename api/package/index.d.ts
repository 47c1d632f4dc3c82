/** The types of the package: a test assigns index.ts to them. */

import type { CarrierRecord, LeftCarrier } from "../../pipeline/snapshot/record/record.ts";

export type { CarrierRecord, LeftCarrier };

/** Where the bytes of a snapshot come from. */
export interface Source {
  /** For messages. */
  readonly name: string;
  /** The bytes of an object as stored, or null when there is none. */
  get(path: string, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer> | null>;
}

/** The snapshot that an answer is from. */
export interface AnsweringSnapshot {
  id: string;
  /** Date of the census file, `YYYY-MM-DD`. */
  data_date: string;
  manifest_sha256: string;
  /** Present when the data is not, or not only, FMCSA's. */
  notice?: string;
}

export interface FoundCarrier {
  dot: number;
  name: string;
  dba_name: string | null;
  city: string;
  state: string;
  power_units: number;
  active: boolean;
  /** Words of the query that its names and place have in no spelling. */
  unmatched: string[];
}

export interface DayOption {
  /** Answers from the snapshot of a past day, `YYYY-MM-DD`. */
  asOf?: string | undefined;
}

export interface RulesOptions extends DayOption {
  /** The day of the checks, `YYYY-MM-DD`: by default `asOf`, or the day in New York. */
  today?: string | undefined;
}

/** One of the six checks. */
export interface CarrierCheck {
  id: string;
  label: string;
  state: "ok" | "warn" | "bad" | "info";
  data: "used" | "missing" | "unusable" | "not_applicable";
  detail: string;
}

/** The Carrier of the API without `page_url`; openapi.json of the service describes all members. */
export interface CheckedCarrier {
  dot: string;
  name: string;
  status: "active" | "inactive";
  verdict: string;
  issues: number;
  checks: CarrierCheck[];
  findings: object[];
  mcs150: {
    last_filed: string | null;
    next_due: string | null;
    days_until_due: number | null;
    state: string;
  };
}

/** What a rate confirmation says of a carrier. */
export interface GivenFields {
  /** With its prefix: `MC 143229`. */
  mc?: string | undefined;
  name?: string | undefined;
  city?: string | undefined;
  state?: string | undefined;
  phone?: string | undefined;
  zip?: string | undefined;
}

export type MatchWord = "match" | "close" | "different" | "unknown";

export interface MatchedFields {
  dot: string;
  name: string;
  status: "active" | "inactive";
  /** The worst of the fields. */
  result: MatchWord;
  fields: {
    field: string;
    given: string;
    filed: string[];
    result: MatchWord;
    note: string | null;
  }[];
}

/** Carriers of the current snapshot of a root, or of past ones. */
export interface Carriers {
  /** The record of a USDOT number, or what is kept of a carrier that left; null when there is neither. */
  carrier(
    dot: number,
    options?: DayOption,
  ): Promise<{ snapshot: AnsweringSnapshot; carrier: CarrierRecord | LeftCarrier | null }>;
  /** USDOT numbers that list a docket such as `MC` 143229; often one. */
  docket(
    prefix: "MC" | "MX" | "FF",
    number: number,
    options?: DayOption,
  ): Promise<{ snapshot: AnsweringSnapshot; dots: number[] }>;
  /** Carriers by name, with a city or state if given, the likeliest first; null without a search index. */
  search(
    query: string,
    options?: DayOption & { limit?: number },
  ): Promise<{ snapshot: AnsweringSnapshot; results: FoundCarrier[] | null }>;
  /** The carrier with verdict, findings and six checks; null when the census has none. */
  check(
    dot: number,
    options?: RulesOptions,
  ): Promise<{ snapshot: AnsweringSnapshot; carrier: CheckedCarrier | null }>;
  /** Compares a name, place, phone and docket with a carrier; null when the census has none. */
  match(
    dot: number,
    given: GivenFields,
    options?: RulesOptions,
  ): Promise<{ snapshot: AnsweringSnapshot; match: MatchedFields | null }>;
}

/** Opens the snapshots at an http(s) address, or from a source of your own. Reads nothing yet. */
export function openCarriers(from: string | Source): Carriers;

/** No snapshot can answer now. */
export class SnapshotUnavailable extends Error {}

/** A day is before the first snapshot that is kept. */
export class NotKept extends Error {
  /** Data date of the first, `YYYY-MM-DD`. */
  readonly first: string;
}
