/**
 * Splits a company name into words for comparison: lower case, initials joined, legal forms and fillers separate.
 *
 * @module
 */

import DATA from "./name_words.json" with { type: "json" };
import { isAscii, withoutAccents } from "./text.ts";

/** The normalized form for each spelling of a legal form. */
export const FORMS: ReadonlyMap<string, string> = new Map(
  Object.entries(DATA.forms).flatMap(([form, spellings]) =>
    spellings.split(" ").map((spelling) => [spelling, form])
  ),
);

/** The words that each trade abbreviation may stand for. */
export const ABBREVIATIONS: ReadonlyMap<string, readonly string[]> = [...Map.groupBy(
  Object.entries(DATA.abbreviations).flatMap(([word, short]) =>
    short.split(" ").map((abbreviation) => ({ abbreviation, word }))
  ),
  ({ abbreviation }) => abbreviation,
)].reduce(
  (all, [abbreviation, pairs]) => all.set(abbreviation, pairs.map(({ word }) => word)),
  new Map<string, readonly string[]>(),
);

const PLACEHOLDERS = new Set(DATA.placeholders);

// These forms also count in the middle of a name: GENERAL TRANSPORT INC OF OHIO. Other forms may be initials there.
const ANYWHERE = new Set(["inc", "llc", "corp", "pllc", "llp", "lllp"]);
// Forms that are also written as separate letters: L L C.
const SPELLED = ["lllp", "pllc", "llc", "llp", "dba"];
const FILLERS = new Set(["and", "of", "the"]);

/** Words beyond this limit are joined into one, which bounds the cost. */
const MAX_WORDS = 40;

export interface NameWord {
  /** Lower case without accents and apostrophes; initials joined. */
  text: string;
  /** As typed. */
  raw: string;
  /** The word itself, and the words that it may abbreviate. */
  meanings: readonly string[];
}

export interface NameParts {
  words: readonly NameWord[];
  /** "and", "of" and "the" in order, except a leading "the". */
  fillers: readonly NameWord[];
  forms: readonly NameWord[];
  /** The two names of `ROSS LLC DBA ROSS TOWING`; otherwise just the name itself. */
  names: readonly NameParts[];
}

interface Piece {
  text: string;
  raw: string;
  /** Whether a parenthesis, a slash or a semicolon precedes it. */
  apart: boolean;
}

