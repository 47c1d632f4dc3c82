/**
 * Stage 3, topic rules: what a question asks about carriers that no single phrase says. They see what the rules
 * of `intent_rules.ts` found, never each other's results.
 *
 * @module
 */

import { declinedIn, generalIn, isOpen, topicsIn } from "./intents.ts";
import {
  type Asking,
  asksShared,
  hasNone,
  hasTopic,
  isNumberedBy,
  isOfSomeCarrier,
  ofVehicles,
  type Rules,
} from "./intent_rules.ts";
import { cargoGuessed, countsGuessed, ratiosAsked } from "./guesses.ts";
import { isGivenCarrier, isNumbered } from "../whom/references.ts";

/** Questions about carriers. */
export const TOPIC_RULES: Rules = {
  // "What are the six checks, and how did 34342 do".
  overview: ({ intents, carriers }) =>
    intents.has("terms") && carriers.some(isGivenCarrier) && topicsIn(intents).length === 0,
  status: (asking) =>
    // "Is its DOT number deactivated", "why can't they haul", of the carrier before.
    asking.carriers.length > 0 && asking.q.says(/\bdeactivated\b/) ||
    (asking.carriers.length > 0 || asking.follows) && cannotHaul(asking.q) ||
    // "Is its USDOT number good".
    asking.carriers.some(isGivenCarrier) && asking.intents.has("usdot") &&
      asking.q.says(
        /\b(?:usdot|dot|number)(?: number)?(?: is| still)* (?:good|valid|ok|okay|legit|real)\b/,
      ) ||
    // "How do I reactivate my USDOT, it's 15187".
    asking.carriers.some(isGivenCarrier) && asking.q.says(/\breactivat/) ||
    asking.intents.has("changes") && asking.q.says(/\b(?:in)?active\b/) ||
    isOpen(asking.intents) && asking.carriers.length > 0 && asking.q.has("registered") &&
      !asking.q.has("when"),
  // "Legal name?", of the carrier of the previous question; "is Orion Eagle Grain a DBA".
  names: ({ q, carriers }) =>
    // "Glendale Logistics or Cedar Trans, which is the legal name of 30820".
    carriers.length > 0 && q.says(/\bwhich (?:one |name )?is (?:the )?(?:legal|real|dba)\b/) ||
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
      (isOpen(intents) || intents.has("usdot")) &&
        /\b(?:when|what (?:year|date|day))\b.*\b(?:issued|assigned)\b/i.test(q.reading.text)),
  // "When did it go inactive", "since when is it inactive".
  changes: ({ q, carriers, follows }) =>
    // "Would the UCR change if they bought a truck".
    !(q.has("ucr") && q.says(/\b(?:would|will|does|did)\b.*\b(?:change|go up|go down)\b/)) && (
      // "Diff 21481 between 2026-11-20 and 2026-11-24".
      carriers.length === 1 && q.has("compare") && (q.all("date").length > 0 || q.has("past")) ||
      // "Did Elba Trans change address recently".
      (carriers.length > 0 || follows) &&
        q.says(/\b(?:did|has|have)\b.*\b(?:changed?|grown|moved)\b/) ||
      // "How many days has MC 18298 been active".
      carriers.length > 0 &&
        q.says(/\bhow (?:long|many (?:days|months|years))\b.*\b(?:in)?active\b/) ||
      (carriers.length > 0 || follows) && q.has("status=inactive") && !q.says(/\bwill\b/) &&
        (q.has("when") ||
          q.says(/\b(?:since when|what da[ty]e?|which da[ty]e?|how long)\b/))
    ),
  // "And its 2027 fee", "is my UCR due, MC 186800".
  ucr: ({ q, intents, carriers }) =>
    intents.has("ucr_dates") && carriers.some(isNumbered) ||
    isOpen(intents) && q.has("fee") && q.has("them") && q.all("year").length > 0 &&
      q.all("vehicles").length === 0,
  contact: (asking) => asking.carriers.length > 1 && asksShared(asking),
  // A number with the word for another one: "what is the DOT of MC 186800".
  usdot: (asking) =>
    !hasTopic(asking) && !asking.q.says(/\bwhy\b/) && asking.q.has("dot") && hasNone("dot")(asking),
  dockets: (asking) =>
    asking.q.lists("mc") && hasNone("docket")(asking) ||
    !hasTopic(asking) && asking.q.has("mc") &&
      // "And MC?" asks for that of the carrier before.
      (hasNone("docket")(asking) ||
        // "No I mean the MC, do they have one", "ok do they have mc".
        asking.carriers.length === 0 &&
          asking.q.says(/\b(?:have|has|had|got|get) (?:(?:an? |any )?(?:mc|docket)|one)$/) ||
        // "MC again?"
        asking.carriers.length === 0 &&
          /^\W*(?:(?:and|ok|so|no|i|mean|meant|its|their|there|theirs|his|her|the|what|whats|what's) )*(?:mc|docket)(?:#| number| num| no)?(?:,? again|,? please|,? pls)*\W*$/i
            .test(asking.q.reading.text) ||
        /^\W*and\b[^\d]*$/i.test(asking.q.reading.text)),
  mcs150: ({ q, carriers, intents }) =>
    // "When was its fleet size last updated".
    intents.has("fleet") && q.says(/\bwhen\b.* (?:updated|reported|filed)\b/) ||
    (q.has("due") && !q.says(/\bratings?\b.*\bexpires?\b/) ||
        q.has("file") && carriers.length > 0 && isOpen(intents) &&
          (q.has("when") || q.says(/\b(?:did|has|have)\b/)) &&
          !q.has("ucr", "how_to")) &&
      declinedIn(intents).length + generalIn(intents).filter((one) => one !== "missed").length ===
        0,
  authority: (asking) =>
    goesThere(asking) ||
    // "Can he still haul produce".
    (asking.carriers.some(isGivenCarrier) || asking.follows) && cargoGuessed(asking.q).length > 0 &&
      /\b(?:can|could|may|allowed to|authorized to|able to|ok to|cleared to) (?:\S+ ){0,4}(?:haul|carry|take|move|transport|run|pull)\b/i
        .test(asking.q.reading.text) ||
    // "OK to run in the US".
    asking.carriers.some(isGivenCarrier) && asking.intents.has("verdict") &&
      asking.q.says(/\b(?:run|haul|operate|drive|loads?)\b/) ||
    // "Is it allowed interstate".
    asking.carriers.some(isGivenCarrier) &&
      asking.q.says(
        /\b(?:allowed|authorized|permitted|cleared|legal) (?:to (?:go|run|operate) )?(?:interstate|across state lines)\b/,
      ) ||
    // "So they can't haul for me".
    (asking.carriers.some(isGivenCarrier) || asking.follows) &&
      asking.q.says(
        /\b(?:can|cant|cannot|could|may|do|does)\b.*\b(?:haul|run|drive|work) for (?:me|us|others|other people)\b/,
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
      (isOfSomeCarrier(asking) && asking.q.has("broker") ||
        asking.carriers.length > 0 && asking.q.says(/^(?:is|are) .*\ban? (?:motor )?carrier$/)),
  // How many are placed out of service, not whether an order is in force.
  oos: ({ q, intents }) =>
    // "How many inspections, and how many got shut down".
    intents.has("inspections") && q.says(/\b(?:shut down|parked|sidelined|pulled off)\b/) ||
    // "Any hazmat inspections": how many of a kind there were.
    q.says(/\b(?:hazmat|hm|driver|vehicle) inspections?\b/) ||
    intents.has("no:oos_order") &&
      (q.has("compare") && q.says(/\b(?:gets?|is|are) (?:put|placed|taken)\b/) ||
        q.says(/\b(?:lowest|highest|least|most|fewest)\b/) ||
        // "Was it placed out of service at any inspection".
        q.says(/\b(?:at|during|in) (?:(?:an?|any|the|its|their) )?(?:roadside )?inspections?\b/) ||
        q.says(/\b(?:percent|rate|share|often|average|compare|times|better|worse|higher|lower)/) ||
        ofVehicles(q)),
  // "More than 10 inspections": the count takes the word.
  inspections: ({ q, carriers }) =>
    carriers.length > 0 &&
    // "Did any of its trucks get a level 5".
    q.all("other").some(({ text }) => /(?:inspections?|violations?)$|^level/i.test(text)),
  // "Driveaway too?", of the carrier before.
  cargo: ({ q, carriers, follows, intents }) =>
    (carriers.length > 0 || follows) && isOpen(intents) && cargoGuessed(q).length > 0 &&
    q.reading.tokens.length <= SHORT,
  // "Can it deliver in Texas", "why would an HVAC company have a DOT number".
  operation: (asking) =>
    goesThere(asking) ||
    asking.carriers.length > 0 && asking.q.says(/\bwhy\b.*\bhave\b/) && asking.q.has("dot"),
  // "400k miles?? check 26000".
  mileage: ({ q, carriers }) =>
    carriers.length > 0 && q.all("other").some(({ text }) => /\bmiles?$/i.test(text)),
  location: ({ q, intents, carriers }) =>
    // "Is 16682 from Mexico".
    carriers.length > 0 && q.says(/\b(?:from|in) (?:mexico|canada)$/) ||
    isOpen(intents) && !q.has("status?") && /^(?:is|are)\b/i.test(q.reading.text) &&
      / in /i.test(q.names[0]?.text ?? ""),
  fleet: (asking) =>
    // Drivers are filed within and beyond 100 miles.
    asking.carriers.length > 0 && asking.q.says(/\bradius\b/) ||
    // "Who has more inspections per truck".
    asking.carriers.length > 0 && !asking.q.has("ucr", "fee") &&
      asking.q.says(
        /\b(?:per|each|every) (?:power unit|truck|unit|vehicle|tractor|driver|rig)\b/,
      ) ||
    // "Is E & C Drayage a one truck operation".
    asking.carriers.length > 0 &&
      /\b(?:one|single|two|three|\d+)[- ]truck (?:operation|outfit|company|show|carrier|shop)\b/i
        .test(asking.q.reading.text) ||
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

/** "Why can't they haul". */
function cannotHaul(q: Asking["q"]): boolean {
  return q.says(
    /^(?:so |and |but )?why (?:cant|cannot|can not|wont) (?:they|he|she|it) (?:haul|run|drive|operate|work)\b/,
  );
}

/** A question of so few words about a kind of cargo is about nothing else. */
const SHORT = 8;

/** Whether it asks if a carrier may go or haul somewhere. */
function goesThere({ q, carriers, follows }: Asking): boolean {
  return (carriers.some(isGivenCarrier) || follows) &&
    // A place may seem to be a name: "can 7314 cross from Texas into Oklahoma".
    /\b(?:can|can['’]?t|cannot|could|may|allowed|able)\b.*\b(?:deliver|haul|move|take|run|carry|pick up|operate|go|cross|drive|come|enter)\b.* (?:in|to|into|from|through|across|interstate)\b/i
      .test(q.reading.text);
}
