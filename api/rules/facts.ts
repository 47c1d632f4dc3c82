/**
 * What a carrier filed about itself, in words: identity, operation and safety context. Schemas, and the
 * function that fills them from a record.
 *
 * @module
 */
import { z } from "zod";
import {
  CARGO,
  DRIVERS,
  HOLDINGS,
  MARKS,
  VEHICLES,
} from "../../pipeline/snapshot/record/members.ts";
import type { CarrierRecord } from "../../pipeline/snapshot/record/record.ts";
import * as m from "./members.ts";
import { roleWord } from "./roles.ts";

export const CarrierAddress = z.object({
  street: m.filed("Null when blank in the census", "1000 EXAMPLE AVE"),
  city: m.filed("Null when blank", "AKRON"),
  state: m.filed("State or province code; null when blank", "OH"),
  zip: m.filed("As filed: ZIP, ZIP+4 or a foreign code; null when blank", "44306-3754"),
  country: m.filed("Code as filed; null for the United States and when blank", null),
}).meta({ id: "CarrierAddress", description: "An address as filed" });

const VEHICLE_KINDS = Object.keys(VEHICLES) as (keyof typeof VEHICLES)[];
const HOLDING_NAMES = Object.keys(HOLDINGS) as (keyof typeof HOLDINGS)[];
const DRIVER_NAMES = Object.keys(DRIVERS) as (keyof typeof DRIVERS)[];

const CarrierVehicles = z.object({
  kind: m.oneOf(VEHICLE_KINDS, "Kind of vehicle", "tractors"),
  owned: m.count("0 also where blank", 71),
  term_leased: m.count("0 also where blank", 13),
  trip_leased: m.count("0 also where blank", 0),
}).meta({ id: "CarrierVehicles", description: "Vehicles of one kind by who owns them" });

/** Words for a count of drivers: `interstate within 100 miles`, `with a CDL`. */
export function reachWords(name: string): string {
  return name.replaceAll("_", " ").replace("cdl", "with a CDL");
}

const CarrierDrivers = z.object(
  Object.fromEntries(
    DRIVER_NAMES.map((name) => [
      name,
      z.int().min(0).nullable(),
    ]),
  ) as Record<keyof typeof DRIVERS, z.ZodNullable<z.ZodInt>>,
).meta({
  id: "CarrierDrivers",
  description: "Drivers by reach, as filed; the parts need not add up to `drivers`",
});

/** The members of a Carrier that repeat the census, without a verdict. */
export const FACTS = {
  address: CarrierAddress.describe("Physical address"),
  mailing_address: CarrierAddress.nullable().describe("Null when the census has none"),
  undeliverable: z.object({
    physical: m.flag("Mail to the physical address is undeliverable", false),
    mail_returned: m.dayOrNull(
      "Day the mailing address was marked undeliverable; null without one",
      null,
    ),
  }).describe("Mail that could not be delivered"),
  phone: m.filed(
    "As filed; null when blank or not a phone number",
    "(330) 555-0123",
  ),
  business_form: m.filed("As filed, e.g. CORPORATION; null when blank", "CORPORATION"),
  duns: m.filed("DUNS number, nine digits; null when blank", null),
  added: m.dayOrNull(
    "Day the record was created, reactivated or updated: not the company's age",
    "1987-02-04",
  ),
  roles: z.array(z.string()).meta({
    description: "What it registered as",
    example: ["carrier", "shipper"],
  }),
  classes: z.array(z.string()).meta({
    description: "Operation classifications as filed; empty when blank",
    example: ["AUTHORIZED FOR HIRE"],
  }),
  hazmat: m.flagOrNull("Whether registered for hazardous materials; null when blank", true),
  passengers: m.flagOrNull(
    "Whether it filed passengers in any form; null when no cargo, class or vehicle is filed",
    false,
  ),
  cargo: z.array(z.enum(Object.values(CARGO) as [string, ...string[]])).meta({
    description: "Cargo marked on the form; empty when nothing is marked",
    example: ["General freight"],
  }),
  other_cargo: m.filed("Text filed for other cargo", null),
  mileage: z.object({
    miles: m.count("Miles in a year", 5391856),
    year: m.integerOrNull("Null when blank", 2025),
  }).nullable().describe("Vehicle miles traveled, as filed; null when blank"),
  vehicles: z.array(CarrierVehicles).describe(
    "Kinds with at least one vehicle; empty when none is filed",
  ),
  drivers_by_reach: CarrierDrivers.nullable().describe("Null when blank"),
  rating_date: m.dayOrNull("Day of the safety rating", "2014-11-05"),
  review: z.object({
    type: m.filed("Code of the last review as filed", "C"),
    name: m.filed("Its name; null for a code whose meaning is not published", "Compliance review"),
    date: m.dayOrNull("Null when blank", "2013-11-07"),
  }).nullable().describe("FMCSA's last review of the carrier; null when there is none"),
  recordable_crash_rate: z.number().min(0).nullable().meta({
    description: "Recordable crash rate as filed with the last review; null when blank",
    example: null,
  }),
  prior_revocation: z.object({
    revoked: m.flagOrNull(
      "As the carrier filed it",
      false,
    ),
    dot: m.filed("The USDOT number that was revoked; often the carrier's own", null),
  }).nullable().describe("As filed by the carrier; null when blank"),
} as const;

