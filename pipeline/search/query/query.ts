/**
 * Parses a query: numbers in it, its words, and the ways to read some of them as a place. Web APIs only.
 *
 * @module
 */

import { CITY_MARK, STATE_MARK } from "../shared/layout.ts";
import { contentWords, expandPlaceWords, tokenize } from "../shared/tokenizer.ts";
import type { Dictionary } from "./dictionary.ts";

/** Shortest query, in characters. */
export const MIN_QUERY_LENGTH = 2;

/** Longest query, in characters. */
export const MAX_QUERY_LENGTH = 200;

/** Maximum number of words in a query. */
export const MAX_QUERY_WORDS = 12;

const MAX_READINGS = 8;
const MAX_CITY_WORDS = 4;
const MAX_NEAR_CITIES = 6;
const MAX_BEGUN_CITIES = 2;
/** What the beginning of a city costs, where an edit costs 1. */
const BEGUN = 0.25;
/** Minimum letters of a city for correcting one edit, and for correcting two. */
const SHORTEST_CITY = 4;
const LONG_CITY = 8;
/** Words that only introduce a place. */
export const BEFORE_A_PLACE: ReadonlySet<string> = new Set(["in", "near", "at", "from"]);
/**
 * The cost of reading the words after "of" as a place. In "allen trucking of toronto", they are part of the
 * name.
 */
const OF_PLACE = 0.5;

/** A place that some words of a query may mean; `from` and `to` index {@link ParsedQuery.tokens}. */
interface PlaceSpan {
  from: number;
  to: number;
  /** Normalized. */
  city?: string;
  /** Code, lower case. */
  state?: string | undefined;
  /** Edits between what was typed and the city, and {@link OF_PLACE}. */
  typos: number;
}

/** One way to read a query: some words name the carrier, the others its place. */
export interface QueryReading {
  /** Words of the name, distinct, without stop words. */
  words: string[];
  /** All words of the name in order. */
  tokens: string[];
  place?: PlaceSpan;
}

export interface ParsedQuery {
  /** As typed. */
  text: string;
  tokens: string[];
  /** Words that decide: distinct, without stop words. */
  words: string[];
  /** Best guess first; the first has no place. */
  readings: QueryReading[];
}

/** What is wrong with a query, for people; undefined when it can be searched for. */
export function queryProblem(query: string): string | undefined {
  const { length } = query.trim();
  if (length < MIN_QUERY_LENGTH) {
    return `The query must be at least ${MIN_QUERY_LENGTH} characters`;
  }
  if (query.length > MAX_QUERY_LENGTH) {
    return `The query must be at most ${MAX_QUERY_LENGTH} characters`;
  }
  if (isPhoneNumber(query)) {
    return "Phone numbers can't be searched. Try the name, USDOT or MC number";
  }
  const words = query.trim().split(/\s+/).length;
  return words > MAX_QUERY_WORDS ? `The query must be at most ${MAX_QUERY_WORDS} words` : undefined;
}

const PHONE_DIGITS = /^\D*(?:\d\D*){10,11}$/;

/**
 * Whether a query is 10 or 11 digits, perhaps with phone punctuation, but not a USDOT number with leading
 * zeros.
 */
export function isPhoneNumber(query: string): boolean {
  return /^[\d\s()+./-]+$/.test(query) && PHONE_DIGITS.test(query) &&
    numberIntents(query).length === 0;
}

/** Parses a query without a {@link queryProblem}. */
export function parseQuery(query: string, dictionary: Dictionary): ParsedQuery {
  const tokens = tokenize(query);
  const readings: QueryReading[] = [{ words: contentWords(tokens), tokens }];
  for (const place of placeSpans(tokens, dictionary).slice(0, MAX_READINGS - 1)) {
    readings.push(withoutPlace(tokens, place));
  }
  return { text: query, tokens, words: contentWords(tokens), readings };
}

/**
 * The query with additional readings, in which the last words are a misspelled city, perhaps with its state.
 */
export function withNearCities(query: ParsedQuery, dictionary: Dictionary): ParsedQuery {
  const { tokens } = query;
  const places: PlaceSpan[] = [];
  const ends = [{ to: tokens.length, state: undefined as string | undefined }];
  for (let from = 1; from < tokens.length; from++) {
    const state = statesAt(tokens, from, dictionary).find(({ to }) => to === tokens.length);
    if (state !== undefined) ends.push({ to: from, state: state.code });
  }
  for (const { to, state } of ends) {
    for (let from = Math.max(1, to - MAX_CITY_WORDS); from < to; from++) {
      const typed = expandPlaceWords(tokens.slice(from, to)).join(" ");
      // A misspelled city has at least one word that is not a common term.
      if (tokens.slice(from, to).every((word) => dictionary.ordinal(word) >= 0)) continue;
      const reach = typed.length < SHORTEST_CITY ? 0 : typed.length < LONG_CITY ? 1 : 2;
      if (reach === 0) continue;
      const near = [
        ...dictionary.completions(CITY_MARK + typed, MAX_BEGUN_CITIES)
          .map((term) => ({ term, distance: BEGUN })),
        ...dictionary.nearCities(CITY_MARK + typed, reach),
      ];
      for (const { term, distance } of near) {
        const city = term.slice(CITY_MARK.length);
        places.push({ from, to: tokens.length, city, state, typos: distance });
      }
    }
  }
  places.sort((a, b) => a.typos - b.typos || a.from - b.from);
  const readings = places.slice(0, MAX_NEAR_CITIES).map((place) => withoutPlace(tokens, place));
  return { ...query, readings: [...query.readings, ...readings] };
}

