/**
 * The stretches of a question that may be a company name. Words of a name can be keywords too, so there
 * are several; which of them a carrier bears is for the search to say.
 *
 * @module
 */

import { MAX_QUERY_LENGTH } from "../../pipeline/search/query.ts";
import type { Reading, Token } from "./entities.ts";
import { FIRM_WORD, type Mark } from "./vocabulary.ts";

/** Tokens `from` up to `to` as a name. */
export interface NameSpan {
  from: number;
  to: number;
  text: string;
}

/** One way to find names in a question. */
export interface Names {
  spans: NameSpan[];
  /** It counts only when a carrier bears exactly this name. */
  exactOnly: boolean;
}

/** Most ways that are tried; each costs a search. */
const MAX_WAYS = 5;

const CUTS: ReadonlySet<Mark> = new Set(
  ["hard", "them", "follow", "lookup", "find", "named", "compare", "overview", "holds"] as Mark[],
);
const ASIDE: ReadonlySet<Mark> = new Set(
  ["hard", "soft", "join", "them", "named", "dot"] as Mark[],
);
const BETWEEN_NAMES = /^(?:and|or|with|vs|versus|to)$/;

/** The ways to find names, the likeliest first; a question without a name has one without spans. */
export function findNames(reading: Reading): Names[] {
  const { tokens, spans } = reading;
  const quotes = tokens.flatMap(({ kind }, at) =>
    kind === "quote" ? [span(reading, at, at + 1)] : []
  );
  if (quotes.length > 0) return [{ spans: withPlace(reading, quotes), exactOnly: false }];
  const runs = runsOf(reading);
  const several = spans.some((it) => it?.mark === "compare") && runs.length > 1;
  if (several) {
    return [{ spans: runs.map(({ from, to }) => span(reading, from, to)), exactOnly: false }];
  }
  const run = runs.find(({ from, to }) => tokens.slice(from, to).some(isFirm)) ??
    runs.toSorted((a, b) => b.to - b.from - (a.to - a.from))[0];
  const labelled = tokens.some(({ number }) =>
    number !== undefined && (number.role === "usdot" || number.role === "docket")
  );
  if (run === undefined) {
    const hidden = labelled ? [] : hiddenNames(reading);
    return [{ spans: [], exactOnly: false }, ...hidden];
  }
  const start = leftEnds(reading, run.from);
  const ends = rightEnds(reading, run.to);
  const first = widened(reading, run);
  const ways = start.flatMap((from) => ends.map((to) => ({ from, to })))
    .filter(({ from, to }) => leavesQuestion(reading, from, to));
  const all = [first, ...ways, run].map(({ from, to }) => span(reading, from, to));
  const names: Names[] = [];
  for (const way of all) {
    if (names.some(({ spans: [one] }) => one!.from === way.from && one!.to === way.to)) continue;
    names.push({ spans: [way], exactOnly: names.length > 0 });
    const unowned = way.text.replace(/['’]s$/i, "");
    if (unowned !== way.text) {
      names.push({ spans: [{ ...way, text: unowned }], exactOnly: false });
    }
  }
  const and = splitAt(reading, first);
  if (and !== null) names.splice(1, 0, { spans: and, exactOnly: true });
  return labelled ? names.slice(0, 1) : names.slice(0, MAX_WAYS);
}

/** Whether a stretch looks like a name: words of a firm, capitals, or quotation marks. */
export function looksLikeName(reading: Reading, { from, to }: NameSpan): boolean {
  const words = reading.tokens.slice(from, to);
  if (words.some((token) => isFirm(token) || token.kind === "quote")) return true;
  const mixed = /\p{Ll}/u.test(reading.text);
  return words.length > 1 && mixed &&
    words.every(({ raw, text }) =>
      /^[\p{Lu}\p{N}&]/u.test(raw) || /^(?:of|and|the|in)$/.test(text)
    );
}

/** Unknown words in a row, with at most two known ones between them. */
function runsOf(reading: Reading): { from: number; to: number }[] {
  const { tokens, spans } = reading;
  const runs: { from: number; to: number }[] = [];
  tokens.forEach((token, at) => {
    if (!isNameWord(reading, at)) return;
    const last = runs.at(-1);
    const between = last === undefined ? [] : spans.slice(last.to, at);
    const open = last !== undefined && between.length <= 2 &&
      between.every((it, i) =>
        it !== null && !(CUTS.has(it.mark) && it.mark !== "named") &&
        !isTopic(it.mark, reading, last.to + i)
      );
    if (open && !endsSentence(tokens, last.to, at)) last.to = at + 1;
    else runs.push({ from: at, to: at + 1 });
  });
  return runs;
}

/** A topic word between two parts of a name is of the name when it is written as the name is. */
function isTopic(mark: Mark, { tokens }: Reading, at: number): boolean {
  if (ASIDE.has(mark)) return false;
  const around = [tokens[at - 1], tokens[at], tokens[at + 1]];
  return !around.every((token) => token !== undefined && /^\p{Lu}/u.test(token.raw));
}

function isNameWord({ tokens, spans }: Reading, at: number): boolean {
  const { kind, number } = tokens[at]!;
  if (kind === "word") return spans[at] === null;
  if (number?.role !== "unresolved") return false;
  const next = tokens[at + 1];
  return next?.kind === "word" && spans[at + 1] === null && /^[ &-]*$/.test(next.gap);
}

/** Adds capitalized keywords: in "is Active Transport active" the first is of the name. */
function widened(
  reading: Reading,
  run: { from: number; to: number },
): { from: number; to: number } {
  const { tokens, spans } = reading;
  const capital = (at: number): boolean =>
    tokens[at]?.kind === "word" && /^\p{Lu}\p{Ll}/u.test(tokens[at].raw) &&
    !/[,.;:?!]/.test(tokens[at + 1]?.gap ?? "");
  const wide = { ...run };
  while (wide.from > 0 && capital(wide.from - 1) && !CUTS.has(spans[wide.from - 1]!.mark)) {
    wide.from--;
  }
  if (wide.from === 0 && run.from > 0 && spans[0]?.mark !== undefined) wide.from = run.from;
  return leavesQuestion(reading, wide.from, wide.to) ? wide : run;
}

function leftEnds({ tokens, spans }: Reading, from: number): number[] {
  const ends = [];
  let at = from;
  while (at > 0) {
    const { number } = tokens[at - 1]!;
    const mark = spans[at - 1]?.mark;
    if (mark !== undefined && CUTS.has(mark)) break;
    if (number?.role === "usdot" || number?.role === "docket") break;
    if (mark === "join" && at < from) ends.push(at);
    at--;
  }
  return [...new Set([at, ...ends, from])];
}

function rightEnds({ tokens, spans }: Reading, to: number): number[] {
  const ends = [to];
  for (let at = to; at < tokens.length;) {
    const span = spans[at];
    const { number, gap } = tokens[at]!;
    if (span != null && CUTS.has(span.mark) || /[;:?!]/.test(gap)) break;
    if (number?.role === "usdot" || number?.role === "docket") break;
    at = span?.to ?? at + 1;
    ends.push(at);
  }
  return ends.slice(0, 3);
}

/** A question that is opened, as by "is", must keep something that is asked. */
function leavesQuestion({ spans, tokens }: Reading, from: number, to: number): boolean {
  const outside = spans.filter((it, at) => it !== null && (at < from || at >= to));
  if (outside.length === 0) return from === 0 && to === tokens.length;
  return outside.some((it) => !ASIDE.has(it!.mark) && it!.mark !== "follow");
}

/** Names made of keywords alone, of two words and more: they count only when a carrier bears them. */
function hiddenNames(reading: Reading): Names[] {
  const { tokens, spans } = reading;
  if (spans.some((it) => it?.mark === "them" || it?.mark === "ucr" || it?.mark === "mcs150")) {
    return [];
  }
  const opening = spans.findIndex((it) => it === null || it.mark !== "hard");
  const from = spans.findLastIndex((it) => it?.mark === "join" || it?.mark === "hard") + 1;
  const ways: Names[] = [];
  for (const start of new Set([opening, from])) {
    for (let to = tokens.length; to >= start + 2 && ways.length < MAX_WAYS; to--) {
      if (start < 0 || !leavesQuestion(reading, start, to)) continue;
      ways.push({ spans: [span(reading, start, to)], exactOnly: true });
    }
  }
  return ways;
}

/** Two names where "and" or the like stands between two parts that both look like one. */
function splitAt(reading: Reading, { from, to }: { from: number; to: number }): NameSpan[] | null {
  for (let at = from + 1; at < to - 1; at++) {
    if (!BETWEEN_NAMES.test(reading.tokens[at]!.text)) continue;
    const parts = [span(reading, from, at), span(reading, at + 1, to)];
    if (parts.every((part) => looksLikeName(reading, part))) return parts;
  }
  return null;
}

/** A quoted name with the place that is typed behind it. */
function withPlace(reading: Reading, quotes: NameSpan[]): NameSpan[] {
  const [first] = quotes;
  if (quotes.length > 1 || first === undefined) return quotes;
  const place = runsOf(reading).find(({ from }) => from > first.from && from <= first.to + 1);
  if (place === undefined) return quotes;
  const text = `${first.text} in ${
    reading.text.slice(
      reading.tokens[place.from]!.from,
      reading.tokens[place.to - 1]!.to,
    )
  }`;
  return [{ from: first.from, to: place.to, text: cut(text) }];
}

function endsSentence(tokens: readonly Token[], from: number, to: number): boolean {
  return tokens.slice(from, to + 1).some(({ gap }, i) => {
    const before = tokens[from + i - 1]!;
    return /[?!;:]/.test(gap) || /\. /.test(gap) && !isFirm(before) && before.text.length > 2;
  });
}

function isFirm({ text }: Token): boolean {
  return FIRM_WORD.test(text);
}

function span({ text, tokens }: Reading, from: number, to: number): NameSpan {
  const [first, last] = [tokens[from]!, tokens[to - 1]!];
  const name = from + 1 === to && first.kind === "quote"
    ? first.raw.slice(1, -1)
    : text.slice(first.from, last.to);
  return { from, to, text: cut(name) };
}

function cut(text: string): string {
  return text.trim().slice(0, MAX_QUERY_LENGTH).toWellFormed();
}
