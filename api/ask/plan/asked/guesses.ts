/**
 * Stage 3, guesses: counts, cargo and ratios that a question takes for true or asks for, beside those of its
 * phrases.
 *
 * @module
 */

import { CARGO } from "../../../../pipeline/snapshot/record/members.ts";
import type { QuestionView } from "../../entities/entities.ts";
import { countOf } from "../../tokens/number_patterns.ts";

const DRIVERS = /^(.+) drivers?$/i;

/** Counts that are claimed for a carrier: "lists 6 trucks and one driver, right". */
export function countsGuessed(q: QuestionView): string[] {
  // "I have 40 trucks and my DOT is 286764".
  if (/\b(?:i|we) (?:\S+ )?(?:have|own|run|got) (?:\S+ )?\d/i.test(q.reading.text)) return [];
  const [units, ...more] = q.all("vehicles").filter(({ vague, also, text }) =>
    vague === undefined && also === undefined && !/^(?:an?|no|single|without|un)\b/i.test(text)
  );
  const drivers = q.all("other").flatMap(({ text }) => DRIVERS.exec(text)?.[1] ?? []).map(countOf);
  return [
    ...units !== undefined && more.length === 0 ? [`fleet=power_units:${units.value}`] : [],
    ...drivers.length === 1 ? [`fleet=drivers:${drivers[0]}`] : [],
  ];
}

/** What people call the cargo of the census. */
const CARGO_WORDS: Readonly<Partial<Record<keyof typeof CARGO, RegExp>>> = {
  CRGO_GENFREIGHT: /\b(?:general freight|dry vans?|dry freight)\b/,
  CRGO_HOUSEHOLD: /\b(?:household(?: goods)?|hhg|furniture)\b/,
  CRGO_METALSHEET: /\b(?:steel|metals?|coils?)\b/,
  CRGO_MOTOVEH: /\b(?:cars|autos|automobiles|motor vehicles)\b/,
  CRGO_DRIVETOW: /\b(?:drive ?aways?|tow ?aways?)\b/,
  CRGO_LOGPOLE: /\b(?:logs|logging|lumber|poles|timber)\b/,
  CRGO_BLDGMAT: /\b(?:building|construction) (?:materials?|supplies)\b/,
  CRGO_MOBILEHOME: /\bmobile homes?\b/,
  CRGO_MACHLRG: /\b(?:machinery|large objects|heavy equipment)\b/,
  CRGO_PRODUCE: /\b(?:produce|vegetables|fruits?)\b/,
  CRGO_LIQGAS: /\b(?:liquids?|gas|gases|propane|fuel|gasoline)\b/,
  CRGO_INTERMODAL: /\b(?:intermodal|containers?|chassis)\b/,
  CRGO_OILFIELD: /\boil ?fields?\b/,
  CRGO_LIVESTOCK: /\b(?:livestock|cattle|cows?|hogs|horses)\b/,
  CRGO_GRAINFEED: /\b(?:grains?|feed|hay)\b/,
  CRGO_COALCOKE: /\bcoal\b/,
  CRGO_MEAT: /\bmeats?\b/,
  CRGO_GARBAGE: /\b(?:garbage|refuse|trash)\b/,
  CRGO_USMAIL: /\b(?:us |the )?mail\b(?! address)/,
  CRGO_CHEM: /\bchemicals?\b/,
  CRGO_DRYBULK: /\bdry bulk\b/,
  CRGO_COLDFOOD: /\b(?:refrigerated|frozen|cold food)\b/,
  CRGO_BEVERAGES: /\b(?:beverages?|beer|drinks)\b/,
  CRGO_PAPERPROD: /\bpaper products?\b/,
  CRGO_FARMSUPP: /\bfarm supplies\b/,
  CRGO_WATERWELL: /\bwater wells?\b/,
};

/** The most kinds of cargo that are answered yes or no. */
const MOST_KINDS = 4;

/** Kinds of cargo that are asked for: `cargo=Fresh produce`. */
export function cargoGuessed(q: QuestionView): string[] {
  // "Produce too?" may seem to be a name.
  const isNamed = (at: number): boolean =>
    q.names.some(({ from, to, exists }) => exists && at >= from && at < to);
  const said = q.reading.tokens.filter((_, at) => !isNamed(at)).map(({ text }) => text).join(" ");
  return Object.entries(CARGO_WORDS).filter(([, words]) => words.test(said)).slice(0, MOST_KINDS)
    .map(([column]) => `cargo=${CARGO[column as keyof typeof CARGO]}`);
}

/** Whether a text is of a kind of cargo, or of the one by this name in the census. */
export function isCargo(text: string, kind?: string): boolean {
  return Object.entries(CARGO_WORDS).some(([column, words]) =>
    (kind === undefined || CARGO[column as keyof typeof CARGO] === kind) &&
    words.test(text.toLowerCase())
  );
}

/** "Miles per truck", "ratio of drivers to trucks". */
const EACH =
  /\b(?:per|each|every) (?:power )?(?:truck|unit|tractor|vehicle|rig)\b|\bmiles an? (?:truck|tractor|unit)\b|\bratio\b/;

/** What is asked for each power unit: `mileage=each`. */
export function ratiosAsked(q: QuestionView): string[] {
  if (!EACH.test(q.reading.text.toLowerCase())) return [];
  return [
    ...q.says(/\bmil(?:es|eage)\b/) ? ["mileage=each"] : [],
    ...q.says(/\bdrivers?\b/) ? ["fleet=each"] : [],
  ];
}
