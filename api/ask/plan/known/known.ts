/**
 * Stage 3, known questions: those about no carrier that are answered, each with other wordings of it, and how
 * close a question is to each. A word weighs the more, the fewer of them have it.
 *
 * @module
 */

import LINES from "./questions.txt" with { type: "text" };
import { edits, isOrdinary } from "../../../../pipeline/spelling.ts";
import { isSpelled } from "../../tokens/respelled.ts";
import { type Token, tokenized } from "../../tokens/tokens.ts";
import { MONTH_NAME } from "../../tokens/vocabulary.ts";
import { type Intent, type Intents, isGeneral, isOfOtherRules } from "../asked/intents.ts";

/** A question about no carrier that is answered. */
export interface Known {
  readonly intent: Intent;
  /** The term that it explains. */
  readonly terms: readonly string[];
  readonly question: string;
  /** The words of each wording. */
  readonly wordings: readonly (readonly string[])[];
}

/** Words of every kind of question. */
const COMMON = new Set(
  ("a an the of about is are was were be am do does did i im ive ill id you youre youve u ur ya it its to for in on " +
    "with and or my me we weve our your so if can could would should will shall has have had please pls thanks " +
    "thx hi hello hey ok just there that this these those any some at by not no r theyve theyre hes shes dont " +
    "doesnt didnt cant isnt arent wasnt wont lol um gotta gonna wanna yall as from they them their he she his her " +
    "get got all thats then too also first second third last one ones like here man ").split(" "),
);

const ASKS = new Set(
  "how what who where when why which whats".split(" "),
);

const BLOCKS = LINES.split("\n").filter((line) => /^[^#]/.test(line)).map((line) => {
  const [intent, ...texts] = line.split(" | ") as [string, string];
  const [key, term] = intent.split("=") as [Intent, string?];
  const tokens = texts.map((text) => tokenized(text).tokens);
  const wordings = tokens.map(wordsOf);
  const terms = term === undefined ? [] : [term];
  return { known: { intent: key, terms, question: texts[0], wordings } satisfies Known, tokens };
});

export const KNOWN: readonly Known[] = BLOCKS.map(({ known }) => known);

/** Each question by the text of each of its wordings; `first` for the one that stands for all. */
const BY_TEXT = new Map(
  BLOCKS.flatMap(({ known, tokens }) =>
    tokens.map(plainText).map((text, _at, [first]) =>
      [text, { known, first: text === first }] as const
    )
  ),
);

/** The questions that have a word in a wording. */
const HOLDERS = new Map<string, Set<Known>>();
for (const known of KNOWN) {
  for (const word of known.wordings.flat()) {
    HOLDERS.set(word, (HOLDERS.get(word) ?? new Set<Known>()).add(known));
  }
}

/** Of a word that no question has: less than the rarest. */
const UNKNOWN = 4;
/** Of a word that asks, in place of 1. */
const ASKING = 0.5;

function weightOf(word: string): number {
  const holders = HOLDERS.get(word)?.size;
  const rarity = holders === undefined ? UNKNOWN : Math.log(1 + KNOWN.length / holders);
  return (ASKS.has(word) ? ASKING : 1) * rarity;
}

function weightOfAll(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + weightOf(word), 0);
}

const WORDINGS = KNOWN.flatMap((known) =>
  known.wordings.map((words) => ({ known, words, weight: weightOfAll(words) }))
);

/** Where each word stands in the wordings. */
const PLACES = Map.groupBy(
  WORDINGS.flatMap(({ words }, at) => words.map((word) => ({ word, at }))),
  ({ word }) => word,
);

/** The question of which a text is a wording. */
export function sameAs(tokens: readonly Token[]): { known: Known; first: boolean } | undefined {
  return BY_TEXT.get(plainText(tokens));
}

/** Whether every word of a text is of a known question. */
export function isOfKnown(text: string): boolean {
  return wordsOf(tokenized(text).tokens).every((word) => HOLDERS.has(word));
}

/** Whether a question has one of some words, in any wording. */
export function hasAny(known: Known, words: readonly string[]): boolean {
  return words.some((word) => HOLDERS.get(word)?.has(known));
}

/** How many words tell something, apart from those of every kind of question. */
export function tellingWords(tokens: readonly Token[]): number {
  return wordsOf(tokens).length;
}

