/**
 * The same country some days later: a few carriers are new, one in a hundred changes each day, and the
 * inspections move on. Day 0 is the country as it was planned; a carrier shows its last change only.
 *
 * @module
 */

import type { CarrierFacts } from "./carrier.ts";
import type { Country } from "./plan.ts";
import { compactDay } from "./days.ts";
import { fleetSizeCode, type SetColumn } from "./fleet_columns.ts";
import { drawPlace } from "./places.ts";
import { mix } from "../../pipeline/mix.ts";
import { Random } from "./random.ts";

/** The share of carriers that change in a day. */
const CHANGED_A_DAY = 0.01;
/** New carriers a day: the register grew from 4,449,238 rows to 4,512,353 in 103 days of 2026. */
const NEW_A_DAY = 0.000138;
/** The inspection file holds three years: that many days of it go and come. */
const DAYS_COVERED = 1_095;
const STREAM = { changed: 30, kind: 31 } as const;

/** The days of `--day` at most. */
export const LAST_DAY = 365;

/** Census rows of a country: those of day 0 and those that came since. */
export function censusRows({ carriers, day }: Pick<Country, "carriers" | "day">): number {
  return carriers + Math.floor(carriers * NEW_A_DAY * day);
}

/** The place of the first inspection that the file still holds; the number of rows stays. */
export function firstInspection({ inspections, day }: Country): number {
  return Math.round(inspections * day / DAYS_COVERED);
}

/** Writes over the cells of a row what changed since day 0, if anything did. */
export function applyLastChange(
  set: SetColumn,
  row: { country: Country; carrier: CarrierFacts },
): void {
  const { country, carrier } = row;
  const day = lastChange(country, carrier.index);
  if (day === 0) return;
  const random = new Random().restart(country.seed, carrier.index, STREAM.kind + 10 * day);
  const kind = random.unit();
  if (kind < 0.1) {
    set("STATUS_CODE", carrier.status === "A" ? "I" : "A");
  } else if (kind < 0.3) {
    const { city, state, country: land, zip, county } = drawPlace(random);
    set("PHY_CITY", city);
    set("PHY_STATE", state);
    set("PHY_COUNTRY", land);
    set("PHY_ZIP", zip);
    set("PHY_CNTY", county);
  } else {
    // As many lose a truck as win one.
    const turn = random.below(3) - 1;
    const units = Math.max(0, carrier.powerUnits + turn);
    set("MCS150_DATE", compactDay(country.today + day - 1));
    set("TRUCK_UNITS", Math.max(0, carrier.trucks + turn));
    set("POWER_UNITS", units);
    set("TOTAL_DRIVERS", Math.max(0, carrier.drivers + turn));
    set("FLEETSIZE", fleetSizeCode(units));
  }
}

/** The last day up to the country's on which a carrier changed; 0 when it never did. */
function lastChange({ seed, day }: Country, index: number): number {
  for (let d = day; d > 0; d--) {
    if (mix(seed, index, STREAM.changed + 10 * d) < CHANGED_A_DAY * 2 ** 32) return d;
  }
  return 0;
}
