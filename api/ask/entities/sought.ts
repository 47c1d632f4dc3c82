/**
 * Stage 2, what a search looks for: a name, a place, or both.
 *
 * @module
 */

import { STATE_LETTERS, stateCode } from "../../../pipeline/search/query/query.ts";
import type { Reading, Token } from "../tokens/tokens.ts";
import { MONTH_NAME } from "../tokens/vocabulary.ts";
import type { NameSpan } from "./names.ts";

/** What a search looks for; empty where nothing is said of it. */
export interface Sought {
  readonly name: string;
  /** Several are "Nevada or Arizona". */
  readonly place: string;
  readonly left: readonly string[];
  /** Whether the name is said to be in one: "names with buffalo". */
  readonly inNames?: boolean;
}

/** What is typed into the search. */
export function soughtText({ name, place }: Sought): string {
  return [name, place].filter((part) => part !== "").join(name === "" ? "" : " in ");
}

/** Keywords that begin a town. */
const TOWN_BEGINS = /^(?:el|la|le|las|los|st|ft|mt)$/;

// Words before a place.
const IN = /^(?:in|near|from|around|inside|within|en)$/;

/** "With Tiger in the name", "named 'Bus'". */
export const IN_NAME =
  /\b(?:with|w\/?|having|have|has|contain(?:s|ing)?) ["'“‘]?([\p{L}\d&]+(?: [\p{L}\d&]+)?)["'”’]? in (?:the|its|their) names?\b|\b(?:start|begin)(?:s|ning|ing)? with ["'“‘]?([\p{L}\d&]+(?: [\p{L}\d&]+)?)\b|\b(?:called|named) ["'“‘]([^"'“”‘’]+)["'”’]|\bnames? (?:has|have|with|w\/|contains?|containing|includes?|including) ["'“‘]?([\p{L}\d&]+(?: (?!(?:and|as|at|from|in|near|or|on|with)\b)[\p{L}\d&]+)?)/diu;

/** "A mover in Charleston called Tucker". */
const CALLED =
  /\b(?:called|named) (\p{Lu}[\p{L}\d&'-]+(?: \p{Lu}[\p{L}\d&'-]+){0,2})(?= *(?:[,.?!]|$))/du;

/**
 * What a search looks for: the words of names and those that are not understood, apart by what stands
 * behind "in"; and what it leaves out, words in lower case beside capitals.
 */
export function soughtIn(
  { text, tokens, spans }: Reading,
  names: readonly NameSpan[],
): Sought {
  const isIn = (word: string): boolean => IN.test(word);
  const isNamed = (at: number): boolean => names.some(({ from, to }) => at >= from && at < to);
  const capitals = tokens.some((token, at) => spans[at] === null && /^\p{Lu}/u.test(token.raw)) &&
    /\p{Ll}/u.test(text);
  const found = (IN_NAME.exec(text) ?? CALLED.exec(text))?.indices;
  const inName = found?.slice(1).find((part) => part !== undefined);
  const isInName = ({ from, to }: Token): boolean =>
    inName !== undefined && from >= inName[0] && to <= inName[1];
  // "Dump truck companies", "towing outfits".
  const isKindAt = (at: number): boolean => {
    let end = at;
    while (/^(?:fleet|cargo|vehicle)?\??$/.test(spans[end]?.mark ?? "") && end < at + 3) end++;
    return end > at && spans[end]?.mark === "many";
  };
  // "Excavating companies tampa", "trucking outfits st louis mo": all behind the word is a place.
  const kind = spans.findLastIndex((span) => span?.mark === "many");
  const isTown = kind >= 0 && kind < tokens.length - 1 &&
    tokens.slice(kind + 1).every(({ text, gap, number }, i) =>
      gap === " " && number === undefined && !isIn(text) &&
      (spans[kind + 1 + i] === null || STATE_LETTERS.has(text) || TOWN_BEGINS.test(text))
    ) && names.every(({ to, exists }) => !exists || to <= kind) &&
    tokens.slice(0, kind).every(({ text }) => !isIn(text));
  const name: string[] = [];
  const place: string[] = [];
  const left: string[] = [];
  let [behind, inPart] = [false, false];
  // "In El Paso", "near La Grange".
  const beginsTown = (at: number): boolean =>
    TOWN_BEGINS.test(tokens[at]!.text) &&
    isIn(tokens[at - 1]?.text ?? "") && spans[at + 1] === null &&
    tokens[at + 1]?.number === undefined;
  for (const [at, { text: word, raw, number }] of tokens.entries()) {
    const isCapital = /^\p{Lu}/u.test(raw);
    // "Companies in Houston TX hauling motor vehicles".
    const isWork = behind && inPart && !isCapital && /^(?:hauling|moving|carrying)$/.test(word);
    const isPart = number === undefined && !isIn(word) && !MONTH_NAME.test(word) && !isWork &&
      // "Jersey City", "Garcia Trucking".
      (spans[at] === null || isInName(tokens[at]!) || isKindAt(at) || beginsTown(at) ||
        isTown && at > kind ||
        isNamed(at) && !/^(?:many|all|every)$/.test(spans[at]!.mark) &&
          !/^(?:somewhere|someplace|anywhere)$/.test(word) ||
        inPart && (capitals && isCapital || behind && word === "city") ||
        // "In New Jersey", "in New Orleans".
        isIn(tokens[at - 1]?.text ?? "") && capitals && isCapital ||
        // "In Las Cruces New Mexico".
        (isIn(tokens[at - 1]?.text ?? "") || inPart && behind) &&
          stateCode(`${word} ${tokens[at + 1]?.text}`) !== undefined);
    if (isPart && isInName(tokens[at]!)) name.push(raw);
    else if (isPart) {
      const isLeft = inName !== undefined && !behind ||
        !behind && capitals && !isCapital && !isNamed(at) && !isKindAt(at);
      // "In Washington state": not the city.
      const isState = tokens[at + 1]?.text === "state" && stateCode(word) !== undefined;
      const said = isState ? stateCode(word)!.toUpperCase() : raw;
      (isLeft ? left : behind ? place : name).push(said);
    } else {
      // "In Nevada or Arizona".
      const isMore = behind && word === "or" && place.length > 0 && spans[at + 1] === null;
      if (isMore) place.push("or");
      behind = isMore || isIn(word) || behind && word === "the" || isTown && at === kind ||
        // "Carriers out of Joliet IL".
        word === "of" && tokens[at - 1]?.text === "out";
    }
    inPart = isPart;
  }
  const inNames = inName !== undefined;
  return { name: name.join(" "), place: place.join(" "), left, ...inNames && { inNames } };
}
