/**
 * The numbers of a question, each with one role and the words that show it, or `unresolved`.
 *
 * @module
 */

import { parseDot, parseMc } from "../operations/numbers.ts";
import PATTERNS from "./numbers.txt" with { type: "text" };
import { TOPIC_KEYS } from "./topics.ts";
import { FIRM_WORD, type Span } from "./vocabulary.ts";

export interface NumberEntity {
  /** `unresolved` when no word shows what it is. */
  role:
    | "usdot"
    | "docket"
    | "vehicles"
    | "year"
    | "date"
    | "money"
    | "percent"
    | "duration"
    | "other"
    | "unresolved";
  value: number;
  /** As typed, with the words that show its role. */
  text: string;
  /** Of a docket. */
  prefix?: "MC" | "MX" | "FF";
  /** Of vehicles: what is counted. */
  noun?: string;
  /** The second of "20 and 21 trucks". */
  also?: number;
  /** A range, or "more than": it is no single number. */
  vague?: boolean;
  /** Why it cannot be such a number. */
  problem?: string;
}

export interface Token {
  kind: "word" | "number";
  /** Lower case, without accents and apostrophes; empty for a number. */
  text: string;
  raw: string;
  from: number;
  to: number;
  /** What stands between the token before and this one. */
  gap: string;
  number?: NumberEntity;
}

const NUMBER_WORDS: ReadonlyMap<string, number> = new Map([
  ...("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen " +
    "sixteen seventeen eighteen nineteen").split(" ").map((word, i) => [word, i] as const),
  ..."twenty thirty forty fifty sixty seventy eighty ninety".split(" ")
    .map((word, i) => [word, 20 + 10 * i] as const),
  ..."cero un dos tres cuatro cinco seis siete ocho nueve diez once doce".split(" ")
    .map((word, i) => [word, i] as const),
  ["couple", 2],
]);

const RULES = rulesOf(PATTERNS);

/** The patterns of the rules of a text, in its order. */
function rulesOf(text: string): [role: NumberEntity["role"], pattern: RegExp][] {
  const parts = new Map([["WORDS", [...NUMBER_WORDS.keys()].join("|")]]);
  const rules: ReturnType<typeof rulesOf> = [];
  for (const [, name, sign, source] of text.matchAll(/^(\w+)( =|:) (.+)$/gm)) {
    const whole = source!.replaceAll(/\{([A-Z]+)\}/g, (_, part) => parts.get(part)!);
    if (sign === " =") parts.set(name!, whole);
    else {rules.push([
        name as NumberEntity["role"],
        new RegExp(`(?:${whole})(?![\\p{L}\\p{N}])`, "yu"),
      ]);}
  }
  return rules;
}

export function isCarrierNumber({ number }: Token): boolean {
  return number?.role === "usdot" || number?.role === "docket";
}

/** The number at a place of a text in lower case, by the words around it. */
export function numberAt(plain: string, at: number): NumberEntity | null {
  for (const [role, pattern] of RULES) {
    const match = stick(pattern, plain, at);
    if (match === null) continue;
    const { n = "", p, noun, v, r, m } = match.groups ?? {};
    const number: NumberEntity = { role, text: match[0], value: count(n) };
    if (role === "docket") number.prefix = p === "mx" ? "MX" : p === "ff" ? "FF" : "MC";
    if (role === "usdot" || role === "docket") {
      try {
        number.value = (role === "usdot" ? parseDot : parseMc)(n.replaceAll(",", ""));
      } catch (error) {
        number.problem = (error as Error).message;
      }
    }
    if (noun !== undefined) number.noun = noun.replace(/s$/, "");
    if (m !== undefined && v === undefined && /and|or/.test(r!)) number.also = count(m);
    else if (v !== undefined || r !== undefined) number.vague = true;
    if (role === "year") number.value = Number(/\d{4}/.exec(match[0])?.[0] ?? 0);
    return number;
  }
  return null;
}

/**
 * Gives numbers that no word explains a role where only one fits their place.
 *
 * @param fee Whether a fee is asked for, so that a number may be a fleet or a year.
 */
export function resolveBare(
  tokens: readonly Token[],
  spans: readonly (Span | null)[],
  fee: boolean,
): void {
  const isTopic = (at: number): boolean =>
    ["due", ...TOPIC_KEYS].includes(spans[at]?.mark.split("=")[0] ?? "");
  const paying = spans.some((span) => span?.mark === "pay");
  tokens.forEach(({ number, gap }, at) => {
    if (number?.role !== "unresolved") return;
    const [before, after] = [tokens[at - 1], tokens[at + 1]];
    const digits = number.text.replaceAll(",", "").length;
    const yearLike = /^(?:199\d|20[0-3]\d)$/.test(number.text);
    const list = /^[\s,;&/]*$/.test(gap)
      ? /^(?:and|or|y)$/.test(before?.text ?? "") ? tokens[at - 2] : before
      : undefined;
    const listed = list?.number;
    const begins = at === 0 || isTopic(at - 1) ||
      /^(?:is|are|was|did|does|has|of|for|about|check|compare|vs|and|or|y|el)$/.test(before!.text);
    const ends = after === undefined || after.number !== undefined ||
      isTopic(at + 1) && !FIRM_WORD.test(tokens[at + 2]?.text ?? "") ||
      /^(?:hard|join|compare|pay|file)$/.test(spans[at + 1]?.mark ?? "") ||
      /^(?:still|currently|ever|also|already|yet)$/.test(after.text);
    const afterFee = at === 0 && after === undefined ||
      /^(?:for|of|ucr|fee|cost|para)$/.test(before?.text ?? "");
    const isZip = digits === 5 && gap === " " && /^[A-Z]{2}$/.test(before?.raw ?? "");
    if (listed?.role === "year" && digits === 4) number.role = "year";
    else if (
      (listed?.role === "usdot" || listed?.role === "docket") && number.value > 0 && digits > 2 &&
      digits <= 8
    ) {
      number.role = listed.role;
      if (listed.prefix !== undefined) number.prefix = listed.prefix;
      // "MCS-105", "load-21800": part of a name for something else.
    } else if (isZip || /[-_]$/.test(gap) && gap.length === 1) number.role = "other";
    else if (digits >= 5 && digits <= 8) number.role = "usdot";
    else if (yearLike && fee) number.role = "year";
    else if (
      fee && digits <= 3 && !paying && ends && afterFee &&
      !tokens.some((token) => token.number?.role === "vehicles")
    ) {
      number.role = "vehicles";
    } else if (
      (!fee || paying) && digits > 2 && digits <= 8 && !yearLike && begins && ends &&
      !tokens.some(isCarrierNumber)
    ) {
      number.role = "usdot";
    }
  });
}

/** A count in digits or words: `1,200`, `15k`, `half a dozen`, `one hundred and twenty`. */
function count(text: string): number {
  const digits = /^([\d,]+)(k?)$/.exec(text);
  if (digits !== null) {
    return Number(digits[1]!.replaceAll(",", "")) * (digits[2] === "k" ? 1000 : 1);
  }
  if (/^(?:no|without)/.test(text)) return 0;
  if (/^(?:an?|un)$/.test(text)) return 1;
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

export function stick(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
