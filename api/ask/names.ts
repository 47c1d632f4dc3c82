/**
 * The stretches of a question that may be a company name. Words of a name can be keywords too, so there
 * are several; the search says which of them is the name of a carrier.
 *
 * @module
 */

import { MAX_QUERY_LENGTH, MAX_QUERY_WORDS } from "../../pipeline/search/query/query.ts";
import { legalForm } from "../../pipeline/search/shared/name_match.ts";
import { tokenize } from "../../pipeline/search/shared/tokenizer.ts";
import { isCarrierNumber, type Token } from "./numbers.ts";
import type { Reading } from "./reading.ts";
import { FIRM_WORD } from "./vocabulary.ts";

/** Tokens `from` up to `to`, as typed. */
export interface NameSpan {
  from: number;
  to: number;
  text: string;
}

type Run = Pick<NameSpan, "from" | "to">;

/** A stretch with how much it looks like a name, and whether it ends behind the last unknown word. */
interface Stretch extends Run {
  segment: Run;
  score: number;
  whole: boolean;
}

/** Ways to read the names at most; each costs searches. */
const MAX_WAYS = 5;

// Phrases that are never of a name, and those that no capitalized name begins or ends with.
const ENDS =
  /^(?:hard|them|follow|lookup|find|named|compare|overview|holds|mcs150.*|due|ucr|oos.*|rating.*|usdot|dockets|inspections|fee|count|consequence)$/;
const NOT_PROPER =
  /^(?:hard|them|follow|lookup|find|named|compare|overview|holds|mc|dot|ucr|many)$/;
// Phrases that leave nothing asked when they stand alone.
const ASIDE = /^(?:hard|soft|join|them|named|dot|follow)$/;
const NEVER_FIRST = /^(?:of|for|in|on|at|from|to|with|by|and)$/;
const NEVER_LAST = /^(?:of|for|in|at|from|with|and|or|the|an)$/;
/** Words between a name and its place, the second kind last: "down in", "out of". */
export const AWAY = "down|up|out|over|based|located";
export const IN_PLACE = "in|of|at|near|from";
const CAPITALIZED = "[\\p{Lu}\\p{N}&][^\\s,;:?!()]*";
const PROPER = new RegExp(
  `${CAPITALIZED}(?: (?:(?:${AWAY}|${IN_PLACE}|the) ){0,3}${CAPITALIZED})+`,
  "gu",
);

const QUESTION_WORD = /^(?:where|what|which|when|who|how|is|are|does|do|did|has)$/;

/** What a word without meaning adds to the likelihood of a name. */
const UNKNOWN = 2;

/**
 * The likeliest names of a question, then the ways to read them in the order in which carriers of such a name
 * are looked for: several names only where it compares or capitals show them. A question without a name has
 * one way, without any.
 *
 * @param filed Names of carriers: one that stands in the question word for word is the only way.
 */
export function findNames(reading: Reading, filed: readonly string[] = []): NameSpan[][] {
  const { tokens, spans } = reading;
  const certain = filedIn(reading, filed);
  if (certain !== undefined) return [[certain]];
  const stretches = stretchesOf(reading).sort((a, b) => b.score - a.score);
  const likely = stretches.filter(({ score }) => score > 0);
  const best = likely.slice(0, 1);
  const name = (way: Run[]): NameSpan[] => way.map((run) => named(reading, run));
  const compared = spans.some((it) => it?.mark === "compare")
    ? [...Map.groupBy(likely, ({ segment }) => segment).values()].map(([best]) => best!)
      .sort((a, b) => a.from - b.from)
    : [];
  const proper = properRuns(reading);
  if (tokens.some(isCarrierNumber)) return [name(proper.length === 1 ? proper : best)];
  const whole = stretches.filter((one) => one.whole && leavesQuestion(reading, one));
  const longest = [...new Set([...best, ...whole])].flatMap((
    one,
  ) => [...widened(reading, one), one])
    .sort((a, b) => b.to - b.from - (a.to - a.from));
  const ways = [proper, compared, ...longest.map((one) => [one])].filter(({ length }) =>
    length > 0
  );
  return [
    proper.length > 0 ? proper : compared.length > 1 ? compared : best,
    ...ways.slice(0, MAX_WAYS),
  ].map(name);
}

