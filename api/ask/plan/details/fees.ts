/**
 * Stage 3, fees: the fleets whose UCR fee is asked for.
 *
 * @module
 */

import type { QuestionView } from "../../entities/entities.ts";
import { generalIn, type Intent, isFeeless, isOpen } from "../asked/intents.ts";
import type { NumberEntity } from "../../entities/number_entity.ts";
import { countOf } from "../../tokens/number_patterns.ts";
import { type CarrierRef, isGivenCarrier, isGuess, isNumbered } from "../whom/references.ts";

/** What a question lacks; `problem` says why, without a final period. */
export interface Lack {
  readonly part: "carrier" | "dot" | "mc" | "vehicles" | "number" | "question";
  readonly problem?: string;
  readonly options?: readonly string[];
  /** Whether the question is a whole sentence, so that it is declined rather than asked back. */
  readonly isSentence?: boolean;
}

export interface Fleet {
  readonly vehicles: number;
  /** The registration years; empty for the newest. */
  readonly years: readonly number[];
}

/** The rest of the plan, with the fleets whose fee is asked for. */
interface Fees {
  readonly intents: ReadonlySet<Intent>;
  readonly carriers: readonly CarrierRef[];
  readonly fleets: readonly Fleet[];
  readonly years: readonly number[];
  readonly lacks?: Lack | undefined;
}

/** Returns the fleets whose fee is asked for, or what is lacking to know their size. */
export function feesOf(
  q: QuestionView,
  { intents, carriers, memory, years, fee }: Omit<Fees, "fleets" | "lacks"> & {
    memory: Omit<Fees, "intents"> & { readonly counted: readonly number[] } | null;
    fee: boolean;
  },
): Fees {
  const none = { intents, carriers, fleets: [], years };
  const counts = countsIn(q, carriers);
  const general = generalIn(intents).some((one) =>
    /^(?:ucr|terms)/.test(one) &&
    !(counts.length > 0 && (one === "ucr_dates" || one === "terms" && q.has("ucr")))
  );
  const paid = intents.has("no:ucr_payment") && counts.length === 0;
  // "My DOT is 286764 and I am adding 3 trucks": the fleet that the sum begins with is the carrier's.
  const adds = carriers.length > 0 && counts.length === 1 &&
      /\b(?:adds?|added|adding|buys?|bought|buying|more|another|extra|additional)\b/i.test(
        q.reading.text,
      ) ||
    // "UCR of 24157", "and if they bought 200 more trucks".
    // "What if they drop to 60 trucks", "and if they buy 15 more instead".
    carriers.length === 0 && memory?.carriers.some(isGivenCarrier) === true &&
      (memory.fleets.length === 0 || q.says(/\binstead\b/)) && fee && moreVehicles(q) !== 0;
  // "UCR fee of DOT 31638, they list over 500 trucks": the carrier's own fleet.
  const isClaim = carriers.some(isNumbered) && counts.length > 0 &&
    counts.every(({ vague }) => vague !== undefined);
  if (adds && carriers.length === 0) {
    return { ...none, intents: new Set<Intent>(["ucr"]), carriers: memory!.carriers };
  }
  if (isFeeless(intents) || paid || general || adds || isClaim) return none;
  const known = (memory?.fleets ?? []).map(({ vehicles }) => vehicles);
  const before = !fee ? [] : known.length > 0 ? known : memory?.counted ?? [];
  const rest = intents.difference(new Set<Intent>(["ucr", "fleet"]));
  const isOfFleet = isOpen(rest) && carriers.length === 0 && before.length === 1;
  const changed = isOfFleet ? changedFleet(q, before[0]!, counts.length) : undefined;
  if (changed !== undefined) {
    const asked = years.length > 0 ? years : memory!.years;
    return { intents: rest, carriers, fleets: [{ vehicles: changed, years: asked }], years: asked };
  }
  const alone = isOpen(intents) && carriers.length === 0;
  const followsFee = before.length > 0 && alone &&
    (counts.length + years.length > 0 || q.has("fee"));
  // "Do brokers pay UCR", "how much", "and a freight forwarder".
  const isBroker = fee && alone && ofBroker(q) &&
    (before.length > 0 || memory?.carriers.some(isGivenCarrier) === false);
  const asked = followsFee || isBroker || counts.length > 1 && alone && q.has("compare") ||
    asksForFee(q, { carriers, memory, fee, counts });
  if (!asked) return none;
  const counted = sumOf(q, counts);
  // "5 power units plus my brother's pickup".
  const isPlusOne = counted?.length === 1 && PLUS_ONE.test(q.reading.text);
  const sum = isPlusOne ? [counted[0]! + 1] : counted;
  const unclear = unclearIn(q, { carriers, counts });
  if (sum === null || unclear) {
    const problem = !unclear
      ? "UCR fees go by bracket, so the fee needs one whole number of vehicles"
      : `I can't tell whether ${unclear.text} is part of the fleet`;
    return { ...none, lacks: { part: "vehicles", problem } };
  }
  const isOfNone = ofBroker(q) && carriers.length + q.all("unresolved").length === 0;
  // "I got 20 trucks", "UCR?"
  const isOfBefore = followsFee || counts.length + carriers.length === 0 && known.length === 0;
  const vehicles = sum.length > 0
    ? sum
    : isOfBefore && before.length > 0
    ? before
    : isOfNone
    ? [0]
    : [];
  if (vehicles.length === 0) {
    const lacks = carriers.length + (memory?.carriers.length ?? 0) === 0;
    return lacks ? { ...none, lacks: { part: "vehicles" } } : none;
  }
  const left = intents.difference(
    // "UCR for a fleet of 37, carrier is USDOT 41772": also whether that one owes it.
    new Set<Intent>(
      isOpen(rest) && carriers.some(isGivenCarrier) &&
        // "What does UCR cost for 3 trucks and did 286764 pay it".
        !(q.has("pay") && q.says(/\b(?:did|paid)\b/))
        ? []
        : carriers.some(isGivenCarrier)
        ? ["ucr"]
        : ["ucr", "fleet"],
    ),
  );
  const asOf = (followsFee || isBroker) && years.length === 0 ? memory!.years : years;
  const each = q.all("vehicles", "year").map(({ role }) => role[0]).join("");
  // "2 trucks in 2026 and 8 trucks in 2027": a year for each.
  const paired = /^vy(?:vy)+$/.test(each) && vehicles.length === years.length;
  return {
    intents: left,
    carriers: isOpen(left) && !carriers.some(isGivenCarrier) ? [] : carriers,
    fleets: vehicles.map((vehicles, i) => ({ vehicles, years: paired ? [years[i]!] : asOf })),
    years: asOf,
  };
}

