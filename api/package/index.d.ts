/** The types of the package. A test checks that index.ts conforms to them. */

import type { CarrierRecord, LeftCarrier } from "../../pipeline/snapshot/record/record.ts";

export type { CarrierRecord, LeftCarrier };

/** Where the bytes of a snapshot come from. */
export interface Source {
  /** Name to use in error messages. */
  readonly name: string;
  /** The bytes of an object as stored; null if there is no object at that path. */
  get(path: string, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer> | null>;
}

/** The snapshot that an answer comes from. */
export interface AnsweringSnapshot {
  id: string;
  /** Date of the census file, `YYYY-MM-DD`. */
  data_date: string;
  manifest_sha256: string;
  /** Present when some or all of the data is not FMCSA's. */
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
  /** Words of the query that neither its names nor its place contain, even misspelled. */
  unmatched: string[];
}

export interface DayOption {
  /** Answers from the snapshot with the newest data date on or before this day, `YYYY-MM-DD`. */
  asOf?: string | undefined;
}

export interface RulesOptions extends DayOption {
  /** Day to run the checks for, `YYYY-MM-DD`. @default {asOf, or else today in New York} */
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

/** The API's Carrier without `page_url`. The service's openapi.json describes all of its members. */
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

/** What a rate confirmation says about a carrier. */
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
  /** The worst result of any field. */
  result: MatchWord;
  fields: {
    field: string;
    given: string;
    filed: string[];
    result: MatchWord;
    note: string | null;
  }[];
}

/** The carriers of a root's current snapshot, or of a past one. */
export interface Carriers {
  /** The record of a USDOT number, or what is left of one that is no longer in the census; null if there is neither. */
  carrier(
    dot: number,
    options?: DayOption,
  ): Promise<{ snapshot: AnsweringSnapshot; carrier: CarrierRecord | LeftCarrier | null }>;
  /** The USDOT numbers, usually one, that list a docket such as `MC` 143229. */
  docket(
    prefix: "MC" | "MX" | "FF",
    number: number,
    options?: DayOption,
  ): Promise<{ snapshot: AnsweringSnapshot; dots: number[] }>;
  /** Finds carriers by name, and by city or state if given, best match first; null without a search index. */
  search(
    query: string,
    options?: DayOption & { limit?: number },
  ): Promise<{ snapshot: AnsweringSnapshot; results: FoundCarrier[] | null }>;
  /** The carrier with verdict, findings and six checks; null if it is not in the census. */
  check(
    dot: number,
    options?: RulesOptions,
  ): Promise<{ snapshot: AnsweringSnapshot; carrier: CheckedCarrier | null }>;
  /** Compares a name, place, phone and docket with what a carrier filed; null if it is not in the census. */
  match(
    dot: number,
    given: GivenFields,
    options?: RulesOptions,
  ): Promise<{ snapshot: AnsweringSnapshot; match: MatchedFields | null }>;
}

/** Opens the snapshots at an http(s) URL, or from your own source. Reads nothing until the first call. */
export function openCarriers(from: string | Source): Carriers;

/** No snapshot can be read at the moment. */
export class SnapshotUnavailable extends Error {}

/** The requested day is before the first snapshot that is kept. */
export class NotKept extends Error {
  /** Data date of the first snapshot that is kept, `YYYY-MM-DD`. */
  readonly first: string;
}
