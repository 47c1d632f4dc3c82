/**
 * Whether a carrier that a search finds fits what was typed: its names, or its place.
 *
 * @module
 */

import type { z } from "zod";
import { isSameName } from "../../../pipeline/company_name.ts";
import { legalForm, type NameParts, parseName } from "../../../pipeline/name_words.ts";
import { edits, isOrdinary, isSlip } from "../../../pipeline/spelling.ts";
import { STATE_LETTERS, stateCode } from "../../../pipeline/search/query/query.ts";
import { tokenize } from "../../../pipeline/search/shared/tokenizer.ts";
import type { Sought } from "../entities/sought.ts";
import { spellings, withTownWords } from "../entities/name_forms.ts";
import { TO_PLACE, type TypedName } from "../entities/names.ts";
import { isSpelled } from "../tokens/respelled.ts";
import { FIRM_WORD } from "../tokens/vocabulary.ts";
import type { SearchResult } from "../../operations/search.ts";

export type Found = z.infer<typeof SearchResult>;

type Named = Pick<Found, "name" | "dba_name">;

export function hasLegalName({ name }: Found, wanted: TypedName): boolean {
  const own = filedNames({ name, dba_name: null });
  return spellings(wanted.name).map(parseName).some((given) =>
    own.some((filed) => isSameName(given, filed))
  );
}

/** The names of a carrier: both of a legal name such as "ROSS LLC DBA ROSS TOWING", too. */
export function filedNames({ name, dba_name }: Named): NameParts[] {
  return [name, dba_name ?? ""].flatMap((one) => {
    const parts = parseName(one);
    return parts === undefined ? [] : parts.names.length > 1 ? [parts, ...parts.names] : [parts];
  });
}

/** The only carrier of which a text has one whole name and else only words of its other name or its place. */
export function onlyWhole(found: readonly Found[], text: string): Found | undefined {
  const typed = (parseName(text)?.words ?? []).map(({ text }) => text)
    .filter((word, at, all) => isOfPlace(word, at, all) && word !== "dba");
  const [whole, ...more] = found.filter((one) => {
    const { city, state } = one;
    const names = filedNames(one).map(({ words }) => words.map(({ text }) => text))
      // "Vladimir Young" of VLADIMIR G YOUNG.
      .flatMap((words) => [words, words.filter(({ length }) => length > 1)]);
    const own = new Set([...names.flat(), ...tokenize(`${city} ${state}`)]);
    // In its order: "Truck Lines Charlotte" is not CHARLOTTE TRUCK LINES.
    return names.some((words) =>
      words.length > 1 && ` ${typed.join(" ")} `.includes(` ${words.join(" ")} `)
    ) &&
      typed.every((word) => own.has(word) || stateCode(word) === state.toLowerCase());
  });
  return more.length === 0 ? whole : undefined;
}

/**
 * The only carrier found whose names have every word of a text, spelled the same, or else whose names have those
 * apart from its place: "Klein & Sons", "Burns and Sons Whiteburg", "Cunningham in Amarillo TX". One word of the
 * names has to be telling, or two of a name behind which the place stands, or one in capitals before "in" a city.
 */
export function onlyHolder(
  found: readonly Found[],
  text: string,
  { marked = true }: { marked?: boolean | undefined } = {},
): Found | undefined {
  const words = tokenize(withTownWords(text));
  // "Blevins wv", but not "penalties in ohio".
  const isTelling = (word: string): boolean =>
    word.length >= TELLING && !FIRM_WORD.test(word) && !isOrdinary(word) &&
    (marked || !isSpelled(word));
  // One word in lower case may be any.
  const isRare = isRareWord(text);
  const isOne = words.length === 1 && !/^\p{Lu}\p{Ll}/u.test(text) && !isRare;
  if (isOne) return undefined;
  const named = !marked && !isRare
    ? []
    : found.filter((one) => hasOf(one, words, isTelling) && hasExactly(one, words));
  const there = (): Found[] =>
    found.filter((one) => {
      const name = nameBefore(one, words);
      const own = name.filter((word) => !FIRM_WORD.test(word) && word.length > 1);
      const isOfCity = /^\p{Lu}/u.test(text) &&
        TO_PLACE.test(words[name.length] ?? "") && words.includes(tokenize(one.city)[0] ?? "");
      return name.length < words.length && hasExactly(one, name) &&
        (hasOf(one, name, isTelling) || marked && own.length > (isOfCity ? 0 : 1));
    });
  const [one, ...more] = named.length > 0 ? named : there();
  return more.length === 0 ? one : undefined;
}

/** Whether a carrier has words, spelled the same, in its names. */
export function hasExactly(named: Named, words: readonly string[]): boolean {
  const own = ownWords(named);
  return words.every((word) => own.includes(word));
}

/** Whether the names of a carrier have a word of such a kind. */
function hasOf(named: Named, words: readonly string[], isKind: (word: string) => boolean): boolean {
  return ownWords(named).some((word) => isKind(word) && words.includes(word));
}

/** Words without the carrier's place at their end: "delta gear boys out of south dakota". */
function nameBefore(found: Found, words: readonly string[]): readonly string[] {
  const at = words.findIndex((_, at) => at > 0 && isInPlace(found, words.slice(at).join(" ")));
  let end = at < 0 ? words.length : at;
  const isLink = (word: string): boolean =>
    TO_PLACE.test(word) || /^(?:boys|guys|folks|people|bunch)$/.test(word);
  while (at >= 0 && end > 1 && isLink(words[end - 1]!)) end--;
  return words.slice(0, end);
}

