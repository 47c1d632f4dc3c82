/**
 * Stage 3, conversation: what a question takes from the previous one: its carriers or its topics.
 *
 * @module
 */

import type { QuestionView } from "../entities/entities.ts";
import { generalIn, type Intent, type Intents, isOpen, topicsIn } from "./asked/intents.ts";
import { ofBroker } from "./details/fees.ts";
import { isGivenCarrier, isGuess, refName } from "./whom/references.ts";
import { type Carried, type FollowRule, type Memory, withIntents } from "./follow/follow.ts";
import { OF_RATES, repeats } from "./follow/repeated.ts";
import { BY_COMPARISON, OF_SEVERAL, OF_TWO, RANKED } from "./follow/compared.ts";
import { LISTED } from "./follow/listed.ts";

const FOLLOWS =
  /^\W*(?:and|now|what about|how about|same(?: thing| question)? (?:for|with)|ditto for|also|(?:no\W+|sorry\W+)*i meant?|show (?:me )?(?:it|that) (?:for|of))\b/i;

/** "What's the DOT number", after a question about a carrier. */
export const ASKS_NUMBER =
  /^\W*(?:(?:and|ok|so|no|the number)\W+)*what(?:['’]?s| is| was) (?:the|its|their|his|her) (?:us ?)?dot(?: (?:number|num|no)\.?| ?#)?\W*$/i;

/** What a carrier can be asked of a term: "does it have one". */
const TOPIC_OF_TERM: Readonly<Record<string, Intent>> = {
  numbers: "dockets",
  orders: "no:oos_order",
  ratings: "rating",
  authority: "authority",
  names: "names",
  hire: "operation",
  operation: "operation",
  roles: "authority",
  review: "review",
  inspection: "inspections",
  oos: "oos",
  mcs150: "mcs150",
  ucr: "ucr",
  revocation: "revocation",
  entrant: "no:entrants",
  bond: "no:insurance",
  bipd: "no:insurance",
  boc3: "no:other_filings",
  status: "status",
  units: "fleet",
  hazmat: "cargo",
  mileage: "mileage",
  dba: "names",
  missed: "mcs150",
};

/** "Does it have one", "has 13115 had either", "what's it for Masosazi", "and 44665". */
const OF_IT =
  /\b(?:have|has|had|got|owes?|needs?)\b.* (?:one|any|either|both|theirs|that(?! many| much)|it)\b|\b(?:is|are|was) (?:there )?(?:one|any|either)\b|\b(?:which|what)(?: one)? (?:does|do|is)\b|\bwhat(?:['’]?s| is) (?:it|that|theirs) (?:for|of|at|with)\b|\b(?:show|give|tell) (?:me )?(?:it|that) (?:for|of)\b|\b(?:above|below|over|under) (?:it|that)\W*$|^\W*(?:and |so |ok )*(?:is|are|was|does) [^,]+ that\W*$|\bhow many (?:does|do|has|have)\b|^\W*(?:and|what about|how about)(?: yours| that| it)?(?: for| with| of)? (?:(?:us)?dot |mc |#)?[\w&'’.-]+(?: [\w&'’.-]+){0,3}\W*$/i;

function isOnlyOverview(intents: Intents): boolean {
  return isOpen(intents) || intents.size === 1 && intents.has("overview");
}

/** A question about a carrier only, after one about a term. */
const OF_TERM: FollowRule = ({ memory, intents, carriers, named, text }) => {
  // "What does inactive mean", "is 29205 that".
  const isThat = /\bis\b.* that\W*$|\bwhich\b/i.test(text);
  const ofTerm = memory.terms.filter((term) => term !== "status" || isThat)
    .flatMap((term) => TOPIC_OF_TERM[term] ?? []);
  const isName = named ||
    carriers.length === 1 && / |^\W?\p{Lu}/u.test(refName(carriers[0]!));
  // "Which one does Roger Hoffman have", after "satisfactory vs conditional".
  const isOpenOf = isOnlyOverview(intents.difference(new Set<Intent>(["compare"])));
  return isName && ofTerm.length > 0 && isOpenOf && OF_IT.test(text)
    ? { intents: withIntents([], ...ofTerm) }
    : undefined;
};

/** What explains how something found about a carrier is put right. */
const FIXED_BY: readonly (readonly [Intent, string])[] = [
  ["rating", "upgrade"],
  ["mcs150", "mcs150"],
  ["status", "reactivate"],
  ["authority", "reactivate"],
  ["dockets", "reactivate"],
  ["no:oos_order", "orders"],
  ["oos", "oos"],
];

const ASKS_FIX =
  /^\W*(?:(?:and|ok|so|but|then)\W+)*(?:how (?:do|can|could|does|would|should|to) ?(?:th[ea]y|he|she|it|i|we|you|one|this carrier)? ?(?:go about )?(?:get (?:that|it|this) )?(?:fix|resolv|correct|clear|cur(?:e|ing)|solv|remed)\w*(?: (?:that|it|this|them|those|these|up))*|how (?:do|can|could|does|would) (?:they|he|she|it|i|we) (?:get|become|go|be) (?:back(?: in)?|active|reactivated|reinstated)(?: again)?|c[oó]mo (?:lo|la|los|las|se) (?:arregl|corrig|corrij|resuelv|solucion|reactiv)\w+|qu[eé] (?:le|les) falta para estar activ[oa])\W*$/i;

const HOW_LONG =
  /^\W*(?:(?:and|ok|so)\W+)*how (?:long|much)(?: (?:does|would|will|is|do) (?:that|it|this|they))?(?: (?:take|cost))?\W*$/i;
const MEANS_ORDERS =
  /\borders?\b.*\b(?:i mea?nt?|not (?:the )?rates?)\b|\bi mea?nt? (?:the |an? )?(?:oos |out of service )?orders?\b/i;
const WHO_ORDERS =
  /\b(?:who|w[h]?ich agenc?[ey]y?|what agency) (?:issue[sd]?|puts?|gives?|gave|does|did|makes?|ordered) (?:those|them|that|it|these)\b/i;

/** Of a question that gives no carrier, also where its words alone ask something general. */
const GENERAL: readonly FollowRule[] = [
  // "Which one failed", "how can they fix that".
  ({ memory, text }) => {
    if (memory.carriers.length === 0 || !ASKS_FIX.test(text)) return undefined;
    const of = FIXED_BY.filter(([topic]) => memory.intents.has(topic)).map(([, term]) => term);
    return {
      intents: withIntents([], "terms"),
      carriers: [],
      terms: of.length > 0 ? [...new Set(of)] : ["mcs150", "reactivate"],
    };
  },
  // "How can they fix that", "how long does that take".
  ({ memory, text }) =>
    memory.terms.includes("reactivate") && HOW_LONG.test(text)
      ? { intents: withIntents([], "terms"), carriers: [], terms: memory.terms }
      : undefined,
  // "Charles Lane OOS", "orders i mean, not rates".
  ({ memory, text }) =>
    memory.carriers.length > 0 && memory.intents.has("oos") && MEANS_ORDERS.test(text)
      ? { intents: withIntents([], "no:oos_order"), carriers: memory.carriers }
      : undefined,
  // "Any out-of-service order", "who issues those anyhow".
  ({ memory, text }) =>
    memory.intents.has("no:oos_order") && WHO_ORDERS.test(text)
      ? { intents: withIntents([], "terms"), carriers: [], terms: ["orders"] }
      : undefined,
  // "And if they're not interstate", after a question about a fee.
  ({ q, memory, carriers }) =>
    memory.fee && carriers.every(isGuess) &&
      q.says(
        /\bnot interstate\b|\bintrastate\b|\bonly (?:in(?:side)?|within) (?:the|my|our|one) state\b/,
      )
      ? { intents: withIntents([], "ucr_intrastate"), carriers: [] }
      : undefined,
  // "What would his UCR be", "and if he becomes a broker".
  ({ q, memory, open }) =>
    memory.intents.has("ucr") && open && ofBroker(q)
      ? { intents: withIntents([], "ucr", "terms"), carriers: memory.carriers, terms: ["ucr"] }
      : undefined,
];

/** Of a question that gives a carrier; the first rule that applies decides. */
const OF_NAMED: readonly FollowRule[] = [
  // "Drop Apex", "same again but with Cakri instead of Premier", after a comparison.
  ({ memory, intents, carriers, open, own }) =>
    own && carriers.length > 1 && carriers.length < 4 && memory.intents.has("compare")
      ? { intents: withIntents(open ? memory.intents : intents, "compare") }
      : undefined,
  BY_COMPARISON,
  OF_TERM,
  // "When is the MCS-150 due", "610009".
  ({ memory, intents }) =>
    memory.intents.has("mcs150_digits") && isOnlyOverview(intents)
      ? { intents: withIntents([], "mcs150") }
      : undefined,
  // "Sorry I mean DOT 2026, M & E Towing": what was asked of the one before.
  ({ memory, intents, carriers, text }) =>
    CORRECTS.test(text) &&
      [...intents].every((one) => one === "match" || one === "overview")
      ? {
        intents: withIntents(intents, ...memory.intents.difference(NOT_CORRECTED)),
        carriers,
      }
      : undefined,
];

/** Of a question that gives none. */
const OF_NONE: readonly FollowRule[] = [
  OF_TWO,
  RANKED,
  ...LISTED,
  // "Do brokers pay UCR", "how much".
  ({ q, memory }) =>
    q.says(/\bhow much\b/) && q.all("vehicles").length === 0 &&
      (memory.terms.includes("ucr") || memory.intents.has("ucr_intrastate"))
      ? { intents: withIntents([], "ucr_brackets"), carriers: [] }
      : undefined,
  // "Per truck", after a question about mileage or the fleet.
  ({ memory, text }) => {
    const of = (["mileage", "fleet"] as const).find((one) => memory.intents.has(one));
    return of !== undefined &&
        /^\W*(?:and |so )?(?:per|for each|each) (?:truck|unit|tractor|vehicle)\W*$/i.test(text)
      ? { ...memory, intents: withIntents([], of), guesses: new Set([`${of}=each`]) }
      : undefined;
  },
  BY_COMPARISON,
  OF_SEVERAL,
  OF_TERM,
  // "How fresh is this", "and when is the next one".
  ({ memory, text }) =>
    memory.intents.has("data_date") && NEXT.test(text)
      ? { intents: withIntents([], "data_date"), carriers: [] }
      : undefined,
  // "What month does a number that ends in 7 file", "and 0?"
  ({ q, memory, text }) =>
    memory.intents.has("mcs150_digits") && q.numbers.length === 1 && DIGITS.test(text)
      ? { intents: withIntents([], "mcs150_digits"), carriers: [] }
      : undefined,
  // "What is the MCS-150", "how often is it updated".
  ({ memory, text }) =>
    memory.terms.includes("mcs150") && /\bhow often\b|\bcada cu[aá]nto\b/i.test(text)
      ? { intents: withIntents([], "terms"), carriers: [] }
      : undefined,
];

/** Of one that gives none, after a question about a carrier. */
const OF_BEFORE: readonly FollowRule[] = [
  // "National average?", "and driver": the rates of the carrier before.
  ({ memory, text }) =>
    memory.terms.includes("oos") && OF_RATES.test(text)
      ? { intents: withIntents([], "oos"), carriers: memory.carriers }
      : undefined,
  // "How does that compare to the national average", after a question about inspections.
  ({ memory, text }) =>
    memory.intents.has("inspections") &&
      /\b(?:national|average|avg)\b/i.test(text)
      ? { intents: withIntents([], "oos"), carriers: memory.carriers }
      : undefined,
  // "Break that down driver vs vehicle", after a question about inspections.
  ({ memory, text }) =>
    memory.intents.has("inspections") &&
      /\bdrivers? (?:vs\.?|versus|and|or) (?:vehicle|truck)s?\b|\b(?:vehicle|truck)s? (?:vs\.?|versus|and|or) drivers?\b/i
        .test(text)
      ? { intents: withIntents([], "inspections", "oos"), carriers: memory.carriers }
      : undefined,
  // "Any out of service?", after a question about inspections.
  ({ q, memory, intents, carriers, text }) =>
    carriers.length === 0 && intents.has("no:oos_order") &&
      (q.says(/\bhow many of (?:them|those|these)\b/) ||
        memory.intents.has("inspections") &&
          (q.says(/\bhow many (?:were |was |got )?(?:put|placed)\b/) || ANY_STOPPED.test(text)))
      ? { intents: withIntents([], "oos"), carriers: memory.carriers }
      : undefined,
  // "MC?", "is it active".
  ({ memory, intents, carriers }) =>
    carriers.length === 0 && memory.intents.has("dockets") &&
      topicsIn(intents).join() === "status"
      ? { intents: withIntents(intents, "dockets"), carriers: memory.carriers }
      : undefined,
  // "Can I see 22108's history", "anything on address", "on trucks".
  ({ memory, intents, carriers, text }) =>
    memory.intents.has("changes") && topicsIn(intents).length > 0 && carriers.every(isGuess) &&
      OF_CHANGES.test(text)
      ? { intents: withIntents(intents, "changes"), carriers: memory.carriers }
      : undefined,
  // "How many trucks", "is it up from last year".
  ({ memory, text }) =>
    WAS_OTHER.test(text) && topicsIn(memory.intents).length > 0
      ? {
        intents: withIntents(topicsIn(memory.intents), "changes"),
        carriers: memory.carriers,
      }
      : undefined,
  // "MCS-150 of 31467", "when's the next after that".
  ({ memory, text }) =>
    memory.intents.has("mcs150") && NEXT.test(text)
      ? { intents: withIntents([], "mcs150"), carriers: memory.carriers }
      : undefined,
  // "Status 13945", "since when".
  ({ memory, intents, text }) =>
    topicsIn(intents).every((topic) => /^(?:added|status|changes)$/.test(topic)) &&
      (memory.intents.has("status") || /\b(?:out|inactive)\W*$/i.test(text)) &&
      SINCE_WHEN.test(text)
      ? { ...memory, intents: withIntents([], "status", "changes") }
      : undefined,
];

/** What a question that gives none means if no other rule applies. */
const OF_ANY: readonly FollowRule[] = [
  (follow) => repeats(follow) ? follow.memory : undefined,
  // "When was it rated", "can they run interstate with that", "so can they still haul".
  ({ memory, intents, carriers, open, text }) =>
    carriers.length === 0 && memory.carriers.length > 0 && STILL_HAULS.test(text)
      ? {
        intents: withIntents(topicsIn(memory.intents), "status", "authority"),
        carriers: memory.carriers,
      }
      : carriers.length === 0 && !open && WITH_THAT.test(text)
      ? { intents: withIntents(intents, ...topicsIn(memory.intents)), carriers: memory.carriers }
      : undefined,
  ({ memory, carriers, open }) =>
    carriers.length === 0 && !open ? { carriers: memory.carriers } : undefined,
];

const STILL_HAULS =
  /\b(?:can|may|could|are) (?:they|he|she|it|we|i)(?: (?:allowed|able) to)?(?: (?:still|even|legally))* (?:haul|run|operate|drive|move|work|go on)(?: (?:loads|freight|at all|(?:for|with) (?:them|him|us)))?\W*$/i;

const WITH_THAT =
  /\b(?:with|under|on|because of) (?:that|this|it|such an? \w+)(?: (?:rating|order|status|score))?\W*$/i;

const NOT_CORRECTED: Intents = new Set<Intent>(["compare", "search", "terms", "no:filters"]);

const CORRECTS = /^\W*(?:(?:no|oh|ok|wait)\W+)*(?:sorry|i mean|i meant|i mean it|correction)\b/i;

const WAS_OTHER =
  /^\W*(?:(?:and|ok|so)\W+)*(?:(?:is|are|was|has|have) (?:it|that|this|they) (?:gone |been )?(?:up|down|higher|lower|more|less|fewer) (?:from|since|than) (?:last|before|a year|in)\b.*|what (?:did|was|were) (?:they|he|she|it|that) (?:have |list |file )?before)\W*$/i;
const OF_CHANGES =
  /^\W*(?:(?:and|ok|so)\W+)*(?:(?:anything|any|changes?|something) )?(?:on|in|to|for|about|what about|how about|only|just)(?: the| its| his| their)?(?: [\w-]+){1,3}\W*$/i;
const NEXT =
  /\bwhen(?:['’]?s)?\b.*\bnext (?:one|update|refresh|file|release|after (?:that|this))\W*$|^\W*(?:and )?(?:the )?next one\W*$/i;

const DIGITS = /^\W*(?:(?:and|or|what about|how about|ok) )*(?:for )?\d{1,2}\W*$/i;

const ANY_STOPPED =
  /^\W*(?:and |ok |so )*(?:(?:was|were) )?(?:any|anything|any of them|something)\b.{0,20}\b(?:oos|out of service)\W*$/i;

const SINCE_WHEN =
  /^\W*(?:(?:and|ok|so|no)\W+)*(?:since when(?: (?:is|are|was|were|has|have) (?:he|she|it|they|that)(?: been)?(?: out| inactive| down| shut)?)?|how long|for how long|when did (?:that|it|this) (?:happen|change|stop|start))\W*$/i;

function withCarried(before: Carried, carried: Partial<Carried>): Carried {
  const { intents, guesses, carriers, terms } = { ...before, ...carried };
  const isOfTerms = terms !== undefined && intents.has("terms");
  return { intents, guesses, carriers, ...isOfTerms && { terms } };
}

/**
 * A question with the carriers or topics of the one before where it has none.
 *
 * @param own Whether it numbers its carriers itself or follows up on one.
 * @param inspected Whether it says which inspections.
 */
export function carriedOn(
  q: QuestionView,
  asked: Carried,
  memory: Memory,
  { own, inspected }: { own: boolean; inspected: boolean },
): Carried {
  const { carriers, guesses } = asked;
  const intents = q.has("consequence") && memory.intents.has("mcs150")
    ? withIntents(asked.intents, "missed")
    : asked.intents;
  const before = { intents, guesses, carriers };
  const { text } = q.reading;
  const open = isOpen(intents);
  const named = carriers.some(isGivenCarrier);
  const follow = { ...before, q, text, memory, open, own, named, inspected };
  const isGeneral = generalIn(intents).length > 0;
  const rest = [...OF_NONE, ...memory.carriers.length > 0 ? OF_BEFORE : [], ...OF_ANY];
  const rules = named ? isGeneral ? [] : OF_NAMED : [...GENERAL, ...isGeneral ? [] : rest];
  for (const rule of rules) {
    const carried = rule(follow);
    if (carried === undefined) continue;
    return withCarried(before, carried);
  }
  if (isGeneral) return before;
  const follows = own || memory.lacksCarrier || FOLLOWS.test(text);
  if (!follows || !open || intents.has("compare")) return before;
  const topics: Intent[] = topicsIn(memory.intents).filter((topic) => topic !== "match");
  // "And on Sep 1, 2026".
  if (memory.intents.has("no:oos_order")) topics.push("no:oos_order");
  // "What about ever, not just now".
  const isSame = carriers.length === 0 && q.isKnown({ names: false });
  return {
    intents: withIntents(intents, ...topics),
    guesses: guesses.union(memory.guesses),
    carriers: isSame ? memory.carriers : carriers,
  };
}
