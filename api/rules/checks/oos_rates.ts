/**
 * Out-of-service rates against the national averages. A rate is no out-of-service order and no
 * grade, so it is never `bad`; without inspections there is no rate, never 0 %.
 *
 * @module
 */
import { AVERAGES_SOURCE, INSPECTION_KINDS } from "../averages.ts";
import { formatForPeople } from "../calendar.ts";
import type { Check, CheckState, InspectionRate, Inspections24m } from "../schemas.ts";
import { type CheckInput, inspectionBasis } from "./input.ts";

/**
 * Fewest inspections of a kind that are compared. One finding among fewer moves the rate by more
 * than 20 points, about the whole vehicle average, so such a comparison tells nothing.
 */
export const COMPARABLE_INSPECTIONS = 5;

const CITED = { citation: AVERAGES_SOURCE.citation, url: AVERAGES_SOURCE.url };

const NOT_AN_ORDER = "A rate is not an out-of-service order; orders are not in this file.";

/**
 * `warn` when a rate with at least {@link COMPARABLE_INSPECTIONS} inspections is above its average,
 * `ok` when at least one is compared and none is above, `info` when none can be compared.
 */
export function checkOosRates(input: CheckInput): Check {
  const { inspections, window } = input;
  const span = `from ${formatForPeople(window.from)} to ${formatForPeople(window.to)}`;
  const { state, detail } = inspections === null
    ? {
      state: "info" as const,
      detail: `The inspection file shows no roadside inspection ${span}. That is no clean record ` +
        "and no bad one: there is nothing to judge by. Ask the carrier for its own records.",
    }
    : judged(inspections, span);
  return {
    id: "oos_rates",
    label: "Out-of-service rates",
    state,
    detail,
    basis: inspectionBasis(input, CITED),
  };
}

function judged(
  inspections: Inspections24m,
  span: string,
): { state: CheckState; detail: string } {
  const compared = INSPECTION_KINDS.filter((kind) =>
    inspections[kind].inspections >= COMPARABLE_INSPECTIONS
  );
  const above = compared.filter((kind) => isAbove(inspections[kind]));
  const rates = INSPECTION_KINDS.map((kind) => told(kind, inspections[kind])).join("; ");
  const { total, last_inspection } = inspections;
  let verdict = "No rate can be compared with the national average: there are too few inspections.";
  if (above.length > 0) {
    verdict =
      `Above the national average: ${above.join(", ")}. Ask the carrier what was found and ` +
      "what it changed.";
  } else if (compared.length > 0) {
    verdict = `Not above the national average: ${compared.join(", ")}.`;
  }
  return {
    state: above.length > 0 ? "warn" : compared.length > 0 ? "ok" : "info",
    detail:
      `The inspection file shows ${total} roadside ${
        total === 1 ? "inspection" : "inspections"
      } ${span}, the last on ${formatForPeople(last_inspection)}. Out of service: ${rates}. ` +
      `${verdict} ${NOT_AN_ORDER}`,
  };
}

function told(kind: string, rate: InspectionRate): string {
  const { inspections, out_of_service, rate_pct, national_average_pct } = rate;
  if (rate_pct === null) return `${kind}, no inspections of that kind`;
  const counts = `${kind} ${out_of_service} of ${inspections}`;
  return inspections < COMPARABLE_INSPECTIONS
    ? `${counts} (under ${COMPARABLE_INSPECTIONS}, too few to compare)`
    : `${counts} (${rate_pct.toFixed(1)} %, national average ${national_average_pct} %)`;
}

function isAbove({ inspections, out_of_service, national_average_pct }: InspectionRate): boolean {
  // In hundredths of a percent: whole numbers decide, and a rate equal to the average is not above.
  return 10_000 * out_of_service > Math.round(100 * national_average_pct) * inspections;
}
