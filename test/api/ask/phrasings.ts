/**
 * How people ask, with what should be understood. Written before the parser.
 *
 * A line is `question => expected`, with earlier questions of the conversation before `>>`. What is
 * expected is written as `compact()` writes an understanding.
 *
 * @module
 */

import { CARRIERS } from "./phrasings/carriers.ts";
import { DECLINES } from "./phrasings/declines.ts";
import { FEES_AND_DATES } from "./phrasings/fees_and_dates.ts";
import { LATER } from "./phrasings/later.ts";
import { NAMES } from "./phrasings/names.ts";

/** One phrasing. */
export interface Phrasing {
  query: string;
  /** Earlier questions, the oldest first. */
  prev: string[];
  expected: string;
}

const ALL = [CARRIERS, FEES_AND_DATES, NAMES, DECLINES].flatMap(linesOf);

// The hash of the line decides, so no line can be moved to the half it suits.
const HALVES = Object.groupBy(ALL, (line) => fnv1a(line) % 2 === 0 ? "tuned" : "held");

/** The half the parser is made to understand: each of them must be. */
export const TUNED: readonly Phrasing[] = [...HALVES.tuned ?? [], ...linesOf(LATER)].map(parse);

/** The half that is only scored. Never look at which of them fail in order to change the parser. */
export const HELD: readonly Phrasing[] = (HALVES.held ?? []).map(parse);

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}

function parse(line: string): Phrasing {
  const [left, expected] = line.split(" => ");
  if (left === undefined || expected === undefined) throw new SyntaxError(`Cannot read: ${line}`);
  const prev = left.split(" >> ");
  const query = prev.pop()!;
  return { query, prev, expected };
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ char.codePointAt(0)!, 0x01000193);
  // The low bit of FNV depends on the low bits of the text only: take a higher one.
  return (hash >>> 16) & 0xff;
}