/** Whether a text is one word as long and rare as "kamonega". */
export function isRareWord(text: string): boolean {
  return /^\p{L}\p{Ll}{6,}$/u.test(text) && !isSpelled(text) && !isOrdinary(text) &&
    !FIRM_WORD.test(text);
}

/** Letters of a word that few names share. */
const TELLING = 5;

/** Whether a text only leaves out words of the carrier's names: "Lightning Range" for LIGHTNING RANGE FREIGHT LINES. */
export function isPartOfName(text: string, named: Named): boolean {
  return tokenize(text).length > 1 && hasWords(named, text);
}

/** Whether a carrier nearly has a word of a text that tells one name from another, if the text has any. */
export function sharesName(found: Found, text: string): boolean {
  const own = ownWords(found);
  // "Lonestar" in LONE STAR.
  const parts = [...own, ...own.map((word, at) => word + (own[at + 1] ?? ""))];
  const isAmong = (all: readonly string[], word: string): boolean =>
    all.some((one) => one === word || edits(one, word) <= (word.length > 4 ? 2 : 1));
  const town = tokenize(found.city);
  const words = tokenize(text).filter((word) =>
    word.length > 2 && !FIRM_WORD.test(word) && legalForm(word) === "" && !TO_PLACE.test(word) &&
    !isAmong(town, word) && stateCode(word) !== found.state.toLowerCase()
  );
  return words.length === 0 || words.some((word) => isAmong(parts, word));
}

/** Whether a carrier has all words of a text in its names but for slips: not "Terry Walker" in JERRY WALKER. */
export function hasWordsMeant(named: Named, text: string): boolean {
  const own = ownWords(named);
  return tokenize(text.replaceAll(/['’]s\b/gi, "")).every((word) =>
    own.some((one) => one === word || isSlip(one, word))
  );
}

/** Whether a carrier has all words of a text in its names. */
export function hasWords(named: Named, text: string): boolean {
  return hasEach(ownWords(named), tokenize(text));
}

/** Whether a text is a carrier's place, or all its words are in the names and the place. */
export function isOnFile(found: Named & Pick<Found, "city" | "state">, text: string): boolean {
  const words = tokenize(text);
  const own = [...ownWords(found), ...tokenize(found.city)];
  return isInPlace(found, words.join(" ")) ||
    words.length > 0 && words.every((word) => word.length > 1 && hasNearly(own, word));
}

/** Whether a carrier has all words of a text in its names and its place, and one in its names. */
export function hasAll(found: Found, text: string): boolean {
  const own = ownWords(found);
  const all = [...own, ...tokenize(`${found.city} ${found.state}`)];
  const words = tokenize(text);
  return words.some((word) => hasNearly(own, word)) && hasEach(all, words);
}

/** Whether each word matches a different one, allowing a typo: not "William Williams" in JOHN WILLIAMS. */
function hasEach(own: readonly string[], words: readonly string[]): boolean {
  const left = [...own];
  return words.every((word) => {
    const exact = left.indexOf(word);
    const at = exact >= 0 ? exact : left.findIndex((one) => hasNearly([one], word));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

/** Whether a carrier has a word of a text in its names, a long word with one slip. */
export function isNear(found: Found, text: string): boolean {
  const own = ownWords(found).filter((word) => word.length > 2 && legalForm(word) === "");
  return tokenize(text).some((word) => hasNearly(own, word));
}

/** Whether a carrier is in the place and has each word of the name, a long one with one slip. */
export function isSought(found: Found, { name, place, inNames }: Sought): boolean {
  const inPlace = place === "" && !inNames ? tokenize(`${found.city} ${found.state}`) : [];
  const own = [...ownWords(found), ...inPlace];
  const words = withTownWords(tokenize(place).join(" "));
  return (words === "" || isInPlace(found, words)) &&
    tokenize(name).every((word) =>
      hasNearly(own, word) || place === "" && stateCode(word) === found.state.toLowerCase()
    );
}

function ownWords({ name, dba_name }: Named): string[] {
  return tokenize(`${name} ${dba_name ?? ""}`);
}

/** Whether a word is among others, a long one with one slip. */
function hasNearly(own: readonly string[], word: string): boolean {
  return own.some((one) => one === word || word.length > 4 && edits(one, word) <= 1);
}

/** The words of a place without those before it, but with its state: "out of wilmington de". */
export function placeWords(place: string): string[] {
  return tokenize(place).filter(isOfPlace);
}

function isOfPlace(word: string, at: number, all: readonly string[]): boolean {
  return !TO_PLACE.test(word) || at > 0 && at === all.length - 1 && STATE_LETTERS.has(word);
}

/** Whether a carrier is in a place, but for a slip: "phar tx". */
export function isNearPlace(
  { city, state }: Pick<Found, "city" | "state">,
  place: string,
): boolean {
  const town = tokenize(city);
  const words = placeWords(place);
  return words.length > 0 &&
    words.every((word) =>
      isState(word, state) ||
      town.some((one) => one === word || word.length > 3 && edits(one, word) <= 1)
    ) && words.some((word) => !isState(word, state));
}

/** Whether a carrier is in a place: "dallas", "dallas tx", "texas". */
export function isInPlace(
  { city, state }: Pick<Found, "city" | "state">,
  place: string,
): boolean {
  const town = withTownWords(tokenize(city).join(" "));
  return place === town || isState(place, state) || isTownOfState(place, { town, state });
}

/** Whether a tokenized place is a town with its state behind it. */
export function isTownOfState(
  place: string,
  { town, state }: { town: string; state: string },
): boolean {
  return place.startsWith(`${town} `) && isState(place.slice(town.length + 1), state);
}

function isState(text: string, state: string): boolean {
  return (stateCode(text) ?? text) === state.toLowerCase();
}
