/**
 * Stage 2, names: the companies that a question names. Words of a name can be keywords too, so the longest
 * stretch that is the name of a carrier is one; guessed_names.ts has the words that are meant where none is.
 *
 * @module
 */

import {
  MAX_QUERY_LENGTH,
  MAX_QUERY_WORDS,
  namesState,
  STATE_LETTERS,
} from "../../../pipeline/search/query/query.ts";
import { legalForm } from "../../../pipeline/name_words.ts";
import { spellings, withoutOwner } from "./name_forms.ts";
import { isCarrierNumber, type NumberEntity } from "./number_entity.ts";
import { type Reading, STATE_OR_KEYWORD, type Token } from "../tokens/tokens.ts";
import { FIRM_WORD } from "../tokens/vocabulary.ts";

/** A name as typed: the whole text, and the name and place in it. The place may be empty. */
export interface TypedName {
  readonly text: string;
  readonly name: string;
  readonly place: string;
  /** Whether it looks like a name. If false and no carrier matches, the answer doesn't claim that a carrier is absent. */
  readonly marked?: boolean;
}

/** Tokens `from` up to `to`. */
export interface TokenRun {
  readonly from: number;
  readonly to: number;
}

export interface NameSpan extends TypedName, TokenRun {
  /** Everything typed as the name, including keywords. This is compared with the carrier of a number. */
  readonly whole: string;
  /** Whether `whole` is certainly a name, not a name followed by a question. */
  readonly sure: boolean;
  /** Whether a carrier has the name. */
  readonly exists?: boolean;
}

/** The result of a search. Only `absent` means that no carrier has the name. */
export type NameOutcome = "found" | "absent" | "not searched";

/** Looks up the names of all carriers while a question is read. */
export interface NameBook {
  /** Returns the texts that may be a carrier's name. The others certainly are not. */
  likely(texts: readonly string[]): Promise<ReadonlySet<string>>;
  find(name: TypedName): Promise<NameOutcome>;
}

/** What `understand()` needs besides the question. */
export interface Understanding {
  /** `YYYY-MM-DD`. */
  readonly today: string;
  /** A name book for each of this many questions; they share one search budget. */
  books(questions: number): NameBook;
}

/** A question while its names are found: tokens, phrases and numbers. */
export interface NamedReading extends Reading {
  readonly numbers: readonly (NumberEntity | null)[];
}

// These end a name unless a carrier's name has them.
const ENDS =
  /^(?:hard|them|follow|lookup|find|named|compare|overview|holds|mcs150.*|due|ucr|oos.*|rating.*|usdot|dockets|inspections|fee|count|consequence)$/;
// Nor are these of a place, "Kentucky a passenger carrier": each try costs a search.
const NO_PLACE = new RegExp(
  `${ENDS.source}|^(?:cargo|fleet|status|authority|operation|contact|verdict|review|mileage)(?:=.*)?$`,
);
// Words that begin a question behind a name without a comma: "general transport is it active".
export const BEGINS_QUESTION =
  /^(?:is|are|am|was|were|isnt|do|does|did|doesnt|has|have|had|can|could|should|would|will|what|whats|when|whens|where|which|who|whos|whose|why|how|if|that|this|it|its|they|them|their|he|hes|shes|theyre|theyve|weve|ive|been|his|i|im|my|we|our|you|match|matches|right|correct|really|true|verdad|cierto|please|thanks|confirm|verify|lol|still|ready|today|tomorrow|tonight|anymore|currently|ever|also|already|yet|actually|es|esta|que|cual|cuando)$/;
/** "A / B", "A = B". */
export const PARTS = /[=|]| \/ /;
const NEVER_FIRST = /^(?:of|and|or)$/;
const NEVER_LAST = /^(?:of|and|or|the|as)$/;
/** Words between a name and its place: "down in", "out of". */
export const TO_PLACE = /^(?:down|up|out|over|based|located|in|of|at|near|around|from|the|de|en)$/;

