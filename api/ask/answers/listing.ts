/**
 * Stage 4, searches: lists the carriers of a name or place and says what the list leaves out.
 *
 * @module
 */

import { quoted } from "../../../pipeline/text.ts";
import { MAX_RESULTS } from "../../operations/search.ts";
import { usdotStatusWord } from "../../rules/words.ts";
import type { Finder } from "./finder.ts";
import { listedIn } from "./lists.ts";
import { Budget } from "./resolution.ts";
import { type SearchList, searchUrl } from "../plan/whom/references.ts";
import { foundItem, listNote } from "./rendering.ts";
import type { AskResult } from "./schemas.ts";

const SEARCH_RESULTS = 10;

/** The carriers of a list; returns what was searched for where there is none. */
export async function* listing(
  list: SearchList,
  finder: Finder,
): AsyncGenerator<AskResult, { message: string; url: string } | null, void> {
  const { text, found, near, all, place, isPartly } = await listedIn(list, new Budget(), finder);
  const url = searchUrl(text, finder.baseUrl);
  if (found.length === 0) {
    return { message: `Cannot find ${quoted(text)}: no such name or place in the data`, url };
  }
  if (isPartly) {
    const part = list.sought.name === ""
      ? `No carrier found is in ${quoted(text)}. These are the closest.`
      : `No carrier found matches all of ${quoted(text)}. These match part of it.`;
    yield listNote("No carrier matches all of it", part, url);
  }
  const { name, inNames } = list.sought;
  if (inNames && !isPartly && place === "" && near.length < found.length) {
    const more = found.length < MAX_RESULTS ? "" : " There may be more: add a city or state.";
    yield listNote("By name", `These have the words ${quoted(name)} in their names.${more}`, url);
  }
  if (!isPartly && name !== "" && place !== "") {
    const rest = list.sought.place.slice(place.length).trim();
    const by = `These have the words ${quoted(name)} in their names and are in ${quoted(place)}.` +
      (rest === "" ? "" : ` I did not use ${quoted(rest)}.`);
    yield listNote("By name and place", by, url);
  }
  const total = (some: readonly unknown[]): string =>
    found.length < MAX_RESULTS ? String(some.length) : `${some.length} or more`;
  if (all.length < near.length) {
    const said = usdotStatusWord({ active: list.status === "active" });
    const first = found.length < MAX_RESULTS ? "" : "the first ";
    const of = `Of ${first}${near.length} carriers found for ${quoted(text)}, ` +
      `${all.length || "none"} ${all.length < 2 ? "is" : "are"} ${said}.` +
      (all.length > 0 || first === "" ? "" : " The others weren't searched: add a city or a name.");
    yield listNote("By status", of, url);
  }
  const results = all.slice(0, SEARCH_RESULTS);
  for (const one of results) yield foundItem(one, finder);
  if (results.length < all.length) {
    const first = `These are the first ${results.length} of ${total(all)} carriers found for ` +
      `${quoted(text)}. Add a city or state, or more of the name.`;
    yield listNote("More carriers", first, url);
  }
  return null;
}
