/**
 * The stretches of a question that may be a company name. Words of a name can be keywords too, so there
 * are several; which of them a carrier bears is for the search to say.
 *
 * @module
 */

import { MAX_QUERY_LENGTH, MAX_QUERY_WORDS } from "../../pipeline/search/query.ts";
import type { Reading, Token } from "./entities.ts";
import { FIRM_WORD } from "./vocabulary.ts";

/** Tokens `from` up to `to`, as a name. */
export interface NameSpan {
  from: number;
  to: number;
  text: string;
}

type Run = Pick<NameSpan, "from" | "to">;

/** Ways to read a name at most; each costs a search. */
const MAX_WAYS = 5;

// Words that end a name, and words that leave nothing asked when they stand alone.
const CUTS = new Set("hard them follow lookup find named compare overview holds".split(" "));
// Phrases that are never of a name.
const ENDS =
  /^(?:hard|them|follow|lookup|find|named|compare|overview|holds|mcs150.*|due|ucr|oos.*|rating.*|usdot|dockets|kind|inspections|violations|fee|count|consequence|late)$/;
const ASIDE = new Set("hard soft join them named dot follow".split(" "));

/**
 * The ways to find the names of a question, the one to ask back about first: several names only where
 * it compares. A question without a name has one way, without any.
 */
