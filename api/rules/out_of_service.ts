/**
 * Roadside inspections of the window, their out-of-service rates, and how these compare with the
 * national averages. Levels counted: driver I, II, III, VI; vehicle I, II, V, VI; hazmat I to VI with
 * hazardous materials present (FMCSA A&I).
 *
 * @module
 */
import type { Manifest } from "../../pipeline/snapshot/manifest.ts";
import type { InspectionSummary } from "../../pipeline/snapshot/record/record.ts";
import { capitalized, plural } from "../../pipeline/text.ts";
import { formatForPeople } from "../../pipeline/dates.ts";
import type { CheckFinding, CheckInput, CheckResult } from "./check.ts";
import { listInspections } from "./inspections.ts";
// Percentages as published, not rounded further, oldest first. The page labeled the first ones as up to Aug 31,
// 2026 (hazmat: Feb 27, 2026).
import NATIONAL_AVERAGES from "./national_averages.json" with { type: "json" };
import type { InspectionRate, Inspections24m } from "./schemas.ts";

/** Kinds of roadside inspection that have a rate, in the order of every answer. */
export const INSPECTION_KINDS = ["vehicle", "driver", "hazmat"] as const;

export type InspectionKindName = typeof INSPECTION_KINDS[number];

/** The averages known for a day: the newest published by then; undefined before the first. */
export function averagesFor(day: string): typeof NATIONAL_AVERAGES[number] | undefined {
  return NATIONAL_AVERAGES.findLast(({ from }) => from <= day);
}

/** Where the averages are published, and when that page was last checked. */
export const AVERAGES_SOURCE = {
  citation: "National averages of the SAFER Company Snapshot; inspection levels of FMCSA A&I",
  url: "https://ai.fmcsa.dot.gov/SafetyProgram/spRptRoadside.aspx?rpt=TEOOS",
  lastChecked: "2026-09-30",
} as const;

/**
 * The 24-month summary, null when the window has no inspection.
 *
 * @param options.lists Whether to list inspections by month, state and level, and the latest.
 */
export function summarizeInspections(
  summary: InspectionSummary | undefined,
  { window, today, lists }: { window: Manifest["window"]; today: string; lists: boolean },
): Inspections24m | null {
  if (summary === undefined || summary.total === 0) return null;
  const averages = averagesFor(today);
  const rateOf = (kind: InspectionKindName): InspectionRate => {
    const { inspections, out_of_service } = summary[kind];
    return {
      inspections,
      out_of_service,
      rate_pct: inspections === 0 ? null : Math.round(1000 * out_of_service / inspections) / 10,
      national_average_pct: averages?.[kind] ?? null,
    };
  };
  return {
    ...window,
    total: summary.total,
    last_inspection: summary.last,
    violations: summary.violations,
    vehicle: rateOf("vehicle"),
    driver: rateOf("driver"),
    hazmat: rateOf("hazmat"),
    ...(lists && listInspections(summary, window)),
  };
}

/** With fewer inspections of a kind, its rate is never called `not above` the average. */
export const COMPARABLE_INSPECTIONS = 5;

/** The text for a carrier without inspections in a sample, which may have left its inspections out. */
export const SAMPLE_WITHOUT_INSPECTIONS = "This sample has no inspection data for this carrier.";

/**
 * How a rate compares with its average: `above` if it would be above even with one out-of-service finding
 * fewer, `too few` under {@link COMPARABLE_INSPECTIONS}, `one finding` if a single finding makes the
 * difference, `no average` if none is known for the day.
 */
type Comparison = "above" | "one finding" | "too few" | "not above" | "no average" | "none";

/** Compares a rate with its national average; a rate equal to the average is not above it. */
export function compareRate(
  { inspections, out_of_service, national_average_pct }: InspectionRate,
): Comparison {
  if (inspections === 0) return "none";
  if (national_average_pct === null) return "no average";
  // In hundredths of a percent, so that whole numbers decide.
  const average = Math.round(100 * national_average_pct) * inspections;
  if (10_000 * (out_of_service - 1) > average) return "above";
  if (inspections < COMPARABLE_INSPECTIONS) return "too few";
  return 10_000 * out_of_service > average ? "one finding" : "not above";
}

