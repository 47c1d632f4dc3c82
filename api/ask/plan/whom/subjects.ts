/**
 * Stage 3, subjects: the carriers that a question is about, and what is to be compared with one.
 *
 * @module
 */

import { namesState, stateCode } from "../../../../pipeline/search/query/query.ts";
import { isListedWithNumber } from "./given.ts";
import { followUp } from "./picked.ts";
import { placeBeside, placeSaid, stateAlone } from "./places.ts";
import { recalled, type Talk } from "./recalled.ts";
import type { QuestionView } from "../../entities/entities.ts";
import { isFirm, looksLikeName, type NameSpan } from "../../entities/names.ts";
import { hasFirmWord } from "../../tokens/vocabulary.ts";
import { isTopic } from "../asked/topics.ts";
import {
  type CarrierRef,
  distinct,
  isGivenCarrier,
  isNumbered,
  nameRef,
  refOf,
} from "./references.ts";

/** The carriers, whether the question numbers them itself or follows up on one, and the place it gives alone. */
export function carriersOf(
  q: QuestionView,
  memory: Talk | null,
  fee: boolean,
): { carriers: readonly CarrierRef[]; own: boolean; place?: string } {
  const { names: [name, ...others], reading } = q;
  const again = memory === null ? undefined : recalled(q, memory);
  if (again !== undefined) return { carriers: again, own: true };
  const numbers = q.carrierNumbers;
  // "2615193 and Jendakrisen Carrier".
  // "Compare my rates with RT Carrier, I'm 25525".
  const isOther = numbers.length === 1 && others.length === 0 && q.has("compare") &&
    /\bcompared? (?:\S+ ){0,4}(?:with|to|against)\b|\b(?:vs?|versus)\.? (?:the (?:one|other)|(?:us)?dot|mc)\b/i
      .test(reading.text);
  const beside = q.names.filter((one) => one.exists && (isOther || isListedWithNumber(q, one)))
    .map(nameRef);
  if (numbers.length > 0) {
    // "15071 is their DOT?", after a question about a carrier by its name.
    const [before, ...others] = memory?.carriers ?? [];
    // "Do they still hold 15933".
    const isHeld = /\b(?:they|he|she|it) (?:still )?holds? \d+\W*$/i.test(reading.text);
    const isTheirs = before?.by === "name" && others.length === 0 && numbers.length === 1 &&
      q.names.length === 0 &&
      (isHeld || q.says(
        /\b(?:is|was|isnt|the) (?:their|his|its|her|the right|the correct)(?: us)? ?(?:dot|mc)\b|\b(?:their|his|its|her) (?:us ?)?(?:dot|mc)(?: number)? (?:is|was)\b/,
      ));
    const asked = isTheirs ? [before] : [];
    const refs = numbers.map((one) =>
      refOf(isHeld && isTheirs && one.bare ? { ...one, role: "docket" } : one)
    );
    return { carriers: distinct([...refs, ...beside, ...asked]), own: true };
  }
  const [earlier, ...more] = memory?.carriers ?? [];
  // "Does that match General Transport", "does Newark NJ match": the number of the previous question.
  if (
    earlier !== undefined && more.length === 0 && others.length === 0 &&
    (isNumbered(earlier) || earlier.by === "name" && q.all("phone").length > 0) &&
    ((q.has("holds") || q.says(/\b(?:their|there|its|his|the) name\b/) ||
          // "Is that Thomas Anderson".
          name?.to === reading.tokens.length &&
            /^\W*(?:(?:so|and|ok)\W+)*(?:is|was|isn['’]?t) (?:that|this|it|he|she)\b/i.test(
              reading.text,
            )) &&
        (name !== undefined || placeBeside(q) !== undefined) ||
      q.all("phone").length > 0 &&
        (q.has("holds") || q.says(/\b(?:theirs?|them|they|its|it|his)\b/)))
  ) return { carriers: [earlier], own: true };
  if (
    earlier !== undefined && more.length === 0 && q.names.every(({ exists }) => !exists)
  ) {
    // "Are they based in Iowa".
    const isAsked = placeSaid(q) !== undefined && (q.has("them") || q.says(/\b(?:that|this)\b/));
    if (isAsked) return { carriers: [earlier], own: true };
    // "Louisville KY, right".
    const place = memory?.list === undefined && q.place === null && isGivenCarrier(earlier)
      ? stateAlone(q)
      : undefined;
    if (place !== undefined) return { carriers: [earlier], own: true, place };
  }
  const follows = followUp(q, memory?.carriers ?? [], memory?.list);
  if (follows !== null) return { carriers: [follows], own: true };
  const compares = q.has("compare") || q.says(/\bsame (?:\S+ )?as\b/);
  const all = namedIn(q, { compares, follows: earlier !== undefined });
  const there = memory?.list?.sought.place ?? "";
  // "Which of those is Cedar Trans", after a list of a place.
  const isThere = there !== "" && q.says(/\b(?:those|them|these)\b/);
  const named = isThere
    ? all.map((ref) =>
      ref.place === "" ? { ...ref, text: `${ref.text} in ${there}`, place: there } : ref
    )
    : all;
  // "How many trucks would that be parking": the carrier of the previous question.
  const isFollowUp = earlier !== undefined && more.length === 0 &&
    named.every(({ marked }) => !marked) &&
    [...q.marks].some(isTopic) &&
    q.says(/\b(?:that|they|them|it|their|its)\b/);
  if (isFollowUp) return { carriers: [], own: false };
  const second = named.length === 1 && compares ? comparedWith(q, named[0]!) : undefined;
  if (second !== undefined) return { carriers: [...named, second], own: false };
  // In a question about a fee or something declined, an unknown word isn't a name.
  const found = q.names.some(({ exists }) => exists) && !q.has("compare") && q.names.length > 1;
  const sure = fee || found ||
    [...q.marks].some((mark) => mark.startsWith("no:") && mark !== "no:oos_order") ||
    // "OOS orders Texas this month".
    q.has("no:oos_order") && named.some(({ text }) => stateCode(text.toLowerCase()) !== undefined);
  return { carriers: distinct(sure ? named.filter(({ marked }) => marked) : named), own: false };
}

/** The carriers that a question names, and whether each looks like a name. */
function namedIn(
  q: QuestionView,
  { compares, follows }: { compares: boolean; follows: boolean },
): (CarrierRef & { readonly by: "name" })[] {
  const { reading, names } = q;
  const { text, tokens } = reading;
  // "Movers in Kentucky called Shelton".
  const [state, ...states] = q.unknownPhrases({ named: true }).filter((phrase) =>
    stateCode(phrase.toLowerCase()) !== undefined &&
    // "Moving from Boston to Maryland", "leave out the ones in Virginia", "Kansas City Port Authority".
    !new RegExp(
      `\\b(?:(?:to|into|through|across|thru|toward|towards)|(?:leave out|except|excluding|other than|but not) .*) ${
        RegExp.escape(phrase)
      }\\b`,
      "i",
    )
      .test(text) &&
    !new RegExp(`${RegExp.escape(phrase)} city\\b`, "i").test(text)
  );
  const isThere = names.length === 1 && names[0]!.place === "" && state !== undefined &&
    states.length === 0 && !compares && placeSaid(q) === undefined;
  const isMarked = (one: NameSpan): boolean => {
    const { gap } = tokens[one.from]!;
    // "What about Podanemzi", "Podanemzi", after another carrier.
    // One in lower case may be any word: "fine?"
    const isAlone = one.from === 0 && one.to === tokens.length &&
      (one.to > 1 || /^[^\p{Ll}]/u.test(one.text));
    const isNext = isAlone ||
      /\b(?:what|how) a?bout\b|\bmea?nt\b|\bsame (?:thing )?(?:for|with|on)\b|^\W*(?:now|then|and then) (?:\S+ ?){1,4}$|^\W*(?:no|nope|sorry),? (?!\w+ing\b)/i
        .test(text);
    const isCapital = one.from > 0 && !/[.?!]/.test(gap) && /^\p{Lu}/u.test(one.text) &&
      /\p{Ll}/u.test(text);
    // "Which mover in Columbia, Missouri should I choose".
    const isPlaceToo = q.has("no:trust") &&
      /^(?:in|near|from)$/.test(tokens[one.from - 1]?.text ?? "");
    // "Windalo's last inspection".
    const isOwner = one.to - one.from === 1 && /['’]s$/.test(tokens[one.from]!.raw);
    // "Stone-Torres UCR fee".
    const isOfFee = one.from === 0 && one.to > 1 &&
      /^(?:ucr|fee)$/.test(reading.spans[one.to]?.mark ?? "");
    return one.exists || isOwner || isOfFee || !isPlaceToo &&
        (looksLikeName(reading, one) || q.has("named", "find") || follows && isNext || isCapital ||
          /["“]$/.test(gap));
  };
  // "Do you have an API".
  const isTerm = (one: NameSpan): boolean =>
    !one.exists && reading.terms.slice(one.from, one.to).every((term) => term !== null);
  return names.filter((one) => !isPlace(q, one) && !isTerm(one)).map((one) => ({
    ...nameRef(
      isThere ? { ...one, text: `${one.text} in ${state}`, place: state } : withoutPlace(q, one),
    ),
    marked: isMarked(one),
  }));
}

/** Whether what seems to be a name is a place: "everything in North Dakota", "a flatbed in Norman Oklahoma". */
function isPlace(q: QuestionView, one: NameSpan): boolean {
  const { reading: { tokens }, names } = q;
  const text = one.text.toLowerCase();
  const words = text.split(/[ ,]+/);
  const seeks = tokens.some(({ text }) =>
    /^(?:who|anyone|anybody|any|which|carriers|companies|haulers)$/.test(text)
  );
  if (one.exists || tokens.slice(one.from, one.to).some(isFirm)) return false;
  // "Mansfield Ohio, Smith Construction LLC. What is on record".
  const isBefore = names.some((other) =>
    other.from === one.to && /^, *$/.test(tokens[other.from]!.gap) &&
    (other.exists || tokens.slice(other.from, other.to).some(isFirm))
  );
  if (isBefore && words.length > 1 && namesState(words.at(-1)!)) return true;
  if (names.some((other) => isOtherPlace(q, other, one))) return true;
  // "Any car haulers in New Mexico".
  if (seeks && ` ${q.sought.place.toLowerCase()} `.includes(` ${text} `)) return true;
  return /^(?:in|near|around|from)$/.test(tokens[one.from - 1]?.text ?? "") &&
    (stateCode(text) !== undefined || words.length > 1 && namesState(words.at(-1)!) ||
      names.some(({ exists }) => exists) || seeks);
}

/** Whether the second is another place of the first: "is Blue River out of Dallas or Akron". */
function isOtherPlace(
  { reading: { tokens } }: QuestionView,
  first: NameSpan,
  one: NameSpan,
): boolean {
  return first.to === one.from - 1 && tokens[first.to]!.text === "or" && !one.exists &&
    tokens.slice(first.from + 1, first.to).some(({ text }) => /^(?:in|of|near|from)$/.test(text)) &&
    !tokens.slice(one.from, one.to).some(isFirm);
}

/** The name without its place, where another is said too. */
function withoutPlace(q: QuestionView, one: NameSpan): NameSpan {
  if (!q.names.some((other) => isOtherPlace(q, one, other))) return one;
  const name = one.text.replace(/(?: out)? (?:in|of|near|from) .*$/i, "");
  return { ...one, text: name, name, place: "" };
}

/** What the only name is compared with: "the one in illinois", or an unknown word, "same as Darusa". */
function comparedWith(q: QuestionView, first: CarrierRef & { by: "name" }): CarrierRef | undefined {
  const place = /\b(?<!more than )(?:ones?|other) (?:in|from|out of) ([^?.,!]+)/i.exec(
    q.reading.text,
  )?.[1];
  if (place !== undefined) {
    // "Is Fischer in Boston the same as the one in Tennessee".
    const name = first.name.replace(/ (?:in|from|of) .*$/i, "");
    return { ...first, name, text: `${name} in ${place}`, place };
  }
  if (!q.says(/\b(?:same|vs|versus|related)\b/)) return undefined;
  const [text, ...more] = q.unknownPhrases({ named: true }).filter(({ length }) => length > 3);
  return text === undefined || more.length > 0
    ? undefined
    : nameRef({ text, name: text, place: "" });
}

/** "Does MC 186800 belong to USDOT 286764": a guess that the dockets of the second answer. */
export function linkOf(q: QuestionView, carriers: readonly CarrierRef[]): string | null {
  const [dot, docket, ...others] = carriers.toSorted((a) => a.by === "dot" ? -1 : 1);
  if (others.length > 0 || dot?.by !== "dot" || docket?.by !== "docket") return null;
  const alone = [...q.marks].every((mark) => /^(?:soft|join|hard)$/.test(mark));
  return q.has("holds", "no:trust") || q.says(/\b(?:but|same)\b/) ||
      alone && /^(?:is|does)\b|\?\W*$/i.test(q.reading.text)
    ? `dockets=${docket.prefix} ${docket.number}`
    : null;
}

/** The most texts that are tried as names, and the most words of one; each costs a search. */
const MOST_MAYBE = 3;
const MOST_WORDS = 6;
/** A question of so few words may begin with a name of one. */
const SHORT = 8;

/** Unknown words side by side, and single ones behind "for" or "of": "UCR fee for Osman". */
export function maybeNames(q: QuestionView, carriers: readonly CarrierRef[]): string[] {
  const isOf = (text: string): boolean =>
    new RegExp(`(?<!\\bout )\\b(?:for|of|with) ${RegExp.escape(text)}\\b`).test(q.reading.text);
  const tried = carriers.map((ref) => ref.by === "name" ? ref.text : "");
  // "Loribri dairy sarasota something": the words at the end may be no name.
  const cut = (text: string): string[] => {
    const words = text.split(" ");
    return words.length < 4 ? [text] : [text, words.slice(0, -1).join(" ")];
  };
  // "Venorbanor brokerage": company words may be keywords.
  const withFirm = (text: string): string => {
    const [, more = ""] = new RegExp(`${RegExp.escape(text)}((?: \\p{L}+){1,2})`, "u")
      .exec(q.reading.text) ?? [];
    const words = more.split(" ").slice(1);
    const end = words.findIndex((word) => !hasFirmWord(word));
    return [text, ...words.slice(0, end < 0 ? words.length : end)].join(" ");
  };
  // "Ivanov bus fresno": all of it may be a name.
  const { text, tokens } = q.reading;
  const isAll = tokens.length > 1 && tokens.length < 5 && q.numbers.length === 0 &&
    !q.has("hard", "them", "follow");
  return [...isAll ? [text] : [], ...q.unknownPhrases({ named: false })].map(withFirm).flatMap(cut)
    .filter((text) =>
      text.split(" ").length <= MOST_WORDS && !tried.some((one) => one.includes(text)) &&
      // "Altoona PA" is a place.
      !namesState(text.split(" ").at(-1)!.toLowerCase()) &&
      (text.includes(" ") || q.reading.tokens.length === 1 || isOf(text) ||
        // "Petrov, 9 trucks, California".
        text.length > 3 && q.reading.text.startsWith(text) &&
          q.reading.tokens.length <= SHORT)
    )
    .toSorted((a, b) => b.length - a.length).slice(0, MOST_MAYBE);
}

/** Whether it looks like the name of a company: "Silver Moose Freightways". */
export function isOfFirm(ref: CarrierRef): boolean {
  return ref.by === "name" && ref.name.includes(" ") &&
    (hasFirmWord(ref.name) || /\b(?:bus|coach|coaches|charters?|movers|tours)\b/i.test(ref.name));
}
