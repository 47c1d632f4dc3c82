/**
 * Carriers as options and results, and how they compare with a name, in words.
 *
 * @module
 */

import type { z } from "zod";
import { quoted } from "../../pipeline/text.ts";
import type { Match } from "../operations/match.ts";
import type { SearchResult } from "../operations/search.ts";
import type { Carrier } from "../rules/schemas.ts";

const MATCHED = {
  match: "Match: this is what it filed",
  close: "Close, but not the same as it filed",
  different: "Different from what it filed",
  unknown: "Unknown: not all of it can be compared",
} as const;

/** How a name and a place given compare with what a carrier filed. */
export function matchText({ dot, result, fields }: Match["carriers"][number]): string {
  const each = fields.map(({ field, given, filed, result }) => {
    const onFile = filed.map((text) => quoted(text)).join(" / ") || "nothing";
    return `${field} ${quoted(given)}, on file ${onFile} (${result})`;
  });
  return `${MATCHED[result]} for USDOT ${dot}: ${
    each.join("; ")
  }. A match does not prove identity.`;
}

/** A carrier that a search found. */
export type Found = z.infer<typeof SearchResult>;

/** A carrier as an option to choose. */
export function optionOf({ name, city, state, dot, active }: Found): string {
  const place = [city, state].filter((part) => part !== "").join(" ");
  return `${quoted(name)}${place === "" ? "" : `, ${quoted(place)}`} (USDOT ${dot}, ${
    active ? "active" : "not active"
  })`;
}

/** A carrier by its name and number. */
export function nameOf({ name, dot }: Carrier): string {
  return name === "" ? `USDOT ${dot}` : `${quoted(name)} (USDOT ${dot})`;
}
