/**
 * The same name with other signs between its letters.
 *
 * @module
 */

import type { Random } from "../synthetic/random.ts";
import { fold } from "./search_text.ts";

type Change = readonly [pattern: RegExp, by: readonly string[]];

/** What people write for one another. */
const CHANGES: readonly Change[] = [
  [/(?<=\w)\.(?=\s|$)/g, [""]],
  [/,(?=\s)/g, [""]],
  [/ & /g, [" and ", "&", " &"]],
  [/ AND /g, [" & ", " &"]],
  [/'S\b/g, ["s", "’s"]],
  [/(?<=\w)'(?=\w)/g, ["", "’"]],
  [/(?<=\w)-(?=\w)/g, [" ", " - "]],
  [/(?<=\w)\/(?=\w)/g, [" ", " / ", "-"]],
  [/ L L C$/g, [" llc", ", l.l.c."]],
  [/ L\.L\.C$/g, [" llc", " l l c"]],
  [/ LLC$/g, [", llc", " l.l.c.", " l l c"]],
  [/ INC$/g, [", inc.", " inc."]],
  [/ CORP$/g, [", corp.", " corp."]],
];

/**
 * A name with its signs written otherwise, in lower case.
 *
 * @returns Null when the name has nothing that could be, or only at the cost of another reading.
 */
export function punctuated(name: string, random: Random): string | null {
  let text = name.toUpperCase();
  for (const [pattern, by] of CHANGES) {
    const chosen = by[random.below(by.length)]!;
    text = text.replace(pattern, chosen);
  }
  const query = text.toLowerCase();
  if (query === name.toLowerCase()) return null;
  return sameLetters(query, name) ? query : null;
}

/** Joined and split words differ for {@link fold}, and are still the same letters in the same order. */
function sameLetters(a: string, b: string): boolean {
  return fold(a).replaceAll(" ", "") === fold(b).replaceAll(" ", "");
}
