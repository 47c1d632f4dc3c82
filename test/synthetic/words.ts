/**
 * The lists of words.txt, by heading.
 *
 * @module
 */

import TEXT from "./words.txt" with { type: "text" };

const LISTS = new Map(
  TEXT.split(/^\[/m).slice(1).map((part) => part.split("]\n") as [heading: string, list: string]),
);

/** The lines below a heading. */
export function linesBelow(heading: string): string[] {
  return LISTS.get(heading)!.trim().split("\n");
}

/** The words below a heading, without repeats. */
export function wordsBelow(heading: string): string[] {
  const words = linesBelow(heading).flatMap((line) => line.split(" "));
  return [...new Set(words)].map((word) => word.replaceAll("_", " "));
}

/** The lines below a heading; each has its weight first. */
export function weightedBelow(heading: string): [item: string, weight: number][] {
  return linesBelow(heading).map((line) => {
    const [weight, ...words] = line.split(" ");
    return [words.join(" "), Number(weight)];
  });
}
