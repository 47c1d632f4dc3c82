/**
 * Whether a carrier that a search finds fits what was typed: its names, or its place.
 *
 * @module
 */

import type { z } from "zod";
import { isSameName } from "../../../pipeline/company_name.ts";
import { type NameParts, parseName } from "../../../pipeline/name_words.ts";
import { edits } from "../../../pipeline/spelling.ts";
import { stateCode } from "../../../pipeline/search/query/query.ts";
import { tokenize } from "../../../pipeline/search/shared/tokenizer.ts";
import type { Sought } from "../entities/entities.ts";
import { spellings, TO_PLACE, type TypedName, withTownWords } from "../entities/names.ts";
import type { SearchResult } from "../../operations/search.ts";

export type Found = z.infer<typeof SearchResult>;

export function hasLegalName({ name }: Found, wanted: TypedName): boolean {
  const own = filedNames({ name, dba_name: null });
  return spellings(wanted.name).some((one) =>
    own.some((filed) => isSameName(parseName(one), filed))
  );
}

/** The names of a carrier: both of a legal name such as "ROSS LLC DBA ROSS TOWING", too. */
export function filedNames({ name, dba_name }: Pick<Found, "name" | "dba_name">): NameParts[] {
  return [name, dba_name ?? ""].flatMap((one) => {
    const parts = parseName(one);
    return parts === undefined ? [] : parts.names.length > 1 ? [parts, ...parts.names] : [parts];
  });
}

/** Whether a text is made of one of the carrier's names and of its other name or its place: all of its words. */
export function isWhole(found: Found, text: string): boolean {
  const { city, state } = found;
  const names = filedNames(found).map(({ words }) => words.map(({ text }) => text));
  const own = new Set([...names.flat(), ...tokenize(`${city} ${state}`)]);
  const typed =
    parseName(text)?.words.map(({ text }) => text).filter((word) =>
      !TO_PLACE.test(word) && word !== "dba"
    ) ?? [];
  return names.some((words) => words.length > 1 && words.every((word) => typed.includes(word))) &&
    typed.every((word) => own.has(word) || stateCode(word) === state.toLowerCase());
}

/** Whether a carrier has a word of a text in its names, a long word with one slip. */
export function isNear({ name, dba_name }: Found, text: string): boolean {
  const own = tokenize(`${name} ${dba_name ?? ""}`).filter((word) => word.length > 3);
  return tokenize(text).some((word) =>
    own.some((one) => one === word || word.length > 4 && edits(one, word) <= 1)
  );
}

/** Whether a carrier is in the place and has each word of the name, a long one with one slip. */
export function isSought(found: Found, { name, place }: Sought): boolean {
  const own = tokenize(`${found.name} ${found.dba_name ?? ""}`);
  const words = withTownWords(tokenize(place).join(" "));
  return (words === "" || isInPlace(found, words)) &&
    tokenize(name).every((word) =>
      own.some((one) => one === word || word.length > 4 && edits(one, word) <= 1)
    );
}

/** Whether a carrier is in a place: "dallas", "dallas tx", "texas". */
export function isInPlace({ city, state }: Found, place: string): boolean {
  const town = withTownWords(tokenize(city).join(" "));
  const isState = (text: string): boolean => (stateCode(text) ?? text) === state.toLowerCase();
  return place === town || isState(place) ||
    place.startsWith(`${town} `) && isState(place.slice(town.length + 1));
}
