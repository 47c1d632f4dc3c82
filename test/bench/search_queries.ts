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
] as const;

/** A kind of query. */
export type QueryKind = typeof KINDS[number];

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
  if (kind === "name_city") item.city = fold(record.city!);
  if (kind === "name_state") item.state = record.state!;
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
  return WHOLE_NAME.has(kind) ? folded : significant(folded).join(" ");
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
  switch (kind) {
    case "exact":
      return source;
    case "dba":
      return source.toLowerCase();
    case "no_suffix":
      return fold(bare) === fold(source) ? null : bare;
    case "typo1":
    case "typo2": {
      const may = (at: number): boolean => isWeighty(words[at]!);
      return withTypos(words, kind === "typo1" ? 1 : 2, { random, may })?.join(" ") ?? null;
    }
    case "name_city":
      return record.city === undefined ? null : `${bare} ${record.city.toLowerCase()}`;
    case "name_state": {
      if (record.state === undefined) return null;
      const full = random.chance(0.5) ? STATE_NAMES.get(record.state) : undefined;
      return `${bare} ${(full ?? record.state).toLowerCase()}`;
    }
    case "reordered":
      return reordered(weighty, random);
    case "dropped_word": {
      const dropped = random.below(weighty.length);
      return weighty.length < 3 ? null : weighty.filter((_, at) => at !== dropped).join(" ");
    }
    case "prefix": {
      const last = words.at(-1)!;
      if (!/^[a-z]{4,}$/.test(last)) return null;
      return [...words.slice(0, -1), last.slice(0, Math.round(last.length * PREFIX_SHARE))].join(
        " ",
      );
    }
    case "punctuation":
      return punctuated(source, random);
  }
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

/** The shortest word that gets two. */
const LEAST_LETTERS_FOR_TWO = 8;
/** Two typos in one word are this far apart, so that the second cannot undo the first. */
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

/**
 * Words with one typo, or with two: in one word of eight letters or more, or in two words. Each letter
 * is as likely to be hit as any other, the first ones too.
 *
 * @param words In lower case.
 * @param may Whether the word at a place may be hit; shorter ones than four letters never are.
 * @returns The words, or null when they are too short for the typos.
 */
function withTypos(
  words: readonly string[],
  count: 1 | 2,
  { random, may }: { random: Random; may: (at: number) => boolean },
): string[] | null {
  const open = (at: number): boolean => /^[a-z]{4,}$/.test(words[at]!) && may(at);
  const places = words.flatMap((word, at) =>
    open(at) ? Array.from({ length: word.length }, (_, letter) => ({ at, letter })) : []
  );
  if (places.length === 0) return null;
  const typed = [...words];
  const first = places[random.below(places.length)]!;
  if (count === 2) {
    const second = places.filter(({ at, letter }) =>
      at !== first.at ||
      words[at]!.length >= LEAST_LETTERS_FOR_TWO && Math.abs(letter - first.letter) >= APART
    );
    if (second.length === 0) return null;
    // The later place first: it leaves the place of the earlier one where it is.
    const two = [first, second[random.below(second.length)]!];
    two.sort((a, b) => a.at - b.at || b.letter - a.letter);
    for (const { at, letter } of two) typed[at] = withEdit(typed[at]!, letter, random);
  } else {
    typed[first.at] = withEdit(typed[first.at]!, first.letter, random);
  }
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
