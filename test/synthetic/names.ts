/**
 * Names of synthetic carriers: few words very often, very many words once, as in the real register.
 *
 * @module
 */

import type { Place } from "./places.ts";
import { Choice, type Random, zipf } from "./random.ts";
import {
  BRAND_FIRST,
  BRAND_SECOND,
  FIRST_NAMES,
  FORMS,
  SURNAMES,
  SYLLABLES,
  TRADES,
} from "./words.ts";

/** Legal name and trade name; the trade name is `""` for most. */
export interface Names {
  legal: string;
  dba: string;
}

const SURNAME = zipf(SURNAMES, 12);
const FIRST_NAME = zipf(FIRST_NAMES, 10);
const TRADE = zipf(TRADES, 0.6);
const BRAND_1 = zipf(BRAND_FIRST, 20);
const BRAND_2 = zipf(BRAND_SECOND, 15);
const FORM = new Choice(FORMS);
const LETTERS = "ABCDEFGHJKLMNPRSTVWZ";

type Pattern = (random: Random, place: Place) => string;

const FIRM = new Choice<Pattern>([
  [(r) => `${SURNAME.pick(r)} ${TRADE.pick(r)}`, 30],
  [(r) => `${BRAND_1.pick(r)} ${BRAND_2.pick(r)} ${TRADE.pick(r)}`, 17],
  [(r) => `${coined(r)} ${TRADE.pick(r)}`, 15],
  [(r) => `${BRAND_1.pick(r)} ${TRADE.pick(r)}`, 8],
  [(r) => `${FIRST_NAME.pick(r)} ${SURNAME.pick(r)} ${TRADE.pick(r)}`, 7],
  [(r) => `${letter(r)} & ${letter(r)} ${TRADE.pick(r)}`, 6],
  [(r) => `${letter(r)}${letter(r)}${letter(r)} ${TRADE.pick(r)}`, 5],
  [(r, place) => `${place.city} ${TRADE.pick(r)}`, 4],
  [(r) => `${SURNAME.pick(r)} & SONS ${TRADE.pick(r)}`, 2],
  [(r) => `${SURNAME.pick(r)} BROTHERS ${TRADE.pick(r)}`, 1.5],
  [(r) => `${FIRST_NAME.pick(r)}'S ${TRADE.pick(r)}`, 1.5],
  [(r) => `${SURNAME.pick(r)}/${SURNAME.pick(r)} ${TRADE.pick(r)}`, 0.6],
  [(r) => `${SURNAME.pick(r)}-${SURNAME.pick(r)} ${TRADE.pick(r)}`, 0.6],
  [(r) => `${100 + r.below(900)} ${TRADE.pick(r)}`, 1.3],
  [(r) => `${letter(r)}${1 + r.below(9)} ${TRADE.pick(r)}`, 0.5],
]);

/** The names of a carrier. `note` is set behind each of them, to mark a bundled sample. */
export function drawNames(random: Random, place: Place, note = ""): Names {
  const person = random.chance(0.2);
  let legal = person ? personName(random) : firm(random, place);
  if (random.chance(0.012)) legal = legal.replace(" ", "  ");
  let dba = "";
  if (random.chance(person ? 0.42 : 0.145)) {
    dba = person && random.chance(0.5)
      ? `${legal.slice(legal.lastIndexOf(" ") + 1)} ${TRADE.pick(random)}`
      : (FIRM.pick(random))(random, place);
  }
  if (note === "") return { legal, dba };
  return { legal: `${legal} ${note}`, dba: dba === "" ? "" : `${dba} ${note}` };
}

function personName(random: Random): string {
  const middle = random.chance(0.55) ? ` ${letter(random)}` : "";
  const junior = random.chance(0.02) ? " JR" : "";
  return `${FIRST_NAME.pick(random)}${middle} ${SURNAME.pick(random)}${junior}`;
}

function firm(random: Random, place: Place): string {
  const base = FIRM.pick(random)(random, place);
  const form = FORM.pick(random);
  return form === "" ? base : form.startsWith(",") ? base + form : `${base} ${form}`;
}

function coined(random: Random): string {
  let word = "";
  for (let left = 2 + random.below(3); left > 0; left--) {
    word += SYLLABLES[random.below(SYLLABLES.length)] as string;
  }
  return word;
}

function letter(random: Random): string {
  return LETTERS[random.below(LETTERS.length)] as string;
}