const Facts = z.object(FACTS);
export type CarrierFacts = z.infer<typeof Facts>;
export type CarrierAddress = z.infer<typeof CarrierAddress>;

export const REVIEW_NAMES: Readonly<Record<string, string>> = { C: "Compliance review" };
const CARGO_NAMES = Object.values(CARGO);
const PASSENGER_CARGO = MARKS[Object.keys(CARGO).indexOf("CRGO_PASSENGERS")]!;
const PASSENGER_KINDS = VEHICLE_KINDS.slice(VEHICLE_KINDS.indexOf("motorcoaches"));

/** The facts of a record, in words. */
export function factsOf(record: CarrierRecord): CarrierFacts {
  const { cargo = "", mileage, mileage_year = null, driver_counts, review_date = null } = record;
  const vehicles = vehiclesOf(record.vehicles);
  const { prior_revoked = null, prior_revoked_dot, review_type = null } = record;
  return {
    address: addressOf(ADDRESS.map((name) => record[name])),
    mailing_address: mailingOf(record),
    undeliverable: {
      physical: record.undeliverable ?? false,
      mail_returned: record.mail_returned ?? null,
    },
    phone: record.phone === undefined ? null : phoneForPeople(record.phone),
    business_form: record.business_form ?? null,
    duns: record.duns ?? null,
    added: record.added ?? null,
    roles: (record.roles ?? []).map(roleWord),
    classes: record.classes ?? [],
    hazmat: record.hazmat ?? null,
    passengers: passengersOf(record, vehicles),
    cargo: cargoNames(cargo),
    other_cargo: record.cargo_other ?? null,
    mileage: mileage === undefined ? null : { miles: mileage, year: mileage_year },
    vehicles,
    drivers_by_reach: driver_counts === undefined ? null : driversOf(driver_counts),
    rating_date: record.rating_date ?? null,
    review: review_type === null && review_date === null ? null : {
      type: review_type,
      name: REVIEW_NAMES[review_type ?? ""] ?? null,
      date: review_date,
    },
    recordable_crash_rate: record.crash_rate ?? null,
    prior_revocation: prior_revoked === null && !prior_revoked_dot ? null : {
      revoked: prior_revoked,
      dot: prior_revoked_dot ? String(prior_revoked_dot) : null,
    },
  };
}

/** The cargo for each letter of {@link MARKS}. */
export function cargoNames(marks: string): CarrierFacts["cargo"] {
  return CARGO_NAMES.filter((_, i) => marks.includes(MARKS[i]!));
}

const ADDRESS = Object.keys(CarrierAddress.shape) as (keyof CarrierAddress)[];

function addressOf(parts: readonly (string | undefined)[]): CarrierAddress {
  const entries = ADDRESS.map((name, i) => [name, parts[i] || null]);
  return Object.fromEntries(entries) as CarrierAddress;
}

/** The mailing address; parts that a record leaves out equal those of the physical address. */
function mailingOf(record: CarrierRecord): CarrierAddress | null {
  const parts = ADDRESS.map((name, i) => record.mailing?.[i] ?? record[name]);
  return parts.some((part) => part) ? addressOf(parts) : null;
}

/** `(330) 555-0123`; digits of another country as filed. */
function phoneForPeople(digits: string): string {
  return digits.length === 10
    ? `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`
    : digits;
}

/** `sums` has the counts of all kinds for the first of {@link HOLDINGS}, then for the next. */
export function vehiclesOf(sums?: readonly number[]): CarrierFacts["vehicles"] {
  if (sums === undefined) return [];
  return VEHICLE_KINDS.flatMap((kind, place) => {
    const counts = HOLDING_NAMES.map((name, i) =>
      [name, sums[i * VEHICLE_KINDS.length + place] ?? 0] as const
    );
    if (counts.every(([, count]) => count === 0)) return [];
    return { kind, ...Object.fromEntries(counts) as Record<keyof typeof HOLDINGS, number> };
  });
}

export function driversOf(counts: readonly (number | null)[]): CarrierFacts["drivers_by_reach"] {
  const entries = DRIVER_NAMES.map((name, i) => [name, counts[i] ?? null]);
  return Object.fromEntries(entries) as CarrierFacts["drivers_by_reach"];
}

function passengersOf(
  { cargo, classes }: CarrierRecord,
  vehicles: CarrierFacts["vehicles"],
): boolean | null {
  if (cargo === undefined && classes === undefined && vehicles.length === 0) return null;
  return (cargo ?? "").includes(PASSENGER_CARGO) ||
    (classes ?? []).some((name) => /^PRIVATE PASSENGER/.test(name)) ||
    vehicles.some(({ kind }) => PASSENGER_KINDS.includes(kind));
}
