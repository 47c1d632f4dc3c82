/**
 * Decides whether one word is a misspelling of another.
 *
 * @module
 */

import COMMON_WORDS from "./common_words.txt" with { type: "text" };

// Shorter words are initials, or too similar to too many others: N & P is not T & V.
const SHORTEST = 4;
/** In words of at least this length, two letters may differ. */
const LONG = 8;
/** In words of at least this length, the first letter may differ. */
const FIRST_LETTER = 7;
/** Longer words are never misspellings, which bounds the cost. */
const LONGEST = 40;

const LETTERS = /^\p{L}+$/u;

const SECTIONS = new Map(
  COMMON_WORDS.split(/^= /m).slice(1).map((section) => {
    const [title = "", ...lines] = section.split("\n");
    const words = lines.filter((line) => !line.startsWith("#")).join(" ").split(/\s+/);
    return [title, new Set(words)];
  }),
);
const ORDINARY = SECTIONS.get("ordinary")!;
const FIRST_NAMES = SECTIONS.get("first names")!;
const COMMON = [...SECTIONS.values()].reduce((all, words) => all.union(words));

/** Whether a word is an ordinary one, such as "blue" or "freight", and not also a first name. */
export function isOrdinary(word: string): boolean {
  return ORDINARY.has(word) && !FIRST_NAMES.has(word);
}

/**
 * Whether two lowercase words differ only by a misspelling or a plural: one letter added, dropped, replaced or swapped
 * with its neighbor, or two in long words. Two common words are different words, and digits are never misspelled.
 */
export function isSlip(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (long.length > LONGEST || !LETTERS.test(a) || !LETTERS.test(b)) return false;
  if (long === `${short}s` || long === `${short}es`) return short.length >= 3;
  const common = [a, b].filter((word) => COMMON.has(word)).length;
  if (short.length < SHORTEST || common === 2) return false;
  const distance = edits(a, b);
  if (distance > (short.length >= LONG ? 2 : 1)) return false;
  const isSwap = distance === 1 && a.length === b.length && sorted(a) === sorted(b);
  if (isSwap) return true;
  // In four letters, a replaced letter makes another name: VEGA and VERA.
  if (long.length === SHORTEST) return false;
  // Two uncommon names that differ in the first letter, such as KOWAL and NOWAL, are different names.
  return a[0] === b[0] || distance === 1 && (common === 1 || long.length >= FIRST_LETTER);
}

function sorted(word: string): string {
  return [...word].sort().join("");
}

/** Edit distance: the number of letters to add, drop, replace or swap with a neighbor, at most 3. */
export function edits(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      let least = Math.min(
        above[j]! + 1,
        row[j - 1]! + 1,
        above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, before[j - 2]! + 1);
      }
      row.push(least);
    }
    [before, above] = [above, row];
  }
  return Math.min(3, above[b.length]!);
}