/** The most words in a place: "down in San Luis Obispo CA". */
const MAX_PLACE = 6;
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
    .flatMap((one) => namesIn(typed, one)).map((way) => ({ way, spelled: spellings(way.name) }));
  const likely = await book.likely([...new Set(ways.flatMap(({ spelled }) => spelled))]);
  const comparing = comparisons(typed);
  const names: NameSpan[] = [];
  const elsewhere: NameSpan[] = [];
  const isFree = (one: TokenRun): boolean =>
    names.every(({ from, to }) => one.to <= from || one.from >= to);
  for (const { way, spelled } of ways) {
    if (!spelled.some((one) => likely.has(one))) continue;
    const [longest] = names;
    const isOne = longest === undefined || comparing.some(isFree) ||
      names.some((one) => isListed(typed, one, way)) ||
      [...names, way].every((one) => looksLikeName(typed, one));
    if (!isFree(way) || !isOne && way.to - way.from < longest.to - longest.from) continue;
    const outcome = await book.find(way);
    // A name that was not searched passed the filter, which is almost always right about names but has no places.
    if (outcome === "absent" || outcome === "not searched" && way.place !== "") {
      const endsPlace = typed.spans[way.to - 1] === null || isState(typed, way.to - 1);
      if (outcome === "absent" && way.place !== "" && endsPlace) {
        elsewhere.push(way);
      }
      continue;
    }
    // "Pedro Jones DBA Reed Carriers": one of them finds the carrier.
    const isBeside = (one: TokenRun, other: TokenRun): boolean =>
      typed.tokens.slice(one.to, other.from).map(({ text }) => text).join() === "dba";
    if (!isOne && (isBeside(longest, way) || isBeside(way, longest))) continue;
    if (!isOne) return null;
    names.push({ ...way, exists: true });
  }
  // "Allen Truck Lines VA Beach": carriers have the name, none of them there.
  const [other] = elsewhere;
  if (
    names.length === 0 && other !== undefined &&
    await book.find({ ...other, place: "" }) === "found"
  ) return [{ ...await withPlaceOnly(typed, other, book), exists: true }];
  const [only, ...more] = names;
  // "Brian Herrera Bethlehem PA": Brian P Herrera may be there.
  const isPlaceWord = (at: number): boolean =>
    typed.spans[at] === null || TO_PLACE.test(typed.tokens[at]!.text);
  const there = elsewhere.find(({ from, to, place }) =>
    more.length === 0 && from === only?.from && to > only.to && only.place === "" &&
    namesState(place.toLowerCase().split(/[ ,]+/).at(-1)!) &&
    typed.tokens.slice(only.to, to).every((_, i) => isPlaceWord(only.to + i))
  );
  if (there !== undefined) return [{ ...there, exists: true }];
  return only === undefined || more.length > 0 || numbers.some(isCarrierNumber)
    ? names
    : [await withPlaceApart(typed, only, book)];
}

/** "Robertson Supply Jackson Mississippi moves furniture": a name without what stands behind its place, if it has that. */
async function withPlaceOnly(
  typed: NamedReading,
  name: NameSpan,
  book: NameBook,
): Promise<NameSpan> {
  const { from } = name;
  let at = from + 1;
  while (at < name.to && typedText(typed, { from, to: at }) !== name.name) at++;
  const town = typed.tokens.findIndex(({ text }, i) => i >= at && !TO_PLACE.test(text));
  for (let { to } = name; to > town; to--) {
    // "Johnson Trucking Wilmington NC": not one of another state.
    const [one, two] = [typed.tokens[to - 1]!.text, typed.tokens[to]?.text ?? ""];
    if (to < name.to && (namesState(two) || namesState(`${one} ${two}`))) break;
    const text = typedText(typed, { from, to });
    const way = { ...name, to, text, whole: text, place: typedText(typed, { from: at, to }) };
    if (await book.find(way) === "found") return way;
  }
  return name;
}

