/**
 * Stage 2, names: the companies that a question names. Words of a name can be keywords too, so the longest
 * stretch that is the name of a carrier is one; where none is, the words that mean nothing else.
 *
 * @module
 */

import { MAX_QUERY_LENGTH, MAX_QUERY_WORDS } from "../../pipeline/search/query/query.ts";
import { legalForm } from "../../pipeline/name_words.ts";
import { isCarrierNumber, type NumberEntity } from "./numbers.ts";
import type { Reading, Token } from "./tokens.ts";
import { FIRM_WORD } from "./vocabulary.ts";

/** A name as typed, all of it, and the name and the place that it consists of; the place may be empty. */
export interface Name {
  readonly text: string;
  readonly name: string;
  readonly place: string;
  /** Whether it has a mark of a name; what has none is not called an absent carrier. */
  readonly marked?: boolean;
}

/** Tokens `from` up to `to`. */
interface Run {
  readonly from: number;
  readonly to: number;
}

export interface NameSpan extends Name, Run {
  /** All that was typed as the name, keywords too: what is compared with a number's carrier. */
  readonly whole: string;
  /** Whether `whole` surely is a name and not a name with a question behind it. */
  readonly sure: boolean;
  /** Whether a carrier has the name. */
  readonly exists?: boolean;
}

/** What became of a search: only `absent` means that no carrier has the name. */
export type NameOutcome = "found" | "absent" | "not searched";

/** What a question is read with: the names of all carriers. */
export interface NameBook {
  /** Of some texts those that may be the name of a carrier; the others surely are not. */
  likely(texts: readonly string[]): Promise<ReadonlySet<string>>;
  find(name: Name): Promise<NameOutcome>;
}

/** A question as the names are found in it. */
interface Typed extends Reading {
  readonly numbers: readonly (NumberEntity | null)[];
}

// Phrases that are of no name unless a carrier has it.
const ENDS =
  /^(?:hard|them|follow|lookup|find|named|compare|overview|holds|mcs150.*|due|ucr|oos.*|rating.*|usdot|dockets|inspections|fee|count|consequence)$/;
// Phrases that ask nothing.
const ASIDE = /^(?:soft|join|dot)$/;
// Words that begin a question behind a name without a comma: "general transport is it active".
const BEGINS_QUESTION =
  /^(?:is|are|am|was|were|isnt|do|does|did|doesnt|has|have|had|can|could|should|would|will|what|whats|when|whens|where|which|who|whos|whose|why|how|if|that|this|it|its|they|them|their|he|his|i|im|my|we|our|you|match|matches|right|correct|really|true|verdad|cierto|please|thanks|lol|still|currently|ever|also|already|yet|actually|es|esta|que|cual|cuando)$/;
const NEVER_FIRST = /^(?:of|and|or)$/;
const NEVER_LAST = /^(?:of|and|or|the)$/;
/** Words between a name and its place: "down in", "out of". */
export const TO_PLACE = /^(?:down|up|out|over|based|located|in|of|at|near|from|the|de|en)$/;

/** Words of a place at most: "down in San Luis Obispo CA". */
const MAX_PLACE = 6;
/** Words that ask nothing, between two words of a name that no carrier has. */
const MAX_ASIDE = 2;

/**
 * The names of a question, in its order, from those that carriers have.
 *
 * @param existing As {@link existingNames} returns them.
 */
export function namesOf(
  reading: Reading,
  numbers: readonly (NumberEntity | null)[],
  existing: readonly NameSpan[] | null,
): NameSpan[] {
  if (existing === null) return [];
  const typed = { ...reading, numbers };
  const names = existing.length === 0 ? guessedNames(typed) : withListed(typed, existing);
  const numbered = numbers.some(isCarrierNumber);
  return names.toSorted((a, b) => a.from - b.from)
    .map((name) => numbered ? widened(typed, name) : name);
}

/**
 * The longest names that carriers have: several only in a list, in a comparison, or where all look like
 * names; null where two are equally long and either may be meant.
 */
