/**
 * The numbers of a question, each with one role and the words that show it, or `unresolved`.
 *
 * @module
 */

import { parseDot, parseMc } from "../operations/numbers.ts";
import { TOPIC_KEYS } from "./topics.ts";
import { FIRM_WORD, type Span } from "./vocabulary.ts";

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
  /** The second of "20 and 21 trucks". */
  also?: number;
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
  "bus(?:es)?|vans?|hotshots?|camion(?:es)?|vehiculos?|trocas?|unidades)";
const KIND =
  "(?:heavy|duty|tow|tanker|flatbed|reefer|delivery|pickup|commercial|motor|straight|box|dump|semi|big|registered|total|active)";
const COUNTED = "miles?|lbs?|pounds?|tons?|pallets?|states?|stops?|feet|times?|loads?|carriers?|" +
  "companies|points?|people|employees|axles?|cents?|inspections?|violations?|crashes|drivers?|trailers?";
const REFERENCE =
  "load|order|invoice|po|bol|pro|ref(?:erence)?|ticket|case|trip|zip(?: ?code)?|suite|" +
  "truck|trailer|dock|exit|step|page|carga|factura|lane|gate|bay|door|route|hwy|highway|i|level|class|age|box|account|policy|claim|apt|vin|ein|fax";
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
      `(?<n>${COUNT})(?<r> ?(?:-|to|or|and) ?(?<m>${COUNT}))?[ -](?<noun>(?:${KIND}[ -]){0,3}${VEHICLE})(?! ?&| (?:lines?|leasing|repair|rental)(?![a-z]))`,
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

/** Whether a token numbers a carrier. */
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

/** Matches a sticky pattern at a place. */
export function stick(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function rule(role: NumberEntity["role"], source: string): [NumberEntity["role"], RegExp] {
  return [role, new RegExp(`(?:${source})(?![\\p{L}\\p{N}])`, "yu")];
}
