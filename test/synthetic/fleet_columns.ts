/**
 * The census columns that count vehicles and flag cargo.
 *
 * @module
 */

import type { CarrierFacts } from "./carrier.ts";
import { csvCell } from "./csv_line.ts";
import { CENSUS_HEADER } from "./headers.ts";
import { type Random, zipf } from "./random.ts";
import { OTHER_CARGO } from "./words.ts";

/** Puts a value into a column of the row under construction. */
export type SetColumn = (column: string, value: string | number) => void;

const CARGO = zipf(
  [
    "CRGO_GENFREIGHT",
    ...CENSUS_HEADER.filter((name) => /^CRGO_(?!GENFREIGHT|PASSENGERS|CARGOOTHR_DESC)/.test(name)),
  ],
  0.5,
);

/** FLEETSIZE: the upper bound of each letter (regulator-files.md, section 2); above the last it is `Z`. */
const SIZES: readonly (readonly [code: string, upTo: number])[] = [
  ["0", 0],
  ["A", 1],
  ["B", 3],
  ["C", 6],
  ["D", 8],
  ["E", 11],
  ["F", 14],
  ["G", 17],
  ["H", 19],
  ["I", 23],
  ["J", 28],
  ["K", 32],
  ["L", 38],
  ["M", 44],
  ["N", 55],
  ["O", 75],
  ["P", 100],
  ["Q", 200],
  ["R", 300],
  ["S", 400],
  ["T", 550],
  ["U", 999],
  ["V", 2_000],
  ["W", 3_000],
  ["X", 4_000],
  ["Y", 5_000],
];

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

/** `X` in one to four cargo columns, a text beside "other". */
export function fillCargo(set: SetColumn, carrier: CarrierFacts, random: Random): void {
  if (carrier.buses > 0 && carrier.trucks === 0) set("CRGO_PASSENGERS", "X");
  else if (random.chance(0.93)) {
    for (let left = 1 + random.below(4); left > 0; left--) set(CARGO.pick(random), "X");
  }
  if (random.chance(0.12)) {
    set("CRGO_CARGOOTHR", "X");
    const text = OTHER_CARGO[random.below(OTHER_CARGO.length)] as string;
    set("CRGO_CARGOOTHR_DESC", csvCell(text));
  }
}

function count(set: SetColumn, column: string, value: number): void {
  if (value > 0) set(column, value);
}
