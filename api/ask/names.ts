/**
 * Names and places in a question: what is left when the keywords are taken, as it was typed.
 *
 * @module
 */

import { MAX_QUERY_LENGTH, MAX_QUERY_WORDS } from "../../pipeline/search/query.ts";
import type { Reading } from "./reading.ts";

/** Tokens `from` up to `to`. */
interface Run {
  from: number;
  to: number;
}

const BEFORE_A_PLACE = /^(?:in|near|at|from)$/;
const FIRM =
  /^(?:llc|inc|corp|ltd|co|lp|trucking|transport|transportation|logistics|express|freight|lines|carriers|hauling|enterprises|cartage)$/;
const LONGEST_IN_A_NAME = 4;
const BETWEEN_NAMES = /^(?:and|or|with|vs|versus|to|plus)$/;

/** The names a question holds, in order; with `several` each of a list apart, else one at most. */
export function readNames(
  text: string,
  reading: Reading,
  { used, several }: { used: ReadonlySet<number>; several: boolean },
): string[] {
  const quotes = reading.tokens.filter(({ kind }) => kind === "quote").map(({ raw }) => raw);
  if (quotes.length > 0) return several ? quotes.map(fold) : [fold(quotes[0]!)];
  const runs = runsOf(reading, used, several).map((run) => widened(reading, run, used));
  const slice = ({ from, to }: Run): string =>
    text.slice(reading.tokens[from]!.from, reading.tokens[to - 1]!.to);
  if (several) return runs.map((run) => fold(slice(run)));
  const [first, ...others] = runs;
  if (first === undefined) return [];
  const place = others.find(({ from }) => BEFORE_A_PLACE.test(reading.word(from - 1)));
  return [fold(slice(first) + (place === undefined ? "" : ` in ${slice(place)}`))];
}

/**
 * The whole text when it is a name and nothing else: no keyword in it, or capitalized as a name is, with
 * the last word of a firm (`First Insurance Hauling LLC`).
 */
export function nameAlone(text: string, reading: Reading): string | null {
  const { tokens, spans } = reading;
  const words = tokens.filter(({ kind }) => kind === "word");
  const long = tokens.some(({ kind, text }) =>
    kind === "number" && text.length > LONGEST_IN_A_NAME
  );
  if (long || words.length === 0 || tokens.length > MAX_QUERY_WORDS) return null;
  const name = fold(text.replace(/[\s?!.]+$/, ""));
  const plain = tokens.every((_, at) =>
    spans[at] === null || reading.is(at, "filler", "firms", "follow", "vehicle", "broker")
  );
  const known = spans.some((span, at) => span === null && tokens[at]!.kind !== "number");
  if (plain) {
    return known && !reading.is(0, "follow", "firms") && !BEFORE_A_PLACE.test(reading.word(0))
      ? name
      : null;
  }
  const capital = words.every(({ raw }) => /^\p{Lu}/u.test(raw) || raw === "of");
  const sentence = reading.has("asking", "find", "compare", "when", "how_to", "them", "named") ||
    words.some(({ text }) => /^(?:of|for)$/.test(text));
  return capital && !sentence && FIRM.test(words.at(-1)!.text) ? name : null;
}

/** Words that are no keywords, with soft words between them. */
function runsOf(reading: Reading, used: ReadonlySet<number>, several: boolean): Run[] {
  const runs: Run[] = [];
  let soft = true;
  reading.tokens.forEach((_, at) => {
    if (isNameWord(reading, at, used)) {
      const last = runs.at(-1);
      if (last !== undefined && soft) last.to = at + 1;
      else runs.push({ from: at, to: at + 1 });
      soft = true;
    } else if (several && BETWEEN_NAMES.test(reading.word(at)) || !isSoft(reading, at, used)) {
      soft = false;
    }
  });
  return runs;
}

function isNameWord(reading: Reading, at: number, used: ReadonlySet<number>): boolean {
  return reading.spans[at] === null && !used.has(at);
}

function isSoft(reading: Reading, at: number, used: ReadonlySet<number>): boolean {
  return !used.has(at) &&
    reading.is(at, "filler", "follow", "firms", "vehicle", "broker", "number");
}

/** Adds capitalized keywords beside a run: in "is Active Transport active" one is of the name. */
function widened(reading: Reading, run: Run, used: ReadonlySet<number>): Run {
  const raws = reading.tokens.filter(({ kind }) => kind === "word").map(({ raw }) => raw);
  const plain = raws.some((raw) => raw === raw.toLowerCase());
  const wide = { ...run };
  while (isStateCode(reading, wide.to)) wide.to++;
  if (!plain) return wide;
  while (wide.from > 1 && isCapitalized(reading, wide.from - 1, used)) wide.from--;
  while (isCapitalized(reading, wide.to, used)) wide.to++;
  return wide;
}

function isCapitalized(reading: Reading, at: number, used: ReadonlySet<number>): boolean {
  const token = reading.tokens[at];
  return token?.kind === "word" && !used.has(at) && /^\p{Lu}\p{Ll}/u.test(token.raw);
}

/** `OR`, `IN`, `ME`: states that are also keywords. */
function isStateCode(reading: Reading, at: number): boolean {
  const token = reading.tokens[at];
  return token?.kind === "word" && /^[A-Z]{2}$/.test(token.raw) &&
    reading.is(at, "filler", "asking", "follow");
}

/** As search takes it. */
function fold(text: string): string {
  return text.trim().split(/\s+/).slice(0, MAX_QUERY_WORDS).join(" ").slice(0, MAX_QUERY_LENGTH);
}