export async function existingNames(
  reading: Reading,
  numbers: readonly (NumberEntity | null)[],
  book: NameBook,
): Promise<NameSpan[] | null> {
  const typed = { ...reading, numbers };
  const ways = stretchesOf(typed).toSorted((a, b) => b.to - b.from - (a.to - a.from))
    .flatMap((one) => namesIn(typed, one));
  const likely = await book.likely([...new Set(ways.flatMap(({ name }) => spellings(name)))]);
  const comparing = typed.spans.filter((span, at) =>
    span?.mark === "compare" || span !== null && typed.tokens[at]!.text === "same"
  );
  const names: NameSpan[] = [];
  const isFree = (one: Run): boolean =>
    names.every(({ from, to }) => one.to <= from || one.from >= to);
  for (const way of ways.filter(({ name }) => spellings(name).some((one) => likely.has(one)))) {
    const [longest] = names;
    const isOne = longest === undefined || comparing.some((span) => isFree(span!)) ||
      names.some((one) => isListed(typed, one, way)) ||
      [...names, way].every((one) => looksLikeName(typed, one));
    if (!isFree(way) || !isOne && way.to - way.from < longest.to - longest.from) continue;
    const outcome = await book.find(way);
    // What is not searched is in the filter, which is nearly sure of a name but knows no places.
    if (outcome === "absent" || outcome === "not searched" && way.place !== "") continue;
    // "Pedro Jones DBA Reed Carriers": the legal name is enough to find it or to ask.
    if (
      !isOne && typed.tokens.slice(longest.to, way.from).map(({ text }) => text).join() === "dba"
    ) continue;
    if (!isOne) return null;
    names.push({ ...way, exists: true });
  }
  return names;
}

/** Whether a stretch looks like a name: words of a firm or capitals. */
export function looksLikeName({ text, tokens }: Reading, { from, to }: Run): boolean {
  const words = tokens.slice(from, to);
  if (words.some((token, i) => i > 0 && isFirm(token))) return true;
  return words.length > 1 && /\p{Ll}/u.test(text) &&
    words.every((token) => isCapital(token) || /^(?:of|and|the|in)$/.test(token.text));
}

/** The stretches of whole phrases with a word of a name, between carrier numbers and ends of sentences. */
function stretchesOf(typed: Typed): Run[] {
  const { tokens, spans, numbers } = typed;
  const isEdge = (at: number): boolean => spans[at] == null || spans[at] !== spans[at - 1];
  return tokens.flatMap((first, from) => {
    const stretches: Run[] = [];
    if (!isEdge(from) || NEVER_FIRST.test(first.text)) return [];
    let [named, firm] = [false, false];
    for (let to = from + 1; to <= Math.min(tokens.length, from + MAX_QUERY_WORDS); to++) {
      const token = tokens[to - 1]!;
      if (isCarrierNumber(numbers[to - 1]) || to - 1 > from && endsSentence(tokens, to - 1)) break;
      named ||= isUnknown(typed, to - 1) || to - 1 > from && numbers[to - 2]?.bare === true;
      firm ||= to > from + 1 && (isFirm(token) || isFirm(first));
      if (!isEdge(to) || NEVER_LAST.test(token.text) || !named && !firm) continue;
      if (isApart(typed, { from, to })) stretches.push({ from, to });
    }
    return stretches;
  });
}

/** The stretch as a name, then with what may be a place at its end. */
function namesIn(typed: Typed, { from, to }: Run): NameSpan[] {
  const { tokens, spans } = typed;
  const whole = textOf(typed, { from, to });
  const text = spellings(whole)[0]!;
  const sure = looksLikeName(typed, { from, to });
  const names = [{ from, to, text, whole: text, sure, name: whole, place: "" }];
  if (TO_PLACE.test(tokens[to - 1]!.text)) return names;
  const first = Math.max(from + 1, to - MAX_PLACE);
  for (let at = to - 1; at >= first && !ENDS.test(spans[at]?.mark ?? ""); at--) {
    if (isFirm(tokens[at]!) || /^(?:and|or)$/.test(tokens[at]!.text)) break;
    if (spans[to - 1] === null || TO_PLACE.test(tokens[at]!.text)) {
      const [name, place] = [textOf(typed, { from, to: at }), textOf(typed, { from: at, to })];
      names.push({ from, to, text, whole: text, sure, name, place });
    }
  }
  return names;
}

