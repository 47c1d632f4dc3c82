/**
 * The facts of one synthetic carrier that both files need.
 *
 * @module
 */

import { type Country, dotOf } from "./plan.ts";
import { drawNames, type Names } from "./names.ts";
import { drawPlace, type Place } from "./places.ts";
import { quantile, type Quantiles, Random } from "./random.ts";

/** Sequences of random numbers, one for each thing drawn about a carrier. */
const STREAM = { facts: 0, place: 1, names: 2, inspected: 3 } as const;

/** What both files must agree on. Counts are whole numbers. */
export interface CarrierFacts {
  index: number;
  dot: number;
  /** `A`, `I` or `P`. */
  status: string;
  trucks: number;
  buses: number;
  powerUnits: number;
  drivers: number;
  hazmat: boolean;
  /** `A`, `B`, `C` or `""`. */
  operation: string;
}

// Median 1, upper quartile 2, then a long tail (regulator-files.md, section 2).
const FLEET: Quantiles = [
  [0, 0],
  [0.1299, 0.99],
  [0.13, 1],
  [0.5799, 1.99],
  [0.58, 2],
  [0.7799, 2.99],
  [0.78, 3],
  [0.88, 5],
  [0.945, 11],
  [0.978, 28],
  [0.991, 100],
  [0.9982, 350],
  [0.9996, 1_000],
  [0.99995, 5_000],
  [0.999996, 15_000],
  [1, 45_000],
];

const ABSURD_FLEETS = [92_901, 101_844, 110_113, 250_000, 599_994];

/** The carrier at an index. */
export function carrierFacts(country: Country, index: number): CarrierFacts {
  const random = new Random().restart(country.seed, index, STREAM.facts);
  const age = index / country.carriers;
  const draw = random.unit();
  const status = draw < 0.00022 ? "P" : draw < 0.28 + 0.437 * age ? "A" : "I";
  let fleet = Math.floor(quantile(FLEET, random.unit()));
  if (status === "I" && random.chance(0.000004)) {
    fleet = ABSURD_FLEETS[random.below(ABSURD_FLEETS.length)] as number;
  }
  const passenger = random.chance(0.022);
  const buses = passenger ? fleet : fleet > 3 && random.chance(0.004) ? 1 + random.below(3) : 0;
  const trucks = passenger ? 0 : fleet - buses;
  const powerUnits = random.chance(0.002) ? fleet + 1 + random.below(20) : fleet;
  const hazmat = random.chance(fleet > 20 ? 0.16 : fleet > 3 ? 0.1 : 0.053);
  const kind = random.unit();
  const operation = kind < 0.074
    ? ""
    : kind < 0.623
    ? "A"
    : hazmat && kind < 0.9
    ? "B"
    : kind < 0.626
    ? "B"
    : "C";
  const drivers = Math.max(fleet === 0 ? 0 : 1, Math.round(fleet * (0.7 + 0.7 * random.unit())));
  const dot = dotOf(country, index);
  return { index, dot, status, trucks, buses, powerUnits, drivers, hazmat, operation };
}

/** Where the carrier sits. */
export function carrierPlace(country: Country, index: number): Place {
  return drawPlace(new Random().restart(country.seed, index, STREAM.place));
}

/** What the carrier is called. */
export function carrierNames(country: Country, index: number, place: Place): Names {
  const random = new Random().restart(country.seed, index, STREAM.names);
  return drawNames(random, place, country.nameNote);
}

/** How often the carrier is inspected, relative to others; 0 for the many that never are. */
export function inspectionWeight(country: Country, carrier: CarrierFacts): number {
  const random = new Random().restart(country.seed, carrier.index, STREAM.inspected);
  const fleet = carrier.powerUnits;
  const likely = fleet === 0
    ? 0.04
    : fleet === 1
    ? 0.143
    : fleet === 2
    ? 0.24
    : fleet < 6
    ? 0.388
    : fleet < 21
    ? 0.6
    : 0.9;
  if (!random.chance(carrier.status === "A" ? likely : likely * 0.12)) return 0;
  // Absurd fleets are filing errors: their owners are not seen on the road.
  if (fleet > 50_000) return 1;
  const drive = 0.25 + 1.5 * random.unit();
  const weight = drive * (0.6 + Math.min(fleet, 40) + Math.sqrt(fleet) * 2 + fleet * 1.7);
  return carrier.status === "A" ? weight : 1 + weight / 20;
}
