/**
 * A question as tokens: every number with one role and the words that show it, every known phrase with
 * what it means.
 *
 * @module
 */

import { inert } from "../../pipeline/inert.ts";
import { parseDot, parseMc } from "../operations/numbers.ts";
import { ENGLISH_WORD, SPANISH, SPANISH_WORD } from "./spanish.ts";
import { ENGLISH, type Mark, type PhraseTable } from "./vocabulary.ts";

/** Characters of a question that are read. */
export const MAX_QUESTION = 1000;

/** What a number is; `unresolved` when nothing shows it. */
export type Role =
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

/** A number of a question. */
export interface NumberEntity {
  role: Role;
  value: number;
  /** As typed, with the words that show its role. */
  text: string;
  /** Of a docket. */
  prefix?: "MC" | "MX" | "FF";
  /** What is counted. */
  noun?: string;
  /** A range, or "more than": it is no single number. */
  vague?: boolean;
  /** Why it cannot be such a number. */
  problem?: string;
}

/** A word, number or quotation. */
export interface Token {
  kind: "word" | "number" | "quote";
  /** Lower case, without accents and apostrophes. */
  text: string;
  raw: string;
  from: number;
  to: number;
  /** What stands between the token before and this one. */
  gap: string;
  number?: NumberEntity;
}

/** A phrase found: tokens `from` up to `to`. */
export interface Span {
  mark: Mark;
  from: number;
  to: number;
}

/** A question with what its tokens mean; `spans` is null where a token is unknown. */
export interface Reading {
  text: string;
  tokens: Token[];
  spans: (Span | null)[];
  spanish: boolean;
}

const ONES =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
    .split(" ");
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const UNO = "cero un dos tres cuatro cinco seis siete ocho nueve diez once doce".split(" ");
const NUMBER_WORDS: ReadonlyMap<string, number> = new Map([
  ...ONES.map((word, i): [string, number] => [word, i]),
  ...TENS.map((word, i): [string, number] => [word, 20 + 10 * i]),
  ...UNO.map((word, i): [string, number] => [word, i]),
  ["couple", 2],
  ["tweleve", 12],
]);

const DIGITS = String.raw`\d{1,3}(?:,\d{3})+(?![\d,])|\d+`;
const WORD = `(?:${[...NUMBER_WORDS.keys(), "hundred", "thousand", "dozen"].join("|")})`;
// No fleet has six digits without a comma: that is a USDOT number beside a noun.
const COUNT = String
  .raw`(?:(?:\d{1,3}(?:,\d{3})+|\d{1,5}(?!\d))k?|(?:(?:a|half a|half) )?${WORD}(?:[ -](?:and |of )?${WORD}){0,6})`;
const VEHICLE =
  "(?:trucks?|tractors?|semis?|rigs?|vehicles?|power[ _-]units?|units?|cmvs?|bus(?:es)?|vans?|hotshots?|camion(?:es)?|vehiculos?|unidades)";
const ADJECTIVE =
  "(?:heavy|duty|commercial|motor|straight|box|dump|semi|big|registered|total|active|more|company|leased)";
const LABEL = String.raw`(?:[\s_:=#"'-]|numbers?|no\.?|num|nbr|nr|is|es){0,6}?`;
const MONTH = "(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*";
const NOT_A_COUNT =
  "miles?|lbs?|pounds?|tons?|pallets?|states?|stops?|feet|ft|times?|loads?|carriers?|companies|points?|people|employees|gallons?|axles?|cents?|inspections?|violations?|crashes|drivers?|trailers?";
const REFERENCE =
  "load|order|invoice|po|bol|pro|ref(?:erence)?|ticket|case|trip|zip(?: ?code)?|suite|ste|truck|trailer|dock|exit|route|rt|hwy|highway|i|level|class|age|box|account|policy|claim|room|apt|door|vin|ein|fax|section|part|form";

