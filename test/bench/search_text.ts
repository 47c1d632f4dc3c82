/**
 * The text normalization of the search bench, independent of any engine.
 *
 * @module
 */

import WORDS from "./search_words.txt" with { type: "text" };

const [, STATES, ABBREVIATED] = WORDS.split(/\[\w+\]\n/) as [string, string, string];

/** Full names by code of the states and of the District of Columbia. */
export const STATE_NAMES: ReadonlyMap<string, string> = new Map(
  STATES.trim().split(/,\s/).map((item) => [item.slice(0, 2), item.slice(3)]),
);

/** Abbreviations that people write for a word. */
export const ABBREVIATIONS: ReadonlyMap<string, string[]> = new Map(
  ABBREVIATED.trim().split("\n").map((line) => {
    const [word, ...short] = line.split(" ");
    return [word!, short];
  }),
);

/** Folded words that don't identify a carrier. */
export const NOISE: ReadonlySet<string> = new Set(
  "llc inc corp co ltd lp llp pllc incorporated corporation company limited sa de cv the and of"
    .split(" "),
);

const LETTERS_OF_FORM = /\b(l l c|l l p|l p|p l l c|s a de c v)\b/g;

/**
 * Lowercase without accents; `&` becomes "and", apostrophes are removed, other punctuation separates words, and
 * a legal form in single letters is one word.
 */
export function fold(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()
    .replaceAll("&", " and ")
    .replace(/['’]/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .replace(
      LETTERS_OF_FORM,
      (form) => form === "s a de c v" ? "sa de cv" : form.replaceAll(" ", ""),
    );
}

/** The words of a folded text that carry meaning; all of them when none does. */
export function significant(folded: string): string[] {
  const words = folded.split(" ").filter((word) => word !== "");
  const kept = words.filter((word) => !NOISE.has(word));
  return kept.length > 0 ? kept : words;
}

const FORM_AT_END = new RegExp(
  `[\\s,]+(?:l[ .]*l[ .]*[cp]|l[ .]*p|p[ .]*l[ .]*l[ .]*c|s[ .]*a[ .]+de[ .]+c[ .]*v|${
    [...NOISE].join("|")
  })?[\\s,.]*$`,
  "i",
);

/** A lowercase name without its final legal forms. */
export function withoutForm(name: string): string {
  const shorter = name.toLowerCase().replace(FORM_AT_END, "");
  return shorter === name.toLowerCase() ? shorter : withoutForm(shorter);
}