const PLUS_ONE =
  /\b(?:plus|and also|also) (?:my|his|her|our|their|one|another)(?: \S+['’]s)? (?:\S+ )?(?:pickup|truck|van|tractor|semi|bus)\b/i;

/** Whether a question about a fee speaks of a broker or a forwarder. */
export function ofBroker(q: QuestionView): boolean {
  return q.has("broker") || q.says(/\b(?:brokers?|forwarders?)\b/);
}

interface Counted extends Pick<Fees, "carriers"> {
  readonly counts: readonly NumberEntity[];
}

/** Whether a question asks for a fee in its own words. */
function asksForFee(
  q: QuestionView,
  { carriers, memory, fee, counts }: Counted & { memory: Pick<Fees, "lacks"> | null; fee: boolean },
): boolean {
  // "UCR fees" alone asks for the table.
  const ofTable = q.has("table") && q.says(/\bucr\b/) && counts.length > 0;
  // "And if they dropped to 95 trucks", after the fee of a carrier.
  const supposes = fee && memory !== null && counts.length === 1 && carriers.every(isGuess) &&
    /^\W*(?:(?:and|but|so|ok|what) )*if\b/i.test(q.reading.text);
  return q.has("ucr") || ofTable || supposes ||
    counts.length > 0 && !q.has("no:insurance") &&
      (q.has("fee") || fee && memory?.lacks?.part === "vehicles");
}

/** A number that may be part of the fleet. */
function unclearIn(q: QuestionView, { carriers, counts }: Counted): NumberEntity | undefined {
  const named = carriers.some((ref) => ref.by !== "name" || ref.marked);
  const unclear = q.places.find((number) =>
    number?.role === "unresolved" && !counts.some(({ text }) => text === number.text)
  );
  return counts.length > 0 && !named ? unclear ?? undefined : undefined;
}

/** The counts of vehicles; in a question about UCR and no carrier, "we own 12 and lease 9", bare numbers. */
function countsIn(q: QuestionView, carriers: readonly CarrierRef[]): readonly NumberEntity[] {
  // "UCR for USDOT 36449, not 36449 trucks".
  const counts = q.all("vehicles").filter(({ value }) =>
    !q.carrierNumbers.some((number) => number.value === value)
  );
  const isOfFleet = q.has("ucr", "table") && q.says(/\b(?:own|owned|run|have|got|fleet|trucks?)\b/);
  if (counts.length > 0 || !isOfFleet || carriers.some(isGivenCarrier)) return counts;
  const bare = q.places.filter((number) =>
    number?.role === "unresolved" && number.doubtful !== true && number.value < LEAST_ODD
  ) as NumberEntity[];
  const added = q.says(/\bown(?:ed)?\b.*\b(?:leas|rent|hire)|\bplus\b/);
  return bare.length > 2 ? [] : bare.map((number) => ({ ...number, added }));
}

/** Bare numbers from this on may be anything. */
const LEAST_ODD = 1000;

const COUNT =
  "(\\d{1,5}|one|two|three|four|five|six|seven|eight|nine|ten|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez)";
const MORE = new RegExp(
  `\\b(?:${COUNT} more|(?:adds?|added|adding|buys?|bought|buying|get|getting|lease|leasing)(?: on)?(?: other)? ${COUNT}|another(?: ${COUNT})?)\\b`,
  "i",
);
const FEWER = new RegExp(
  `\\b(?:${COUNT} (?:fewer|less)|(?:sell|sold|selling|lose|losing|park|parking|drop|dropping) ${COUNT})\\b`,
  "i",
);

const NTH = "first second third fourth fifth sixth seventh eighth ninth tenth".split(" ");
const NTH_BOUGHT = new RegExp(
  `\\b(?:buy|buying|add|adding|get|getting) (?:a|my|the|our) (?:(${
    NTH.join("|")
  })|(\\d+)(?:st|nd|rd|th))\\b`,
  "i",
);

const TRAILERS_OF = new RegExp(
  `\\b${COUNT} of (?:those|them|these) (?:is|are|was|were) (?:\\S+ )?trailers?\\b`,
  "i",
);

/** The fleet of the fee before as a question changes it: "and if I lease on 3 more". */
function changedFleet(q: QuestionView, before: number, counts: number): number | undefined {
  const nth = nthVehicle(q);
  const more = nth === undefined ? moreVehicles(q) : nth - before;
  // "Does it change if I add a trailer": no.
  // "And if 15 of those are leased": neither.
  // "And if 3 are leased".
  const ofThose = q.says(
    /\bof (?:those|them|these)\b|\bif \d+ (?:are|is) (?:leased|rented|owned)\b/,
  );
  const isSame = (counts === 0 || ofThose) && !q.says(/\bonly\b.*\btrailers\b/) &&
    (ofThose || q.says(/\btrailers?\b/) ||
      // "And if I also broker".
      ofBroker(q) && q.says(/\b(?:also|to+|as well)\b/));
  // "And if 4 of them are trailers".
  const [, count] = ofThose ? TRAILERS_OF.exec(q.reading.text) ?? [] : [];
  const after = before + more - (count === undefined ? 0 : countOf(count.toLowerCase()));
  return (more !== 0 || isSame) && after > 0 ? after : undefined;
}

/** The vehicles with the one that is bought: "and if I buy a sixth". */
function nthVehicle(q: QuestionView): number | undefined {
  const [, word, digits] = NTH_BOUGHT.exec(q.reading.text) ?? [];
  if (digits !== undefined) return Number(digits);
  return word === undefined ? undefined : NTH.indexOf(word.toLowerCase()) + 1;
}

/** How many vehicles a question adds to the fleet of the previous one, "and if I buy one more", or takes from it. */
export function moreVehicles(q: QuestionView): number {
  // "What if I lease 2 of those": part of the fleet.
  const isPart = q.says(/\bof (?:those|them|these)\b/);
  if (isPart && !q.says(/\b(?:sell|sold|selling|drop|lose|park)\b/)) return 0;
  return changeIn(q.reading.text);
}

/** How many vehicles a text adds, less those that it takes away. */
function changeIn(said: string): number {
  const [more, fewer] = [MORE, FEWER].map((pattern) => {
    const [text, ...counts] = pattern.exec(said) ?? [];
    const count = counts.find((one) => one !== undefined) ?? "one";
    return text === undefined ? 0 : countOf(count.toLowerCase());
  });
  return more! - fewer!;
}

/** The fleets that counts of vehicles make up, plain sums added; null when they are no clear numbers. */
function sumOf(q: QuestionView, counts: readonly NumberEntity[]): number[] | null {
  const kinds = new Set(
    counts.map(({ noun = "" }) => noun.replace(/^(?:leased|owned|rented|hired) /, "")),
  );
  kinds.delete("");
  const adds = counts.length > 1 &&
    (counts.some(({ added }) => added) ||
      q.says(/ plus | and (?:i )?(?:lease|rent|own) |\badd(?:ing)?\b/) ||
      new Set(counts.map(({ noun }) => noun)).size > kinds.size && kinds.size > 0);
  // "2 trucks and 1 bus"; "3 power units and 2 trucks" may count the same vehicles.
  const areApart =
    [...kinds].every((kind) => /\b(?:truck|tractor|semi|bus?|buse|coach)$/.test(kind)) &&
    q.says(/\b(?:and|plus)\b/) && !q.has("compare");
  // "They sold 25 trucks, so count 17".
  const isSold = ({ text }: NumberEntity): boolean =>
    new RegExp(`\\b(?:sold|selling|lost) ${RegExp.escape(text)}`, "i").test(q.reading.text);
  if (counts.some(isSold)) return null;
  if (counts.some(({ vague }) => vague) || kinds.size > 1 && !areApart) return null;
  if (adds || kinds.size > 1) return [counts.reduce((sum, { value }) => sum + value, 0)];
  if (q.says(/\b(?:and|plus)\b.*\b(?:more|leased|owned|extra|another)\b/) && counts.length > 0) {
    return null;
  }
  const [only, ...others] = counts;
  // "We run 19 tractors and are adding three": the fees of both.
  const { text } = q.reading;
  const behind = only === undefined ? "" : text.slice(text.indexOf(only.text) + only.text.length);
  const more = only !== undefined && others.length === 0 ? only.value + changeIn(behind) : 0;
  return [
    ...new Set([
      ...counts.flatMap(({ value, also = value }) => [value, also]),
      ...more > 0 ? [more] : [],
    ]),
  ];
}
