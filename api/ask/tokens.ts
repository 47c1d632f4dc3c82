/**
 * A question as words and numbers, each with its place in the text.
 *
 * @module
 */

import { MAX_QUESTION } from "./understanding.ts";

/** A word, a number or a quotation. */
export interface Token {
  kind: "word" | "number" | "quote";
  /** Lower case without accents and apostrophes; digits of a number without separators. */
  text: string;
  /** As typed. */
  raw: string;
  from: number;
  to: number;
}

// In this order: quotations, U.S.-like letters, 1,234,567, numbers, prefixes glued to numbers, words.
const TOKEN =
  /["“”]([^"“”]{2,200})["“”]|(?:\p{L}\.){2,}(?:\p{L}(?![\p{L}\p{N}]))?|(?<![\p{L}\p{N},])\d{1,3}(?:,\d{3})+(?![\p{N},])|(?<!\p{L})\d+(?!\d|\p{L}{1,3}(?!\p{L}))|(?:us\s?dot|dot|mcs|mc|mx|ff|ucr)(?=\d)|(?<=usdot|dot|mcs|mc|mx|ff|ucr)\d+|[\p{L}\p{N}]+(?:['’`][\p{L}]+)*/giu;

/** Parts a text; what is no letter or digit parts words and is dropped. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of text.slice(0, MAX_QUESTION).matchAll(TOKEN)) {
    const raw = match[1] ?? match[0];
    const from = match.index;
    const to = from + match[0].length;
    if (match[1] !== undefined) {
      tokens.push({ kind: "quote", text: fold(raw), raw, from, to });
    } else if (/^[0-9][0-9,]*$/.test(raw)) {
      tokens.push({ kind: "number", text: raw.replaceAll(",", ""), raw, from, to });
    } else {
      const folded = fold(raw).replaceAll(/[.'’`\s]/g, "");
      const last = tokens.at(-1);
      // "US DOT" is one word, as is "U.S. D.O.T.".
      if (folded === "dot" && last?.text === "us") {
        Object.assign(last, { text: "usdot", raw: text.slice(last.from, to), to });
      } else {
        tokens.push({ kind: "word", text: folded, raw, from, to });
      }
    }
  }
  tokens.forEach((token, i) => {
    const next = tokens[i + 1];
    // "MCs 186800, 143229" are two dockets, "MCS 150" is a form.
    if (token.text === "mcs" && next?.kind === "number" && next.text !== "150") token.text = "mc";
  });
  return tokens;
}

function fold(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
