/**
 * Roadside inspections of the window with their out-of-service rates. Levels counted: driver I, II,
 * III, VI; vehicle I, II, V, VI; hazmat I to VI with hazardous materials present (FMCSA A&I).
 *
 * @module
 */
import type { InspectionKind, InspectionSummary } from "../../pipeline/snapshot/record.ts";
import { type InspectionKindName, NATIONAL_AVERAGES } from "./averages.ts";
import type { InspectionRate, Inspections24m } from "./schemas.ts";

/** Inclusive days, `YYYY-MM-DD`. */
export interface Window {
  from: string;
  to: string;
}

/** The 24-month summary, null when the window holds no inspection. */
export function summarizeInspections(
  summary: InspectionSummary | undefined,
  { from, to }: Window,
): Inspections24m | null {
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
    national_average_pct: NATIONAL_AVERAGES[kind].pct,
  };
}
