/**
 * Known-item queries: what a person who looks for one carrier may type, by kind, and which answers are
 * as good as that carrier.
 *
 * @module
 */

import { Random } from "../synthetic/random.ts";
import type { CarrierRecord } from "../../pipeline/snapshot/record.ts";
import { fold, NOISE, significant, STATE_NAMES, withoutSuffix } from "./search_text.ts";

/** The kinds of query, in the order of the report. */
export const KINDS = [
  "exact",
  "no_suffix",
  "dba",
  "typo1",
  "typo2",
  "name_city",
  "name_state",
  "reordered",
  "dropped_word",
  "prefix",
  "punctuation",
  "dot",
  "name_misspelt_city",
  "first_word_city",
  "extra_word_city",
  "name_dba",
  "typo_prefix",
  "typo2_state",
  "typo3",
  "first_letter",
  "wrong_blank",
] as const;

/** A kind of query. */
export type QueryKind = typeof KINDS[number];

/** Kinds that mix two mistakes or a mistake and a place; the report sums them apart. */
export const MIXED: ReadonlySet<QueryKind> = new Set(KINDS.slice(KINDS.indexOf("dot") + 1));

/** Kinds whose query names the city, or the state. */
const WITH_CITY: ReadonlySet<QueryKind> = new Set(
  ["name_city", "name_misspelt_city", "first_word_city", "extra_word_city"],
);
const WITH_STATE: ReadonlySet<QueryKind> = new Set(["name_state", "typo2_state"]);

/** Words that people add to a name from memory. */
const EXTRA_WORDS = "trucking transport services group usa express freight company logistics".split(
  " ",
);

/** A query and the carrier it is meant for. */
export interface KnownItem {
  kind: QueryKind;
  query: string;
  /** The USDOT number expected. */
  dot: number;
  /** The name asked for, as {@link isTwin} compares it. */
  name: string;
  /** Folded, when the query names the city. */
  city?: string;
  /** Two letters, when the query names the state. */
  state?: string;
}

/** Kinds whose query spells the legal form, so that "INC" is no twin of "LLC". */
const WHOLE_NAME: ReadonlySet<QueryKind> = new Set(["exact", "dba", "punctuation"]);
const MOST_CHARACTERS = 200;
const MOST_WORDS = 12;
const PREFIX_SHARE = 0.6;

/**
 * Makes a query for a carrier; the same record, kind and seed always make the same one.
 *
 * @returns Null when the carrier has nothing to make such a query from.
 */
export function makeQuery(
  kind: QueryKind,
  record: CarrierRecord,
  { seed }: { seed: number },
): KnownItem | null {
  const random = new Random().restart(seed, record.dot, KINDS.indexOf(kind));
  const source = kind === "dba" ? record.dba_name ?? "" : record.legal_name;
  const query = kind === "dot" ? String(record.dot) : typed(kind, record, { random, source });
  if (query === null || query.length < 2 || query.length > MOST_CHARACTERS) return null;
  if (query.split(/\s+/).length > MOST_WORDS) return null;
  const item: KnownItem = { kind, query, dot: record.dot, name: nameKey(kind, source) };
  if (WITH_CITY.has(kind)) item.city = fold(record.city!);
  if (WITH_STATE.has(kind)) item.state = record.state!;
  return item;
}

/**
 * Whether a carrier answers a query as well as the one it was made for: it has the same name (as legal
 * name or DBA) and, when the query names a place, sits there.
 */
export function isTwin(item: KnownItem, record: CarrierRecord): boolean {
  if (record.dot === item.dot) return true;
  if (item.kind === "dot") return false;
  if (item.city !== undefined && fold(record.city ?? "") !== item.city) return false;
  if (item.state !== undefined && record.state !== item.state) return false;
  return nameKey(item.kind, record.legal_name) === item.name ||
    record.dba_name !== undefined && nameKey(item.kind, record.dba_name) === item.name;
}

/** The part of a name that a kind of query asks for: all of it, or its significant words. */
export function nameKey(kind: QueryKind, name: string): string {
  const folded = fold(name);
  if (WHOLE_NAME.has(kind)) return folded;
  return kind === "first_word_city" ? significant(folded)[0]! : significant(folded).join(" ");
}

