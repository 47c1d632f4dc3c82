/**
 * Stage 3, the closest question: for one about no carrier that no phrase or rule understands, the question it
 * shares most of its words with, each word weighed by how few of the questions have it.
 *
 * @module
 */

import { BEGINS_QUESTION } from "../../entities/names.ts";
import type { QuestionView } from "../../entities/entities.ts";
import type { NumberEntity } from "../../entities/number_entity.ts";
import type { Token } from "../../tokens/tokens.ts";
import { hasFirmWord } from "../../tokens/vocabulary.ts";
import { defines, termsAsked } from "./explained.ts";
import {
  type Intent,
  type Intents,
  isGeneral,
  isOfOtherRules,
  isSpecific,
} from "../asked/intents.ts";
import {
  type AskedBefore,
  hasAny,
  isOfKnown,
  type Known,
  ranked,
  sameAs,
  tellingWords,
  wordsBefore,
} from "./known.ts";
import { type CarrierRef, isGuess } from "../whom/references.ts";
import type { Settled } from "../settled.ts";

/** How close a known question must be, from 0 to 1: to be answered, and to be offered. */
const SURE = 0.42;
const NEAR = 0.35;
/** How close to be answered alone: else the second closest is answered too. */
const ALONE = 0.65;
/** How close the second must be, of the closest. */
const SECOND = 0.85;
const SECOND_DECLINED = 0.9;
/** How close to be answered after a question about a carrier. */
const BESIDE_CARRIER = 0.65;
/** A question of so few words may be a name. */
const FEW = 4;
/** How close to be answered in place of what is declined, and of another answer about no carrier. */
const INSTEAD = 0.6;
const ABOVE_FILTERS = 0.7;
/** How close to be answered whatever else a question seems to ask. */
const CERTAIN = 0.7;
const ABOVE_GENERAL = 0.8;
/** A question of so few words is about a carrier if it looks something up, and about a fleet if it asks for a fee. */
const SHORT = 9;
/** Numbers that are HTTP statuses, where nothing says what they are. */
const STATUSES = [400, 401, 403, 404, 405, 409, 410, 412, 422, 429, 500, 502, 503, 504];
const MOST_OFFERED = 3;
const MOST_PARTS = 4;
const MOST_TERMS = 2;

/** What is not about carriers is never offered. */
const OTHER: Intent = "no:off_topic";

interface Closest {
  /** The questions whose answers are given: one, or one for each part of "where is it from and how old is it". */
  readonly sure: readonly Known[];
  /** Questions to choose from, the closest first. */
  readonly offered: readonly string[];
}

/** A plan so far, and whether the question gives no carrier and no fleet. */
export interface Undecided extends Settled {
  readonly isOfNone: boolean;
  /** The carriers of the question before. */
  readonly earlier: readonly CarrierRef[];
  /** What the question before asked. */
  readonly before: AskedBefore | null;
  /** Whether the question before listed carriers. */
  readonly listed: boolean;
}

/** What is answered in place of a question that is not understood, and what is offered. */
export function closestFor(q: QuestionView, plan: Undecided): {
  sure?: { intents: Intents; terms: readonly string[]; readAs?: readonly string[] };
  close: readonly string[];
} {
  const least = leastFor(q, plan);
  // One of the wordings, as it is when somebody chooses the first.
  const same = sameAs(q.reading.tokens);
  // "How do they get it back", after a question that didn't say whom it is about.
  const lacksSubject = plan.isOfNone && plan.lacks !== undefined && plan.earlier.length === 0;
  const chosen = least !== undefined || same?.first || lacksSubject ? same?.known : undefined;
  const closest = least === undefined
    ? { sure: isOfAny(q, plan) ? certainOf(q) : [], offered: [] }
    : closestTo(q.reading.tokens, least);
  const planned = plan.intents.has("terms") ? termsAsked(q) : [];
  const isPlanned = ({ intent, terms }: Known): boolean =>
    plan.lacks === undefined && plan.intents.has(intent) &&
    terms.every((term) => planned.includes(term));
  // "What is the penalty if I miss it", "do I need authority": beside what else is asked of no carrier.
  const beside = plan.lacks === undefined && chosen === undefined
    ? new Set(
      [...plan.intents].filter((one) =>
        isGeneral(one) || one === "no:legal" && plan.intents.has("terms")
      ),
    )
    : new Set<Intent>();
  // "Who enforces it", after "what is UCR".
  const isShort = tellingWords(q.reading.tokens) < 3;
  const one = chosen ??
    (isShort || closest.sure.length === 0 ? closestAfter(q, plan) : undefined);
  const sure = one !== undefined ? [one] : closest.sure.every(isPlanned) ? [] : closest.sure;
  if (sure.length === 0) return { close: closest.offered };
  // Carriers of a place are not counted.
  const ofPlace = q.hasPlace || q.hasState;
  const intents = new Set(
    sure.map(({ intent }): Intent => intent === "count" && ofPlace ? "no:filters" : intent),
  );
  const readAs = [...new Set(sure.map(({ question }) => question))];
  return {
    sure: {
      intents: intents.union(beside),
      terms: [...new Set([...sure.flatMap(({ terms }) => terms), ...planned])].slice(0, MOST_TERMS),
      ...chosen === undefined && !intents.has(OTHER) && { readAs },
    },
    close: [],
  };
}

