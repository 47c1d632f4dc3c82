/**
 * Stage 3: the plan of a question: what to answer about whom, or what is missing.
 *
 * @module
 */

import { ASKS_NUMBER, carriedOn } from "./conversation.ts";
import type { Carried } from "./follow/follow.ts";
import { kindSaid } from "./whom/picked.ts";
import { type Entities, type EntityContext, QuestionView } from "../entities/entities.ts";
import {
  type Asked,
  declinedIn,
  generalIn,
  type Intent,
  type Intents,
  isOfOtherRules,
  isSpecific,
  isTopicOrDeclined,
  topicsIn,
} from "./asked/intents.ts";
import { ofVehicles } from "./asked/intent_rules.ts";
import { intentsOf } from "./asked/asked.ts";
import type { Period } from "../../rules/orders.ts";
import { timesIn } from "./details/times.ts";
import { termsAsked, termsMeant, termsOf } from "./known/explained.ts";
import { fallbackOf } from "./fallback.ts";
import { feesOf, type Fleet, type Lack, ofBroker } from "./details/fees.ts";
import { inspectionsAsked } from "./details/inspected.ts";
import { type CarrierRef, distinct, isGivenCarrier, isGuess } from "./whom/references.ts";
import { type Given, givenOf } from "./whom/given.ts";
import { carriersOf, linkOf, maybeNames } from "./whom/subjects.ts";
import { type Details, detailsOf, isBeside, type Times } from "./details/details.ts";
import { settle } from "./settled.ts";
import { hasMore, unansweredOf } from "./unanswered.ts";

export interface Plan extends Asked, Details {
  readonly spanish: boolean;
  readonly carriers: readonly CarrierRef[];
  /** Fleets whose UCR fee is asked for. */
  readonly fleets: readonly Fleet[];
  /** Ids in {@link EXPLANATIONS} of the terms to explain. */
  readonly terms: readonly string[];
  /** Registration years that are asked about. */
  readonly years: readonly number[];
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
  readonly termSubject?: string | undefined;
  /** The carriers of the question before. */
  readonly earlier: readonly CarrierRef[];
  /** All carriers of the conversation, the first first. */
  readonly told: readonly CarrierRef[];
  /** Whether it mentions an MC number without giving one. */
  readonly docket: boolean;
  /** Whether it asks for a reason. */
  readonly why: boolean;
  /** Vehicles that it counts without asking for a fee: "I have 20 trucks". */
  readonly counted: readonly number[];
}

/** What a plan means for the next question. */
export function contextOf(plan: Plan | null): EntityContext {
  const [only, ...more] = plan?.carriers ?? [];
  return {
    fee: (plan?.fleets.length ?? 0) > 0 || plan?.lacks?.part === "vehicles" ||
      (["ucr", "ucr_brackets"] as const).some((one) => plan?.intents.has(one)),
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
  const details = detailsOf(q, decided, {
    times,
    asked,
    today,
    given: subject.given,
    told: memory?.told ?? [],
    listed: memory?.list,
  });
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
    terms: decided.terms ??
      (meant.length > 0 ? meant : intents.has("terms") ? termsAsked(q, memory?.terms) : []),
    close: decided.close ?? [],
    unclear: decided.unclear ?? false,
    spanish: q.reading.spanish,
    whole: (intents.has("overview") || beside) && q.marks.size > 0 ||
      asked.guesses.has("overview=all") ||
      details.leftOut.some(({ first }) => first) ||
      hasMore(q, { before: asked.intents, intents }),
    maybe,
    termSubject: intents.has("terms") && decided.carriers.length === 0
      ? maybe.find((text) => isSubject(q, text))
      : undefined,
    // "What about the other Blue River", "not them".
    earlier: q.says(/\b(?:other|another|different|not them|not that)\b/)
      ? []
      : memory?.carriers ?? [],
    told: distinct([...memory?.told ?? [], ...decided.carriers.filter(isGivenCarrier)]),
    docket: decided.carriers.length === 0 && !intents.has("terms") &&
      q.says(/\b(?:mc|docket)\b/) && !q.says(/\b(?:us)?dot\b/),
    why: q.says(/\bwhy\b|\bpor que\b|\bhow come\b|\breasons?\b/),
    // "Do I need a new MCS-150 if I add a truck": no fleet of one.
    counted: decided.fleets.length > 0 || decided.carriers.length > 0 ||
        /\b(?:add|buy|sell|get)(?:t?ing)? an? /i.test(q.reading.text)
      ? []
      : q.all("vehicles").filter(({ vague }) => vague === undefined).map(({ value }) => value),
  };
}

