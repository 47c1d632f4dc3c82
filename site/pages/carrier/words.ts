/**
 * Words of the carrier page and of the vetting record.
 *
 * @module
 */

import type { Carrier, CheckState } from "../../../api/rules/schemas.ts";
import { counted } from "../../../pipeline/report/plain.ts";
import { inert } from "../../../pipeline/inert.ts";

/** A check's state for people. */
export const STATE_WORDS: Readonly<Record<CheckState, string>> = {
  ok: "OK",
  warn: "Look closer",
  bad: "Problem",
  info: "No verdict",
};

const NUMBERS = ["none", "one", "two", "three", "four", "five", "six"];

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

/** How many checks need a look, as a sentence without its period. */
export function issuesSentence({ issues }: Pick<Carrier, "issues">): string {
  const many = NUMBERS[issues]!;
  const number = many[0]!.toUpperCase() + many.slice(1);
  return `${number} of the six checks ${issues === 0 || issues === 1 ? "needs" : "need"} a look`;
}

/** What else must be said at a glance: a number not in use, no inspections, blanks. Sentences. */
export function plainly({ checks, inspections_24m, not_reported }: Carrier): string[] {
  const status = checks.find(({ id }) => id === "usdot_status")!.state;
  const said: string[] = [];
  if (status === "bad") said.push("Its USDOT number is listed as inactive.");
  if (status === "warn") said.push("Its USDOT number is pending: the application is not decided.");
  if (inspections_24m === null) {
    said.push("No roadside inspection is on file in 24 months: no clean record and no bad one.");
  }
  if (not_reported.length > 0) {
    said.push(`The census leaves blank: ${not_reported.map((name) => BLANKS[name]).join(", ")}.`);
  }
  return said;
}

/** Names of the checks in one of the states. */
export function labelsOf({ checks }: Carrier, ...states: CheckState[]): string[] {
  return checks.filter(({ state }) => states.includes(state)).map(({ label }) => label);
}

/** Power units or drivers, with a blank told from none. */
export function fleetCount(carrier: Carrier, member: "power_units" | "drivers"): string {
  return carrier.not_reported.includes(member) ? "not reported" : counted(carrier[member]);
}

/** A docket's record flag. */
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
