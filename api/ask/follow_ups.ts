/**
 * What a question takes from the one before: carriers, topics, or one of the options listed.
 *
 * @module
 */

import { type CarrierRef, distinct, type Plan, type Words } from "./plan.ts";

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

/** Takes carriers or topics from the question before where this one has none. */
export function carryOn(
  plan: Plan,
  words: Words,
  { memory, own }: { memory: Plan | null; own: boolean },
): void {
  const { topics, declined } = plan;
  const done = plan.fleets.length + plan.general.size > 0 || plan.lacks !== undefined;
  if (memory === null || done) return;
  const asked = topics.size + declined.size > 0;
  const comparing = words.has("compare") && topics.size === 0 ||
    memory.lacks?.part === "carrier" && memory.compare && !asked;
  if (comparing && plan.carriers.length === 1) {
    plan.carriers = distinct([...memory.carriers, ...plan.carriers]);
    plan.compare = plan.carriers.length === 2;
  } else if (plan.carriers.length === 0 && asked) plan.carriers = memory.carriers;
  else if (own && !asked && !plan.compare) {
    for (const topic of memory.topics) if (topic !== "match") topics.add(topic);
    for (const guess of memory.guesses) plan.guesses.add(guess);
  }
}

/** "The second one", "the one in Dallas", or a place alone, after a question that had carriers. */
export function followUp(
  { reading: { text }, names: [name] }: Words,
  memory: Plan | null,
): CarrierRef | null {
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
  if (before.length !== 1 || only!.by !== "name" || name === undefined) return null;
  const inPlace = (place: string): string[] => only!.texts.map((one) => `${one} in ${place}`);
  const place = /^\W*(?:(?:the|that) ones? )?(?:in|near|from) (.+?)[?!.]*$/i.exec(text)?.[1];
  if (place !== undefined) return { by: "name", texts: inPlace(place) };
  const alone = name.text === text.replace(/[?!.]+$/, "");
  return alone ? { by: "name", texts: [name.text, ...inPlace(name.text)] } : null;
}
