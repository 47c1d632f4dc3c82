/**
 * Stage 3: the plan of a question: what to answer about whom, or what is missing.
 *
 * @module
 */

import { ASKS_NUMBER, carriedOn } from "./conversation.ts";
import { kindSaid } from "./picked.ts";
import { type Entities, type EntityContext, QuestionView } from "../entities/entities.ts";
import {
  type Asked,
  declinedIn,
  DECLINES,
  generalIn,
  type Intent,
  type Intents,
  isSpecific,
  isTopicOrDeclined,
  topicsIn,
} from "./intents.ts";
import { ofVehicles } from "./intent_rules.ts";
import { intentsOf } from "./asked.ts";
import type { Period } from "../../rules/orders.ts";
import { type AskedChanges, changesAsked } from "./history.ts";
import { dayMentioned, timesIn, type TimesSaid } from "./times.ts";
import { termsAsked, termsMeant, termsOf } from "./known/explained.ts";
import { fallbackOf } from "./fallback.ts";
import { feesOf, type Fleet, type Lack, moreVehicles } from "./fees.ts";
import { type AskedInspections, inspectionsAsked } from "./inspected.ts";
import { looksLikeName } from "../entities/names.ts";
import { type CarrierRef, isGivenCarrier, isGuess, type SearchList } from "./references.ts";
import { carriersOf, type Given, givenOf, isOfFirm, linkOf, maybeNames } from "./subjects.ts";
import { listOf } from "./lists.ts";
import { settle } from "./settled.ts";
import type { Topic } from "./topics.ts";
import { hasMore, leftOutOf, type PartLeftOut, unansweredOf } from "./unanswered.ts";

export interface Plan extends Asked {
  readonly spanish: boolean;
  readonly carriers: readonly CarrierRef[];
  /** The name to compare with the carrier of a number. If not `sure`, it is used only if it matches. */
  readonly given?: Given | undefined;
  /** Fleets whose UCR fee is asked for. */
  readonly fleets: readonly Fleet[];
  /** Which changes are asked for, if any. */
  readonly changed?: AskedChanges | undefined;
  /** The past day to answer for, `YYYY-MM-DD`. */
  readonly asOf?: string | undefined;
  /** A past day that it mentions, `YYYY-MM-DD`, where the record of now is given. */
  readonly mentioned?: string | undefined;
  /** The past days for which out-of-service orders are asked for; their dates answer for any day. */
  readonly ordersIn?: Period | undefined;
  /** The inspections that are asked for, apart from all of them. */
  readonly inspected?: AskedInspections | undefined;
  /** Ids in {@link EXPLANATIONS} of the terms to explain. */
  readonly terms: readonly string[];
  /** What is listed, of a search. */
  readonly list?: SearchList | undefined;
  /** Registration years that are asked about. */
  readonly years: readonly number[];
  readonly leftOut: readonly PartLeftOut[];
  /** Whether the answer adds the rest of the record: it was asked for, or may answer a part not understood. */
  readonly whole: boolean;
  /** Whether everything asked is declined, so that the answer adds the overview of the carriers. */
  readonly beside: boolean;
  readonly lacks?: Lack | undefined;
  /** Whether the question isn't understood, so that the record is given in its place. */
  readonly unclear: boolean;
  /** The questions that are answered in place of one that is not understood. */
  readonly readAs?: readonly string[] | undefined;
  /** Questions that are offered if no carrier has the name that it seems to give. */
  readonly close: readonly string[];
  /** Words that may be a carrier's name, where a question lacks one. */
  readonly maybe: readonly string[];
  /** Of these, the one that a question about a term may be about: "does Amber Sword have HHG authority". */
  readonly subject?: string | undefined;
  /** The carriers of the question before. */
  readonly earlier: readonly CarrierRef[];
  /** Whether it mentions an MC number without giving one. */
  readonly docket: boolean;
  /** Whether it asks for a reason. */
  readonly why: boolean;
  /** Vehicles that it counts without asking for a fee: "I have 20 trucks". */
  readonly counted: readonly number[];
  /** How many vehicles it adds to the fleets on file for the UCR fee. */
  readonly more: number;
  /** The last digits of a USDOT number for which it asks a due date, one or two. */
  readonly ending?: string | undefined;
}

/** What a plan means for the next question. */
export function contextOf(plan: Plan | null): EntityContext {
  const [only, ...more] = plan?.carriers ?? [];
  return {
    fee: (plan?.fleets.length ?? 0) > 0 || plan?.lacks?.part === "vehicles" ||
      plan?.intents.has("ucr") === true,
    docket: plan?.docket || plan?.carriers.length === 1 && only?.by === "docket" || false,
    name: only?.by === "name" && more.length === 0 ? only : null,
  };
}

