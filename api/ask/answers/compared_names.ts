/**
 * A name, place and phone number given with a carrier, compared with what it filed.
 *
 * @module
 */

import { isSameName } from "../../../pipeline/company_name.ts";
import { parseName } from "../../../pipeline/name_words.ts";
import { STATE_LETTERS, stateCode } from "../../../pipeline/search/query/query.ts";
import { tokenize } from "../../../pipeline/search/shared/tokenizer.ts";
import { type Match, matchCarrier, splitPlace } from "../../operations/match.ts";
import type { Carrier } from "../../rules/schemas.ts";
import { FIRM_WORD } from "../tokens/vocabulary.ts";
import type { Given } from "../plan/subjects.ts";
import type { Finder } from "./finder.ts";

type Place = ReturnType<typeof splitPlace>;

/** What is given, compared with the carriers of a number; a name in whole, then apart from a place behind it. */
export async function comparedGiven(
  { text: name, place, phone }: Given,
  number: object,
  { carrier, finder }: { carrier: Carrier; finder: Finder },
): Promise<Match> {
  const { name: _, ...placed } = place === undefined ? { name } : splitPlace(`in ${place}`);
  const asked = { ...number, ...placed, ...phone !== undefined && { phone } };
  const whole = await finder.run(matchCarrier, { ...asked, ...name !== "" && { name } });
  if (whole.result === "match" || place !== undefined || name === "") return whole;
  const parts = withoutOwnPlace(name, carrier) ?? behindOwnName(name, carrier) ?? splitPlace(name);
  if (parts.name === name) return whole;
  const apart = await finder.run(matchCarrier, { ...asked, ...parts });
  // "General Transport of Akron" is another name unless the rest is the name of the carrier.
  const isPlace = !/^ of /i.test(name.slice(parts.name.length)) ||
    apart.carriers.some(({ fields }) =>
      fields.some(({ field, result }) => field === "name" && result !== "different")
    );
  return isPlace ? apart : whole;
}

/** A name apart from the city and state of the carrier behind it: "General Transport Akron OH". */
function withoutOwnPlace(name: string, { city, state }: Carrier): Place | null {
  const words = name.split(/[\s,]+/).filter(Boolean);
  const town = tokenize(city);
  const isState = stateCode(tokenize(words.at(-1)!).join(" ")) === state.toLowerCase() ||
    words.at(-1)!.toLowerCase() === state.toLowerCase();
  const end = words.length - (isState ? 1 : 0);
  const from = end - town.length;
  if (town.length === 0 || from < 1) return null;
  if (tokenize(words.slice(from, end).join(" ")).join(" ") !== town.join(" ")) return null;
  const rest = words.slice(0, from).join(" ").replace(LINK, "");
  if (rest === "") return null;
  return { name: rest, city: words.slice(from, end).join(" "), ...(isState ? { state } : {}) };
}

/** Words between a name and its place: "General Transport based out of Akron". */
const LINK = /(?: (?:(?:based|located) )?(?:(?:out )?of|in|from|at|de|en))?$/i;

/** The carrier's own name with another place behind it: "General Transport Dallas TX" for one of Akron. */
function behindOwnName(name: string, { name: filed, dba_name }: Carrier): Place | null {
  const words = name.split(/[\s,]+/).filter(Boolean);
  const state = words.pop();
  const text = tokenize(state ?? "").join(" ");
  if (state === undefined || !STATE_LETTERS.has(text) && stateCode(text) === undefined) return null;
  const own = [filed, dba_name ?? ""].filter(Boolean).map(parseName);
  for (let to = words.length - 1; to > 0; to--) {
    const before = words.slice(0, to).join(" ").replace(LINK, "");
    if (own.some((one) => isSameName(parseName(before), one))) {
      const city = words.slice(to);
      // "General Transport Brokerage OH" has another name.
      return city.some((word) => FIRM_WORD.test(word.toLowerCase()))
        ? null
        : { name: before, city: city.join(" "), state };
    }
  }
  return null;
}