/** The phrases that compare a name with another. */
export function comparisons({ tokens, spans }: Reading): TokenRun[] {
  return spans.flatMap((span, at) => {
    const { text } = tokens[at]!;
    const compares = span?.mark === "compare" || /^(?:fake|knockoff|impostor)$/.test(text) ||
      span !== null && (text === "same" ||
          // "Is Cedar Trans really Glendale Logistics".
          text === "really" && tokens[0]!.text === "is" ||
          // "Is it the real Clark Transport".
          text === "real" && tokens[at - 1]?.text === "the");
    return compares ? span ?? { from: at, to: at + 1 } : [];
  });
}

/** The most words of a question that are tried as the place of its carrier. */
const MAX_PLACES = 3;

/** "188 trucks and only William White, can that be right, Seattle": the name with a place that stands apart, where it has it. */
async function withPlaceApart(
  typed: NamedReading,
  name: NameSpan,
  book: NameBook,
): Promise<NameSpan> {
  if (name.place !== "") return name;
  const { tokens } = typed;
  const isFree = (at: number): boolean => isUnknown(typed, at) && (at < name.from || at >= name.to);
  const places: string[] = [];
  for (let from = 0; from < tokens.length; from++) {
    if (!isFree(from) || isFree(from - 1)) continue;
    let to = from + 1;
    while (isFree(to)) to++;
    // "Simmons Transportation of Orlando same as Simmons Transport": the place is of the other.
    const isOfOther = TO_PLACE.test(tokens[from - 1]?.text ?? "") && from > 1 &&
      (from < name.from || from - 1 > name.to) && tokens[from - 2]!.raw !== "moving" &&
      (isFirm(tokens[from - 2]!) || legalForm(tokens[from - 2]!.text) !== "");
    const isTown = !isOfOther && tokens.slice(from, to).some(({ text }) => !TO_PLACE.test(text));
    if (isTown && to - from < MAX_PLACE) places.push(typedText(typed, { from, to }));
  }
  for (const place of places.slice(-MAX_PLACES)) {
    if (await book.find({ ...name, place }) === "found") {
      return { ...name, text: `${name.text}, ${place}`, place };
    }
  }
  return name;
}

/** Whether a run of tokens looks like a name: it has a company word, or its words are capitalized. */
export function looksLikeName({ text, tokens }: Reading, { from, to }: TokenRun): boolean {
  const words = tokens.slice(from, to);
  if (words.some((token, i) => i > 0 && isFirm(token))) return true;
  return words.length > 1 && /\p{Ll}/u.test(text) &&
    words.every((token) => isCapital(token) || /^(?:of|and|the|in|out)$/.test(token.text));
}

/** The runs of whole phrases that contain a word of a name, between carrier numbers and ends of sentences. */
function stretchesOf(typed: NamedReading): TokenRun[] {
  const { tokens, spans, numbers } = typed;
  const isEdge = (at: number): boolean => spans[at] == null || spans[at] !== spans[at - 1];
  return tokens.flatMap((first, from) => {
    const stretches: TokenRun[] = [];
    if (!isEdge(from) || NEVER_FIRST.test(first.text)) return [];
    const isList = /^(?:all|every|any|which|list)$/.test(first.text);
    // "All carriers named Jones", "all trucking companies in Kissimmee".
    const ofMany = tokens.slice(from + 1, from + 3).some(({ text }) =>
      /^(?:carriers|companies)$/.test(text)
    );
    if (isList && ofMany) return [];
    let [named, firm] = [false, false];
    for (let to = from + 1; to <= Math.min(tokens.length, from + MAX_QUERY_WORDS); to++) {
      const token = tokens[to - 1]!;
      if (isCarrierNumber(numbers[to - 1]) || to - 1 > from && endsSentence(tokens, to - 1)) break;
      if (to - 1 > from && PARTS.test(token.gap)) break;
      named ||= isUnknown(typed, to - 1) || to - 1 > from && numbers[to - 2]?.bare === true;
      firm ||= to > from + 1 && (isFirm(token) || isFirm(first));
      const isJoin = NEVER_LAST.test(token.text) && !isState(typed, to - 1);
      if (!isEdge(to) || isJoin || !named && (!firm || isList)) continue;
      if (isApart(typed, { from, to })) stretches.push({ from, to });
    }
    return stretches;
  });
}

