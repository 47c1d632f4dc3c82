/**
 * Lists to look through for carriers that have some words of a query. Web APIs only.
 *
 * @module
 */

import {
  CITY_MARK,
  headPath,
  listKey,
  ListKind,
  listsPath,
  setLanes,
  STATE_MARK,
  termLanes,
} from "../shared/layout.ts";
import { type GuessIndex, type Option, partOptions } from "./candidates.ts";
import type { Query, Reading } from "./query.ts";

/** A list to read. */
export interface ListRef {
  path: string;
  key: number;
}

/** Lists to read, and the terms to look for in them. */
export interface Parts {
  lists: ListRef[];
  options: Option[];
}

/** How much to look through. */
export interface PartLimits {
  readings: number;
  /** Lists of terms: up to 25 KB each. */
  terms: number;
  /** Lists of parts of names: one file of lists each. */
  parts: number;
}

/** Where no name was found yet. */
export const WIDE: PartLimits = { readings: 3, terms: 3, parts: 5 };

/** Where names were found, and longer ones with the same words are wanted after them. */
export const NARROW: PartLimits = { readings: 2, terms: 1, parts: 2 };

const MAX_OPTIONS = 3;

/** Chooses lists: parts of names first, then the rarest terms; a bounded number whatever the query. */
export function partLists(query: Query, index: GuessIndex, limits: PartLimits): Parts {
  const { buckets } = index;
  const options: Option[] = [];
  const terms = new Map<string, number>();
  const parts = new Map<string, ListRef>();
  for (const reading of query.readings.slice(0, limits.readings)) {
    const words = partOptions(reading, index, MAX_OPTIONS);
    options.push(...words.flat());
    for (const chosen of commonSets(words, index)) {
      const { bucket, key } = listKey(ListKind.Part, setLanes(chosen), buckets);
      if (parts.size < limits.parts) {
        parts.set(`${bucket} ${key}`, { path: listsPath(bucket), key });
      }
    }
    for (const [term, count] of rarest(reading, words, index)) terms.set(term, count);
  }
  const chosen = [...terms].sort((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, limits.terms).map(([term]) => termList(term, index));
  return { lists: [...parts.values(), ...chosen], options };
}

/** The list of a term: of all its carriers when it is rare, of its best when it is common. */
function termList(term: string, { dictionary, buckets }: GuessIndex): ListRef {
  const ordinal = dictionary.ordinal(dictionary.find(term));
  if (ordinal >= 0) return { path: headPath(ordinal), key: 0 };
  const { bucket, key } = listKey(ListKind.Term, termLanes(term), buckets);
  return { path: listsPath(bucket), key };
}

/** Sets of common words that part lists may exist for: all of them, then neighbours. */
function commonSets(words: readonly (readonly Option[])[], { dictionary }: GuessIndex): string[][] {
  if (words.length < 2) return [];
  const isCommon = ({ term }: Option): boolean => dictionary.ordinal(dictionary.find(term)) >= 0;
  if (words.some((options) => options.length === 0 || !isCommon(options[0]!))) return [];
  const first = words.map((options) => options[0]!.term);
  const sets = [first];
  for (const { term } of words.at(-1)!.slice(1)) sets.push([...first.slice(0, -1), term]);
  if (words.length > 2) {
    for (let i = 1; i < first.length; i++) sets.push([first[i - 1]!, first[i]!]);
  }
  return sets.map((set) => [...new Set(set)]);
}

/** The two rarest words of a reading with their counts, or its place where it has no words. */
function rarest(
  { words, place }: Reading,
  options: readonly (readonly Option[])[],
  { dictionary }: GuessIndex,
): [term: string, count: number][] {
  const places: [string, number][] = [];
  if (place?.city !== undefined) places.push(counted(CITY_MARK + place.city));
  else if (place?.state !== undefined) places.push(counted(STATE_MARK + place.state));
  if (words.length === 0) return places;
  const known = options.filter(({ length }) => length > 0);
  const named = known
    .sort((a, b) => a[0]!.count - b[0]!.count).slice(0, 2)
    .flatMap((list, i) => list.slice(0, i === 0 ? 2 : 1))
    .map(({ term, count }): [string, number] => [term, count]);
  return [...named, ...places.filter(([, count]) => named.every((name) => count < name[1]))];

  function counted(term: string): [string, number] {
    return [term, dictionary.count(dictionary.find(term))];
  }
}
