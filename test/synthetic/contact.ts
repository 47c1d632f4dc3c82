/**
 * Phone numbers and addresses of synthetic carriers, as varied as real ones, but impossible: every
 * number has the exchange 555, and every street is named EXAMPLE.
 *
 * @module
 */

import { compactDay, type RowWriter } from "./format.ts";
import type { Place } from "./places.ts";
import type { DatasetPlan } from "./plan.ts";
import { Random } from "./random.ts";
import { wordsBelow } from "./words.ts";

const STREAM = 13;

const STREETS = wordsBelow("streets");
const KINDS = ["ST", "AVE", "RD", "DR", "LN", "BLVD", "CT", "WAY", "HWY", "PKWY"];
const SIDES = ["", "", "", "", "N ", "S ", "E ", "W "];

/** A few of the 28,000 invalid phone numbers. */
const JUNK_PHONES = ["0", "1", "01012022", "0000000000"];

/** Physical and mailing address, the phone, and whether mail is undeliverable. */
export function fillContact(
  row: RowWriter,
  { seed, today }: DatasetPlan,
  { index, place }: { index: number; place: Place },
): void {
  // Independent of the random numbers for the rest of the row.
  const random = new Random().restart(seed, index, STREAM);
  const street = drawStreet(random);
  const zip = drawZip(place, random, 0.12);
  row.set("PHY_STREET", street);
  fillPlace(row, "PHY_", { ...place, zip });
  const mailing = random.chance(0.13)
    ? `PO BOX ${1 + random.below(9_999)} EXAMPLE`
    : random.chance(0.1)
    ? drawStreet(random)
    : street;
  row.set("CARRIER_MAILING_STREET", mailing);
  const mailingZip = random.chance(0.2) ? drawZip(place, random, 0.5) : zip;
  fillPlace(row, "CARRIER_MAILING_", { ...place, zip: mailingZip });
  if (!random.chance(0.02)) row.set("PHONE", drawPhone(random));
  if (random.chance(0.009)) row.set("UNDELIV_PHY", "U");
  if (random.chance(0.02)) {
    row.set("CARRIER_MAILING_UND_DATE", compactDay(today - random.below(4000)));
  }
}

/** Sets the columns of a place. */
export function fillPlace(row: RowWriter, prefix: string, place: Place): void {
  row.set(`${prefix}CITY`, place.city);
  row.set(`${prefix}STATE`, place.state);
  row.set(`${prefix}COUNTRY`, place.country);
  row.set(`${prefix}ZIP`, place.zip);
  row.set(`${prefix}CNTY`, place.county);
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
function drawZip(place: Place, random: Random, plusFour: number): string {
  if (place.country !== "US" || !random.chance(plusFour)) return place.zip;
  return `${place.zip}-${1000 + random.below(9000)}`;
}
