/**
 * Stage 3, rules: what no single phrase says, and a table of which intents outrank others. The rules of a
 * step see the result of the step before, never each other's, so their order does not matter.
 *
 * @module
 */

import type { QuestionView } from "../../entities/entities.ts";
import { defines, isOfCarriers, owesUcr, termsAsked } from "../known/explained.ts";
import {
  declinedIn,
  type Intent,
  type Intents,
  isFeeless,
  isOfOtherRules,
  isSpecific,
  topicsIn,
} from "./intents.ts";
import { isFiltered } from "../whom/filters.ts";
import { type CarrierRef, isGivenCarrier, isGuess, isNumbered } from "../whom/references.ts";
import { TOPIC_KEYS } from "./topics.ts";

/** A question with its carriers, and the intents of the step before. */
export interface Asking extends About {
  readonly q: QuestionView;
  readonly intents: Intents;
}

/** What is asked about. */
export interface About {
  readonly carriers: readonly CarrierRef[];
  /** Whether a name stands beside a number, to be compared with its carrier. */
  readonly named: boolean;
  /** A docket that a USDOT number may list: `dockets=MC 186800`. */
  readonly linked: string | null;
  /** Whether it mentions an earlier year. */
  readonly past: boolean;
  /** Whether it asks why, of the carrier of the previous question. */
  readonly asksWhy: boolean;
  /** Whether it may be about the carrier of the previous question. */
  readonly follows: boolean;
}

export type Rule = (asking: Asking) => boolean;
export type Rules = Readonly<Partial<Record<Intent, Rule>>>;

export const isNumberedBy = ({ carriers }: Asking): boolean => carriers.some(isNumbered);
/** Whether it is of a carrier that it gives, "them" or "my": somebody's, not of any. */
export const isOfSomeCarrier: Rule = ({ q, carriers }) =>
  carriers.length > 0 || q.has("them") || q.says(/\bmy\b/);
/** Whether it gives carriers, none of them by this kind of number. */
export const hasNone = (by: CarrierRef["by"]): Rule => ({ carriers }) =>
  carriers.length > 0 && carriers.every((ref) => ref.by !== by);
/** "Are A and B related", "is there a link between them". */
const RELATED =
  /\b(?:related|connected|affiliated|link(?:ed|ing)|reincarnat\w+|(?:links?|ties|connection|relation) between)\b/;
/** "Do these two share an address". */
export const asksShared: Rule = ({ q, carriers }) =>
  carriers.length > 1 && q.says(RELATED) || q.says(
    /\bshares? (?:an? |the |its |their )?(?:same )?(?:\S+ )?(?:address|phone)\b|\bsame (?:phone|address)\b/,
  );
export const hasTopic: Rule = ({ intents }) => topicsIn(intents).some((topic) => topic !== "match");
/** About the UCR of no carrier and, unless `withFleet`, of no fleet. */
const ofUcr = ({ q, carriers }: Asking, withFleet = false): boolean =>
  q.says(/\b(?:ucr|unified)\b/) && carriers.length === 0 &&
  // "My UCR for 3 trucks due Dec 31" gives the date.
  (q.all("vehicles").length === 0 || withFleet && q.all("date").length === 0);

/** "Was my truck put out of service": a vehicle or driver, not the carrier. */
export function ofVehicles(q: QuestionView): boolean {
  return q.says(OF_VEHICLES) ||
    q.all("vehicles").length > 0 && q.says(/\b(?:put|placed|taken|got) (?:out of service|oos)\b/);
}

const OF_VEHICLES =
  /\b(?:trucks?|vehicles?|drivers?|tractors?|hazmat|inspections?)\b.*\b(?:out of service|oos)\b|\b(?:out of service|oos) (?:\S+ )?(?:trucks?|vehicles?|drivers?|tractors?|inspections?)\b/;

