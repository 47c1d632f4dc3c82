/**
 * Words of the carrier page and of the vetting record.
 *
 * @module
 */

import {
  compareRate,
  INSPECTION_KINDS,
  type InspectionKindName,
  SAMPLE_WITHOUT_INSPECTIONS,
} from "../../../api/rules/out_of_service.ts";
import type { Carrier, CheckState, Inspections24m } from "../../../api/rules/schemas.ts";
import { findingsOf, reasonsOf } from "../../../api/rules/verdict.ts";
import { counted, plural } from "../../../pipeline/text.ts";

/** Data that is missing and must not be overlooked, as sentences. */
export function missingData({ inspections_24m, not_reported, snapshot }: Carrier): string[] {
  const said: string[] = [];
  if (inspections_24m === null) {
    said.push(
      snapshot.notice === undefined
        ? "No roadside inspections in 24 months: out-of-service rates can't be calculated."
        : SAMPLE_WITHOUT_INSPECTIONS,
    );
  }
  if (not_reported.length > 0) {
    const blank = not_reported.map((name) =>
      name === "operation" ? "where it operates" : name.replace("_", " ")
    );
    said.push(`Blank in the census: ${blank.join(", ")}.`);
  }
  return said;
}

/** Why the verdict is what it is, in a sentence. */
export function becauseOf({ checks, inspections_24m }: Carrier): string {
  const [worst] = findingsOf(checks);
  switch (worst?.id) {
    case undefined:
      return "Confirm authority and insurance on SAFER before you tender a load.";
    case "oos_rates":
      return rateSentence(inspections_24m!);
    case "usdot_status":
      return worst!.state === "bad"
        ? "The census lists this USDOT number as inactive and doesn't say why."
        : "The application for this USDOT number is not decided.";
    default:
      return `${worst!.summary}.`;
  }
}

const PUT: Readonly<Record<InspectionKindName, string>> = {
  vehicle: "Vehicles were",
  driver: "Drivers were",
  hazmat: "Hazardous materials were",
};

/** `Vehicles were put out of service in 10 of 13 inspections (76.9%), 3.5 times the national average.` */
function rateSentence(inspections: Inspections24m): string {
  return INSPECTION_KINDS.filter((kind) => compareRate(inspections[kind]) === "above")
    .map((kind) => {
      const { inspections: all, out_of_service, rate_pct, national_average_pct } =
        inspections[kind];
      const times = (rate_pct! / national_average_pct).toFixed(1);
      return `${PUT[kind]} put out of service in ${counted(out_of_service)} of ${
        plural(all, "inspection")
      } (${rate_pct!.toFixed(1)}%), ${times} times the national average.`;
    }).join(" ");
}

/** The reasons beside the worst one, as a sentence if there are any. */
export function alsoLines(carrier: Carrier): string[] {
  const [, ...others] = reasonsOf(carrier);
  return others.length === 0 ? [] : [`Also: ${others.map(uncapitalized).join("; ")}.`];
}

/** The text without a capital at its start, but for one that starts an acronym. */
function uncapitalized(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

/** The state of the worst check; `info` for none, never that of an approval. */
export function toneOf({ checks }: Carrier): CheckState {
  return findingsOf(checks)[0]?.state ?? "info";
}
