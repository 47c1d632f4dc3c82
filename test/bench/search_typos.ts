/**
 * Slips of the keyboard, drawn at random.
 *
 * @module
 */

import type { Random } from "../synthetic/random.ts";

/** The shortest word that gets two. */
const LEAST_LETTERS_FOR_TWO = 8;
/** Two typos in one word stand this far apart, so that the second cannot undo the first. */
const APART = 3;

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const KINDS = ["insert", "delete", "substitute", "transpose"] as const;

/** A word with one letter inserted, deleted, substituted or two neighbours transposed at `at`. */
function slip(word: string, at: number, random: Random): string {
  const before = word.slice(0, at);
  const here = word[at]!;
  const after = word.slice(at + 1);
  for (;;) {
    const letter = LETTERS[random.below(LETTERS.length)]!;
    const kind = KINDS[random.below(KINDS.length)]!;
    if (kind === "insert") return before + letter + here + after;
    if (kind === "delete") return before + after;
    if (kind === "substitute" && letter !== here) return before + letter + after;
    if (kind === "transpose" && after !== "" && after[0] !== here) {
      return before + after[0] + here + after.slice(1);
    }
  }
}

/**
 * Words with one typo, or with two: in one word of eight letters or more, or in two words. Each letter
 * is as likely to be hit as any other, the first ones too.
 *
 * @param words In lower case.
 * @param may Whether the word at a place may be hit; shorter ones than four letters never are.
 * @returns The words, or null when they have no room for the typos.
 */
export function withTypos(
  words: readonly string[],
  count: 1 | 2,
  { random, may }: { random: Random; may: (at: number) => boolean },
): string[] | null {
  const open = (at: number): boolean => /^[a-z]{4,}$/.test(words[at]!) && may(at);
  const places = words.flatMap((word, at) =>
    open(at) ? Array.from({ length: word.length }, (_, letter) => ({ at, letter })) : []
  );
  if (places.length === 0) return null;
  const typed = [...words];
  const first = places[random.below(places.length)]!;
  if (count === 2) {
    const second = places.filter(({ at, letter }) =>
      at !== first.at ||
      words[at]!.length >= LEAST_LETTERS_FOR_TWO && Math.abs(letter - first.letter) >= APART
    );
    if (second.length === 0) return null;
    // The later place first: it leaves the place of the earlier one where it is.
    const two = [first, second[random.below(second.length)]!];
    two.sort((a, b) => a.at - b.at || b.letter - a.letter);
    for (const { at, letter } of two) typed[at] = slip(typed[at]!, letter, random);
  } else {
    typed[first.at] = slip(typed[first.at]!, first.letter, random);
  }
  return typed;
}
