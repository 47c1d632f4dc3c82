/**
 * A synthetic carrier: the facts that both files share, its place, names and docket numbers.
 *
 * @module
 */

import { mix } from "../../pipeline/mix.ts";
import { drawNames, drawOtherNames, hasOtherNames, type Names } from "./names.ts";
import { drawPlace, type Place } from "./places.ts";
import { type DatasetPlan, dotOf } from "./plan.ts";
import { quantile, type Quantiles, Random } from "./random.ts";

/** Sequences of random numbers, one for each aspect of a carrier. */
const STREAM = { facts: 0, place: 1, names: 2, inspected: 3 } as const;

/** The facts that both files must agree on. Counts are whole numbers. */
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

// Quantiles of FMCSA's file: median 1, upper quartile 2, then a long tail.
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
export function carrierFacts(plan: DatasetPlan, index: number): CarrierFacts {
  const random = new Random().restart(plan.seed, index, STREAM.facts);
  const age = index / plan.carriers;
  const draw = random.unit();
  const status = draw < 0.00022 ? "P" : draw < 0.28 + 0.437 * age ? "A" : "I";
  let fleet = Math.floor(quantile(FLEET, random.unit()));
  if (status === "I" && random.chance(0.000004)) fleet = random.one(ABSURD_FLEETS);
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
    : kind < (hazmat ? 0.9 : 0.626)
    ? "B"
    : "C";
  const drivers = Math.max(fleet === 0 ? 0 : 1, Math.round(fleet * (0.7 + 0.7 * random.unit())));
  const dot = dotOf(plan, index);
  return { index, dot, status, trucks, buses, powerUnits, drivers, hazmat, operation };
}

/** Where the carrier is. */
export function carrierPlace(plan: DatasetPlan, index: number): Place {
  return drawPlace(new Random().restart(plan.seed, index, STREAM.place));
}

/** The names of the carrier. */
export function carrierNames(plan: DatasetPlan, index: number, place: Place): Names {
  const random = new Random().restart(plan.seed, index, STREAM.names);
  return hasOtherNames(dotOf(plan, index)) ? drawOtherNames(random) : drawNames(random, place);
}

/** The share of active carriers that are inspected, by upper bounds of power units. */
const INSPECTED = [[1, 0.04], [2, 0.143], [3, 0.24], [6, 0.388], [21, 0.6], [1e9, 0.9]] as const;

/** How often the carrier is inspected, relative to others; 0 for the many that never are. */
export function inspectionWeight(plan: DatasetPlan, carrier: CarrierFacts): number {
  const random = new Random().restart(plan.seed, carrier.index, STREAM.inspected);
  const fleet = carrier.powerUnits;
  const [, likely] = INSPECTED.find(([below]) => fleet < below)!;
  if (!random.chance(carrier.status === "A" ? likely : likely * 0.12)) return 0;
  // Absurd fleets are filing errors: their owners aren't seen on the road.
  if (fleet > 50_000) return 1;
  const drive = 0.25 + 1.5 * random.unit();
  const weight = drive * (0.6 + Math.min(fleet, 40) + Math.sqrt(fleet) * 2 + fleet * 1.7);
  return carrier.status === "A" ? weight : 1 + weight / 20;
}

/** One of the three docket slots. Prefix `MC`, `MX` or `FF`; status `A`, `I` or `P`. */
interface DocketSlot {
  prefix: string;
  number: number;
  status: string;
}

/** The lowest docket number. */
const FIRST_DOCKET = 1_001;
/** Three carriers in eight have a docket. */
const BLOCK = 8;
const DOCKETS_PER_BLOCK = 3;
/** One carrier in 62 has an MC number in slot 2, one in 1,364 in slot 3 (79,000 and 3,300 of 4.5 million). */
const SECOND_EVERY = 62;
const THIRD_EVERY = 1_364;
/** For every 3,500 carriers, one MC number is in two to six rows. */
const SHARED_EVERY = 3_500;

/** The docket slots of a carrier, in slot order; at most three, none for most carriers. */
export function drawDockets(
  plan: DatasetPlan,
  carrier: CarrierFacts,
  { random, mexican }: { random: Random; mexican: boolean },
): DocketSlot[] {
  const { index } = carrier;
  // Numbers are assigned by index, so a new carrier's number would already be in use.
  if (index >= plan.carriers) return [];
  const slots: DocketSlot[] = [];
  const add = (prefix: string, number: number): void =>
    void slots.push({ prefix, number, status: drawStatus(random, carrier.status) });
  const shared = sharedNumber(plan, index);
  const first = shared ?? ownNumber(plan, index);
  if (first !== null) {
    const forwarder = shared === null && !mexican && random.chance(0.018);
    const prefix = mexican ? "MX" : forwarder ? "FF" : "MC";
    add(prefix, forwarder ? Math.ceil(first / 30) : first);
  }
  const numbers = numbersOf(plan);
  if (index % SECOND_EVERY === 7) {
    if (first === null) add("FF", Math.ceil(numbers.second / 30) + Math.floor(index / 600));
    add("MC", numbers.second + Math.floor(index / SECOND_EVERY));
    if (index % THIRD_EVERY < SECOND_EVERY) {
      add("MC", numbers.third + Math.floor(index / THIRD_EVERY));
    }
  } else if (first !== null && random.chance(0.004)) {
    const same = slots[0]!;
    slots.push({ ...same, status: same.status === "A" ? "I" : "A" });
  }
  return slots;
}

function drawStatus(random: Random, carrierStatus: string): string {
  const draw = random.unit();
  if (carrierStatus === "A") return draw < 0.78 ? "A" : draw < 0.99 ? "I" : "P";
  return draw < 0.88 ? "I" : draw < 0.998 ? "A" : "P";
}

/** Each block of eight carriers owns three numbers; a hash decides which three carriers have them. */
function ownNumber(plan: DatasetPlan, index: number): number | null {
  const block = Math.floor(index / BLOCK);
  const turn = (index + mix(plan.seed, block, 20)) % BLOCK;
  return turn < DOCKETS_PER_BLOCK ? FIRST_DOCKET + block * DOCKETS_PER_BLOCK + turn : null;
}

function sharedNumber(plan: DatasetPlan, index: number): number | null {
  const group = Math.floor(index / SHARED_EVERY);
  const draw = mix(plan.seed, group, 21);
  const start = group * SHARED_EVERY + (draw % (SHARED_EVERY - 6));
  const members = draw >>> 29 === 0 ? 3 + ((draw >>> 26) & 3) : 2;
  if (index < start || index >= start + members) return null;
  return numbersOf(plan).shared + group;
}

/** The first number of each kind; the ranges do not overlap. */
function numbersOf(plan: DatasetPlan): { second: number; third: number; shared: number } {
  const second = FIRST_DOCKET + DOCKETS_PER_BLOCK * (Math.floor(plan.carriers / BLOCK) + 1);
  const third = second + Math.floor(plan.carriers / SECOND_EVERY) + 1;
  const shared = third + Math.floor(plan.carriers / THIRD_EVERY) + 1;
  return { second, third, shared };
}