/**
 * The plan of a question.
 *
 * @param memory The plan of the question before that was understood.
 * @param today `YYYY-MM-DD`.
 */
export function planOf(entities: Entities, memory: Plan | null, today: string): Plan {
  const q = new QuestionView(entities);
  const times = { ...timesIn(q, today), inspections: inspectionsAsked(q, today) };
  const subject = subjectOf(q, memory, times);
  const meant = termsMeant(q, memory?.intents ?? []);
  const asked = askedOf(q, { memory, times, subject, meant });
  const decided = decidedOf(q, { memory, times, subject, asked });
  const details = detailsOf(q, decided, { memory, times, subject, asked, today });
  const { intents } = decided;
  const maybe = decided.carriers.some((ref) => ref.by !== "name" || ref.exists === true)
    ? []
    : maybeNames(q, decided.carriers);
  const beside = decided.fleets.length === 0 && isBeside(decided);
  return {
    ...decided,
    ...details,
    intents: beside && !intents.has("search")
      ? intents.union(new Set<Intent>(["overview"]))
      : intents,
    beside,
    terms: decided.terms ?? (meant.length > 0 ? meant : intents.has("terms") ? termsAsked(q) : []),
    close: decided.close ?? [],
    unclear: decided.unclear ?? false,
    spanish: q.reading.spanish,
    whole: (intents.has("overview") || beside) && q.marks.size > 0 ||
      asked.guesses.has("overview=all") ||
      details.leftOut.some(({ first }) => first) ||
      hasMore(q, { before: asked.intents, intents }),
    maybe,
    subject: intents.has("terms") && decided.carriers.length === 0
      ? maybe.find((text) => isSubject(q, text))
      : undefined,
    // "What about the other Blue River", "not them".
    earlier: q.says(/\b(?:other|another|different|not them|not that)\b/)
      ? []
      : memory?.carriers ?? [],
    docket: decided.carriers.length === 0 && !intents.has("terms") &&
      q.says(/\b(?:mc|docket)\b/) && !q.says(/\b(?:us)?dot\b/),
    ...intents.has("mcs150_digits") && { ending: endingOf(q) },
    why: q.says(/\bwhy\b|\bhow come\b|\breasons?\b/),
    counted: decided.fleets.length > 0 || decided.carriers.length > 0
      ? []
      : q.all("vehicles").filter(({ vague }) => vague === undefined).map(({ value }) => value),
  };
}

/** Whether a text of several words stands where a question says whom it is about. */
function isSubject({ reading: { text } }: QuestionView, name: string): boolean {
  // "Does a hot shot need a DOT number" is of any.
  return name.includes(" ") && !/\b(?:needs?|require[sd]?)\b/i.test(text) && new RegExp(
    `(?:^|[.?!,] )\\W*(?:(?:and|so|ok|but|hey) )*(?:does|do|is|are|can|could|has|have|will|did|was|would) ${
      RegExp.escape(name)
    }\\b|\\b(?:for|of|to|with) ${RegExp.escape(name)}\\b|^\\W*${
      RegExp.escape(name)
    },? (?:is|are|does|do|has|have|can)\\b`,
    "i",
  ).test(text);
}

/** The one or two digits in which a number ends: "my DOT ends in 45". */
function endingOf(q: QuestionView): string | undefined {
  const [digits, ...more] = q.all("other", "unresolved").flatMap(({ text }) =>
    /(?<!\d)\d{1,2}$/.exec(text)?.[0] ?? []
  );
  return more.length === 0 ? digits : undefined;
}

type Times = TimesSaid & { readonly inspections: AskedInspections | undefined };

/** Whom a question is about, before what it asks is known. */
interface Subject {
  readonly carriers: readonly CarrierRef[];
  readonly own: boolean;
  /** Whether it only says the kind of the number before: "the MC". */
  readonly isKind: boolean;
  readonly linked: string | null;
  readonly given: Given | undefined;
  /** Whether a bare number may be vehicles. */
  readonly fee: boolean;
}

function subjectOf(q: QuestionView, memory: Plan | null, { inspections }: Times): Subject {
  const fee = q.has("fee", "ucr", "table", "window") || contextOf(memory).fee;
  const said = memory === null ? null : kindSaid(q.reading.text, memory);
  // "In Florida?", after a question about inspections.
  const ofStates = inspections !== undefined && inspections.states.length > 0 &&
    memory?.intents.has("inspections") &&
    /^\W*(?:\S+ ){0,3}in [\p{L} ]+\W*$/iu.test(q.reading.text);
  const { carriers, own } = said !== null
    ? { carriers: [said], own: true }
    : ofStates
    ? { carriers: [], own: false }
    : carriersOf(q, memory, fee);
  const isKind = said !== null;
  return { carriers, own, isKind, linked: linkOf(q, carriers), given: givenOf(q, carriers), fee };
}