/** "How would they get it back", "what does it take to reactivate it". */
export const reactivates = (q: QuestionView): boolean =>
  q.reading.terms.some((span) => /^(?:reactivate|upgrade)$/.test(span?.mark ?? "")) &&
  q.says(/\bhow\b|\breactivate\b|\bwh?[ae]t\b.*\bdo\b|\b(?:can|will)\b/);

/** "Who got put out of service this month", "out of service orders issued this week". */
const ordersOfAny = ({ q, intents, carriers, follows }: Asking): boolean =>
  intents.has("no:oos_order") && carriers.length === 0 && !follows &&
  (q.has("count") ||
    q.says(
      /\b(?:(?:this|last|past) (?:week|month|year)|today|yesterday|against whom|lately|recently|which carriers|(?:any|all) carriers?|list|issued)\b/,
    ) || q.has("past") || q.all("date", "year").length > 0);

/** Questions about no carrier, declined ones, and whether two identities are the same. */
export const GENERAL_RULES: Rules = {
  match: (asking) =>
    asking.named && !asking.q.says(/\bdrivers? name\b|\bname of (?:the|his|a) driver\b/) &&
    declinedIn(asking.intents).every((topic) =>
      /^(?:trust|legal|officers|drivers|credit|other_filings|load_rates)$/.test(topic) ||
      isOfOtherRules(topic) ||
      // "The COI says Johnson Transportation LLC, MC 5365: mismatch?"
      topic === "insurance" &&
        asking.q.says(/\b(?:says|shows|reads|lists|mismatch\w*|matche?s?|correct|right)\b/)
    ),
  dockets: ({ linked }) => linked !== null,
  missed: ({ q }) =>
    q.has("consequence") && !q.has("review") && !reactivates(q) &&
    (q.has("mcs150") || !q.has("ucr") && q.has("mcs150=overdue", "file", "dot")),
  // "My dot ends in 45, when do I file".
  mcs150_digits: (asking) =>
    asking.carriers.length === 0 && !asking.q.has("ucr", "named") &&
    // "Last digit 0 is October, right".
    (asking.q.has("mcs150", "due", "file", "when", "dot") ||
      /^\W*(?:(?:and|or|what|how about) )*(?:if it end(?:s|ed)|(?:one|a number|numbers?) ending)\b/i
        .test(asking.q.reading.text) ||
      asking.q.says(/\blast (?:two )?digits?\b/)) &&
    asking.q.says(
      /\b(?:ends?|ended|endings?|last (?:two )?digits?|schedule|(?:know|figure out|tell) (?:which|what|the) month|which month (?:is|am)|from the (?:us ?dot |dot )?number|odd or even|even or odd|(?:odd|even) years?)\b/,
    ),
  data_date: ({ q, carriers }) =>
    // "How often do you refresh from FMCSA", "what day is your data from".
    carriers.length === 0 && q.says(/\bwhat (?:day|date)\b.*\bdata\b/) ||
    carriers.length === 0 &&
      q.says(/\bhow often\b.*\b(?:you|this|site|data)\b.*\b(?:refresh|update)/) ||
    // "When was 42886 last updated in the census" is of the carrier.
    !(carriers.some(isGivenCarrier) && q.says(/\b(?:updated?|changed)\b/)) &&
      q.has("data") && q.has("fresh", "when", "mcs150=filed", "added") &&
      // "What sources do you use, which fields": the service is explained.
      !q.reading.terms.some((span) => span?.mark === "service"),
  count: (asking) =>
    asking.q.has("count") && !asking.q.has("named") && !isNumberedBy(asking) &&
    // "Is there a limit on how many numbers I can check at once".
    !asking.q.says(/\b(?:limit|at once|at a time|max|maximum)\b/) &&
    !asking.intents.has("no:oos_order") &&
    !isSpecific(asking.intents) &&
    !asking.q.hasPlace && !asking.q.hasState,
  ucr_brackets: (asking) =>
    asking.q.has("table") &&
    // "0-2, 3-5, 6-20: list all the brackets".
    (ofUcr(asking) || ofUcr(asking, true) && asking.q.says(/\b(?:all|list)\b.*\bbrackets\b/)),
  ucr_dates: (asking) =>
    asking.q.has("window") && asking.q.says(/\b(?:ucr|unified)\b/) ||
    ofUcr(asking, true) && /\bwhen\b.*\bopens?\b/i.test(asking.q.reading.text) ||
    // "UCR 2025 deadline, did I miss it on Jan 1".
    asking.carriers.length === 0 && asking.q.says(/\bucr\b.*\bdeadline\b|\bdeadline\b.*\bucr\b/) ||
    ofUcr(asking, true) && !asking.q.has("consequence") &&
      (asking.q.has("due", "mcs150=overdue") && !asking.q.has("pay") ||
        /\bwhen\b.*\b(?:opens?|starts?|begins?)\b/i.test(asking.q.reading.text) ||
        asking.q.has("when") && asking.q.has("registered", "pay") ||
        asking.q.has("pay") &&
          asking.q.says(/\b(?:before|by) (?:the )?(?:new year|what date|when)\b/)),
  ucr_intrastate: (asking) =>
    asking.q.has("operation") &&
    (ofUcr(asking) || asking.q.has("ucr") && asking.q.says(/\b(?:if|when) (?:i|we|all|our|my)\b/)),
  terms: (asking) =>
    !asking.asksWhy && termsAsked(asking.q).length > 0 &&
    // "Does the first one have authority", of a list.
    !asking.carriers.some(({ by }) => by === "choice") &&
    // "Which carriers in Wisconsin have a revoked authority".
    !/(?:^|[.?!] )\W*(?:which|what|list|show|any) (?:of (?:your|the) )?(?:carriers|companies)\b/i
      .test(asking.q.reading.text) &&
    // "Any freight forwarders in Jackson Mississippi".
    !(asking.q.hasPlace && asking.q.says(/^(?:any|are there|find|show|list)\b/)) &&
    // "Any out of service rates worth noting", of the carrier before.
    !(asking.follows && !defines(asking.q) && !reactivates(asking.q) && !isOfCarriers(asking.q)) &&
    !(ofUcr(asking, true) && asking.q.has("broker", "fee") && !owesUcr(asking.q) &&
      !asking.q.says(/\b(?:what is|whats) (?:the )?ucr\b/)),
  "no:filters": (asking) =>
    // "Which of these has the highest rate: 45105, 47293, 8630, 12082".
    asking.carriers.filter(isNumbered).length < 2 && isFiltered(asking) &&
      !isOfCarriers(asking.q) || ordersOfAny(asking),
  "no:reverse": (asking) =>
    asking.carriers.length === 0 &&
      (asking.q.all("phone").length > 0 || asking.q.says(/\bby (?:phone|address|plate|vin)\b/)) ||
    asking.carriers.length < 2 && asksShared(asking) ||
    !isNumberedBy(asking) && asking.q.all("street").length > 0 ||
    // "Who else uses the phone number that MC 11343 has on file".
    asking.q.says(
      /\b(?:who|anyone|anybody|what|which) (?:else|other)\b.*\b(?:phone|address)\b/,
    ) ||
    // "Do any other DOT numbers share its address".
    asking.q.says(
      /\b(?:other|another|which|what|any|carriers|companies|anyone|anybody) (?:\S+ ){0,3}(?:shares?|sharing|uses?|using|with|at|has|have) (?:the |its |this |that |their |his )?(?:same )?(?:\S+ )?(?:address|phone)\b(?! numbers)/,
    ),
  // "Has it ever had an unsatisfactory rating": only the newest is on file.
  "no:history": ({ q, carriers, follows, intents }) =>
    (carriers.length > 0 || follows) && intents.has("rating") &&
    q.says(/\b(?:ever|previously|in the past)\b/) &&
    !q.says(/\bever (?:been )?(?:inspect|audit|review|rated)/),
  // "What does Carrier 411 say".
  "no:reports": ({ q }) => q.all("other").some(({ text }) => text === "411"),
  // "Rate Chicago to Dallas dry van".
  "no:load_rates": ({ q, carriers }) =>
    // "Where is truck 14 right now".
    /\bwhere(?:['’]?s| is) (?:(?:the|my|his|our|their) )?(?:truck|trailer|driver)\b.*\bnow\b/i
      .test(q.reading.text) ||
    !carriers.some(isGivenCarrier) && q.says(/\b(?:rates?|paying|pays)\b/) &&
      !q.says(/\b(?:oos|out of service|ucr|safety|inspect\w*)\b/) &&
      q.says(/\b(?:van|reefer|flatbed|stepdeck|truckload|lane)\b/),
  // "Valsoel Freight: common or contract".
  "no:licensing": ({ q, carriers, follows }) =>
    (carriers.some(isGivenCarrier) || follows) &&
    /\bcommon,? (?:or |and |vs )?contract\b|\bcontract,? (?:or |and |vs )?common\b|\b(?:common|contract) (?:carrier )?authority\b/i
      .test(q.reading.text),
  "no:drivers": ({ q }) =>
    q.says(
      /\bdrivers?\b.*\b(?:licensed|licen[sc]es?)\b|\b(?:his|her|their|drivers) licen[sc]e\b|\b(?:good|safe|bad|qualified) driver$/,
    ),
  // "Is the 14-hour clock running", "the 11 hour rule".
  "no:hours": ({ q, carriers }) =>
    carriers.every(isGuess) && q.all("duration").some(({ text }) => /h(?:ou)?rs?$/i.test(text)) &&
    q.says(/\b(?:rules?|clock|limit|drive|driving|restart|break|window|shift|logs?|sleeper)\b/),
  // "Broker transparency rule 371.3", "explain part 396".
  "no:explanations": ({ q, carriers, intents }) =>
    carriers.every(isGuess) && topicsIn(intents).length <= 1 &&
    /\b(?:rule|section|part|§) ?\d{3}(?:\.\d+)?\b|\b49 ?cfr\b/i.test(q.reading.text),
  "no:officers": ({ q, carriers }) =>
    q.says(/\bsame owners?\b|\bcommon ownership\b/) || carriers.length > 1 && q.says(RELATED),
  "no:filing": ({ q, intents, carriers }) =>
    // "Wrong phone for 32531, fix it", "set the rating of 38428 to satisfactory".
    FIXES.test(q.reading.text) ||
    q.says(REQUESTS) ||
    q.has("how_to") &&
      // "Is it still inactive or did they reactivate".
      !q.says(/\b(?:did|has|have|was|were) (?:\S+ ){0,2}(?:re)?(?:activate|instate)d?\b/) &&
      // "What would UCR cost if they reactivate with 6 trucks".
      !(q.has("ucr", "fee") && q.all("vehicles").length > 0) &&
      // "How do I confirm that for MC 9945", "how do I get a rating".
      !q.says(
        /^(?:so |and |ok )?how to get (?:a |an? )?(?:safety )?rat|\bhow (?:do|does|can|could|would|should) (?:i|we|you|one|a carrier) (?:confirm|check|verify|find|look|see|tell|know|read|get (?:a |an? )?(?:safety )?rat)/,
      ) &&
      // "When does it have to renew its MCS-150".
      !(q.has("when", "due") &&
        (intents.has("mcs150") || q.has("file") && carriers.some(isNumbered)) &&
        !q.says(/\b(?:you|u)\b/)) &&
      !(intents.has("mcs150") && carriers.some(isNumbered) &&
        q.says(/\b(?:do|does|must|should) (?:i|we|he|they|it)\b/)) &&
      (q.has("file", "pay", "registered", "dot", "mc") || topicsIn(intents).length > 0 ||
        q.says(/\b(?:apply|reactivate|renew|alerts?|file)\b/)),
  // "What 9 trucks pay" is the fee.
  "no:ucr_payment": (asking) => {
    const { q, intents } = asking;
    return (q.has("ucr") || q.says(/\bucr enforcement\b/)) && !isFeeless(intents) &&
      !q.has("how_to") &&
      // "Does a Hawaii carrier like 37002 need to pay UCR" asks whether it owes the fee.
      (q.says(/\b(?:paid|did \w+ pay)\b/) || !q.says(
        /\b(?:do|does|must|should|would|will|is|are)\b.*\b(?:pay|pays|owe|owed|need|needs|required|exempt)\b/,
      )) &&
      (q.has("pay", "registered") && isOfSomeCarrier(asking) &&
          !/\d (?:trucks|vehicles|units) pay\b|\b(?:what|how much)(?: (?:ucr|fee))* (?:will|would|does|do|must|should)\b.* pay\b/i
            .test(q.reading.text) ||
        q.says(/\bucr (?:registration )?status\b/));
  },
};

/** "Wrong phone for 32531, fix it", "set the rating of 38428 to satisfactory". */
const FIXES =
  /(?<!\b(?:to|gotta|i|we|should they|should he|must|ill|should|could) )(?:fix|correct) (?:it|this|that)\W*$|^(?:please |pls |can you |could you )?(?:set|mark|make|change) (?:the|its|their|his|this|my|it)\b.* (?:to|as)\b/i;
/** "Email me the record of 25087 every Monday", "set a reminder", "file it for me". */
const REQUESTS =
  /^(?:(?:please|pls|can you|could you|ok|then|and|also) )*(?:e ?mail|text|fax|forward|remind|notify|alert) (?:me|us|him|her|them|it|this|that|the|my|a)\b|\bset (?:me )?(?:an?|up|up an?) (?:reminder|alert|alarm)\b|\bfile (?:the|my|our|his|its|it|this)\b.* for (?:me|us|him|them)\b/;

const BY_RULE: readonly Intent[] = [
  ...TOPIC_KEYS,
  "no:explanations",
  "no:filters",
  "no:legal",
  "terms",
];

/** The intents that each intent suppresses. */
export const OUTRANKED: Readonly<Partial<Record<Intent, readonly Intent[]>>> = {
  count: [...TOPIC_KEYS, "no:filters"],
  missed: ["terms"],
  data_date: ["terms", "added", "no:explanations"],
  ucr_brackets: BY_RULE,
  ucr_dates: [...BY_RULE, "no:filing"],
  ucr_intrastate: BY_RULE,
  mcs150_digits: [...BY_RULE, "no:filing"],
  // "SAFER", "new entrant" and "OOS order" have marks of what is declined.
  terms: [
    ...TOPIC_KEYS,
    "no:explanations",
    "no:trust",
    "no:history",
    "no:entrants",
    "no:oos_order",
    "no:filters",
    "no:insurance",
    "no:officers",
    "no:other_filings",
    "no:courts",
    "count",
  ],
  "no:filters": [...TOPIC_KEYS, "no:oos_order"],
  "no:reverse": [...TOPIC_KEYS, "no:filters", "no:vehicles"],
  oos: ["no:oos_order"],
  "no:filing": TOPIC_KEYS,
  // When an update is due is the schedule's to say, and "legal" may be the label of a name.
  "no:legal": [
    ...TOPIC_KEYS.filter((topic) =>
      !/^(?:mcs150|match|dockets|authority|cargo|operation|rating)$/.test(topic)
    ),
    "no:filing",
    "no:drivers",
  ],
  "no:ucr_payment": ["ucr"],
  "no:load_rates": ["mileage", "fleet", "location"],
  "no:complaints": ["terms", "no:filing", "no:explanations"],
};
