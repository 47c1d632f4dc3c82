/**
 * Parses USDOT and docket numbers as people and spreadsheets write them.
 *
 * @module
 */

import { NUMBER_PATTERN } from "../../api/operations/numbers.ts";
import { capitalized, inert } from "../../pipeline/text.ts";

/** Kinds of numbers in order of preference: a USDOT number names one carrier, a docket may be shared. */
export const KINDS = ["USDOT", "MC", "MX", "FF"] as const;

export type Kind = typeof KINDS[number];

export interface Identifier {
  kind: Kind;
  number: number;
}

/**
 * What a cell contains: a number, whose kind is null if it has no prefix, or a problem. A problem's
 * `maybe` is the only number among other words that may be the carrier's.
 */
export type ReadCell = { kind: Kind | null; number: number } | { problem: string; maybe?: number };

/** Messages about text that cannot be read, as shown to users; `*` stands for the text. */
export const PROBLEMS = {
  ambiguous: "* could be one number or several: put one number on each line",
  blank: "Couldn't find a number in *",
  decimal: "* isn't a whole number",
  error: "* is a spreadsheet error",
  formula: "* is a formula, not a value",
  long: "* has more than 8 digits",
  scientific: "* is in scientific notation: format the column as text",
  several: "Found more than one number in *",
  text: "Couldn't find one number in *",
  unmarked: "* doesn't say whether it is a USDOT, MC, MX or FF number",
  zero: "* isn't a carrier's number",
} as const;

/** Returns the message of a problem, with the text filled in. */
export function problemWords({ text, problem }: { text: string; problem: string }): string {
  return capitalized(problem.replace("*", () => text === "" ? "this row" : `“${text}”`));
}

/** A longer cell is not a number. */
const LONGEST = 64;

/** Maximum length of a name or a place, and of a row's text. Longer ones are cut. */
const SHOWN = 60;
const LONGEST_TEXT = 120;

/**
 * Patterns for the prefix of a USDOT number, the prefix of a docket, and what may come between a prefix
 * and its number.
 */
export const USDOT = String.raw`(?:u\.? ?s\.?[ _-]?)?d\.?o\.?t\.?`;
export const DOCKET = String.raw`(?:icc[ -]?)?m\.?c\.?|m\.?x\.?|f\.?f\.?`;
export const JOIN = String
  .raw`[ _-]*(?:docket|id)?[ _-]*(?:numbers?|num|nbr|nos?|nr)?[ _.:#=*(\[\u2010-\u2015-]*(?:is )?[ #]*(?=\d)`;

/** `USDOT 295017`, `DOT# 295017`, `U.S. DOT No. 295017`, `MC-186800`, `MC number: 186800`, `FF012647`. */
const PREFIX = new RegExp(`^(?:(${USDOT})|(${DOCKET}))${JOIN}`, "i");

