/**
 * Finds a carrier's number among other words: one with a prefix, or the only one that may be meant.
 *
 * @module
 */

import { STATE_LETTERS } from "../../pipeline/search/query/query.ts";
import { FORMS, legalForm } from "../../pipeline/name_words.ts";
import { tokenize } from "../../pipeline/search/shared/tokenizer.ts";
import {
  DOCKET,
  type Identifier,
  JOIN,
  kindOf,
  KINDS,
  named,
  numberOf,
  oneLine,
  PROBLEMS,
  type ReadCell,
  readCell,
  readLine,
  USDOT,
} from "./numbers.ts";

/** Characters in which a number with a prefix is looked for, and one without. */
const LONGEST = 500;
const LONGEST_BARE = 200;

/** Numbers with a prefix in a text of one carrier. More take quadratic time, 40 ms a line. */
const MOST_PREFIXED = 20;

/** Characters beside a number that show what it is. */
const BESIDE = 40;

const DIGITS = String.raw`\d{1,3}(?:,\d{3})+(?![,\d])|\d+`;

const STANDING_ALONE = new RegExp(`(?<!\\d|\\d[,.])(?:${DIGITS})(?!\\d)`, "g");

const PREFIXED = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:(${USDOT})|(${DOCKET}))${JOIN}(${DIGITS})(?:\.0*(?!\d))?`,
  "giu",
);

/** `278025 USDOT`, `186800 (MC)`: the prefix behind its number, before a mark or at the end. */
const SUFFIXED = new RegExp(
  String.raw`(?<![\w.,\/-])(\d{4,8})[ (\[-]*(?:(${USDOT})|(${DOCKET}))#?[ )\]]*(?=$|[,;|\/])`,
  "giu",
);

/** `DOT/MC` before a number: it may be of either kind. */
const TWO_KINDS = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:(${USDOT})|(${DOCKET}))[ #]*(?:[\/&-]|and|or) ?$`,
  "iu",
);

