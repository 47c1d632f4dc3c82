/**
 * The codes of a report in plain words.
 *
 * @module
 */

import type { BuildReport } from "../build/report.ts";

/** The distributions of a report. */
export type DistributionName = keyof BuildReport["distributions"];

/** What to say of a distribution. */
export interface Words {
  title: string;
  /** What is counted. */
  unit: "carriers" | "inspections";
  explanation: string;
  /** Words for the labels; one that is not here is shown as it is. */
  labels?: Record<string, string>;
  shape?: "columns";
}

const NOT_REPORTED = { "not reported": "Not reported" };

/** In the order to show them. */
export const DISTRIBUTION_WORDS: Record<DistributionName, Words> = {
  status: {
    title: "Carriers by USDOT status",
    unit: "carriers",
    explanation: "The status of the number in the census. It is not operating authority.",
    labels: { A: "Active", I: "Inactive", P: "Pending" },
  },
  operation: {
    title: "Carriers by operation",
    unit: "carriers",
    explanation: "As the carrier filed it.",
    labels: {
      A: "Interstate",
      B: "Intrastate, hazardous",
      C: "Intrastate, other",
      ...NOT_REPORTED,
    },
  },
  rating: {
    title: "Carriers by safety rating",
    unit: "carriers",
    explanation: "Most carriers were never rated, which says nothing about them.",
    labels: { S: "Satisfactory", C: "Conditional", U: "Unsatisfactory", "not rated": "Not rated" },
  },
  states: {
    title: "Carriers by state or province",
    unit: "carriers",
    explanation: "By the physical address, biggest first, at most 60.",
    labels: NOT_REPORTED,
  },
  mcs150_age_years: {
    title: "Age of the last MCS-150",
    unit: "carriers",
    explanation: "Whole years from the last filing to the data date. It is due every two years.",
    labels: {
      "0": "Under 1 year",
      "1": "1 year",
      ...Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`${i + 2}`, `${i + 2} years`])),
      "10+": "10 years or more",
      never: "No date on file",
    },
  },
  fleet: {
    title: "Fleet sizes",
    unit: "carriers",
    explanation: "Power units as the carrier filed them.",
    labels: {
      "0": "No power unit",
      "1": "1 power unit",
      "2-5": "2 to 5",
      "6-20": "6 to 20",
      "21-100": "21 to 100",
      "101-1000": "101 to 1,000",
      "1001+": "Over 1,000",
      ...NOT_REPORTED,
    },
  },
  inspections_per_month: {
    title: "Inspections per month",
    unit: "inspections",
    explanation:
      "Roadside inspections in the window of 24 months; its first and last month are seldom whole, and states report late.",
    shape: "columns",
  },
  inspection_levels: {
    title: "Inspections by level",
    unit: "inspections",
    explanation: "Roadside inspections in the window of 24 months.",
    labels: {
      "1": "1 full",
      "2": "2 walk-around",
      "3": "3 driver only",
      "4": "4 special",
      "5": "5 terminal",
      "6": "6 radioactive",
      "99": "99 invalid",
    },
  },
};

/** A reason such as `ragged_row` as words. */
export function reasonWords(reason: string): string {
  return reason.replaceAll("_", " ").replace("usdot", "USDOT").replace("utf8", "UTF-8");
}
