/**
 * Stage 3, conversation: what a question takes from the previous one: its carriers or its topics.
 *
 * @module
 */

import { type QuestionView, soughtText } from "../entities/entities.ts";
import {
  type Asked,
  generalIn,
  type Intent,
  type Intents,
  isOpen,
  topicsIn,
} from "./asked/intents.ts";
import { moreVehicles } from "./details/fees.ts";
import {
  type CarrierRef,
  distinct,
  isGivenCarrier,
  isGuess,
  refName,
  type SearchList,
} from "./whom/references.ts";

/** What is known about the previous question. */
export interface Memory extends Asked {
  readonly carriers: readonly CarrierRef[];
  /** Whether it asked which carrier is meant. */
  readonly lacksCarrier: boolean;
  /** The terms that it explained. */
  readonly terms: readonly string[];
  /** The carriers of the question before it. */
  readonly earlier: readonly CarrierRef[];
  /** What it listed, if it was a search. */
  readonly list?: SearchList | undefined;
}

const FOLLOWS =
  /^\W*(?:and|y|now|what about|how about|same(?: thing| question)? (?:for|with)|ditto for|also|(?:no\W+|sorry\W+)*i meant?)\b/i;

/** "Is that bad": of what the previous question was answered with. */
const ASSESSES =
  /^\W*(?:so |and |ok |hmm )*(?:is|are) (?:that|it|this|those|these|they) (?:\S+ )?(?:bad|good|normal|ok|okay|high|low|late|a lot|usual|typical|common)\W*$/i;

/** "Is that over the average", after a question about rates. */
const COMPARES =
  /^\W*(?:so |and |ok )*(?:compared (?:to|with|against)|how (?:does|do) (?:that|it|this|those|they) (?:compare|sit|stack up|look|rank|hold up) (?:to|with|against|next to|versus|vs)|(?:is|are) (?:that|it|this|those|they) (?:above|over|under|below|better than|worse than|higher than|lower than)) (?:the )?(?:national )?(?:average|avg|country|nation|rest|others|everybody else|everyone else|everyone|most|us|industry|national (?:average|avg|one|number|rate|figure)s?|numbers?|rates?)\W*$/i;

