/**
 * A question as tokens: every number with one role, every known phrase with what it means.
 *
 * @module
 */

import { inert } from "../../pipeline/text.ts";
import { stateCode } from "../../pipeline/search/query/query.ts";
import { edits, legalForm } from "../../pipeline/search/shared/name_match.ts";
import { parseDot, parseMc } from "../operations/numbers.ts";
import { ENGLISH_WORD, type Phrase, PHRASES, REPAIRED, SPANISH_WORD } from "./vocabulary.ts";

/** Characters of a question that are read. */
export const MAX_QUESTION = 1000;

/** A number of a question. */
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
  /** A range, or "more than": it is no single number. */
  vague?: boolean;
  /** Why it cannot be such a number. */
  problem?: string;
}

/** A word or number. */
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

/** A phrase found: tokens `from` up to `to`. */
export interface Span {
  mark: string;
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

const NUMBER_WORDS: ReadonlyMap<string, number> = new Map([
  ...("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen " +
    "sixteen seventeen eighteen nineteen").split(" ").map((word, i) => [word, i] as const),
  ..."twenty thirty forty fifty sixty seventy eighty ninety".split(" ")
    .map((word, i) => [word, 20 + 10 * i] as const),
  ..."cero un dos tres cuatro cinco seis siete ocho nueve diez once doce".split(" ")
    .map((word, i) => [word, i] as const),
  ["couple", 2],
]);

const DIGITS = String.raw`\d{1,3}(?:,\d{3})+(?![\d,])|\d+`;
const WORD = `(?:${[...NUMBER_WORDS.keys()].join("|")}|hundred|thousand|dozen)`;
// No fleet has six digits without a comma: that is a USDOT number beside a noun.
const COUNT = String.raw`(?:(?:\d{1,3}(?:,\d{3})+|\d{1,5}(?!\d))k?|` +
  `(?:(?:a|half a|half) )?${WORD}(?:[ -](?:and |of )?${WORD}){0,6})`;
const VEHICLE = "(?:trucks?|tractors?|semis?|rigs?|vehicles?|power[ _-]units?|units?|cmvs?|" +
  "bus(?:es)?|vans?|hotshots?|camion(?:es)?|vehiculos?|unidades)";
const KIND = "(?:heavy|duty|commercial|motor|straight|box|dump|semi|big|registered|total|active)";
const COUNTED = "miles?|lbs?|pounds?|tons?|pallets?|states?|stops?|feet|times?|loads?|carriers?|" +
  "companies|points?|people|employees|axles?|cents?|inspections?|violations?|crashes|drivers?|trailers?";
const REFERENCE =
  "load|order|invoice|po|bol|pro|ref(?:erence)?|ticket|case|trip|zip(?: ?code)?|suite|" +
  "truck|trailer|dock|exit|route|hwy|highway|i|level|class|age|box|account|policy|claim|apt|vin|ein|fax";
const MONTH = "(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*";
const LABEL = String.raw`(?:[\s_:=#"'-]|numbers?|no\.?|num|nbr|nr|is|es){0,6}?`;

// The first that matches at a place decides. The group `n` is the number, `p` a docket's prefix.
const RULES: readonly (readonly [NumberEntity["role"], RegExp])[] = [
  rule("date", String.raw`20\d\d-\d\d?-\d\d?|(?:0?\d|1[0-2])/(?:[0-2]?\d|3[01])(?:/\d{2,4})?`),
  rule("date", String.raw`${MONTH}\.? \d{1,2}(?:st|nd|rd|th)?(?!\d)(?:,? \d{4})?`),
  rule("date", String.raw`\d{1,2}(?:st|nd|rd|th)? (?:of )?${MONTH}(?:,? \d{4})?`),
  rule(
    "other",
    String.raw`\(?\d{3}\)?[-. ]\d{3}[-. ]\d{4}|\d{1,2}:\d\d(?: ?[ap]m)?|\d{1,2} ?[ap]m`,
  ),
  rule("money", String.raw`\$ ?[\d,]*\d(?:\.\d+)?k?|[\d,]*\d(?:\.\d+)? ?(?:dollars|usd|bucks)`),
  rule("percent", String.raw`\d+(?:\.\d+)? ?(?:%|percent|pct)`),
  rule("other", String.raw`49 ?cfr(?: part)? ?[\d.]+[a-z]?|part \d[\d.]*[a-z]?|\d+(?:\.\d+)+`),
  rule("usdot", String.raw`(?:u\.? ?s\.? ?)?d\.?o\.?t\.?s?(?![a-z])${LABEL}(?<n>${DIGITS})`),
  rule(
    "docket",
    String.raw`(?!mcs-)(?<p>m\.? ?c\.?s?|mx|ff)(?![a-z])(?: ?dockets?)?${LABEL}(?<n>${DIGITS})`,
  ),
  rule("docket", `docket${LABEL}(?<n>${DIGITS})`),
  rule("other", String.raw`(?:${REFERENCE})(?: (?:number|no\.?|num|id))?[ #:-]{0,3}(?:is )?\d+`),
  rule(
    "vehicles",
    "(?<v>(?:(?:more|less|fewer) than|over|at least|under|up to|between) |-)?" +
      `(?<n>${COUNT})(?<r> ?(?:-|to|or|and) ?(?:${COUNT}))?[ -](?<noun>(?:${KIND}[ -]){0,3}${VEHICLE})(?! ?&| (?:lines?|leasing|repair|rental)(?![a-z]))`,
  ),
  rule(
    "vehicles",
    `(?:fleet (?:of|with) ?|(?:fleet[ _]size|${VEHICLE})["' ]*[=:]? ?["']?)(?<n>${COUNT})`,
  ),
  rule("vehicles", `(?<n>no|without|without any|a|an|un) (?<noun>(?:${KIND} )?${VEHICLE})`),
  rule("duration", `${COUNT}[ -]?(?:days?|weeks?|months?|years?|yrs?|hours?|hrs?|minutes?)|24/7`),
  rule("other", `${COUNT} ?(?:${COUNTED})`),
  rule(
    "year",
    "(?<=(?:^|[^a-z])(?:in|for|year|since|until|by|during|through|ucr|fees?|costs?|to|before|after|en|" +
      String.raw`para)[ =:]{1,2})(?:20[0-3]\d|199\d)|(?:this|next|last) year|(?:este|proximo) ano`,
  ),
  rule("unresolved", `(?<n>${DIGITS})`),
];

const FORM = /(?<w>mcs|msc|bmc|boc|form)[ -]?(?<d>150|90|91|3|2290)[a-c]?(?![a-z0-9])/y;
const NEXT_WORD = /(?:\p{L}\.){2,}\p{L}?|[\p{L}\p{N}]+(?:['’`]\p{L}+)*|[&+]/yu;

/** Reads a question. */
export function read(question: string): Reading {
  const text = inert(
    question.slice(0, MAX_QUESTION).normalize("NFKC").slice(0, MAX_QUESTION),
    MAX_QUESTION,
  );
  // One unit for each, so that places in it are places in the text.
  const plain = text.replace(/[^ -~]/g, (unit) => unit.normalize("NFD").charAt(0))
    .toLowerCase();
  const spanish = SPANISH_WORD.test(plain) && !ENGLISH_WORD.test(plain);
  const tokens = tokensOf(text, plain);
  const spans = mark(tokens, PHRASES[spanish ? "es" : "en"]);
  // "Smith Carriers" and "All Carriers Inc" are names, "Texas carriers" are many.
  for (const span of spans) {
    if (span?.mark !== "many" && span?.mark !== "all") continue;
    const [before, first, after] = [tokens[span.from - 1], tokens[span.from]!, tokens[span.to]];
    const ofName = legalForm(after?.text ?? "") !== "" ||
      first.text === "carriers" && first.gap === " " && before?.kind === "word" &&
        spans[span.from - 1] === null && stateCode(before.text) === undefined;
    if (ofName) spans.fill(null, span.from, span.to);
  }
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
      push("word", form[0].length, { text: form.groups!.w! + form.groups!.d! });
      continue;
    }
    const number = starts ? numberAt(plain, at, tokens) : null;
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

function numberAt(plain: string, at: number, before: readonly Token[]): NumberEntity | null {
  for (const [role, pattern] of RULES) {
    const match = stick(pattern, plain, at);
    if (match === null) continue;
    const { n = "", p, noun, v, r } = match.groups ?? {};
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
    if (v !== undefined || r !== undefined) number.vague = true;
    if (role === "year") number.value = Number(/\d{4}/.exec(match[0])?.[0] ?? 0);
    return role === "unresolved" ? bare(number, { plain, at, before }) : number;
  }
  return null;
}

/** What a number without words of its own is: more of a list, a zip code or a USDOT number. */
function bare(
  number: NumberEntity,
  { plain, at, before }: { plain: string; at: number; before: readonly Token[] },
): NumberEntity {
  const { length } = number.text.replaceAll(",", "");
  const listed = before.findLast(({ kind }) => kind === "number");
  if (listed !== undefined && /^[\s,;&/]*(?:(?:and|or|y) )?$/.test(plain.slice(listed.to, at))) {
    const { role, prefix } = listed.number!;
    if (role === "year" && length === 4) return { ...number, role };
    const fits = number.value > 0 && length > 2 && length <= 8;
    if (role === "docket" && fits) return { ...number, role, prefix: prefix! };
    if (role === "usdot" && fits) return { ...number, role };
  }
  const last = before.at(-1);
  // "MCS-105", "load-21800": part of a name for something else.
  if (/[a-z][-_]$/.test(plain.slice(0, at))) return { ...number, role: "other" };
  const zip = length === 5 && last?.to === at - 1 && /^[A-Z]{2}$/.test(last.raw);
  if (zip) return { ...number, role: "other" };
  return length >= 5 && length <= 8 ? { ...number, role: "usdot" } : number;
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

/** The longest known phrase at each place; a word of one slip counts as the topic word it is near. */
function mark(tokens: readonly Token[], phrases: typeof PHRASES.en): (Span | null)[] {
  const words = tokens.map(({ kind, text }) => {
    if (kind !== "word") return [];
    const forms = text.length > 3 && text.endsWith("s") ? [text, text.slice(0, -1)] : [text];
    return forms.some((form) => phrases.has(form)) ? forms : [...forms, ...forms.flatMap(repair)];
  });
  const spans: (Span | null)[] = tokens.map(() => null);
  let to = 0;
  for (let from = 0; from < tokens.length; from = to) {
    const found = words[from]!.flatMap((first) => phrases.get(first) ?? [])
      .filter((phrase) =>
        phrase.words.every((choices, i) => words[from + i]?.some((word) => choices.includes(word)))
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
  return REPAIRED.filter((known) => known[0] === word[0] && edits(word, known) <= 1).slice(0, 1);
}

function fold(word: string): string {
  if (word === "&" || word === "+") return "and";
  const plain = word.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return plain.replace(/['’`]s$/, "").replaceAll(/[.'’`]/g, "");
}

function stick(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function rule(role: NumberEntity["role"], source: string): [NumberEntity["role"], RegExp] {
  return [role, new RegExp(`(?:${source})(?![\\p{L}\\p{N}])`, "yu")];
}
