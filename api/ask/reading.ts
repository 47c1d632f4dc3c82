/**
 * A question as tokens: every number with one role, every known phrase with what it means.
 *
 * @module
 */

import { inert } from "../../pipeline/text.ts";
import { numberAt, type NumberEntity, resolveBare, stick, type Token } from "./numbers.ts";
import { markPhrases, PHRASES, type Span } from "./vocabulary.ts";

/** Characters of a question that are read. */
export const MAX_QUESTION = 1000;

/** A question with what its tokens mean; `spans` is null where a token is unknown. */
export interface Reading {
  text: string;
  tokens: Token[];
  spans: (Span | null)[];
  spanish: boolean;
}

const FORM =
  /(?<w>mcs|msc|bmc|boc|form)[ -]?(?<d>150|90|91|3|2290)[a-c]?(?![a-z0-9])|mcs-1[a-z0-9]+/y;
const NEXT_WORD = /(?:\p{L}\.){2,}\p{L}?|[\p{L}\p{N}]+(?:['’`]\p{L}+)*|[&+]/yu;

/**
 * Reads a question.
 *
 * @param feeBefore Whether the question before asked for a fee.
 */
export function read(question: string, feeBefore: boolean): Reading {
  const text = inert(
    question.slice(0, MAX_QUESTION).normalize("NFKC").slice(0, MAX_QUESTION),
    MAX_QUESTION,
  );
  // One unit for each, so that places in it are places in the text.
  const plain = text.replace(/[^ -~]/g, (unit) => unit.normalize("NFD").charAt(0))
    .toLowerCase();
  const tokens = tokensOf(text, plain);
  const english = markPhrases(tokens, PHRASES.en);
  const inSpanish = markPhrases(tokens, PHRASES.es);
  const known = (spans: readonly (Span | null)[]): number =>
    spans.reduce((sum, span) => sum + (span === null ? 0 : span.mark === "join" ? 0.1 : 1), 0);
  // "Los Amigos Transport" asks nothing in Spanish.
  const spanish = known(inSpanish) >= 1 && known(inSpanish) > known(english);
  const spans = spanish ? inSpanish : english;
  const asksFee = spans.some((span) => span?.mark === "fee" || span?.mark === "ucr");
  resolveBare(tokens, spans, feeBefore || asksFee);
  return { text, tokens, spans, spanish };
}

function tokensOf(text: string, plain: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let end = 0;
  const push = (
    kind: Token["kind"],
    length: number,
    more: { text: string; number?: NumberEntity },
  ) => {
    const to = at + length;
    tokens.push({ kind, ...more, raw: text.slice(at, to), from: at, to, gap: text.slice(end, at) });
    end = at = to;
  };
  while (at < plain.length) {
    const starts = at === 0 || !/[\p{L}\p{N}]/u.test(plain[at - 1]!);
    const form = starts ? stick(FORM, plain, at) : null;
    if (form !== null) {
      push("word", form[0].length, {
        text: form.groups!.w === undefined ? "mcs150" : form.groups!.w + form.groups!.d,
      });
      continue;
    }
    const number = starts ? numberAt(plain, at) : null;
    if (number !== null) {
      const { length } = number.text;
      number.text = text.slice(at, at + length);
      push("number", length, { text: "", number });
      if (/^['’]s\b/.test(plain.slice(at, at + 3))) end = at += 2;
      continue;
    }
    const word = stick(NEXT_WORD, plain, at);
    if (word === null) at++;
    else push("word", word[0].length, { text: fold(word[0]) });
  }
  return tokens;
}

function fold(word: string): string {
  if (word === "&" || word === "+") return "and";
  const plain = word.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return plain.replace(/['’`]s$/, "").replaceAll(/[.'’`]/g, "");
}
