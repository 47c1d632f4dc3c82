/**
 * Stage 3, picked: the carrier that a question picks from those of the previous one: an option by its number
 * or by a word, one of a place, or the number as one of the other kind.
 *
 * @module
 */

import type { QuestionView } from "../../entities/entities.ts";
import { namesState } from "../../../../pipeline/search/query/query.ts";
import { legalForm } from "../../../../pipeline/name_words.ts";
import { hasFirmWord } from "../../tokens/vocabulary.ts";
import type { Lack } from "../details/fees.ts";
import { narrowed } from "./lists.ts";
import { type CarrierRef, isNumbered, type SearchList } from "./references.ts";

const NTH = [
  "first|1st|primer[oa]?",
  "second|2nd|segund[oa]",
  "third|3rd|tercer[oa]?",
  "fourth|4th",
];
const NTH_OR_LAST = [...NTH, "last|ultim[oa]", "middle"].join("|");
const ORDINAL = new RegExp(
  `\\b(?<word>${NTH_OR_LAST}) (?:one|option|carrier|company|result|match)\\b|` +
    `^\\W*(?:the |el |la )?(?<alone>${NTH_OR_LAST})\\W*$|` +
    "^\\W*(?:option |number |no\\.? ?|#)(?<digit>\\d{1,2})\\W*$",
  "i",
);

/** "The coach one", "that hot shot one", but not one by its size, status or place in a list. */
const THE_ONE =
  /^\W*(?:(?:and|ok|so|no|yes|yeah|what about|how about|i mean\w*) )*(?:the|that) (?!(?:active|inactive|same|other|right|wrong|new|newer|newest|old|older|oldest|big|bigger|biggest|small|smaller|smallest|only|next|top|bottom|best|worst|correct|in|from|\d|mc|dot)\b)([\p{L}&]+(?: [\p{L}&]+)?) (?:one|guy|outfit)\b/iu;

/** "The one in Appleton", "el de Joliet". */
const ONE_THERE =
  /^\W*(?:(?:and|ok|so|no|just|only|i mean\w*|what about|how about) )*(?:(?:the|that) (?:one|carrier|company) (?:in|from|near|out of)|(?:el|la) (?:de|en)) ([^?.!,]+?)(?:, (?:what|is|are|does|do|has|how|when|who)\b.*)?\W*$/i;

/** "The bus company", "the other one, the roofing outfit". */
const THE_COMPANY =
  /(?:^|, )\W*(?:(?:and|ok|no|i mean\w*|is (?:it|that)) )*the (?!(?:other|same|whole|right|wrong|new|old|first|second|last|trucking|insurance|parent|legal)\b)(\p{L}+) (?:company|people)\W*$/iu;

/**
 * "The second one", "the one in Dallas", "the Texas one", "the LLC" or a place alone, after a question
 * that had carriers.
 *
 * @param list What the previous question listed, if it was a search.
 */
