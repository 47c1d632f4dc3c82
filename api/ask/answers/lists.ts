/**
 * Lists: the carriers of a name, a place or both.
 *
 * @module
 */

import { namesState } from "../../../pipeline/search/query/query.ts";
import { soughtText } from "../entities/sought.ts";
import { withTownWords } from "../entities/name_forms.ts";
import type { SearchList } from "../plan/whom/references.ts";
import { hasFirmWord } from "../tokens/vocabulary.ts";
import { type Found, isNearPlace, isOnFile, isSought } from "./fitting.ts";
import type { Budget, Searches } from "./resolution.ts";

/** What a search lists; `isPartly` if no carrier has all words of the name and is in the place. */
interface Listed {
  /** The place searched; without its last word if no carrier matches the whole place. */
  readonly place: string;
  readonly text: string;
  /** All that the search found, those that fit, and of these the ones of the status. */
  readonly found: readonly Found[];
  readonly near: readonly Found[];
  readonly all: Found[];
  readonly isPartly: boolean;
}

/** The carriers of a list, or those of the wider place where the first has none. */
export async function listedIn(list: SearchList, budget: Budget, by: Searches): Promise<Listed> {
  const { sought, wider } = list;
  const listed = await listedInAny(list, budget, by);
  return wider === undefined || !listed.isPartly
    ? listed
    : await listedInAny({ ...list, sought: { ...sought, place: wider } }, budget, by);
}

/** The carriers of a list, in any of its places. */
async function listedInAny(
  { sought, ...list }: SearchList,
  budget: Budget,
  by: Searches,
): Promise<Listed> {
  const each: Listed[] = [];
  for (const place of sought.place.split(" or ")) {
    each.push(await listedThere({ ...list, sought: { ...sought, place } }, budget, by));
  }
  if (each.length === 1) return each[0]!;
  const whole = each.filter(({ isPartly }) => !isPartly);
  const lists = whole.length > 0 ? whole : each;
  const { place } = sought;
  return {
    text: soughtText(sought),
    place,
    isPartly: whole.length === 0,
    found: lists.flatMap(({ found }) => found),
    near: lists.flatMap(({ near }) => near),
    all: lists.flatMap(({ all }) => all),
  };
}

/** The carriers in the place with each word of the name, if there are any. */
async function listedThere(
  { sought, status }: SearchList,
  budget: Budget,
  by: Searches,
): Promise<Listed> {
  const text = soughtText(sought);
  const whole =
    await by.search(soughtText({ ...sought, place: withTownWords(sought.place) }), budget) ??
      [];
  // "The Joliet paper: which companies are in Joliet".
  const searched =
    whole.length > 0 || sought.place === "" || sought.name === "" || hasFirmWord(sought.name)
      ? whole
      : await by.search(sought.place, budget) ?? [];
  // "Nogales Sonora": a region that FMCSA's records have by another name.
  const town = sought.place.split(" ").slice(0, -1).join(" ");
  const places = town === "" || sought.name === "" ? [] : [sought.place, town];
  const isThere = (place: string) => searched.some((one) => isSought(one, { ...sought, place }));
  const place = places.find(isThere) ?? sought.place;
  const fitting = searched.filter((one) => isSought(one, { ...sought, place }));
  // A search for "WA" also finds SAFE WAY.
  const isNone = fitting.length === 0 && sought.name === "" && namesState(place.toLowerCase());
  const found = isNone ? [] : searched;
  const isNarrow = sought.place !== "" || sought.inNames;
  const near = isNarrow && fitting.length > 0 ? fitting : found;
  const all = near.filter(({ active }) => status === undefined || active === (status === "active"));
  const hasPlace = (one: Found) => isOnFile(one, place) || isNearPlace(one, place);
  const isPartly = fitting.length === 0 &&
    (sought.name !== "" || sought.place !== "" && !found.some(hasPlace));
  return { text, found, near, all, place, isPartly };
}
