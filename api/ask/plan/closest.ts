/**
 * Stage 3, the closest question: for one about no carrier that no phrase or rule understands, the question it
 * shares most of its words with, each word weighed by how few of the questions have it.
 *
 * @module
 */

import LINES from "./closest.txt" with { type: "text" };
import type { QuestionView } from "../entities/entities.ts";
import type { Token } from "../tokens/tokens.ts";
import { hasFirmWord } from "../tokens/vocabulary.ts";
import { defines } from "./explained.ts";
import { type Intent, type Intents, isSpecific } from "./intents.ts";
import type { CarrierRef } from "./references.ts";
import type { Settled } from "./settled.ts";

/** A question about no carrier that is answered. */
export interface Known {
  readonly intent: Intent;
  /** The term that it explains. */
  readonly terms: readonly string[];
  readonly question: string;
  readonly words: ReadonlySet<string>;
}

export const KNOWN: readonly Known[] = LINES.split("\n").filter((line) => /^[^#]/.test(line)).map(
  (line) => {
    const [intent, question, words] = line.split(" | ") as [string, string, string];
    const [key, term] = intent.split("=") as [string, string?];
    return {
      intent: key as Intent,
      terms: term === undefined ? [] : [term],
      question,
      words: new Set(stemsOf(`${question} ${words}`)),
    };
  },
);

/** Words of every kind of question. */
const COMMON = new Set(
  ("a an the of about is are was were be am do does did i im ive ill id you youre youve u ur ya it its to for in on " +
    "with and or my me we weve our your so if can could would should will shall has have had please pls thanks " +
    "thx hi hello hey ok just there that this these those any some at by not no r theyve theyre hes shes dont " +
    "doesnt didnt cant isnt arent wasnt wont lol um gotta gonna wanna yall").split(" "),
);

const ASKS = new Set("how what who where when why which".split(" "));

/** How rare each word is among the questions. */
const WEIGHTS = new Map(
  Array.from(
    Map.groupBy(KNOWN.flatMap(({ words }) => [...words]), (word) => word),
    ([word, each]) => [word, Math.log(1 + KNOWN.length / each.length)],
  ),
);
/** Of a word that none has, where a name of several words may be given and else: less than the rarest. */
const OF_NAME = 3;
const UNKNOWN = 2;

const BY_TEXT = new Map(KNOWN.map((known) => [known.question.toLowerCase(), known]));

/** Shares of a question's weight that its closest must have: to be answered, and to be offered. */
const SURE = 0.6;
const NEAR = 0.5;
/** The share to be answered after a question about a carrier. */
const BESIDE_CARRIER = 0.75;
/** The weight of a word that few questions have. */
const DISTINCT = 2.9;
/** How much less the next one with another answer must have, where the closest is answered. */
const APART = 0.15;
const MOST_OFFERED = 3;

/** What is not about carriers is never offered. */
const OTHER: Intent = "no:off_topic";

/** The weight of a word that no question has, and the least share of one that is answered. */
interface Bounds {
  readonly unknown: number;
  readonly least: number;
}

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
}

/** What is answered in place of a question that is not understood, and what is offered. */
export function closestFor(q: QuestionView, plan: Undecided): {
  sure?: { intents: Intents; terms: readonly string[]; readAs?: string };
  close: readonly string[];
} {
  // One of the questions word for word, as it is when somebody chooses it.
  const chosen = BY_TEXT.get(q.reading.text.trim().toLowerCase());
  const closest = plan.isOfNone && isUnclear(q, plan)
    ? closestTo(q.reading.tokens, {
      unknown: plan.carriers.some(isLong) ? OF_NAME : UNKNOWN,
      // "Is that people or packages" is more likely of the carrier before.
      least: plan.earlier.length > 0 && !defines(q) ? BESIDE_CARRIER : SURE,
    })
    : { sure: [], offered: [] };
  const sure = chosen === undefined ? closest.sure : [chosen];
  if (sure.length === 0) return { close: closest.offered };
  const intents = new Set(sure.map(({ intent }) => intent));
  const readAs = sure.map(({ question }) => question).join(" ");
  return {
    sure: {
      intents,
      terms: sure.flatMap(({ terms }) => terms),
      ...chosen === undefined && !intents.has(OTHER) && { readAs },
    },
    close: [],
  };
}