export function followUp(
  { reading: { text }, place, names }: QuestionView,
  before: readonly CarrierRef[],
  list?: SearchList,
): CarrierRef | null {
  const [only] = before;
  const ordinal = ORDINAL.exec(text)?.groups;
  if (ordinal !== undefined && !names.some(({ exists }) => exists)) {
    const said = ordinal.word ?? ordinal.alone;
    const index = said === undefined
      ? Number(ordinal.digit) - 1
      : said === "middle"
      ? Math.floor(before.length / 2)
      : NTH.findIndex((one) => new RegExp(`^(?:${one})$`, "i").test(said));
    if (list !== undefined) return { by: "choice", of: list, index };
    // "When was the last one lifted", of the orders of one carrier.
    if (index < 0 && before.length === 1 && isNumbered(only!)) return null;
    if (only?.by === "choice" && before.length === 1) return { ...only, index };
    if (before.length > 1 && before.at(index) !== undefined) return before.at(index)!;
    return {
      by: "choice",
      of: before.length === 1 && /^(?:name|docket)$/.test(only!.by) ? only! : null,
      index,
    };
  }
  const there = list === undefined ? undefined : ONE_THERE.exec(text)?.[1];
  if (list !== undefined && there !== undefined) {
    // "The one in MA", after a list of carriers in East City.
    const sought = { ...list.sought, place: narrowed(list.sought.place, there) };
    return { by: "choice", of: { ...list, sought }, index: 0, only: true };
  }
  const word = THE_ONE.exec(text)?.[1] ??
    // "The propane company", after a list of carriers of a place.
    (list?.sought.place ? THE_COMPANY.exec(text)?.[1] : undefined);
  if (list !== undefined && word !== undefined && !names.some(({ exists }) => exists)) {
    // "The coach one", "the Vermont one", after a list of carriers in Las Cruces.
    const sought = !namesState(word.toLowerCase())
      ? { ...list.sought, name: `${list.sought.name} ${word}`.trim() }
      : { ...list.sought, place: narrowed(list.sought.place, word) };
    return { by: "choice", of: { ...list, sought }, index: 0, only: true };
  }
  if (before.length !== 1 || only?.by !== "name") return null;
  const [, legal, kind] =
    /^\W*(?:i mean\w*|no|sorry)?\W*the (?:(llc|inc|corp|co|ltd)\b|(trucking|transport|transportation|logistics|express|hauling|freight|moving|towing|construction|farms|services) one\b)/i
      .exec(text) ?? [];
  const form = legal ?? kind;
  if (form !== undefined) {
    const where = / one in ([^?.!,]+)/i.exec(text)?.[1];
    const name = `${only.name} ${form}`;
    return where === undefined
      ? { ...only, text: `${only.text} ${form}`, name }
      : { ...only, text: `${name} in ${where}`, name, place: where };
  }
  const trade = THE_COMPANY.exec(text)?.[1];
  if (trade !== undefined) {
    // "The bus company", after a question about Roberts Hauling.
    const words = only.name.split(" ").filter((one) => !hasFirmWord(one) && legalForm(one) === "");
    const name = [...words, trade].join(" ");
    return { ...only, text: name, name, place: "" };
  }
  // "Yes the ranch one", after a question about Johnson Trucking.
  const told = THE_ONE.exec(text)?.[1];
  if (told !== undefined && place === null && !namesState(told.toLowerCase())) {
    const name = `${only.name} ${told}`;
    return { ...only, text: `${only.text} ${told}`, name };
  }
  // "And one in California", after a list.
  if (list !== undefined && !/\b(?:the|that) ones?\b/i.test(text)) return null;
  return place === null ? null : { ...only, text: `${only.name} in ${place}`, place };
}

const KIND =
  /^\W*(?:(?:no|sorry|yes|actually|i meant?|it|its|it's|that|that's|thats|this|is|was|the|an?|my|their|his|one|as)\b\W*)*(?<kind>mc|docket|(?:us)?dot)(?: (?:number|no|one|num|#))*(?<not>\W+(?:and )?not (?:an? |the |my )?(?:mc|docket|(?:us)?dot)(?: (?:number|one))*)?\W*$/i;

/** "The MC", "that is the MC number, not DOT": the number before, of the kind that is said now. */
export function kindSaid(text: string, { carriers, lacks }: {
  carriers: readonly CarrierRef[];
  lacks?: Lack | undefined;
}): CarrierRef | null {
  const [only, ...more] = carriers;
  const said = KIND.exec(text);
  const isDot = /dot/i.test(said?.groups?.kind ?? "");
  const option = lacks?.options?.find((one) => one.startsWith(isDot ? "DOT " : "MC "));
  const number = option !== undefined
    ? Number(option.replace(/\D/g, ""))
    : only !== undefined && isNumbered(only) && more.length === 0 &&
        (said?.groups?.not !== undefined || /^\W*(?:no\W+)?(?:it|that|this|i mea?nt?)/i.test(text))
    ? only.number
    : undefined;
  if (said === null || number === undefined) return null;
  return isDot ? { by: "dot", number } : { by: "docket", prefix: "MC", number };
}
