/**
 * Finds a carrier's number among other words: one with a prefix, or the only one that may be the carrier's.
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

/** Maximum length of a text in which to look for numbers with a prefix, and for numbers without one. */
const LONGEST = 500;
const LONGEST_BARE = 200;

/** Maximum number of numbers with a prefix in a text. The search takes quadratic time; more could take 40 ms a line. */
const MOST_PREFIXED = 20;

/** Number of characters before or after a number that are searched for what the number is. */
const BESIDE = 40;

const DIGITS = String.raw`\d{1,3}(?:,\d{3})+(?![,\d])|\d+`;

const STANDING_ALONE = new RegExp(`(?<!\\d|\\d[,.])(?:${DIGITS})(?!\\d)`, "g");

const PREFIXED = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:(${USDOT})|(${DOCKET}))${JOIN}(${DIGITS})(?:\.0*(?!\d))?`,
  "giu",
);

/** `278025 USDOT`, `186800 (MC)`: a prefix after its number, followed by punctuation or the end. */
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

/** What joins a number with a prefix to another number, such as a comma or `and`. */
const ONE_MORE = /^ ?(?:[,\/&+]|and|or) ?(?=\d)/i;

/**
 * Returns the numbers in a cell, alone or among words, or a single problem if there are none. Empty for
 * a blank cell.
 */
export function readCellWords(cell: string): ReadCell[] {
  const read = readCell(cell);
  if (read === null) return [];
  return "problem" in read && read.problem === PROBLEMS.text ? readWords(cell) : [read];
}

/**
 * Returns the numbers of a line as {@link readLine} does. If the line has other words, returns the
 * carrier's numbers among them.
 */
export function readLineWords(line: string, most: number): ReadCell[] {
  const read = readLine(line, most);
  const [first] = read;
  return first !== undefined && "problem" in first && first.problem === PROBLEMS.text
    ? readWords(line)
    : read;
}

/**
 * Returns the numbers of one carrier in a text with other words: at most one of each kind, or one USDOT
 * number and its dockets. Otherwise returns a problem, with the only number that may be the carrier's,
 * if there is exactly one.
 */
function readWords(text: string): ReadCell[] {
  const line = oneLine(text);
  if (line.length > LONGEST) return [{ problem: PROBLEMS.text }];
  const all = [...line.matchAll(PREFIXED)];
  if (all.length > MOST_PREFIXED) return [{ problem: PROBLEMS.several }];
  const found = all.filter((match) => !isName(match, line));
  const kinds = new Set(found.map(([, usdot, docket]) => kindOf(usdot, docket)));
  // One of the matches may be either part of a name or another number of the same kind.
  if (all.some((match) => !found.includes(match) && kinds.has(kindOf(match[1], match[2])))) {
    return [{ problem: PROBLEMS.text }];
  }
  const behind = [...line.matchAll(SUFFIXED)];
  // In `278025 DOT 186800 MC`, `DOT` would be read as the prefix of the next number.
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

/** Returns the numbers without duplicates, or a single problem. */
function together(cells: readonly ReadCell[]): ReadCell[] {
  const problem = cells.find((cell) => "problem" in cell);
  if (problem !== undefined) return [problem];
  const numbers = cells.flatMap((one) =>
    "number" in one && one.kind !== null ? [{ ...one, kind: one.kind }] : []
  );
  return oneCarrier(numbers) ?? [{ problem: PROBLEMS.several }];
}

/**
 * Returns the numbers without duplicates. Returns null if they cannot all belong to one carrier, that
 * is, there are several of a kind and not exactly one USDOT number.
 */
export function oneCarrier(numbers: readonly Identifier[]): Identifier[] | null {
  const different = new Map(numbers.map((one) => [named(one), one]));
  const counts = KINDS.map((kind) =>
    [...different.values()].filter((one) => one.kind === kind).length
  );
  const isClear = counts[0] === 1 || counts.every((count) => count <= 1);
  return isClear ? [...different.values()] : null;
}

/**
 * Returns the name beside the number of a line, or null if the line has no other words. Words with a
 * legal form or before the prefix are a name. Other words are a name only with `isName`; otherwise the
 * name is empty.
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

/** Words that begin a remark rather than a name. */
const NO_NAME =
  /^(?:call|called|check|left|sent|pending|waiting|load|order|re|per|see|spoke|ask|need|use|new|good|bad|ok|okay|yes|no|not|the|this|that|their|our|is|has|and|or|carrier:?|company:?|name:?)(?!\p{L})/iu;

/** Removes standalone numbers, remarks in parentheses, and punctuation at both ends from a text. */
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

/** Words that are labels only if followed by a mark such as `#`, because names of companies end with them too. */
const MARKED_LABEL =
  "(?:pro|truck|fleet|pickup|delivery|warehouse|contract|case|call|route|express|freight)";

const UNIT =
  "(?:usd|dollars?|lbs?|pounds?|kg|tons?|miles?|ft|feet|trucks?|units?|tractors?|trailers?|drivers?|power units?|vehicles?|loads?|years?|yrs?|months?|days?|hours?|hrs?|am|pm|percent|employees|pallets?|pieces|pcs|gallons?|k\\b|%)";

/** Patterns of numbers that are not a carrier's. */
const OTHER_NUMBERS: readonly RegExp[] = [
  /(?<!\S)\S*(?:@|www\.|https?:|\.(?:com|net|org|us)\b)\S*/gi,
  // Phone numbers and dates.
  /(?<!\d)(?:\+?1[ .-]?)?(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}(?!\d)/g,
  /\d{1,4}[\/.-]\d{1,2}[\/.-]\d{1,4}|\d{1,2}:\d{2}/g,
  new RegExp(`(?<![a-z])${MONTH}\\.? \\d{1,2}(?:st|nd|rd|th)?(?:,? \\d{4})?(?!\\d)`, "gi"),
  new RegExp(`\\d{1,2} ${MONTH}\\.?(?:,? \\d{4})?(?!\\d)`, "gi"),
  /(?<!\d)(?:19|20)\d{2}(?:[01]\d[0-3]\d)?(?!\d)/g,
  // Amounts, numbers with a unit, and addresses.
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

/** Words that make a number elsewhere in the text a docket or a number of another authority. */
const OTHER_KIND =
  /(?<![\p{L}\p{N}])(?:m\.?c|m\.?x|f\.?f|icc|dockets?|motor carrier|state dot|[a-z]{2}dot)(?![\p{L}\p{N}])/iu;

/**
 * Returns the numbers in a text that may be a carrier's: those with 4 to 8 digits that are not part of a
 * phone number, a date, an amount, an address or another kind of number.
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

/** Removes from a text the numbers that are not a carrier's, and their labels. */
function withoutOthers(text: string): string {
  let left = text.replace(
    ZIP,
    (zip, state: string) => STATE_LETTERS.has(state.toLowerCase()) ? " " : zip,
  );
  for (const other of OTHER_NUMBERS) left = left.replace(other, " ~ ");
  return left;
}