function typed(
  kind: Exclude<QueryKind, "dot">,
  record: CarrierRecord,
  { random, source }: { random: Random; source: string },
): string | null {
  const bare = withoutSuffix(source).toLowerCase();
  if (fold(bare) === "") return null;
  const words = bare.split(/\s+/);
  const weighty = words.filter((word) => isWeighty(word));
  const city = record.city?.toLowerCase();
  const withSlips = (slips: number): string | null => {
    const may = (at: number): boolean => isWeighty(words[at]!);
    return withTypos(words, slips, { random, may })?.join(" ") ?? null;
  };
  switch (kind) {
    case "exact":
      return source;
    case "dba":
      return source.toLowerCase();
    case "no_suffix":
      return fold(bare) === fold(source) ? null : bare;
    case "typo1":
      return withSlips(1);
    case "typo2":
      return withSlips(2);
    case "typo3":
      return withSlips(3);
    case "name_city":
      return city === undefined ? null : `${bare} ${city}`;
    case "name_state":
      return withState(bare, record, random);
    case "typo2_state":
      return withState(withSlips(2), record, random);
    case "reordered":
      return reordered(weighty, random);
    case "dropped_word": {
      const dropped = random.below(weighty.length);
      return weighty.length < 3 ? null : weighty.filter((_, at) => at !== dropped).join(" ");
    }
    case "prefix": {
      const cut = beginning(words.at(-1)!);
      return cut === null ? null : [...words.slice(0, -1), cut].join(" ");
    }
    case "typo_prefix": {
      const cut = beginning(words.at(-1)!);
      const may = (at: number): boolean => isWeighty(words[at]!);
      const typed = withTypos(words.slice(0, -1), 1, { random, may });
      return cut === null || typed === null ? null : [...typed, cut].join(" ");
    }
    case "punctuation":
      return punctuated(source, random);
    case "name_misspelt_city": {
      const typed = withTypos(city?.split(" ") ?? [], 1, { random, may: () => true });
      return typed === null ? null : `${bare} ${typed.join(" ")}`;
    }
    case "first_word_city":
      return city === undefined || weighty[0]!.length < 3
        ? null
        : `${significant(fold(source))[0]} ${city}`;
    case "extra_word_city": {
      const others = EXTRA_WORDS.filter((word) => !words.includes(word));
      return city === undefined ? null : `${bare} ${others[random.below(others.length)]} ${city}`;
    }
    case "name_dba": {
      const dba = withoutSuffix(record.dba_name ?? "").toLowerCase();
      if (fold(dba) === "" || fold(dba) === fold(bare)) return null;
      return `${bare} ${random.chance(0.5) ? "dba " : ""}${dba}`;
    }
    case "first_letter": {
      const at = words.findIndex((word) => /^[a-z]{4}/.test(word) && isWeighty(word));
      if (at < 0) return null;
      const letters = [...LETTERS].filter((letter) => letter !== words[at]![0]);
      const typed = letters[random.below(letters.length)]! + words[at]!.slice(1);
      return words.with(at, typed).join(" ");
    }
    case "wrong_blank":
      return withWrongBlank(words, random);
  }
}

function withState(name: string | null, { state }: CarrierRecord, random: Random): string | null {
  if (state === undefined || name === null) return null;
  const full = random.chance(0.5) ? STATE_NAMES.get(state) : undefined;
  return `${name} ${(full ?? state).toLowerCase()}`;
}

function beginning(word: string): string | null {
  return /^[a-z]{4,}$/.test(word) ? word.slice(0, Math.round(word.length * PREFIX_SHARE)) : null;
}

/** A blank left out, put into a word of six letters or more, or moved by one letter. */
function withWrongBlank(words: readonly string[], random: Random): string | null {
  const change = random.below(3);
  const isLong = (word: string): boolean => /^[a-z]{6,}$/.test(word);
  if (change === 0 || words.length === 1) {
    const long = words.flatMap((word, at) => isLong(word) ? [at] : []);
    if (long.length === 0) return null;
    const at = long[random.below(long.length)]!;
    const cut = 2 + random.below(words[at]!.length - 3);
    return words.with(at, `${words[at]!.slice(0, cut)} ${words[at]!.slice(cut)}`).join(" ");
  }
  const at = random.below(words.length - 1);
  const [a, b] = [words[at]!, words[at + 1]!];
  if (!/^[a-z]{3,} [a-z]{3,}$/.test(`${a} ${b}`)) return null;
  const both = change === 1 ? a + b : `${a}${b[0]} ${b.slice(1)}`;
  return words.toSpliced(at, 2, both).join(" ");
}

function isWeighty(word: string): boolean {
  const folded = fold(word);
  return folded !== "" && folded.split(" ").some((part) => !NOISE.has(part));
}

