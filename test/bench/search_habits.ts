/**
 * How people write a name: typos, misplaced spaces, abbreviations, different punctuation.
 *
 * @module
 */

import type { Random } from "../synthetic/random.ts";
import { ABBREVIATIONS, fold } from "./search_text.ts";

/** Distance between typos in one word, so that one cannot undo another. */
const APART = 3;

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];
const EDITS = ["insert", "delete", "substitute", "transpose"] as const;

/** A word of 4 letters gets one typo at most, one of 7 two, one of 11 three. */
function mostTypos(word: string): number {
  return Math.floor((word.length + 1) / 4);
}

/**
 * Words with a number of typos. Each letter is equally likely to be changed, including the first.
 *
 * @param words In lower case.
 * @param may Whether a word may be changed. Words of fewer than four letters never are.
 * @returns The words, or null when they are too short for the typos.
 */
export function withSlips(
  words: readonly string[],
  count: number,
  { random, may = () => true }: { random: Random; may?: (word: string) => boolean },
): string[] | null {
  let places = words.flatMap((word, at) =>
    /^[a-z]{4,}$/.test(word) && may(word)
      ? Array.from({ length: word.length }, (_, letter) => ({ at, letter }))
      : []
  );
  const chosen: typeof places = [];
  while (chosen.length < count) {
    if (places.length === 0) return null;
    const next = random.one(places);
    chosen.push(next);
    const isFull = chosen.filter(({ at }) => at === next.at).length === mostTypos(words[next.at]!);
    places = places.filter(({ at, letter }) =>
      at !== next.at || !isFull && Math.abs(letter - next.letter) >= APART
    );
  }
  const typed = [...words];
  // Last position first: it leaves earlier positions unchanged.
  chosen.sort((a, b) => b.letter - a.letter);
  for (const { at, letter } of chosen) typed[at] = withEdit(typed[at]!, letter, random);
  return typed;
}

/** A word with one edit at `at`. */
function withEdit(word: string, at: number, random: Random): string {
  const before = word.slice(0, at);
  const here = word[at]!;
  const after = word.slice(at + 1);
  for (;;) {
    const letter = random.one(LETTERS);
    const kind = random.one(EDITS);
    if (kind === "insert") return before + letter + here + after;
    if (kind === "delete") return before + after;
    if (kind === "substitute" && letter !== here) return before + letter + after;
    if (kind === "transpose" && after !== "" && after[0] !== here) {
      return before + after[0] + here + after.slice(1);
    }
  }
}

/** A name with a space removed, inserted into a word of six letters or more, or moved by one letter. */
export function withWrongBlank(words: readonly string[], random: Random): string | null {
  const change = random.below(3);
  if (change === 0 || words.length === 1) {
    const long = words.flatMap((word, at) => /^[a-z]{6,}$/.test(word) ? [at] : []);
    if (long.length === 0) return null;
    const at = random.one(long);
    const cut = 2 + random.below(words[at]!.length - 3);
    return words.with(at, `${words[at]!.slice(0, cut)} ${words[at]!.slice(cut)}`).join(" ");
  }
  const at = random.below(words.length - 1);
  const [a, b] = [words[at]!, words[at + 1]!];
  if (!/^[a-z]{3,} [a-z]{3,}$/.test(`${a} ${b}`)) return null;
  const both = change === 1 ? a + b : `${a}${b[0]} ${b.slice(1)}`;
  return words.toSpliced(at, 2, both).join(" ");
}

/** The words with one abbreviated. */
export function abbreviated(words: readonly string[], random: Random): string | null {
  const hit = words.flatMap((word, at) => ABBREVIATIONS.has(word) ? [at] : []);
  if (hit.length === 0 || words.length < 2) return null;
  const at = random.one(hit);
  return words.with(at, random.one(ABBREVIATIONS.get(words[at]!)!)).join(" ");
}

/** A name with its "and" written differently. */
export function withOtherAnd(bare: string, random: Random): string | null {
  if (!/ (?:and|&) /.test(bare)) return null;
  const others = [" and ", " & ", "&", " "].filter((sign) => !bare.includes(sign) || sign === " ");
  return bare.replace(/ (?:and|&) /, random.one(others));
}

/** Leading initials written differently: "j b", "jb", "j.b.", and "kj" for "k & j". */
export function withOtherInitials(bare: string, random: Random): string | null {
  const [, a, b] = /^([a-z])(?: (?:& |and )?| ?& ?)?([a-z])(?= )/.exec(bare) ?? [];
  if (a === undefined) return null;
  const ways = [`${a}${b}`, `${a} ${b}`, `${a}.${b}.`, `${a}. ${b}.`];
  return random.one(ways.filter((way) => !bare.startsWith(`${way} `))) +
    bare.replace(/^[a-z](?: (?:& |and )?| ?& ?)?[a-z](?= )/, "");
}

/** Punctuation and words that people write differently. */
const CHANGES: readonly (readonly [pattern: RegExp, by: readonly string[]])[] = [
  [/(?<=\w)\.(?=\s|$)/g, [""]],
  [/,(?=\s)/g, [""]],
  [/ & /g, [" and ", "&", " &"]],
  [/ AND /g, [" & ", " &"]],
  [/'S\b/g, ["s", "’s"]],
  [/(?<=\w)'(?=\w)/g, ["", "’"]],
  [/(?<=\w)-(?=\w)/g, [" ", " - "]],
  [/(?<=\w)\/(?=\w)/g, [" ", " / ", "-"]],
  [/ L L C$/g, [" llc", ", l.l.c."]],
  [/ L\.L\.C$/g, [" llc", " l l c"]],
  [/ LLC$/g, [", llc", " l.l.c.", " l l c"]],
  [/ INC$/g, [", inc.", " inc."]],
  [/ CORP$/g, [", corp.", " corp."]],
];

/** A name with its punctuation written differently; null if nothing changes, or if its letters would change. */
export function punctuated(name: string, random: Random): string | null {
  let text = name.toUpperCase();
  for (const [pattern, by] of CHANGES) text = text.replace(pattern, random.one(by));
  const query = text.toLowerCase();
  const letters = (it: string): string => fold(it).replaceAll(" ", "");
  return query === name.toLowerCase() || letters(query) !== letters(name) ? null : query;
}
