/**
 * The company names of a question. Words of a name can be keywords too, so the longest stretch that is the
 * name of a carrier is one; where none is, the stretch that looks most like a name.
 *
 * @module
 */

import { MAX_QUERY_LENGTH, MAX_QUERY_WORDS } from "../../pipeline/search/query/query.ts";
import { legalForm } from "../../pipeline/name_words.ts";
import { isCarrierNumber, type Token } from "./numbers.ts";
import type { Reading } from "./reading.ts";
import { FIRM_WORD } from "./vocabulary.ts";

/** A name as typed, all of it, and the name and the place that it consists of; the place may be empty. */
export interface Name {
  text: string;
  name: string;
  place: string;
}

/** Tokens `from` up to `to`. */
export interface NameSpan extends Name {
  from: number;
  to: number;
}

type Run = Pick<NameSpan, "from" | "to">;

/** Whole phrases that may be a name. */
interface Stretch extends Run {
  /** How much it looks like a name. */
  score: number;
  /** Whether no word without meaning stands beside it, which may be of the same name. */
  apart: boolean;
}

/** What a question is read with: the names of all carriers, and the day. */
export interface NameBook {
  /** `YYYY-MM-DD`. */
  today: string;
  /** Of some texts those that may be the name of a carrier; the others surely are not. */
  likely(texts: readonly string[]): Promise<ReadonlySet<string>>;
  has(name: Name): Promise<boolean>;
}

// Phrases that are of no name unless a carrier has it.
const ENDS =
  /^(?:hard|them|follow|lookup|find|named|compare|overview|holds|mcs150.*|due|ucr|oos.*|rating.*|usdot|dockets|inspections|fee|count|consequence)$/;
// Phrases that ask nothing.
const ASIDE = /^(?:soft|join|dot)$/;
const NEVER_AT_EDGE = /^(?:of|and|or|the)$/;
/** Words between a name and its place: "down in", "out of". */
export const TO_PLACE = /^(?:down|up|out|over|based|located|in|of|at|near|from|the|de|en)$/;

/** Words of a place at most: "down in San Luis Obispo CA". */
const MAX_PLACE = 6;

/**
 * The names of a question, in its order: several only where it compares or all of them look like names;
 * none where another one is as long, since either may be meant.
 */
export async function findNames(reading: Reading, book: NameBook): Promise<NameSpan[]> {
  const stretches = stretchesOf(reading);
  const names: NameSpan[] = [];
  const isFree = (one: Run): boolean =>
    names.every(({ from, to }) => one.to <= from || one.from >= to);
  const compares = (): boolean =>
    reading.spans.some((span) => span?.mark === "compare" && isFree(span));
  const ways = stretches.filter((one) => one.apart)
    .sort((a, b) => b.to - b.from - (a.to - a.from)).flatMap((one) => namesIn(reading, one));
  const likely = await book.likely([...new Set(ways.flatMap(({ name }) => spellings(name)))]);
  for (const way of ways.filter(({ name }) => spellings(name).some((one) => likely.has(one)))) {
    const [longest] = names;
    const isOne = longest === undefined || compares() ||
      [...names, way].every((one) => looksLikeName(reading, one));
    if (!isFree(way) || !isOne && way.to - way.from < longest.to - longest.from) continue;
    if (!await book.has(way)) continue;
    if (!isOne) return [];
    names.push(way);
  }
  const [best] = stretches.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
  if (names.length === 0 && best !== undefined) return namesIn(reading, best).slice(0, 1);
  return names.sort((a, b) => a.from - b.from);
}

/** Whether a stretch looks like a name: words of a firm or capitals. */
export function looksLikeName({ text, tokens }: Reading, { from, to }: Run): boolean {
  const words = tokens.slice(from, to);
  if (words.some((token, i) => i > 0 && isFirm(token))) return true;
  return words.length > 1 && /\p{Ll}/u.test(text) &&
    words.every((token) => isCapital(token) || /^(?:of|and|the|in)$/.test(token.text));
}

