/**
 * Stage 3, explanations: the terms whose meaning a question asks for.
 *
 * @module
 */

import type { QuestionView } from "../../entities/entities.ts";
import { looksLikeName, type NameSpan } from "../../entities/names.ts";
import { EXPLANATIONS } from "../../tokens/vocabulary.ts";

/** Terms explained in one answer. */
const MOST_TERMS = 3;

// Wordings of such questions, in which a term stands as "#".
const DEFINES =
  /^(?:(?:hi|hello|hey|so|ok|and|sorry|please) )*(?:wh?[au]ts?|w[au]t is|what is|what exactly is|what the (?:heck|hell) is|what are|who is|define|explain)(?: exactly)?(?: a| an)? #(?: (?:mean|means|exactly|anyway|again|for|in|of|trucking|the|a|carriers?|one|two|few|line|lines|sentence|short|brief|briefly|simple|simply|plain|english|terms|words|please|pls))*$/;
const COMPARES =
  /^(?:(?:whats?|what is|is|are|explain|there|a|the) )*(?:(?:difference|diff|differences|compare)(?: between)? )?(?:an? |the )?# (?:vs|versus|or|and|from|same as|the same as|different from|compared (?:to|with))(?: an?| the)? #(?: difference| the same(?: thing)?)?(?: (?:to|for|like|in|please|pls)\b.*)?$/;
const NEEDS =
  /\b(?:need|needs|required|must|subject|exempt|have|has|owe|owes|(?<=^(?:do|does|must|should) .*)pay)(?: (?:to|from|have|get|do|file|files|pay|pays|update|register|registered|for|an?|the|my|own|un|el)){0,4} #|# (?:is )?(?:required|needed|necessary)\b/;

// Words that make a question one about a term, whatever else it says.
const GENERALLY =
  /\b(?:means?|vs|versus|(?<!\bf(?:or)?t )worth|why|worked out|counts? as|expires?|how many digits|considered|same as|actually tells?|instead of)\b|= bad\b/i;

