/**
 * Stage 3, fallback: what is answered where a question is not understood, or is of a carrier that nothing
 * gives: the closest known question, the record of the carrier, or the terms that it uses.
 *
 * @module
 */

import type { QuestionView } from "../entities/entities.ts";
import { isCarrierNumber } from "../entities/number_entity.ts";
import { closestFor, type Undecided } from "./known/closest.ts";
import { termsOf } from "./known/explained.ts";
import type { Lack } from "./details/fees.ts";
import {
  declinedIn,
  type Intent,
  type Intents,
  isGeneral,
  isOfOtherRules,
  topicsIn,
} from "./asked/intents.ts";
import { type CarrierRef, isGivenCarrier, isGuess, refName } from "./whom/references.ts";
import type { Settled } from "./settled.ts";

interface Unanswered extends Undecided {
  /** The carriers that the question gives itself. */
  readonly own: readonly CarrierRef[];
}

interface Fallback extends Settled {
  readonly terms?: readonly string[];
  readonly readAs?: readonly string[];
  /** Whether the record is given in place of an answer. */
  readonly unclear?: boolean;
  readonly close: readonly string[];
}

/** The most carriers whose records are given. */
const MOST_RECORDS = 2;

export function fallbackOf(q: QuestionView, plan: Unanswered): Fallback {
  const { lacks, own, earlier, before, isOfNone } = plan;
  const { sure, close } = closestFor(q, plan);
  if (sure !== undefined) return { ...sure, carriers: [], close: [] };
  const { intents, carriers } = plan;
  const of = { intents, carriers, close };
  // "And MCS-150, same date", after a question about no carrier.
  const isOfAny = earlier.length === 0 &&
    (before !== null || q.reading.tokens.length > SHORT || q.unknownWords.length === 0) &&
    (
      carriers.length === 0
        ? lacks?.part === "carrier" || lacks?.part === "question" || intents.has("no:oos_order")
        : carriers.every(isGuess)
    );
  const terms = isOfAny
    ? { terms: termsOf(intents) }
    : lacks?.part === "vehicles" && q.reading.tokens.length > SHORT
    ? { terms: ["ucr"] }
    : {};
  // "Does my state take part in UCR", "what about UCR", after a question about no carrier.
  const isOwed = lacks?.part === "vehicles" && earlier.length === 0 && q.numbers.length === 0 &&
    !q.has("fee", "pay") && !q.says(/\bfees?\b|\bmy ucr\b/) &&
    (before !== null ||
      q.says(/^(?:do|does|is|are|can|which|who|what \S+ (?:do|dont|count)|must)\b/));
  if (isOwed) {
    return { intents: new Set<Intent>(["terms"]), terms: ["ucr"], carriers: [], close: [] };
  }
  // "Is 30 percent bad", after "what are the OOS averages".
  const same = termsOf(intents);
  const isOfSame = lacks?.part === "carrier" && lacks.problem === undefined && isOfAny &&
    before !== null && same.length > 0 && same.every((term) => before.terms.includes(term));
  if (isOfSame) {
    return { intents: new Set<Intent>(["terms"]), terms: same, carriers: [], close: [] };
  }
  // "And the other five", of the carrier before.
  const isMissing = lacks?.part === "carrier" && lacks.problem === undefined;
  if (isMissing && isOfNone && isRecord(earlier)) {
    const isOpen = topicsIn(intents).length === 0;
    return {
      ...of,
      intents: isOpen ? new Set<Intent>(["overview"]) : intents,
      carriers: earlier,
      unclear: isOpen,
    };
  }
  const isThanks = THANKS.test(q.reading.text) && q.reading.tokens.length <= SHORT;
  // "Fine?", "limits?", after a question about no carrier.
  const again = before === null
    ? []
    : [...before.intents.difference(NOT_AGAIN)].filter((one) =>
      isGeneral(one) || isOfOtherRules(one)
    );
  const isOpen = lacks?.part === "question" || lacks === undefined && carriers.length > 0 &&
      carriers.every((ref) => isGuess(ref) && !refName(ref).includes(" ")) &&
      [...intents].every((one) => one === "overview") &&
      !q.says(/\b(?:other|another|different)\b/);
  if (
    !earlier.some(isGivenCarrier) && again.length > 0 && isOpen && isOfNone &&
    !q.names.some(({ text }) => text.includes(" ")) &&
    q.reading.tokens.length <= FEW && !isThanks
  ) return { ...of, intents: new Set(again), carriers: [], terms: before!.terms, unclear: true };
  const isOther = isOpen && lacks === undefined && q.reading.tokens.length <= FEW;
  if (lacks?.part === "question" || isOther && isRecord(earlier)) {
    const record = !isOfNone ? isOddNumber(q) ? [] : own : isThanks ? [] : earlier;
    if (isRecord(record)) {
      // "You sure?", "where can I get it then": what the question before asked, and the rest.
      const again = record === earlier ? before!.intents.difference(NOT_AGAIN) : new Set<Intent>();
      const intents = topicsIn(again).length + declinedIn(again).length > 0
        ? again
        : new Set<Intent>(["overview"]);
      return { ...of, intents, carriers: record, unclear: true };
    }
    // A sentence is clear enough to say that it can't be answered, and what can be.
    const isSentence = q.reading.tokens.length > SHORT && isOfNone && close.length === 0;
    const problem = isThanks ? "You're welcome" : lacks?.problem;
    const offered = withOffers(problem, isOfNone && !isThanks ? close : []);
    return { ...of, ...terms, lacks: { ...offered, ...isSentence && { isSentence } } };
  }
  return lacks?.part === "carrier" && close.length > 0
    ? { ...of, ...terms, lacks: { ...lacks, problem: GIVE_OR_CHOOSE, options: close } }
    : { ...of, ...terms, lacks };
}

