/**
 * Names of synthetic carriers: few words very often, very many words once, as in FMCSA's file. One carrier in a
 * thousand gets its names from a second, independent model, so that search is also measured on names that its
 * neighbors don't share.
 *
 * @module
 */

import { mix } from "../../pipeline/mix.ts";
import { drawPlace, type Place } from "./places.ts";
import { Choice, type Random, zipf } from "./random.ts";
import { weightedBelow, wordsBelow } from "./words.ts";

/** Legal name and trade name; the trade name is `""` for most. */
export interface Names {
  legal: string;
  dba: string;
}

const ONE_IN = 1000;

/** Whether the carrier of a USDOT number has its names from the second model. */
export function hasOtherNames(dot: number): boolean {
  return mix(dot, ONE_IN, 0) % ONE_IN === 0;
}

const SURNAME = zipf(wordsBelow("surnames"), 12);
const FIRST_NAME = zipf(wordsBelow("first names"), 10);
/** Words for the firm's trade. */
const TRADE = zipf(wordsBelow("trades"), 0.6);
const BRAND_1 = zipf(wordsBelow("brands, first word"), 20);
const BRAND_2 = zipf(wordsBelow("brands, second word"), 15);
/** Parts of invented words, which give real names their long tail. */
const SYLLABLES = wordsBelow("syllables");
const LETTERS = [..."ABCDEFGHJKLMNPRSTVWZ"];

/** Legal forms. A leading comma attaches to the previous word. */
const FORM = new Choice(weightedBelow("legal forms"));

const FIRM = new Choice<(random: Random, place: Place) => string>([
  [(r) => `${SURNAME.pick(r)} ${TRADE.pick(r)}`, 28],
  [(r) => `${BRAND_1.pick(r)} ${BRAND_2.pick(r)} ${TRADE.pick(r)}`, 16],
  [(r) => `${coined(r)} ${TRADE.pick(r)}`, 15],
  [(r) => `${BRAND_1.pick(r)} ${TRADE.pick(r)}`, 7],
  [(r) => `${FIRST_NAME.pick(r)} ${SURNAME.pick(r)} ${TRADE.pick(r)}`, 7],
  [(r) => `${letter(r)} & ${letter(r)} ${TRADE.pick(r)}`, 4],
  [(r) => `${letter(r)} AND ${letter(r)} ${TRADE.pick(r)}`, 1.2],
  [(r) => `${letter(r)}${letter(r)} ${TRADE.pick(r)}`, 3],
  [(r) => `${letter(r)}${letter(r)}${letter(r)} ${TRADE.pick(r)}`, 4],
  [(r) => `${letter(r)} ${letter(r)} ${SURNAME.pick(r)} ${TRADE.pick(r)}`, 1],
  [(r, place) => `${place.city} ${TRADE.pick(r)}`, 3],
  [(r) => `${drawPlace(r).city} ${TRADE.pick(r)}`, 2],
  [(r) => `${SURNAME.pick(r)} ${TRADE.pick(r)} OF ${drawPlace(r).city}`, 0.7],
  [(r) => `${SURNAME.pick(r)} & SONS ${TRADE.pick(r)}`, 2],
  [(r) => `${SURNAME.pick(r)} AND SONS ${TRADE.pick(r)}`, 0.7],
  [(r) => `${SURNAME.pick(r)} & ${SURNAME.pick(r)} ${TRADE.pick(r)}`, 1],
  [(r) => `${SURNAME.pick(r)} BROTHERS ${TRADE.pick(r)}`, 1.5],
  [(r) => `${FIRST_NAME.pick(r)}'S ${TRADE.pick(r)}`, 1.5],
  [(r) => `${SURNAME.pick(r)}/${SURNAME.pick(r)} ${TRADE.pick(r)}`, 0.6],
  [(r) => `${SURNAME.pick(r)}-${SURNAME.pick(r)} ${TRADE.pick(r)}`, 0.6],
  [(r) => `${100 + r.below(900)} ${TRADE.pick(r)}`, 1.3],
  [(r) => `${letter(r)}${1 + r.below(9)} ${TRADE.pick(r)}`, 0.5],
]);

