/**
 * Words of the carrier page and of the vetting record.
 *
 * @module
 */

import type { CarrierAddress } from "../../../api/rules/facts.ts";
import {
  compareRate,
  INSPECTION_KINDS,
  type InspectionKindName,
  SAMPLE_WITHOUT_INSPECTIONS,
} from "../../../api/rules/out_of_service.ts";
import type { Carrier, Check, Inspections24m } from "../../../api/rules/schemas.ts";
import { findingsOf, placeOf } from "../../../api/rules/verdict.ts";
import { counted, inert, plural } from "../../../pipeline/text.ts";

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

/** Power units or drivers; a blank is not 0. */
export function fleetCount(carrier: Carrier, member: "power_units" | "drivers"): string {
  return carrier.not_reported.includes(member) ? "not reported" : counted(carrier[member]);
}

/** `85 power units · 70 drivers`. */
export function fleetWords(carrier: Carrier): string {
  const { power_units, drivers, not_reported } = carrier;
  const parts = [
    not_reported.includes("power_units")
      ? "power units not reported"
      : plural(power_units, "power unit"),
    not_reported.includes("drivers") ? "drivers not reported" : plural(drivers, "driver"),
  ];
  return not_reported.includes("power_units") && not_reported.includes("drivers")
    ? "Not reported"
    : parts.join(" · ");
}

/** City, state and ZIP, as far as the census has them. */
export function placeLine(carrier: Carrier): string {
  const zip = carrier.address.zip?.slice(0, 5) ?? "";
  return [placeOf(carrier), zip].filter((part) => part !== "").join(" ");
}

/** The parts that an address has, on one line. */
export function addressLine({ street, city, state, zip, country }: CarrierAddress): string {
  const region = [state, zip].filter((part) => part !== null).join(" ");
  return [street, city, region, country].filter((part) => part !== null && part !== "").join(", ");
}

/** `1.2M`, `12K`, `900`. */
export function compact(count: number): string {
  return new Intl.NumberFormat("en-US", { notation: "compact" }).format(count);
}

/** The text with a capital at its start. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The text without a capital at its start, but for one that starts an acronym. */
export function uncapitalized(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

/** The docket to name first: an MC docket, an active one before others. */
export function mainDocket(dockets: Carrier["dockets"]): Carrier["dockets"][number] | undefined {
  return dockets.find(({ prefix, status }) => prefix === "MC" && status === "A") ??
    dockets.find(({ prefix }) => prefix === "MC") ?? dockets[0];
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