/** Whether it is not understood, or about a carrier that nothing names. */
function isUnclear(
  q: QuestionView,
  { intents, carriers, lacks, earlier }: Undecided,
): boolean {
  const isNumbered = q.numbers.some(({ role, text }) =>
    /^(?:usdot|docket|unresolved)$/.test(role) || role === "other" && /\d{3}/.test(text)
  );
  // "Last time they updated anything", of the carrier before.
  const isOfEarlier = earlier.length > 0 &&
    (q.has("them", "mc", "dot") || isSpecific(intents) && !defines(q));
  if (isNumbered || isOfEarlier) return false;
  if (lacks !== undefined) {
    // "What is the safety rating" is of a carrier; a long question that names a topic may be of none.
    const isLong = wordsOf(q.reading.tokens).length > 3;
    return lacks.part === "question" ||
      lacks.part === "carrier" && (isLong || !isSpecific(intents)) &&
        !isOfSomeone(q);
  }
  const isGuess = carriers.length > 0 &&
    carriers.every((ref) =>
      ref.by === "name" && !ref.exists &&
      (!ref.marked || stemsOf(ref.text).every((word) => WEIGHTS.has(word))) &&
      !hasFirmWord(ref.text)
    );
  // "I filed off cycle, do I have to file again".
  const isVague = carriers.length === 0 && intents.size === 1 &&
    (intents.has("no:legal") || intents.has("no:explanations"));
  return isGuess && !intents.has("search") || isVague;
}

/** Whether it speaks of somebody whom it may not name. */
function isOfSomeone(q: QuestionView): boolean {
  // "Is Gomez's MCS-150 overdue".
  const isOwner = q.unknownWords.some((word) => /['’]s$/.test(word));
  return isOwner || q.says(
    /\b(?:its|theirs?|they|them|his|hers?|he|she|him|(?:my|this|that|the) (?:carrier|company|dot))\b/,
  );
}

function isLong(ref: CarrierRef): boolean {
  return ref.by === "name" && ref.text.includes(" ");
}

/** The words that are weighed. */
function wordsOf(tokens: readonly Token[]): string[] {
  return [...new Set(tokens.flatMap(({ text, raw }) => COMMON.has(text) ? [] : stem(text || raw)))];
}

/** The closest questions to one of which no carrier is known. */
function closestTo(tokens: readonly Token[], bounds: Bounds): Closest {
  // "How old is your information? I updated our address on Tuesday": the question, then more about it.
  const end = tokens.findIndex(({ gap }) => gap.includes("?"));
  const first = end < 0 ? undefined : closestOf(tokens.slice(0, end), bounds);
  if (first !== undefined && first.sure.length > 0) return first;
  const starts = tokens.flatMap(({ text, gap }, at) =>
    at === 0 || text === "and" || /[,;.?]/.test(gap) ? at : []
  );
  const parts = starts.map((from, i) => closestOf(tokens.slice(from, starts[i + 1]), bounds));
  return parts.length > 1 && parts.every(({ sure }) => sure.length > 0)
    ? { sure: [...new Set(parts.flatMap(({ sure }) => sure))], offered: [] }
    : closestOf(tokens, bounds);
}

function closestOf(tokens: readonly Token[], { unknown, least }: Bounds): Closest {
  const asked = wordsOf(tokens);
  const weights = asked.map((word) => WEIGHTS.get(word) ?? unknown);
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const ranked = KNOWN.map((known) => ({
    known,
    share: asked.reduce((sum, word, i) => known.words.has(word) ? sum + weights[i]! : sum, 0) / all,
  })).filter(({ known, share }) =>
    share >= NEAR && asked.some((word) => known.words.has(word) && !ASKS.has(word))
  ).toSorted((a, b) => b.share - a.share);
  const [first] = ranked;
  if (first?.known.intent === OTHER) return { sure: [first.known], offered: [] };
  const offered = ranked.filter(({ known }) => known.intent !== OTHER)
    .slice(0, MOST_OFFERED).map(({ known }) => known.question);
  if (first === undefined || first.share < least) return { sure: [], offered };
  // "The first one" has only words in common that many questions may have.
  const isShort = asked.length < 3 &&
    (asked.length < 2 || weights.some((weight) => weight < DISTINCT)) &&
    !stemsOf(first.known.question).some((word) => asked.includes(word));
  if (isShort) return { sure: [], offered: [] };
  const next = ranked.find(({ known: { intent, terms } }) =>
    intent !== first.known.intent || terms[0] !== first.known.terms[0]
  );
  return next !== undefined && first.share - next.share < APART
    ? { sure: [], offered }
    : { sure: [first.known], offered };
}

function stemsOf(text: string): string[] {
  return (text.toLowerCase().match(/[a-z\d]+/g) ?? []).map(stem);
}

/** A word without its ending: "updates" and "updated" as "updat". */
function stem(word: string): string {
  return word.length < 4 ? word : word.replace(/(?:ies|ing|ed|es|(?<!s)s|e|y|ly)$/, "");
}
