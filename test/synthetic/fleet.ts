/**
 * Census columns of vehicles, cargo, drivers, mileage, reviews and ratings.
 *
 * @module
 */

import { CENSUS_COLUMNS } from "../../pipeline/fmcsa/columns.ts";
import type { CarrierFacts } from "./carrier.ts";
import { compactDay, csvCell, type RowWriter } from "./format.ts";
import type { DatasetPlan } from "./plan.ts";
import { type Random, zipf } from "./random.ts";
import { linesBelow } from "./words.ts";

/** A census row under construction. */
export interface CensusDraft {
  row: RowWriter;
  plan: DatasetPlan;
  carrier: CarrierFacts;
  random: Random;
  /** Day number of ADD_DATE. */
  added: number;
}

const CARGO = zipf(
  [
    "CRGO_GENFREIGHT",
    ...CENSUS_COLUMNS.filter((name) => /^CRGO_(?!GENFREIGHT|PASSENGERS|CARGOOTHR_DESC)/.test(name)),
  ],
  0.5,
);

/** Texts of CRGO_CARGOOTHR_DESC. */
const OTHER_CARGO = linesBelow("other cargo");

/** FLEETSIZE: the upper bound of each letter; beyond the last it is `Z`. */
const SIZES = (
  "0:0 A:1 B:3 C:6 D:8 E:11 F:14 G:17 H:19 I:23 J:28 K:32 L:38 M:44 N:55 O:75 P:100 Q:200 R:300 " +
  "S:400 T:550 U:999 V:2000 W:3000 X:4000 Y:5000"
).split(" ").map((pair) => [pair.slice(0, 1), Number(pair.slice(2))] as const);

/** The FLEETSIZE letter of a number of power units. */
export function fleetSizeCode(powerUnits: number): string {
  return SIZES.find(([, upTo]) => powerUnits <= upTo)?.[0] ?? "Z";
}

/** Owned, term-leased and trip-leased vehicles that add up to the carrier's trucks and buses. */
export function fillEquipment({ row, carrier: { trucks, buses }, random }: CensusDraft): void {
  const count = (column: string, value: number): void => {
    if (value > 0) row.set(column, value);
  };
  if (trucks > 0) {
    const leased = random.chance(0.15) ? random.below(trucks + 1) : 0;
    const tripLeased = leased > 2 && random.chance(0.1) ? random.below(leased) : 0;
    const owned = trucks - leased;
    const tractors = random.chance(0.55) ? owned : random.below(owned + 1);
    count("OWNTRUCK", owned - tractors);
    count("OWNTRACT", tractors);
    count("TRMTRACT", leased - tripLeased);
    count("TRPTRACT", tripLeased);
    if (random.chance(0.7)) count("OWNTRAIL", Math.ceil(trucks * (0.5 + 1.5 * random.unit())));
  }
  if (buses > 0) {
    const vans = random.below(buses + 1);
    count(random.chance(0.5) ? "OWNCOACH" : "OWNBUS_16", buses - vans);
    count(random.chance(0.5) ? "OWNVAN_9_15" : "OWNLIMO_1_8", vans);
  }
}

/** `X` in one to four cargo columns, and a text for "other". */
export function fillCargo({ row, carrier, random }: CensusDraft): void {
  if (carrier.buses > 0 && carrier.trucks === 0) row.set("CRGO_PASSENGERS", "X");
  else if (random.chance(0.93)) {
    for (let left = 1 + random.below(4); left > 0; left--) row.set(CARGO.pick(random), "X");
  }
  if (random.chance(0.12)) {
    row.set("CRGO_CARGOOTHR", "X");
    row.set("CRGO_CARGOOTHR_DESC", csvCell(random.one(OTHER_CARGO)));
  }
}

/** Drivers by range; interstate and intrastate add up to the total. */
export function fillDrivers({ row, carrier: { drivers, operation }, random }: CensusDraft): void {
  if (random.chance(0.088)) return;
  const interstate = operation === "A"
    ? drivers - (random.chance(0.1) ? random.below(drivers + 1) : 0)
    : 0;
  const beyond = random.below(interstate + 1);
  const local = drivers - interstate;
  const localBeyond = random.below(local + 1);
  row.set("TOTAL_DRIVERS", drivers);
  row.set("DRIVER_INTER_TOTAL", interstate);
  row.set("TOTAL_INTRASTATE_DRIVERS", local);
  row.set("INTERSTATE_BEYOND_100_MILES", beyond);
  row.set("INTERSTATE_WITHIN_100_MILES", interstate - beyond);
  row.set("INTRASTATE_BEYOND_100_MILES", localBeyond);
  row.set("INTRASTATE_WITHIN_100_MILES", local - localBeyond);
  row.set("TOTAL_CDL", random.chance(0.6) ? drivers : random.below(drivers + 1));
  row.set("AVG_DRIVERS_LEASED_PER_MONTH", random.chance(0.95) ? 0 : random.below(drivers + 1));
}

const REVIEWS = [..."CCCSSUANHEKFGIJ"];
const OWNERS = ["INDIVIDUAL", "PARTNERSHIP", "CORPORATION"];

/** Mileage, revocations, crash rate, reviews and ratings. */
export function fillHistory({ row, plan: { today }, carrier, random, added }: CensusDraft): void {
  // None of 22 real rows has one.
  if (random.chance(0.05)) row.set("DUN_BRADSTREET_NO", 100_000_000 + random.below(900_000_000));
  row.set("MCS150_UPDATE_CODE_ID", 1 + random.below(3));
  if (random.chance(0.664)) {
    const miles = Math.floor(carrier.powerUnits * 90_000 * random.unit());
    // Half of all mileages are round.
    row.set("MCS150_MILEAGE", random.chance(0.5) ? Number(miles.toPrecision(2)) : miles);
    if (random.chance(0.81)) {
      row.set("MCS150_MILEAGE_YEAR", Number(compactDay(today).slice(0, 4)) - random.below(9));
    }
  }
  if (random.chance(0.404)) {
    const revoked = random.chance(0.06);
    row.set("PRIOR_REVOKE_FLAG", revoked ? "Y" : "N");
    if (revoked) row.set("PRIOR_REVOKE_DOT_NUMBER", carrier.dot);
  }
  if (random.chance(0.159)) {
    const kind = random.below(OWNERS.length);
    row.set("BUSINESS_ORG_ID", kind + 1);
    row.set("BUSINESS_ORG_DESC", OWNERS[kind]!);
  }
  if (random.chance(0.208)) {
    const isZero = random.chance(0.9);
    const rate = isZero ? "0.000" : `${random.below(9)}.${100 + random.below(900)}`;
    row.set("RECORDABLE_CRASH_RATE", rate);
  }
  if (random.chance(0.13)) row.set("MCSIPSTEP", random.chance(0.8) ? 0 : 52 + random.below(17));
  if (random.chance(0.18)) row.set("MCSIPDATE", compactDay(today - random.below(6_000)));
  if (!random.chance(carrier.powerUnits > 5 ? 0.3 : 0.12)) return;
  const reviewed = Math.max(added, today - random.below(9_000));
  row.set("REVIEW_TYPE", random.one(REVIEWS));
  row.set("REVIEW_DATE", compactDay(reviewed));
  row.set("REVIEW_ID", 100_000 + random.below(2_400_000));
  if (!random.chance(0.086)) return;
  const rating = random.unit();
  row.set("SAFETY_RATING", rating < 0.65 ? "S" : rating < 0.95 ? "C" : "U");
  row.set("SAFETY_RATING_DATE", compactDay(Math.min(today - 1, reviewed + random.below(90))));
}
