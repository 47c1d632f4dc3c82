/**
 * National out-of-service averages, as SAFER prints them: percent with two decimals, over the 24
 * months before the label date. They are not the thresholds of 49 CFR 385.407.
 *
 * QCMobile still returns the 2009-2010 row (20.72, 5.51, 4.50), so a difference from it is expected.
 *
 * @module
 */

/** The kinds of roadside inspection with a rate of their own. */
export type InspectionKindName = "vehicle" | "driver" | "hazmat";

/** One published average. */
export interface NationalAverage {
  /** Percent as published, not rounded further. */
  pct: number;
  /** Newest label date it was read under, `YYYY-MM-DD`. */
  labelDate: string;
}

/** Kinds in the order they are told. */
export const INSPECTION_KINDS: readonly InspectionKindName[] = ["vehicle", "driver", "hazmat"];

/** The averages in force. */
export const NATIONAL_AVERAGES: Readonly<Record<InspectionKindName, NationalAverage>> = {
  vehicle: { pct: 22.26, labelDate: "2026-08-31" },
  driver: { pct: 6.67, labelDate: "2026-08-31" },
  hazmat: { pct: 4.44, labelDate: "2026-02-27" },
};

/** Where the averages are published, and when that was last looked at. */
export const AVERAGES_SOURCE = {
  citation: "National averages of the SAFER Company Snapshot; inspection levels of FMCSA A&I",
  url: "https://ai.fmcsa.dot.gov/SafetyProgram/spRptRoadside.aspx?rpt=TEOOS",
  lastChecked: "2026-09-30",
} as const;
