/**
 * Compares company names, and says which words differ.
 *
 * @module
 */

import { type Difference, Pairing } from "./name_pairing.ts";
import { type NameParts, type NameWord, parseName } from "./name_words.ts";
import { isSlip } from "./spelling.ts";
import { listed, unquoted } from "./text.ts";

/** How a given value compares with the filed one; `unknown` when either is blank. */
export const MATCHES = ["match", "close", "different", "unknown"] as const;
export type MatchResult = typeof MATCHES[number];

export interface NameComparison {
  result: MatchResult;
  /** What differs, for people: `'Brokerage' isn't in FMCSA's name`; null for a match. */
  reason: string | null;
}

/** The names in a carrier's record. */
interface FiledNames {
  legal_name: string;
  dba_name?: string | null;
}

/** The result of comparing a given name with one filed name. */
interface Compared {
  result: MatchResult;
  /** What differs, for people. `label` is what to call the filed name. */
  reason: (label: string) => string | null;
  /** Number of words that only one of the names has. */
  apart: number;
}

/** Maximum number of misspelled words in a name that is `close`. */
const MAX_SLIPS = 2;
/** Maximum number of words listed in a reason. */
const MAX_LISTED = 3;

/**
 * Compares a name with a carrier's legal and DBA names, and returns the better result.
 *
 * - `match`: the same words in the same order, ignoring punctuation, case, accents, trade abbreviations, and a
 *   legal form that only one of the names has.
 * - `close`: only spelling, spaces, order, legal form or "and" differ, an initial stands for a first name, or the
 *   legal and DBA names are written as one.
 * - `different`: a word is added, missing or changed.
 */
export function compareName(given: string, filed: FiledNames): NameComparison {
  return nameComparer(filed)(given);
}

/** {@link compareName} for many names: parses the carrier's names only once. */
export function nameComparer(
  { legal_name, dba_name }: FiledNames,
): (given: string) => NameComparison {
  const [legal, dba] = [parseName(legal_name), parseName(dba_name ?? "")];
  const which = legal !== undefined && dba !== undefined;
  const filed = [
    ...legal === undefined ? [] : [{ parts: legal, label: which ? "legal name" : "name" }],
    ...dba === undefined ? [] : [{ parts: dba, label: which ? "DBA name" : "name" }],
  ];
  return (given) => compareWith(filed, given);
}

function compareWith(
  filed: readonly { parts: NameParts; label: string }[],
  given: string,
): NameComparison {
  const name = parseName(given);
  if (name === undefined) {
    const text = unquoted(given, 40);
    return { result: "unknown", reason: text === "" ? null : `'${text}' isn't a name` };
  }
  if (filed.length === 0) {
    return { result: "unknown", reason: "FMCSA has no name to compare with" };
  }
  const compared = filed.map(({ parts, label }) => ({ ...compareWords(name, parts), label }));
  compared.sort((a, b) => rank(a.result) - rank(b.result) || a.apart - b.apart);
  const [nearest] = compared;
  if (nearest!.result === "different") {
    const combined = combinedReason(name, filed.map(({ parts }) => parts));
    if (combined !== undefined) return { result: "close", reason: combined };
  }
  return { result: nearest!.result, reason: nearest!.reason(nearest!.label) };
}

/** Whether {@link compareName} would return `match`. Faster, because it does not work out what differs. */
export function isSameName(given: NameParts | undefined, filed: NameParts | undefined): boolean {
  return given !== undefined && filed !== undefined &&
    given.words.length === filed.words.length &&
    given.words.every(({ text, meanings }, at) => {
      const other = filed.words[at]!;
      return text === other.text || meanings.some((one) => other.meanings.includes(one));
    }) &&
    compareWords(given, filed).result === "match";
}

/** The best of several results. */
export function best(results: readonly MatchResult[]): MatchResult {
  return (["match", "close", "different"] as const).find((one) => results.includes(one)) ??
    "unknown";
}

function rank(result: MatchResult): number {
  return MATCHES.indexOf(result);
}

/**
 * The reason when the given name combines the legal and the DBA name, or is one of two names in a filed one.
 */
