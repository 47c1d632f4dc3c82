/**
 * The stretches of a question that may be a company name. Words of a name can be keywords too, so there
 * are several; the search says which of them is the name of a carrier.
 *
 * @module
 */

import { MAX_QUERY_LENGTH, MAX_QUERY_WORDS } from "../../pipeline/search/query/query.ts";
import type { Token } from "./numbers.ts";
import type { Reading } from "./reading.ts";
import { FIRM_WORD } from "./vocabulary.ts";

/** Tokens `from` up to `to`, as typed. */
export interface NameSpan {
  from: number;
  to: number;
  text: string;
}

type Run = Pick<NameSpan, "from" | "to">;

/** A stretch with how much it looks like a name, and whether it has all unknown words of its segment. */
interface Stretch extends Run {
  segment: Run;
  score: number;
  whole: boolean;
}

/** Ways to read the names at most; each costs searches. */
const MAX_WAYS = 5;

// Phrases that are never of a name, and those that are not even when capitalized.
const ENDS =
  /^(?:hard|them|follow|lookup|find|named|compare|overview|holds|mcs150.*|due|ucr|oos.*|rating.*|usdot|dockets|inspections|fee|count|consequence)$/;
const ALWAYS_ENDS = /^(?:hard|them|follow|lookup|find|named|compare|overview|holds)$/;
// Phrases that leave nothing asked when they stand alone.
const ASIDE = /^(?:hard|soft|join|them|named|dot|follow)$/;
const NEVER_FIRST = /^(?:of|for|in|on|at|from|to|with|by|and)$/;
const BEFORE_NAME = /^(?:for|from|by|with|to|on)$/;
const NEVER_LAST = /^(?:of|for|in|at|from|with|and|or|the|an)$/;
const CAPITALIZED = "[\\p{Lu}\\p{N}&][^\\s,;:?!()]*";
const PROPER = new RegExp(
  `${CAPITALIZED}(?: (?:(?:down|up|out|over|based|located|in|of|from|near|the) ){0,3}${CAPITALIZED})+`,
  "gu",
);
const QUESTION_WORD = /^(?:where|what|which|when|who|how|is|are|does|do|did|has)$/;

/**
 * The ways to find the names of a question, the likeliest first: several names only where it compares. A question
 * without a name has one way, without any.
 */
export function findNames(reading: Reading): NameSpan[][] {
  const { tokens, spans } = reading;
  const quotation = quotationIn(reading);
  if (quotation !== undefined) return [[quotation]];
  const stretches = stretchesOf(reading).sort((a, b) => b.score - a.score);
  const likely = stretches.filter(({ score }) => score > 0);
  const first = likely.slice(0, 1);
  if (tokens.some(isCarrierNumber)) return [first.map((one) => named(reading, one))];
  const compared = spans.some((it) => it?.mark === "compare")
    ? [...Map.groupBy(likely, ({ segment }) => segment).values()].map(([best]) => best!)
      .sort((a, b) => a.from - b.from)
    : [];
  const longest = stretches.filter((one) =>
    one.whole && one !== first[0] && leavesQuestion(reading, one)
  ).sort((a, b) => b.to - b.from - (a.to - a.from));
  const pair = first.flatMap((one) => splitAtAnd(reading, one));
  const ways = compared.length > 1
    ? [compared]
    : [first, ...pair.length > 0 ? [pair] : [], ...longest.map((one) => [one])];
  const proper = properRuns(reading);
  if (proper.length > 0) ways.splice(1, 0, proper);
  return ways.slice(0, MAX_WAYS).map((way) => way.map((one) => named(reading, one)));
}

