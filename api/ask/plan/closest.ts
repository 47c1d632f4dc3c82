/**
 * Stage 3, the closest question: for one about no carrier that no phrase or rule understands, the question it
 * shares most of its words with, each word weighed by how few of the questions have it.
 *
 * @module
 */

import LINES from "./closest.txt" with { type: "text" };
import type { Reading, Token } from "../tokens/tokens.ts";
import type { Intent } from "./intents.ts";

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
  ("a an the of about is are was were be am do does did i im you u it its to for in on with and or my me we our your so if " +
    "can could would should will shall has have had please pls thanks thx hi hello hey ok just there that this these " +
    "those any some at by not no u r ur ya ive weve youve theyve hes shes theyre youre dont doesnt didnt cant isnt arent wasnt wont id ill im lol hey um so")
    .split(
      " ",
    ),
);

/** How rare a word is among the questions; one that none has weighs less than the rarest. */
function weightOf(word: string): number {
  const having = KNOWN.filter(({ words }) => words.has(word)).length;
  return having === 0 ? UNKNOWN : Math.log(1 + KNOWN.length / having);
}

const UNKNOWN = 3;

const WEIGHTS = new Map(
  [...new Set(KNOWN.flatMap(({ words }) => [...words]))].map((word) => [word, weightOf(word)]),
);

/** Shares of a question's weight that its closest must have: to be answered, and to be offered. */
const SURE = 0.6;
const NEAR = 0.5;
/** How much less the next one with another answer must have, where the closest is answered. */
const APART = 0.15;
const MOST_OFFERED = 3;

/** What is not about carriers is never offered. */
const OTHER: Intent = "no:off_topic";

/** One of the questions word for word, as it is when somebody chooses it. */
export function exactly(text: string): Known | undefined {
  return KNOWN.find(({ question }) => question.toLowerCase() === text.trim().toLowerCase());
}

export interface Closest {
  /** The questions whose answers are given: one, or one for each part of "where is it from and how old is it". */
  readonly sure: readonly Known[];
  /** Questions to choose from, the closest first. */
  readonly offered: readonly string[];
}

/** The words that are weighed. */
function wordsOf(tokens: readonly Token[]): string[] {
  return [...new Set(tokens.flatMap(({ text, raw }) => COMMON.has(text) ? [] : stem(text || raw)))];
}

/**
 * Whether it says enough to be about no carrier although it names a topic of carriers: "what is the safety
 * rating" doesn't.
 */
export function isLong({ tokens }: Pick<Reading, "tokens">): boolean {
  return wordsOf(tokens).length > 3;
}

/** The closest questions to one of which no carrier is known. */
export function closestTo({ tokens }: Pick<Reading, "tokens">): Closest {
  const whole = closestOf(tokens);
  // "How old is your information? I updated our address on Tuesday": the question, then more about it.
  const end = tokens.findIndex(({ gap }) => gap.includes("?"));
  const first = end < 0 ? undefined : closestOf(tokens.slice(0, end));
  if (first !== undefined && first.sure.length > 0) return first;
  const starts = tokens.flatMap(({ text, gap }, at) =>
    at === 0 || text === "and" || /[,;.?]/.test(gap) ? at : []
  );
  const parts = starts.map((from, i) => closestOf(tokens.slice(from, starts[i + 1])));
  return parts.length > 1 && parts.every(({ sure }) => sure.length > 0)
    ? { sure: [...new Set(parts.flatMap(({ sure }) => sure))], offered: [] }
    : whole;
}

function closestOf(tokens: readonly Token[]): Closest {
  const asked = wordsOf(tokens);
  const weights = asked.map((word) => WEIGHTS.get(word) ?? UNKNOWN);
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const ranked = KNOWN.map((known) => ({
    known,
    share: asked.reduce((sum, word, i) => known.words.has(word) ? sum + weights[i]! : sum, 0) / all,
  })).filter(({ share }) => share >= NEAR).toSorted((a, b) => b.share - a.share);
  const [first] = ranked;
  if (first?.known.intent === OTHER) return { sure: [first.known], offered: [] };
  const offered = ranked.filter(({ known }) => known.intent !== OTHER)
    .slice(0, MOST_OFFERED).map(({ known }) => known.question);
  if (first === undefined || first.share < SURE) return { sure: [], offered };
  // "The first one" has only words in common that many questions may have.
  const isShort = asked.length < 3 &&
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