// "Can an unsatisfactory carrier operate".
const ANYONE =
  /\b(?:an?|two|most)(?: #)? (?:carriers?|company|companies)\b|^(?:can|may|should|does|will) an? # /;

/** Whether the question isn't about a carrier. */
function carriersNone(q: QuestionView): boolean {
  return q.carrierNumbers.length === 0 && !q.has("named") &&
    !q.names.some(({ exists }) => exists);
}

/** The term of each topic that a follow-up may ask the meaning of. */
const TERM_OF: Readonly<Record<string, string>> = {
  rating: "ratings",
  oos: "oos",
  status: "status",
  mcs150: "mcs150",
  ucr: "ucr",
  authority: "authority",
  operation: "operation",
  orders: "orders",
  "no:oos_order": "orders",
  inspections: "inspection",
  review: "review",
  revocation: "revocation",
  verdict: "verdict",
  mileage: "mileage",
  added: "added",
  fleet: "units",
  names: "dba",
  dockets: "numbers",
  usdot: "numbers",
};

/** Whether it asks what something means, not what a carrier's is. */
export function defines(q: QuestionView): boolean {
  return q.has("no:explanations") ||
    /\b(?:(?:is|means?) what|mean|means|meaning|what(?:['’]?s| is| are) (?:an? |the )?[\w-]+(?: [\w-]+)?\W*$|explain|difference|define|definition|in general|requires?|rules?|law)\b/i
      .test(q.reading.text);
}

/** The terms that explain what intents ask. */
export function termsOf(intents: Iterable<string>): string[] {
  return [...new Set([...intents].flatMap((topic) => TERM_OF[topic] ?? []))].slice(0, MOST_TERMS);
}

/** "OK, what does that mean": the terms of what the previous question asked for. */
export function termsMeant(q: QuestionView, asked: Iterable<string>): string[] {
  const isAsked =
    /^\W*(?:(?:ok|so|and|hmm|but)\W+)*what (?:does|do) (?:that|this|it|those|\w{1,2}) (?:even )?mean(?: legally| exactly| for (?:me|us)\b.*)?\W*$|^\W*how (?:did|do) you (?:work|figure|calculate|get|come up with) (?:that|it|this)(?: out)?\W*$/i
      .test(q.reading.text);
  return isAsked ? termsOf(asked) : [];
}

/** The level of an inspection, in "what is a level 3": it is explained as a term is. */
const LEVEL = /^level/i;

/** Explanations that their phrases alone ask for. */
const SPECIAL: ReadonlySet<string> = new Set([
  "differs",
  "marking",
  "mc_end",
  "language",
  "evidence",
  "entrant",
  "registering",
  "permit",
  "login",
  "solicitation",
  "driveaway",
]);

/**
 * The terms to explain, as EXPLANATIONS names them; none where it is about a carrier, a number or a name.
 *
 * @param before The terms of the previous question, for one that has none: "when", "why".
 */
export function termsAsked(q: QuestionView, before: readonly string[] = []): readonly string[] {
  const own = ownTerms(q);
  return own.length > 0 ? own : before;
}

/** "How do I get my PIN back". */
const OF_LOGIN = /\b(?:pin|login|log ?in|password|portal)\b/i;

/** The terms whose explanation cites a section: "49 CFR 385.17". */
function termsCiting(text: string): string[] {
  const sections = text.match(/\b[34]\d\d\.\d+[a-z]?\b/gi) ?? [];
  return Object.entries(EXPLANATIONS).filter(([, { text }]) =>
    // A section in force until new ones begin has a T: "390.21T".
    sections.some((section) => new RegExp(`\\b${RegExp.escape(section)}t?\\b`, "i").test(text))
  ).map(([id]) => id);
}

/** Terms whose explanation answers what is asked beside them. */
const TOLD_BY: readonly (readonly [term: string, asks: RegExp])[] = [
  // "How much liability coverage for hazmat tankers".
  ["bipd", /\b(?:minimum|how much|level|limits?|require\w*|needs?|must)\b/i],
  // "How much is a broker bond".
  ["bond", /\bhow (?:much|big)\b|\bamount\b/i],
  // "Is it legal to rebroker a load".
  ["fraud", /\b(?:il)?legal(?:ly)?\b/i],
];

/** Terms whose explanation answers what is asked beside a carrier. */
const TOLD_BESIDE: readonly (readonly [term: string, asks: RegExp])[] = [
  // "Can it go past the border zone", "run point to point".
  ["mexico", /\b(?:zones?|border|point to point|domestic|past)\b/],
  // "Is a limit of $5M required for passengers".
  ["bipd", /\b(?:minimum|required|limits?)\b/],
  // "Did they reopen under another DOT number".
  ["fraud", /\b(?:another|other|new|different|second)\b/],
  ["cargo", /\bmeans?\b|\bother what\b/],
  // "Is it allowed to haul mail while its registration is inactive".
  [
    "status",
    /\b(?:allowed|legally|permitted)\b.*\b(?:while|when|if|with|though)\b.*\b(?:inactive|deactivated)\b/,
  ],
  ["ucr", /\bdo (?:\w+ )?(?:carriers|brokers|forwarders|movers|farmers)\b.*\b(?:pay|owe|need)\b/],
  // "How often is the MCS-150 updated, and when is it due for 27423".
  ["mcs150", /\bhow often\b/],
];

const OWES_UCR =
  /\bucr apply\b|\b(?:do|does|should|must|are|is|am)\b.*\b(?:pay|owe|need|exempt|count)\b.*\bucr\b|\bucr (?:owed|required|needed|yes or no)\b|\bis there an? ucr\b/;

/** Whether it asks if UCR is owed, not how much. */
export function owesUcr(q: QuestionView): boolean {
  return q.says(OWES_UCR) && !q.says(/\b(?:how much|what)\b/) && !q.has("broker") &&
    q.carrierNumbers.length === 0 && !q.names.some(({ exists }) => exists);
}

function ownTerms(q: QuestionView): string[] {
  const { terms } = q.reading;
  const ofNone = q.carrierNumbers.length === 0 && !isNamed(q);
  const cited = termsCiting(q.reading.text);
  // Many cite the section on the MCS-150.
  if (cited.length > 0 && cited.length <= MOST_TERMS && ofNone) return cited;
  // "Is a CDL required for 26,000 lb", "need a dot # for a pickup and trailer over 10001 lbs".
  // "Under 26k".
  const weighs = q.all("other").some(({ text }) => /\d ?(?:lbs?|pounds?)$/i.test(text)) ||
    q.says(/\b(?:under|over|above|below) (?:10|26)k\b/) ||
    /\b(?:under|over|above|below) (?:10|26)(?:k|,?00[01])\b/i.test(q.reading.text);
  if (weighs && ofNone && !q.has("no:legal") && q.says(/\b(?:dot|usdot|cdls?|cmvs?)\b/)) {
    return ["cmv"];
  }
  const levels = q.all("other").some(({ text }) => LEVEL.test(text)) ? ["inspection"] : [];
  const marks = [...new Set([...terms.flatMap((span) => span?.mark ?? []), ...levels])];
  // "Has the UCR fee for 2028 been set": the fee of a year.
  if (marks.length === 0 || marks.join() === "ucr" && q.all("year").length > 0) return [];
  // "Does UCR apply to a single pickup", "do farm trucks pay UCR": whether it is owed, beside how much.
  if (marks.includes("ucr") && owesUcr(q)) return ["ucr"];
  // "Is 9824 conditional, and what does conditional mean".
  if (isNamed(q) || isNumbered(q)) {
    // "Why does your answer for 16943 differ from SAFER".
    if (marks.includes("differs") && q.says(/\bsafer\b/)) return ["differs"];
    // "What is a chameleon carrier, and can you tell if Valdez Trucking is one".
    const ofFirst = termsOfFirst(q, marks);
    if (ofFirst.length > 0) return ofFirst;
    // "How do I reactivate my USDOT, it's 15187".
    const done = marks.find((mark) => /^(?:reactivate|upgrade)$/.test(mark)) ??
      // "Registration inactive, what does he need to do".
      (q.has("status=inactive") &&
          q.says(/\bwhat (?:do|does|should|must|can) (?:\S+ )(?:(?:need|have) (?:to )?)?do$/)
        ? "reactivate"
        : undefined);
    if (
      // "What would UCR cost if they reactivate with 6 trucks".
      done !== undefined && !q.has("ucr", "fee") && !OF_LOGIN.test(q.reading.text) &&
      /\b(?:how|what|can|will|does|do|if)\b/i.test(q.reading.text)
    ) {
      return [done];
    }
    const isGiven = q.carrierNumbers.length > 0 || q.names.some(({ exists }) => exists);
    const beside = TOLD_BESIDE.find(([term, asks]) => marks.includes(term) && q.says(asks));
    if (isGiven && beside !== undefined) return [beside[0]];
    return q.has("no:explanations") && q.says(/\bmeans?\b/) ? marks.slice(0, 1) : [];
  }
  // "Whose DOT goes on my door", "are they killing MC numbers": more than what the number is.
  const special = marks.filter((mark) =>
    SPECIAL.has(mark) && (mark !== "marking" || !q.says(/\b(?:says?|said|was|reads?|with)\b/))
  );
  const others = special.filter((mark) => mark !== "language");
  if (others.length > 0 || special.length === marks.length) {
    return others.length > 0 ? others : special;
  }
  // "How do I reactivate a number that was deactivated for a missed update".
  const done = marks.find((mark) => /^(?:reactivate|upgrade)$/.test(mark));
  if (
    done !== undefined && !OF_LOGIN.test(q.reading.text) &&
    q.says(/\bhow\b|\bsteps?\b|\bwhat\b|\bcan\b|\bcost\b/)
  ) return [done];
  const told = TOLD_BY.find(([term, asks]) => marks.includes(term) && asks.test(q.reading.text));
  if (told !== undefined) return [told[0]];
  const wording = wordingOf(q, marks);
  return ASKS.some((asks) => asks(q, wording)) ? marks.slice(0, MOST_TERMS) : [];
}

/** The terms that the first part of a question asks the meaning of, before any name or number. */
function termsOfFirst(q: QuestionView, marks: readonly string[]): string[] {
  const { firstPart } = wordingOf(q, marks);
  const { tokens, terms } = q.reading;
  const first = terms.find((span) => span !== null);
  const end = tokens.findIndex(({ text }, at) => at >= (first?.to ?? 0) && text === "and");
  const isBefore = first != null && end > 0 && q.names.every(({ from }) => from > end) &&
    q.places.every((number, at) => number === null || at > end);
  return isBefore && DEFINES.test(firstPart) ? [first.mark] : [];
}

function isNamed(q: QuestionView): boolean {
  const { terms, tokens, text } = q.reading;
  // "Is Tazaso a broker, a carrier or both".
  const isSubject = ({ from }: NameSpan): boolean =>
    from === 1 && /^(?:is|are|does|did|has|was)$/.test(tokens[0]!.text) &&
    /^\p{Lu}\p{Ll}/u.test(tokens[from]!.raw) && terms[from] === null && /\p{Ll}/u.test(text);
  return q.names.some((name) =>
    name.exists || isSubject(name) ||
    looksLikeName(q.reading, name) && !terms.slice(name.from, name.to).every(Boolean)
  );
}

function isNumbered(q: QuestionView): boolean {
  return q.places.some((number) =>
    number !== null && !/^(?:other|year|percent|money|duration)$/.test(number.role) &&
    // "I have one truck".
    !(number.role === "vehicles" && number.value === 1) &&
    // "Like I'm 60".
    !(number.role === "unresolved" && number.value < 100) &&
    !/^(?:19|20)\d\d$/.test(number.text) && !/^an? /i.test(number.text)
  );
}

/** A question with each term as "#". */
interface Wording {
  readonly marks: readonly string[];
  readonly words: string;
  readonly firstSentence: string;
  /** "What's MCS-150" of "what's MCS-150 and how often do I have to file it". */
  readonly firstPart: string;
  /** Whether it is about a carrier that was named before. */
  readonly ofSomeone: boolean;
}

function wordingOf(q: QuestionView, marks: readonly string[]): Wording {
  const { tokens, terms } = q.reading;
  const typed = (to: number): string =>
    tokens.slice(0, to).flatMap(({ text, raw }, at) => {
      const term = terms[at];
      // "New entrant revoked, refusal of audit" is one term.
      if (term != null) return term.from === at && terms[at - 1]?.mark !== term.mark ? "#" : [];
      return LEVEL.test(raw) ? "#" : text || [];
    }).join(" ");
  const hasLevel = q.all("other").some(({ text }) => LEVEL.test(text));
  // "Level 1 inspection" is one term.
  const words = hasLevel ? typed(tokens.length).replaceAll("# #", "#") : typed(tokens.length);
  const end = tokens.findIndex(({ gap }) => gap.includes("?"));
  const firstPart = words.split(
    / and (?=(?:can|could|how|what|whats|when|who|why|where|do|does|is|are)\b)/,
  )[0]!;
  const ofSomeone = !isOfAnyone(q) &&
    (q.has("them") || /\b(?:it|they|he|(?:that|this) compare)\b/.test(words));
  return { marks, words, firstSentence: typed(Math.max(end, 0)), firstPart, ofSomeone };
}

/** "If a carrier has no rating is it bad". */
function isOfAnyone(q: QuestionView): boolean {
  return isOfCarriers(q) ||
    /^(?:(?:what )?if|when) an? (?:carrier|company|trucker|broker)\b/.test(
      q.reading.tokens.map(({ text }) => text).join(" "),
    );
}

/** "Do Canadian carriers need a USDOT number": of no carrier, even after one. */
export function isOfCarriers(q: QuestionView): boolean {
  return q.says(
    /^(?:and )?(?:do|are|can) (?:all )?(?:\w+ )?(?:carriers|companies|brokers|forwarders|movers|truckers)\b/,
  ) ||
    // "Does an intrastate carrier need a USDOT number in North Carolina".
    q.says(
        /^(?:does|is|can|may|must|should|will) an? (?:[\w-]+ )?(?:carrier|company|broker|forwarder|mover|trucker)\b/,
      ) && carriersNone(q);
}

/** What asks for the meaning of a term; any of them is enough. */
const ASKS: readonly ((q: QuestionView, wording: Wording) => boolean)[] = [
  (q) => q.has("no:explanations") || isOfAnyone(q),
  // "FF is what".
  (_, { words }) => /^# (?:is|are|means?) what$/.test(words),
  (_, { words, firstSentence, firstPart }) =>
    [words, firstSentence, firstPart].some((part) => DEFINES.test(part)) || COMPARES.test(words),
  // "Tell me in plain words what the UCR is".
  (_, { words }) =>
    /\bwhat (?:(?:an?|the) )?# (?:is|are|means?)$|^(?:\S+ ){0,2}(?:whats|what is) # is it\b|^(?:\S+ ){0,3}#(?: #)? what (?:is|are) (?:that|this|it|those)$/
      .test(words),
  (_, { words }) =>
    /\b(?:is|are) # the same as\b|\bwhy (?:is|are|would|do|does|can)\b.* #/.test(words),
  (_, { words }) =>
    /\bhow (?:do|does|is|are) .*\b(?:figured?|calculated?|computed?|worked)\b.*#|\b(?:difference|counted)\b.*#|#.*\b(?:counts?|counted)\b/
      .test(words),
  (_, { words }) =>
    /^(?:is|are) (?:an? )?(?:percent )?(?:(?:vehicle|driver|hazmat|truck) )?# (?:rates? )?(?:bad|good|high|low|normal|ok|okay)\b/
      .test(words),
  (_, { words }) =>
    /\bis it (?:bad|ok|okay|normal|common|unusual|a problem)\b.*#|#.* is (?:it|that|this) (?:bad|ok|okay|normal|common|unusual|a problem)\b/
      .test(words),
  // "How do you know the national average".
  (q, { ofSomeone }) =>
    !ofSomeone &&
    (/^(?:whats?|how|national|average|the)\b/.test(q.reading.tokens[0]?.text ?? "") ||
      q.says(/\bcomes? from\b/)) &&
    /\b(?:national (?:\S+ ){0,4}(?:averages?|avg)|(?:averages?|avg) .*nation)/i
      .test(q.reading.text),
  (_, { words, ofSomeone }) =>
    !ofSomeone &&
    /\b(?:how often|every how many|every (?:one )?years?|nothing changed|any reason|rules?|regulations?|statutes?|legal basis)\b/
      .test(words),
  // "Is 'power unit' only the tractor".
  (_, { marks, words, ofSomeone }) =>
    marks.join() === "units" && !ofSomeone && /^(?:is|are|does|do) (?:an? )?#|^#$/.test(words),
  (q, { marks }) =>
    marks.some((mark) => /^(?:service|api|ai)$/.test(mark)) && carriersNone(q) ||
    marks.includes("verdict") && q.says(/\byou\b/) ||
    // "What does the MCS-150 cost".
    marks.join() === "mcs150" && (q.has("fee") || q.says(/\bfree\b/)),
  // "HHG??": of no carrier's record.
  ({ reading }, { marks: [term, ...more], words }) =>
    words === "#" && more.length === 0 && reading.tokens.length < 3 &&
    !Object.values(TERM_OF).includes(term!),
  (q, { marks, words }) =>
    words === "#" && (marks.join() === "bipd" || /^(?:mx|ff)\b/i.test(q.reading.text)),
  (q, { words, ofSomeone }) =>
    (!ofSomeone || /\bwhat (?:does|do) .*# .*(?:mean|tell)/.test(words)) &&
    GENERALLY.test(q.reading.text) &&
    // "And the rate vs the average": of the carrier of the previous question.
    !/^\W*(?:and|what about|how about)\b/i.test(q.reading.text) &&
    !/\b(?:my|our|the) (?:carrier|dot|broker)\b/i.test(q.reading.text),
  (q, { marks, words, ofSomeone }) =>
    !ofSomeone &&
    (NEEDS.test(words) && !q.has("count") || q.has("consequence") ||
      marks.includes("ucr") && !q.has("fee") && /^(?:is|are|do|does|which|who)\b/.test(words) ||
      ANYONE.test(words) &&
        !q.has("find", "named", "lookup", "every", "all", "count", "how_to")),
];