/** The run as a name, then as shorter names with a possible place at the end. */
export function namesIn(typed: NamedReading, { from, to }: TokenRun): NameSpan[] {
  const { tokens, spans } = typed;
  const whole = typedText(typed, { from, to });
  const text = withoutOwner(whole);
  const sure = looksLikeName(typed, { from, to });
  const names = [{ from, to, text, whole: text, sure, name: whole, place: "" }];
  const last = tokens[to - 1]!;
  const isStateLast = isState(typed, to - 1);
  if (TO_PLACE.test(last.text) && !isStateLast) return names;
  const first = Math.max(from + 1, to - MAX_PLACE);
  for (let at = to - 1; at >= first; at--) {
    if (NO_PLACE.test(spans[at]?.mark ?? "") && !isState(typed, at)) break;
    if (isFirm(tokens[at]!) || !isState(typed, at) && /^(?:and|or)$/.test(tokens[at]!.text)) break;
    // "Garcia Trucking Bangor, getting a weird gmail": only a state stands behind a comma.
    const comma = tokens.slice(at + 1, to).findLastIndex(({ gap }) => gap.includes(","));
    if (comma >= 0 && !namesState(typedText(typed, { from: at + 1 + comma, to }).toLowerCase())) {
      continue;
    }
    // "Jersey City": elsewhere "city" is a keyword.
    const endsPlace = spans[to - 1] === null || last.text === "city" || isStateLast;
    if (endsPlace || TO_PLACE.test(tokens[at]!.text)) {
      const [name, place] = [
        typedText(typed, { from, to: at }),
        typedText(typed, { from: at, to }),
      ];
      names.push({ from, to, text, whole: text, sure, name, place });
    }
  }
  return names;
}

/** Words of firms that may be what it does: "can general transport haul freight". */
const MAY_BE_VERB = /^(?:delivery|freight|hauling|moving|towing|transports?)$/;

/** Whether a word of firms stands in a name with the words around it: "gibbs transport brokerage tacoma". */
export function isFirmInside(typed: NamedReading, at: number): boolean {
  const { tokens } = typed;
  return at < tokens.length - 1 && isFirm(tokens[at]!) && !MAY_BE_VERB.test(tokens[at]!.text) &&
    isUnknown(typed, at - 1) && isUnknown(typed, at + 1) &&
    [at, at + 1].every((one) => tokens[one]!.gap === " ");
}

/** "Johnson Brothers Trucking Wilmington DE", "Evans Services Portland ME": letters that may be keywords. */
function isState({ tokens, spans }: Reading, at: number): boolean {
  return spans[at] === null && STATE_OR_KEYWORD.test(tokens[at]?.text ?? "");
}

