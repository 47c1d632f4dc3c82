/**
 * Stage 3, rules: what no single phrase says, and a table of which intents outrank others. The rules of a
 * step see the result of the step before, never each other's, so their order does not matter.
 *
 * @module
 */

import type { QuestionView } from "../entities/entities.ts";
import { defines, termsAsked } from "./known/explained.ts";
import {
  declinedIn,
  generalIn,
  type Intent,
  type Intents,
  isFeeless,
  isOpen,
  isSpecific,
  topicsIn,
} from "./intents.ts";
import { cargoGuessed, countsGuessed, ratiosAsked } from "./guesses.ts";
import { isFiltered } from "./lists.ts";
import { type CarrierRef, isGivenCarrier, isNumbered } from "./references.ts";
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

type Rule = (asking: Asking) => boolean;
export type Rules = Readonly<Partial<Record<Intent, Rule>>>;

const isNumberedBy = ({ carriers }: Asking): boolean => carriers.some(isNumbered);
const whose: Rule = ({ q, carriers }) => carriers.length > 0 || q.has("them") || q.says(/\bmy\b/);
const lacks = (by: CarrierRef["by"]): Rule => ({ carriers }) =>
  carriers.length > 0 && carriers.every((ref) => ref.by !== by);
/** "Do these two share an address". */
const SHARES: Rule = ({ q }) =>
  q.says(
    /\bshares? (?:an? |the |its |their )?(?:same )?(?:\S+ )?(?:address|phone)\b|\bsame (?:phone|address)\b/,
  );
const hasTopic: Rule = ({ intents }) => topicsIn(intents).some((topic) => topic !== "match");
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

