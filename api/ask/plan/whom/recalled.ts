/**
 * Stage 3, recalled: carriers named earlier in a conversation that a question comes back to, or those of the
 * question before without one of them.
 *
 * @module
 */

import type { QuestionView } from "../../entities/entities.ts";
import { type CarrierRef, isGuess, isNumbered, nameRef, type SearchList } from "./references.ts";

/** What was said before. */
export interface Talk {
  readonly carriers: readonly CarrierRef[];
  /** All carriers of the conversation, the first first. */
  readonly told: readonly CarrierRef[];
  readonly list?: SearchList | undefined;
}

const FIRST =
  /\bback to the (?:very )?first\b|\bthe first (?:one |number |carrier |company )?was (?:right|correct|ok|good)\b/i;
const FIRST_ONE = /\bthe first (?:one|number|carrier|company)\b/i;
const BEFORE_THAT =
  /\bthe (?:one|carrier|company) before (?:that|it|this)\b|\bthe previous (?:one|carrier|company)\b/i;
const DROPS =
  /^\W*(?:(?:ok|now|and|then|so|but|same|the) )*(?:drop|without|remove|leave out|minus|except(?: for)?|ignore|forget|take out|exclude) (.+)$/i;
const INSTEAD = /\b(?:instead of|in place of|rather than) (.+)$/i;
const TWO = /\bthe (first|last) two\b/i;

export function recalled(q: QuestionView, talk: Talk): readonly CarrierRef[] | undefined {
  const { text } = q.reading;
  const { carriers, told, list } = talk;
  if (carriers.length > 1 && !carriers.some(isGuess)) {
    // "Drop Apex", "same with Cakri instead of Premier".
    const [, dropped] = DROPS.exec(text) ?? [];
    const [, replaced] = INSTEAD.exec(text) ?? [];
    const gone = carriers.filter((ref) => mentions(dropped ?? replaced ?? "", ref));
    const left = carriers.filter((ref) => !gone.includes(ref));
    const others = q.names.filter((one) => !gone.some((ref) => isShort(one.text, ref)))
      .map(nameRef);
    if (gone.length > 0 && left.length > 0) {
      if (dropped !== undefined) return left;
      if (others.length === 1) return [...left, ...others];
    }
    const [, end] = TWO.exec(text) ?? [];
    if (end !== undefined) return /first/i.test(end) ? carriers.slice(0, 2) : carriers.slice(-2);
  }
  if (told.length < 2 || list !== undefined || q.carrierNumbers.length > 0) return undefined;
  if (FIRST.test(text) || FIRST_ONE.test(text) && told.every(isNumbered)) return [told[0]!];
  if (BEFORE_THAT.test(text)) return told.filter((ref) => !carriers.includes(ref)).slice(-1);
  // "Back to Jensen, is it active", "is Swift bigger".
  if (q.names.some(({ exists }) => exists)) return undefined;
  const said = [...q.names.map((one) => one.text), ...q.unknownPhrases({ named: true })]
    .filter((one) => /^\p{Lu}/u.test(one) || text.includes(`back to ${one}`));
  const meant = new Set(said.flatMap((one) => told.filter((ref) => isShort(one, ref))));
  return meant.size === 1 ? [...meant] : undefined;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().replaceAll(/['’]s\b/g, "").match(/[\p{L}\p{N}&]+/gu) ?? [];
}

/** Whether a text is the beginning of a carrier's name: "Jensen" of Jensen Recycling. */
function isShort(text: string, ref: CarrierRef): boolean {
  const words = wordsOf(text);
  const name = ref.by === "name" ? wordsOf(ref.name) : [];
  return words.length > 0 && words[0] === name[0] && words.every((word) => name.includes(word));
}

/** Whether a text has the number of a carrier or the beginning of its name. */
function mentions(text: string, ref: CarrierRef): boolean {
  const words = wordsOf(text);
  if (isNumbered(ref)) return words.includes(String(ref.number));
  return ref.by === "name" && words.includes(wordsOf(ref.name)[0]!);
}
