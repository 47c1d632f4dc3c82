/**
 * Stage 2, names: those that carriers have together with those that no carrier has, and a name beside a
 * number as all that was typed.
 *
 * @module
 */

import { MAX_QUERY_WORDS, namesState, stateCode } from "../../../pipeline/search/query/query.ts";
import { legalForm } from "../../../pipeline/name_words.ts";
import { withoutOwner } from "./name_forms.ts";
import {
  BEGINS_QUESTION,
  comparisons,
  endsSentence,
  isCapital,
  isFirm,
  isFirmInside,
  isListed,
  isUnknown,
  looksLikeName,
  type NamedReading,
  namesIn,
  type NameSpan,
  PARTS,
  TO_PLACE,
  type TokenRun,
  typedText,
} from "./names.ts";
import { isCarrierNumber, type NumberEntity } from "./number_entity.ts";
import type { Reading, Token } from "../tokens/tokens.ts";
import { isNoName } from "./no_names.ts";

// Phrases that don't ask anything.
const ASIDE = /^(?:soft|join|dot|location\?)$/;
/** "Moreno and Sons". */
const FAMILY = /^(?:sons?|bros|brothers|daughters?)$/;
/** The most such words between two words of a name that no carrier has. */
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
  const typed = { ...reading, numbers };
  const names = existing === null
    ? wholeText(typed).map((run) => namesIn(typed, run)[0]!)
    : existing.length === 0
    ? guessedNames(typed)
    : withListed(typed, existing);
  const numbered = numbers.some(isCarrierNumber);
  return names.toSorted((a, b) => a.from - b.from)
    .map((name) => numbered ? widened(typed, name) : name);
}

/** How sure a way is to find what is named, the surest first; the first that finds a name counts. */
const WAYS: readonly ((typed: NamedReading, runs: readonly TokenRun[]) => readonly TokenRun[])[] = [
  wholeText,
  inQuotes,
  listedRuns,
  likeliestRun,
];

/** The name in a question that has no carrier's name: its unknown words. */
function guessedNames(typed: NamedReading): NameSpan[] {
  const runs = unknownRuns(typed).filter((run) => !isNoName(typed, run));
  for (const way of WAYS) {
    const found = way(typed, runs).map((run) => withKeywords(typed, run));
    if (found.length > 0) return found.map((run) => namesIn(typed, run)[0]!);
  }
  return [];
}

/** "A carrier called Active Authority Transport": words of firms alone, with the keywords in capitals before them. */
function withKeywords({ tokens, text }: NamedReading, { from, to }: TokenRun): TokenRun {
  if (
    !/\p{Ll}/u.test(text) ||
    !tokens.slice(from, to).every((token) => isFirm(token) && isCapital(token))
  ) {
    return { from, to };
  }
  let first = from;
  const isPart = (at: number): boolean =>
    isCapital(tokens[at]!) && !BEGINS_QUESTION.test(tokens[at]!.text) &&
    tokens[at + 1]!.gap === " ";
  while (first > 0 && isPart(first - 1)) first--;
  return { from: first, to };
}

/** The whole text, if it is a name without a question: "New Freight LLC San Diego". */
function wholeText(typed: NamedReading): TokenRun[] {
  const thanks = /^(?:pls|plz|please|thanks|thx)$/.test(typed.tokens.at(-1)?.text ?? "") ? 1 : 0;
  const all = { from: 0, to: typed.tokens.length - thanks };
  // "Rock City Ohio carriers".
  const [state, kind] = typed.tokens.slice(all.to - 2, all.to);
  if (/^(?:carriers|companies|truckers)$/.test(kind?.text ?? "") && namesState(state!.text)) {
    return [];
  }
  // "Auto transport companies Lancaster pa".
  const ofPlace = namesState(typed.tokens[all.to - 1]?.text ?? "") &&
    typed.tokens.some(({ text }) => /^(?:carriers|companies|outfits|firms|truckers)$/.test(text));
  // "Grand Grove trucking, any trucks at all".
  if (
    typed.tokens.some(({ gap, text }) => gap.includes(",") && /^(?:any|anything|no)$/.test(text))
  ) {
    return [];
  }
  if (ofPlace && !typed.tokens.some(({ text }) => legalForm(text) !== "")) return [];
  const asks = typed.spans.slice(0, all.to).some((span, at) =>
    !/^(?:soft|fresh|many|broker|vehicle|(?!authority)\w+\?)?$/.test(span?.mark ?? "") &&
    // The state.
    !(at === all.to - 1 && typed.tokens[at]!.raw === "OK")
  );
  return !asks && all.to <= MAX_QUERY_WORDS && hasNoNumber(typed, all) && looksLikeName(typed, all)
    ? [all]
    : [];
}

