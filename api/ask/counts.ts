/**
 * Counts in digits and in words: `12`, `twenty-five`, `two dozen`, `a hundred and twenty`, `no`.
 *
 * @module
 */

import { Keywords } from "./near.ts";
import type { Token } from "./tokens.ts";

const ONES =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
    .split(" ");
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

const SMALL: ReadonlyMap<string, number> = new Map([
  ...ONES.map((word, i) => [word, i] as const),
  ...TENS.map((word, i) => [word, 20 + 10 * i] as const),
  ["fourty", 40],
  ["single", 1],
]);

const MULTIPLES: ReadonlyMap<string, number> = new Map([
  ["couple", 2],
  ["pair", 2],
  ["dozen", 12],
  ["hundred", 100],
  ["thousand", 1000],
]);

const THOUSANDS = /^\d{1,4}k$/;

// The plurals are no numbers, and no typos of numbers either.
const PLURALS = [...MULTIPLES.keys()].map((word) => `${word}s`);

const SPELLING = new Keywords([...SMALL.keys(), ...MULTIPLES.keys(), ...PLURALS]);

const MOST_WORDS = 8;

/** A count and the first token after it. */
export interface Count {
  value: number;
  to: number;
}

/** The count that begins at a token, or null. */
export function readCount(tokens: readonly Token[], from: number): Count | null {
  // Looked up one by one: most tokens begin no count.
  const wordAt = (at: number): string => {
    const { kind, text } = tokens[from + at] ?? { kind: "quote", text: "" };
    return kind === "word" ? SPELLING.nearest(text) ?? text : text;
  };
  if (wordAt(0) === "half" && wordAt(1) === "a" && wordAt(2) === "dozen") {
    return { value: 6, to: from + 3 };
  }
  let total = 0;
  let part: number | null = null;
  let at = 0;
  let to = 0;
  for (; at < MOST_WORDS; at++) {
    const word = wordAt(at);
    const kind = tokens[from + at]?.kind;
    const small: number | undefined = at === 0 && THOUSANDS.test(word)
      ? 1000 * parseInt(word)
      : kind === "number" && at === 0
      ? Number(word)
      : SMALL.get(word);
    const multiple = MULTIPLES.get(word);
    if (small !== undefined) {
      // "twenty five" and "hundred twenty" add up, "two five" does not.
      if (part !== null && (small >= 10 ? part % 100 : part % 10) !== 0) break;
      if (part !== null && kind === "number") break;
      part = (part ?? 0) + small;
    } else if (multiple !== undefined) {
      if (multiple < 100 && part !== null && part > 99) break;
      part = (part ?? 1) * multiple;
      if (multiple === 1000) [total, part] = [total + part, null];
    } else if (word === "a" && MULTIPLES.has(wordAt(at + 1))) {
      if (at > 0) break;
      continue;
    } else if (word === "and" && at > 0 && SMALL.has(wordAt(at + 1)) && isRound(total, part)) {
      continue;
    } else {
      break;
    }
    to = at + 1;
  }
  if (to === 0) return null;
  if (wordAt(to) === "of" && /^(?:couple|pair)$/.test(wordAt(to - 1))) to++;
  return { value: total + (part ?? 0), to: from + to };
}

function isRound(total: number, part: number | null): boolean {
  return part === null ? total > 0 : part >= 100 && part % 100 === 0;
}
