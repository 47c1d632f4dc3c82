/**
 * Numbers of a text, each with the words that belong to it, by the patterns of numbers.txt.
 *
 * @module
 */

import PATTERNS from "./numbers.txt" with { type: "text" };

export type NumberRole =
  | "usdot"
  | "docket"
  | "vehicles"
  | "year"
  | "date"
  | "money"
  | "percent"
  | "duration"
  | "phone"
  | "street"
  | "other"
  | "unresolved";

/** A number as a pattern finds it, in lower case. */
export interface NumberText {
  readonly 0: string;
  readonly role: NumberRole;
  readonly groups: Readonly<Record<string, string | undefined>>;
}

const NUMBER_WORDS: ReadonlyMap<string, number> = new Map([
  ...("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen " +
    "sixteen seventeen eighteen nineteen").split(" ").map((word, i) => [word, i] as const),
  ..."twenty thirty forty fifty sixty seventy eighty ninety".split(" ")
    .map((word, i) => [word, 20 + 10 * i] as const),
  // As people misspell them.
  ["fourty", 40],
  ["ninty", 90],
  ["couple", 2],
]);

/** Digits as words: "eight four oh three". */
const SPOKEN = "zero|one|two|three|four|five|six|seven|eight|nine|oh";
const SPOKEN_DIGITS: ReadonlyMap<string, string> = new Map(
  SPOKEN.split("|").map((word, i) => [word, word === "oh" ? "0" : String(i)]),
);

const RULES = rulesOf(PATTERNS);

/** The patterns of the rules of a text, in its order. */
function rulesOf(text: string): [role: NumberRole, pattern: RegExp][] {
  const parts = new Map([["WORDS", [...NUMBER_WORDS.keys()].join("|")], ["SPOKEN", SPOKEN]]);
  const rules: ReturnType<typeof rulesOf> = [];
  for (const [, name, sign, source] of text.matchAll(/^(\w+)( =|:) (.+)$/gm)) {
    const whole = source!.replaceAll(/\{([A-Z]+)\}/g, (_, part) => parts.get(part)!);
    if (sign === " =") parts.set(name!, whole);
    else rules.push([name as NumberRole, new RegExp(`(?:${whole})(?![\\p{L}\\p{N}])`, "yu")]);
  }
  return rules;
}

/** The number at a place of a text in lower case, with the words that belong to it. */
export function numberAt(plain: string, at: number): NumberText | null {
  for (const [role, pattern] of RULES) {
    const match = matchAt(pattern, plain, at);
    if (match !== null) return { 0: match[0], role, groups: match.groups ?? {} };
  }
  return null;
}

export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** The digits of a number typed with commas, spaces or as words; other text as it is. */
export function digitsOf(text: string): string {
  const words = text.toLowerCase().split(/[ ,-]+/);
  return words.length > 2 && words.every((word) => SPOKEN_DIGITS.has(word))
    ? words.map((word) => SPOKEN_DIGITS.get(word)).join("")
    : text.replaceAll(/[, ]/g, "");
}

/** A count in digits or words: `1,200`, `1.5k`, `half a dozen`, `one hundred and twenty`. */
export function countOf(text: string): number {
  const digits = /^([\d.]+)(k?)$/.exec(digitsOf(text));
  if (digits !== null) return Number(digits[1]) * (digits[2] === "k" ? 1000 : 1);
  if (/^(?:no|without)/.test(text)) return 0;
  if (/^(?:an?|single)$/.test(text)) return 1;
  let total = 0;
  let current = 0;
  for (const word of text.split(/[ -]+/)) {
    if (word === "dozen") current = text.startsWith("half") ? 6 : (current || 1) * 12;
    else if (word === "hundred") current = (current || 1) * 100;
    else if (word === "thousand") [total, current] = [total + (current || 1) * 1000, 0];
    else current += NUMBER_WORDS.get(word) ?? 0;
  }
  return total + current;
}
