/**
 * A question with its words marked by what they stand for.
 *
 * @module
 */

import { Keywords } from "./near.ts";
import { type Token, tokenize } from "./tokens.ts";
import type { Mark, Phrase } from "./marks.ts";
import { KEYWORDS, PHRASES } from "./vocabulary.ts";

/** A phrase found: tokens `from` up to `to`. */
export interface Span {
  mark: Mark;
  from: number;
  to: number;
  /** One word that is only near a keyword. */
  typo: boolean;
}

const SPELLING = new Keywords(KEYWORDS);

// A typo is believed beside words that are no keywords only where a question is asked.
const MEANS = /^(?:topic|expect|no):|^(?:find|named|lookup|compare|due)$/;
const OPENS = /^(?:find|lookup|compare)$/;

/** A question as tokens and marks. */
export class Reading {
  readonly tokens: readonly Token[];
  /** The span a token belongs to; null for a word that is no keyword, a number or a quotation. */
  readonly spans: readonly (Span | null)[];
  readonly #marks: ReadonlySet<Mark>;

  /** Reads a text. */
  constructor(text: string) {
    this.tokens = tokenize(text);
    this.spans = withoutNames(markTokens(this.tokens));
    this.#marks = new Set(this.spans.flatMap((span) => span?.mark ?? []));
  }

  /** Whether any of the marks is somewhere. */
  has(...marks: readonly Mark[]): boolean {
    return marks.some((mark) => this.#marks.has(mark));
  }

  /** What stands after the colon of marks such as `topic:status`. */
  all<T extends string>(kind: "topic" | "expect" | "no"): T[] {
    return [...this.#marks].filter((mark) => mark.startsWith(`${kind}:`))
      .map((mark) => mark.slice(kind.length + 1) as T);
  }

  /** Whether a token has one of the marks. */
  is(at: number, ...marks: readonly Mark[]): boolean {
    const mark = this.spans[at]?.mark;
    return mark !== undefined && marks.includes(mark);
  }

  /** The token's text, empty outside. */
  word(at: number): string {
    return this.tokens[at]?.text ?? "";
  }
}

function markTokens(tokens: readonly Token[]): (Span | null)[] {
  const words = tokens.map(({ kind, text }) =>
    kind === "quote" ? [] : [text, kind === "word" ? SPELLING.nearest(text) ?? text : text]
  );
  const spans: (Span | null)[] = tokens.map(() => null);
  for (let at = 0; at < tokens.length;) {
    // "Dot Transportation" is a firm.
    const firm = tokens[at]!.raw === "Dot" && tokens[at + 1]?.kind === "word" &&
      longest(words, at + 1) === null;
    const span = firm ? null : longest(words, at);
    if (span === null) at++;
    else while (at < span.to) spans[at++] = span;
  }
  return spans;
}

function longest(words: readonly string[][], from: number): Span | null {
  let best: Span | null = null;
  for (const first of new Set(words[from])) {
    for (const { mark, words: phrase } of PHRASES.get(first) ?? []) {
      const to = from + phrase.length;
      if (best !== null && to <= best.to) break;
      if (!fits(phrase, words, from)) continue;
      best = { mark, from, to, typo: phrase.length === 1 && first !== words[from]![0] };
    }
  }
  return best;
}

function fits(phrase: Phrase["words"], words: readonly string[][], from: number): boolean {
  return phrase.every((choices, i) => words[from + i]?.some((word) => choices.includes(word)));
}

/** Drops typos that rather are words of a name: names are for search to correct. */
function withoutNames(spans: (Span | null)[]): (Span | null)[] {
  const exact = spans.filter((span) => span !== null && !span.typo);
  const meant = exact.some((span) => MEANS.test(span!.mark));
  const asked = exact.some((span) => span!.mark === "asking");
  return spans.map((span, i) => {
    if (span === null || !span.typo) return span;
    const alone = spans[i - 1] !== null && spans[i + 1] !== null;
    if (alone || (i === 0 && OPENS.test(span.mark))) return span;
    return /^(?:topic|expect|no):/.test(span.mark) && asked && !meant ? span : null;
  });
}