/** "What's the DOT number", after a question about a carrier. */
export const ASKS_NUMBER =
  /^\W*(?:(?:and|ok|so|no|the number)\W+)*what(?:['’]?s| is| was) (?:the|its|their|his|her) (?:us ?)?dot(?: (?:number|num|no)\.?| ?#)?\W*$/i;

/** "Is it still in effect", after a question about orders. */
const STILL =
  /^\W*(?:so |and |ok )*(?:is|are) (?:it|that|this|they|those|these|the orders?|both) (?:still )?(?:in effect|in force|open|active|standing|valid|lifted|rescinded|on)\W*$/i;

/** "When was that", "since when": of what the previous question asked. */
const ASKS_WHEN =
  /^\W*(?:and |ok |so )?(?:since )?(?:when|what date|what day|how long ago)\b(?: (?:was|is|were|did|are|do|does|they|it|he|that|this|get|got|given|the|issued|date|start|started|begin|happen|happened))*\W*$/i;

/** "Date of it", after a question about a rating or a filing. */
const ASKS_DATE =
  /^\W*(?:and |ok )?(?:the )?dates?(?: (?:of|for) (?:it|that|this|them))?\W*$|^\W*(?:and |ok )?(?:(?:from|of|for) )?(?:what|which) (?:year|date|day) (?:is|was) (?:that|it|this)(?: (?:from|of|for))?\W*$|^\W*(?:y )?(?:desde cu[aá]ndo|cu[aá]ndo fue)\W*$/i;

/** "And driver", after a question about out-of-service rates. */
const OF_RATES =
  /^\W*(?:driver|truck|vehicle|hazmat)s?(?: (?:or|and) (?:driver|truck|vehicle|hazmat)s?)?(?: too| also| as well)?\W*$|^\W*(?:and|what about|how about|just|only) (?:for )?(?:the |its |their )?(?:driver|vehicle|truck|hazmat)s?(?: ones?| rates?)?\W*$/i;

/** "Only the active ones", after a list. */
const ONLY_STATUS =
  /^\W*(?:\S+ ){0,5}(?:in)?active(?: (?:ones?|carriers|companies|please|pls|only))*\W*$/i;

const OF_THOSE =
  /\b(?:which|what|how many|any|one|all|some|who) (?:ones? )?of (?:those|them|these)\b|^(?:and |ok )?(?:any (?:ones? )?(?:with|that|who|over|under)|with)\b|^(?:and |ok |so )?(?:(?:which|who|what) (?:one )?(?:is|has) |whos |show me |just )?(?:the )?(?:most|fewest|best|worst|big+est|largest|smallest|newest|oldest|safest)\b|\b(?:ones?|any) with (?:more|less|fewer|at least|over|under)\b|\b(?:just|only) (?:the )?(?:ones|those|them) (?:with|that|which|who|over|under)\b/;

/** "Compare them", "put them side by side". */
const BOTH =
  /^\W*(?:(?:ok|and|now|so|then|please|can you|just) )*compare (?:them|those|these|both|the two)\b|\b(?:side by side|next to each other)\b|\b(?:connections?|link|related|relation|difference)\b.*\b(?:them|two|both)\b/i;

const WHICH =
  /^\W*(?:and |so |ok )*(?:which|who)(?: one| of (?:them|those|these|the two))?(?: is|'?s| has| have| had)? (?:the )?(?:\S+ )?(?:more|fewer|less|most|best|worse|worst|\w+er|\w+est)\b|\bwhich (?:one )?of (?:those|these|them|the)(?: two)?\b(?! (?:three|four|3|4)\b)|^\W*(?:and |so )?which (?:one|of them)['’]?s?\b|\b(?:are|is|does|do|has|have) (?:either|both|neither)\b/i;

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
};

function isOnlyOverview(intents: Intents): boolean {
  return isOpen(intents) || intents.size === 1 && intents.has("overview");
}

type Carried = Asked & { readonly carriers: readonly CarrierRef[] };

/** A question that may carry on the one before. */
interface Follow extends Carried {
  readonly q: QuestionView;
  readonly text: string;
  readonly memory: Memory;
  /** Whether it asks for no topic and nothing that is declined. */
  readonly open: boolean;
  /** Whether it gives a carrier. */
  readonly named: boolean;
  /** Whether it numbers its carriers itself or follows up on one. */
  readonly own: boolean;
  /** Whether it says which inspections: "and in October". */
  readonly inspected: boolean;
}

type Rule = (follow: Follow) => Partial<Carried> | undefined;

/** What a question means only after another; the first rule that applies decides. */
const RULES: readonly Rule[] = [
  // "35455", "and 36937", "which is bigger".
  ({ memory, intents, carriers, text }) => {
    const two = distinct([...memory.earlier, ...memory.carriers]);
    return carriers.every(isGuess) && two.length === 2 && !two.some(isGuess) &&
        (WHICH.test(text) || BOTH.test(text))
      ? { intents: withIntents(intents, "compare"), carriers: two }
      : undefined;
  },
  ({ memory, intents, carriers, text }) =>
    memory.list !== undefined && carriers.length === 0 && ONLY_STATUS.test(text) &&
      topicsIn(intents).every((topic) => topic === "status")
      ? { intents: withIntents([], "search"), carriers: memory.carriers }
      : undefined,
  // "Pennsylvania", "ok just Houston", after a list.
  ({ q, memory, carriers, open, own, text }) =>
    memory.list !== undefined && open && !own && ONLY_PLACE.test(text) &&
      !q.says(/\b(?:thats?|is|it|they)\b/) &&
      carriers.every((ref) => ref.by === "name" && !ref.exists) &&
      soughtText(q.sought) !== ""
      // "Hazmat carriers in Beaumont", "now do Houston": hazmat can't be filtered there either.
      ? {
        intents: withIntents(
          [],
          "search",
          ...memory.intents.has("no:filters") ? ["no:filters"] as const : [],
        ),
        carriers: [],
      }
      : undefined,
  // "How many is that", after a list, which says how many were found.
  ({ memory, named, text }) =>
    memory.list !== undefined && !named && HOW_MANY.test(text)
      ? { intents: withIntents([], "search"), carriers: [] }
      : undefined,
  // "Do brokers pay UCR", "how much".
  ({ q, memory, named }) =>
    !named && q.says(/\b(?:how much|cuanto)\b/) && q.all("vehicles").length === 0 &&
      (memory.terms.includes("ucr") || memory.intents.has("ucr_intrastate"))
      ? { intents: withIntents([], "ucr_brackets"), carriers: [] }
      : undefined,
  // "Which of those have an MC", "just the ones with hazmat", after a list.
  ({ q, memory, named }) =>
    (memory.list !== undefined || memory.intents.has("no:filters")) && !named && q.says(OF_THOSE)
      ? { intents: withIntents([], "no:filters"), carriers: [] }
      : undefined,
  // "Hazmat?", after a list of one.
  ({ memory, intents, carriers }) =>
    memory.list !== undefined && carriers.length + memory.carriers.length === 0 &&
      topicsIn(intents).some((topic) => !/^(?:status|overview)$/.test(topic))
      ? { carriers: [{ by: "choice", of: memory.list, index: 0, only: true }] }
      : undefined,
  // "Narrow to 50+ power units", "sort them by rate", "just the top 5"; "and Kansas", after a count.
  ({ q, memory, named, carriers, text }) =>
    !named && carriers.every((ref) => ref.by === "name" && !ref.exists) &&
      ((memory.list !== undefined || memory.intents.has("no:filters")) &&
          (NARROWS.test(text) ||
            memory.list !== undefined && q.all("vehicles").length > 0 && !q.has("ucr", "fee")) ||
        memory.list === undefined && memory.intents.has("no:filters") && ONLY_PLACE.test(text) &&
          q.sought.name !== "")
      ? { intents: withIntents([], "no:filters"), carriers: [] }
      : undefined,
  // "Per truck", after a question about mileage or the fleet.
  ({ memory, named, text }) => {
    const of = (["mileage", "fleet"] as const).find((one) => memory.intents.has(one));
    return !named && of !== undefined &&
        /^\W*(?:and |so )?(?:per|for each|each) (?:truck|unit|tractor|vehicle)\W*$/i.test(text)
      ? { ...memory, intents: withIntents([], of), guesses: new Set([`${of}=each`]) }
      : undefined;
  },
  (follow) => follow.carriers.length === 1 && compares(follow) ? comparison(follow) : undefined,
  // "And the fewest drivers", after a comparison.
  ({ q, memory, intents, carriers }) =>
    memory.carriers.length > 1 && memory.carriers.every(isGivenCarrier) &&
      carriers.every(isGuess) &&
      (topicsIn(intents).some((topic) => topic !== "overview") || q.has("vehicle", "fleet?"))
      ? {
        intents: withIntents(
          intents.difference(new Set<Intent>(["overview"])),
          "compare",
          ...q.has("vehicle", "fleet?") ? ["fleet"] as const : [],
        ),
        carriers: memory.carriers,
      }
      : undefined,
  // "What is a docket number", "does 21800 have one", "does Gamma Kings have one".
  ({ memory, intents, carriers, named, text }) => {
    const ofTerm = memory.terms.flatMap((term) => TOPIC_OF_TERM[term] ?? [])[0];
    const isName = named ||
      carriers.length === 1 && / |^\W?\p{Lu}/u.test(refName(carriers[0]!));
    // "Which one does Roger Hoffman have", after "satisfactory vs conditional".
    const isOpenOf = isOnlyOverview(intents.difference(new Set<Intent>(["compare"])));
    return isName && ofTerm !== undefined && isOpenOf &&
        /\b(?:have|has|had|got)\b.* (?:one|any)\b|\b(?:is|are|was) (?:there )?(?:one|any)\b|\b(?:which|what)(?: one)? (?:does|do|is)\b/i
          .test(text)
      ? { intents: withIntents([], ofTerm) }
      : undefined;
  },
  // "How fresh is this", "and when is the next one".
  ({ memory, named, text }) =>
    memory.intents.has("data_date") && !named && NEXT.test(text)
      ? { intents: withIntents([], "data_date"), carriers: [] }
      : undefined,
  // "What month does a number that ends in 7 file", "and 0?"
  ({ q, memory, named, text }) =>
    memory.intents.has("mcs150_digits") && !named && q.numbers.length === 1 && DIGITS.test(text)
      ? { intents: withIntents([], "mcs150_digits"), carriers: [] }
      : undefined,
  // "When is the MCS-150 due", "610009".
  ({ memory, intents, named }) =>
    named && memory.intents.has("mcs150_digits") && isOnlyOverview(intents)
      ? { intents: withIntents([], "mcs150") }
      : undefined,
  // "National average?", "and driver": the rates of the carrier before.
  ({ memory, named, text }) =>
    !named && memory.terms.includes("oos") && memory.carriers.length > 0 && OF_RATES.test(text)
      ? { intents: withIntents([], "oos"), carriers: memory.carriers }
      : undefined,
  // "How does that compare to the national average", after a question about inspections.
  ({ memory, named, text }) =>
    !named && memory.intents.has("inspections") && memory.carriers.length > 0 &&
      /\b(?:national|average|avg)\b/i.test(text)
      ? { intents: withIntents([], "oos"), carriers: memory.carriers }
      : undefined,
  // "What is the MCS-150", "how often is it updated".
  ({ memory, named, text }) =>
    !named && memory.terms.includes("mcs150") && /\bhow often\b|\bcada cu[aá]nto\b/i.test(text)
      ? { intents: withIntents([], "terms"), carriers: [] }
      : undefined,
  // "Break that down driver vs vehicle", after a question about inspections.
  ({ memory, named, text }) =>
    !named && memory.intents.has("inspections") && memory.carriers.length > 0 &&
      /\bdrivers? (?:vs\.?|versus|and|or) (?:vehicle|truck)s?\b|\b(?:vehicle|truck)s? (?:vs\.?|versus|and|or) drivers?\b/i
        .test(text)
      ? { intents: withIntents([], "inspections", "oos"), carriers: memory.carriers }
      : undefined,
  // "Any out of service?", after a question about inspections.
  ({ q, memory, intents, carriers, text }) =>
    carriers.length === 0 && memory.carriers.length > 0 && intents.has("no:oos_order") &&
      (q.says(/\bhow many of (?:them|those|these)\b/) ||
        memory.intents.has("inspections") &&
          (q.says(/\bhow many (?:were |was |got )?(?:put|placed)\b/) || ANY_STOPPED.test(text)))
      ? { intents: withIntents([], "oos"), carriers: memory.carriers }
      : undefined,
  // "MC?", "is it active".
  ({ memory, intents, carriers }) =>
    carriers.length === 0 && memory.carriers.length > 0 && memory.intents.has("dockets") &&
      topicsIn(intents).join() === "status"
      ? { intents: withIntents(intents, "dockets"), carriers: memory.carriers }
      : undefined,
  // "Status 13945", "since when".
  ({ memory, named, intents, text }) =>
    !named && topicsIn(intents).every((topic) => topic === "added") &&
      memory.intents.has("status") && memory.carriers.length > 0 && SINCE_WHEN.test(text)
      ? { ...memory, intents: withIntents([], "status", "changes") }
      : undefined,
  // "Sorry I mean DOT 2026, M & E Towing": what was asked of the one before.
  ({ memory, intents, carriers, named, text }) =>
    named && CORRECTS.test(text) &&
      [...intents].every((one) => one === "match" || one === "overview")
      ? {
        intents: withIntents(intents, ...memory.intents.difference(NOT_CORRECTED)),
        carriers,
      }
      : undefined,
  (follow) => !follow.named && repeats(follow) ? follow.memory : undefined,
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
const NARROWS =
  /^\W*(?:(?:and|ok|now|then|can you|please) )*(?:narrow|filter|sort|rank|order)\b|\btop \d+\b/i;
const NEXT =
  /\bwhen\b.*\bnext (?:one|update|refresh|file|release)\W*$|^\W*(?:and )?(?:the )?next one\W*$/i;
const DIGITS = /^\W*(?:(?:and|or|what about|how about|ok) )*(?:for )?\d{1,2}\W*$/i;
const HOW_MANY =
  /^\W*(?:(?:and|ok|so)\W+)*how many (?:(?:is|are|were) (?:that|those|they|there|it)|in total|in all|altogether|total|results?|of them)(?: in total| altogether)?\W*$|^\W*(?:next|more|show (?:me )?more|next page|the (?:rest|others)|go on)\W*$/i;
const ONLY_PLACE =
  /^\W*(?:(?:and|ok|just|only|no|now|then|do|try|same for|sorry|what about|how about|i meant?|ones?|in|near)\W+)*(?:(?:el|la|de|st|ft|mt)\.? )?\p{L}[\p{L}'-]{2,}(?:,? \p{L}{2,}){0,2}\W*$/iu;
const ANY_STOPPED =
  /^\W*(?:and |ok |so )*(?:(?:was|were) )?(?:any|anything|any of them|something)\b.{0,20}\b(?:oos|out of service)\W*$/i;
/** "OK then where can I look that up", "retry". */
const AGAIN =
  /^\W*(?:(?:and|ok|so|then|but)\W+)*(?:where (?:can|do|could|should|would) (?:i|we) (?:look|find|check|see|get) (?:that|it|this)(?: up| out)?|(?:(?:show|tell) me )?where (?:did |do )?you (?:got|get|found|find|saw|see) (?:that|this|it)|(?:what(?:['’]?s| is) )?(?:the|your) source(?: (?:for|of) (?:that|this|it))?|retry|try again|again|repeat(?: that)?|once more|(?:are )?(?:you|u) (?:sure|certain|serious|positive)(?: (?:about|of) (?:that|it|this))?|really|seriously|for real|(?:please )?double[- ]?check(?: (?:it|that|this|please|pls))*|i (?:don['’]?t|do not) (?:believe|buy) (?:that|it|this)|(?:that|this|it) (?:can['’]?t|cannot|can not|does not|doesn['’]?t) (?:be|look|seem|sound) (?:right|correct|true)|(?:that|this|it)(?:['’]?s| is| was) (?:not right|wrong|not true|incorrect)|(?:is|was) (?:that|this|it) (?:right|correct|true|accurate)|why (?:not|isn['’]?t (?:there|it|that)(?: one| any)?|is (?:that|it|this)|so (?:high|low|many|few)))\W*$/i;
/** "Where does that come from": answers name their sources. */
const SOURCE =
  /^\W*(?:(?:and|ok|so)\W+)*where (?:(?:does|did|do) (?:that|this|it|those|these) come from|(?:did |do )?you (?:got|get|found|find) (?:that|this|it))\W*$/i;
const SINCE_WHEN =
  /^\W*(?:(?:and|ok|so|no)\W+)*(?:since when|how long|for how long|desde cu[aá]ndo|when did (?:that|it|this) (?:happen|change|stop|start))\W*$/i;

function withIntents(intents: Iterable<Intent>, ...more: readonly Intent[]): Intents {
  return new Set<Intent>([...intents, ...more]);
}

/** "Are they bigger than General Transport", "compare with 286764". */
function compares({ q, memory, intents, open, text }: Follow): boolean {
  const isMore = q.says(
    /\b(?:its|their|his|her) (?:\S+ ){1,3}compare (?:with|to|against)\b|\b(?:it|they|them|this|that)\b.*\b(?:than|same (?:\S+ )?as)\b|\bcompare (?:it|them|that|this|those) (?:with|to)\b|\b(?:beside|next to|alongside) (?:it|that|this|them)\b|\b(?:it|they) compare (?:with|to|against)\b/,
  );
  return isMore || /^\W*(?:and )?compare (?:with|to|against)\b/i.test(text) ||
    q.has("compare") && topicsIn(intents).length === 0 && memory.carriers.length > 0 ||
    /^\W*(?:and )?(?:vs|versus)\b/i.test(text) ||
    memory.lacksCarrier && memory.intents.has("compare") && open;
}

/** The carriers before and the new one: compared if they are few. */
function comparison({ memory, intents, carriers }: Follow): Partial<Carried> {
  const all = distinct([...memory.carriers, ...carriers]);
  // "Compare that with 286764", after a question about inspections.
  const topics = topicsIn(intents).length === 0
    ? topicsIn(memory.intents).filter((topic) => !/^(?:match|overview)$/.test(topic))
    : [];
  const both = withIntents(intents, ...topics);
  const compare = new Set<Intent>(["compare"]);
  return {
    intents: all.length <= 3 ? both.union(compare) : both.difference(compare),
    carriers: all,
  };
}

/** Whether it asks the question before again, or more about its answer. */
function repeats({ q, memory, carriers, open, inspected, text }: Follow): boolean {
  const asked = (...intents: Intent[]) => intents.some((intent) => memory.intents.has(intent));
  const isWhen = ASKS_WHEN.test(text) || ASKS_DATE.test(text) ||
    /^\W*when was (?:that|it|this) (?:given|issued|assigned|done)\b/i.test(text);
  const isAgain = isWhen ||
    // "Why", "and now?", "reason?"
    /^\W*(?:and |but |so |ok )*(?:for )?(?:what(?:s|'s| is| was)? )?(?:the )?(?:why|why so|how come|reasons?|what for|now|today|currently)\W*$/i
      .test(text) ||
    /^\W*was (?:that|it|this) (?:before|after|in)\b/i.test(text) || AGAIN.test(text) ||
    inspected && asked("inspections", "oos");
  return ASSESSES.test(text) || SOURCE.test(text) || open && isAgain ||
    isWhen && asked("no:oos_order", "rating", "mileage", "review") ||
    asked("oos", "no:oos_order", "inspections") && (OF_RATES.test(text) || COMPARES.test(text)) ||
    asked("no:oos_order") && STILL.test(text) ||
    // "And if I buy one more truck": the fee of the fleet on file, which the answer names.
    asked("ucr") && !carriers.some(isGivenCarrier) && moreVehicles(q) !== 0;
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
  if (generalIn(intents).length > 0) return before;
  const { text } = q.reading;
  const open = isOpen(intents);
  const named = carriers.some(isGivenCarrier);
  const follow = { ...before, q, text, memory, open, own, named, inspected };
  for (const rule of RULES) {
    const carried = rule(follow);
    if (carried === undefined) continue;
    const { intents, guesses, carriers } = { ...before, ...carried };
    return { intents, guesses, carriers };
  }
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