/** Questions about no carrier, declined ones, and whether two identities are the same. */
export const GENERAL_RULES: Rules = {
  match: (asking) =>
    asking.named && !asking.q.says(/\bdrivers? name\b|\bname of (?:the|his|a) driver\b/) &&
    declinedIn(asking.intents).every((topic) =>
      /^(?:trust|legal|officers|drivers)$/.test(topic) ||
      // "The COI says Johnson Transportation LLC, MC 5365: mismatch?"
      topic === "insurance" &&
        asking.q.says(/\b(?:says|shows|reads|lists|mismatch\w*|matche?s?|correct|right)\b/)
    ),
  dockets: ({ linked }) => linked !== null,
  missed: ({ q }) =>
    q.has("consequence") &&
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
      /\b(?:ends?|ended|endings?|last (?:two )?digits?|schedule|know (?:which|what|the) month|from the number|odd or even|even or odd|(?:odd|even) years?|termina|terminado|acaban?)\b/,
    ),
  data_date: ({ q, carriers }) =>
    // "How often do you refresh from FMCSA", "what day is your data from".
    carriers.length === 0 && q.says(/\bwhat (?:day|date)\b.*\bdata\b/) ||
    carriers.length === 0 &&
      q.says(/\bhow often\b.*\b(?:you|this|site|data)\b.*\b(?:refresh|update)/) ||
    q.has("data") && q.has("fresh", "when", "mcs150=filed", "added") &&
      // "What sources do you use, which fields": the service is explained.
      !q.reading.terms.some((span) => span?.mark === "service"),
  count: (asking) =>
    asking.q.has("count") && !asking.q.has("named") && !isNumberedBy(asking) &&
    !isSpecific(asking.intents) &&
    !asking.q.hasPlace && !asking.q.hasState,
  ucr_brackets: (asking) => ofUcr(asking) && asking.q.has("table"),
  ucr_dates: (asking) =>
    asking.q.has("window") && asking.q.says(/\b(?:ucr|unified)\b/) ||
    ofUcr(asking, true) && !asking.q.has("consequence") &&
      (asking.q.has("due", "mcs150=overdue") && !asking.q.has("pay") ||
        /\bwhen\b.*\b(?:opens?|starts?|begins?)\b/i.test(asking.q.reading.text) ||
        asking.q.has("when") && asking.q.has("registered", "pay") ||
        asking.q.has("pay") &&
          asking.q.says(/\b(?:before|by) (?:the )?(?:new year|what date|when)\b/)),
  ucr_intrastate: (asking) =>
    asking.q.has("operation") &&
    (ofUcr(asking) || asking.q.has("ucr") && asking.q.says(/\b(?:if|when) (?:i|we)\b/)),
  terms: (asking) =>
    !asking.asksWhy && termsAsked(asking.q).length > 0 &&
    // "Does the first one have authority", of a list.
    !asking.carriers.some(({ by }) => by === "choice") &&
    // "Which carriers in Wisconsin have a revoked authority".
    !asking.q.says(/^(?:which|what|list|show|any) (?:of (?:your|the) )?(?:carriers|companies)\b/) &&
    // "Any out of service rates worth noting", of the carrier before.
    !(asking.follows && !defines(asking.q)) &&
    !(ofUcr(asking, true) && asking.q.has("broker", "fee") &&
      !asking.q.says(/\b(?:what is|whats|que es) (?:the |el |la )?ucr\b/)),
  "no:filters": isFiltered,
  "no:reverse": (asking) =>
    asking.carriers.length === 0 &&
      (asking.q.all("phone").length > 0 || asking.q.says(/\bby (?:phone|address|plate|vin)\b/)) ||
    asking.carriers.length < 2 && SHARES(asking) ||
    !isNumberedBy(asking) && asking.q.all("street").length > 0 ||
    // "Do any other DOT numbers share its address".
    asking.q.says(
      /\b(?:other|another|which|what|any|carriers|companies|anyone|anybody) (?:\S+ ){0,3}(?:shares?|sharing|uses?|using|with|at|has|have) (?:the |its |this |that |their |his )?(?:same )?(?:\S+ )?(?:address|phone)\b/,
    ),
  // "What does Carrier 411 say".
  "no:reports": ({ q }) => q.all("other").some(({ text }) => text === "411"),
  // "Rate Chicago to Dallas dry van".
  "no:load_rates": ({ q, carriers }) =>
    carriers.length === 0 && q.says(/\brates?\b/) &&
    q.says(/\b(?:van|reefer|flatbed|stepdeck|truckload|lane)\b/),
  // "Valsoel Freight: common or contract".
  "no:licensing": ({ q, carriers }) =>
    carriers.some(isGivenCarrier) &&
    q.says(/\bcommon (?:or |and |vs )?contract\b|\b(?:common|contract) (?:carrier )?authority\b/),
  "no:drivers": ({ q }) => q.says(/\bdrivers?\b.*\blicensed\b/),
  "no:officers": ({ q }) => q.says(/\bsame owners?\b|\bcommon ownership\b/),
  "no:filing": ({ q, intents, carriers }) =>
    // "Wrong phone for 32531, fix it", "set the rating of 38428 to satisfactory".
    FIXES.test(q.reading.text) ||
    q.says(REQUESTS) ||
    q.has("how_to") &&
      // "How do I confirm that for MC 9945", "how do I get a rating".
      !q.says(
        /\bhow (?:do|does|can|could|would|should) (?:i|we|you|one|a carrier) (?:confirm|check|verify|find|look|see|tell|know|read|get (?:a |an? )?(?:safety )?rat)/,
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
    return q.has("ucr") && !isFeeless(intents) && !q.has("how_to") &&
      (q.has("pay", "registered") && whose(asking) &&
          !/\d (?:trucks|vehicles|units) pay\b|\b(?:what|how much)(?: (?:ucr|fee))* (?:will|would|does|do|must|should)\b.* pay\b/i
            .test(q.reading.text) ||
        q.says(/\bucr (?:registration )?status\b/));
  },
};