interface Known {
  readonly memory: Plan | null;
  readonly times: Times;
  readonly subject: Subject;
}

/** What the question's own words ask. */
function askedOf(
  q: QuestionView,
  { memory, times, subject, meant }: Known & { meant: readonly string[] },
): Asked {
  if (meant.length > 0) return { intents: new Set<Intent>(["terms"]), guesses: new Set() };
  const { carriers, isKind, linked, given } = subject;
  if (isKind) return { intents: new Set(), guesses: new Set() };
  const isOfEarlier = (memory?.carriers.length ?? 0) > 0 && carriers.every(isGuess);
  // "What's the dot number", of the carrier of the previous question.
  if (isOfEarlier && ASKS_NUMBER.test(q.reading.text)) {
    return { intents: new Set<Intent>(["usdot"]), guesses: new Set() };
  }
  // "Why inactive", of the carrier of the previous question.
  const asksWhy = isOfEarlier &&
    /^\W*(?:(?:and|but|so|then|ok|well)\W+)*why\b/i.test(q.reading.text);
  const { past } = times;
  const named = given !== undefined;
  return intentsOf(q, { carriers, named, linked, past, asksWhy, follows: isOfEarlier });
}

type Decided =
  & Pick<Plan, "intents" | "guesses" | "carriers" | "fleets" | "years" | "lacks" | "readAs">
  & Partial<Pick<Plan, "terms" | "close" | "unclear">>;

/** What is answered about whom, also from the question before. */
function decidedOf(
  q: QuestionView,
  { memory, times, subject, asked }: Known & { asked: Asked },
): Decided {
  const { linked, own, fee } = subject;
  const { years, period, inspections } = times;
  const about = whomOf(asked.intents, linked, subject.carriers);
  // "What if we're a broker only", after a question about a fee.
  const ofBroker = contextOf(memory).fee && q.has("broker") && about.length === 0;
  const feeIntents = ofBroker
    ? asked.intents.difference(new Set<Intent>(["terms"]))
    : asked.intents;
  const fees = feesOf(q, { intents: feeIntents, carriers: about, memory, years, fee });
  const comparing = (q.has("compare", ...asked.intents.has("match") ? [] : ["holds"]) ||
    q.says(/\bdiff/) || q.says(/\bsame\b/) && q.names.filter(({ exists }) => exists).length > 1) &&
    fees.carriers.length >= 2 && fees.carriers.length <= 3;
  const first = {
    intents: comparing ? fees.intents.union(new Set<Intent>(["compare"])) : fees.intents,
    guesses: asked.guesses,
    carriers: fees.carriers,
  };
  const carried = memory === null || fees.fleets.length > 0 || fees.lacks !== undefined
    ? first
    : carriedOn(q, first, { ...memory, lacksCarrier: isLacking(memory) }, {
      own,
      inspected: inspections !== undefined,
    });
  const { guesses, carriers } = carried;
  const intents = finalOf(q, carried.intents, period);
  const settled = settle(q, { intents, carriers, fees });
  const isOfNone = !subject.carriers.some(isGivenCarrier) && fees.fleets.length === 0;
  const earlier = memory?.carriers ?? [];
  const listed = memory?.list !== undefined;
  const given = { own: subject.carriers, isOfNone };
  const decided = fallbackOf(q, { ...settled, ...given, earlier, listed, before: memory });
  const fleets = decided.readAs === undefined ? fees.fleets : [];
  const whole = subject.isKind ? decided : withRest(q, decided, fleets);
  return { guesses, years: fees.years, fleets, ...whole };
}

/** What is asked of given carriers, with what parts of the question ask that nothing else answers. */
function withRest<P extends Pick<Plan, "intents" | "carriers" | "lacks">>(
  q: QuestionView,
  plan: P,
  fleets: readonly Fleet[],
): P {
  const { intents, carriers, lacks } = plan;
  const isOpen = topicsIn(intents).length > 0 && !intents.has("search");
  if (lacks !== undefined || !isOpen || !carriers.some(isGivenCarrier)) return plan;
  // "Has an FF number, what's an FF", "has an S rating, what does the S stand for".
  const asked = termsAsked(q);
  const terms = asked.length > 0 ? asked : termsOf(intents);
  const more = unansweredOf(q, { intents, fleets }).flatMap(({ answers }) => answers)
    .map((one) => one === "no:explanations" && terms.length > 0 ? "terms" : one)
    .filter((one) => one === "terms" || isTopicOrDeclined(one));
  const all = intents.union(new Set(more));
  return { ...plan, intents: all, ...more.includes("terms") && { terms } };
}

