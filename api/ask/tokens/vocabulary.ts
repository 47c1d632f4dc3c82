/**
 * The phrases that questions are made of, by what they mean, and words that show a company.
 *
 * A line of the phrases is `mark: phrase, phrase`; `a|b` is either word, `(a|b)` either or none, and a singular
 * stands for its plural too. The longest phrase that fits wins. A mark is a topic, a topic with the guess that is asked (`status=active`),
 * `no:` with what is declined, or a part of speech: `hard` words open a question or end a name, `soft` words may
 * stand beside one, `join` words connect its parts.
 *
 * @module
 */

import { MONTHS } from "../../../pipeline/dates.ts";
import { edits } from "../../../pipeline/spelling.ts";
import ENGLISH from "./english.txt" with { type: "text" };
import TERMS from "./explanations.json" with { type: "json" };
import SUBJECTS from "./subjects.json" with { type: "json" };

/** A phrase: the choices for each of its words. */
interface Phrase {
  mark: string;
  words: string[][];
}

/** What a term or a rule means, with its sources; `phrases` are what people call a term. */
export const EXPLANATIONS: Readonly<
  Record<string, { name: string; phrases?: string; text: string; urls: string[] }>
> = TERMS;

/** Rules beside the service's subject, with what people call them, and where they are. */
export { SUBJECTS };

/** The phrases of questions by first word, and those of the terms that are explained. */
export const PHRASES = {
  en: index(`${linesOf(SUBJECTS, "no:")}\n${ENGLISH}`),
  terms: index(linesOf(EXPLANATIONS)),
};

function linesOf(rows: Readonly<Record<string, { phrases?: string }>>, prefix = ""): string {
  return Object.entries(rows).map(([id, { phrases }]) => `${prefix}${id}: ${phrases ?? ""}`)
    .join("\n");
}

function index(lines: string): ReadonlyMap<string, readonly Phrase[]> {
  const byWord = new Map<string, Phrase[]>();
  for (const [, mark, phrases] of lines.matchAll(/^([^#\s]+): (.+)$/gm)) {
    for (const phrase of phrases!.split(", ").flatMap(withAndWithout)) {
      const words = phrase.split(" ").map((word) => word.split("|"));
      for (const first of words[0]!) {
        byWord.set(first, [...byWord.get(first) ?? [], { mark: mark!, words }]);
      }
    }
  }
  return byWord;
}

/** A phrase with its word that may be absent, `(a|b) c`, and without it. */
function withAndWithout(phrase: string): string[] {
  const [, before, choices, after] = /^(.*)\((.+)\) ?(.*)$/.exec(phrase) ?? [];
  if (choices === undefined) return [phrase];
  return [`${before}${choices} ${after}`, `${before}${after}`].map((one) => one.trim());
}

/** Topic words that are recognized with one slip, by their first letter. */
const REPAIRED: ReadonlyMap<string, readonly string[]> = Map.groupBy(
  ("status active inactive authority authorized rating satisfactory conditional " +
    "unsatisfactory inspection violation overdue biennial deadline located interstate " +
    "intrastate compare search safety service review compliance fleet number where lookup " +
    "difference check address cargo commodity commodities equipment trailer mileage revoked " +
    "drivers trucks vehicles phone docket inspections business").split(" "),
  (word) => word[0]!,
);

/** A phrase found: tokens `from` up to `to`. */
export interface Span {
  mark: string;
  from: number;
  to: number;
}

/** Words of company names. */
export const FIRM_WORDS: readonly string[] =
  ("llc inc incorporated corp corporation ltd limited lp llp trucking transport transports " +
    "transportation logistics brokerage express hauling haulage drayage freight freightways " +
    "lines carriers enterprises cartage services brothers bros sons construction farms moving " +
    "towing delivery").split(" ");

/** A word of company names. A text with one of them is read as a name. */
export const FIRM_WORD = new RegExp(`^(?:${FIRM_WORDS.join("|")})$`);

export function hasFirmWord(text: string): boolean {
  return text.toLowerCase().split(/[\s,]+/).some((word) => FIRM_WORD.test(word));
}

/** The name of a month, written in full. */
export const MONTH_NAME = new RegExp(`^(?:${MONTHS.join("|")})$`, "i");

/** The name of a day of the week, written in full. */
export const WEEKDAY_NAME = /^(?:mon|tues|wednes|thurs|fri|satur|sun)day$/i;

/** The longest known phrase at each place; a word of one slip counts as the topic word it is near. */
export function markPhrases(
  tokens: readonly { text: string; gap: string }[],
  phrases: typeof PHRASES.en,
): (Span | null)[] {
  const words = tokens.map(({ text }) => {
    if (text === "") return [];
    const forms = text.length > 3 && text.endsWith("s") ? [text, text.slice(0, -1)] : [text];
    // Not "Carlos" as cargo.
    const typed = forms.filter((form) => form === text || form.length > 6);
    return forms.some((form) => phrases.has(form)) ? forms : [...forms, ...typed.flatMap(repair)];
  });
  const spans: (Span | null)[] = tokens.map(() => null);
  let to = 0;
  for (let from = 0; from < tokens.length; from = to) {
    const found = words[from]!.flatMap((first) => phrases.get(first) ?? [])
      .filter((phrase) =>
        phrase.words.every((choices, i) =>
          words[from + i]?.some((word) => choices.includes(word)) &&
          // "Phone, MC, status" asks for three.
          (i === 0 || !/[,;?!]/.test(tokens[from + i]!.gap))
        )
      )
      .reduce<Phrase | null>(
        (best, one) => one.words.length > (best?.words.length ?? 0) ? one : best,
        null,
      );
    to = from + (found?.words.length ?? 1);
    if (found !== null) spans.fill({ mark: found.mark, from, to }, from, to);
  }
  return spans;
}

/** The topic word that a word of one slip means: never a number, a unit or what is declined. */
function repair(word: string): string[] {
  if (word.length < 4) return [];
  const known = REPAIRED.get(word[0]!)?.find((one) => edits(word, one) <= 1);
  return known === undefined ? [] : [known];
}