/** What may come before a number without a prefix: `# 295017`, `No. 295017`, `• 295017`, `12. 295017`. */
const ITEM = /^(?:#? ?no\.? ?(?=\d)|# ?|[*\u2022\u00b7\u25aa\u25cf] ?|\d{1,3}[.)] (?=\d))/i;

/** Where to split a line: before the prefix of the next number. */
const BEFORE_PREFIX = new RegExp(
  String.raw`(?<!\bu\.?s\.?|\bicc)[ ,]+(?=(?:${USDOT}|${DOCKET})[ .:#-]*\d)`,
  "i",
);

const THOUSANDS = /^\d{1,3}(?:,\d{3})+$/;

const SEPARATORS = /[;|\t]|,(?= )| {2,}/;

/** Two adjacent groups of digits that could be one number with a thousands separator. */
const COULD_BE_ONE = /(?<!\d)\d{1,3}[, ]\d{3}(?!\d)/;

/** The number in a cell; null for a cell that is blank or a dash. */
export function readCell(cell: string): ReadCell | null {
  // Most cells of a large table are plain digits, so these return early.
  if (NUMBER_PATTERN.test(cell)) return numberOf(cell, null);
  if (cell.length > LONGEST) return { problem: PROBLEMS.text };
  if (!/[\p{Nd}#=]/u.test(cell)) return /[^\s-]/.test(cell) ? { problem: PROBLEMS.text } : null;
  const text = oneLine(cell);
  if (/^#(?:n\/a|ref!|value!|name\?|div\/0!|num!|null!)$/i.test(text)) {
    return { problem: PROBLEMS.error };
  }
  // Spreadsheets write ="00286764" to keep the zeros.
  const value = text.replace(/^="?(\d+)"?$/, "$1");
  if (value.startsWith("=")) return { problem: PROBLEMS.formula };
  const bare = value.replace(/^['"\u2018\u201c]+|['"\u2019\u201d]+$/g, "").trim();
  const [prefix = "", usdot, docket] = PREFIX.exec(bare) ?? [];
  const digits = prefix === ""
    ? bare.replace(ITEM, "").replace(/[;,]$/, "")
    : bare.slice(prefix.length).replace(/[)\];,]$/, "");
  return numberOf(digits, kindOf(usdot, docket));
}

/** Returns the kind of a prefix that {@link USDOT} or {@link DOCKET} matched. */
export function kindOf(usdot: string | undefined, docket: string | undefined): Kind | null {
  if (usdot !== undefined) return "USDOT";
  const letters = docket?.replace(/^icc/i, "").replaceAll(/[ .-]/g, "").toUpperCase();
  return KINDS.find((known) => known === letters) ?? null;
}

/**
 * Returns the numbers of a line that has nothing but numbers, or a single problem if the line cannot be
 * read. May stop when there are more than `most` numbers. A comma between thousands doesn't separate
 * numbers; a line in which a comma could be either is ambiguous.
 */
export function readLine(line: string, most: number): ReadCell[] {
  const whole = readCell(line);
  if (whole === null) return [];
  if ("number" in whole || !/\p{Nd}/u.test(line)) return [whole];
  const read: ReadCell[] = [];
  const parts = line.normalize("NFKC").split(SEPARATORS);
  for (const piece of parts.flatMap((part) => part.split(BEFORE_PREFIX))) {
    const one = readCell(piece);
    if (one === null) continue;
    if ("number" in one) {
      read.push(one);
      continue;
    }
    const text = oneLine(piece);
    if (!/^[\d ,.]+$/.test(text)) return [whole];
    if (COULD_BE_ONE.test(text)) return [{ problem: PROBLEMS.ambiguous }];
    for (const token of text.split(/[, ]+/)) {
      const number = readCell(token);
      if (number === null) continue;
      if ("problem" in number) return [number];
      read.push(number);
      if (read.length > most) return read;
    }
  }
  return read;
}

export interface NumberList {
  /** Without duplicates. */
  numbers: Identifier[];
  /** The names of the numbers that occur more than once. */
  repeated: Set<string>;
  /** The parts that cannot be read. */
  unread: { text: string; problem: string }[];
}

/** Returns the numbers of a text, separated by commas, spaces or line breaks. Stops when there are more than `most`. */
export function readList(text: string, most: number): NumberList {
  const numbers = new Map<string, Identifier>();
  const repeated = new Set<string>();
  const unread: NumberList["unread"] = [];
  // A comma before exactly three digits is kept, because it may be part of a number. `readLine`
  // rejects it if it is ambiguous.
  const apart = text.normalize("NFKC").replaceAll(/,(?!\d{3}(?!\d))/g, ", ");
  for (const part of apart.split("\n").flatMap((line) => line.split(SEPARATORS))) {
    for (const one of readLine(part, most)) {
      if ("problem" in one) {
        unread.push({ text: shownCell(part), problem: one.problem });
        continue;
      }
      const number = { ...one, kind: one.kind ?? "USDOT" } as const;
      if (numbers.has(named(number))) repeated.add(named(number));
      numbers.set(named(number), number);
      if (numbers.size > most) return { numbers: [...numbers.values()], repeated, unread };
    }
  }
  return { numbers: [...numbers.values()], repeated, unread };
}

/** Returns the USDOT number in a form field, or a message about what is wrong with it, without a final period. */
export function readDotField(text: string): { dot: number } | { problem: string } {
  const read = readCell(text);
  if (read === null || "problem" in read) {
    return { problem: "Enter a USDOT number of 1 to 8 digits, such as 286764" };
  }
  const { kind, number } = read;
  return kind === null || kind === "USDOT"
    ? { dot: number }
    : { problem: `This is an ${kind} number: enter the carrier's USDOT number` };
}

/** Returns a cell on one line, cut to the length that is shown. */
export function shownCell(cell: string, most = SHOWN): string {
  return inert(cell.slice(0, 10 * most), most);
}

/** Returns a row's text on one line, cut to the length that is kept. */
export function cutText(text: string): string {
  return shownCell(text, LONGEST_TEXT);
}

/** `USDOT 286764`, `MC 186800`. */
export function named({ kind, number }: Identifier): string {
  return `${kind} ${number}`;
}

/** Returns a text on one line, with full-width characters replaced by ordinary ones. */
export function oneLine(text: string): string {
  return text.normalize("NFKC").replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
}

/** Reads digits, with or without commas between thousands. */
export function numberOf(text: string, kind: Kind | null): ReadCell {
  // 1.000 is ambiguous: it may be a thousand.
  const whole = /^\d{1,3}\.000$/.test(text) ? text : text.replace(/\.0*$/, "");
  const digits = THOUSANDS.test(whole) ? whole.replaceAll(",", "") : whole;
  if (NUMBER_PATTERN.test(digits)) {
    const number = Number(digits);
    return number === 0 ? { problem: PROBLEMS.zero } : { kind, number };
  }
  return { problem: problemOf(whole) };
}

function problemOf(text: string): string {
  if (/^\d+$/.test(text) || THOUSANDS.test(text)) return PROBLEMS.long;
  if (/^\d+\.\d+$/.test(text)) return PROBLEMS.decimal;
  if (/^\d+(?:\.\d+)?e[+-]?\d+$/i.test(text)) return PROBLEMS.scientific;
  if (/^\d[\d ,]*\d$/.test(text)) {
    return COULD_BE_ONE.test(text) ? PROBLEMS.ambiguous : PROBLEMS.several;
  }
  return PROBLEMS.text;
}