/** The longest of the names that carriers filed, where it stands in the question word for word. */
function filedIn(reading: Reading, filed: readonly string[]): NameSpan | undefined {
  const { tokens, spans } = reading;
  const letters = (text: string): string => tokenize(text).join("");
  const names = new Set(filed.map(letters));
  const isUnknown = (at: number): boolean => spans[at] === null && tokens[at]!.kind === "word";
  const runs = names.size === 0
    ? []
    : tokens.flatMap((_, from) =>
      tokens.slice(from + 1, from + MAX_QUERY_WORDS).map((_, i) => ({ from, to: from + i + 2 }))
    );
  return runs.filter(({ from, to }) =>
    // A word without meaning beside it may be of another name.
    !isUnknown(from - 1) && !isUnknown(to) &&
    tokens.slice(from, to).some((token, i) => isUnknown(from + i) || isFirm(token))
  ).map((run) => named(reading, run)).filter(({ text }) => names.has(letters(text)))
    .sort((a, b) => b.text.length - a.text.length)[0];
}

/** Whether a stretch looks like a name: words of a firm or capitals. */
export function looksLikeName(
  { text, tokens }: Reading,
  { from, to }: Run,
): boolean {
  const words = tokens.slice(from, to);
  if (words.some((token, i) => i > 0 && isFirm(token))) return true;
  return words.length > 1 && /\p{Ll}/u.test(text) &&
    words.every(({ raw, text }) =>
      /^[\p{Lu}\p{N}&]/u.test(raw) || /^(?:of|and|the|in)$/.test(text)
    );
}

/** Runs of capitalized words, with a place behind: "my cousin runs 5 Star Trucking down in Miami". */
function properRuns({ text, tokens, spans }: Reading): Run[] {
  if (!/\p{Ll}/u.test(text)) return [];
  const marked = (at: number, pattern: RegExp): boolean => pattern.test(spans[at]?.mark ?? "");
  return Array.from(text.matchAll(PROPER), ({ 0: { length }, index }) => {
    let from = tokens.findIndex((token) => token.from >= index);
    let to = tokens.findLastIndex((token) => token.to <= index + length) + 1;
    const number = tokens.findIndex((token, at) => at >= from && at < to && isCarrierNumber(token));
    if (number >= 0 && number - from < to - number) from = number + 1;
    else if (number >= 0) to = number;
    while (from < to && (marked(from, NOT_PROPER) || NEVER_FIRST.test(tokens[from]!.text))) from++;
    const next = tokens.findIndex((_, at) => at > from && at < to && endsSentence(tokens, at));
    if (next >= 0) to = next;
    while (to > from && (marked(to - 1, ENDS) || marked(to - 1, NOT_PROPER))) to--;
    return { from, to };
  }).filter(({ from, to }) =>
    to - from > 1 &&
    tokens.slice(from, to).some((token, i) =>
      token.kind === "word" && spans[from + i] === null || isFirm(token)
    )
  );
}

