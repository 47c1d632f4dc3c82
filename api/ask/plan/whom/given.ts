/**
 * Stage 3, what is given with a carrier's number: a name, place, phone number or ZIP code, to be compared with
 * what the carrier filed.
 *
 * @module
 */

import { STATE_LETTERS, stateCode } from "../../../../pipeline/search/query/query.ts";
import type { QuestionView } from "../../entities/entities.ts";
import { looksLikeName, type NameSpan } from "../../entities/names.ts";
import { isCarrierNumber } from "../../entities/number_entity.ts";
import { hasFirmWord } from "../../tokens/vocabulary.ts";
import { placeBeside, placeSaid } from "./places.ts";
import { type CarrierRef, isNumbered } from "./references.ts";

/** What a question says about a carrier's identity: a name as typed, empty without one, a place, a phone number and a ZIP code. */
export interface Given {
  readonly text: string;
  readonly sure: boolean;
  /** Whether it stands beside the number without being asked about: "34216 Lightning Range, inspections". */
  readonly aside?: boolean;
  /** "Newark NJ", apart from the name. */
  readonly place?: string;
  readonly phone?: string;
  readonly zip?: string;
}

/** A name, place or phone number given with a carrier, to be compared with what it filed. */
export function givenOf(
  q: QuestionView,
  carriers: readonly CarrierRef[],
  alone: string | undefined,
): Given | undefined {
  const lists = q.has("many", "find", "every", "all");
  const place = placeBeside(q);
  const said = lists ? undefined : placeSaid(q) ?? alone;
  const [phone] = q.all("phone");
  const zip = q.has("holds") ? /\bzip(?: ?code)? (\d{5})\b/i.exec(q.reading.text)?.[1] : undefined;
  const beside = {
    ...(said ?? place) !== undefined && { place: said ?? place! },
    ...phone !== undefined && { phone: phone.text },
    ...zip !== undefined && { zip },
  };
  const isCompared = Object.keys(beside).length > 0;
  const found = givenName(q, carriers);
  // "Says Medical Transport but I'm seeing 0".
  const given = found &&
    { ...found, text: found.text.replace(/ but$/i, "") };
  if (given !== undefined) return { ...given, ...beside, sure: given.sure || isCompared };
  // "Is 825-555-1260 the phone of MBS Truck Lines", "does Newark NJ match".
  const isOne = carriers.length === 1 && carriers[0]!.by !== "choice";
  const isAsked = said !== undefined || phone !== undefined || zip !== undefined ||
    place !== undefined && q.has("holds");
  return isOne && isAsked ? { text: "", sure: true, ...beside } : undefined;
}

const PLACE_LINK = /^(?:(?:out )?of|in|near|from|at) (?:the )?/i;

/** A name given with a number. */
function givenName(q: QuestionView, carriers: readonly CarrierRef[]): Given | undefined {
  const { reading: { text, tokens }, names: [name] } = q;
  const isOption = /\(USDOT \d+[^)]*\)$/.test(text);
  const isCarrier = carriers.some((ref) => ref.by === "name" && ref.text === name?.text);
  if (!carriers.some(isNumbered) || name === undefined || isOption || isCarrier) return undefined;
  if (isListedWithNumber(q, name)) return undefined;
  const at = q.places.findIndex(isCarrierNumber);
  // "Homarsatra 2888600, Perda 2494498, Verbatim": which name is of which number isn't clear.
  if (["dot", "docket"].some((kind) => carriers.filter(({ by }) => by === kind).length > 1)) {
    return undefined;
  }
  const behind = at <= 2 && /^(?:is|are)$/.test(tokens[0]!.text) ? tokens[at + 1]?.text ?? "" : "";
  if (name.from === at + 2 && /^(?:in|from|of|near)$/.test(behind)) {
    return { text: `in ${name.text}`, sure: true };
  }
  const before = tokens.slice(0, name.from).map(({ text }) => text).join(" ");
  // "In Pine City": the last word is a keyword elsewhere.
  const isTown = !name.exists && tokens[name.to]?.text === "city" && tokens[name.to]!.gap === " ";
  if (isTown && /\bin$/.test(before)) return { text: `in ${name.text} City`, sure: true };
  // "Does USDOT 30986 belong to a company in Minnesota".
  const isIn =
    /\b(?:company|carrier|outfit|firm|business|broker) (?:in|from|out of)$/.test(before) &&
    (stateCode(name.text.toLowerCase()) !== undefined ||
      // "Company from Ciudad Juarez".
      !name.exists && !hasFirmWord(name.text));
  // "He says he is MC 15755 from Fort Collins, is that the right city".
  const isFrom = /\b(?:in|from|out of)$/.test(before) && !name.exists &&
    q.says(/\b(?:city|town|place|location)\b/);
  if (name.from > at && (isIn || isFrom)) return { text: `in ${name.text}`, sure: true };
  // "Why is a dairy hauling freight, MC 11407": a kind of company.
  if (!name.exists && /\ban?$/.test(before) && !/\p{Lu}/u.test(name.text)) return undefined;
  const asked = q.has("holds", "named");
  // "Pickup Erie PA 16501", "USDOT 49495 VA": places.
  const [first = "", ...more] = name.text.toLowerCase().replace(/^(?:pickup|delivery|drop) /, "")
    .split(/[ ,]+/);
  const isPlace = !name.exists && !hasFirmWord(name.text) &&
    (more.length === 1 && STATE_LETTERS.has(more[0]!) && !asked || STATE_LETTERS.has(first));
  if (isPlace) return undefined;
  // "Is DOT 286764 general transport in akron": all behind the number, and nothing else is asked.
  const rest =
    q.reading.spans.slice(name.from, name.to).filter((span) => span === null).length > 1 &&
    name.from === at + 1 && name.to === tokens.length && tokens[0]!.text === "is";
  // "Is MC 186800 held by General": the name itself is asked about.
  const isHeld = q.says(/\b(?:belongs?|held|go(?:es)? with|match(?:es)?)\b/);
  const sure = name.sure || rest || isHeld && name.from > at;
  const isQuoted = /["“]$/.test(tokens[name.from]!.gap) &&
    /^\p{Lu}{2}|^\p{Lu}\S* \p{Lu}/u.test(name.text);
  // "Carlos Martinez Jackson MS, FF 583".
  const isOfTwo = q.names.filter(({ exists }) => exists).length > 1;
  const isApart = name.exists && name.place !== "" && name.whole === name.text;
  return sure || asked || name.exists || isQuoted || looksLikeName(q.reading, name)
    ? {
      // "Johnson Transportation Inc and Johnson Transport Inc. Which one is 11812".
      text: isApart ? name.name : isOfTwo ? name.text : name.whole,
      ...isApart && { place: name.place.replace(PLACE_LINK, "") },
      sure,
      aside: !(asked || rest || isHeld || /^(?:is|are)$/.test(tokens[0]!.text)),
    }
    : undefined;
}

/** Whether only "and" or "or" is between a name and a carrier number. */
export function isListedWithNumber(
  { reading: { text, tokens }, places }: QuestionView,
  name: NameSpan,
): boolean {
  // "Rate con says MC 12595 and Valper Transport. Match?"
  if (/\bmatch(?:es)?\b|\bgo together\b/i.test(text)) return false;
  const isLink = (at: number): boolean => /^(?:and|or|vs|versus)$/.test(tokens[at]?.text ?? "");
  return isLink(name.from - 1) && isCarrierNumber(places[name.from - 2]) ||
    isLink(name.to) && isCarrierNumber(places[name.to + 1]);
}
