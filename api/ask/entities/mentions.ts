/**
 * Stage 2, mentions: what words that aren't next to a number say about the bare numbers.
 *
 * @module
 */

import type { Reading, Token } from "../tokens/tokens.ts";
import { FIRM_WORD } from "../tokens/vocabulary.ts";

/**
 * What the words apart from any number say of bare ones: a docket, `doubtful` where a USDOT number is
 * mentioned as well, `asked` where they ask for the docket of a bare USDOT number, null for nothing.
 */
export type Mentions = "docket" | "doubtful" | "asked" | null;

const DOCKET_WORDS =
  "(?:mcs?|m c|dockets?|mx|ff|(?:motor carrier|authority)(?= (?:numbers?|no|num|id)\\b))";
const DOCKET_NUMBER = /\b(?:motor carrier|authority) (?:numbers?|no|num|id)\b/;
const ASKED = new RegExp(
  `(?<!\\b(?:of|on|for|with|from|had|has|have|shows?|says?|reads?|lists?)(?: the| his| her| their| this| an?)? )\\b${DOCKET_WORDS}(?: numbers?| no| num| id| s)*(?: and(?: \\w+){1,3})?(?: assigned| tied| listed| held| registered| filed)? (?:of|for|on|to|by|under|does|do)(?: the| carrier| company)* #|` +
    `\\b${DOCKET_WORDS}(?: number)? (?:del?|tiene)(?: el| la)? #|\\b(?:que|cual es el|su) (?:numero )?(?:de )?${DOCKET_WORDS}\\b(?! es)|#(?: \\w+){0,3} (?:has|have|had|hold|holds|got|use|uses)(?: an? (?:active|inactive)| \\w+)? ${DOCKET_WORDS}\\b|` +
    `\\b(?:whats?|which|need|list|find|get|give me|gimme|to|and)(?: is| are| the| an?| its| their| his| all| any)* ${DOCKET_WORDS}(?: numbers?| no| num)*(?! (?:is|it|they|\\w+ gave))|` +
    // "18130 no MC number, right", "30100 has 26 trucks but an FF number".
    `#(?: [\\w#]+){0,8} (?:no|without|w o|with(?: only| just)? an|any|missing|(?:but|and|shows?|list|have) an?(?: active| inactive)?) ${DOCKET_WORDS}\\b|` +
    // "27055, confirm legal name, MC and mailing city".
    `#(?: \\w+){0,6} (?:names?|address|phone|status|dba|city|trucks|drivers) (?:and )?${DOCKET_WORDS}\\b|` +
    // "Both 28371 and 26000 want the lane, which has an MC".
    `#.* (?:which|who|either|both|neither|any)(?: \\w+){0,3} (?:has|have|got)(?: an?)? ${DOCKET_WORDS}\\b|` +
    // "Each of 24171, 37363, 12070: active, MC good".
    `# #.* ${DOCKET_WORDS} (?:good|ok|okay|active|live|valid)\\b|` +
    // "44328 for hire with MC".
    `#(?: \\w+){0,4} with(?: an?)? ${DOCKET_WORDS}$|` +
    // "11929 status vs docket status".
    `# (?:\\w+ ){1,4}(?:vs|versus|and|against|with|to) (?:(?:its|their|the) )?${DOCKET_WORDS} status\\b`,
);

/** "That's an MC, not a DOT". */
const NOT_DOT = /\b(?:not|isnt) (?:an? |the |his |their |my )?(?:us ?)?dot\b/;
const NOT_DOCKET =
  /\b(?:dont|do not|cant|cannot|didnt|couldnt) (?:see|find|have|show) (?:an? |any |the )?(?:mc|docket)\b|\bno mc(?: numbers?)? like\b|\bmcs (?:thing|form|filing|update|report|due|date)\b|\bno (?:mc|docket)(?: numbers?)? (?:so|shows?|comes|came|appears?|on (?:this|that|it|them))\b|\b(?:not|isnt|without|(?:but|and|has|have|had|see|shows?) no) (?:an? |the |his |their |my )?(?:mc|docket)\b/;

export function mentionsOf(
  { text, tokens, spans }: Reading,
  { docket }: { readonly docket: boolean },
): Mentions {
  // "FF Pressure Washing", "MC Trucking".
  const isName = (at: number): boolean =>
    tokens[at]!.text === "mc" && FIRM_WORD.test(tokens[at + 1]?.text ?? "") ||
    /^(?:ff|mx)$/.test(tokens[at]!.text) && spans[at + 1] === null &&
      tokens[at + 1]?.number === undefined;
  const words = tokens.map((token) =>
    token.number === undefined
      ? token.text
      : /^['’]s/.test(text.slice(token.to, token.to + 2))
      ? "# has"
      : "#"
  ).join(" ");
  const dockets =
    !NOT_DOCKET.test(words) && tokens.some((token, at) => isMention(token) && !isName(at)) ||
    / m c /.test(words) || DOCKET_NUMBER.test(words);
  const dots = !NOT_DOT.test(words) &&
    tokens.some(({ text, number }, at) =>
      number === undefined && /^(?:us)?dots?$/.test(text) && !/^rating/.test(spans[at]?.mark ?? "")
    );
  if (!dockets) return docket && !dots ? "docket" : null;
  if (ASKED.test(words)) return "asked";
  const several = /\bdocket(?:s| s)\b/.test(words);
  return dots || several || tokens.some(({ number }) => number?.role === "docket")
    ? "doubtful"
    : "docket";
}

export function isMention(token: Token | undefined): boolean {
  return token?.number === undefined && /^(?:mcs?|dockets?|mx|ff)$/.test(token?.text ?? "");
}