/** All stretches between phrases that are never of a name. */
function stretchesOf(reading: Reading): Stretch[] {
  const { tokens, spans } = reading;
  const worth = tokens.map((_, at) => worthOf(reading, at));
  const isEdge = (at: number): boolean => spans[at] == null || spans[at] !== spans[at - 1];
  return segmentsOf(reading).flatMap((segment) => {
    const { from, to } = segment;
    const last = worth.slice(0, to).lastIndexOf(UNKNOWN);
    const stretches: Stretch[] = [];
    for (let start = from; start < to; start++) {
      if (start > from && !isEdge(start) || NEVER_FIRST.test(tokens[start]!.text)) continue;
      let [score, firm, named] = [0, 0, false];
      for (let end = start + 1; end <= Math.min(to, start + MAX_QUERY_WORDS); end++) {
        const at = end - 1;
        score += worth[at]!;
        if (isFirm(tokens[at]!)) firm = 3;
        named ||= worth[at] === UNKNOWN;
        if (end < to && !isEdge(end) || NEVER_LAST.test(tokens[at]!.text)) continue;
        if (end - start < 2 && !named) continue;
        const whole = end > Math.max(last, from + 1) && worth[start - 1] !== UNKNOWN;
        stretches.push({ from: start, to: end, segment, score: named ? score + firm : 0, whole });
      }
    }
    return stretches;
  });
}

/** What lies between carrier numbers, ends of sentences and phrases that are never of a name. */
function segmentsOf(reading: Reading): Run[] {
  const segments: Run[] = [];
  const { tokens } = reading;
  tokens.forEach((token, at) => {
    if (isCarrierNumber(token) || endsName(reading, at)) return;
    const last = segments.at(-1);
    if (last?.to === at && !endsSentence(tokens, at)) last.to = at + 1;
    else segments.push({ from: at, to: at + 1 });
  });
  return segments;
}

/** "Trucking LLC" with one and with two phrases before it: "is Find It Trucking LLC active". */
function widened({ tokens, spans }: Reading, { from, to }: Run): Run[] {
  if (!tokens.slice(from, to).every((token) => isFirm(token))) return [];
  const before = (at: number): number =>
    at === 0 || tokens[at - 1]!.kind === "number" || endsSentence(tokens, at)
      ? at
      : spans[at - 1]?.from ?? at - 1;
  return [before(from), before(before(from))].filter((start) => start < from)
    .map((start) => ({ from: start, to }));
}

function endsSentence(tokens: readonly Token[], at: number): boolean {
  const [before, { gap }] = [tokens[at - 1]!, tokens[at]!];
  return /[?!;:]/.test(gap) ||
    /\. /.test(gap) && before.text.length > 2 && legalForm(before.text) === "";
}

/** What a token adds to the likelihood of a name: most a word without meaning, or a number before one ("5 Star"). */
function worthOf(reading: Reading, at: number): number {
  const { tokens, spans } = reading;
  const { kind, number } = tokens[at]!;
  const mark = spans[at]?.mark;
  if (kind === "number") {
    const next = tokens[at + 1];
    const opens = number!.role === "unresolved" && next?.kind === "word" &&
      spans[at + 1] === null &&
      /^[ &-]*$/.test(next.gap);
    return opens ? UNKNOWN : 0;
  }
  if (mark === undefined) return UNKNOWN;
  return ASIDE.test(mark) ? -1 : -3;
}

function endsName({ tokens, spans }: Reading, at: number): boolean {
  const span = spans[at];
  if (span == null) return false;
  // "where is", "how many trucks does".
  const asks = span.to > span.from + 1 && QUESTION_WORD.test(tokens[span.from]!.text);
  return asks || ENDS.test(span.mark);
}

/** Whether something is asked outside the name, or nothing stands there. */
function leavesQuestion(
  { spans, tokens }: Reading,
  { from, to }: Run,
): boolean {
  const outside = spans.filter((it, at) => it !== null && (at < from || at >= to));
  if (outside.length === 0) return from === 0 && to === tokens.length;
  return outside.some((it) => !ASIDE.test(it!.mark));
}

function named({ text, tokens }: Reading, { from, to }: Run): NameSpan {
  const typed = text.slice(tokens[from]!.from, tokens[to - 1]!.to);
  return {
    from,
    to,
    text: typed.replaceAll(/["“”]/g, "").trim().slice(0, MAX_QUERY_LENGTH).toWellFormed(),
  };
}

function isFirm({ text }: Token): boolean {
  return FIRM_WORD.test(text);
}
