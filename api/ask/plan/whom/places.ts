/**
 * Stage 3, places: the place that a question says a carrier is in.
 *
 * @module
 */

import { namesState, STATE_LETTERS, stateCode } from "../../../../pipeline/search/query/query.ts";
import { type QuestionView, saidAlone } from "../../entities/entities.ts";
import type { Token } from "../../tokens/tokens.ts";

/** Two letters of a state that are a word as well when in lower case. */
const STATE_OR_WORD = /^(?:in|or|on|me|hi|ok|oh|la|de|id|co|pa|ma|al|as)$/;

/** A city and state that are not part of the first name: "MBS Truck Lines, Newark NJ". */
export function placeBeside(q: QuestionView): string | undefined {
  const { text, tokens, spans } = q.reading;
  const [name] = q.names;
  const isCity = (at: number): boolean =>
    tokens[at] !== undefined && tokens[at].number === undefined && spans[at] === null &&
    !(name !== undefined && at >= name.from && at < name.to);
  const isLetters = ({ text, raw }: Token): boolean =>
    STATE_LETTERS.has(text) && !STATE_OR_WORD.test(raw);
  const stateEnd = (at: number): number | undefined => {
    const [one, two] = [tokens[at], tokens[at + 1]];
    if (one === undefined || !/^,? $/.test(one.gap)) return undefined;
    if (two !== undefined && stateCode(`${one.text} ${two.text}`) !== undefined) return at + 2;
    return isLetters(one) || stateCode(one.text) !== undefined ? at + 1 : undefined;
  };
  for (let from = 0; from < tokens.length; from++) {
    if (!isCity(from)) continue;
    for (let to = from + 1; to <= from + 3; to++) {
      const end = stateEnd(to);
      if (end !== undefined) return text.slice(tokens[from]!.from, tokens[end - 1]!.to);
      if (!isCity(to)) break;
    }
  }
  return undefined;
}

/** "Louisville KY", "New York": all that a question gives. */
export function stateAlone({ reading: { text, tokens, spans } }: QuestionView): string | undefined {
  const alone = saidAlone(text).replace(/^(?:in|from|near) /i, "");
  const words = alone.split(/,? +/);
  const isKnown = tokens.some(({ raw }, at) =>
    words.includes(raw) && spans[at] !== null && !namesState(alone.toLowerCase())
  );
  if (isKnown) return undefined;
  const isState = words.length <= 4 && [1, 2].some((count) => {
    const end = words.slice(-count).join(" ");
    return words.length >= count && namesState(end.toLowerCase()) && !STATE_OR_WORD.test(end);
  });
  return isState ? alone : undefined;
}

const IS_IN =
  /\b(?:is|are|it'?s|they'?re)(?:n['’]?t)? (?:(?:it|that|this|they|he|really|actually|still) )?(?:(?:based|located|headquartered) )?(?:in|from|out of) ([\p{L} .']+?(?:, ?\p{L}{2})?)(?:,? (?:right|correct|true|yes|no|isn['’]?t (?:it|that)))*\W*$/iu;

// "Is it in force", "is it in good standing".
const NO_PLACE =
  /^(?:mexico|canada|trucking|transportation|logistics|freight|force|effect|operation|service|business|compliance|order|good|danger|use|charge|progress|trouble|process|file|line|time|full|the|our|your|my|this|that|an?)\b/i;

/** The place in "Sioux City Limo is based in Iowa, right": it is compared, not searched. */
export function placeSaid(q: QuestionView): string | undefined {
  const { text } = q.reading;
  const [, ofState] =
    /\ban? ([\p{L} ]+?)(?:-based)? (?:company|carrier|outfit|firm|broker)\b/iu.exec(text) ?? [];
  if (ofState !== undefined && stateCode(ofState.toLowerCase()) !== undefined) return ofState;
  // "Is in Turlock California, not Jacksonville".
  const place = IS_IN.exec(text)?.[1]?.split(/,? (?:not|but|instead|rather)\b|[.?!;] /)[0];
  const isPlace = place !== undefined && !/ (?:and|or) /i.test(place) && !NO_PLACE.test(place) &&
    q.unknownPhrases({ named: false }).some((text) => place.includes(text));
  return isPlace ? place : undefined;
}