function reordered(words: readonly string[], random: Random): string | null {
  const before = words.join(" ");
  const order = [...words];
  for (let left = order.length; left > 1; left--) {
    const other = random.below(left);
    [order[left - 1], order[other]] = [order[other]!, order[left - 1]!];
  }
  // A shuffle that changed nothing becomes a rotation, so that no length is drawn less often.
  if (order.join(" ") === before) order.push(order.shift()!);
  const after = order.join(" ");
  return after === before ? null : after;
}

/** Typos in one word are this far apart, so that one cannot undo another. */
const APART = 3;

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const EDITS = ["insert", "delete", "substitute", "transpose"] as const;

/** A word with one edit at `at`. */
function withEdit(word: string, at: number, random: Random): string {
  const before = word.slice(0, at);
  const here = word[at]!;
  const after = word.slice(at + 1);
  for (;;) {
    const letter = LETTERS[random.below(LETTERS.length)]!;
    const kind = EDITS[random.below(EDITS.length)]!;
    if (kind === "insert") return before + letter + here + after;
    if (kind === "delete") return before + after;
    if (kind === "substitute" && letter !== here) return before + letter + after;
    if (kind === "transpose" && after !== "" && after[0] !== here) {
      return before + after[0] + here + after.slice(1);
    }
  }
}

/** A word of 4 letters gets one typo at most, one of 7 two, one of 11 three. */
function mostTypos(word: string): number {
  return Math.floor((word.length + 1) / 4);
}

/**
 * Words with so many typos. Each letter is as likely to be hit as any other, the first ones too.
 *
 * @param words In lower case.
 * @param may Whether the word at a place may be hit; shorter ones than four letters never are.
 * @returns The words, or null when they are too short for the typos.
 */
function withTypos(
  words: readonly string[],
  count: number,
  { random, may }: { random: Random; may: (at: number) => boolean },
): string[] | null {
  let places = words.flatMap((word, at) =>
    /^[a-z]{4,}$/.test(word) && may(at)
      ? Array.from({ length: word.length }, (_, letter) => ({ at, letter }))
      : []
  );
  const chosen: typeof places = [];
  while (chosen.length < count) {
    if (places.length === 0) return null;
    const next = places[random.below(places.length)]!;
    chosen.push(next);
    const isFull = chosen.filter(({ at }) => at === next.at).length === mostTypos(words[next.at]!);
    places = places.filter(({ at, letter }) =>
      at !== next.at || !isFull && Math.abs(letter - next.letter) >= APART
    );
  }
  const typed = [...words];
  // The last place first: it leaves the places before it where they are.
  chosen.sort((a, b) => b.letter - a.letter);
  for (const { at, letter } of chosen) typed[at] = withEdit(typed[at]!, letter, random);
  return typed;
}

type Change = readonly [pattern: RegExp, by: readonly string[]];

/** What people write for one another. */
const CHANGES: readonly Change[] = [
  [/(?<=\w)\.(?=\s|$)/g, [""]],
  [/,(?=\s)/g, [""]],
  [/ & /g, [" and ", "&", " &"]],
  [/ AND /g, [" & ", " &"]],
  [/'S\b/g, ["s", "’s"]],
  [/(?<=\w)'(?=\w)/g, ["", "’"]],
  [/(?<=\w)-(?=\w)/g, [" ", " - "]],
  [/(?<=\w)\/(?=\w)/g, [" ", " / ", "-"]],
  [/ L L C$/g, [" llc", ", l.l.c."]],
  [/ L\.L\.C$/g, [" llc", " l l c"]],
  [/ LLC$/g, [", llc", " l.l.c.", " l l c"]],
  [/ INC$/g, [", inc.", " inc."]],
  [/ CORP$/g, [", corp.", " corp."]],
];

/**
 * A name with its signs written otherwise, in lower case.
 *
 * @returns Null when the name has nothing that could be, or only at the cost of another reading.
 */
function punctuated(name: string, random: Random): string | null {
  let text = name.toUpperCase();
  for (const [pattern, by] of CHANGES) {
    const chosen = by[random.below(by.length)]!;
    text = text.replace(pattern, chosen);
  }
  const query = text.toLowerCase();
  if (query === name.toLowerCase()) return null;
  return sameLetters(query, name) ? query : null;
}

/** Joined and split words differ for {@link fold}, and are still the same letters in the same order. */
function sameLetters(a: string, b: string): boolean {
  return fold(a).replaceAll(" ", "") === fold(b).replaceAll(" ", "");
}
