/**
 * Stage 3, explanations: the terms whose meaning a question asks for.
 *
 * @module
 */

import type { QuestionView } from "../entities/entities.ts";
import { looksLikeName } from "../entities/names.ts";

/** Terms explained in one answer. */
const MOST_TERMS = 3;

// Wordings of such questions, in which a term stands as "#".
const DEFINES =
  /^(?:(?:hi|hello|hey|so|ok|and|sorry|please) )*(?:whats?|what is|what exactly is|what the (?:heck|hell) is|what are|who is|que|cual|que es|que son|define|explain)(?: exactly)?(?: a| an| un| una| el| la)? #(?: (?:mean|means|exactly|anyway|again|for|in|of|trucking|the|a|carriers?|one|two|few|line|lines|sentence|short|brief|briefly|simple|simply|plain|english|terms|words|please|pls))*$/;
const COMPARES =
  /^(?:(?:whats?|what is|is|are|explain|cual es|la|el|there|a|the) )*(?:(?:difference|diff|differences|diferencia|compare)(?: between| entre)? )?(?:an? |the |un |una )?# (?:vs|versus|or|and|y|e|from|o|contra|same as|the same as|different from|compared (?:to|with))(?: an?| the| un| una)? #(?: difference| the same(?: thing)?)?(?: (?:to|for|like|in|please|pls)\b.*)?$/;
const NEEDS =
  /\b(?:necesito|debo|need|needs|required|must|subject|exempt|have|has|owe|owes|(?<=^(?:do|does|must|should) .*)pay)(?: (?:to|from|have|get|do|file|files|pay|pays|update|register|registered|for|an?|the|my|own|un|el)){0,4} #|# (?:is )?(?:required|needed|necessary)\b/;

// Words that make a question one about a term, whatever else it says.
const GENERALLY =
  /\b(?:means?|vs|versus|worth|why|worked out|counts? as|expires?|how many digits|considered|same as|actually tells?|instead of)\b|= bad\b/i;