/** Whether no unknown word is next to a run: it could belong to the same name. */
function isApart(typed: NamedReading, { from, to }: TokenRun): boolean {
  const { tokens } = typed;
  // "Is General Transport flagged": a lowercase word doesn't belong to a capitalized name.
  // "Does Grand Road Express qualify": a verb stands behind.
  const isVerb = (at: number): boolean =>
    at === to &&
    /^(?:does|do|did|can|could|will|would|should|may|must)$/.test(tokens[from - 1]?.text ?? "") &&
    !FIRM_WORD.test(tokens[at]?.text ?? "") && tokens[at]?.text !== "dba";
  // "Drake Auto Transport Brokerage, a fake of Drake Auto Transport": another name.
  const isLonger = tokens[to]?.gap === " " && isFirm(tokens[to]!) && isCapital(tokens[to]!) &&
    isCapital(tokens[to - 1]!) && /\p{Ll}/u.test(typed.text);
  const isBeforeState = isState(typed, to) && /^,? $/.test(tokens[to]!.gap);
  if (isLonger || isBeforeState || isFirmInside(typed, to)) return false;
  const isOfName = (at: number, end: Token): boolean =>
    isUnknown(typed, at) && !typed.numbers[at]?.bare && !isVerb(at) &&
    // "Mendoza Transport v Johnson Transportation".
    tokens[at]!.raw !== "v" &&
    !(/^\p{Ll}/u.test(tokens[at]!.raw) && isCapital(end));
  let behind = to;
  while (TO_PLACE.test(tokens[behind]?.text ?? "")) behind++;
  const [first, last] = [tokens[from]!, tokens[to - 1]!];
  return (/[,:;"“”=|/]/.test(first.gap) || !isOfName(from - 1, first)) &&
    // "Can Roberts Bus LLC take pallets": a legal form ends a name.
    (/[,:;"“”=|/]/.test(tokens[to]?.gap ?? "") ||
      legalForm(last.text) !== "" && !FIRM_WORD.test(tokens[behind]?.text ?? "") ||
      !isOfName(behind, last));
}

export function endsSentence(tokens: readonly Token[], at: number): boolean {
  const [before, { gap }] = [tokens[at - 1]!, tokens[at]!];
  // "Ruiz Hauling Inc. Could you": a question begins.
  return /[?!;:—–]| - /.test(gap) ||
    /\. /.test(gap) &&
      (before.text.length > 2 && legalForm(before.text) === "" ||
        BEGINS_QUESTION.test(tokens[at]!.text) ||
        // "Harrison Grove CA. Driver showed up", but "Co. Line".
        legalForm(before.text) === "" && STATE_LETTERS.has(before.text) && isCapital(tokens[at]!));
}

/** Whether only "and", "or", "vs" or a comma is between two runs. */
export function isListed(
  { tokens, spans, numbers }: NamedReading,
  a: TokenRun,
  b: TokenRun,
  compared = false,
): boolean {
  const [first, second] = a.from < b.from ? [a, b] : [b, a];
  const between = tokens.slice(first.to, second.from);
  if (between.length === 0 && PARTS.test(tokens[second.from]!.gap)) return true;
  const isPart = ({ text }: Token, i: number): boolean =>
    /^(?:and|or|vs?|versus|plus|also)$/.test(text) || spans[first.to + i]?.mark === "compare" ||
    compared && /^(?:to|with)$/.test(text);
  if (!between.every(isPart) || numbers.slice(first.to, second.from).some((one) => one !== null)) {
    return false;
  }
  const comma = tokens.slice(first.to, second.from + 1).some(({ gap }) => gap.includes(","));
  // "Smith and Sons" may be one name.
  const apart = between.some(({ text }, i) =>
    /^(?:or|vs?|versus)$/.test(text) ||
    spans[first.to + i]?.mark === "compare"
  ) || compared ||
    first.to - first.from > 1 && second.to - second.from > 1;
  const list = comma && tokens.slice(first.to).some(({ text }) => /^(?:and|or)$/.test(text));
  return list || between.length > 0 && apart;
}

/** Whether a token is an unknown word, or a number before one: "5 Star". */
export function isUnknown({ tokens, spans, numbers }: NamedReading, at: number): boolean {
  const [token, next] = [tokens[at], tokens[at + 1]];
  if (token?.number === undefined) return token !== undefined && spans[at] === null;
  return numbers[at]?.role === "unresolved" && !numbers[at].doubtful && next !== undefined &&
    next.number === undefined &&
    /^[ &-]*$/.test(next.gap) && (spans[at + 1] === null || spans[at + 1]!.mark === "soft");
}

export function typedText({ text, tokens }: Reading, { from, to }: TokenRun): string {
  const typed = text.slice(tokens[from]!.from, tokens[to - 1]!.to).replaceAll(/["“”()]/g, "")
    .trim();
  return typed.slice(0, MAX_QUERY_LENGTH).toWellFormed();
}

export function isCapital({ raw }: Token): boolean {
  return /^[\p{Lu}\p{N}&]/u.test(raw);
}

export function isFirm({ text }: Token): boolean {
  return FIRM_WORD.test(text);
}