/** Topics whose answer is of the day of the files. */
const OF_RECORD: ReadonlySet<Topic> = new Set<Topic>(
  ("overview verdict status authority dockets rating fleet names location operation contact cargo")
    .split(" ") as Topic[],
);

type Details = Pick<
  Plan,
  | "given"
  | "changed"
  | "asOf"
  | "mentioned"
  | "ordersIn"
  | "inspected"
  | "list"
  | "leftOut"
  | "more"
>;

/** Which name, changes, days, inspections and list of what was decided, and what is left out. */
function detailsOf(
  q: QuestionView,
  decided: Decided,
  { memory, times, subject, asked, today }: Known & { asked: Asked; today: string },
): Details {
  const { intents } = decided;
  const more = intents.has("ucr") ? moreVehicles(q) : 0;
  const compared = asked.intents.has("match") ? subject.given : undefined;
  // "Is DOT 286764 general transport brokerage" asks nothing else that the last word may be.
  const alone = topicsIn(intents).length === 1 && q.names[0] !== undefined &&
    looksLikeName(q.reading, q.names[0]);
  const inspected = intents.has("inspections") || intents.has("oos")
    ? times.inspections
    : undefined;
  const ordersIn = intents.has("no:oos_order") ? times.period : undefined;
  // "Was my truck put out of service on Nov 2": the inspections of that day, as known today.
  const ofDay = inspected?.period !== undefined && !/\bas of\b/i.test(q.reading.text) &&
    (intents.has("inspections") || ofVehicles(q)) &&
    topicsIn(intents).every((topic) => topic === "inspections" || topic === "oos");
  const asOf = ofDay ? undefined : times.day;
  // "Carrier 24129, loss was 6/14/2026".
  const isOfRecord = isBeside(decided) || topicsIn(intents).length > 0 &&
      topicsIn(intents).every((topic) => OF_RECORD.has(topic));
  const mentioned = asOf === undefined && isOfRecord && decided.carriers.some(isGivenCarrier)
    ? dayMentioned(q, today)
    : undefined;
  return {
    more,
    given: compared && { ...compared, sure: compared.sure || alone },
    ...intents.has("changes") && {
      changed: changesAsked(q, { topics: topicsIn(intents), today }),
    },
    ...asOf !== undefined && { asOf },
    ...mentioned !== undefined && { mentioned },
    ...ordersIn !== undefined && { ordersIn },
    ...inspected !== undefined && { inspected },
    ...intents.has("search") && { list: listOf(q, decided, memory?.list) },
    leftOut: decided.terms === undefined || !intents.has("terms")
      ? leftOutOf(q, {
        ...decided,
        given: compared,
        asOf: asOf ?? mentioned,
        ordersIn,
        inspected,
        more,
      })
      : [],
  };
}

/** The carriers that intents are about: none of a term, and the USDOT number of one with its docket. */
function whomOf(
  intents: Intents,
  linked: string | null,
  carriers: readonly CarrierRef[],
): readonly CarrierRef[] {
  const isOfNone = intents.has("terms") && topicsIn(intents).length === 0 ||
    (["no:filters", "count"] as const).some((one) => intents.has(one)) ||
    intents.has("no:reverse") && !carriers.some(isGivenCarrier);
  if (isOfNone) return [];
  return linked === null ? carriers : carriers.filter(({ by }) => by === "dot");
}

/** Intents without the overview where others are asked for, and with orders where a past day is. */
function finalOf(q: QuestionView, intents: Intents, period: Period | undefined): Intents {
  const general = generalIn(intents).filter((one) => one !== "terms");
  const others = declinedIn(intents).length + general.length > 0;
  const left = isSpecific(intents) || others
    ? intents.difference(new Set<Intent>(["overview"]))
    : intents;
  // "Was it out of service in March 2018" asks for an order, not for the rates of the last 24 months.
  return period !== undefined && left.has("oos") &&
      !q.says(/\b(?:rates?|percent|percentage|inspect\w*|average)\b/) && !ofVehicles(q)
    ? left.difference(new Set<Intent>(["oos"])).union(new Set<Intent>(["no:oos_order"]))
    : left;
}

function isLacking({ lacks }: Plan): boolean {
  return lacks?.part === "carrier" || lacks?.part === "number";
}

/** Whether what is asked is declined, and carriers are there whose overview or list is given beside. */
function isBeside(
  { intents, carriers, lacks }: Pick<Plan, "intents" | "carriers" | "lacks">,
): boolean {
  const declined = declinedIn(intents).filter((topic) => DECLINES[topic].ofCarrier);
  if (lacks !== undefined || declined.length === 0) return false;
  return intents.has("search") ||
    carriers.length > 0 && carriers.length <= 3 && declined.length === intents.size &&
      carriers.every((ref) => isGivenCarrier(ref) || isOfFirm(ref));
}