/**
 * `warn` when a rate is above its average by more than one finding, `ok` when at least one can be
 * compared and none is above, `info` when none can be compared.
 */
export function checkOosRates({ inspections, dates: { window, notice } }: CheckInput): CheckResult {
  const cited = AVERAGES_SOURCE;
  const period = `from ${formatForPeople(window.from)} to ${formatForPeople(window.to)}`;
  if (inspections === null) {
    return notice === undefined
      ? {
        state: "info",
        data: "missing",
        summary: "No roadside inspections in 24 months",
        detail: [
          `No roadside inspections ${period} in FMCSA's inspection file.`,
          "Out-of-service rates can't be calculated.",
          "Ask the carrier for its own inspection records.",
        ],
        cited,
      }
      : {
        state: "info",
        data: "missing",
        summary: "No inspection data in this sample",
        detail: [SAMPLE_WITHOUT_INSPECTIONS],
        cited,
      };
  }
  const { total, last_inspection, hazmat } = inspections;
  const compared = Map.groupBy(INSPECTION_KINDS, (kind) => compareRate(inspections[kind]));
  const said = (what: string, which: Comparison): string[] =>
    compared.has(which) ? [`${what}: ${compared.get(which)!.join(", ")}.`] : [];
  const above = said("Above the national average", "above");
  const notAbove = said("Not above the national average", "not above");
  return {
    state: above.length > 0 ? "warn" : notAbove.length > 0 ? "ok" : "info",
    data: "used",
    summary: summaryOf(inspections),
    detail: [
      `${plural(total, "roadside inspection")} ${period}, the last on ${
        formatForPeople(last_inspection)
      }.`,
      `Out of service: ${
        INSPECTION_KINDS.map((kind) => rateWords(kind, inspections[kind])).join("; ")
      }.`,
      ...above,
      ...(above.length > 0 ? ["Ask what was found and corrected."] : []),
      ...said("Above the national average by one finding only", "one finding"),
      ...notAbove,
      ...said("Too few inspections to compare", "too few"),
      ...said("The national average for that day isn't known", "no average"),
      "A rate isn't an out-of-service order.",
      ...(hazmat.inspections > 0 ? ["Hazmat counts may differ from SAFER's."] : []),
    ],
    cited,
    ...(above.length > 0 && { found: foundAbove(compared.get("above")!) }),
  };
}

function foundAbove(kinds: readonly InspectionKindName[]): CheckFinding {
  const rates = kinds.length === 1 ? "rate" : "rates";
  return {
    text: capitalized(`${kinds.join(" and ")} out-of-service ${rates} above average`),
    reasons: ["Inspectors choose what they inspect, so a rate isn't the whole fleet's."],
  };
}

/** Rates above their average first, then the others. */
function summaryOf(inspections: Inspections24m): string {
  const each = INSPECTION_KINDS.flatMap((kind) => {
    const { rate_pct, national_average_pct } = inspections[kind];
    if (rate_pct === null) return [];
    const average = national_average_pct === null ? "unknown" : `${national_average_pct}%`;
    const words = `${kind} ${rate_pct.toFixed(1)}% vs ${average}`;
    return { words, rank: compareRate(inspections[kind]) === "above" ? 0 : 1 };
  });
  if (each.length === 0) return "No inspections that count toward a rate";
  const sorted = each.sort((a, b) => a.rank - b.rank).map(({ words }) => words);
  return `${capitalized(sorted.join(", "))} national average`;
}

function rateWords(
  kind: InspectionKindName,
  { inspections, out_of_service, rate_pct, national_average_pct }: InspectionRate,
): string {
  return rate_pct === null
    ? `${kind} not inspected`
    : `${kind} ${out_of_service} of ${inspections} (${rate_pct.toFixed(1)}%; national average ` +
      `${national_average_pct === null ? "unknown" : `${national_average_pct}%`})`;
}
