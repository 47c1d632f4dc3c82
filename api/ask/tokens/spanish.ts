/**
 * Stage 1, Spanish: a question in Spanish with its words in English, so that every rule reads it.
 *
 * @module
 */

import LINES from "./spanish_words.txt" with { type: "text" };
import { FIRM_WORD, PHRASES } from "./vocabulary.ts";

/** A token, without what this doesn't need. */
interface Token {
  readonly text: string;
  readonly raw: string;
  readonly gap: string;
  readonly to: number;
  readonly number?: unknown;
}

interface Phrase {
  readonly words: readonly (readonly string[])[];
  readonly english: string;
}

/** The phrases by their first word. */
const BY_FIRST = Map.groupBy(
  LINES.split("\n").filter((line) => /^[^#]/.test(line)).flatMap((line): Phrase[] => {
    const [english, phrases] = line.split(": ") as [string, string];
    return phrases.split(", ").map((phrase) => ({
      words: phrase.split(" ").map((word) => word.split("|")),
      english: english === "-" ? "" : english,
    }));
  }),
  ({ words }) => words[0]![0]!,
);

/** Words that both languages have. */
const OF_BOTH =
  /^(?:a|actual|al|autos|e|hay|k|me|no|non|o|once|par|para|pies|q|real|sale|ser|son|tu|ver|y)$/;
/** The most words of a phrase, less one. */
const MOST_WORDS = 7;
/** Words that names have, too: "Los Amigos", "De la Cruz". */
const LIGHT =
  /^(?:carga|con|de|del|dos|el|en|es|ha|la|las|le|los|mi|nueva|nuevo|otro|pa|por|primera|primero|que|se|si|su|te|todo|tres|un|una|uno)$/;

/** The words of a question in Spanish as they are in English; null for a question in another language. */
export function inEnglish(text: string, tokens: readonly Token[]): string | null {
  const found = tokens.map((_, at) => phraseAt(tokens, at));
  const isSpanish = tokens.map(({ text, number }, at) =>
    number === undefined && !OF_BOTH.test(singular(text)) && !isOfName(tokens, at, found) &&
    (LIGHT.test(text) || !PHRASES.en.has(text)) &&
    found.slice(Math.max(0, at - MOST_WORDS), at + 1).some((phrase, i, { length }) =>
      phrase !== undefined && phrase.words.length >= length - i
    )
  );
  const isEnglish = ({ text, number, raw }: Token, at: number): boolean =>
    number === undefined && text.length > 2 && !BY_FIRST.has(text) && PHRASES.en.has(text) &&
    // "Teléfono de General Transport".
    !FIRM_WORD.test(text) && !(at > 0 && /^\p{Lu}/u.test(raw));
  const spanish = tokens.reduce(
    (sum, { text }, at) => sum + (isSpanish[at] ? LIGHT.test(text) ? 0.4 : 1 : 0),
    0,
  );
  // "Los Amigos Transport" is no question in Spanish; "del 8443" is.
  const isAll = tokens.every(({ number }, at) => number !== undefined || isSpanish[at]);
  if (spanish < 1 && !(isAll && spanish > 0)) return null;
  if (spanish <= tokens.filter(isEnglish).length * 0.8) return null;
  let out = "";
  for (let at = 0; at < tokens.length;) {
    const { gap, raw } = tokens[at]!;
    const phrase = found[at];
    if (phrase === undefined || isOfName(tokens, at, found)) {
      out += gap + raw;
      at++;
    } else {
      out += gap + (isThat(tokens, at, phrase) ? "that" : phrase.english);
      at += phrase.words.length;
    }
  }
  return out + text.slice(tokens.at(-1)?.to ?? 0);
}

/** Whether "que" begins no question. */
function isThat(tokens: readonly Token[], at: number, { words }: Phrase): boolean {
  const { text, gap } = tokens[at]!;
  return text === "que" && at > 0 && !/[¿?.,;:!]/.test(gap) &&
    words.length === 1 &&
    !/^(?:y|a|en|de|con|por|para)$/.test(tokens[at - 1]!.text);
}

/** Whether a word is of a name: a light one beside an unknown word, or one with a capital inside a sentence. */
function isOfName(
  tokens: readonly Token[],
  at: number,
  found: readonly (Phrase | undefined)[],
): boolean {
  const { text, raw, gap } = tokens[at]!;
  const isUnknown = (i: number): boolean =>
    tokens[i] !== undefined && tokens[i].number === undefined && found[i] === undefined;
  const isCapital = /^\p{Lu}(?:\p{Ll}|$)/u.test(raw) && at > 0 && !/[.?!¿¡:,]/.test(gap) ||
    // "Red Grove PA".
    raw === "PA";
  return isCapital || /^(?:de|del|la|el|los|las)$/.test(text) && isUnknown(at + 1) &&
      (isUnknown(at - 1) || /^\p{Lu}/u.test(raw));
}

function singular(word: string): string {
  return word.length > 3 ? word.replace(/s$/, "") : word;
}

/** The longest phrase at a place. */
function phraseAt(tokens: readonly Token[], at: number): Phrase | undefined {
  const forms = ({ text }: Token): string[] => [text, singular(text)];
  return forms(tokens[at]!).flatMap((form) => BY_FIRST.get(form) ?? [])
    .filter(({ words }) =>
      words.every((choices, i) => {
        const token = tokens[at + i];
        return token !== undefined && token.number === undefined &&
          forms(token).some((form) => choices.includes(form)) &&
          (i === 0 || !/[,;?!.]/.test(token.gap));
      })
    )
    .toSorted((a, b) => b.words.length - a.words.length)[0];
}