/** Whether no word without meaning stands beside a stretch, which may be of the same name. */
function isApart(typed: Typed, { from, to }: Run): boolean {
  const { tokens } = typed;
  // "Is General Transport flagged": a word in lower case is not of a name in capitals.
  const isOfName = (at: number, end: Token): boolean =>
    isUnknown(typed, at) && !typed.numbers[at]?.bare &&
    !(/^\p{Ll}/u.test(tokens[at]!.raw) && isCapital(end));
  let next = to;
  while (TO_PLACE.test(tokens[next]?.text ?? "")) next++;
  const [first, last] = [tokens[from]!, tokens[to - 1]!];
  return (first.gap.includes(",") || !isOfName(from - 1, first)) &&
    (tokens[to]?.gap.includes(",") || !isOfName(next, last));
}

function endsSentence(tokens: readonly Token[], at: number): boolean {
  const [before, { gap }] = [tokens[at - 1]!, tokens[at]!];
  // "Ruiz Hauling Inc. Could you": a question begins.
  return /[?!;:]/.test(gap) ||
    /\. /.test(gap) &&
      (before.text.length > 2 && legalForm(before.text) === "" ||
        BEGINS_QUESTION.test(tokens[at]!.text));
}

/**
 * What is named where no carrier has a name: words that mean nothing else, those that look like a name or
 * stand in capitals first; of a list or a comparison all of them. In lower case they must be all that is
 * not understood, or the question may be about anything.
 */