/** The only words in quotation marks. */
function inQuotes(typed: NamedReading): TokenRun[] {
  const { tokens, text } = typed;
  const from = tokens.findIndex(({ gap }) => /["“]$/.test(gap));
  const to = tokens.findIndex((token, at) => at >= from && /^["”]/.test(text.slice(token.to))) + 1;
  const isOnly = text.match(/["“”]/g)?.length === 2 && from >= 0 && to > from;
  const run = { from, to };
  return isOnly && hasNoNumber(typed, run) && unknownIn(typed, run) > 0 ? [run] : [];
}

/** Every name in a list or a comparison. */
function listedRuns(typed: NamedReading, runs: readonly TokenRun[]): TokenRun[] {
  const compared = typed.spans.some((span) => span?.mark === "compare");
  const listed = runs.filter((run, i) =>
    [runs[i - 1], runs[i + 1]].some((one) => one && isListed(typed, one, run, compared))
  );
  return listed.length > 1 ? listed : [];
}

/**
 * What looks like a name, or else stands in capitals, or else is all that is not understood, or the question
 * may be about anything.
 */
function likeliestRun(typed: NamedReading, runs: readonly TokenRun[]): TokenRun[] {
  const { tokens, spans, numbers, text } = typed;
  const inCapitals = (run: TokenRun): number =>
    /\p{Ll}/u.test(text) ? unknownIn(typed, run, isCapital) : 0;
  const searches = numbers.some(isCarrierNumber) ||
    spans.some((span) => /^(?:find|named|many)$/.test(span?.mark ?? ""));
  const isPlace = ({ from }: TokenRun): boolean =>
    !searches &&
    (/^(?:in|inside|within|near|from|to)$/.test(tokens[from - 1]?.text ?? "") ||
      // "Miles per truck at Jajako".
      tokens[from - 1]?.text === "at" && !(isCapital(tokens[from]!) && /\p{Ll}/u.test(text)) ||
      tokens[from - 2]?.text === "out");
  // "Lucky axle lakeland, did they come back": of several the one of two words or more.
  const long = runs.filter((run) => unknownIn(typed, run) > 1);
  const choices = [
    runs.filter((run) => looksLikeName(typed, run)),
    runs.filter((run) => inCapitals(run) > 0 && !isPlace(run)),
    (runs.length === 1 ? runs : long.length === 1 ? long : []).filter((run) => !isPlace(run)),
  ];
  return choices.find((list) => list.length > 0)?.toSorted((a, b) =>
    inCapitals(b) - inCapitals(a) || unknownIn(typed, b) - unknownIn(typed, a)
  ).slice(0, 1) ?? [];
}

function hasNoNumber({ numbers }: NamedReading, { from, to }: TokenRun): boolean {
  return numbers.slice(from, to).every((number) => number === null);
}

/** The existing names with those that no carrier has, of the same list. */
function withListed(typed: NamedReading, names: readonly NameSpan[]): NameSpan[] {
  // "Kim Remodeling: Florida or Wisconsin": the states are places.
  const others = unknownRuns(typed, names).filter((run) =>
    stateCode(typedText(typed, run).toLowerCase()) === undefined
  );
  const compared = typed.spans.some((span) => span?.mark === "compare");
  // "ZM Trucking of Hartford, is that the same outfit as Z & N Trucking".
  const isOther = names.length === 1 && comparisons(typed).length > 0;
  const listed = others.filter((run) =>
    isOther && looksLikeName(typed, run) && unknownIn(typed, run, (token) => !isFirm(token)) > 0 ||
    [...names, ...others].some((one) => one !== run && isListed(typed, one, run, compared))
  );
  return [...names, ...listed.map((run) => namesIn(typed, run)[0]!)];
}

/** The runs of words without meaning outside names, with words of firms and a few that ask nothing inside. */
function unknownRuns(typed: NamedReading, names: readonly TokenRun[] = []): TokenRun[] {
  const { tokens, spans, numbers, text } = typed;
  const isJoin = (at: number): boolean =>
    /^(?:and|or)$/.test(tokens[at]!.text) && spans[at] !== null;
  const isList = /,.* (?:and|or) /i.test(text) && tokens.some((_, at) => isJoin(at)) ||
    spans.some((span) => span?.mark === "compare");
  const isNamed = (at: number): boolean => names.some(({ from, to }) => at >= from && at < to);
  // "Boise carriers" can be any of them; "is Boise Carriers active" names one.
  const isKind = (at: number): boolean =>
    // "United star movers, what is their rating".
    at === 2 && spans[at]?.mark === "many" && isUnknown(typed, 0) && isUnknown(typed, 1) &&
      spans.some((span) => span?.mark === "them") ||
    isUnknown(typed, at - 1) && /\p{Ll}/u.test(text) && isCapital(tokens[at]!) &&
      isCapital(tokens[at - 1]!) &&
      (/^(?:many|vehicle|cargo\??|broker|fleet\??)$/.test(spans[at]?.mark ?? "") ||
        tokens[at]!.text === "carrier");
  const isOne = (at: number): boolean =>
    isUnknown(typed, at - 1) && (/\p{Ll}/u.test(text) && isCapital(tokens[at]!) ||
      /^(?:is|does|did|has|was)$/.test(tokens[0]!.text));
  // "Did N V Alexander's fleet grow".
  const isInitial = (at: number): boolean =>
    at > 0 && /^[B-HJ-Z]$/.test(tokens[at]!.raw) && isUnknown(typed, at + 1) &&
      isCapital(tokens[at + 1]!) && /\p{Ll}/u.test(text) ||
    // "Y & B Moving": "y" is "and" in Spanish.
    /^[a-z]$/i.test(tokens[at]!.raw) && tokens[at + 1]?.raw === "&" && isUnknown(typed, at + 2);
  const isPart = (at: number): boolean =>
    at < tokens.length && !isNamed(at) &&
    (isUnknown(typed, at) || isInitial(at) ||
      isFirm(tokens[at]!) && (/^(?:soft)?$/.test(spans[at]?.mark ?? "") || isOne(at)) ||
      isKind(at) || isFirmInside(typed, at));
  const ends = (at: number): boolean =>
    isNamed(at) || isCarrierNumber(numbers[at]) || endsSentence(tokens, at) ||
    // "A fleet in Louisiana (Black Trucking, 19359)".
    tokens[at]!.gap.includes("(") ||
    // "White Lines Trucking, any open orders".
    tokens[at]!.gap.includes(",") && /^(?:any|anything|no)$/.test(tokens[at]!.text) ||
    // "Oakport tree service nd hauling cars".
    tokens[at]!.raw === "hauling" && at === tokens.length - 2 &&
      /^\p{Ll}+s$/u.test(tokens[at + 1]!.raw) && !isFirm(tokens[at + 1]!) ||
    PARTS.test(tokens[at]!.gap) ||
    isList && (tokens[at]!.gap.includes(",") ||
        isJoin(at) &&
          // "Which is bigger, Echo Cattle or Sanders & Brandt".
          (tokens[at]!.raw !== "&" || isFirm(tokens[at - 1]!)) &&
          // "Moreno and Sons".
          !FAMILY.test(tokens[at + 1]?.text ?? ""));
  // "Won the super bowl" isn't a name.
  const isInside = (at: number): boolean =>
    // "Snow Owl Intermodal Partners LLC".
    isUnknown(typed, at - 1) && isUnknown(typed, at + 1) &&
      tokens.slice(at + 1, at + 4).some(({ text }, i) =>
        legalForm(text) !== "" && tokens.slice(at + 2, at + 2 + i).every(({ gap }) => gap === " ")
      ) ||
    // "Harbor Trust Logistics".
    tokens[at]!.text === "trust" && isUnknown(typed, at - 1) && isPart(at + 1) ||
    ASIDE.test(spans[at]?.mark ?? "") &&
      (spans[at]!.mark !== "join" || isCapital(tokens[at]!) ||
        TO_PLACE.test(tokens[at]!.text) && tokens[at]!.text !== "the" ||
        tokens[at]!.text === "and");
  const runs: TokenRun[] = [];
  for (let from = 0; from < tokens.length; from++) {
    if (!isPart(from)) continue;
    let to = from + 1;
    for (let at = to; at < tokens.length && at <= to + MAX_ASIDE && !ends(at); at++) {
      if (isPart(at)) to = at + 1;
      else if (!isInside(at)) break;
    }
    // "Has all lion been inspected", of All Lion Transport.
    const isAll = tokens[from - 1]?.text === "all" &&
      /^(?:did|does|has|is|was|of|for|with|by)$/.test(tokens[from - 2]?.text ?? "");
    // "Good and Sons".
    const isFamily = FAMILY.test(tokens[from]!.text) &&
      /^(?:and|&)$/.test(tokens[from - 1]?.text ?? "") && spans[from - 2]?.mark === "soft";
    const run = {
      from: isFamily ? from - 2 : isAll ? from - 1 : from,
      to: Math.min(to, from + MAX_QUERY_WORDS),
    };
    if (unknownIn(typed, run) > 0) runs.push(run);
    from = to - 1;
  }
  return runs;
}

/** The number of unknown words in a run, optionally only those that pass `isKind`. */
function unknownIn(
  typed: NamedReading,
  { from, to }: TokenRun,
  isKind = (_: Token) => true,
): number {
  return typed.tokens.slice(from, to).filter((token, i) =>
    isUnknown(typed, from + i) && isKind(token)
  )
    .length;
}

/**
 * A name beside a carrier number, as all that was typed as it: "General Transport Brokerage LLC". In
 * capitals a keyword in capitals is of the name; in lower case a name with a keyword behind it may be a
 * name and a question, and is not sure.
 */
function widened(typed: NamedReading, name: NameSpan): NameSpan {
  const { text, tokens, spans, numbers } = typed;
  const capitals = /\p{Ll}/u.test(text) &&
    tokens.slice(name.from, name.to).some(({ raw }) => /^\p{Lu}/u.test(raw));
  const isJoin = (at: number): boolean => /^(?:of|and)$/.test(tokens[at]?.text ?? "");
  // "Nutangra glass hauling logs".
  const isGoods = (at: number): boolean =>
    /s$/.test(tokens[at]?.text ?? "") && tokens[at]!.gap === " " && !isFirm(tokens[at]!) &&
    legalForm(tokens[at]!.text) === "";
  const isPart = (at: number): boolean => {
    const token = tokens[at];
    if (token === undefined || isCarrierNumber(numbers[at])) return false;
    if (at > 0 && endsSentence(tokens, at)) return false;
    if (token.number !== undefined) return numbers[at]!.role === "unresolved";
    // "Is Carlos Martinez a freight forwarder".
    if (/^an?$/.test(token.text)) return false;
    return capitals
      ? isCapital(token)
      : !/^(?:join|holds)$/.test(spans[at]?.mark ?? "") && !BEGINS_QUESTION.test(token.text) &&
        // "H & j logistics llc wants to haul my cars, dot 48435".
        !/^(?:wants?|needs?|take|takes|called|calling|trying|asking|offered|bidding)$/.test(
          token.text,
        ) &&
        !(/^(?:hauling|moving|carrying)$/.test(token.text) && isGoods(at + 1));
  };
  const joins = (at: number): boolean =>
    /^[ "'“”.&-]*$/.test(tokens[at]?.gap ?? ",") ||
    // "Ruiz Hauling, LLC".
    /^, $/.test(tokens[at]?.gap ?? "") && legalForm(tokens[at]!.text) !== "";
  // "Caller ID 'briso roofing' hauling a load".
  const isQuoted = /["“'‘]$/.test(tokens[name.from]!.gap);
  const isOut = (at: number): boolean => isQuoted && /^["”'’]/.test(tokens[at]?.gap ?? "");
  let { from, to } = name;
  while (
    joins(to) && !isOut(to) &&
    (isPart(to) || isJoin(to) && joins(to + 1) && isPart(to + 1))
  ) {
    to++;
  }
  let left = from;
  // "Name general transport".
  const isLabel = (at: number): boolean =>
    !capitals && /^(?:named|holds)$/.test(spans[at]?.mark ?? "");
  // "Bill says Southern Ridge Brothers".
  const says = (at: number): boolean =>
    /^(?:says|said|reads|shows|lists|claims)$/.test(tokens[at]!.text);
  while (
    left > 0 && joins(left) && !endsSentence(tokens, left) && isPart(left - 1) &&
    !isLabel(left - 1) && !says(left - 1)
  ) {
    left--;
  }
  if (left > 0 && (isCarrierNumber(numbers[left - 1]) || capitals)) from = left;
  const whole = withoutOwner(typedText(typed, { from, to }));
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