/** Words that say a number is not, or no longer, the carrier's. */
const NOT_ITS =
  /(?:^|[^\p{L}])(?:not|no longer|old|former|formerly|previous|previously|prior|ex|was|wrong|void)[ :'"(-]*$/iu;

/** `STATE DOT 77`, `TX DOT 77`: a number of a state, unless `TX` ends an address. */
const OF_A_STATE = /(?:^|[,;:(|] ?)(state|[a-z]{2}) $/i;

/** An address in Mexico before its postal code: `Monterrey, NL, MX 64000`. */
const IN_MEXICO = /, *$/;

/** A mark between a number with a prefix and another number. */
const ONE_MORE = /^ ?(?:[,\/&+]|and|or) ?(?=\d)/i;

/** The numbers of a cell, alone or among words, or the one reason why it has none; none for a blank cell. */
export function readCellWords(cell: string): ReadCell[] {
  const read = readCell(cell);
  if (read === null) return [];
  return "problem" in read && read.problem === PROBLEMS.text ? readWords(cell) : [read];
}

/** The numbers of a line that has nothing else, as {@link readLine}, or else those among its words. */
export function readLineWords(line: string, most: number): ReadCell[] {
  const read = readLine(line, most);
  const [first] = read;
  return first !== undefined && "problem" in first && first.problem === PROBLEMS.text
    ? readWords(line)
    : read;
}

/**
 * The numbers of one carrier in a text with other words: at most one of a kind, or one USDOT number and
 * its dockets. Else the reason why there is none, with the only number that may be meant, if there is one.
 */
function readWords(text: string): ReadCell[] {
  const line = oneLine(text);
  if (line.length > LONGEST) return [{ problem: PROBLEMS.text }];
  const all = [...line.matchAll(PREFIXED)];
  if (all.length > MOST_PREFIXED) return [{ problem: PROBLEMS.several }];
  const found = all.filter((match) => !isName(match, line));
  const kinds = new Set(found.map(([, usdot, docket]) => kindOf(usdot, docket)));
  // What may be a name or another number of the same kind.
  if (all.some((match) => !found.includes(match) && kinds.has(kindOf(match[1], match[2])))) {
    return [{ problem: PROBLEMS.text }];
  }
  const behind = [...line.matchAll(SUFFIXED)];
  // Beside `278025 DOT 186800 MC` a prefix would belong to the next number.
  if (found.length > 0 && behind.length > 0) return [{ problem: PROBLEMS.text }];
  if (found.length > 0) return readPrefixed(found, line);
  if (behind.length > 0) {
    return together(
      behind.map(([, digits, usdot, docket]) => numberOf(digits!, kindOf(usdot, docket))),
    );
  }
  const isLong = line.length > LONGEST_BARE;
  const [maybe, ...others] = isLong || OTHER_KIND.test(line) ? [] : plausible(line);
  return [{ problem: PROBLEMS.text, ...maybe !== undefined && others.length === 0 && { maybe } }];
}

function readPrefixed(found: readonly RegExpExecArray[], line: string): ReadCell[] {
  const numbers: ReadCell[] = [];
  for (const match of found) {
    const [whole, usdot, docket, digits] = match;
    const before = line.slice(Math.max(0, match.index - BESIDE), match.index);
    const after = line.slice(match.index + whole.length);
    const kind = kindOf(usdot, docket);
    const [, otherUsdot, otherDocket] = TWO_KINDS.exec(before) ?? [];
    const isOfTwo = (kindOf(otherUsdot, otherDocket) ?? kind) !== kind;
    const isState = /^d/i.test(usdot ?? "") && isStateDot(before);
    const isPostalCode = /^mx \d{5}$/i.test(whole) && IN_MEXICO.test(before);
    if (isOfTwo || NOT_ITS.test(before) || isState || isPostalCode) {
      return [{ problem: PROBLEMS.text }];
    }
    if (/^ \d{3}(?!\d)/.test(after) && digits!.length <= 3) {
      return [{ problem: PROBLEMS.ambiguous }];
    }
    // A docket may have a letter for the kind of authority: MC-186800-C.
    const rest = docket === undefined ? after : after.replace(/^-?[a-z](?![\p{L}\p{N}])/iu, "");
    if (/^(?:[\p{L}\p{N}_]|[-.\/,]\d)/u.test(rest)) return [{ problem: PROBLEMS.text }];
    const [more] = ONE_MORE.exec(rest) ?? [];
    if (more !== undefined && plausible(rest.slice(more.length)).size > 0) {
      return [{ problem: PROBLEMS.text }];
    }
    numbers.push(numberOf(digits!, kind));
  }
  return together(numbers);
}

function isStateDot(before: string): boolean {
  const state = OF_A_STATE.exec(before)?.[1]?.toLowerCase() ?? "";
  return state === "state" || STATE_LETTERS.has(state);
}

/** Whether a prefix with a number is part of a company's name: `MC 2 LOGISTICS`, `MC 186800 LLC`. */
function isName({ 0: whole, 1: usdot = "", 3: digits, index }: RegExpExecArray, line: string) {
  if (/^u/i.test(usdot)) return false;
  const rest = line.slice(index + whole.length);
  if (digits!.length <= 3 && /^ (?!and |or )\p{L}{2}/iu.test(rest)) return true;
  const words = rest.length > BESIDE ? [] : tokenize(rest);
  return words.length > 0 && words.every((word) => FORMS.has(word));
}

/** The different numbers, or the one reason why there are none. */
function together(cells: readonly ReadCell[]): ReadCell[] {
  const problem = cells.find((cell) => "problem" in cell);
  if (problem !== undefined) return [problem];
  const numbers = cells.flatMap((one) =>
    "number" in one && one.kind !== null ? [{ ...one, kind: one.kind }] : []
  );
  return oneCarrier(numbers) ?? [{ problem: PROBLEMS.several }];
}

/** The different numbers, null when one carrier cannot have them all: several of a kind and no USDOT number. */
export function oneCarrier(numbers: readonly Identifier[]): Identifier[] | null {
  const different = new Map(numbers.map((one) => [named(one), one]));
  const counts = KINDS.map((kind) =>
    [...different.values()].filter((one) => one.kind === kind).length
  );
  const isClear = counts[0] === 1 || counts.every((count) => count <= 1);
  return isClear ? [...different.values()] : null;
}

/**
 * The name beside the number of a line, null for a line that has no other words. What has a legal form,
 * or stands before the prefix, is a name; other words are one only if that is known.
 */
export function nameBeside(text: string, { isName }: { isName: boolean }): { name: string } | null {
  const line = oneLine(text).slice(0, LONGEST);
  const rest = line.replace(PREFIXED, " ").replace(SUFFIXED, " ");
  if (!/\p{L}{2}/u.test(rest)) return null;
  const words = wordsOf(rest);
  if (isName && !NO_NAME.test(words) || legalForm(words) !== "") return { name: words };
  const before = wordsOf(line.slice(0, [...line.matchAll(PREFIXED)][0]?.index ?? 0));
  const [last = "", ...others] = tokenize(before).reverse();
  // A place without a comma cannot be told from a name.
  const isClear = others.length > 0 && (before.includes(",") || !STATE_LETTERS.has(last));
  return { name: isClear && !NO_NAME.test(before) ? before : "" };
}

/** Words with which a remark begins. */
const NO_NAME =
  /^(?:call|called|check|left|sent|pending|waiting|load|order|re|per|see|spoke|ask|need|use|new|good|bad|ok|okay|yes|no|not|the|this|that|their|our|is|has|and|or|carrier:?|company:?|name:?)(?!\p{L})/iu;

/** A text without numbers that stand alone, remarks in parentheses, and marks at its ends. */
function wordsOf(text: string): string {
  return withoutOthers(text).replace(/\([^)]*\)?|~/g, " ").replace(STANDING_ALONE, " ").replace(
    /\s+/g,
    " ",
  )
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}.]+$/gu, "");
}

const MONTH = "(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*";