/** Draws the names of a carrier: 63% end in a legal form, 27% have a trade name. */
export function drawNames(random: Random, place: Place): Names {
  const person = random.chance(0.28);
  let legal = person
    ? personName(random)
    : withForm(FIRM.pick(random)(random, place), FORM, random);
  if (random.chance(0.012)) legal = legal.replace(" ", "  ");
  let dba = "";
  if (random.chance(person ? 0.45 : 0.2)) {
    dba = person && random.chance(0.5)
      ? `${legal.slice(legal.lastIndexOf(" ") + 1)} ${TRADE.pick(random)}`
      : FIRM.pick(random)(random, place);
  } else if (random.chance(0.01)) {
    legal = `${legal} DBA ${FIRM.pick(random)(random, place)}`;
  }
  return { legal, dba };
}

function personName(random: Random): string {
  const middle = random.chance(0.55) ? ` ${letter(random)}` : "";
  const junior = random.chance(0.02) ? " JR" : "";
  return `${FIRST_NAME.pick(random)}${middle} ${SURNAME.pick(random)}${junior}`;
}

function withForm(name: string, forms: Choice<string>, random: Random): string {
  const form = forms.pick(random);
  return form === "" || form.startsWith(",") ? name + form : `${name} ${form}`;
}

function coined(random: Random): string {
  let word = "";
  for (let left = 2 + random.below(3); left > 0; left--) word += random.one(SYLLABLES);
  return word;
}

function letter(random: Random): string {
  return random.one(LETTERS);
}

const OTHER_LETTERS = [..."ABCDEFGHIJKLMNOPRSTUVWYZ"];
const GIVEN_NAME = zipf(wordsBelow("other given names"), 40);
const WORK = zipf(wordsBelow("work"), 1);
const STEMS = wordsBelow("stems");
const ENDINGS = wordsBelow("endings");
const THINGS = wordsBelow("things");
const SHORT = wordsBelow("short");
const AFFIXES = wordsBelow("affixes");
const OTHER_FORM = new Choice(weightedBelow("other legal forms"));

const OTHER_FIRM = new Choice<(random: Random) => string>([
  [(r) => `${surname(r)} ${WORK.pick(r)}`, 26],
  [(r) => `${r.one(THINGS)} ${WORK.pick(r)}`, 14],
  [(r) => `${r.one(THINGS)} ${r.one(THINGS)} ${WORK.pick(r)}`, 6],
  [(r) => `${r.one(SHORT)}${r.one(AFFIXES)} ${WORK.pick(r)}`, 5],
  [(r) => `${r.one(STEMS)}${r.one(SHORT)}`, 4],
  [(r) => `${GIVEN_NAME.pick(r)} ${surname(r)} ${WORK.pick(r)}`, 9],
  [(r) => `${initial(r)} & ${initial(r)} ${WORK.pick(r)}`, 5],
  [(r) => `${initial(r)}${initial(r)} ${WORK.pick(r)}`, 4],
  [(r) => `${initial(r)} ${initial(r)} ${surname(r)} ${WORK.pick(r)}`, 2],
  [(r) => `${surname(r)} AND ${surname(r)} ${WORK.pick(r)}`, 3],
  [(r) => `${surname(r)} & SON ${WORK.pick(r)}`, 3],
  [(r) => `${drawPlace(r).city} ${r.one(THINGS)} ${WORK.pick(r)}`, 5],
  [(r) => `${surname(r)} ${WORK.pick(r)} OF ${drawPlace(r).city}`, 3],
  [(r) => `${GIVEN_NAME.pick(r)}'S ${r.one(THINGS)} ${WORK.pick(r)}`, 3],
  [(r) => `THE ${surname(r)} GROUP`, 2],
]);

/** Draws the names of a carrier from the second model. */
export function drawOtherNames(random: Random): Names {
  const person = random.chance(0.25);
  const middle = random.chance(0.5) ? ` ${initial(random)}` : "";
  let legal = person
    ? `${GIVEN_NAME.pick(random)}${middle} ${surname(random)}`
    : withForm(OTHER_FIRM.pick(random)(random), OTHER_FORM, random);
  const trade = OTHER_FIRM.pick(random)(random);
  if (random.chance(0.02)) legal = `${legal} DBA ${trade}`;
  return { legal, dba: random.chance(person ? 0.5 : 0.2) ? trade : "" };
}

function surname(random: Random): string {
  return random.one(STEMS) + random.one(ENDINGS);
}

function initial(random: Random): string {
  return random.one(OTHER_LETTERS);
}