/** The words of the known question that was answered before; those of the UCR after a fee. */
export function wordsBefore({ intents, terms, fleets }: AskedBefore): readonly string[] {
  const before = fleets.length > 0
    ? KNOWN.find(({ terms }) => terms.includes("ucr"))
    : KNOWN.find((known) =>
      (isGeneral(known.intent) || isOfOtherRules(known.intent)) && intents.has(known.intent) &&
      known.terms.every((term) => terms.includes(term))
    );
  return before === undefined ? [] : wordsOf(tokenized(before.question).tokens);
}

/** What was answered to the question before. */
export interface AskedBefore {
  readonly intents: Intents;
  readonly terms: readonly string[];
  readonly fleets: readonly unknown[];
}

/** Fewer words tell little. */
const LEAST_WORDS = 3;

interface Ranking {
  /** The known questions, the closest first, each with how close it is from 0 to 1. */
  readonly ranks: readonly { known: Known; close: number }[];
  readonly few: boolean;
  /** Whether its words are all of one answer: "rating" may be any question's, "is it free" only one's. */
  readonly ofOne: boolean;
}

/** @param context Words of the previous question; they count toward similarity but cannot qualify a match alone. */
export function ranked(tokens: readonly Token[], context: readonly string[] = []): Ranking {
  const own = wordsOf(tokens).map(heardAs);
  const asked = new Set([...own, ...context]);
  const weights = new Map([...asked].map((word) => [word, weightOf(word)]));
  const all = weights.values().reduce((sum, weight) => sum + weight, 0);
  const shared = new Map<number, number>();
  for (const [word, weight] of weights) {
    for (const { at } of PLACES.get(word) ?? []) shared.set(at, (shared.get(at) ?? 0) + weight);
  }
  const likest = new Map<Known, number>();
  for (const [at, held] of shared) {
    const { known, weight } = WORDINGS[at]!;
    likest.set(known, Math.max(likest.get(known) ?? 0, held / Math.sqrt(all * weight)));
  }
  const telling = own.filter((word) => !ASKS.has(word));
  const has = (known: Known, word: string): boolean => HOLDERS.get(word)?.has(known) ?? false;
  // The mean of how like the likest wording it is, and of how much of the question all wordings have.
  const closeness = (known: Known, like: number): number => {
    const held = weights.entries().reduce(
      (sum, [word, weight]) => has(known, word) ? sum + weight : sum,
      0,
    );
    return (like + held / all) / 2;
  };
  const ranks = Array.from(likest, ([known, like]) => ({ known, close: closeness(known, like) }))
    .filter(({ known }) => telling.some((word) => has(known, word)))
    .toSorted((a, b) => b.close - a.close);
  const heard = telling.filter((word) => HOLDERS.has(word));
  const answers = new Set(
    ranks.filter(({ known }) => heard.every((word) => has(known, word)))
      .map(({ known: { intent, terms } }) => `${intent}=${terms}`),
  );
  return { ranks, few: telling.length < LEAST_WORDS, ofOne: answers.size === 1 };
}

/** Words by their first letter. */
const BY_LETTER = Map.groupBy(HOLDERS.keys(), ([first]) => first);
/** Shorter words are not misspelled. */
const LEAST_LETTERS = 5;

/** The only word that a misspelled one is near: "athority". */
function heardAs(word: string): string {
  if (HOLDERS.has(word) || word.length < LEAST_LETTERS || isSpelled(word) || isOrdinary(word)) {
    return word;
  }
  const near = (BY_LETTER.get(word[0]) ?? []).filter((one) =>
    one.length >= LEAST_LETTERS && !one.startsWith(word) && !word.startsWith(one) &&
    edits(one, word) === 1
  );
  return near.length === 1 ? near[0]! : word;
}

function plainText(tokens: readonly Token[]): string {
  return tokens.map(({ text, raw }) => text || raw).join(" ");
}

/** The words that are weighed, without their endings: "updates" and "updated" as "updat". */
function wordsOf(tokens: readonly Token[]): string[] {
  return [
    ...new Set(tokens.flatMap(({ text, raw }) => {
      const word = (text || raw.toLowerCase()).replaceAll(/[^a-z\d]/g, "");
      return word === "" || COMMON.has(word) || MONTH_NAME.test(word) ? [] : stem(word);
    })),
  ];
}

function stem(word: string): string {
  // Not of the rates of inspections.
  if (/^(?:un)?rat(?:ings?|ed)$/.test(word)) return "rating";
  return word.length < 4 ? word : word.replace(/(?:ies|ing|ed|es|(?<!s)s|e|y|ly)$/, "");
}