/** Whether a text of several words stands where a question says whom it is about. */
function isSubject({ reading: { text } }: QuestionView, name: string): boolean {
  // "Does a hot shot need a DOT number" is of any; "need the due date for Sandhu Freight" is not.
  return name.includes(" ") && !/(?<!^\W*(?:(?:i|we) )?)\b(?:needs?|require[sd]?)\b/i.test(text) &&
    new RegExp(
      `(?:^|[.?!,] )\\W*(?:(?:and|so|ok|but|hey) )*(?:does|do|is|are|can|could|has|have|will|did|was|would) ${
        RegExp.escape(name)
      }\\b|\\b(?:for|of|to|with) ${RegExp.escape(name)}\\b|^\\W*${
        RegExp.escape(name)
      },? (?:is|are|does|do|has|have|can)\\b`,
      "i",
    ).test(text);
}

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
  const { carriers, own, place }: ReturnType<typeof carriersOf> = said !== null
    ? { carriers: [said], own: true }
    : ofStates
    ? { carriers: [], own: false }
    : carriersOf(q, memory, fee);
  const isKind = said !== null;
  const given = givenOf(q, carriers, place);
  return { carriers, own, isKind, linked: linkOf(q, carriers), given, fee };
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
  const isFee = contextOf(memory).fee;
  const feeIntents = isFee && ofBroker(q) && about.length === 0
    ? asked.intents.difference(new Set<Intent>(["terms", "authority", "fleet", "changes"]))
    : asked.intents;
  const fees = feesOf(q, { intents: feeIntents, carriers: about, memory, years, fee });
  const comparing = (q.has("compare", ...asked.intents.has("match") ? [] : ["holds"]) ||
    q.says(/\bdiff/) ||
    // "Of 27850, 30390 and 14928 who has the best inspection record".
    q.says(
      /\b(?:who|which)(?: one| of (?:them|these|those))? (?:has|had|is) (?:the )?(?:best|worst|better|worse|most|fewest|more|fewer|less|cleanest|highest|lowest)\b/,
    ) || q.says(/\bsame\b/) && q.names.filter(({ exists }) => exists).length > 1) &&
    fees.carriers.length >= 2 && fees.carriers.length <= 3;
  const first = {
    intents: comparing ? fees.intents.union(new Set<Intent>(["compare"])) : fees.intents,
    guesses: asked.guesses,
    carriers: fees.carriers,
  };
  const carried: Carried = memory === null || fees.fleets.length > 0 || fees.lacks !== undefined
    ? first
    : carriedOn(q, first, { ...memory, lacksCarrier: isLacking(memory), fee: isFee }, {
      own,
      inspected: inspections !== undefined,
    });
  const { guesses, carriers } = carried;
  const intents = finalOf(q, carried, period);
  const settled = settle(q, { intents, carriers, fees });
  const isOfNone = !subject.carriers.some(isGivenCarrier) && fees.fleets.length === 0;
  const earlier = memory?.carriers ?? [];
  const listed = memory?.list !== undefined;
  const given = { own: subject.carriers, isOfNone };
  const decided = fallbackOf(q, { ...settled, ...given, earlier, listed, before: memory });
  const fleets = decided.readAs === undefined ? fees.fleets : [];
  const whole = subject.isKind ? decided : withRest(q, decided, fleets);
  const { terms } = carried;
  return { guesses, years: fees.years, fleets, ...terms && { terms }, ...whole };
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
    .filter((one) => one === "terms" || isTopicOrDeclined(one) && one !== "no:off_topic");
  const all = intents.union(new Set(more));
  return { ...plan, intents: all, ...more.includes("terms") && { terms } };
}

/** The carriers that intents are about: none of a term, and the USDOT number of one with its docket. */
function whomOf(
  intents: Intents,
  linked: string | null,
  carriers: readonly CarrierRef[],
): readonly CarrierRef[] {
  const isOfNone = intents.has("terms") && topicsIn(intents).length === 0 ||
    (["no:filters", "count"] as const).some((one) => intents.has(one)) ||
    intents.has("no:reverse") && !carriers.some(isGivenCarrier) ||
    // "Does the shorter piece pause the clock".
    [...intents].some(isOfOtherRules) && carriers.every(isGuess);
  if (isOfNone) return [];
  return linked === null ? carriers : carriers.filter(({ by }) => by === "dot");
}

/** Intents without the overview where others are asked for, and with orders where a past day is. */
function finalOf(
  q: QuestionView,
  { intents, carriers }: Pick<Plan, "intents" | "carriers">,
  period: Period | undefined,
): Intents {
  const general = generalIn(intents).filter((one) => one !== "terms");
  // "Write me an email to turn down a carrier with a conditional rating".
  const writes = /^\W*(?:(?:please|pls|can you|could you) )*(?:write|draft|compose)\b/i
    .test(q.reading.text);
  if (writes && intents.has("no:off_topic") && !carriers.some(isGivenCarrier)) {
    return new Set<Intent>(["no:off_topic"]);
  }
  // "The rating of 286764, and the weather in Akron": the rest is said not to be answered.
  const isAnswered = isSpecific(intents) && carriers.some(isGivenCarrier);
  const onTopic = isAnswered || generalIn(intents).length > 0
    ? intents.difference(new Set<Intent>(["no:off_topic"]))
    : intents;
  const others = declinedIn(onTopic).length + general.length > 0;
  const left = isSpecific(onTopic) || others
    ? onTopic.difference(new Set<Intent>(["overview"]))
    : onTopic;
  // "Was it out of service in March 2018" asks for an order, not for the rates of the last 24 months.
  return period !== undefined && left.has("oos") &&
      !q.says(/\b(?:rates?|percent|percentage|inspect\w*|average)\b/) && !ofVehicles(q)
    ? left.difference(new Set<Intent>(["oos"])).union(new Set<Intent>(["no:oos_order"]))
    : left;
}

function isLacking({ lacks }: Plan): boolean {
  return lacks?.part === "carrier" || lacks?.part === "number";
}
