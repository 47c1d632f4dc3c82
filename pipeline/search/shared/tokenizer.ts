/**
 * Text to words, the same way for the index and for a query. Web APIs only.
 *
 * @module
 */

import { isAscii, withoutAccents } from "../../text.ts";

/** Words that do not identify a carrier. */
const FILLERS: ReadonlySet<string> = new Set(["the", "and", "of"]);

/** Stands between two names of a carrier: `ROSS LLC DBA ROSS TOWING`. */
export const DBA = "dba";

/** Words that are not compared, unless a name has no others: fillers, "dba", and legal forms as `S de RL de CV`. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  ("llc inc incorporated corp corporation co company ltd limited lp llp lllp pllc pc plc sa de cv rl " +
    "ltda ltee").split(" "),
).union(FILLERS).add(DBA);

/** Whether a word is a stop word at a place in a name: at the beginning, `CV` and `INC` are initials. */
export function isStopWord(word: string, at: number): boolean {
  return STOP_WORDS.has(word) && (at > 0 || FILLERS.has(word));
}

/** Maximum number of words taken from a text. */
export const MAX_WORDS = 24;

/** Maximum letters taken from a word or a place: a query may not be longer, and the number fits in a byte. */
export const LONGEST_WORD = 200;

const SHORT_PLACE_WORDS: ReadonlyMap<string, string> = new Map([
  ["st", "saint"],
  ["ste", "sainte"],
  ["ft", "fort"],
  ["mt", "mount"],
]);

/**
 * Splits a text into words: lower case, without accents; `&` and `+` are "and", apostrophes vanish, any
 * other character except letters and digits separates words; neighboring single letters and digits are
 * one word (`L.L.C.`, `J B`, `A-1`).
 *
 * @returns The words in order, with stop words and repetitions, {@link MAX_WORDS} at most, none longer
 * than {@link LONGEST_WORD}.
 */
export function tokenize(text: string): string[] {
  const words: string[] = [];
  const plain = isAscii(text) ? text.toLowerCase() : withoutAccents(text);
  let start = -1;
  let word = "";
  for (let i = 0; i <= plain.length; i++) {
    const code = i < plain.length ? plain.charCodeAt(i) : 32;
    if (isWordCode(code)) {
      if (start < 0) start = i;
      continue;
    }
    if (start >= 0) word += plain.slice(start, i);
    start = -1;
    if (isApostrophe(code)) continue;
    if (word !== "") words.push(word);
    word = "";
    if (code === 38 || code === 43) words.push("and");
  }
  return joinSingles(words).slice(0, MAX_WORDS).map((word) =>
    word.length > LONGEST_WORD ? word.slice(0, LONGEST_WORD) : word
  );
}

/** The distinct words, in order, without stop words; all of them when there are only stop words. */
export function contentWords(words: readonly string[]): string[] {
  const kept = words.filter((word, at) => !isStopWord(word, at));
  return [...new Set(kept.length > 0 ? kept : words)];
}

/** The letters of a text's words without stop words and blanks; of all when there are only stop words. */
export function contentLetters(words: readonly string[]): string {
  return words.filter((word, at) => !isStopWord(word, at)).join("") || words.join("");
}

/** A place name as one key: `St. Louis` and `SAINT LOUIS` are the same. */
export function normalizePlace(text: string): string {
  return expandPlaceWords(tokenize(text)).join(" ").slice(0, LONGEST_WORD);
}

/** Spells out what place names abbreviate. */
export function expandPlaceWords(words: readonly string[]): string[] {
  return words.map((word) => SHORT_PLACE_WORDS.get(word) ?? word);
}

/** The words that {@link expandPlaceWords} turns into this one. */
export function placeForms(word: string): string[] {
  const short = [...SHORT_PLACE_WORDS].filter(([, long]) => long === word).map(([form]) => form);
  return [word, ...short];
}

function joinSingles(words: string[]): string[] {
  let at = words.findIndex((word, i) => word.length === 1 && words[i + 1]?.length === 1);
  if (at < 0) return words;
  const joined = words.slice(0, at);
  while (at < words.length) {
    let word = words[at++]!;
    if (word.length === 1) { while (words[at]?.length === 1) word += words[at++]!; }
    joined.push(word);
  }
  return joined;
}

function isWordCode(code: number): boolean {
  if (code < 128) return code >= 97 && code <= 122 || code >= 48 && code <= 57;
  if (code >= 0xd800 && code < 0xe000) return false;
  return /[\p{L}\p{N}]/u.test(String.fromCharCode(code));
}

function isApostrophe(code: number): boolean {
  return code === 39 || code === 96 || code === 0x2018 || code === 0x2019 || code === 0xb4;
}