/** The only text in quotation marks: who writes them means a name. */
function quotationIn(reading: Reading): NameSpan | undefined {
  const { text, tokens } = reading;
  const [quotation, ...more] = text.matchAll(/["“]([^"“”]{3,})["”]/g);
  if (quotation === undefined || more.length > 0) return undefined;
  const end = quotation.index + quotation[0].length;
  const from = tokens.findIndex((token) => token.from > quotation.index);
  const to = tokens.findLastIndex((token) => token.to < end) + 1;
  return tokens.slice(from, to).some((token, i) =>
      reading.spans[from + i] === null || isFirm(token)
    )
    ? named(reading, { from, to })
    : undefined;
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
  return Array.from(text.matchAll(PROPER), ({ 0: { length }, index }) => {
    let from = tokens.findIndex((token) => token.from >= index);
    const to = tokens.findLastIndex((token) => token.to <= index + length) + 1;
    while (ALWAYS_ENDS.test(spans[from]?.mark ?? "")) from++;
    return { from, to };
  }).filter(({ from, to }) =>
    to - from > 1 &&
    tokens.slice(from, to).some((token, i) => spans[from + i] === null || isFirm(token))
  );
}

/** All stretches between phrases that are never of a name. */
function stretchesOf(reading: Reading): Stretch[] {
  const { tokens, spans } = reading;
  const segments: Run[] = [];
  tokens.forEach((token, at) => {
    if (isCarrierNumber(token) || endsName(reading, at)) return;
    const last = segments.at(-1);
    // "is HAS LEASING active", "rating of WE FREIGHT": the second of two such words may be of the name.
    const early = at > 1 && /^(?:hard|them|compare)$/.test(spans[at - 1]?.mark ?? "") &&
      (spans[at - 2]?.mark === "hard" || /^(?:of|for)$/.test(tokens[at - 2]!.text));
    if (last?.to === at && !endsSentence(tokens[at - 1]!, token)) last.to = at + 1;
    else segments.push({ from: early ? at - 1 : at, to: at + 1 });
  });
  const unknown = unknownIn(reading);
  const known = new Set(unknown);
  const worth = tokens.map((_, at) => known.has(at) ? 2 : worthOf(reading, at));
  const asking = spans.map((span) => span !== null && !ASIDE.test(span.mark));
  const asks = asking.filter(Boolean).length;
  const isEdge = (at: number): boolean => spans[at] == null || spans[at] !== spans[at - 1];
  return segments.flatMap((segment) => {
    const { from, to } = segment;
    const first = unknown.find((at) => at >= from) ?? to;
    const last = unknown.findLast((at) => at < to) ?? -1;
    const stretches: Stretch[] = [];
    for (let start = from; start < to; start++) {
      if (start > from && !isEdge(start) || NEVER_FIRST.test(tokens[start]!.text)) continue;
      const free = start <= first || BEFORE_NAME.test(tokens[start - 1]!.text);
      let [score, firm, outside, named] = [0, 0, asks, false];
      for (let end = start + 1; end <= Math.min(to, start + MAX_QUERY_WORDS); end++) {
        const at = end - 1;
        score += worth[at]!;
        if (isFirm(tokens[at]!)) firm = 3;
        if (asking[at]) outside--;
        named ||= known.has(at);
        const inside = end < to && !isEdge(end) || NEVER_LAST.test(tokens[at]!.text);
        if (inside || end - start < 2 && (first >= to || last < from)) continue;
        stretches.push({
          from: start,
          to: end,
          segment,
          score: named ? score + firm - (outside > 0 ? 0 : 1) : 0,
          whole: free && end > Math.max(last, from + 1),
        });
      }
    }
    return stretches;
  }).filter(({ score, whole }) => score > 0 || whole);
}

/** Places of words without meaning; in "what has General Transport got" only of the capitalized ones. */
function unknownIn(reading: Reading): number[] {
  const { text, tokens } = reading;
  const unknown = tokens.flatMap((_, at) => isUnknown(reading, at) ? [at] : []);
  const proper = unknown.filter((at) => /^[\p{Lu}\p{N}]/u.test(tokens[at]!.raw));
  return /\p{Ll}/u.test(text) && proper.some((at, i) => proper[i + 1] === at + 1)
    ? proper
    : unknown;
}

/** What a token that is not taken for unknown adds to the likelihood of a name. */
function worthOf(reading: Reading, at: number): number {
  if (isUnknown(reading, at)) return -1;
  const mark = reading.spans[at]?.mark;
  if (mark === undefined) return 0;
  return isCapital(reading, at) ? 0.5 : ASIDE.test(mark) ? -0.7 : -3;
}

/** A word without meaning here, or a number before one: "5 Star". */
function isUnknown({ tokens, spans }: Reading, at: number): boolean {
  const { kind, number } = tokens[at]!;
  if (kind === "word") return spans[at] === null;
  const next = tokens[at + 1];
  return number!.role === "unresolved" && next?.kind === "word" && spans[at + 1] === null &&
    /^[ &-]*$/.test(next.gap);
}

/** In "is Active Transport active" the first keyword is of the name. */
function isCapital({ tokens }: Reading, at: number): boolean {
  return at > 0 && /^\p{Lu}\p{Ll}/u.test(tokens[at]!.raw) &&
    !/[,.;:?!]/.test(tokens[at + 1]?.gap ?? "");
}

/** Whether a phrase is never of a name, as one with a question word. */
function endsName(reading: Reading, at: number): boolean {
  const { tokens, spans } = reading;
  const span = spans[at];
  const isInitial = tokens[at]!.text.length === 1 && spans[at - 1] === null &&
    spans[at + 1] === null;
  if (span == null || isInitial) return false;
  if (span.to > span.from + 1 && QUESTION_WORD.test(tokens[span.from]!.text)) return true;
  return ENDS.test(span.mark) && !(isCapital(reading, at) && !ALWAYS_ENDS.test(span.mark));
}

function endsSentence(before: Token, { gap }: Token): boolean {
  return /[?!;:]/.test(gap) || /\. /.test(gap) && !isFirm(before) && before.text.length > 2;
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

/** Two names where "and" stands between two parts that both look like one; else none. */
function splitAtAnd(reading: Reading, { from, to }: Stretch): Run[] {
  for (let at = from + 1; at < to - 1; at++) {
    const parts = [{ from, to: at }, { from: at + 1, to }];
    const and = /^(?:and|or|with|vs|to)$/.test(reading.tokens[at]!.text);
    if (and && parts.every((part) => looksLikeName(reading, part))) return parts;
  }
  return [];
}

function named({ text, tokens }: Reading, { from, to }: Run): NameSpan {
  const typed = text.slice(tokens[from]!.from, tokens[to - 1]!.to);
  return {
    from,
    to,
    text: typed.replaceAll(/["“”]/g, "").trim().slice(0, MAX_QUERY_LENGTH).toWellFormed(),
  };
}

function isCarrierNumber({ number }: Token): boolean {
  return number?.role === "usdot" || number?.role === "docket";
}

function isFirm({ text }: Token): boolean {
  return FIRM_WORD.test(text);
}