/** "How often", after "What is the MCS-150": the closest question that is about the same. */
function closestAfter(q: QuestionView, plan: Undecided): Known | undefined {
  const { before, earlier, isOfNone, lacks, listed } = plan;
  const isOpen = lacks?.problem === undefined &&
    (lacks?.part === "carrier" || lacks?.part === "question");
  const isAfter = earlier.length === 0 && !listed && isOfNone && isOpen && q.names.length === 0 &&
    !q.says(/^(?:can|could|will|would) (?:you|u)\b/);
  if (before === null || !isAfter) return undefined;
  const context = wordsBefore(before);
  if (context.length === 0) return undefined;
  const { tokens } = q.reading;
  // One of another subject, "how much does it cost" after "what is a BOC-3", is no answer.
  const first = ranked(tokens, context).ranks.find(({ known }) => hasAny(known, context));
  if (first !== undefined && first.close >= SURE) return first.known;
  const [alone] = ranked(tokens).ranks;
  const isAnswer = alone !== undefined && alone.close >= SURE && isGeneral(alone.known.intent);
  return isAnswer ? alone.known : undefined;
}

/** "Why do the addresses differ, should that bother me": the question that is very close, if one is. */
function certainOf(q: QuestionView): readonly Known[] {
  const [first] = ranked(q.reading.tokens).ranks;
  return first !== undefined && first.close >= CERTAIN ? [first.known] : [];
}

/** Whether a question is of no carrier, so that one that is very close answers it, whatever else it seems to ask. */
function isOfAny(
  q: QuestionView,
  { intents, carriers, earlier, listed, isOfNone }: Undecided,
): boolean {
  return isOfNone && carriers.every(isGuess) && earlier.length === 0 && !listed &&
    q.carrierNumbers.length === 0 && !q.names.some(({ exists }) => exists) &&
    !intents.has("search") && !intents.has("no:filters") &&
    !(intents.has("terms") && defines(q)) && tellingWords(q.reading.tokens) > FEW;
}

/** How close a known question must be to be answered in place of what is planned; undefined for none. */
function leastFor(q: QuestionView, plan: Undecided): number | undefined {
  const { intents, carriers, lacks, earlier, listed, isOfNone } = plan;
  // "What does a 404 mean".
  const isStatus = ({ bare, value }: NumberEntity): boolean =>
    bare === true && STATUSES.includes(value);
  const isCode = q.carrierNumbers.every(isStatus);
  const isNumbered = q.numbers.some((number) =>
    /^(?:usdot|docket|unresolved)$/.test(number.role) && !isStatus(number) ||
    number.role === "other" && /\d{4}/.test(number.text)
  );
  // "Last time they updated anything", of the carrier before.
  const isOfEarlier = earlier.length > 0 &&
    (q.has("them", "mc", "dot") || isSpecific(intents) && !defines(q));
  const isOfOne = !isOfNone && (q.carrierNumbers.length === 0 || !isCode);
  // "How many carriers are unsatisfactory", "carriers in Texas", "which of those have an MC".
  const isOfSeveral = listed || intents.has("no:filters") &&
      (q.hasPlace || q.hasState || q.says(/^how many (?:\w+ )?carriers\b/));
  if (isOfOne || isNumbered || isOfEarlier || isOfSeveral) return undefined;
  // "Is that people or packages" is more likely of the carrier before.
  const least = earlier.length > 0 && !defines(q) || !isOfNone ? BESIDE_CARRIER : SURE;
  if (lacks?.part === "question") return least;
  if (lacks !== undefined) {
    // "What is the safety rating" is of a carrier; a long question that names a topic may be of none.
    const isLong = tellingWords(q.reading.tokens) > 3;
    const isOpen = lacks.part === "carrier" && (isLong || !isSpecific(intents)) &&
      !isOfSomeone(q);
    const isLookup = q.has("lookup", "find") && q.reading.tokens.length <= SHORT ||
      q.says(/^how (?:do|can) (?:i|you|we) (?:check|find|look up|verify|see)\b/);
    if (isOpen) return isLookup ? BESIDE_CARRIER : least;
    return lacks.part === "vehicles" && q.reading.tokens.length > SHORT && asks(q)
      ? ABOVE_GENERAL
      : undefined;
  }
  if (!isOfNone) return least;
  if (carriers.length > 0) {
    const isWord = (ref: CarrierRef): boolean =>
      ref.by === "name" && !ref.exists && !hasFirmWord(ref.text) &&
      isOfKnown(ref.text);
    if (carriers.every(isWord)) {
      return intents.has("search") ? asks(q) ? BESIDE_CARRIER : undefined : least;
    }
    // "Torres transfer" may be a name.
    const isTopical = isSpecific(intents) || intents.has("no:oos_order");
    return carriers.every(isGuess) && !intents.has("search") && !isTopical
      ? q.reading.tokens.length > FEW ? least : BESIDE_CARRIER
      : undefined;
  }
  // "I filed off cycle, do I have to file again".
  const isVague = intents.size === 1 &&
    (intents.has("no:legal") || intents.has("no:explanations"));
  if (isVague) return least;
  const isOfMany = (intents.has("search") || q.has("many")) && !asks(q);
  // "Does it cost anything to look up 500 carriers".
  if (intents.has("no:filters") && asks(q) && !q.hasPlace) return ABOVE_FILTERS;
  if (isOfMany || intents.has("no:filters") || intents.has("terms") && defines(q)) return undefined;
  // "Can you register my company".
  const isRequest = q.says(/^(?:please |pls )?(?:can|could|will|would) (?:you|u)\b/);
  const isGiven = [...intents].some((one) => isGeneral(one) || isOfOtherRules(one));
  return isRequest || isGiven ? ABOVE_GENERAL : INSTEAD;
}

