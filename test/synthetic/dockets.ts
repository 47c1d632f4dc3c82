/**
 * Docket numbers of synthetic carriers: unique by construction, except where the register repeats them.
 *
 * @module
 */

import type { CarrierFacts } from "./carrier.ts";
import type { Country } from "./plan.ts";
import { mix } from "../../pipeline/mix.ts";
import type { Random } from "./random.ts";

/** One of the three slots. Prefix `MC`, `MX` or `FF`; status `A`, `I` or `P`. */
export interface DocketSlot {
  prefix: string;
  number: number;
  status: string;
}

/** Three carriers in eight hold a docket. */
const BLOCK = 8;
const HELD = 3;
/** One carrier in 62 has an MC number in slot 2, one in 1,364 in slot 3 (79,000 and 3,300 of 4.5 million). */
const SECOND_EVERY = 62;
const THIRD_EVERY = 1_364;
/** One MC number in each 3,500 carriers stands on two to six rows. */
const SHARED_EVERY = 3_500;

/** The docket slots of a carrier, in slot order; at most three, none for most carriers. */
export function drawDockets(
  country: Country,
  carrier: CarrierFacts,
  options: { random: Random; mexican: boolean },
): DocketSlot[] {
  const { random, mexican } = options;
  const { index } = carrier;
  // Numbers are given out by index: what a newcomer would get belongs to somebody already.
  if (index >= country.carriers) return [];
  const slots: DocketSlot[] = [];
  const status = (): string => drawStatus(random, carrier.status);
  const shared = sharedNumber(country, index);
  const first = shared ?? ownNumber(country, index);
  if (first !== null) {
    const forwarder = shared === null && !mexican && random.chance(0.018);
    const prefix = mexican ? "MX" : forwarder ? "FF" : "MC";
    slots.push({ prefix, number: forwarder ? Math.ceil(first / 30) : first, status: status() });
  }
  const numbers = numbersOf(country);
  if (index % SECOND_EVERY === 7) {
    if (first === null) {
      slots.push({
        prefix: "FF",
        number: Math.ceil(numbers.second / 30) + Math.floor(index / 600),
        status: status(),
      });
    }
    slots.push({
      prefix: "MC",
      number: numbers.second + Math.floor(index / SECOND_EVERY),
      status: status(),
    });
    if (index % THIRD_EVERY < SECOND_EVERY) {
      slots.push({
        prefix: "MC",
        number: numbers.third + Math.floor(index / THIRD_EVERY),
        status: status(),
      });
    }
  } else if (first !== null && random.chance(0.004)) {
    const same = slots[0] as DocketSlot;
    slots.push({ ...same, status: same.status === "A" ? "I" : "A" });
  }
  return slots;
}

function drawStatus(random: Random, carrierStatus: string): string {
  const draw = random.unit();
  if (carrierStatus === "A") return draw < 0.78 ? "A" : draw < 0.99 ? "I" : "P";
  return draw < 0.88 ? "I" : draw < 0.998 ? "A" : "P";
}

/** Each block of eight carriers owns three numbers; a hash says which three carriers hold them. */
function ownNumber(country: Country, index: number): number | null {
  const block = Math.floor(index / BLOCK);
  const turn = (index + mix(country.seed, block, 20)) % BLOCK;
  return turn < HELD ? country.firstDocket + block * HELD + turn : null;
}

function sharedNumber(country: Country, index: number): number | null {
  const group = Math.floor(index / SHARED_EVERY);
  const draw = mix(country.seed, group, 21);
  const start = group * SHARED_EVERY + (draw % (SHARED_EVERY - 6));
  const members = draw >>> 29 === 0 ? 3 + ((draw >>> 26) & 3) : 2;
  if (index < start || index >= start + members) return null;
  return numbersOf(country).shared + group;
}

/** Where the numbers of each kind begin, so that no two kinds meet. */
function numbersOf(country: Country): { second: number; third: number; shared: number } {
  const second = country.firstDocket + HELD * (Math.floor(country.carriers / BLOCK) + 1);
  const third = second + Math.floor(country.carriers / SECOND_EVERY) + 1;
  const shared = third + Math.floor(country.carriers / THIRD_EVERY) + 1;
  return { second, third, shared };
}
