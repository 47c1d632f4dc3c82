/**
 * The census columns that count drivers and tell of mileage, reviews, ratings and revocations.
 *
 * @module
 */

import type { CarrierFacts } from "./carrier.ts";
import type { Country } from "./plan.ts";
import { compactDay } from "./days.ts";
import type { SetColumn } from "./fleet_columns.ts";
import type { Random } from "./random.ts";

const OWNERS = ["INDIVIDUAL", "PARTNERSHIP", "CORPORATION"];

/** What is known of a row while its columns are filled. */
export interface Row {
  country: Country;
  carrier: CarrierFacts;
  random: Random;
  /** Day number of ADD_DATE. */
  added: number;
}

/** Drivers by reach; interstate and intrastate add up to the total. */
export function fillDrivers(set: SetColumn, row: Row): void {
  const { carrier, random } = row;
  const { drivers } = carrier;
  if (random.chance(0.088)) return;
  const interstate = carrier.operation === "A"
    ? drivers - (random.chance(0.1) ? random.below(drivers + 1) : 0)
    : 0;
  const beyond = random.below(interstate + 1);
  const local = drivers - interstate;
  const localBeyond = random.below(local + 1);
  set("TOTAL_DRIVERS", drivers);
  set("DRIVER_INTER_TOTAL", interstate);
  set("TOTAL_INTRASTATE_DRIVERS", local);
  set("INTERSTATE_BEYOND_100_MILES", beyond);
  set("INTERSTATE_WITHIN_100_MILES", interstate - beyond);
  set("INTRASTATE_BEYOND_100_MILES", localBeyond);
  set("INTRASTATE_WITHIN_100_MILES", local - localBeyond);
  set("TOTAL_CDL", random.chance(0.6) ? drivers : random.below(drivers + 1));
  set("AVG_DRIVERS_LEASED_PER_MONTH", random.chance(0.95) ? 0 : random.below(drivers + 1));
}

/** Everything else that is filled at a rate of its own. */
export function fillHistory(set: SetColumn, row: Row): void {
  const { country, carrier, random, added } = row;
  const { today } = country;
  set("DUN_BRADSTREET_NO", random.chance(0.5) ? 100_000_000 + random.below(900_000_000) : "--");
  set("MCS150_UPDATE_CODE_ID", 1 + random.below(3));
  if (random.chance(0.664)) {
    set("MCS150_MILEAGE", Math.floor(carrier.powerUnits * 90_000 * random.unit()));
    if (random.chance(0.81)) {
      set("MCS150_MILEAGE_YEAR", Number(compactDay(today).slice(0, 4)) - random.below(9));
    }
  }
  if (random.chance(0.404)) {
    const revoked = random.chance(0.06);
    set("PRIOR_REVOKE_FLAG", revoked ? "Y" : "N");
    if (revoked) set("PRIOR_REVOKE_DOT_NUMBER", carrier.dot);
  }
  if (random.chance(0.159)) {
    const kind = random.below(OWNERS.length);
    set("BUSINESS_ORG_ID", kind + 1);
    set("BUSINESS_ORG_DESC", OWNERS[kind] as string);
  }
  if (random.chance(0.208)) {
    set(
      "RECORDABLE_CRASH_RATE",
      random.chance(0.9) ? "0.000" : `${random.below(9)}.${100 + random.below(900)}`,
    );
  }
  if (random.chance(0.13)) set("MCSIPSTEP", random.chance(0.8) ? 0 : 52 + random.below(17));
  if (random.chance(0.18)) set("MCSIPDATE", compactDay(today - random.below(6_000)));
  if (random.chance(carrier.powerUnits > 5 ? 0.3 : 0.12)) {
    const reviewed = Math.max(added, today - random.below(9_000));
    set("REVIEW_TYPE", "CCCSSUANHEKFGIJ"[random.below(15)] as string);
    set("REVIEW_DATE", compactDay(reviewed));
    set("REVIEW_ID", 100_000 + random.below(2_400_000));
    if (random.chance(0.086)) {
      const rating = random.unit();
      set("SAFETY_RATING", rating < 0.65 ? "S" : rating < 0.95 ? "C" : "U");
      set("SAFETY_RATING_DATE", compactDay(Math.min(today - 1, reviewed + random.below(90))));
    }
  }
}
