/**
 * Phone numbers and addresses of synthetic carriers, as varied as real ones, that nobody can have: every
 * number has the exchange 555, and every street is named EXAMPLE.
 *
 * @module
 */

import { compactDay } from "./format.ts";
import type { SetColumn } from "./fleet.ts";
import type { Place } from "./places.ts";
import type { DatasetPlan } from "./plan.ts";
import { Random } from "./random.ts";

const STREAM = 13;

const STREETS = (
  "MAIN OAK MAPLE CEDAR PINE ELM WALNUT LAKE HILL PARK RIVER SPRING RIDGE CHURCH MILL FOREST SUNSET " +
  "MEADOW VALLEY HIGHLAND JEFFERSON ADAMS LINCOLN FRANKLIN PRAIRIE ORCHARD HARBOR CANYON MESA COTTON " +
  "QUARRY DEPOT COUNTY_ROAD STATE_ROUTE AIRPORT INDUSTRIAL COMMERCE ENTERPRISE FREIGHT TERMINAL"
).split(" ").map((name) => name.replace("_", " "));
const KINDS = ["ST", "AVE", "RD", "DR", "LN", "BLVD", "CT", "WAY", "HWY", "PKWY"];
const SIDES = ["", "", "", "", "N ", "S ", "E ", "W "];

/** A few of the 28,000 phones that are none. */
const JUNK_PHONES = ["0", "1", "01012022", "0000000000"];

/** Random numbers of a carrier's contact data, apart from those of the rest of its row. */
export function contactOf(
  { seed, today }: DatasetPlan,
  index: number,
): { random: Random; today: number } {
  return { random: new Random().restart(seed, index, STREAM), today };
}

/** Physical and mailing address, the phone, and what is known to be undeliverable. */
export function fillAddresses(
  set: SetColumn,
  place: Place,
  { random, today }: { random: Random; today: number },
): void {
  const street = drawStreet(random);
  const zip = writtenZip(place, random, 0.12);
  fill(set, "PHY_", { ...place, street, zip });
  const boxed = random.chance(0.13);
  fill(set, "CARRIER_MAILING_", {
    ...place,
    street: boxed
      ? `PO BOX ${1 + random.below(9_999)} EXAMPLE`
      : random.chance(0.1)
      ? drawStreet(random)
      : street,
    zip: random.chance(0.2) ? writtenZip(place, random, 0.5) : zip,
  });
  if (!random.chance(0.02)) set("PHONE", drawPhone(random));
  if (random.chance(0.009)) set("UNDELIV_PHY", "U");
  if (random.chance(0.02)) {
    set("CARRIER_MAILING_UND_DATE", compactDay(today - random.below(4000)));
  }
}

function fill(set: SetColumn, prefix: string, address: Place & { street: string }): void {
  set(`${prefix}STREET`, address.street);
  fillPlace(set, prefix, address);
}

/** Sets the columns of a place. */
export function fillPlace(set: SetColumn, prefix: string, place: Place): void {
  set(`${prefix}CITY`, place.city);
  set(`${prefix}STATE`, place.state);
  set(`${prefix}COUNTRY`, place.country);
  set(`${prefix}ZIP`, place.zip);
  set(`${prefix}CNTY`, place.county);
}

function drawStreet(random: Random): string {
  const number = 1 + random.below(10 ** (2 + random.below(4)));
  const side = random.one(SIDES);
  const name = random.one(STREETS);
  const unit = random.chance(0.12) ? ` STE ${1 + random.below(400)}` : "";
  return `${number} ${side}${name} EXAMPLE ${random.one(KINDS)}${unit}`;
}

function drawPhone(random: Random): string {
  if (random.chance(0.006)) return random.one(JUNK_PHONES);
  return `${201 + random.below(790)}555${String(random.below(10_000)).padStart(4, "0")}`;
}

/** The ZIP code, sometimes with four more digits. */
export function writtenZip(place: Place, random: Random, plusFour: number): string {
  if (place.country !== "US" || !random.chance(plusFour)) return place.zip;
  return `${place.zip}-${1000 + random.below(9000)}`;
}
