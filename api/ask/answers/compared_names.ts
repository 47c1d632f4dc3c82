/**
 * A name, place and phone number given with a carrier, compared with what it filed.
 *
 * @module
 */

import { isSameName } from "../../../pipeline/company_name.ts";
import { parseName } from "../../../pipeline/name_words.ts";
import { namesState } from "../../../pipeline/search/query/query.ts";
import { tokenize } from "../../../pipeline/search/shared/tokenizer.ts";
import { type Match, matchCarrier, splitPlace } from "../../operations/match.ts";
import type { Carrier } from "../../rules/schemas.ts";
import { FIRM_WORD } from "../tokens/vocabulary.ts";
import type { Given } from "../plan/whom/given.ts";
import type { Finder } from "./finder.ts";
import { filedNames, isTownOfState } from "./fitting.ts";

type Place = ReturnType<typeof splitPlace>;

/** What is given, compared with the carriers of a number; a name in whole, then apart from a place behind it. */
export async function comparedGiven(
  given: Given,
  number: object,
  { carrier, finder }: { carrier: Carrier; finder: Finder },
): Promise<Match> {
  const { phone, zip } = given;
  // "Does that match Stoneville Texas".
  const isPlace = given.place === undefined && isOwnPlace(given.text, carrier);
  // "They're out of Toledo, that match?": the place seems to be a name.
  const isOnlyPlace = given.place?.toLowerCase().startsWith(given.text.toLowerCase()) ?? false;
  const [name, said] = isPlace ? ["", given.text] : [isOnlyPlace ? "" : given.text, given.place];
  // "En Lubbock".
  const place = said?.replace(/^(?:en|de|in|at|from|out of|of) /i, "");
  // "Richard Brandt Ross Motors Hialeah": its DBA name stands before its city.
  const behind = place === undefined ? null : behindName(place, carrier);
  const isOwn = behind !== null &&
    filedNames(carrier).some((one) => isSameName(parseName(behind.name ?? ""), one));
  const { name: _, ...placed } = place === undefined ? { name } : isOwn
    ? behind
    // "Elba Trans GA": two letters alone are a state.
    : namesState(place.trim().toLowerCase())
    ? { name, state: place.trim() }
    : splitPlace(`in ${place}`);
  const asked = {
    ...number,
    ...placed,
    ...phone !== undefined && { phone },
    ...zip !== undefined && { zip },
  };
  const whole = await finder.run(matchCarrier, { ...asked, ...name !== "" && { name } });
  if (whole.result === "match" || place !== undefined || name === "") return whole;
  const parts = behindName(name, carrier) ?? splitPlace(name);
  if (parts.name === name) return whole;
  const apart = await finder.run(matchCarrier, { ...asked, ...parts });
  // "General Transport of Akron" is another name unless the rest is the name of the carrier.
  const isRest = !/^ of /i.test(name.slice(parts.name.length)) ||
    apart.carriers.some(({ fields }) =>
      fields.some(({ field, result }) => field === "name" && result !== "different")
    );
  return isRest ? apart : whole;
}

/** Whether a text is the carrier's city, alone or with its state. */
function isOwnPlace(text: string, { city, state }: Carrier): boolean {
  const town = tokenize(city).join(" ");
  const said = tokenize(text).join(" ");
  return town !== "" && (said === town || isTownOfState(said, { town, state }));
}

/** Words between a name and its place: "General Transport based out of Akron". */
const LINK = /(?: (?:(?:based|located) )?(?:(?:out )?of|in|from|at|de|en)(?: the)?)?$/i;

/**
 * A name apart from the place behind it, where what is before it is the carrier's name, "General Transport
 * Dallas TX", or the place its city, "Trans General Akron".
 */
function behindName(name: string, { name: filed, dba_name, city }: Carrier): Place | null {
  const words = name.split(/[\s,]+/).filter(Boolean);
  const last = tokenize(words.at(-1) ?? "").join(" ");
  const hasState = namesState(last);
  const end = words.length - (hasState ? 1 : 0);
  const own = filedNames({ name: filed, dba_name });
  // "Jonesboro's Jose's Trucking".
  const front = tokenize(words[0]?.replace(/['’]s$/i, "") ?? "").join(" ");
  if (words.length > 1 && front !== "" && front === tokenize(city).join(" ")) {
    const behind = words.slice(1).join(" ");
    if (own.some((one) => isSameName(parseName(behind), one))) return { name: behind, city };
  }
  for (let to = words.length - 1; to > 0; to--) {
    const before = words.slice(0, to).join(" ").replace(LINK, "");
    const town = words.slice(to, end);
    const isOwnCity = town.length > 0 &&
      tokenize(town.join(" ")).join(" ") === tokenize(city).join(" ");
    // "General Transport Brokerage OH" has another name.
    const isOwnName = hasState && !town.some((word) => FIRM_WORD.test(word.toLowerCase())) &&
      own.some((one) => isSameName(parseName(before), one));
    if (before !== "" && !/^(?:in|of|from|near|at)$/i.test(before) && (isOwnCity || isOwnName)) {
      const state = hasState ? { state: words.at(-1)! } : {};
      return { name: before, ...town.length > 0 && { city: town.join(" ") }, ...state };
    }
  }
  return null;
}
