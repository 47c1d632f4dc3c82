/**
 * Census columns of vehicles, cargo, drivers, mileage, reviews and ratings.
 *
 * @module
 */

import { CENSUS_COLUMNS } from "../../pipeline/fmcsa/columns.ts";
import type { CarrierFacts } from "./carrier.ts";
import { compactDay, csvCell } from "./format.ts";
import type { DatasetPlan } from "./plan.ts";
import { type Random, zipf } from "./random.ts";

/** Puts a value into a column of the row under construction. */
export type SetColumn = (column: string, value: string | number) => void;

const CARGO = zipf(
  [
    "CRGO_GENFREIGHT",
    ...CENSUS_COLUMNS.filter((name) => /^CRGO_(?!GENFREIGHT|PASSENGERS|CARGOOTHR_DESC)/.test(name)),
  ],
  0.5,
);

/** Texts of CRGO_CARGOOTHR_DESC. */
const OTHER_CARGO = (
  "EQUIPMENT|TOOLS AND EQUIPMENT|SAND GRAVEL|LANDSCAPING EQUIPMENT|HOUSEHOLD GOODS|WASTEWATER|BLACK TOP,SAND GRAV.|ASPHALT|MULCH AND TOP SOIL|" +
  "PORTABLE TOILETS|FIREWOOD|HAY, STRAW|POOL SUPPLIES|WATER PURIFICATION EQUIPMENT|AUTO PARTS|SCRAP METAL"
).split("|");

/** FLEETSIZE: the upper bound of each letter; above the last it is `Z`. */
const SIZES = (
  "0:0 A:1 B:3 C:6 D:8 E:11 F:14 G:17 H:19 I:23 J:28 K:32 L:38 M:44 N:55 O:75 P:100 Q:200 R:300 " +
  "S:400 T:550 U:999 V:2000 W:3000 X:4000 Y:5000"
).split(" ").map((pair) => [pair.slice(0, 1), Number(pair.slice(2))] as const);

/** The FLEETSIZE letter of a number of power units. */
export function fleetSizeCode(powerUnits: number): string {
  return SIZES.find(([, upTo]) => powerUnits <= upTo)?.[0] ?? "Z";
}

/** Owned, term-leased and trip-leased vehicles that add up to the carrier's trucks and buses. */
export function fillEquipment(set: SetColumn, carrier: CarrierFacts, random: Random): void {
  const { trucks, buses } = carrier;
  if (trucks > 0) {
    const leased = random.chance(0.15) ? random.below(trucks + 1) : 0;
    const tripLeased = leased > 2 && random.chance(0.1) ? random.below(leased) : 0;
    const owned = trucks - leased;
    const tractors = random.chance(0.55) ? owned : random.below(owned + 1);
    count(set, "OWNTRUCK", owned - tractors);
    count(set, "OWNTRACT", tractors);
    count(set, "TRMTRACT", leased - tripLeased);
    count(set, "TRPTRACT", tripLeased);
    if (random.chance(0.7)) count(set, "OWNTRAIL", Math.ceil(trucks * (0.5 + 1.5 * random.unit())));
  }
  if (buses > 0) {
    const vans = random.below(buses + 1);
    count(set, random.chance(0.5) ? "OWNCOACH" : "OWNBUS_16", buses - vans);
    count(set, random.chance(0.5) ? "OWNVAN_9_15" : "OWNLIMO_1_8", vans);
  }
}

/** `X` in one to four cargo columns, a text for "other". */
export function fillCargo(set: SetColumn, carrier: CarrierFacts, random: Random): void {
  if (carrier.buses > 0 && carrier.trucks === 0) set("CRGO_PASSENGERS", "X");
  else if (random.chance(0.93)) {
    for (let left = 1 + random.below(4); left > 0; left--) set(CARGO.pick(random), "X");
  }
  if (random.chance(0.12)) {
    set("CRGO_CARGOOTHR", "X");
    set("CRGO_CARGOOTHR_DESC", csvCell(random.one(OTHER_CARGO)));
  }
}

function count(set: SetColumn, column: string, value: number): void {
  if (value > 0) set(column, value);
}

const REVIEWS = [..."CCCSSUANHEKFGIJ"];
const OWNERS = ["INDIVIDUAL", "PARTNERSHIP", "CORPORATION"];

/** A census row under construction. */
export interface Row {
  plan: DatasetPlan;
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

/** Mileage, revocations, crash rate, reviews and ratings. */
export function fillHistory(set: SetColumn, row: Row): void {
  const { plan, carrier, random, added } = row;
  const { today } = plan;
  // None of 22 real rows has one.
  if (random.chance(0.05)) set("DUN_BRADSTREET_NO", 100_000_000 + random.below(900_000_000));
  set("MCS150_UPDATE_CODE_ID", 1 + random.below(3));
  if (random.chance(0.664)) {
    const miles = Math.floor(carrier.powerUnits * 90_000 * random.unit());
    // Half of all mileages are round.
    set("MCS150_MILEAGE", random.chance(0.5) ? Number(miles.toPrecision(2)) : miles);
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
    set("REVIEW_TYPE", random.one(REVIEWS));
    set("REVIEW_DATE", compactDay(reviewed));
    set("REVIEW_ID", 100_000 + random.below(2_400_000));
    if (random.chance(0.086)) {
      const rating = random.unit();
      set("SAFETY_RATING", rating < 0.65 ? "S" : rating < 0.95 ? "C" : "U");
      set("SAFETY_RATING_DATE", compactDay(Math.min(today - 1, reviewed + random.below(90))));
    }
  }
}