/** "What can you not tell me about a trucking company", which lists none. */
function asks(q: QuestionView): boolean {
  return q.reading.text.includes("¿") ||
    (!q.has("all", "every") || q.says(/\b(?:download|export|csv|excel)\b/)) &&
      q.reading.tokens.some(({ text, gap }, at) =>
        (at === 0 || /[.?!,;]/.test(gap)) && BEGINS_QUESTION.test(text)
      );
}

/** Whether it speaks of somebody whom it may not name. */
function isOfSomeone(q: QuestionView): boolean {
  // "Is Gomez's MCS-150 overdue".
  const isOwner = q.unknownWords.some((word) => /['’]s$/.test(word));
  // "Can a freight forwarder also haul the load on his own truck".
  // "Can I transfer my MC number when I sell my company".
  if (/^\W*(?:can|may|do|does|is|should|must|could) (?:an? |i\b)/i.test(q.reading.text)) {
    return false;
  }
  return isOwner || !q.says(/\btheir own\b/) && q.says(
        /\b(?:its|theirs?|they|them|his|hers?|he|she|him|(?:my|this|that|the) (?:carrier|company|dot))\b/,
      );
}

/** The closest questions to one of which no carrier is known. */
function closestTo(tokens: readonly Token[], least: number): Closest {
  const all = closestOf(tokens, least);
  if (all.sure.length > 0) return all;
  // "How old is your information? I updated our address on Tuesday": the question, then more about it.
  const end = tokens.findIndex(({ gap }) => gap.includes("?"));
  const first = end < 0 ? undefined : closestOf(tokens.slice(0, end), least);
  if (first !== undefined && first.sure.length > 0) return first;
  const starts = tokens.flatMap(({ text, gap }, at) =>
    at === 0 || text === "and" || /[,;.?]/.test(gap) ? at : []
  );
  if (starts.length > MOST_PARTS) return all;
  const parts = starts.map((from, i) => closestOf(tokens.slice(from, starts[i + 1]), least));
  // "My medical card runs out, how do I renew": only together with others that are answered.
  const kinds = new Set(parts.flatMap(({ sure }) => sure.map(({ intent }) => isGeneral(intent))));
  return parts.length > 1 && kinds.size === 1 && parts.every(({ sure }) => sure.length > 0)
    ? { sure: [...new Set(parts.flatMap(({ sure }) => sure))], offered: [] }
    : all;
}

function closestOf(tokens: readonly Token[], least: number): Closest {
  const { ranks, few, ofOne } = ranked(tokens);
  const [first, ...rest] = ranks.filter(({ close }) => close >= NEAR);
  const offered = ranks.filter(({ known, close }) => close >= NEAR && known.intent !== OTHER)
    .slice(0, MOST_OFFERED).map(({ known }) => known.question);
  const isShort = few && (least === BESIDE_CARRIER || !ofOne);
  if (first === undefined || isShort) return { sure: [], offered: [] };
  if (first.close < least) return { sure: [], offered };
  const isOther = ({ intent, terms }: Known): boolean =>
    intent !== OTHER &&
    (intent !== first.known.intent || terms.join() !== first.known.terms.join());
  const share = first.known.intent.startsWith("no:") ? SECOND_DECLINED : SECOND;
  const second = first.close >= ALONE || first.known.intent === OTHER
    ? undefined
    : rest.find(({ known, close }) => close >= first.close * share && isOther(known));
  return { sure: second === undefined ? [first.known] : [first.known, second.known], offered };
}
