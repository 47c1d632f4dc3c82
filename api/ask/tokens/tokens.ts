/**
 * Stage 1: a question as tokens, words and numbers as typed, with the known phrases among them.
 *
 * @module
 */

import { inert } from "../../../pipeline/text.ts";
import { matchAt, numberAt, type NumberText } from "./number_patterns.ts";
import { inEnglish } from "./spanish.ts";
import { FIRM_WORD, hasFirmWord, markPhrases, PHRASES, type Span } from "./vocabulary.ts";

/** Characters of a question that are read. */
export const MAX_QUESTION = 1000;

export interface Token {
  /** Lower case, without accents and apostrophes; empty for a number. */
  readonly text: string;
  readonly raw: string;
  readonly from: number;
  readonly to: number;
  /** The text between the previous token and this one. */
  readonly gap: string;
  readonly number?: NumberText;
}

/** A question with its tokens and the phrase of each; `spans` is null where a word is unknown. */
export interface Reading {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly spans: readonly (Span | null)[];
  /** The phrases of terms that can be explained. */
  readonly terms: readonly (Span | null)[];
  readonly spanish: boolean;
}

const FORM =
  /(?<w>mcs|msc|bmc|boc|form)[ -]?(?<d>150|90|91|84|85|34|3|2290)[a-cx]?(?![a-z0-9])|mcs-1[a-z0-9]+|mcs(?= (?:filings?|updates?|forms?|due)\b)|(?<=\b(?:the|next|my|its|his|their|our) )150(?! (?:power|trucks?|units?|vehicles?|drivers?|tractors?|miles?|mi|days?)\b|\d)|150(?= (?:date|due|filing|form|update)\b)|(?<=\b(?:the|my|file|a) )2290(?!\d)|2290(?= (?:heavy|tax|form|filing|due|hvut))|mcs[- ]?(?:105|510|15o|1 50)(?![\da-z])/y;
