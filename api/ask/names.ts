/**
 * The stretches of a question that may be a company name. Words of a name can be keywords too, so there
 * are several; the search says which of them is the name of a carrier.
 *
 * @module
 */

import { MAX_QUERY_LENGTH, MAX_QUERY_WORDS } from "../../pipeline/search/query/query.ts";
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
  /^(?:hard|them|follow|lookup|find|named|compare|overview|holds|mcs150.*|due|ucr|oos.*|rating.*|usdot|dockets|kind|inspections|violations|fee|count|consequence)$/;
const PREPOSITION = /^(?:of|for|in|on|at|from|to|with|by)$/;
const ASIDE = new Set("hard soft join them named dot follow".split(" "));

/**
 * The ways to find the names of a question, the one to ask back about first: several names only where
 * it compares. A question without a name has one way, without any.
 */
export function findNames(reading: Reading): NameSpan[][] {
  const { tokens, spans } = reading;
  const runs = runsOf(reading).filter(({ from, to }) => isSearchable(from, to));
  if (runs.length > 1 && spans.some((it) => it?.mark === "compare")) {
    return [named(reading, runs.map((run) => widened(reading, run)))];
  }
  const run = runs.find(({ from, to }) => tokens.slice(from, to).some(isFirm)) ??
    runs.toSorted((a, b) => b.to - b.from - (a.to - a.from))[0];
  const first = run === undefined ? null : widened(reading, run);
  if (tokens.some(isCarrierNumber)) return [first === null ? [] : named(reading, [first])];
  const and = first === null ? null : splitAtAnd(reading, first);
  const ways = new Map<string, NameSpan[]>();
  const add = (names: NameSpan[]): void => void ways.set(JSON.stringify(names), names);
  const longestFirst = stretches(reading).sort((a, b) => b.to - b.from - (a.to - a.from));
  for (const way of [first, ...longestFirst]) {
    if (ways.size >= MAX_WAYS) break;
    if (way === null) add([]);
    else if (way === first || leavesQuestion(reading, way)) {
      const [name] = named(reading, [way]) as [NameSpan];
      add([{ ...name, text: name.text.replace(/['’]s$/i, "") }]);
      if (way === first && and !== null) add(and);
      add([name]);
    }
  }
  return [...ways.values()].slice(0, MAX_WAYS);
}

/** Whether a stretch looks like a name: words of a firm or capitals. */
export function looksLikeName({ text, tokens }: Reading, { from, to }: Run): boolean {
  const words = tokens.slice(from, to);
  if (words.some((token, i) => i > 0 && isFirm(token))) return true;
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

/**
 * The stretches that may be a name. Each has all unknown words between two phrases that are never of
 * one, or those behind a preposition, and any keywords beside them.
 */
function stretches(reading: Reading): Run[] {
  const { tokens, spans } = reading;
  const free = tokens.map((token, at) => !endsName(reading, at) && !isCarrierNumber(token));
  const segments: Run[] = [];
  tokens.forEach(({ gap }, at) => {
    const last = segments.at(-1);
    if (!free[at]) return;
    if (last?.to === at && !/[;:?!]/.test(gap)) last.to = at + 1;
    else segments.push({ from: at, to: at + 1 });
  });
  const isEdge = (at: number): boolean => spans[at] === null || spans[at] !== spans[at - 1];
  return segments.flatMap(({ from, to }) => {
    const places = Array.from({ length: to - from }, (_, i) => from + i);
    const unknown = places.filter((at) => spans[at] === null && tokens[at]!.kind === "word");
    const [first = to - 1, last = from + 1] = [unknown[0], unknown.at(-1)];
    const starts = places.filter((at) =>
      isEdge(at) && !PREPOSITION.test(tokens[at]!.text) &&
      (at <= first || /^(?:for|from|by|with|to|on)$/.test(tokens[at - 1]!.text))
    );
    // "is HAS LEASING active": the second of two such words may be of the name.
    if (from > 1 && [from - 1, from - 2].every((at) => spans[at]?.mark === "hard")) {
      starts.push(from - 1);
    }
    const ends = [...places, to].filter((at) => at > last && (at === to || isEdge(at)));
    return starts.flatMap((start) => ends.map((end) => ({ from: start, to: end })))
      .filter(({ from, to }) => to - from > (unknown.length > 0 ? 0 : 1) && isSearchable(from, to));
  });
}

/** What is too long to be searched for is no name. */
function isSearchable(from: number, to: number): boolean {
  return to - from <= MAX_QUERY_WORDS;
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

/** Two names where "and" stands between two parts that both look like one. */
function splitAtAnd(reading: Reading, { from, to }: Run): NameSpan[] | null {
  for (let at = from + 1; at < to - 1; at++) {
    const parts = [{ from, to: at }, { from: at + 1, to }];
    const and = /^(?:and|or|with|vs|to)$/.test(reading.tokens[at]!.text);
    if (and && parts.every((part) => looksLikeName(reading, part))) return named(reading, parts);
  }
  return null;
}

function named({ text, tokens }: Reading, runs: readonly Run[]): NameSpan[] {
  return runs.map(({ from, to }) => {
    const typed = text.slice(tokens[from]!.from, tokens[to - 1]!.to);
    return {
      from,
      to,
      text: typed.replaceAll(/["“”]/g, "").trim().slice(0, MAX_QUERY_LENGTH).toWellFormed(),
    };
  });
}

function isCarrierNumber({ number }: Token): boolean {
  return number?.role === "usdot" || number?.role === "docket";
}

function isFirm({ text }: Token): boolean {
  return FIRM_WORD.test(text);
}
