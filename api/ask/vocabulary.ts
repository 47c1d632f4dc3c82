/**
 * The words people use here and what they stand for.
 *
 * @module
 */

import { DECLINED_PHRASES } from "./declined_phrases.ts";
import type { Phrase } from "./marks.ts";
import { TOPIC_PHRASES } from "./topic_phrases.ts";
import { TURN_PHRASES } from "./turn_phrases.ts";

const TABLE = [...TOPIC_PHRASES, ...DECLINED_PHRASES, ...TURN_PHRASES];

/** The phrases by their possible first words, the longest first. */
export const PHRASES: ReadonlyMap<string, readonly Phrase[]> = indexed();

/** Every word of the phrases; a mistyped word may mean one of these. */
export const KEYWORDS: ReadonlySet<string> = new Set(
  [...PHRASES.values()].flat().flatMap(({ words }) => words.flat()),
);

function indexed(): Map<string, Phrase[]> {
  const byWord = new Map<string, Phrase[]>();
  for (const [mark, text] of TABLE) {
    for (const line of text.split(", ")) {
      const phrase = { mark, words: line.split(" ").map((word) => word.split("|")) };
      for (const first of phrase.words[0]!) {
        const list = byWord.get(first) ?? [];
        byWord.set(first, list);
        list.push(phrase);
      }
    }
  }
  for (const list of byWord.values()) list.sort((a, b) => b.words.length - a.words.length);
  return byWord;
}
