/**
 * Words of the carrier page and of the vetting record.
 *
 * @module
 */

import { SAMPLE_WITHOUT_INSPECTIONS } from "../../../api/rules/out_of_service.ts";
import type { Carrier, CheckState } from "../../../api/rules/schemas.ts";
import { counted, inert } from "../../../pipeline/text.ts";

/** A check's state for people. */
export const STATE_WORDS: Readonly<Record<CheckState, string>> = {
  ok: "OK",
  warn: "Review",
  bad: "Problem",
  info: "Not enough data",
};

const BLANKS: Readonly<Record<Carrier["not_reported"][number], string>> = {
  legal_name: "legal name",
  city: "city",
  state: "state",
  operation: "where it operates",
  power_units: "power units",
  drivers: "drivers",
};

/** What to call a carrier: its name, or its number where nothing of a name can be seen. */
export function calledName({ name, dot }: Pick<Carrier, "name" | "dot">): string {
  return inert(name) === "" ? `USDOT ${dot}` : name;
}

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

/** Names of the checks in one of the states. */
export function labelsOf({ checks }: Carrier, ...states: CheckState[]): string[] {
  return checks.filter(({ state }) => states.includes(state)).map(({ label }) => label);
}

/** Power units or drivers; a blank is not 0. */
export function fleetCount(carrier: Carrier, member: "power_units" | "drivers"): string {
  return carrier.not_reported.includes(member) ? "not reported" : counted(carrier[member]);
}

/** How a docket is listed. */
export function flagWord(status: string | null): string {
  switch (status) {
    case "A":
      return "active";
    case "I":
      return "inactive";
    case "P":
      return "pending";
    default:
      return "without a status";
  }
}
