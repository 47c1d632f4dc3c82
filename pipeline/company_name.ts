/**
 * Whether two company names are the same company's, and which word says that they are not.
 *
 * @module
 */

import { type NameParts, type NameWord, parseName } from "./name_words.ts";
import { isOrdinary, isSlip } from "./spelling.ts";
import { listed, unquoted } from "./text.ts";

/** How a value compares with what is filed; `unknown` when one of them is blank. */
export const MATCHES = ["match", "close", "different", "unknown"] as const;
export type MatchResult = typeof MATCHES[number];

export interface NameComparison {
  result: MatchResult;
  /** What differs, in words, such as `'Brokerage' isn't in FMCSA's name`; null for a match. */
  reason: string | null;
}

/** One name compared with one. */
interface Compared {
  result: MatchResult;
  /** In words, with what to call the filed name. */
  reason: (label: string) => string | null;
  /** Words that only one of the names has. */
  apart: number;
}

/** Words of the given name, and what the filed one has in their place; one of them may be empty. */
interface Difference {
  given: readonly NameWord[];
  filed: readonly NameWord[];
}

/** Misspelled words in a name at most. */
const MAX_SLIPS = 2;
/** Names that one word of initials stands for at most. */
const MAX_INITIALS = 3;
/** Words listed in a reason. */
const MAX_LISTED = 3;

/**
 * Compares a name with the legal and the DBA name. `match`: the same words in the same order, apart from
 * punctuation, case, accents, abbreviations of the trade and a legal form on one side only. `close`: only
 * spelling, spaces, the order, the legal form or "and" differ, an initial stands for a first name, or the
 * legal and the DBA name are in one text. `different`: a word is added, missing or changed.
 */
export function compareName(
  given: string,
  { legal_name, dba_name }: { legal_name: string; dba_name?: string | null },
): NameComparison {
  const name = parseName(given);
  if (name === undefined) {
    const text = unquoted(given, 40);
    return { result: "unknown", reason: text === "" ? null : `'${text}' isn't a name` };
  }
  const [legal, dba] = [parseName(legal_name), parseName(dba_name ?? "")];
  const which = legal !== undefined && dba !== undefined;
  const filed = [
    ...legal === undefined ? [] : [{ parts: legal, label: which ? "legal name" : "name" }],
    ...dba === undefined ? [] : [{ parts: dba, label: which ? "DBA name" : "name" }],
  ];
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

/** Which words of two names are the same. */
class Pairing {
  readonly #given: readonly NameWord[];
  readonly #filed: readonly NameWord[];
  /** The place in the filed name for each given word; -1 for none, {@link TOGETHER} for several. */
  readonly #places: number[];
  readonly #taken: boolean[];

  constructor(given: readonly NameWord[], filed: readonly NameWord[]) {
    this.#given = given;
    this.#filed = filed;
    this.#places = given.map(() => NOWHERE);
    this.#taken = filed.map(() => false);
  }

  isAnyPaired(): boolean {
    return this.#taken.includes(true);
  }

  isInOrder(): boolean {
    const places = this.#places.filter((place) => place >= 0);
    return places.every((place, i) => i === 0 || place > places[i - 1]!);
  }

  left(): Difference {
    return {
      given: this.#given.filter((_, at) => this.#places[at] === NOWHERE),
      filed: this.#filed.filter((_, at) => !this.#taken[at]),
    };
  }

  /** Pairs the words left that pass a test, the ones at the same place first. */
  pair(isSame: (given: NameWord, filed: NameWord) => boolean): Difference[] {
    const { given, filed } = this.left();
    const pairs: Difference[] = [];
    const free = new Set(filed);
    for (const [at, word] of given.entries()) {
      const beside = filed[at];
      const other = beside !== undefined && free.has(beside) && isSame(word, beside)
        ? beside
        : filed.find((one) => free.has(one) && isSame(word, one));
      if (other === undefined) continue;
      free.delete(other);
      pairs.push({ given: [word], filed: [other] });
    }
    for (const { given, filed } of pairs) this.#take(given, filed);
    return pairs;
  }

  /** Takes all words left when they differ in spaces only. */
  pairJoined(): Difference[] {
    const left = this.left();
    const [a, b] = [left.given, left.filed].map(joinedText);
    if (a === "" || a !== b) return [];
    this.#take(left.given, left.filed);
    return [{ given: [asOneWord(left.given)], filed: [asOneWord(left.filed)] }];
  }

  /**
   * Takes initials of names on either side: J GARCIA for JOSE GARCIA, JL for JOSE LUIS. A word that tells
   * the company must be the same, and the name must be no ordinary word: B RIVER is not BLUE RIVER.
   */
  pairInitials(): Difference[] {
    const left = this.left();
    const { given, filed } = left;
    if (given.length === 0 || filed.length === 0 || !this.#sharesName()) return [];
    const isInitials = ([word, more]: readonly NameWord[], names: readonly NameWord[]): boolean =>
      word !== undefined && more === undefined && names.length <= MAX_INITIALS &&
      names.some(({ text }) => text.length > 2) &&
      names.every(({ text }) => !isOrdinary(text) && /^\p{L}+$/u.test(text)) &&
      word.text === names.map(({ text }) => text[0]).join("");
    if (!isInitials(given, filed) && !isInitials(filed, given)) return [];
    this.#take(given, filed);
    return [left];
  }

  #sharesName(): boolean {
    return this.#given.some(({ text }, at) =>
      this.#places[at] !== NOWHERE && text.length > 2 && !isOrdinary(text)
    );
  }

  #take(given: readonly NameWord[], filed: readonly NameWord[]): void {
    const one = given.length === 1 && filed.length === 1;
    for (const word of given) {
      this.#places[this.#given.indexOf(word)] = one ? this.#filed.indexOf(filed[0]!) : TOGETHER;
    }
    for (const word of filed) this.#taken[this.#filed.indexOf(word)] = true;
  }
}

const NOWHERE = -1;
const TOGETHER = -2;

/** The letters of words without spaces, which still part numbers. */
function joinedText(words: readonly NameWord[]): string {
  return words.map(({ text }) => text).join(" ").replace(/(?<!\d) | (?!\d)/g, "");
}

function asOneWord(words: readonly NameWord[]): NameWord {
  return { ...words[0]!, raw: words.map(({ raw }) => raw).join(" ") };
}