const NEXT_WORD =
  /d\/b\/a(?![\p{L}\p{N}])|(?:\p{L}\.){2,}\p{L}?|[\p{L}\p{N}]+(?:['’`]\p{L}+)*|[&+%]/yu;

export function readTokens(question: string): Reading {
  const typed = tokenized(question);
  const translated = inEnglish(typed.text, typed.tokens);
  const { text, tokens } = translated === null ? typed : tokenized(translated);
  const [marked, terms] = [PHRASES.en, PHRASES.terms].map((phrases) =>
    markPhrases(tokens, phrases)
  );
  const spans = marked!.map((span, at) =>
    isState({ text, tokens, spans: marked! }, at) ? null : span
  );
  return { text, tokens, spans, terms: terms!, spanish: translated !== null };
}

/** The letters of states that are keywords of questions as well. */
export const STATE_OR_KEYWORD = /^(?:de|hi|id|in|la|me|ok|on|or)$/;

/** Whether such letters are a state behind a city: "Smith Trucking Salem OR", "carriers in salem or". */
function isState({ text, tokens, spans }: Pick<Reading, "text" | "tokens" | "spans">, at: number) {
  const [before, own, after] = [tokens[at - 1], tokens[at]!, tokens[at + 1]];
  const isCity = before !== undefined && before.text.length > 2 && !FIRM_WORD.test(before.text) &&
    before.number === undefined && (spans[at - 1] === null || before.text === "city");
  const isAlone = spans[at]?.from === at && spans[at]!.to === at + 1;
  if (!STATE_OR_KEYWORD.test(own.text) || !isCity || !isAlone || !/^,? $/.test(own.gap)) {
    return false;
  }
  const ends = after === undefined || /[,.;?!]/.test(after.gap);
  // "Is Lightning Range OK", "he wants to move, OK?"
  const isAsked = /^(?:is|are)\b/i.test(text) ||
    own.gap !== " " && !/^\p{Lu}/u.test(before.raw);
  if (own.text === "ok" && ends && isAsked) return false;
  if (/^\p{Lu}{2}$/u.test(own.raw) && /\p{Ll}/u.test(text)) return ends || spans[at + 1] !== null;
  // "What town is Lightning Range in", "does it look ok to me".
  const isWord = /^(?:in|on)$/.test(own.text)
    ? /\b(?:what|which|where)\b/i.test(text)
    : /^(?:ok|me)$/.test(own.text) &&
      ![at - 2, at - 3].some((one) => /^(?:in|near|from|of)$/.test(tokens[one]?.text ?? ""));
  return ends && !isWord;
}

/** The tokens of a question, without the phrases that they make up. */
export function tokenized(question: string): Pick<Reading, "text" | "tokens"> {
  const text = inert(
    inWords(question.slice(0, MAX_QUESTION).normalize("NFKC").slice(0, MAX_QUESTION)),
    MAX_QUESTION,
  );
  return { text, tokens: tokensOf(text) };
}

const VALUE = `["']?([^"'=,;()]+?)["']?(?=[,;)]|\\s+\\w+\\s*=|\\s*$)`;
const NAME_GIVEN = new RegExp(`\\b(?:name|company|carrier_name|legal_name)\\s*=\\s*${VALUE}`, "gi");
const PLACE_GIVEN = new RegExp(
  `\\b(?:city\\s*[=:]\\s*${VALUE}[,; ]*)?\\bstate\\s*[=:]\\s*${VALUE}|\\bcity\\s*[=:]\\s*${VALUE}`,
  "gi",
);
const NAME_PART =
  /\b(?:names? (?:contains?|containing|has|have|with|w\/|like|starts?)|in (?:the|its|their) names?)\b/i;

/** "Auto haulers Wilmington NC", "household goods movers Indianapolis". */
const OF_PLACE =
  /^\W*((?:auto|car|vehicle|household goods|hhg|reefer|refrigerated|flatbed|hazmat|grain|livestock|cattle|steel|log|logging|produce|dry van|tanker|fuel|water|container|intermodal|drayage|boat|mobile home|heavy haul|freight) (?:movers|haulers|carriers|truckers)),? (?!(?:in|near|around|out|from|of|with|that|who|and|or|need\w*|have|must|are|do|can|pay)\b)(?=\p{L}+(?:,? \p{L}+){0,3}\W*$)/iu;

/**
 * A call as a question: `search name="gonzalez" state="LA"` as `search named "gonzalez" in LA`, "name contains
 * glass state NY" as "name contains glass in NY".
 */
function inWords(text: string): string {
  const said = NAME_PART.test(text)
    ? text.replaceAll(/(?<=\w),? (?:and )?(?:state|city)(?: is| of|:)? (?=\p{L})/giu, " in ")
    : text;
  const ofPlace = OF_PLACE.exec(said);
  const placed = ofPlace === null || hasFirmWord(said.slice(ofPlace[0].length))
    ? said
    : `${ofPlace[1]} in ${said.slice(ofPlace[0].length)}`;
  return placed.replaceAll(NAME_GIVEN, (_, name) => `named "${name}"`)
    .replaceAll(
      PLACE_GIVEN,
      (_, city, state, town) => `in ${[city, state, town].filter(Boolean).join(" ")}`,
    );
}

function tokensOf(text: string): Token[] {
  // One code unit for each, so that positions are the same as in the text.
  const plain = text.replace(/[^ -~]/g, (unit) => unit.normalize("NFD").charAt(0)).toLowerCase();
  const tokens: Token[] = [];
  let at = 0;
  let end = 0;
  const push = (length: number, word: string, number?: NumberText): void => {
    const to = at + length;
    const part = { text: word, raw: text.slice(at, to), from: at, to, gap: text.slice(end, at) };
    tokens.push(number === undefined ? part : { ...part, number });
    end = at = to;
  };
  while (at < plain.length) {
    const starts = at === 0 || !/[\p{L}\p{N}]/u.test(plain[at - 1]!);
    const form = starts ? matchAt(FORM, plain, at) : null;
    const number = starts && form === null ? numberAt(plain, at) : null;
    const word = form ?? number ?? matchAt(NEXT_WORD, plain, at);
    if (word === null) at++;
    else if (form !== null) {
      const { w, d } = form.groups!;
      const name = w === undefined ? form[0] === "2290" ? "form2290" : "mcs150" : w + d;
      push(form[0].length, name);
    } else if (number !== null) {
      push(number[0].length, "", number);
      if (/^['’]s\b/.test(plain.slice(at, at + 3))) end = at += 2;
    } else push(word[0].length, fold(word[0]));
  }
  return tokens;
}

function fold(word: string): string {
  if (word === "&" || word === "+") return "and";
  if (word === "%") return "percent";
  const plain = word.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return plain.replace(/['’`]s$/, "").replaceAll(/[.'’`/]/g, "");
}
