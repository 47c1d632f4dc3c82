/**
 * Stage 2, unknown words that are no name: labels, work, goods, days and common words.
 *
 * @module
 */

import { legalForm } from "../../../pipeline/name_words.ts";
import { isSpelled } from "../tokens/respelled.ts";
import type { Token } from "../tokens/tokens.ts";
import { MONTH_NAME, WEEKDAY_NAME } from "../tokens/vocabulary.ts";
import { isFirm, type NamedReading, type TokenRun } from "./names.ts";
import { isCarrierNumber } from "./number_entity.ts";

/** Whether unknown words in a question are no name. */
export function isNoName(typed: NamedReading, run: TokenRun): boolean {
  return isLabel(typed, run) || isDay(typed, run) || isCommodity(typed, run) ||
    isWork(typed, run) || isOrdinaryWord(typed, run);
}

/** Text before a colon in a question with a carrier number: "AGENT REQUEST: status of MC-8534". */
function isLabel({ tokens, numbers }: NamedReading, { from, to }: TokenRun): boolean {
  return numbers.some(isCarrierNumber) && tokens[to]?.gap.startsWith(":") === true &&
    !tokens.slice(from, to).some(isFirm);
}

/** "So who's hauling my freight", "can they move furniture", "want to start hauling for others". */
function isWork({ tokens }: NamedReading, { from, to }: TokenRun): boolean {
  const before = tokens[from - 1]?.text ?? "";
  const { text, raw } = tokens[from]!;
  if (TO_VERB.test(before) && WORK.test(raw)) return true;
  return to - from === 1 && tokens.length > 1 &&
    (/^(?:hauling|moving|towing)$/.test(text) ||
      // "Need a list before I integrate".
      /^(?:i|we|they|he|she)$/.test(before) && /^\p{Ll}/u.test(raw) ||
      // "I'm selling my LLC".
      /^(?:my|our|an|the|his|her)$/.test(before) && legalForm(text) !== "");
}

const TO_VERB =
  /^(?:i|we|you|he|she|it|they|to|can|could|may|must|should|would|will|legally|still|also)$/;
const WORK =
  /^(?:start|stop|quit|continue|begin|move|carry|transport|deliver|take|bring|pick|keep|add)$/;

/** A question of so few words may be a name and a topic. */
const MOST_NAMED = 5;

/** One common word in lower case, in a question of several: "does it show up the same day". */
function isOrdinaryWord({ tokens }: NamedReading, { from, to }: TokenRun): boolean {
  const { raw } = tokens[from]!;
  return to - from === 1 && tokens.length > MOST_NAMED &&
    (isSpelled(raw) || /^\p{Ll}{3,}ing$/u.test(raw));
}

/** "Do they carry logs or poles". */
function isCommodity({ tokens, spans }: NamedReading, { from }: TokenRun): boolean {
  const before = spans.slice(0, from).map((span) => span?.mark);
  // "Does 44618 have the authority to haul cars across state lines".
  // "Who hauls steel coil out of Rochester".
  const verbs = [
    tokens[from - 1],
    /^cargo/.test(before.at(-1) ?? "") ? tokens[from - 2] : undefined,
  ];
  const isHauled = /^\p{Ll}/u.test(tokens[from]!.raw) &&
    verbs.some((verb) => /^(?:haul|carry|move|transport)(?:s|ing)?$/.test(verb?.text ?? ""));
  return isHauled ||
    before.includes("them") && before.some((mark) => /^cargo\??$/.test(mark ?? ""));
}

/** "July 2024", "Wednesday". */
function isDay({ tokens }: NamedReading, { from, to }: TokenRun): boolean {
  const isOne = ({ text }: Token): boolean => MONTH_NAME.test(text) || WEEKDAY_NAME.test(text);
  const words = tokens.slice(from, to);
  return words.some(isOne) && words.every((token) => token.number !== undefined || isOne(token));
}
