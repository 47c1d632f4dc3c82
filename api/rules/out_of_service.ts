/**
 * Roadside inspections of the window, their out-of-service rates, and how these compare with the
 * national averages. Levels counted: driver I, II, III, VI; vehicle I, II, V, VI; hazmat I to VI with
 * hazardous materials present (FMCSA A&I).
 *
 * @module
 */
import type { Manifest } from "../../pipeline/snapshot/manifest.ts";
import type { InspectionKind, InspectionSummary } from "../../pipeline/snapshot/record.ts";
import { capitalized, plural } from "../../pipeline/text.ts";
import { formatForPeople } from "./calendar.ts";
import { type CheckInput, inspectionBasis } from "./check_input.ts";
import { listInspections } from "./inspections.ts";
import type { Check, InspectionRate, Inspections24m } from "./schemas.ts";

/** The kinds of roadside inspection that have a rate. */
export type InspectionKindName = "vehicle" | "driver" | "hazmat";

/** Kinds in the order of every answer. */
export const INSPECTION_KINDS: readonly InspectionKindName[] = ["vehicle", "driver", "hazmat"];

/** Percent as published, not rounded further, read under labels up to Aug 31, 2026 (hazmat: Feb 27, 2026). */
const NATIONAL_AVERAGES = { vehicle: 22.26, driver: 6.67, hazmat: 4.44 };

/** Where the averages are published, and when that was last looked at. */
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
  { window, lists }: { window: Manifest["window"]; lists: boolean },
): Inspections24m | null {
  const { from, to } = window;
  if (summary === undefined || summary.total === 0) return null;
  return {
    from,
    to,
    total: summary.total,
    last_inspection: summary.last,
    violations: summary.violations,
    vehicle: rateOf("vehicle", summary.vehicle),
    driver: rateOf("driver", summary.driver),
    hazmat: rateOf("hazmat", summary.hazmat),
    ...(lists && listInspections(summary, window)),
  };
}

function rateOf(
  kind: InspectionKindName,
  { inspections, out_of_service }: InspectionKind,
): InspectionRate {
  return {
    inspections,
    out_of_service,
    rate_pct: inspections === 0 ? null : Math.round(1000 * out_of_service / inspections) / 10,
    national_average_pct: NATIONAL_AVERAGES[kind],
  };
}

/** Fewest inspections of a kind for which a rate below the average is called that. */
export const COMPARABLE_INSPECTIONS = 5;

/** What is said of a carrier without inspections in a sample, where none may have been copied. */
export const SAMPLE_WITHOUT_INSPECTIONS = "This sample has no inspection data for this carrier.";

const CITED = { citation: AVERAGES_SOURCE.citation, url: AVERAGES_SOURCE.url };

const NOT_AN_ORDER = "This rate doesn't show whether the carrier is under an out-of-service order.";
const HAZMAT_COUNTS = "Hazmat counts may differ from SAFER's.";

/**
 * How a rate compares with its average: `above` when it still is with one out-of-service finding
 * fewer, `too few` under {@link COMPARABLE_INSPECTIONS}, `one finding` when a single one decides.
 */
type Comparison = "above" | "one finding" | "too few" | "not above" | "none";

/** Compares a rate with its national average; a rate equal to the average is not above it. */
export function compareRate(
  { inspections, out_of_service, national_average_pct }: InspectionRate,
): Comparison {
  if (inspections === 0) return "none";
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
export function checkOosRates(input: CheckInput): Check {
  const { inspections } = input;
  const { state, summary, detail } = inspections === null
    ? withoutInspections(input)
    : judged(inspections);
  return {
    id: "oos_rates",
    label: "Out-of-service rates",
    state,
    summary,
    detail,
    basis: inspectionBasis(input, CITED),
  };
}

type Judgment = Pick<Check, "state" | "summary" | "detail">;

function withoutInspections({ window, partial }: CheckInput): Judgment {
  const state = "info";
  if (partial) {
    return {
      state,
      summary: "No inspection data in this sample",
      detail: SAMPLE_WITHOUT_INSPECTIONS,
    };
  }
  return {
    state,
    summary: "No roadside inspections in 24 months",
    detail:
      `No roadside inspections from ${formatForPeople(window.from)} to ${
        formatForPeople(window.to)
      } in FMCSA's inspection file. Out-of-service rates can't be calculated. Ask the carrier for its ` +
      "own inspection records.",
  };
}

function judged(inspections: Inspections24m): Judgment {
  const kinds = (which: Comparison): InspectionKindName[] =>
    INSPECTION_KINDS.filter((kind) => compareRate(inspections[kind]) === which);
  const above = kinds("above");
  const below = kinds("not above");
  const { total, last_inspection, from, to } = inspections;
  return {
    state: above.length > 0 ? "warn" : below.length > 0 ? "ok" : "info",
    summary: summaryOf(inspections),
    detail: [
      `${plural(total, "roadside inspection")} ` +
      `from ${formatForPeople(from)} to ${formatForPeople(to)}, the last on ${
        formatForPeople(last_inspection)
      }.`,
      `Out of service: ${
        INSPECTION_KINDS.map((kind) => rateWords(kind, inspections[kind])).join("; ")
      }.`,
      ...sentence("Above the national average", above, " Ask what was found and corrected."),
      ...sentence("Above the national average by one finding only", kinds("one finding")),
      ...sentence("Not above the national average", below),
      ...sentence("Too few inspections to compare", kinds("too few")),
      NOT_AN_ORDER,
      ...(inspections.hazmat.inspections > 0 ? [HAZMAT_COUNTS] : []),
    ].join(" "),
  };
}

/** The worst first: rates above their average, then the others. */
function summaryOf(inspections: Inspections24m): string {
  const kinds = INSPECTION_KINDS.filter((kind) => inspections[kind].inspections > 0);
  const above = (kind: InspectionKindName): boolean => compareRate(inspections[kind]) === "above";
  const each = [...kinds.filter(above), ...kinds.filter((kind) => !above(kind))].map((kind) => {
    const { rate_pct, national_average_pct } = inspections[kind];
    return `${kind} ${rate_pct!.toFixed(1)}% vs ${national_average_pct}%`;
  });
  if (each.length === 0) return "No inspection of a kind that has a rate";
  return `${capitalized(each.join(", "))} national average`;
}

function sentence(what: string, kinds: readonly InspectionKindName[], next = ""): string[] {
  return kinds.length === 0 ? [] : [`${what}: ${kinds.join(", ")}.${next}`];
}

function rateWords(
  kind: InspectionKindName,
  { inspections, out_of_service, rate_pct, national_average_pct }: InspectionRate,
): string {
  return rate_pct === null
    ? `${kind} not inspected`
    : `${kind} ${out_of_service} of ${inspections} (${rate_pct.toFixed(1)}%; national average ` +
      `${national_average_pct}%)`;
}