// The first that matches at a place decides. The group `n` is the number, `p` a docket's prefix.
const RULES: readonly (readonly [role: Role, pattern: RegExp])[] = [
  rule("date", String.raw`20\d\d-\d\d?-\d\d?|(?:0?\d|1[0-2])/(?:[0-2]?\d|3[01])(?:/\d{2,4})?`),
  rule("date", String.raw`${MONTH}\.? \d{1,2}(?:st|nd|rd|th)?(?!\d)(?:,? \d{4})?`),
  rule("date", String.raw`\d{1,2}(?:st|nd|rd|th)? (?:of )?${MONTH}(?:,? \d{4})?`),
  rule(
    "other",
    String.raw`\(?\d{3}\)?[-. ]\d{3}[-. ]\d{4}|\d{1,2}:\d\d(?: ?[ap]m)?|\d{1,2} ?[ap]m`,
  ),
  rule("money", String.raw`\$ ?[\d,]*\d(?:\.\d+)?k?|[\d,]*\d(?:\.\d+)? ?(?:dollars|usd|bucks)`),
  rule("percent", String.raw`\d+(?:\.\d+)? ?(?:%|percent|pct)`),
  rule(
    "other",
    String.raw`49 ?cfr(?: part)? ?[\d.]+[a-z]?|(?:part|§) ?\d[\d.]*[a-z]?|\d+(?:\.\d+)+`,
  ),
  rule("usdot", String.raw`(?:u\.? ?s\.? ?)?d\.?o\.?t\.?s?(?![a-z])${LABEL}(?<n>${DIGITS})`),
  rule(
    "docket",
    String.raw`(?<p>m\.? ?c\.?s?|mx|ff)(?![a-z])(?: ?dockets?)?${LABEL}(?<n>${DIGITS})`,
  ),
  rule("docket", String.raw`docket${LABEL}(?<n>${DIGITS})`),
  rule("other", String.raw`(?:${REFERENCE})(?: (?:number|no\.?|num|id))?[ #:-]{0,3}(?:is )?\d+`),
  rule(
    "vehicles",
    String
      .raw`(?<v>(?:(?:more|less|fewer) than|over|at least|under|up to|between|about|around) |-)?(?<n>${COUNT})(?<r> ?(?:-|to|or|and) ?(?:${COUNT}))?[ -](?:${ADJECTIVE}[ -]){0,3}(?<noun>${VEHICLE})`,
  ),
  rule(
    "vehicles",
    String.raw`(?:fleet (?:of|size(?: of)?|with) ?|${VEHICLE} ?[=:] ?)(?<n>${COUNT})`,
  ),
  rule("vehicles", String.raw`(?<n>no|without|without any|a|an|un) (?<noun>${VEHICLE})`),
  rule(
    "duration",
    String.raw`${COUNT}[ -]?(?:days?|weeks?|months?|years?|yrs?|hours?|hrs?|minutes?|dias|meses)`,
  ),
  rule("duration", "24/7"),
  rule("other", String.raw`${COUNT} ?(?:${NOT_A_COUNT})`),
  rule(
    "year",
    String
      .raw`(?<=(?:^|[^a-z])(?:in|for|year|since|until|by|during|through|ucr|fees?|costs?|to|before|after|en|para)[ =:]{1,2})(?:20[0-3]\d|199\d)`,
  ),
  rule("year", "(?:this|next|last) year|este ano|proximo ano"),
  rule("unresolved", `(?<n>${DIGITS})`),
];

const FORM =
  rule("other", String.raw`(?<w>mcs|msc|bmc|boc|form)[ -]?(?<d>150|90|91|3|2290)[a-c]?`)[1];
