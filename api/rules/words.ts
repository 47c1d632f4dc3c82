/**
 * What a carrier filed, in the words that checks, pages and `/ask` share. A blank is not 0, and not no.
 *
 * @module
 */
import { counted, plural } from "../../pipeline/text.ts";
import type { CarrierAddress } from "./facts.ts";
import type { Carrier, UcrFee } from "./schemas.ts";

type Counts = Pick<Carrier, "power_units" | "drivers" | "not_reported">;

/** Power units or drivers: `1,896`, `not reported`. */
export function fleetCount(carrier: Counts, member: "power_units" | "drivers"): string {
  return carrier.not_reported.includes(member) ? "not reported" : counted(carrier[member]);
}

/** Power units and drivers with their nouns: `85 power units`, `drivers not reported`. */
export function fleetParts(carrier: Counts): [units: string, drivers: string] {
  const { power_units, drivers, not_reported } = carrier;
  return [
    not_reported.includes("power_units")
      ? "power units not reported"
      : plural(power_units, "power unit"),
    not_reported.includes("drivers") ? "drivers not reported" : plural(drivers, "driver"),
  ];
}

/** `, 4 power units` behind a search result; empty for 0, which a result cannot tell from a blank. */
export function fleetSuffix({ power_units }: { power_units: number }): string {
  return power_units > 0 ? `, ${plural(power_units, "power unit")}` : "";
}

/** `The 2026 UCR fee for 4 vehicles is $138 (bracket 2; 49 CFR 367.40).` */
export function feeWords({ year, vehicles, bracket, fee_usd, source }: UcrFee): string {
  return `The ${year} UCR fee for ${plural(vehicles, "vehicle")} is $${counted(fee_usd)} ` +
    `(bracket ${bracket}; ${source}).`;
}

/** City and state, as far as the census has them; empty when it has neither. */
export function placeOf({ city, state }: { city: string; state: string }): string {
  return [city, state].filter((part) => part !== "").join(", ");
}

/** The parts that an address has, on one line; empty when it has none. */
export function addressLine({ street, city, state, zip, country }: CarrierAddress): string {
  const region = [state, zip].filter((part) => part !== null).join(" ");
  return [street, city, region, country].filter((part) => part !== null && part !== "").join(", ");
}

/** `5,391,856 miles in 2025`. */
export function mileageWords({ miles, year }: NonNullable<Carrier["mileage"]>): string {
  return `${counted(miles)} miles${year === null ? "" : ` in ${year}`}`;
}

export function yesOrNo(value: boolean | null): string {
  return value === null ? "not reported" : value ? "yes" : "no";
}

interface FiledDocket {
  prefix: string;
  number: string | number;
  status?: string | null;
}

/** The docket to name first: an MC docket, an active one before others. */
export function mainDocket<D extends FiledDocket>(dockets: readonly D[]): D | undefined {
  return dockets.find(({ prefix, status }) => prefix === "MC" && status === "A") ??
    dockets.find(({ prefix }) => prefix === "MC");
}

const STATUS_WORDS: Readonly<Record<string, string>> = {
  A: "active",
  I: "inactive",
  P: "pending",
};

/** How a docket is listed: `active`, `without a status`. */
export function statusWord({ status }: FiledDocket): string {
  return STATUS_WORDS[status ?? ""] ?? "without a status";
}

/** `MC 186800: listed active`, the first of several with how many there are. */
export function docketWords(docket: FiledDocket, count = 1): string {
  const more = count === 1 ? "" : ` and ${plural(count - 1, "more docket")}`;
  return `${docket.prefix} ${docket.number}: listed ${statusWord(docket)}${more}`;
}
