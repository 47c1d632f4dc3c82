/**
 * Plans the last round of a search: which posting lists to scan for carriers that have some words of the
 * query. Web APIs only.
 *
 * @module
 */

import {
  CITY_MARK,
  hashSet,
  hashTerm,
  headPath,
  listKey,
  ListKind,
  listsPath,
  STATE_MARK,
} from "../shared/layout.ts";
import { expandReading, type Expansion, type LoadedIndex, type QueryIndex } from "./candidates.ts";
import type { ParsedQuery, QueryReading } from "./query.ts";

export interface ListRef {
  path: string;
  key: number;
}

/** Posting lists to read, and the terms to look for in them. */
interface ListPlan {
  lists: ListRef[];
  expansions: Expansion[];
}

/** How much to scan. */
interface PlanLimits {
  readings: number;
  /** Lists of terms: up to 25 KB each. */
  terms: number;
  /** Lists of parts of names: one file of lists each. */
  parts: number;
}

/** Where no name was found yet. */
export const WIDE: PlanLimits = { readings: 3, terms: 3, parts: 5 };

/** Where names were found, and longer ones with the same words are wanted after them. */
export const NARROW: PlanLimits = { readings: 2, terms: 1, parts: 2 };

const MAX_EXPANSIONS = 3;

/** Chooses lists: parts of names first, then the rarest terms; a bounded number whatever the query. */
export function planLists(query: ParsedQuery, index: QueryIndex, limits: PlanLimits): ListPlan {
  const expansions: Expansion[] = [];
  const terms = new Map<string, number>();
  const parts = new Map<string, ListRef>();
  for (const reading of query.readings.slice(0, limits.readings)) {
    const words = expandReading(reading, index, MAX_EXPANSIONS);
    expansions.push(...words.flat());
    for (const set of commonSets(reading, words.filter(({ length }) => length > 0), index)) {
      const { bucket, key } = listKey(ListKind.Part, hashSet(set), index.buckets);
      if (parts.size < limits.parts) {
        parts.set(`${bucket} ${key}`, { path: listsPath(bucket), key });
      }
    }
    for (const [term, count] of rarestTerms(reading, words, index)) terms.set(term, count);
  }
  const rarest = [...terms].sort((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, limits.terms).map(([term]) => termList(term, index));
  return { lists: [...parts.values(), ...rarest], expansions };
}

/** The list of a term: of all its carriers when it is rare, of its best when it is common. */
function termList(term: string, { dictionary, buckets }: LoadedIndex): ListRef {
  const ordinal = dictionary.ordinal(dictionary.find(term));
  if (ordinal >= 0) return { path: headPath(ordinal), key: 0 };
  const { bucket, key } = listKey(ListKind.Term, hashTerm(term), buckets);
  return { path: listsPath(bucket), key };
}

/** Sets of common terms that part lists may exist for: the first word in its city, all words, neighbors. */
function commonSets(
  { place }: QueryReading,
  words: readonly (readonly Expansion[])[],
  { dictionary }: LoadedIndex,
): string[][] {
  const isCommon = (term: string): boolean => dictionary.isCommon(term);
  const first = words.map((expansions) => expansions[0]!.term);
  const sets: string[][] = [];
  const city = place?.city === undefined ? undefined : CITY_MARK + place.city;
  if (city !== undefined && first.length > 0 && isCommon(city) && isCommon(first[0]!)) {
    sets.push([first[0]!, city]);
  }
  if (words.length < 2 || !first.every(isCommon)) return sets;
  sets.push(first);
  for (const { term } of words.at(-1)!.slice(1)) sets.push([...first.slice(0, -1), term]);
  if (words.length > 2) {
    for (let i = 1; i < first.length; i++) sets.push([first[i - 1]!, first[i]!]);
  }
  return sets.map((set) => [...new Set(set)]);
}

/** The two rarest words of a reading with their counts, or its place where it has no words. */
function rarestTerms(
  { words, place }: QueryReading,
  expansions: readonly (readonly Expansion[])[],
  { dictionary }: LoadedIndex,
): [term: string, count: number][] {
  const places: [string, number][] = [];
  if (place?.city !== undefined) places.push(withCount(CITY_MARK + place.city));
  else if (place?.state !== undefined) places.push(withCount(STATE_MARK + place.state));
  if (words.length === 0) return places;
  const known = expansions.filter(({ length }) => length > 0);
  const named = known
    .sort((a, b) => a[0]!.count - b[0]!.count).slice(0, 2)
    .flatMap((list, i) => list.slice(0, i === 0 ? 2 : 1))
    .map(({ term, count }): [string, number] => [term, count]);
  return [...named, ...places.filter(([, count]) => named.every((name) => count < name[1]))];

  function withCount(term: string): [string, number] {
    return [term, dictionary.count(dictionary.find(term))];
  }
}