/** Questions about carriers. */
export const TOPIC_RULES: Rules = {
  // "What are the six checks, and how did 34342 do".
  overview: ({ intents, carriers }) =>
    intents.has("terms") && carriers.some(isGivenCarrier) && topicsIn(intents).length === 0,
  status: (asking) =>
    // "How do I reactivate my USDOT, it's 15187".
    asking.carriers.some(isGivenCarrier) && asking.q.says(/\breactivat/) ||
    asking.intents.has("changes") && asking.q.says(/\b(?:in)?active\b/) ||
    isOpen(asking.intents) && asking.carriers.length > 0 && asking.q.has("registered") &&
      !asking.q.has("when"),
  // "Legal name?", of the carrier of the previous question; "is Orion Eagle Grain a DBA".
  names: ({ q, carriers }) =>
    // "Mitchell Farms Ohio legal name", "what's Mitchell Farms' legal name, the one in Ohio".
    carriers.length > 0 && !q.has("match") &&
      /\b(?:legal|registered|official|real|full) names?(?: is)?\W*(?:$|,)|['’]s? (?:legal|registered|real|full) name\b/i
        .test(q.reading.text) ||
    carriers.length > 0 &&
      q.says(/\b(?:is|whose|who|which)\b.*\b(?:dba|trade name|fictitious|doing business as)\b/) ||
    carriers.length === 0 &&
      q.says(
        /^(?:and |ok |so |no |not |i mean )?(?:whats? |what is |is |not |i |mean |meant |that |it |this |the |its |their |legal |real |official |registered |actual |full |company |business |dba |or )+(?:names?|dba)$/,
      ),
  // "When was it registered", "was it registered before 2010".
  added: ({ q, carriers, intents }) =>
    carriers.length > 0 &&
    (q.has("registered") && !q.has("ucr") && (q.has("when") || q.all("year").length > 0) ||
      q.has("no:entrants", "first") || q.says(/\b(?:when|what year)\b.*\badded\b/) ||
      isOpen(intents) &&
        /\b(?:when|what (?:year|date|day))\b.*\b(?:issued|assigned)\b/i.test(q.reading.text)),
  // "When did it go inactive", "since when is it inactive".
  changes: ({ q, carriers, follows }) =>
    // "Diff 21481 between 2026-11-20 and 2026-11-24".
    carriers.length === 1 && q.has("compare") && (q.all("date").length > 0 || q.has("past")) ||
    // "Did Elba Trans change address recently".
    (carriers.length > 0 || follows) &&
      q.says(/\b(?:did|has|have)\b.*\b(?:changed?|grown|moved)\b/) ||
    (carriers.length > 0 || follows) && q.has("status=inactive") && !q.says(/\bwill\b/) &&
      (q.has("when") ||
        q.says(/\b(?:since when|desde cuando|what da[ty]e?|which da[ty]e?|how long)\b/)),
  // "And its 2027 fee", "is my UCR due, MC 186800".
  ucr: ({ q, intents, carriers }) =>
    intents.has("ucr_dates") && carriers.some(isNumbered) ||
    isOpen(intents) && q.has("fee") && q.has("them") && q.all("year").length > 0 &&
      q.all("vehicles").length === 0,
  contact: (asking) => asking.carriers.length > 1 && SHARES(asking),
  // A number with the word for another one: "what is the DOT of MC 186800".
  usdot: (asking) => !hasTopic(asking) && asking.q.has("dot") && lacks("dot")(asking),
  dockets: (asking) =>
    asking.q.lists("mc") && lacks("docket")(asking) ||
    !hasTopic(asking) && asking.q.has("mc") &&
      // "And MC?" asks for that of the carrier before.
      (lacks("docket")(asking) ||
        // "No I mean the MC, do they have one", "ok do they have mc".
        asking.carriers.length === 0 &&
          asking.q.says(/\b(?:have|has|had|got|get) (?:(?:an? |any )?(?:mc|docket)|one)$/) ||
        // "MC again?"
        asking.carriers.length === 0 &&
          /^\W*(?:(?:and|ok|so|its|their|there|theirs|his|her|the|what|whats|what's) )*(?:mc|docket)(?:#| number| num| no)?(?:,? again|,? please|,? pls)*\W*$/i
            .test(asking.q.reading.text) ||
        /^\W*(?:and|y)\b[^\d]*$/i.test(asking.q.reading.text)),
  mcs150: ({ q, carriers, intents }) =>
    // "When was its fleet size last updated".
    intents.has("fleet") && q.says(/\bwhen\b.* (?:updated|reported|filed)\b/) ||
    (q.has("due") ||
        q.has("file") && carriers.length > 0 && isOpen(intents) &&
          (q.has("when") || q.says(/\b(?:did|has|have)\b/)) &&
          !q.has("ucr", "how_to")) &&
      declinedIn(intents).length + generalIn(intents).filter((one) => one !== "missed").length ===
        0,
  authority: (asking) =>
    goesThere(asking) ||
    // "So they can't haul for me".
    (asking.carriers.some(isGivenCarrier) || asking.follows) &&
      asking.q.says(
        /\b(?:can|cant|cannot|could|may)\b.*\b(?:haul|run|drive|work) for (?:me|us|others|other people)\b/,
      ) ||
    asking.carriers.length > 0 && asking.q.says(/\blicensed\b/) &&
      !asking.q.says(/\bdrivers?\b/) ||
    asking.carriers.length > 0 && asking.q.has("broker") && !asking.q.has("ucr", "fee") &&
      asking.q.says(/\b(?:is|are)\b.*\bbrokers?\b/) ||
    // "Is 458 even required to have an MC".
    asking.q.has("mc", "dockets", "authority") &&
      (asking.carriers.length > 0 || asking.q.has("them")) &&
      asking.q.says(/\b(?:required|needs?|supposed)\b/) ||
    // "How come it has 188 trucks and no MC".
    asking.q.has("mc", "dockets") &&
      asking.q.says(/\b(?:why|how come|how can|what for)\b/) ||
    isOpen(asking.intents) &&
      (whose(asking) && asking.q.has("broker") ||
        asking.carriers.length > 0 && asking.q.says(/^(?:is|are) .*\ban? (?:motor )?carrier$/)),
  // How many are placed out of service, not whether an order is in force.
  oos: ({ q, intents }) =>
    // "How many inspections, and how many got shut down".
    intents.has("inspections") && q.says(/\b(?:shut down|parked|sidelined|pulled off)\b/) ||
    // "Any hazmat inspections": how many of a kind there were.
    q.says(/\b(?:hazmat|hm|driver|vehicle) inspections?\b/) ||
    intents.has("no:oos_order") &&
      (q.has("compare") && q.says(/\b(?:gets?|is|are) (?:put|placed|taken)\b/) ||
        q.says(/\b(?:percent|rate|share|often|average|compare|times|better|worse|higher|lower)/) ||
        ofVehicles(q)),
  // "More than 10 inspections": the count takes the word.
  inspections: ({ q, carriers }) =>
    carriers.length > 0 &&
    q.all("other").some(({ text }) => /(?:inspections?|violations?)$/i.test(text)),
  // "Driveaway too?", of the carrier before.
  cargo: ({ q, carriers, follows, intents }) =>
    (carriers.length > 0 || follows) && isOpen(intents) && cargoGuessed(q).length > 0 &&
    q.reading.tokens.length <= SHORT,
  // "Can it deliver in Texas", "so they can take my load from Vermont to Ohio".
  operation: goesThere,
  // "400k miles?? check 26000".
  mileage: ({ q, carriers }) =>
    carriers.length > 0 && q.all("other").some(({ text }) => /\bmiles?$/i.test(text)),
  location: ({ q, intents, carriers }) =>
    // "Is 16682 from Mexico".
    carriers.length > 0 && q.says(/\b(?:from|in) (?:mexico|canada)$/) ||
    isOpen(intents) && !q.has("status?") && /^(?:is|are)\b/i.test(q.reading.text) &&
      / in /i.test(q.names[0]?.text ?? ""),
  fleet: (asking) =>
    // "Who has more inspections per truck".
    asking.carriers.length > 0 && !asking.q.has("ucr", "fee") &&
      asking.q.says(
        /\b(?:per|each|every) (?:power unit|truck|unit|vehicle|tractor|driver|rig)\b/,
      ) ||
    // "How many with a CDL".
    asking.carriers.length > 0 && asking.q.says(/\bcdls?\b/) ||
    // "What's the driver-to-truck ratio".
    (asking.carriers.length > 0 || asking.follows) &&
      ratiosAsked(asking.q).includes("fleet=each") ||
    // "Why would 30632 have authority but no trucks".
    asking.carriers.length > 0 && !asking.q.has("ucr", "fee") &&
      asking.q.all("vehicles").some(({ text }) => /^(?:no|zero|0)\b/i.test(text)) ||
    // "Does Perez Medical Transport show any vehicles".
    asking.carriers.length > 0 && isOpen(asking.intents) && asking.q.has("vehicle") &&
      asking.q.says(/^(?:does|do|did|has|have)\b/) && !asking.q.has("many", "all", "every") ||
    // "How come zero trucks", of the carrier before.
    asking.follows && isOpen(asking.intents) && asking.q.all("vehicles").length > 0 &&
      !asking.q.has("ucr", "fee") ||
    // "Drivers?", "and drivers?"
    asking.carriers.length === 0 && asking.q.has("vehicle") &&
      !asking.q.has("ucr", "fee", "pay", "find", "all", "many", "count") &&
      /^\W*(?:(?:ok |and |y |also |what about |how about )+[^\d]*|(?:the |its |their |how many )?(?:drivers?|trucks?|vehicles?|power units?)(?: too| also| as well)?\W*)$/i
        .test(asking.q.reading.text) ||
    asking.carriers.length > 0 &&
      (asking.q.lists("vehicle") ||
        !asking.q.has("fee", "pay", "ucr") &&
          (isNumberedBy(asking) || !asking.q.has("find", "all", "many")) &&
          (isOpen(asking.intents) && asking.q.all("vehicles").length > 0 ||
            countsGuessed(asking.q).length > 0)),
};

/** A question of so few words about a kind of cargo is about nothing else. */
const SHORT = 6;

/** "Wrong phone for 32531, fix it", "set the rating of 38428 to satisfactory". */
const FIXES =
  /(?<!\b(?:to|gotta|i|we|must|ill|should|could) )(?:fix|correct) (?:it|this|that)\W*$|^(?:please |pls |can you |could you )?(?:set|mark|make|change) (?:the|its|their|his|this|my|it)\b.* (?:to|as)\b/i;
/** "Email me the record of 25087 every Monday", "set a reminder", "file it for me". */
const REQUESTS =
  /^(?:(?:please|pls|can you|could you|ok|then|and|also) )*(?:e ?mail|text|fax|forward|remind|notify|alert) (?:me|us|him|her|them|it|this|that|the|my|a)\b|\bset (?:me )?(?:an?|up|up an?) (?:reminder|alert|alarm)\b|\bfile (?:the|my|our|his|its|it|this)\b.* for (?:me|us|him|them)\b/;

/** Whether it asks if a carrier may go or haul somewhere. */
function goesThere({ q, carriers, follows }: Asking): boolean {
  return (carriers.some(isGivenCarrier) || follows) &&
    q.says(
      /\b(?:can|cant|cannot|could|may|allowed|able)\b.*\b(?:deliver|haul|move|take|run|carry|pick up|operate|go|cross|drive)\b.* (?:in|to|into|from|through|across|interstate)\b/,
    );
}

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
  "no:filters": TOPIC_KEYS,
  "no:reverse": [...TOPIC_KEYS, "no:filters"],
  oos: ["no:oos_order"],
  "no:filing": TOPIC_KEYS,
  // When an update is due is the schedule's to say, and "legal" may be the label of a name.
  "no:legal": [
    ...TOPIC_KEYS.filter((topic) =>
      !/^(?:mcs150|match|dockets|authority|cargo|operation)$/.test(topic)
    ),
    "no:filing",
    "no:drivers",
  ],
  "no:ucr_payment": ["ucr"],
  "no:load_rates": ["mileage", "fleet"],
  "no:complaints": ["terms", "no:filing", "no:explanations"],
};