const PIECE = /[\p{L}\p{M}\p{N}'’‘`´]+|[&+()/;]/gu;
const APOSTROPHES = /['’‘`´]/g;

/** Parses a name; undefined for text that is not a name, such as `N/A`. */
export function parseName(text: string): NameParts | undefined {
  const pieces = joinInitials(splitPieces(text));
  const names = splitDba(pieces).filter((name) => !isPlaceholder(name)).map(partsOf);
  if (names.length === 0) return undefined;
  const all = <K extends "words" | "fillers" | "forms">(part: K): NameWord[] =>
    names.flatMap((name) => name[part]);
  return { words: all("words"), fillers: all("fillers"), forms: all("forms"), names };
}

/** The normalized legal forms in a text, separated by spaces, such as `inc` or `llc`; empty for none. */
export function legalForm(text: string): string {
  return joinInitials(splitPieces(text)).flatMap(({ text }) => FORMS.get(text) ?? []).join(" ");
}

function isPlaceholder(pieces: readonly Piece[]): boolean {
  return pieces.length === 0 || pieces.length <= 4 &&
      PLACEHOLDERS.has(pieces.map(({ text }) => text).join(" "));
}

function splitPieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  let apart = false;
  for (const [raw] of text.matchAll(PIECE)) {
    if (raw === "&" || raw === "+") pieces.push({ text: "and", raw, apart });
    else if (raw.length === 1 && "()/;".includes(raw)) {
      apart = true;
      continue;
    } else {
      const folded = fold(raw);
      if (folded === "") continue;
      pieces.push({ text: folded, raw: raw.replace(/^['’‘`´]+|['’‘`´]+$/g, ""), apart });
    }
    apart = false;
  }
  if (pieces.length <= MAX_WORDS) return pieces;
  const rest = pieces.slice(MAX_WORDS - 1);
  return [...pieces.slice(0, MAX_WORDS - 1), joined(rest, rest)];
}

function fold(raw: string): string {
  return (isAscii(raw) ? raw.toLowerCase() : withoutAccents(raw)).replace(APOSTROPHES, "");
}

function joined(pieces: readonly Piece[], typed: readonly Piece[]): Piece {
  return {
    text: pieces.map(({ text }) => text).join(""),
    raw: typed.map(({ raw }) => raw).join(" "),
    apart: typed[0]!.apart,
  };
}

/**
 * Joins adjacent single letters (K J), also across "and" (K & J), which then comes first. Joins a single letter and
 * a single digit (A 1).
 */
function joinInitials(pieces: Piece[]): Piece[] {
  const result: Piece[] = [];
  for (let at = 0; at < pieces.length;) {
    const run = runAt(pieces, at);
    const letters = run.filter((piece) => !isAnd(piece));
    if (letters.length > 1) {
      const { apart } = run[0]!;
      result.push(...run.filter(isAnd).map((and) => ({ ...and, apart })), joined(letters, run));
    } else result.push(...run);
    at += run.length;
  }
  return result;
}

/** The pieces to join that start at index `at`; at least one. */
function runAt(pieces: readonly Piece[], at: number): readonly Piece[] {
  let end = at + 1;
  if (isLetter(pieces[at])) {
    const spelled = at === 0 ? undefined : spelledAt(pieces, at);
    if (spelled !== undefined) return pieces.slice(at, at + spelled.length);
    for (;;) {
      const next = isAnd(pieces[end]) ? end + 1 : end;
      if (!isLetter(pieces[next]) || spelledAt(pieces, next) !== undefined) break;
      end = next + 1;
    }
    if (end === at + 1 && isDigit(pieces[end])) end++;
  } else if (isDigit(pieces[at]) && isLetter(pieces[at + 1]) && !isLetter(pieces[at + 2])) end++;
  return pieces.slice(at, end);
}

function spelledAt(pieces: readonly Piece[], at: number): string | undefined {
  return SPELLED.find((form) => [...form].every((letter, i) => pieces[at + i]?.text === letter));
}

function isLetter(piece: Piece | undefined): boolean {
  return piece?.text.length === 1 && !isDigit(piece);
}

function isAnd(piece: Piece | undefined): boolean {
  return piece?.text === "and";
}

function isDigit(piece: Piece | undefined): boolean {
  return piece !== undefined && /^\d$/.test(piece.text);
}

/** The names on both sides of "dba" or "doing business as". */
function splitDba(pieces: readonly Piece[]): Piece[][] {
  const names: Piece[][] = [[]];
  for (let at = 0; at < pieces.length; at++) {
    const { text, raw } = pieces[at]!;
    const long = ["doing", "business", "as"].every((word, i) => pieces[at + i]?.text === word);
    // At the beginning, D B A are initials; D & B & A are initials anywhere.
    const short = text === "dba" && raw.length <= (at === 0 ? "DBA" : "D B A").length;
    if (!short && !long) {
      names.at(-1)!.push(pieces[at]!);
      continue;
    }
    if (long) at += 2;
    names.push([]);
  }
  const filled = names.filter((name) => name.length > 0);
  return filled.length > 0 ? filled : [[...pieces]];
}

function partsOf(pieces: readonly Piece[]): NameParts {
  const first = pieces.findIndex(({ text }) => !FILLERS.has(text));
  const endings = pieces.flatMap((_, at) =>
    at + 1 === pieces.length || pieces[at + 1]!.apart ? endingAt(pieces, first, at) : []
  );
  const isForm = (at: number): boolean =>
    endings.includes(at) || at > first && ANYWHERE.has(FORMS.get(pieces[at]!.text) ?? "");
  const parts = { words: [] as NameWord[], fillers: [] as NameWord[], forms: [] as NameWord[] };
  pieces.forEach(({ text, raw }, at) => {
    if (first >= 0 && isForm(at)) {
      if (FORMS.has(text)) parts.forms.push(wordOf(FORMS.get(text)!, raw));
    } else if (first >= 0 && FILLERS.has(text)) {
      // The Hertz Corporation is the same as Hertz Corporation.
      if (at > 0 || text !== "the") parts.fillers.push(wordOf(text, raw));
    } else parts.words.push(wordOf(text, raw));
  });
  // "Limited liability company" or "corporation", spelled out, is an LLC.
  if (endings.some((at) => pieces[at]!.text === "liability")) {
    parts.forms = [wordOf("llc", parts.forms.map(({ raw }) => raw).join(" "))];
  }
  const name = { ...parts, names: [] as NameParts[] };
  name.names.push(name);
  return name;
}

/** The indexes of the legal forms at the end (`last`) of a part of a name: `CO INC`, `& CO`, `S DE RL DE CV`. */
function endingAt(pieces: readonly Piece[], first: number, last: number): number[] {
  const places: number[] = [];
  for (let at = last; at > first && first >= 0; at--) {
    const { text } = pieces[at]!;
    const next = places.length > 0 ? pieces[at + 1]!.text : "";
    const isJoin = text === "and" && FORMS.get(next) === "co" ||
      text === "de" && (next === "cv" || next === "rl") ||
      text === "s" && next === "de" ||
      text === "liability" && ["co", "corp"].includes(FORMS.get(next) ?? "");
    if (!FORMS.has(text) && !isJoin) break;
    places.push(at);
    if (pieces[at]!.apart) break;
  }
  return places;
}

function wordOf(text: string, raw: string): NameWord {
  return { text, raw, meanings: [text, ...ABBREVIATIONS.get(text) ?? []] };
}