function withoutPlace(tokens: readonly string[], place: PlaceSpan): QueryReading {
  const before = tokens.slice(0, place.from);
  const last = before.at(-1) ?? "";
  if (BEFORE_A_PLACE.has(last)) before.pop();
  const rest = [...before, ...tokens.slice(place.to)];
  const typos = place.typos + (last === "of" ? OF_PLACE : 0);
  return { words: contentWords(rest), tokens: rest, place: { ...place, typos } };
}

/**
 * Spans of words that are a city, a state or both. The likeliest come first: closest to the end of the query,
 * then longest.
 */
function placeSpans(tokens: readonly string[], dictionary: Dictionary): PlaceSpan[] {
  const spans: PlaceSpan[] = [];
  for (let from = 0; from < tokens.length; from++) {
    for (const state of statesAt(tokens, from, dictionary)) {
      if (state.named || state.to === tokens.length) {
        spans.push({ from, to: state.to, state: state.code, typos: 0 });
      }
    }
    for (let to = from + 1; to <= Math.min(from + MAX_CITY_WORDS, tokens.length); to++) {
      const city = expandPlaceWords(tokens.slice(from, to)).join(" ");
      if (!dictionary.has(CITY_MARK + city)) continue;
      spans.push({ from, to, city, typos: 0 });
      for (const state of statesAt(tokens, to, dictionary)) {
        spans.push({ from, to: state.to, city, state: state.code, typos: 0 });
      }
    }
  }
  return spans.sort((a, b) => b.to - a.to || a.from - b.from);
}

function statesAt(
  tokens: readonly string[],
  from: number,
  dictionary: Dictionary,
): { to: number; code: string; named: boolean }[] {
  const states = [];
  for (let to = from + 1; to <= Math.min(from + MAX_STATE_WORDS, tokens.length); to++) {
    const code = stateCode(tokens.slice(from, to).join(" "));
    if (code !== undefined) states.push({ to, code, named: true });
  }
  const word = tokens[from];
  if (word?.length === 2 && dictionary.has(STATE_MARK + word)) {
    states.push({ to: from + 1, code: word, named: false });
  }
  return states;
}

const STATES =
  `al alabama,ak alaska,az arizona,ar arkansas,ca california,co colorado,ct connecticut,de delaware,
dc district of columbia,fl florida,ga georgia,hi hawaii,id idaho,il illinois,in indiana,ia iowa,ks kansas,
ky kentucky,la louisiana,me maine,md maryland,ma massachusetts,mi michigan,mn minnesota,ms mississippi,
mo missouri,mt montana,ne nebraska,nv nevada,nh new hampshire,nj new jersey,nm new mexico,ny new york,
nc north carolina,nd north dakota,oh ohio,ok oklahoma,or oregon,pa pennsylvania,ri rhode island,
sc south carolina,sd south dakota,tn tennessee,tx texas,ut utah,vt vermont,va virginia,wa washington,
wv west virginia,wi wisconsin,wy wyoming,pr puerto rico,gu guam,vi virgin islands,
ab alberta,bc british columbia,mb manitoba,nb new brunswick,nl newfoundland,ns nova scotia,on ontario,
pe prince edward island,qc quebec,sk saskatchewan`;

const MAX_STATE_WORDS = 3;

const STATE_CODES: ReadonlyMap<string, string> = new Map(
  STATES.split(",").map((item) => {
    const line = item.trim();
    return [line.slice(3), line.slice(0, 2)] as const;
  }),
);

/** The code, lower case, of a state or province spelled out in tokenized words. */
export function stateCode(name: string): string | undefined {
  return STATE_CODES.get(name);
}

/** The names of states and provinces in lower case, by their codes in lower case. */
export const STATE_NAMES: ReadonlyMap<string, string> = new Map(
  Array.from(STATE_CODES, ([name, code]) => [code, name]),
);

/** The codes of states and provinces, lower case. */
export const STATE_LETTERS: ReadonlySet<string> = new Set(STATE_CODES.values());

/** Whether a text, lower case, is the name or the letters of a state or province. */
export function namesState(text: string): boolean {
  return STATE_LETTERS.has(text) || STATE_CODES.has(text);
}

/** A number asked for. `prefix` is `USDOT`, or that of a docket. */
interface NumberIntent {
  prefix: "USDOT" | "MC" | "MX" | "FF";
  number: number;
}

const NUMBER = /^\s*(?:(us\s*dot|dot|mc|mx|ff)\s*(?:no\.?|number|#)?)?[\s#:.-]*(\d{1,12})\s*$/i;

/**
 * The numbers a query may mean, best guess first: `MC-186800` is a docket, `286764` a USDOT number or else an
 * MC docket. None when the query is not a number from 1 to 99,999,999.
 */
export function numberIntents(query: string): NumberIntent[] {
  const match = NUMBER.exec(query);
  const number = Number(match?.[2] ?? 0);
  if (number < 1 || number > 99_999_999) return [];
  const prefix = match![1]?.toUpperCase();
  if (prefix === "MC" || prefix === "MX" || prefix === "FF") return [{ prefix, number }];
  const usdot: NumberIntent = { prefix: "USDOT", number };
  return prefix === undefined ? [usdot, { prefix: "MC", number }] : [usdot];
}