// "Can an unsatisfactory carrier operate".
const ANYONE =
  /\b(?:an?|two|most)(?: #)? (?:carriers?|company|companies)\b|^(?:can|may|should|does|will) an? # /;

/** Whether the question isn't about a carrier. */
function carriersNone(q: QuestionView): boolean {
  return q.carrierNumbers.length === 0 && !q.has("find", "named");
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
};

/** "OK, what does that mean": the terms of what the previous question asked for. */
export function termsMeant(q: QuestionView, asked: Iterable<string>): string[] {
  const isAsked =
    /^\W*(?:(?:ok|so|and|hmm|but)\W+)*what (?:does|do) (?:that|this|it|those) (?:even )?mean\W*$/i
      .test(q.reading.text);
  return isAsked ? [...asked].flatMap((topic) => TERM_OF[topic] ?? []).slice(0, MOST_TERMS) : [];
}

/** The level of an inspection, in "what is a level 3": it is explained as a term is. */
const LEVEL = /^level/i;

/** The terms to explain, as EXPLANATIONS names them; none where it is about a carrier, a number or a name. */
export function termsAsked(q: QuestionView): string[] {
  const { tokens, terms } = q.reading;
  const levels = q.all("other").some(({ text }) => LEVEL.test(text)) ? ["inspection"] : [];
  const marks = [...new Set([...terms.flatMap((span) => span?.mark ?? []), ...levels])];
  const isNamed = q.names.some((name) =>
    name.exists ||
    looksLikeName(q.reading, name) && !terms.slice(name.from, name.to).every(Boolean)
  );
  const isNumbered = q.places.some((number) =>
    number !== null && !/^(?:other|year|percent|money)$/.test(number.role) &&
    // "Like I'm 60".
    !(number.role === "unresolved" && number.value < 100) &&
    !/^(?:19|20)\d\d$/.test(number.text) && !/^an? /i.test(number.text)
  );
  // "Has the UCR fee for 2028 been set": the fee of a year.
  if (marks.length === 0 || marks.join() === "ucr" && q.all("year").length > 0) return [];
  // "Is 9824 conditional, and what does conditional mean".
  if (isNamed || isNumbered) {
    return q.has("no:explanations") && q.says(/\bmeans?\b/) ? marks.slice(0, 1) : [];
  }
  const typed = tokens.flatMap(({ text, raw }, at) => {
    const term = terms[at];
    // "New entrant revoked, refusal of audit" is one term.
    if (term != null) return term.from === at && terms[at - 1]?.mark !== term.mark ? "#" : [];
    return LEVEL.test(raw) ? "#" : text || [];
  }).join(" ");
  // "Level 1 inspection" is one term.
  const words = levels.length > 0 ? typed.replaceAll("# #", "#") : typed;
  const end = tokens.findIndex(({ gap }) => gap.includes("?"));
  const firstSentence = tokens.slice(0, Math.max(end, 0)).flatMap(({ text }, at) =>
    terms[at] == null ? text || [] : terms[at].from === at ? "#" : []
  ).join(" ");
  // "What's MCS-150 and how often do I have to file it".
  const firstPart = words.split(
    / (?:and|y) (?=(?:how|what|whats|when|who|why|where|do|does|is|are|quien|cuanto|como|cuando)\b)/,
  )[0]!;
  // "If a carrier has no rating is it bad" is about any.
  const ofAnyone = /^(?:(?:what )?if|when) an? (?:carrier|company|trucker|broker)\b/.test(
    tokens.map(({ text }) => text).join(" "),
  );
  const ofSomeone = !ofAnyone &&
    (q.has("them") || /\b(?:it|they|he|(?:that|this) compare)\b/.test(words));
  const ofUcr = marks.includes("ucr") && !q.has("fee") &&
    /^(?:is|are|do|does|which|who)\b/.test(words);
  const ofAny = ANYONE.test(words) &&
    !q.has("find", "named", "lookup", "every", "all", "count", "how_to");
  // "How do you know the national average".
  const isGeneral = !ofSomeone &&
    /\b(?:how often|every how many|every (?:one )?years?|nothing changed|any reason|rules?|regulations?|statutes?|legal basis)\b/
      .test(words);
  const ofAverage =
    (/^(?:whats?|how|que|cual|national|average|the)\b/.test(tokens[0]?.text ?? "") ||
      q.says(/\bcomes? from\b/)) &&
    /\b(?:national (?:\S+ ){0,4}(?:averages?|avg)|(?:averages?|avg) .*nation)/i.test(
      q.reading.text,
    ) && !ofSomeone;
  // "Is 'power unit' only the tractor".
  const ofUnits = marks.join() === "units" && !ofSomeone &&
    /^(?:is|are|does|do) (?:an? )?#/.test(words);
  const isAsked = isGeneral || ofUnits || ofAnyone && marks.length > 0 || ofAverage ||
    marks.some((mark) => /^(?:service|api|ai)$/.test(mark)) && carriersNone(q) ||
    // "Tell me in plain words what the UCR is".
    /\bwhat (?:(?:an?|the) )?# (?:is|are|means?)$/.test(words) ||
    /\b(?:is|are) # the same as\b|\bwhy (?:is|are|would|do|does|can)\b.* #/.test(words) ||
    /\bhow (?:do|does|is|are) .*\b(?:figured?|calculated?|computed?|worked)\b.*#|\b(?:difference|counted)\b.*#|#.*\b(?:counts?|counted)\b/
      .test(words) ||
    /^(?:is|are) (?:an? )?(?:percent )?(?:(?:vehicle|driver|hazmat|truck) )?# (?:rates? )?(?:bad|good|high|low|normal|ok|okay)\b/
      .test(words) ||
    /\bis it (?:bad|ok|okay|normal|common|unusual|a problem)\b.*#|#.* is (?:it|that|this) (?:bad|ok|okay|normal|common|unusual|a problem)\b/
      .test(words) ||
    q.has("no:explanations") || DEFINES.test(words) || DEFINES.test(firstSentence) ||
    DEFINES.test(firstPart) ||
    COMPARES.test(words) ||
    /^(?:\S+ ){0,2}(?:whats|what is) # is it\b/.test(words) ||
    marks.includes("verdict") && q.says(/\byou\b/) ||
    marks.join() === "bipd" && words === "#" ||
    /^(?:\S+ ){0,3}#(?: #)? what (?:is|are) (?:that|this|it|those)$/.test(words) ||
    // "What does the MCS-150 cost".
    marks.join() === "mcs150" && q.has("fee") ||
    (!ofSomeone || /\bwhat (?:does|do) .*# .*(?:mean|tell)/.test(words)) &&
      GENERALLY.test(q.reading.text) &&
      // "And the rate vs the average": of the carrier of the previous question.
      !/^\W*(?:and|what about|how about)\b/i.test(q.reading.text) &&
      !/\b(?:my|our|the) (?:carrier|dot|broker)\b/i.test(q.reading.text) ||
    // "How many carriers have an unsatisfactory rating" asks for a count.
    !ofSomeone && (NEEDS.test(words) && !q.has("count") || ofUcr || ofAny || q.has("consequence"));
  return isAsked ? marks.slice(0, MOST_TERMS) : [];
}