const STREET =
  "(?:st|street|ave?|avenue|rd|road|dr|drive|ln|lane|blvd|boulevard|hwy|highway|pkwy|parkway|ct|court|cir|circle|way|pl|place|ter|terrace|trl|trail|pike|sq|loop)";

const LABEL =
  "(?:load|order|ref|reference|p\\.?o|bol|b\\/l|invoice|inv|trip|shipment|acct|account|policy|conf|confirmation|rate|ticket|job|quote|claim|customer|cust|vendor|trailer|tractor|unit|seal|container|chassis|ein|fein|tin|tax|ssn|duns|vin|plate|tag|cdl|license|lic|permit|kyu|ifta|irp|mcp|scac|ca|fax|tel|ph|phone|cell|mobile|ext|zip|since|est|established|member|id|pay|paid|amount|total|store|bid|weight|wt|box|suite|ste|apt|floor|dock|door|room|rm|lot|bay|gate|exit|mile|route|rte|rt|hwy|highway|interstate|sr|fm)";

/** Labels only with a mark: they end names of companies too. */
const MARKED_LABEL =
  "(?:pro|truck|fleet|pickup|delivery|warehouse|contract|case|call|route|express|freight)";

const UNIT =
  "(?:usd|dollars?|lbs?|pounds?|kg|tons?|miles?|ft|feet|trucks?|units?|tractors?|trailers?|drivers?|power units?|vehicles?|loads?|years?|yrs?|months?|days?|hours?|hrs?|am|pm|percent|employees|pallets?|pieces|pcs|gallons?|k\\b|%)";

/** Patterns of numbers that are not a carrier's. */
const OTHER_NUMBERS: readonly RegExp[] = [
  /(?<!\S)\S*(?:@|www\.|https?:|\.(?:com|net|org|us)\b)\S*/gi,
  // Phones and dates.
  /(?<!\d)(?:\+?1[ .-]?)?(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}(?!\d)/g,
  /\d{1,4}[\/.-]\d{1,2}[\/.-]\d{1,4}|\d{1,2}:\d{2}/g,
  new RegExp(`(?<![a-z])${MONTH}\\.? \\d{1,2}(?:st|nd|rd|th)?(?:,? \\d{4})?(?!\\d)`, "gi"),
  new RegExp(`\\d{1,2} ${MONTH}\\.?(?:,? \\d{4})?(?!\\d)`, "gi"),
  /(?<!\d)(?:19|20)\d{2}(?:[01]\d[0-3]\d)?(?!\d)/g,
  // Amounts, what they count, and addresses.
  /[$\u20ac\u00a3] ?\d[\d,.]*/g,
  new RegExp(`\\d[\\d,.]* ?${UNIT}(?![\\p{L}\\p{N}])`, "giu"),
  new RegExp(`(?<!\\d)\\d{1,6} (?:[\\p{L}\\d.']+ ){1,4}?${STREET}(?![\\p{L}\\p{N}])`, "giu"),
  /\d{5}-\d{4}(?!\d)/g,
  new RegExp(
    `(?<![\\p{L}\\p{N}])${LABEL}\\.? ?(?:#|no\\.?|number|num|nbr|id|code)? ?[:#=-]* ?[\\d][\\d,.-]*`,
    "giu",
  ),
  new RegExp(`(?<![\\p{L}\\p{N}])${MARKED_LABEL} ?(?:#|no\\.?|number|:)[ :#]*\\d[\\d,.-]*`, "giu"),
];

/** Digits that are joined to others, or to letters. */
const JOINED: readonly RegExp[] = [
  /\d[\d,]*(?:[-\/.]\d+)+/g,
  /[\p{L}_]+\d[\p{L}\d]*|\d+\p{L}[\p{L}\d]*/gu,
];

/** Five digits after a state. */
const ZIP = /(?<![\p{L}\p{N}])([a-z]{2})\.?,? (\d{5})(?!\d)/giu;

/** Words by which a number that stands apart from them is a docket, or another authority's. */
const OTHER_KIND =
  /(?<![\p{L}\p{N}])(?:m\.?c|m\.?x|f\.?f|icc|dockets?|motor carrier|state dot|[a-z]{2}dot)(?![\p{L}\p{N}])/iu;

/**
 * The numbers of a text that may be a carrier's: 4 to 8 digits that are no phone, date, amount, address
 * or number of something else.
 */
function plausible(text: string): ReadonlySet<number> {
  let left = withoutOthers(text);
  for (const joined of JOINED) left = left.replace(joined, " ~ ");
  const numbers = left.match(STANDING_ALONE) ?? [];
  return new Set(
    numbers.map((digits) => Number(digits.replaceAll(",", "")))
      .filter((number) => number > 999 && number < 100_000_000),
  );
}

/** A text without the numbers that are no carrier's, and their labels. */
function withoutOthers(text: string): string {
  let left = text.replace(
    ZIP,
    (zip, state: string) => STATE_LETTERS.has(state.toLowerCase()) ? " " : zip,
  );
  for (const other of OTHER_NUMBERS) left = left.replace(other, " ~ ");
  return left;
}
