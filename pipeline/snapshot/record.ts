/**
 * The carrier record: what the regulator's two files say about one USDOT number, and nothing else.
 * No verdict, no "today". An absent member means the file leaves it blank. Written out in FORMAT.md.
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

/** Roadside inspections inside the snapshot's window (see {@link Manifest.window}). */
export interface InspectionSummary {
  total: number;
  /** `YYYY-MM-DD`. */
  last: string;
  violations: number;
  vehicle: InspectionKind;
  driver: InspectionKind;
  hazmat: InspectionKind;
}

/** One carrier of the census file, joined with its inspections. Members stand in this order. */
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
  /** Present and true when the census says `Y`, false when `N`. */
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
