/**
 * From a name as it is typed to its carrier, or to those that it may be of.
 *
 * @module
 */

import { tokenize } from "../../../pipeline/search/shared/tokenizer.ts";
import { legalForm } from "../../../pipeline/name_words.ts";
import { listed, quoted } from "../../../pipeline/text.ts";
import { withTownWords } from "../entities/name_forms.ts";
import type { TypedName } from "../entities/names.ts";
import { searchUrl } from "../plan/whom/references.ts";
import { FIRM_WORD, hasFirmWord } from "../tokens/vocabulary.ts";
import {
  type Found,
  hasLegalName,
  hasWords,
  hasWordsMeant,
  isInPlace,
  isNear,
  isNearPlace,
  onlyHolder,
  onlyWhole,
  placeWords,
  sharesName,
} from "./fitting.ts";
import {
  type Budget,
  foundAs,
  NEAR_OPTIONS,
  type Resolution,
  type Searches,
} from "./resolution.ts";

/** The carrier of a name, or those that it may be of. */
export async function resolvedName(
  ref: TypedName,
  budget: Budget,
  by: Searches,
): Promise<Resolution> {
  const { text } = ref;
  const label = quoted(text);
  const url = searchUrl(text, by.baseUrl);
  const namesakes = await by.namesakes(ref, budget);
  const [one] = namesakes ?? [];
  if (one !== undefined && namesakes!.length === 1) {
    const isLegal = hasLegalName(one, ref);
    // The carrier has the name as its DBA name; one with it as its legal name may be meant.
    const others = isLegal || ref.place === ""
      ? []
      : (await by.namesakes({ ...ref, place: "" }, budget))?.filter((other) =>
        other.dot !== one.dot && hasLegalName(other, ref)
      ) ?? [];
    // They are in other places, so the answer mentions them and doesn't ask.
    const legal = others.slice(0, NEAR_OPTIONS).map(({ dot, city, state }) =>
      `USDOT ${dot} (${quoted(`${city} ${state}`.trim())})`
    );
    const elsewhere = legal.length === 0 ? "" : ` It is also the legal name of ${listed(legal)}.`;
    const note = `Found by the name ${label}${isLegal ? "" : ", its DBA name"}.${elsewhere}`;
    return foundAs(one, note);
  }
  const elsewhere = one === undefined && ref.place !== ""
    ? await by.namesakes({ ...ref, place: "" }, budget)
    : null;
  const there = elsewhere === null ? undefined : await nearThere(ref, elsewhere, { budget, by });
  if (there !== undefined) return there;
  // "Black Trucking GV Rigging": the legal and the other name.
  const byAll = `Found by its names and place in ${label}.`;
  const both = onlyWhole(elsewhere ?? [], text);
  if (both !== undefined) return foundAs(both, byAll);
  if (elsewhere !== null && elsewhere.length > 0) {
    // Of a common name, those in the place come first: "Smith Hauling Wisconsin".
    const near = (await inPlaceOf(ref, budget, by)).slice(0, NEAR_OPTIONS / 2);
    const all = elsewhere.length <= NEAR_OPTIONS / 2
      ? [...elsewhere, ...near]
      : [...near, ...elsewhere];
    const options = [...new Map(all.map((one) => [one.dot, one])).values()];
    return { outcome: "several", label, options: options.slice(0, NEAR_OPTIONS), exact: false };
  }
  const near = one === undefined ? await nearNames(text, budget, by) : null;
  const whole = onlyWhole(near ?? [], withTownWords(text));
  if (whole !== undefined) return foundAs(whole, byAll);
  const only = onlyHolder(near ?? [], text, ref);
  if (only !== undefined) {
    const note = `No carrier is named exactly ${label}; this is the only one with it in its names${
      hasWords(only, text) ? "" : " and place"
    }.`;
    return foundAs(only, note);
  }
  // "Zzyzx Bros Hauling": the others only have "hauling".
  const isNamed = near?.some((found) => sharesName(found, text));
  const options = near?.filter((found) => isNamed && (ref.marked !== false || isNear(found, text)))
    .slice(0, NEAR_OPTIONS) ?? namesakes ?? [];
  if (options.length > 0) {
    return { outcome: "several", label, options, exact: one !== undefined };
  }
  if (namesakes === null || near === null) {
    const message = `Did not search for ${label}: the question names too many carriers. ` +
      "Ask about it alone";
    return { outcome: "not searched", message, url };
  }
  const message = `Cannot find ${label}: no carrier with that name in the data`;
  return { outcome: "absent", message, url };
}

/** What a search finds for a name, then for the name with its town spelled out: "Roger Sandhu Philly". */
async function nearNames(
  text: string,
  budget: Budget,
  by: Searches,
): Promise<Found[] | null> {
  const found = await by.search(text, budget);
  const spelled = withTownWords(text);
  const more = spelled === text || found === null ? [] : await by.search(spelled, budget) ?? [];
  return found && [...new Map([...more, ...found].map((one) => [one.dot, one])).values()];
}

/** The carriers in the place whose names have its distinctive words, not "trucking" or "LLC". */
async function inPlaceOf(
  { name, place }: TypedName,
  budget: Budget,
  by: Searches,
): Promise<Found[]> {
  const own = tokenize(name).filter((word) => !FIRM_WORD.test(word) && legalForm(word) === "");
  if (own.length === 0) return [];
  const words = placeWords(place).join(" ");
  const found = await by.search(`${name} ${words}`, budget) ?? [];
  return found.filter((one) => isInPlace(one, words) && hasWords(one, own.join(" ")));
}

/** The only carrier in nearly the place with a name or all its words, or the only one with the place as a word of its name. */
async function nearThere(
  { name, place }: TypedName,
  elsewhere: readonly Found[],
  { budget, by }: { budget: Budget; by: Searches },
): Promise<Resolution | undefined> {
  // "Miguel Perez Lubbock" may have a middle initial; a company's name would be found as it is.
  const found = hasFirmWord(name) ? [] : await by.search(`${name} ${place}`, budget) ?? [];
  const words = placeWords(place).join(" ");
  const [one, ...more] = new Map(
    [...elsewhere, ...found].filter((one) =>
      (isNearPlace(one, place) || isInPlace(one, words)) && hasWordsMeant(one, name)
    ).map((one) => [one.dot, one]),
  ).values();
  if (one !== undefined && more.length === 0) {
    const filed = quoted(`${one.city} ${one.state}`.trim());
    const note = `Found by ${quoted(name)} in its names, in ${filed}.`;
    return foundAs(one, note);
  }
  // "No, the propane one", after Jones.
  const named = found.filter((found) => hasWords(found, place) && isNear(found, name));
  return named.length === 1
    ? { outcome: "several", label: quoted(`${name} ${place}`), options: named, exact: false }
    : undefined;
}
