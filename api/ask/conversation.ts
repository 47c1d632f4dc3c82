/**
 * What a question takes from the one before it: its carriers, its topics, or one of the options it listed.
 *
 * @module
 */

import type { NameBook } from "./names.ts";
import {
  type CarrierRef,
  distinct,
  type Draft,
  generalOf,
  type Plan,
  topicsOf,
} from "./question.ts";

const NTH = [
  "first|1st|primer[oa]?",
  "second|2nd|segund[oa]",
  "third|3rd|tercer[oa]?",
  "fourth|4th",
];
const NTH_OR_LAST = [...NTH, "last|ultim[oa]"].join("|");
const ORDINAL = new RegExp(
  `\\b(?<word>${NTH_OR_LAST}) (?:one|option|carrier|company|result|match)\\b|` +
    `^\\W*(?:the |el |la )?(?<alone>${NTH_OR_LAST})\\W*$|` +
    "^\\W*(?:option |number |no\\.? ?|#)(?<digit>\\d{1,2})\\W*$",
  "i",
);

const FOLLOWS =
  /^\W*(?:and|y|what about|how about|same(?: thing| question)? (?:for|with)|ditto for|also|(?:no\W+|sorry\W+)*i meant?)\b/i;

/**
 * "The second one", "the one in Dallas", "the Texas one", "the LLC" or a place alone, after a question
 * that had carriers.
 */
export async function followUp(
  { reading: { text }, names: [name] }: Draft,
  memory: Plan | null,
  book: NameBook,
): Promise<CarrierRef | null> {
  const before = memory?.carriers ?? [];
  const [only] = before;
  const ordinal = ORDINAL.exec(text)?.groups;
  if (ordinal !== undefined) {
    const said = ordinal.word ?? ordinal.alone;
    const index = said === undefined
      ? Number(ordinal.digit) - 1
      : NTH.findIndex((one) => new RegExp(`^(?:${one})$`, "i").test(said));
    if (before.length > 1 && before.at(index) !== undefined) return before.at(index)!;
    return { by: "choice", of: before.length === 1 && only!.by === "name" ? only! : null, index };
  }
  if (before.length !== 1 || only?.by !== "name") return null;
  const form = /^\W*(?:i mean\w*|no|sorry)?\W*the (llc|inc|corp|co|ltd)\b/i.exec(text)?.[1];
  if (form !== undefined) {
    return { ...only, text: `${only.text} ${form}`, name: `${only.name} ${form}` };
  }
  const place = /^\W*(?:(?:the|that) ones? )?(?:in|near|from) (.+?)[?!.]*$/i.exec(text)?.[1] ??
    /^\W*the (.+) one[?!.]*$/i.exec(text)?.[1];
  const alone = name !== undefined && name.text === text.replace(/[?!.]+$/, "");
  if (place === undefined && !alone) return null;
  const there = place ?? name!.text;
  const ref = { ...only, text: `${only.name} in ${there}`, place: there };
  return place !== undefined || await book.has(ref) ? ref : null;
}

/**
 * Takes carriers or topics from the question before where this one has none.
 *
 * @param own Whether the question numbers its carriers itself or follows up on one.
 */
export function carryOn(question: Draft, memory: Plan | null, own: boolean): void {
  const { plan } = question;
  if (question.has("consequence") && memory?.intents.has("mcs150")) plan.intents.add("missed");
  const follows = own || memory?.lacks?.part === "carrier" || FOLLOWS.test(question.reading.text);
  const done = plan.fleets.length + generalOf(plan).length > 0 || plan.lacks !== undefined;
  if (memory === null || done) return;
  const comparing = question.has("compare") && topicsOf(plan).length === 0 ||
    memory.lacks?.part === "carrier" && memory.intents.has("compare") && question.open;
  if (comparing && plan.carriers.length === 1) {
    plan.carriers = distinct([...memory.carriers, ...plan.carriers]);
    if (plan.carriers.length <= 3) plan.intents.add("compare");
    else plan.intents.delete("compare");
  } else if (plan.carriers.length === 0 && !question.open) plan.carriers = memory.carriers;
  else if (follows && question.open && !plan.intents.has("compare")) {
    for (const topic of topicsOf(memory)) if (topic !== "match") plan.intents.add(topic);
    for (const guess of memory.guesses) plan.guesses.add(guess);
  }
}
