/**
 * What a report shows, in plain words, for the terminal and for the page: figures, each with a title, a
 * unit and labeled values, and the gates.
 *
 * @module
 */

import { boundWords, quantity } from "../compile/gates.ts";
import type { BuildReport, FileReport, GateResult } from "../compile/report.ts";
import type { Manifest } from "../snapshot/manifest.ts";
import { CARGO } from "../snapshot/members.ts";
import { plain } from "../text.ts";

/** Labeled values to draw. */
export interface Figure {
  /** Names the figure on the page, as an anchor. */
  id: string;
  title: string;
  /** What the values count, in the plural. `%`: values are percents of all carriers. */
  unit: string;
  /** What a reader must know to read it right. */
  explanation: string;
  rows: [label: string, value: number][];
  /** Values in time are drawn as columns, others as bars. */
  shape: "bars" | "columns";
  /** What the values are parts of, where they are. */
  whole?: number;
}

/** The two files, with their names in plain words, in the order to show them. */
export const FILES = [
  ["census", "Company census"],
  ["inspections", "Vehicle inspections"],
] as const;

/** A figure's title, with the unit where the title does not name it. */
export function titleWithUnit({ title, unit }: Figure): string {
  if (title.toLowerCase().includes(unit)) return title;
  return `${title} (${unit === "%" ? "percent" : unit})`;
}

type DistributionName = keyof BuildReport["distributions"];