/** The stretches with a word of a name, between carrier numbers and ends of sentences. */
function stretchesOf(reading: Reading): Stretch[] {
  const { tokens, spans } = reading;
  const isEdge = (at: number): boolean => spans[at] == null || spans[at] !== spans[at - 1];
  return tokens.flatMap((first, from) => {
    const stretches: Stretch[] = [];
    if (!isEdge(from) || NEVER_AT_EDGE.test(first.text)) return [];
    let [score, named, firm] = [0, false, false];
    for (let to = from + 1; to <= Math.min(tokens.length, from + MAX_QUERY_WORDS); to++) {
      const token = tokens[to - 1]!;
      if (isCarrierNumber(token) || to - 1 > from && endsSentence(tokens, to - 1)) break;
      score += worthOf(reading, to - 1);
      named ||= isUnknown(reading, to - 1);
      firm ||= to > from + 1 && (isFirm(token) || isFirm(first));
      if (!isEdge(to) || NEVER_AT_EDGE.test(token.text) || !named && !firm) continue;
      const apart = isApart(reading, { from, to });
      stretches.push({ from, to, score: named ? score : 0, apart });
    }
    return stretches;
  });
}

/** The stretch as a name, then with what may be a place at its end. */
function namesIn(reading: Reading, { from, to }: Run): NameSpan[] {
  const { tokens, spans } = reading;
  const whole = textOf(reading, { from, to });
  const text = spellings(whole)[0]!;
  const names = [{ from, to, text, name: whole, place: "" }];
  if (TO_PLACE.test(tokens[to - 1]!.text)) return names;
  const first = Math.max(from + 1, to - MAX_PLACE);
  for (let at = to - 1; at >= first && !ENDS.test(spans[at]?.mark ?? ""); at--) {
    if (spans[to - 1] === null || TO_PLACE.test(tokens[at]!.text)) {
      const [name, place] = [textOf(reading, { from, to: at }), textOf(reading, { from: at, to })];
      names.push({ from, to, text, name, place });
    }
  }
  return names;
}

function isApart(reading: Reading, { from, to }: Run): boolean {
  const { tokens } = reading;
  // "Is General Transport flagged": a word in lower case is not of a name in capitals.
  const isOfName = (at: number, end: Token): boolean =>
    isUnknown(reading, at) && !(/^\p{Ll}/u.test(tokens[at]!.raw) && isCapital(end));
  let next = to;
  while (TO_PLACE.test(tokens[next]?.text ?? "")) next++;
  const [first, last] = [tokens[from]!, tokens[to - 1]!];
  return (first.gap.includes(",") || !isOfName(from - 1, first)) &&
    (tokens[to]?.gap.includes(",") || !isOfName(next, last));
}

function endsSentence(tokens: readonly Token[], at: number): boolean {
  const [before, { gap }] = [tokens[at - 1]!, tokens[at]!];
  return /[?!;:]/.test(gap) ||
    /\. /.test(gap) && before.text.length > 2 && legalForm(before.text) === "";
}

/** What a token adds to the likelihood of a name. */
function worthOf(reading: Reading, at: number): number {
  const { text, tokens, spans } = reading;
  const span = spans[at];
  if (isUnknown(reading, at)) return /\p{Ll}/u.test(text) && isCapital(tokens[at]!) ? 3 : 2;
  if (span == null) return 0;
  if (span.mark === "soft" && isFirm(tokens[at]!)) return 1;
  return ENDS.test(span.mark) ? -Infinity : ASIDE.test(span.mark) ? -1 : -3;
}

/** Whether a token is a word without meaning, or a number before one: "5 Star". */
function isUnknown({ tokens, spans }: Reading, at: number): boolean {
  const [token, next] = [tokens[at], tokens[at + 1]];
  if (token?.number === undefined) return token !== undefined && spans[at] === null;
  return token.number.role === "unresolved" && next?.kind === "word" && /^[ &-]*$/.test(next.gap) &&
    (spans[at + 1] === null || spans[at + 1]!.mark === "soft");
}

function textOf({ text, tokens }: Reading, { from, to }: Run): string {
  const typed = text.slice(tokens[from]!.from, tokens[to - 1]!.to).replaceAll(/["“”()]/g, "")
    .trim();
  return typed.slice(0, MAX_QUERY_LENGTH).toWellFormed();
}

/** How a name may be spelled: "General Transport's" is "General Transport" too. */
export function spellings(name: string): string[] {
  const owner = name.replace(/['’]s$/i, "");
  return owner === name ? [name] : [owner, name];
}

function isCapital({ raw }: Token): boolean {
  return /^[\p{Lu}\p{N}&]/u.test(raw);
}

function isFirm({ text }: Token): boolean {
  return FIRM_WORD.test(text);
}