function isRecord(carriers: readonly CarrierRef[]): boolean {
  return carriers.length > 0 && carriers.length <= MOST_RECORDS && carriers.every(isGivenCarrier);
}

const GIVE_OR_CHOOSE = "Give a USDOT number, MC number or name, or choose";
/** What isn't asked again. */
const NOT_AGAIN: Intents = new Set<Intent>([
  "match",
  "compare",
  "search",
  "no:filters",
  "overview",
  "count",
]);
/** The most words of a question that is about the answer before. */
const FEW = 6;
/** A question of so many words is of a carrier that it forgot: "safety rating please". */
const SHORT = 4;

const THANKS =
  /^\W*(?:(?:ok|okay|great|perfect|cool|no|awesome) ?\W*)*(?:thanks|thank you|thx|ty|gracias)\b/i;
/** Fewest digits of a bare number that is a carrier's whatever else is asked. */
const LEAST_DIGITS = 5;

/** Whether a bare number is short, or stands beside a word of something else: "flight 286764", "900 vendors". */
function isOddNumber(q: QuestionView): boolean {
  const { reading: { tokens, spans }, places } = q;
  // "Take 24171's drivers, subtract its trucks".
  if (q.says(/\b(?:its|their|his) (?:trucks?|drivers?|units?)\b/)) return false;
  const isUnknown = (at: number): boolean => tokens[at]?.number === undefined && spans[at] === null;
  return places.some((number, at) =>
    isCarrierNumber(number) && number!.bare === true &&
    (String(number!.value).length < LEAST_DIGITS &&
        !/^(?:for|of|on|under|is|about|from|by|check|does|did|has|el|de|del)$/
          .test(tokens[at - 1]?.text ?? "") ||
      isUnknown(at - 1) && /^[ #:-]*$/.test(tokens[at]!.gap) ||
      isUnknown(at + 1) && /^ \S*s$/.test(`${tokens[at + 1]!.gap}${tokens[at + 1]!.text}`))
  );
}

/** A question that is not understood, and what can be asked in its place. */
export function withOffers(
  problem = "I can't answer that question",
  close: readonly string[],
): Lack {
  return close.length === 0 ? { part: "question", problem } : {
    part: "question",
    problem: `${problem}. These are the closest that I can answer`,
    options: close,
  };
}
