/**
 * A name beside a number, compared with what the carriers of the number filed.
 *
 * @module
 */

import { stateCode } from "../../../pipeline/search/query/query.ts";
import { tokenize } from "../../../pipeline/search/shared/tokenizer.ts";
import { type Match, matchCarrier, splitPlace } from "../../operations/match.ts";
import type { Carrier } from "../../rules/schemas.ts";
import type { Finder } from "./finder.ts";

type Place = ReturnType<typeof splitPlace>;

/** A name compared with the carriers of a number: all of it, then apart from a place behind it. */
export async function comparedName(
  name: string,
  number: object,
  { carrier, finder }: { carrier: Carrier; finder: Finder },
): Promise<Match> {
  const whole = await finder.run(matchCarrier, { ...number, name });
  const parts = withoutOwnPlace(name, carrier) ?? splitPlace(name);
  if (whole.result === "match" || parts.name === name) return whole;
  const placed = await finder.run(matchCarrier, { ...number, ...parts });
  // "General Transport of Akron" is another name unless the rest is the name of the carrier.
  const isPlace = !/^ of /i.test(name.slice(parts.name.length)) ||
    placed.carriers.some(({ fields }) =>
      fields.some(({ field, result }) => field === "name" && result !== "different")
    );
  return isPlace ? placed : whole;
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
  const isLink = /^(?:of|in|from|at|de|en)$/i.test(words[from - 1]!);
  const rest = words.slice(0, isLink ? from - 1 : from).join(" ");
  if (rest === "") return null;
  return { name: rest, city: words.slice(from, end).join(" "), ...(isState ? { state } : {}) };
}
