/**
 * The distributions of a report in plain words.
 *
 * @module
 */

import type { BuildReport } from "../compile/report.ts";
import { CARGO } from "../snapshot/members.ts";
import { capitalized, counted, share } from "../text.ts";
import { number, type ReportTable } from "./table.ts";

type DistributionName = keyof BuildReport["distributions"];

interface Words {
  title: string;
  /** What is counted. @default {"carriers"} */
  unit?: "carriers" | "dockets" | "inspections";
  explanation: string;
  /** Words for the labels; others are shown as they are. */
  labels?: Record<string, string>;
  shape?: "columns";
}

const YEARS = {
  "0": "Under 1 year",
  "1": "1 year",
  ...Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`${i + 2}`, `${i + 2} years`])),
  "10+": "10 years or more",
};

/** In the order to show them. */
const DISTRIBUTION_WORDS: Record<DistributionName, Words> = {
  status: {
    title: "Carriers by USDOT status",
    explanation: "The status of the number in the census. It is not operating authority.",
    labels: { A: "Active", I: "Inactive", P: "Pending" },
  },
  operation: {
    title: "Carriers by operation",
    explanation: "As the carrier filed it.",
    labels: { A: "Interstate", B: "Intrastate, hazardous", C: "Intrastate, other" },
  },
  roles: {
    title: "Carriers by role",
    explanation: "As filed; a carrier may have several.",
    labels: {
      B: "Broker",
      C: "Carrier",
      F: "Freight forwarder",
      I: "Intermodal equipment provider",
      R: "Registrant",
      S: "Shipper",
      T: "Cargo tank facility",
    },
  },
  classes: {
    title: "Carriers by class of operation",
    explanation: "As filed; a carrier may have several. The 30 most frequent.",
  },
  cargo: {
    title: "Carriers by cargo",
    explanation: "As marked on the form; a carrier may mark several.",
    labels: { ...CARGO },
  },
  business_form: {
    title: "Carriers by business form",
    explanation: "As filed. The 10 most frequent.",
  },
  hazmat: {
    title: "Carriers by hazardous materials",
    explanation: "Whether the census marks the carrier as one that moves hazardous materials.",
    labels: { Y: "Yes", N: "No" },
  },
  rating: {
    title: "Carriers by safety rating",
    explanation: "Most carriers were never rated, which says nothing about them.",
    labels: { S: "Satisfactory", C: "Conditional", U: "Unsatisfactory", "not rated": "Not rated" },
  },
  rating_age_years: {
    title: "Age of the safety rating",
    explanation: "Whole years from the rating to the data date, of rated carriers.",
    labels: { ...YEARS, "no date": "No date on file" },
  },
  review_type: {
    title: "Carriers by type of the last review",
    explanation: "FMCSA's code, as filed.",
  },
  prior_revoked: {
    title: "Carriers by prior revocation",
    explanation: "Whether a registration was revoked before, as filed by the carrier.",
    labels: { Y: "Yes", N: "No" },
  },
  docket_prefix: {
    title: "Dockets by prefix",
    unit: "dockets",
    explanation: "As filed.",
  },
  docket_status: {
    title: "Dockets by status",
    unit: "dockets",
    explanation: "A flag of the docket's record. It is not operating authority.",
    labels: { A: "Active", I: "Inactive", P: "Pending" },
  },
  states: {
    title: "Carriers by state or province",
    explanation: "By the physical address, largest first, at most 60.",
  },
  mcs150_age_years: {
    title: "Age of the last MCS-150",
    explanation: "Whole years from the last filing to the data date. It is due every two years.",
    labels: { ...YEARS, never: "No date on file" },
  },
  fleet: {
    title: "Fleet sizes",
    explanation: "Power units as the carrier filed them.",
    labels: {
      "0": "No power unit",
      "1": "1 power unit",
      "2-5": "2 to 5",
      "6-20": "6 to 20",
      "21-100": "21 to 100",
      "101-1000": "101 to 1,000",
      "1001+": "Over 1,000",
    },
  },
  inspections_per_month: {
    title: "Inspections per month",
    unit: "inspections",
    explanation:
      "Roadside inspections in the window of 24 months; its first and last month are rarely whole, and states report late.",
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
  inspection_states: {
    title: "Inspections by state",
    unit: "inspections",
    explanation: "By the state that reported them, largest first, at most 60.",
  },
  out_of_service: {
    title: "Inspections by kind",
    unit: "inspections",
    explanation:
      "Inspections that count for each kind, and those that found an out-of-service violation of it.",
    labels: {
      vehicle: "Vehicle",
      "vehicle out of service": "Vehicle, out of service",
      driver: "Driver",
      "driver out of service": "Driver, out of service",
      hazmat: "Hazmat",
      "hazmat out of service": "Hazmat, out of service",
    },
  },
};

/** Every distribution, in the order to show them. */
export function distributionTables(report: BuildReport): ReportTable[] {
  return (Object.keys(DISTRIBUTION_WORDS) as DistributionName[]).map((name) => {
    const { title, unit = "carriers", explanation, shape = "bars", labels: own } =
      DISTRIBUTION_WORDS[name];
    const labels: Record<string, string> = { "not reported": "Not reported", ...own };
    // A snapshot of an earlier version of this program lacks the newer ones.
    const rows = report.distributions[name] ?? [];
    // Not the sum of the rows: the states are only the largest ones.
    const whole = {
      carriers: report.census.accepted,
      dockets: rows.reduce((sum, [, count]) => sum + count, 0),
      inspections: report.inspections.in_window,
    }[unit];
    return {
      id: name,
      title: title.toLowerCase().includes(unit) ? title : `${title} (${unit})`,
      notes: [explanation],
      columns: [
        { title: "Label" },
        number(capitalized(unit)),
        number("Share"),
      ],
      rows: rows.map(([label, count]) => ({
        cells: [
          Object.hasOwn(labels, label) ? labels[label]! : label,
          counted(count),
          share(count, whole),
        ],
        value: count,
      })),
      chart: { shape },
    };
  });
}
