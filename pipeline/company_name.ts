/**
 * Whether two company names are the same company's, and which word says that they are not.
 *
 * @module
 */

import { type Difference, Pairing } from "./name_pairing.ts";
import { type NameParts, type NameWord, parseName } from "./name_words.ts";
import { isSlip } from "./spelling.ts";
import { listed, unquoted } from "./text.ts";

/** How a value compares with what is filed; `unknown` when one of them is blank. */
export const MATCHES = ["match", "close", "different", "unknown"] as const;
export type MatchResult = typeof MATCHES[number];

export interface NameComparison {
  result: MatchResult;
  /** What differs, in words, such as `'Brokerage' isn't in FMCSA's name`; null for a match. */
  reason: string | null;
}

/** The names in a carrier's record. */
interface FiledNames {
  legal_name: string;
  dba_name?: string | null;
}

/** One name compared with one. */
interface Compared {
  result: MatchResult;
  /** In words, with what to call the filed name. */
  reason: (label: string) => string | null;
  /** Words that only one of the names has. */
  apart: number;
}

/** Misspelled words in a name at most. */
const MAX_SLIPS = 2;
/** Words listed in a reason. */
const MAX_LISTED = 3;

/**
 * Compares a name with the legal and the DBA name. `match`: the same words in the same order, apart from
 * punctuation, case, accents, abbreviations of the trade and a legal form on one side only. `close`: only
 * spelling, spaces, the order, the legal form or "and" differ, an initial stands for a first name, or the
 * legal and the DBA name are in one text. `different`: a word is added, missing or changed.
 */
export function compareName(given: string, filed: FiledNames): NameComparison {
  return nameComparer(filed)(given);
}

/** {@link compareName} of many names with those of one carrier, which are parsed once. */
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

/** Whether a name matches one that is filed, as {@link compareName} says, without working out what differs. */
export function isSameName(given: NameParts | undefined, filed: NameParts | undefined): boolean {
  return given !== undefined && filed !== undefined &&
    given.words.length === filed.words.length &&
    given.words.every(({ text, meanings }, at) => {
      const other = filed.words[at]!;
      return text === other.text || meanings.some((one) => other.meanings.includes(one));
    }) &&
    compareWords(given, filed).result === "match";
}

/** Of several results the best. */
export function best(results: readonly MatchResult[]): MatchResult {
  return (["match", "close", "different"] as const).find((one) => results.includes(one)) ??
    "unknown";
}

function rank(result: MatchResult): number {
  return MATCHES.indexOf(result);
}

/** Why a name is close to the legal and the DBA name in one text, or to one name of such a text. */
function combinedReason(name: NameParts, filed: readonly NameParts[]): string | undefined {
  const isNear = (parts: NameParts): boolean => compareWords(name, parts).result !== "different";
  const [legal, other = name.names.length > 1 ? legal : undefined] = filed;
  if (other !== undefined && isNear(together(legal!, other))) {
    return "The legal and the DBA name in one";
  }
  const isPart = filed.some(({ names }) => names.length > 1 && names.some(isNear));
  return isPart ? "One of the two names in FMCSA's name" : undefined;
}

function together(a: NameParts, b: NameParts): NameParts {
  return {
    // A name may be taken twice, and words are told apart by identity.
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

/** `'Smith' where FMCSA has 'SMYTH'`, `'Brokerage' isn't in FMCSA's name`. */
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

/** Whether each name has a legal form that the other has not: LLC for INC, but not INC for CO INC. */
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