function guessedNames(typed: Typed): NameSpan[] {
  const all = { from: 0, to: typed.tokens.length };
  // "New Freight LLC San Diego": nothing is asked.
  const asksNothing = typed.spans.every((span) =>
    /^(?:soft|fresh|many|broker|vehicle)?$/.test(span?.mark ?? "")
  );
  if (
    asksNothing && all.to <= MAX_QUERY_WORDS && typed.numbers.every((one) => one === null) &&
    looksLikeName(typed, all)
  ) {
    return namesIn(typed, all).slice(0, 1);
  }
  const { tokens, text } = typed;
  const opens = tokens.findIndex(({ gap }) => /["“]$/.test(gap));
  const closes = tokens.findIndex(({ to }, at) => at >= opens && /^["”]/.test(text.slice(to)));
  const inQuotes = { from: opens, to: closes + 1 };
  const isOnly = text.match(/["“”]/g)?.length === 2;
  const isWhole = typed.numbers.slice(opens, closes + 1).every((number) => number === null);
  if (isOnly && isWhole && opens >= 0 && closes >= 0 && unknownIn(typed, inQuotes) > 0) {
    return namesIn(typed, inQuotes).slice(0, 1);
  }
  const runs = unknownRuns(typed);
  const compared = typed.spans.some((span) => span?.mark === "compare");
  const listed = runs.filter((run, i) =>
    [runs[i - 1], runs[i + 1]].some((one) => one && isListed(typed, one, run, compared))
  );
  if (listed.length > 1) return listed.map((run) => namesIn(typed, run)[0]!);
  const sought = typed.spans.findIndex((span) => span?.mark === "find");
  if (
    sought >= 0 && sought < (runs[0]?.from ?? 0) && runs.length > 1 &&
    typed.numbers.every((one) => one === null)
  ) {
    return namesIn(typed, { from: runs[0]!.from, to: runs.at(-1)!.to }).slice(0, 1);
  }
  const mixed = /\p{Ll}/u.test(typed.text);
  const inCapitals = (run: Run): number => mixed ? unknownIn(typed, run, isCapital) : 0;
  const searches = typed.numbers.some(isCarrierNumber) ||
    typed.spans.some((span) => /^(?:find|named|many)$/.test(span?.mark ?? ""));
  const isPlace = ({ from }: Run): boolean =>
    !searches &&
    (/^(?:in|inside|within|near|from|to|at)$/.test(typed.tokens[from - 1]?.text ?? "") ||
      typed.tokens[from - 2]?.text === "out");
  const named = runs.filter((run) => looksLikeName(typed, run));
  const capital = runs.filter((run) => inCapitals(run) > 0 && !isPlace(run));
  // "Lucky axle lakeland, did they come back": of several the one of two words or more.
  const long = runs.filter((run) => unknownIn(typed, run) > 1);
  const only = (runs.length === 1 ? runs : long.length === 1 ? long : [])
    .filter((run) => !isPlace(run));
  const [best] =
    [named, capital, only].find((list) => list.length > 0)?.toSorted((a, b) =>
      inCapitals(b) - inCapitals(a) || unknownIn(typed, b) - unknownIn(typed, a)
    ) ?? [];
  return best === undefined ? [] : namesIn(typed, best).slice(0, 1);
}

/** The existing names with those that no carrier has, of the same list. */
function withListed(typed: Typed, names: readonly NameSpan[]): NameSpan[] {
  const others = unknownRuns(typed, names);
  const compared = typed.spans.some((span) => span?.mark === "compare");
  const listed = others.filter((run) =>
    [...names, ...others].some((one) => one !== run && isListed(typed, one, run, compared))
  );
  return [...names, ...listed.map((run) => namesIn(typed, run)[0]!)];
}

/** Whether only "and", "or", "vs" or a comma stands between two stretches. */
function isListed({ tokens, spans, numbers }: Typed, a: Run, b: Run, compared = false): boolean {
  const [first, second] = a.from < b.from ? [a, b] : [b, a];
  const between = tokens.slice(first.to, second.from);
  const isPart = ({ text }: Token, i: number): boolean =>
    /^(?:and|or|vs|versus|plus|y|o)$/.test(text) || spans[first.to + i]?.mark === "compare" ||
    compared && /^(?:to|with)$/.test(text);
  if (!between.every(isPart) || numbers.slice(first.to, second.from).some((one) => one !== null)) {
    return false;
  }
  const comma = tokens.slice(first.to, second.from + 1).some(({ gap }) => gap.includes(","));
  // "Smith and Sons" may be one name.
  const apart = between.some(({ text }, i) =>
    /^(?:or|vs|versus)$/.test(text) ||
    spans[first.to + i]?.mark === "compare"
  ) || compared ||
    first.to - first.from > 1 && second.to - second.from > 1;
  const list = comma && tokens.slice(first.to).some(({ text }) => /^(?:and|or|y|o)$/.test(text));
  return list || between.length > 0 && apart;
}

/** The runs of words without meaning outside names, with words of firms and a few that ask nothing inside. */
function unknownRuns(typed: Typed, names: readonly Run[] = []): Run[] {
  const { tokens, spans, numbers, text } = typed;
  const isList = /,.* (?:and|or|y|o) /i.test(text) ||
    spans.some((span) => span?.mark === "compare");
  const isNamed = (at: number): boolean => names.some(({ from, to }) => at >= from && at < to);
  // "Boise carriers" may be any of them, "is Boise Carriers active" names one.
  const isCapitalized = (at: number): boolean =>
    isUnknown(typed, at - 1) && /\p{Ll}/u.test(text) && isCapital(tokens[at]!) &&
    isCapital(tokens[at - 1]!) &&
    /^(?:many|vehicle|cargo\??|broker|fleet\??)$/.test(spans[at]?.mark ?? "");
  const isOne = (at: number): boolean =>
    isUnknown(typed, at - 1) && (/\p{Ll}/u.test(text) && isCapital(tokens[at]!) ||
      /^(?:is|does|did|has|was)$/.test(tokens[0]!.text));
  const isPart = (at: number): boolean =>
    !isNamed(at) &&
    (isUnknown(typed, at) ||
      isFirm(tokens[at]!) && (/^(?:soft)?$/.test(spans[at]?.mark ?? "") || isOne(at)) ||
      isCapitalized(at));
  const ends = (at: number): boolean =>
    isNamed(at) || isCarrierNumber(numbers[at]) || endsSentence(tokens, at) ||
    isList && (tokens[at]!.gap.includes(",") || /^(?:and|or|y|o)$/.test(tokens[at]!.text));
  // "Won the super bowl" is no name.
  const isInside = (at: number): boolean =>
    ASIDE.test(spans[at]?.mark ?? "") &&
    (spans[at]!.mark !== "join" || isCapital(tokens[at]!) ||
      TO_PLACE.test(tokens[at]!.text) && tokens[at]!.text !== "the" ||
      tokens[at]!.text === "and");
  const runs: Run[] = [];
  for (let from = 0; from < tokens.length; from++) {
    if (!isPart(from)) continue;
    let to = from + 1;
    for (let at = to; at < tokens.length && at <= to + MAX_ASIDE && !ends(at); at++) {
      if (isPart(at)) to = at + 1;
      else if (!isInside(at)) break;
    }
    const run = { from, to: Math.min(to, from + MAX_QUERY_WORDS) };
    if (unknownIn(typed, run) > 0) runs.push(run);
    from = to - 1;
  }
  return runs;
}

/** Words without meaning in a run, of a kind. */
function unknownIn(typed: Typed, { from, to }: Run, isKind = (_: Token) => true): number {
  return typed.tokens.slice(from, to).filter((token, i) =>
    isUnknown(typed, from + i) && isKind(token)
  )
    .length;
}

/** Whether a token is a word without meaning, or a number before one: "5 Star". */
function isUnknown({ tokens, spans, numbers }: Typed, at: number): boolean {
  const [token, next] = [tokens[at], tokens[at + 1]];
  if (token?.number === undefined) return token !== undefined && spans[at] === null;
  return numbers[at]?.role === "unresolved" && next !== undefined && next.number === undefined &&
    /^[ &-]*$/.test(next.gap) && (spans[at + 1] === null || spans[at + 1]!.mark === "soft");
}

/**
 * A name beside a carrier number, as all that was typed as it: "General Transport Brokerage LLC". In
 * capitals a keyword in capitals is of the name; in lower case a name with a keyword behind it may be a
 * name and a question, and is not sure.
 */
function widened(typed: Typed, name: NameSpan): NameSpan {
  const { text, tokens, spans, numbers } = typed;
  const capitals = /\p{Ll}/u.test(text) &&
    tokens.slice(name.from, name.to).some(({ raw }) => /^\p{Lu}/u.test(raw));
  const isJoin = (at: number): boolean => /^(?:of|and)$/.test(tokens[at]?.text ?? "");
  const isPart = (at: number): boolean => {
    const token = tokens[at];
    if (token === undefined || isCarrierNumber(numbers[at])) return false;
    if (at > 0 && endsSentence(tokens, at)) return false;
    if (token.number !== undefined) return numbers[at]!.role === "unresolved";
    return capitals
      ? isCapital(token)
      : spans[at]?.mark !== "join" && !BEGINS_QUESTION.test(token.text);
  };
  const joins = (at: number): boolean =>
    /^[ "'“”.&-]*$/.test(tokens[at]?.gap ?? ",") ||
    // "Ruiz Hauling, LLC".
    /^, $/.test(tokens[at]?.gap ?? "") && legalForm(tokens[at]!.text) !== "";
  let { from, to } = name;
  while (joins(to) && (isPart(to) || isJoin(to) && joins(to + 1) && isPart(to + 1))) to++;
  let left = from;
  while (left > 0 && joins(left) && isPart(left - 1)) left--;
  if (left > 0 && (isCarrierNumber(numbers[left - 1]) || capitals)) from = left;
  const whole = spellings(textOf(typed, { from, to }))[0]!;
  // Keywords at the end may be asked about as well.
  const end = tokens.findLastIndex((token, at) =>
    at < to && at >= from &&
    (token.number !== undefined || isUnknown(typed, at) || isFirm(token))
  );
  const begin = tokens.findIndex((_, at) =>
    at >= from && (isUnknown(typed, at) || at >= name.from)
  );
  const own = { from: begin, to: Math.max(name.to, end + 1) };
  if (!looksLikeName(typed, own)) {
    const sure = name.sure || (name.exists ?? false) && whole === name.text;
    return { ...name, whole, sure };
  }
  return { ...name, ...own, whole, sure: capitals || own.to === to };
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
