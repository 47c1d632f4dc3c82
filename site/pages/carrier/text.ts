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
import type { Carrier, Check, CheckState, Inspections24m } from "../../../api/rules/schemas.ts";
import { findingsOf, reasonsOf } from "../../../api/rules/verdict.ts";
import { placeOf } from "../../../api/rules/words.ts";
import { counted, plural } from "../../../pipeline/text.ts";

const BLANKS: Readonly<Record<Carrier["not_reported"][number], string>> = {
  legal_name: "legal name",
  city: "city",
  state: "state",
  operation: "where it operates",
  power_units: "power units",
  drivers: "drivers",
};

/** Data that is missing and must not be overlooked, as sentences. */
export function plainly({ inspections_24m, not_reported, snapshot }: Carrier): string[] {
  const said: string[] = [];
  if (inspections_24m === null) {
    said.push(
      snapshot.notice === undefined
        ? "No roadside inspections in 24 months: out-of-service rates can't be calculated."
        : SAMPLE_WITHOUT_INSPECTIONS,
    );
  }
  if (not_reported.length > 0) {
    said.push(`Blank in the census: ${not_reported.map((name) => BLANKS[name]).join(", ")}.`);
  }
  return said;
}

/** Why the verdict is what it is, in a sentence. */
export function becauseOf(carrier: Carrier): string {
  const [worst] = findingsOf(carrier.checks);
  if (worst === undefined) {
    return "Confirm authority and insurance on SAFER before you tender a load.";
  }
  if (worst.id === "oos_rates") return rateSentence(carrier.inspections_24m!);
  if (worst.id === "usdot_status") return statusSentence(worst);
  return `${worst.summary}.`;
}

function statusSentence({ state }: Check): string {
  return state === "bad"
    ? "The census lists this USDOT number as inactive and doesn't say why."
    : "The application for this USDOT number is not decided.";
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

/** City, state and ZIP, as far as the census has them. */
export function placeLine(carrier: Carrier): string {
  const zip = carrier.address.zip?.slice(0, 5) ?? "";
  return [placeOf(carrier), zip].filter((part) => part !== "").join(" ");
}

/** The text without a capital at its start, but for one that starts an acronym. */
function uncapitalized(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

/** The state of the worst check; `info` for none, never that of an approval. */
export function toneOf({ checks }: Carrier): CheckState {
  return (["bad", "warn"] as const).find((state) =>
    checks.some((check) => check.state === state)
  ) ??
    "info";
}

/** The reasons beside the worst one, as a sentence; empty without any. */
export function alsoOf(carrier: Carrier): string {
  const [, ...others] = reasonsOf(carrier);
  return others.length === 0 ? "" : `Also: ${others.map(uncapitalized).join("; ")}.`;
}
