/**
 * Whether two names are the same but for spelling.
 *
 * @module
 */

import { contentLetters, isStopWord, tokenize } from "./tokenizer.ts";

/** How a value compares with what is filed; `unknown` when one of them is blank. */
export const MATCHES = ["match", "close", "different", "unknown"] as const;
export type MatchResult = typeof MATCHES[number];

// One spelling of each legal form.
export const FORMS: ReadonlyMap<string, string> = new Map([
  ["llc", "llc"],
  ["inc", "inc"],
  ["incorporated", "inc"],
  ["corp", "corp"],
  ["corporation", "corp"],
  ["co", "co"],
  ["company", "co"],
  ["ltd", "ltd"],
  ["limited", "ltd"],
  ["lp", "lp"],
  ["llp", "llp"],
  ["pllc", "pllc"],
]);

/**
 * Compares a name with the legal and the DBA name. Punctuation, case, accents, spacing, `&` for "and"
 * and a legal form on one side only make no difference. `close` is another legal form, another word
 * order, one or two letters, or a name of several words that is part of the other.
 */
export function compareName(
  given: string,
  { legal_name, dba_name }: { legal_name: string; dba_name?: string | null },
): MatchResult {
  const results = [legal_name, dba_name ?? ""].map((filed) => compareOne(given, filed));
  return best(results);
}

function compareOne(given: string, filed: string): MatchResult {
  const [a, b] = [tokenize(given), tokenize(filed)];
  if (a.length === 0 || b.length === 0) return "unknown";
  const [formA, formB] = [legalForm(given), legalForm(filed)];
  const [joinedA, joinedB] = [contentLetters(a), contentLetters(b)];
  if (joinedA === joinedB) {
    return formA === "" || formB === "" || formA === formB ? "match" : "close";
  }
  const [wordsA, wordsB] = [a, b].map((words) => words.filter((word, at) => !isStopWord(word, at)));
  if (wordsA!.toSorted().join(" ") === wordsB!.toSorted().join(" ")) return "close";
  const [short, long] = [new Set(wordsA), new Set(wordsB)].sort((x, y) => x.size - y.size);
  if (short!.size >= 2 && short!.isSubsetOf(long!)) return "close";
  return edits(joinedA, joinedB) <= slips(joinedA, joinedB) ? "close" : "different";
}

/** The legal form in a name, one spelling each: `inc`, `llc`; empty for none. */
export function legalForm(name: string): string {
  return tokenize(name).flatMap((word) => FORMS.get(word) ?? []).join(" ");
}

/** Letters that may differ in texts of this length. */
export function slips(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  return length < 5 ? 0 : length < 10 ? 1 : 2;
}

/** Letters to add, drop, replace or swap with a neighbor; 3 for 3 and more. */
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

export function best(results: readonly MatchResult[]): MatchResult {
  return (["match", "close", "different"] as const).find((one) => results.includes(one)) ??
    "unknown";
}