export function findNames(reading: Reading): NameSpan[][] {
  const { tokens, spans } = reading;
  const quotes = tokens.flatMap(({ kind }, at) =>
    kind === "quote" ? [{ from: at, to: at + 1 }] : []
  );
  // What is too long to be searched for is no name.
  const runs = runsOf(reading).filter(({ from, to }) => to - from <= MAX_QUERY_WORDS);
  if (quotes.length > 0) return [named(reading, withPlace(quotes, runs))];
  if (spans.some((it) => it?.mark === "compare")) {
    const parts = runs.length === 1 ? splitAtAnd(reading, runs[0]!) : null;
    if (parts !== null) return [parts];
    if (runs.length > 1) return [named(reading, runs.map((run) => widened(reading, run)))];
  }
  const labelled = tokens.some(isCarrierNumber);
  const run = runs.find(({ from, to }) => tokens.slice(from, to).some(isFirm)) ??
    runs.toSorted((a, b) => b.to - b.from - (a.to - a.from))[0];
  if (run === undefined) return [[], ...labelled ? [] : hiddenNames(reading)];
  const first = widened(reading, run);
  if (labelled) return [named(reading, [first])];
  const ways = [envelope(reading, runs, run), run].flatMap(({ from, to }) =>
    leftEnds(reading, from).flatMap((start) =>
      rightEnds(reading, to).map((end) => ({ from: start, to: end }))
    )
  ).filter((way) => leavesQuestion(reading, way)).sort((a, b) => b.to - b.from - (a.to - a.from));
  const names = [first, ...ways].flatMap((way) => {
    const [name] = named(reading, [way]) as [NameSpan];
    const owner = name.text.replace(/['’]s$/i, "");
    return owner === name.text ? [name] : [{ ...name, text: owner }, name];
  });
  const distinct = [...new Map(names.map((name) => [name.text, [name]])).values()];
  const and = splitAtAnd(reading, first);
  if (and !== null) distinct.splice(1, 0, and);
  return distinct.slice(0, MAX_WAYS);
}

/** The part of a name up to its last word of a firm, after a preposition: "a load from Lone Star Hauling". */
export function coreName(reading: Reading, { from, to }: Run): NameSpan | null {
  const words = reading.tokens.slice(from, to);
  const last = words.findLastIndex(isFirm);
  const lead = words.slice(0, last).findLastIndex(({ text }) =>
    /^(?:from|for|by|with|to|of)$/.test(text)
  );
  const core = { from: from + lead + 1, to: from + last + 1 };
  const rest = words[last + 1];
  // What stands behind a preposition or a comma is a place, which decides between bearers.
  const place = rest !== undefined &&
    (/^(?:in|of|at|near|from|out)$/.test(rest.text) || /,/.test(rest.gap));
  const narrower = last > 0 && !place && core.to - core.from > 1 && core.to - core.from < to - from;
  return narrower ? named(reading, [core])[0]! : null;
}

/** Whether a stretch looks like a name: words of a firm, capitals, or quotation marks. */
export function looksLikeName({ text, tokens }: Reading, { from, to }: Run): boolean {
  const words = tokens.slice(from, to);
  if (words.some((token, i) => i > 0 && isFirm(token) || token.kind === "quote")) return true;
  return words.length > 1 && /\p{Ll}/u.test(text) &&
    words.every(({ raw, text }) =>
      /^[\p{Lu}\p{N}&]/u.test(raw) || /^(?:of|and|the|in)$/.test(text)
    );
}

/** Unknown words in a row, with at most two known ones between them. */
function runsOf({ tokens, spans }: Reading): Run[] {
  const runs: Run[] = [];
  tokens.forEach(({ kind, number }, at) => {
    // "5 Star": a number that nothing explains is of the name behind it.
    const next = tokens[at + 1];
    const leads = number?.role === "unresolved" && next?.kind === "word" &&
      spans[at + 1] === null &&
      /^[ &-]*$/.test(next.gap);
    if (!(kind === "word" && spans[at] === null || leads)) return;
    const last = runs.at(-1);
    const between = last === undefined ? [] : tokens.slice(last.to, at);
    const open = last !== undefined && between.length <= 2 &&
      between.every((_, i) => mayStandInName(last.to + i)) && !endsSentence(last.to, at);
    if (open) last.to = at + 1;
    else runs.push({ from: at, to: at + 1 });
  });
  return runs;

  function mayStandInName(at: number): boolean {
    const mark = spans[at]?.mark;
    if (mark === undefined || CUTS.has(mark)) return mark === "named";
    // A topic word is of the name when it is written as the name is: "First Insurance Hauling".
    return ASIDE.has(mark) ||
      [at - 1, at, at + 1].every((i) => /^\p{Lu}/u.test(tokens[i]?.raw ?? ""));
  }

  function endsSentence(from: number, to: number): boolean {
    return tokens.slice(from, to + 1).some(({ gap }, i) => {
      const before = tokens[from + i - 1]!;
      return /[?!;:]/.test(gap) || /\. /.test(gap) && !isFirm(before) && before.text.length > 2;
    });
  }
}

/** Adds capitalized keywords: in "is Active Transport active" the first is of the name. */
function widened(reading: Reading, run: Run): Run {
  const { tokens, spans } = reading;
  const capital = (at: number): boolean =>
    tokens[at]?.kind === "word" && /^\p{Lu}\p{Ll}/u.test(tokens[at].raw) &&
    !/[,.;:?!]/.test(tokens[at + 1]?.gap ?? "");
  const wide = { ...run };
  while (wide.from > 1 && capital(wide.from - 1) && !CUTS.has(spans[wide.from - 1]!.mark)) {
    wide.from--;
  }
  return leavesQuestion(reading, wide) ? wide : run;
}

/** A run with the runs beside it, over keywords that may be of a name. */
function envelope(reading: Reading, runs: readonly Run[], run: Run): Run {
  const { spans, tokens } = reading;
  const open = (from: number, to: number): boolean =>
    spans.slice(from, to).every((_, i) => !endsName(reading, from + i)) &&
    tokens.slice(from, to + 1).every(({ gap }) => !/[;:?!]/.test(gap));
  const whole = { ...run };
  for (const { from, to } of runs.toReversed()) {
    if (to <= whole.from && open(to, whole.from)) whole.from = from;
  }
  for (const { from, to } of runs) if (from >= whole.to && open(whole.to, from)) whole.to = to;
  return whole;
}

/** Where a name may begin, left of an unknown word: the furthest first. */
function leftEnds(reading: Reading, from: number): number[] {
  const { tokens, spans } = reading;
  const ends = [from];
  let at = from;
  for (
    ;
    at > 0 && !isCarrierNumber(tokens[at - 1]!) && !endsName(reading, at - 1);
    at--
  ) {
    if (spans[at - 1]?.mark === "join") ends.push(at);
  }
  // No name begins with "of", though one may with "A".
  while (/^(?:of|for|in|on|at|from|to|with|by)$/.test(tokens[at]!.text)) at++;
  if (at < from) ends.push(at);
  // "is HAS LEASING active": the second of two such words may be of the name.
  if (at > 1 && spans[at - 1]?.mark === "hard" && spans[at - 2]?.mark === "hard") ends.push(at - 1);
  return [...new Set(ends)].reverse();
}

/** Where a name may end, right of an unknown word: at two phrases behind it, or the furthest. */
function rightEnds(reading: Reading, to: number): number[] {
  const { tokens, spans } = reading;
  const ends = [to];
  for (let at = to; at < tokens.length;) {
    if (endsName(reading, at) || /[;:?!]/.test(tokens[at]!.gap)) break;
    if (isCarrierNumber(tokens[at]!)) break;
    at = spans[at]?.to ?? at + 1;
    ends.push(at);
  }
  return [...new Set([...ends.slice(0, 3), ends.at(-1)!])];
}

/** Whether a phrase is never of a name, as one with a question word. */
function endsName({ tokens, spans }: Reading, at: number): boolean {
  const span = spans[at];
  if (span == null) return false;
  const asks = /^(?:where|what|which|when|who|how|is|are|does|do|did|has)$/.test(
    tokens[span.from]!.text,
  );
  return ENDS.test(span.mark) || asks && span.to > span.from + 1;
}

/** Whether something is asked outside the name, or nothing stands there. */
function leavesQuestion({ spans, tokens }: Reading, { from, to }: Run): boolean {
  const outside = spans.filter((it, at) => it !== null && (at < from || at >= to));
  if (outside.length === 0) return from === 0 && to === tokens.length;
  return outside.some((it) => !ASIDE.has(it!.mark));
}

/** Names made of keywords alone, of two words and more. */
function hiddenNames(reading: Reading): NameSpan[][] {
  const { spans } = reading;
  if (spans.some((it) => it?.mark === "them" || it?.mark === "ucr")) return [];
  const starts = [
    spans.findIndex((it) => it?.mark !== "hard"),
    spans.findLastIndex((it) => it?.mark === "join" || it?.mark === "hard") + 1,
  ];
  const ways = [...new Set(starts)].filter((from) => from >= 0).flatMap((from) =>
    rightEnds(reading, from).map((to) => ({ from, to })).filter(({ to }) => to >= from + 2)
  ).sort((a, b) => b.to - b.from - (a.to - a.from));
  return ways.filter((way) => leavesQuestion(reading, way)).slice(0, MAX_WAYS - 1)
    .map((way) => named(reading, [way]));
}

/** Two names where "and" stands between two parts that both look like one. */
function splitAtAnd(reading: Reading, { from, to }: Run): NameSpan[] | null {
  for (let at = from + 1; at < to - 1; at++) {
    const parts = [{ from, to: at }, { from: at + 1, to }];
    const and = /^(?:and|or|with|vs|to)$/.test(reading.tokens[at]!.text);
    if (and && parts.every((part) => looksLikeName(reading, part))) return named(reading, parts);
  }
  return null;
}

/** A quoted name with the place that is typed behind it. */
function withPlace(quotes: Run[], runs: readonly Run[]): Run[] {
  const [first] = quotes as [Run];
  const place = runs.find(({ from }) => from >= first.to && from <= first.to + 1);
  return quotes.length > 1 || place === undefined ? quotes : [{ from: first.from, to: place.to }];
}

function named({ text, tokens }: Reading, runs: readonly Run[]): NameSpan[] {
  return runs.map(({ from, to }) => {
    const typed = text.slice(tokens[from]!.from, tokens[to - 1]!.to);
    const plain = tokens[from]!.kind === "quote" ? typed.replaceAll(/["“”]/g, "") : typed;
    return { from, to, text: plain.trim().slice(0, MAX_QUERY_LENGTH).toWellFormed() };
  });
}

function isCarrierNumber({ number }: Token): boolean {
  return number?.role === "usdot" || number?.role === "docket";
}

function isFirm({ text }: Token): boolean {
  return FIRM_WORD.test(text);
}