interface Words {
  title: string;
  /** What is counted. */
  unit: "carriers" | "dockets" | "inspections";
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
const NOT_REPORTED = { "not reported": "Not reported" };

/** In the order to show them. */
const DISTRIBUTION_WORDS: Record<DistributionName, Words> = {
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
  roles: {
    title: "Carriers by role",
    unit: "carriers",
    explanation: "As filed; a carrier may have several.",
    labels: {
      B: "Broker",
      C: "Carrier",
      F: "Freight forwarder",
      I: "Intermodal equipment provider",
      R: "Registrant",
      S: "Shipper",
      T: "Cargo tank facility",
      ...NOT_REPORTED,
    },
  },
  classes: {
    title: "Carriers by class of operation",
    unit: "carriers",
    explanation: "As filed; a carrier may have several. The 30 most frequent.",
    labels: NOT_REPORTED,
  },
  cargo: {
    title: "Carriers by cargo",
    unit: "carriers",
    explanation: "As marked on the form; a carrier may mark several.",
    labels: { ...CARGO, ...NOT_REPORTED },
  },
  business_form: {
    title: "Carriers by business form",
    unit: "carriers",
    explanation: "As filed. The 10 most frequent.",
    labels: NOT_REPORTED,
  },
  hazmat: {
    title: "Carriers by hazardous materials",
    unit: "carriers",
    explanation: "Whether the census marks the carrier as one that moves hazardous materials.",
    labels: { Y: "Yes", N: "No", ...NOT_REPORTED },
  },
  rating: {
    title: "Carriers by safety rating",
    unit: "carriers",
    explanation: "Most carriers were never rated, which says nothing about them.",
    labels: { S: "Satisfactory", C: "Conditional", U: "Unsatisfactory", "not rated": "Not rated" },
  },
  rating_age_years: {
    title: "Age of the safety rating",
    unit: "carriers",
    explanation: "Whole years from the rating to the data date, of rated carriers.",
    labels: { ...YEARS, "no date": "No date on file" },
  },
  review_type: {
    title: "Carriers by type of the last review",
    unit: "carriers",
    explanation: "FMCSA's code, as filed.",
    labels: NOT_REPORTED,
  },
  prior_revoked: {
    title: "Carriers by prior revocation",
    unit: "carriers",
    explanation: "Whether a registration was revoked before, as filed by the carrier.",
    labels: { Y: "Yes", N: "No", ...NOT_REPORTED },
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
    labels: { A: "Active", I: "Inactive", P: "Pending", ...NOT_REPORTED },
  },
  states: {
    title: "Carriers by state or province",
    unit: "carriers",
    explanation: "By the physical address, largest first, at most 60.",
    labels: NOT_REPORTED,
  },
  mcs150_age_years: {
    title: "Age of the last MCS-150",
    unit: "carriers",
    explanation: "Whole years from the last filing to the data date. It is due every two years.",
    labels: { ...YEARS, never: "No date on file" },
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
export function distributionFigures(report: BuildReport): Figure[] {
  return (Object.keys(DISTRIBUTION_WORDS) as DistributionName[]).map((name) => {
    const { title, unit, explanation, labels = {}, shape = "bars" } = DISTRIBUTION_WORDS[name];
    // A snapshot of an earlier version of this program lacks the newer ones.
    const rows = (report.distributions[name] ?? []).map(([label, count]): [string, number] => [
      Object.hasOwn(labels, label) ? labels[label]! : label,
      count,
    ]);
    // Not the sum of the rows: the states are only the largest ones.
    const whole = {
      carriers: report.census.accepted,
      dockets: rows.reduce((sum, [, count]) => sum + count, 0),
      inspections: report.inspections.in_window,
    }[unit];
    return { id: name, title, unit, explanation, rows, shape, whole };
  });
}

/** What became of the rows of one file. */
export function rowsFigure(report: BuildReport, role: "census" | "inspections"): Figure {
  const file: FileReport = report[role];
  const rows: Figure["rows"] = [
    ["Rows read", file.rows],
    ["Accepted", file.accepted],
    ["Skipped", file.skipped],
    ["Rejected", file.rejected],
  ];
  if (role === "inspections") {
    const { in_window, unknown_carrier } = report.inspections;
    rows.push(["In the window", in_window], ["Carrier unknown", unknown_carrier]);
  }
  return {
    id: `rows_${role}`,
    title: `${FILES.find(([key]) => key === role)![1]}: rows read and used`,
    unit: "rows",
    explanation: role === "census"
      ? "Skipped rows have no carrier; rejected rows could not be used."
      : "The window is 24 months. Inspections of a USDOT number that the census lacks are not used.",
    rows,
    shape: "bars",
  };
}

/** Problems of both files with one treatment, the most frequent first. */
export function problemsFigure(
  report: BuildReport,
  treatment: FileReport["problems"][number]["treatment"],
): Figure {
  const counts = new Map<string, number>();
  for (const problem of FILES.flatMap(([role]) => report[role].problems)) {
    if (problem.treatment !== treatment) continue;
    counts.set(problem.reason, (counts.get(problem.reason) ?? 0) + problem.count);
  }
  const rows = [...counts]
    .map(([reason, count]): [string, number] => [reasonWords(reason), count])
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const ofRows = treatment !== "repaired";
  return {
    id: `problems_${treatment}`,
    title: ofRows
      ? `Rows ${treatment} in both files, by reason`
      : "Fields repaired in both files, by reason",
    unit: ofRows ? "rows" : "fields",
    explanation: ofRows
      ? "These rows are not in the snapshot."
      : "The row is in the snapshot; the field was repaired or omitted.",
    rows,
    shape: "bars",
  };
}

/** How often each member of a record is blank. */
export function nullRatesFigure(report: BuildReport): Figure {
  return {
    id: "null_rates",
    title: "Carriers without a value, by member",
    unit: "%",
    explanation: "Percent of all carriers for which the files leave the member blank.",
    rows: Object.entries(report.null_rates),
    shape: "bars",
  };
}

export function holdings({ counts }: Pick<Manifest, "counts">): Figure["rows"] {
  return [
    ["Carriers", counts.carriers],
    ["Carriers active", counts.active],
    ["Carriers inactive", counts.inactive],
    ["Carriers pending", counts.pending],
    ["Carriers inspected in the window", counts.carriers_inspected],
    ["Inspections of these carriers", counts.inspections],
    ["Dockets", counts.dockets],
  ];
}

/** Shown with the gates of a report without a comparison. */
export const FIRST_BUILD = "Not compared with an earlier snapshot: absolute bounds only.";

export interface GateRow {
  name: string;
  measured: string;
  bound: string;
  verdict: "passed" | "broken" | "overridden";
}

/** The gates of a report, broken ones first. */
export function gateRows(gates: readonly GateResult[]): GateRow[] {
  const rows = gates.map(({ name, measured, unit, bound, passed, overridden }): GateRow => ({
    name: name.replaceAll("_", " "),
    measured: quantity(measured, unit),
    bound: boundWords(bound, unit),
    verdict: passed ? "passed" : overridden ? "overridden" : "broken",
  }));
  return [
    ...rows.filter(({ verdict }) => verdict !== "passed"),
    ...rows.filter(({ verdict }) => verdict === "passed"),
  ];
}

/** A change since the previous snapshot that a person should review, in percent. */
export const NOTABLE_CHANGE = 5;

/** Whether a drift row is to be marked: changed by more than {@link NOTABLE_CHANGE}, or new. */
export function isNotable(now: number, percent: number | null): boolean {
  return percent === null ? now !== 0 : Math.abs(percent) > NOTABLE_CHANGE;
}

/** A reason such as `ragged_row` as words. */
export function reasonWords(reason: string): string {
  return reason.replaceAll("_", " ").replace("usdot", "USDOT").replace("utf8", "UTF-8");
}

/** A copy whose strings show what cannot be seen as `\uXXXX`: labels and examples may be hostile. */
export function visible<T>(value: T): T {
  if (typeof value === "string") return plain(value) as T;
  if (Array.isArray(value)) return value.map(visible) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [plain(key), visible(member)]),
  ) as T;
}
