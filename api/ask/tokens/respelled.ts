/**
 * Stage 1, spelling: a question with its unknown words as the known words that they are near, for one that
 * is not understood as it is typed.
 *
 * @module
 */

import { edits, isOrdinary } from "../../../pipeline/spelling.ts";
import type { Reading, Token } from "./tokens.ts";
import { EXPLANATIONS, FIRM_WORDS, PHRASES } from "./vocabulary.ts";
import COMMON_WORDS from "./common_words.txt" with { type: "text" };

/** A question of more unknown words is not one of slips. */
const MOST_UNKNOWN = 24;
/** Words of at least this length may differ in two letters. */
const LONG = 8;
/** Shorter words may only have two letters swapped. */
const SHORT = 5;

const ENDING = /^(?:e?s|e?d|e?r)$/;

/** A known word with its letters, as bits and sorted, which tell quickly that another is not near. */
interface KnownWord {
  readonly word: string;
  readonly letters: number;
  readonly sorted: string;
}

/** The words of phrases. */
function wordsOf(phrases: readonly { words: string[][] }[]): string[] {
  return phrases.flatMap(({ words }) => words.flat()).filter((word) => /^[a-z]{3,}$/.test(word));
}

const ALL_PHRASES = [PHRASES.terms, PHRASES.en].flatMap((phrases) => [...phrases.values()].flat());
const TOPIC_WORDS = new Set([
  ...FIRM_WORDS,
  ...wordsOf(ALL_PHRASES.filter(({ mark }) => !isFiller(mark))),
]);
const ALL_WORDS = TOPIC_WORDS.union(new Set(wordsOf(ALL_PHRASES)));

/** The known words by length, those of companies and topics first. */
const KNOWN: ReadonlyMap<number, readonly KnownWord[]> = Map.groupBy(
  [...ALL_WORDS].map(knownWord),
  ({ word }) => word.length,
);

function knownWord(word: string): KnownWord {
  let letters = 0;
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) - 97);
  return { word, letters, sorted: [...word].sort().join("") };
}

/** The number of letters that only one of two words has. */
function otherLetters(a: KnownWord, b: KnownWord): number {
  let bits = a.letters ^ b.letters;
  let count = 0;
  for (; bits !== 0; bits &= bits - 1) count++;
  return count;
}

/** Words that are spelled as they are meant, although no phrase has them. */
const SPELLED: ReadonlySet<string> = new Set(
  [COMMON_WORDS, ...Object.values(EXPLANATIONS).map(({ text }) => text)]
    .flatMap((text) => text.toLowerCase().match(/[a-z]+/g) ?? []),
);

/** Whether a word in lower case is a common one. */
export function isSpelled(word: string): boolean {
  return SPELLED.has(word);
}

function isFiller(mark: string): boolean {
  return /^(?:soft|hard|join)$/.test(mark);
}

/** A question respelled, with how many words of it are, and their share. */
interface Respelled {
  readonly text: string;
  readonly slips: number;
  readonly share: number;
}

/** The number of words that are in no phrase. */
export function unknownWords({ tokens, spans }: Reading): number {
  return tokens.filter(({ number }, at) => number === undefined && spans[at] === null).length;
}

/** Returns a question as it may be meant; null if no unknown word is near a known one. */
export function respelled(reading: Reading): Respelled | null {
  const { text, tokens, spans, spanish } = reading;
  if (spanish || unknownWords(reading) > MOST_UNKNOWN) return null;
  const isCapital = ({ raw }: Token): boolean => /^\p{Lu}/u.test(raw);
  const mixed = tokens.slice(1).some(isCapital) && /\p{Ll}/u.test(text);
  const meant = tokens.map((token, at) => {
    const isName = mixed && isCapital(token) && at > 0;
    return spans[at] === null && token.number === undefined && !isName ? wordMeant(token) : null;
  });
  const slips = meant.filter((word) => word !== null).length;
  const parts = tokens.map(({ gap, raw }, at) => gap + (meant[at] ?? raw));
  return slips === 0 ? null : {
    text: parts.join("") + text.slice(tokens.at(-1)!.to),
    slips,
    share: slips / tokens.length,
  };
}

/** The known word that an unknown one is nearest, if it is near. */
function wordMeant({ text }: Token): string | null {
  const isMeant = SPELLED.has(text) || ALL_WORDS.has(text) || isOrdinary(text);
  if (!/^[a-z]{3,}$/.test(text) || isMeant) return null;
  const typed = knownWord(text);
  const most = text.length >= LONG ? 2 : 1;
  // Letters are left out more often than added.
  const near = [1, 0, -1, 2, -2].slice(0, 2 * most + 1)
    .flatMap((more) => KNOWN.get(text.length + more) ?? [])
    // Each letter added, left out or replaced is another one in at most both words.
    .filter((known) => otherLetters(typed, known) <= 2 * most)
    .flatMap((known) => {
      const { word } = known;
      const distance = edits(text, word);
      const isSwap = known.sorted === typed.sorted;
      // "Deactivate" is no slip of "deactivated", but "expres" is one of "express".
      const isEnding = [word.replace(text, ""), text.replace(word, "")]
        .some((rest) => ENDING.test(rest) && !text.endsWith(rest));
      // "Drake" is no slip of "brake": first letters are rarely wrong, unless swapped.
      const isNear = isEnding || word[0] !== text[0] && !isSwap
        ? false
        : distance === 1
        ? text.length >= SHORT || isSwap ||
          text.length === 4 && (word.length > 4 || text === word + word.at(-1)) ||
          text.length === 3 && word.length === 4 && word.startsWith(text)
        : distance === 2 && text.length >= LONG && word[0] === text[0];
      // Of equally near words, one with its letters swapped or with the same first letter.
      const rank = distance - (isSwap ? 0.5 : 0) - (word[0] === text[0] ? 0.25 : 0);
      return isNear ? [{ word, rank }] : [];
    });
  const [first] = near.toSorted((a, b) => a.rank - b.rank);
  return first?.word ?? null;
}