function combinedReason(name: NameParts, filed: readonly NameParts[]): string | undefined {
  const isNear = (parts: NameParts): boolean => compareWords(name, parts).result !== "different";
  const [legal, other = name.names.length > 1 ? legal : undefined] = filed;
  if (other !== undefined && isNear(combinedParts(legal!, other))) {
    return "The legal and the DBA name in one";
  }
  const isPart = filed.some(({ names }) => names.length > 1 && names.some(isNear));
  return isPart ? "One of the two names in FMCSA's name" : undefined;
}

function combinedParts(a: NameParts, b: NameParts): NameParts {
  return {
    // Copied, because `a` and `b` may be the same name, and `Pairing` compares words by identity.
    words: [...a.words, ...b.words].map((word) => ({ ...word })),
    fillers: [...a.fillers, ...b.fillers],
    forms: [...a.forms, ...b.forms],
    names: [a, b],
  };
}

function compareWords(given: NameParts, filed: NameParts): Compared {
  const pairing = new Pairing(given.words, filed.words);
  pairing.pair((a, b) => a.text === b.text);
  pairing.pair((a, b) => a.meanings.some((meaning) => b.meanings.includes(meaning)));
  const sharesWord = pairing.isAnyPaired();
  const differences = [...pairing.pairJoined(), ...pairing.pairInitials()];
  const slips = pairing.pair((a, b) =>
    a.meanings.some((one) => b.meanings.some((other) => isSlip(one, other)))
  );
  if (slips.length <= MAX_SLIPS) {
    differences.push(...slips, ...pairing.pairJoined(), ...pairing.pairInitials());
  }
  const left = pairing.left();
  const apart = left.given.length + left.filed.length;
  if (apart > 0 || slips.length > MAX_SLIPS) {
    const all = { given: wordsOf(slips, "given", left), filed: wordsOf(slips, "filed", left) };
    return {
      result: "different",
      reason: (label) =>
        sharesWord ? differenceWords(all, label) : `No word is the same as in FMCSA's ${label}`,
      apart,
    };
  }
  const extra = {
    given: without(given.fillers, filed.fillers),
    filed: without(filed.fillers, given.fillers),
  };
  const isOther = isOtherForm(given.forms, filed.forms);
  if (isOther) differences.push({ given: given.forms, filed: filed.forms });
  if (extra.given.length + extra.filed.length > 0) differences.push(extra);
  if (differences.length === 0 && pairing.isInOrder()) {
    return { result: "match", reason: () => null, apart };
  }
  const [first] = differences;
  return {
    result: "close",
    reason: (label) =>
      first === undefined ? "The same words in another order" : differenceWords(first, label),
    apart,
  };
}

function wordsOf(
  slips: readonly Difference[],
  side: keyof Difference,
  left: Difference,
): NameWord[] {
  return [...slips.length > MAX_SLIPS ? slips.flatMap((one) => one[side]) : [], ...left[side]];
}

/** Examples: `'Smith' where FMCSA has 'SMYTH'`, `'Brokerage' isn't in FMCSA's name`. */
function differenceWords({ given, filed }: Difference, label: string): string {
  const [typed, own] = [given, filed].map(quotedWords);
  if (filed.length === 0) {
    return `${typed} ${given.length > 1 ? "aren't" : "isn't"} in FMCSA's ${label}`;
  }
  if (given.length === 0) return `FMCSA's ${label} also has ${own}`;
  return `${typed} where FMCSA has ${own}`;
}

function quotedWords(words: readonly NameWord[]): string {
  const quoted = words.slice(0, MAX_LISTED).map(({ raw }) => `'${unquoted(raw, 40)}'`);
  const more = words.length - quoted.length;
  return listed(more > 0 ? [...quoted, `${more} more`] : quoted);
}

/** Whether each name has a legal form that the other lacks. True for LLC and INC, false for INC and CO INC. */
function isOtherForm(a: readonly NameWord[], b: readonly NameWord[]): boolean {
  return without(a, b).length > 0 && without(b, a).length > 0;
}

function without(words: readonly NameWord[], others: readonly NameWord[]): NameWord[] {
  const rest = others.map(({ text }) => text);
  return words.filter(({ text }) => {
    const at = rest.indexOf(text);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
}