const QUOTE = /["“]([^"“”]{2,200})["”]/y;
const NEXT_WORD = /(?:\p{L}\.){2,}\p{L}?|[\p{L}\p{N}]+(?:['’`]\p{L}+)*|[&+]/yu;

const PHRASES = { en: indexed(ENGLISH), es: indexed(SPANISH) };

// Only words of these topics are repaired: never numbers, units or what is declined.
const REPAIRED: ReadonlySet<string> = new Set(
  ("status active inactive authority authorized rating satisfactory conditional unsatisfactory " +
    "inspection inspections violations overdue biennial deadline located interstate intrastate " +
    "compare search safety fleet number where lookup check").split(" "),
);

/** Reads a question. */
export function read(question: string): Reading {
  const text = inert(question.slice(0, MAX_QUESTION).normalize("NFKC"), MAX_QUESTION);
  // One unit for each, so that places in it are places in the text.
  const plain = text.replace(/[^\x00-\x7f]/g, (unit) => unit.normalize("NFD").charAt(0))
    .toLowerCase();
  const spanish = SPANISH_WORD.test(plain) && !ENGLISH_WORD.test(plain);
  const phrases = spanish ? PHRASES.es : PHRASES.en;
  const tokens = tokenize(text, plain, phrases);
  return { text, tokens, spans: marked(tokens, phrases), spanish };
}

function tokenize(text: string, plain: string, phrases: Phrases): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let end = 0;
  const push = (token: Omit<Token, "raw" | "from" | "gap">, from: number): void => {
    tokens.push({ ...token, raw: text.slice(from, token.to), from, gap: text.slice(end, from) });
    end = at = token.to;
  };
  while (at < plain.length) {
    const quote = stick(QUOTE, text, at);
    if (quote !== null && isName(quote[1]!, phrases)) {
      push({ kind: "quote", text: fold(quote[1]!), to: at + quote[0].length }, at);
      continue;
    }
    const startsWord = at === 0 || !/[\p{L}\p{N}]/u.test(plain[at - 1]!);
    const form = startsWord ? stick(FORM, plain, at) : null;
    if (form !== null) {
      push({ kind: "word", text: form.groups!.w! + form.groups!.d!, to: at + form[0].length }, at);
      continue;
    }
    const number = startsWord ? numberAt(plain, at, tokens) : null;
    if (number !== null) {
      push({ kind: "number", text: "", to: at + number.text.length, number }, at);
      tokens.at(-1)!.number!.text = tokens.at(-1)!.raw;
      if (/^['’]s\b/.test(plain.slice(at, at + 3))) end = at += 2;
      continue;
    }
    const word = stick(NEXT_WORD, plain, at);
    if (word === null) at++;
    else push({ kind: "word", text: fold(word[0]), to: at + word[0].length }, at);
  }
  return tokens;
}

function numberAt(plain: string, at: number, before: readonly Token[]): NumberEntity | null {
  for (const [role, pattern] of RULES) {
    const match = stick(pattern, plain, at);
    if (match !== null) return entity(role, match, { plain, at, before });
  }
  return null;
}

function entity(
  role: Role,
  match: RegExpExecArray,
  { plain, at, before }: { plain: string; at: number; before: readonly Token[] },
): NumberEntity {
  const [text] = match;
  const { n = "", p, noun, v, r } = match.groups ?? {};
  const digits = n.replaceAll(",", "");
  const number: NumberEntity = { role, text, value: count(n) };
  const explain = (parse: (text: string) => number): void => {
    try {
      number.value = parse(digits);
    } catch (error) {
      number.problem = error instanceof Error ? error.message : String(error);
    }
  };
  switch (role) {
    case "usdot":
      explain(parseDot);
      break;
    case "docket":
      number.prefix = p === "mx" ? "MX" : p === "ff" ? "FF" : "MC";
      explain(parseMc);
      break;
    case "vehicles":
      if (noun !== undefined) number.noun = noun.replace(/s$/, "");
      if (v !== undefined && v !== "about " && v !== "around " || r !== undefined) {
        number.vague = true;
      }
      break;
    case "year":
      number.value = Number(/\d{4}/.exec(text)?.[0] ?? 0);
      break;
    case "unresolved":
      return bare(number, { digits, plain, at, before });
  }
  return number;
}

/** What a number without words of its own is: more of a list, a zip code, a year or a USDOT number. */
function bare(
  number: NumberEntity,
  { digits, plain, at, before }: {
    digits: string;
    plain: string;
    at: number;
    before: readonly Token[];
  },
): NumberEntity {
  const listed = before.findLast(({ kind }) => kind === "number");
  const between = listed === undefined ? "none" : plain.slice(listed.to, at);
  if (/^[\s,;&/]*(?:(?:and|or|y) )?$/.test(between)) {
    const { role, prefix } = listed!.number!;
    if (role === "year" && /^20\d\d$/.test(digits)) return { ...number, role };
    const fits = Number(digits) > 0 && digits.length <= 8;
    if (role === "docket" && fits) return { ...number, role, prefix: prefix! };
    if (role === "usdot" && fits && digits.length > 2) return { ...number, role };
  }
  const state = before.at(-1);
  if (digits.length === 5 && /^[A-Z]{2}$/.test(state?.raw ?? "") && state!.to === at - 1) {
    return { ...number, role: "other" };
  }
  return digits.length >= 5 && digits.length <= 8 ? { ...number, role: "usdot" } : number;
}

/** A count in digits or words: `1,200`, `15k`, `half a dozen`, `one hundred and twenty`. */
function count(text: string): number {
  const digits = /^([\d,]+)(k?)$/.exec(text);
  if (digits !== null) {
    return Number(digits[1]!.replaceAll(",", "")) * (digits[2] === "" ? 1 : 1000);
  }
  if (/^(?:no|without)/.test(text)) return 0;
  if (/^(?:an?|un)$/.test(text)) return 1;
  let total = 0;
  let current = 0;
  for (const word of text.split(/[ -]+/)) {
    if (word === "dozen") current = /^half/.test(text) ? 6 : (current || 1) * 12;
    else if (word === "hundred") current = (current || 1) * 100;
    else if (word === "thousand") [total, current] = [total + (current || 1) * 1000, 0];
    else current += NUMBER_WORDS.get(word) ?? 0;
  }
  return total + current;
}

type Phrases = ReadonlyMap<string, readonly { mark: Mark; words: string[][] }[]>;

function marked(tokens: readonly Token[], phrases: Phrases): (Span | null)[] {
  const words = tokens.map(({ kind, text }) => {
    if (kind !== "word") return [];
    const repaired = phrases.has(text) ? undefined : repair(text);
    return repaired === undefined ? [text] : [text, repaired];
  });
  const spans: (Span | null)[] = tokens.map(() => null);
  for (let at = 0; at < tokens.length;) {
    let best: Span | null = null;
    for (const first of words[at]!) {
      for (const { mark, words: phrase } of phrases.get(first) ?? []) {
        if (best !== null && phrase.length <= best.to - best.from) break;
        const fits = phrase.every((choices, i) =>
          words[at + i]?.some((word) => choices.includes(word))
        );
        if (fits) best = { mark, from: at, to: at + phrase.length };
      }
    }
    const to = best?.to ?? at + 1;
    while (at < to) spans[at++] = best;
  }
  return spans;
}

/** The topic word that a word of one slip means: a letter more, less, other or swapped. */
function repair(word: string): string | undefined {
  if (word.length < 4) return undefined;
  for (const known of REPAIRED) {
    if (known.length > 4 && known[0] === word[0] && oneEdit(word, known)) return known;
  }
  return undefined;
}

/** Whether two words differ by one letter added, dropped, replaced or swapped with its neighbor. */
export function oneEdit(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  const rest = (text: string, from: number): string => text.slice(from);
  return rest(a, i + 1) === rest(b, i + 1) || rest(a, i + 1) === rest(b, i) ||
    rest(a, i) === rest(b, i + 1) ||
    a[i] === b[i + 1] && a[i + 1] === b[i] && rest(a, i + 2) === rest(b, i + 2);
}

/** Whether a quotation holds more than a number or a keyword, as JSON keys do. */
function isName(quoted: string, phrases: Phrases): boolean {
  const words = quoted.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.some((word) => /\p{L}/u.test(word) && !phrases.has(word)) || words.length > 2;
}

function indexed(table: PhraseTable): Phrases {
  const byWord = new Map<string, { mark: Mark; words: string[][] }[]>();
  for (const [mark, text] of table) {
    for (const line of text.split(", ")) {
      const phrase = { mark, words: line.split(" ").map((word) => word.split("|")) };
      for (const first of phrase.words[0]!) {
        byWord.set(first, [...byWord.get(first) ?? [], phrase]);
      }
    }
  }
  for (const list of byWord.values()) list.sort((a, b) => b.words.length - a.words.length);
  return byWord;
}

function fold(word: string): string {
  if (word === "&" || word === "+") return "and";
  return word.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replaceAll(/[.'’`]/g, "");
}

function stick(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function rule(role: Role, source: string): [Role, RegExp] {
  return [role, new RegExp(`(?:${source})(?![\\p{L}\\p{N}])`, "yu")];
}
