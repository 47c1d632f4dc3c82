/**
 * Candidate names for a query: generated in memory and tested against the Bloom filter of names, so that
 * only lists that (nearly surely) exist are fetched. Web APIs only.
 *
 * @module
 */

import type { NameFilter } from "../shared/bloom_filter.ts";
import { type HashPair, hashTerm, type ListKey, listKey, ListKind } from "../shared/layout.ts";
import type { Dictionary } from "./dictionary.ts";
import type { ParsedQuery, QueryReading } from "./query.ts";

/** A query expansion: a term that stands for words of the query. */
export interface Expansion {
  term: string;
  /** Words of the query it stands for; `share` of each. */
  covers: readonly string[];
  share: number;
  /** Edits, half of one more for another first letter. */
  cost: number;
  /** The term only begins with the word. */
  prefix: boolean;
  /** Carriers that have the term. */
  count: number;
}

/** A name that the filter does not rule out. */
export interface NameCandidate {
  list: ListKey;
  expansions: Expansion[];
}

/** A loaded index, as candidates need it. */
export interface LoadedIndex {
  dictionary: Dictionary;
  names: NameFilter;
  buckets: number;
}

/** A loaded index with the corrections of the words of one query, which take milliseconds to find. */
export interface QueryIndex extends LoadedIndex {
  corrected: Map<string, Expansion[]>;
}

const MAX_COMPLETIONS = 40;
const MAX_NEAR = 80;
const MAX_TRIES = 20_000;
const MAX_EDITS = 4;
/** Letters of a word from which one edit, and two, are corrected. */
const SHORTEST_FOR_ONE = 4;
const SHORTEST_FOR_TWO = 6;

/** Names spelled as the query is, with words joined or split, or with the last word completed. */
export function plainCandidates(
  query: ParsedQuery,
  index: QueryIndex,
  limit: number,
): NameCandidate[] {
  const found = new CandidateSet(index, limit);
  const completed: Expansion[][] = [];
  for (const { words } of query.readings) {
    if (words.length === 0) continue;
    const exact = words.map((word) => exactTerm(word, index.dictionary));
    for (const variant of [exact, ...joined(exact, index), ...split(exact, index)]) {
      found.tryWords(variant);
    }
    const last = exact.at(-1)!;
    for (const expansion of completions(last.term, index.dictionary, MAX_COMPLETIONS)) {
      completed.push([...exact.slice(0, -1), expansion]);
    }
  }
  completed.forEach((words) => found.tryWords(words));
  return found.candidates;
}

/** Names a few edits away, the nearest first: words one edit away are tried before those two away. */
export function typoCandidates(
  query: ParsedQuery,
  index: QueryIndex,
  limit: number,
): NameCandidate[] {
  const readings = query.readings.filter(({ words }) => words.length > 0);
  for (const reach of [1, 2] as const) {
    const found = new CandidateSet(index, limit);
    const choices = readings.map((reading) => ({
      words: typoChoices(reading, { index, reach }),
      typos: reading.place?.typos ?? 0,
    }));
    for (let edits = 1; edits <= MAX_EDITS; edits++) {
      for (const { words, typos } of choices) found.tryChoices(words, edits - typos);
      if (found.candidates.length >= limit / 2) break;
    }
    if (found.candidates.length > 0) return found.candidates;
  }
  return [];
}

/** For each word what it may stand for, by cost; the last word may be the beginning of a word. */
function typoChoices(
  { words }: QueryReading,
  { index, reach }: { index: QueryIndex; reach: 1 | 2 },
): Expansion[][] {
  return words.map((word, i) => {
    const exact = exactTerm(word, index.dictionary);
    const near = corrections(word, { index, reach: exact.count > 0 ? 1 : reach });
    const completed = i === words.length - 1 && words.length > 1
      ? completions(word, index.dictionary, MAX_COMPLETIONS)
      : [];
    return exact.count > 0 || near.length + completed.length === 0
      ? [exact, ...completed, ...near]
      : [...completed, ...near];
  });
}

/**
 * Names that leave out words of the query: all but one of a reading's words, or some that follow each
 * other; those with most of the query first.
 */
export function partialCandidates(
  query: ParsedQuery,
  index: QueryIndex,
  { limit, weigh }: { limit: number; weigh: (word: string) => number },
): NameCandidate[] {
  const sets: { words: Expansion[]; weight: number }[] = [];
  const weightOf = (terms: readonly string[]) => terms.reduce((sum, term) => sum + weigh(term), 0);
  const least = weightOf(query.words) / 2;
  for (const { words, place } of query.readings) {
    const exact = words.map((word) => exactTerm(word, index.dictionary));
    const placed = query.tokens.slice(place?.from ?? 0, place?.to ?? 0);
    const add = (set: Expansion[]): void => {
      if (set.length === 0 || set.length === words.length) return;
      if (set.some(({ count }) => count === 0)) return;
      const weight = weightOf([...set.map(({ term }) => term), ...placed]);
      if (weight >= least) sets.push({ words: set, weight });
    };
    for (let from = 0; from < exact.length; from++) {
      add(exact.toSpliced(from, 1));
      for (let to = from + 1; to <= exact.length; to++) add(exact.slice(from, to));
    }
  }
  sets.sort((a, b) => b.weight - a.weight);
  const found = new CandidateSet(index, limit);
  for (const { words } of sets) found.tryWords(words);
  return found.candidates;
}

/** For each word of a reading, the terms of the dictionary it may stand for. */
export function expandReading(
  { words }: QueryReading,
  index: QueryIndex,
  limit: number,
): Expansion[][] {
  const { dictionary } = index;
  return words.map((word, i) => {
    const exact = exactTerm(word, dictionary);
    const expansions = exact.count > 0 ? [exact] : [
      ...corrections(word, { index, reach: 1 }).slice(0, limit),
      ...(words.length === 1 ? split([exact], index).flat().slice(0, 2) : []),
    ];
    if (i === words.length - 1) expansions.push(...completions(word, dictionary, limit));
    return expansions;
  });
}

function exactTerm(word: string, dictionary: Dictionary): Expansion {
  const count = dictionary.count(dictionary.find(word));
  return { term: word, covers: [word], share: 1, cost: 0, prefix: false, count };
}

function completions(word: string, dictionary: Dictionary, limit: number): Expansion[] {
  return dictionary.completions(word, limit).map((id) => ({
    term: dictionary.term(id),
    covers: [word],
    share: 1,
    cost: 0,
    prefix: true,
    count: dictionary.count(id),
  }));
}

/**
 * Words near a word, cheapest first, then the most frequent. With a reach of 1 those two edits away are
 * looked for only where none is one away.
 */
function corrections(
  word: string,
  { index, reach }: { index: QueryIndex; reach: 1 | 2 },
): Expansion[] {
  const key = `${reach}${word}`;
  const known = index.corrected.get(key);
  if (known !== undefined) return known;
  const most = mostEdits(word);
  let near = nearTerms(word, index.dictionary, Math.min(most, reach));
  if (near.length === 0 && reach < most) near = corrections(word, { index, reach: 2 });
  index.corrected.set(key, near);
  return near;
}

/** A missing letter makes a word one shorter than the term it is corrected to. */
function mostEdits(word: string): number {
  if (/^\d+$/.test(word)) return 0;
  if (word.length >= SHORTEST_FOR_TWO - 1) return 2;
  return word.length >= SHORTEST_FOR_ONE - 1 ? 1 : 0;
}

function nearTerms(word: string, dictionary: Dictionary, most: number): Expansion[] {
  const near: Expansion[] = [];
  for (const { id, distance } of most === 0 ? [] : dictionary.nearWords(word, most)) {
    const term = dictionary.term(id);
    const length = Math.max(term.length, word.length);
    if (length < (distance === 1 ? SHORTEST_FOR_ONE : SHORTEST_FOR_TWO)) continue;
    const cost = distance + (term[0] === word[0] ? 0 : 0.5);
    const count = dictionary.count(id);
    near.push({ term, covers: [word], share: 1, cost, prefix: false, count });
  }
  return near.sort((a, b) => a.cost - b.cost || b.count - a.count).slice(0, MAX_NEAR);
}

function joined(words: readonly Expansion[], { dictionary }: LoadedIndex): Expansion[][] {
  const variants: Expansion[][] = [];
  for (let i = 0; i + 1 < words.length; i++) {
    const covers = [words[i]!.term, words[i + 1]!.term];
    const whole = { ...exactTerm(covers.join(""), dictionary), covers };
    if (whole.count > 0) variants.push([...words.slice(0, i), whole, ...words.slice(i + 2)]);
  }
  return variants;
}

function split(words: readonly Expansion[], { dictionary }: LoadedIndex): Expansion[][] {
  const variants: Expansion[][] = [];
  words.forEach(({ term }, i) => {
    for (let at = 1; at < term.length; at++) {
      const halves = [term.slice(0, at), term.slice(at)].map((half): Expansion => ({
        ...exactTerm(half, dictionary),
        covers: [term],
        share: 0.5,
      }));
      if (halves.some(({ count }) => count === 0)) continue;
      variants.push([...words.slice(0, i), ...halves, ...words.slice(i + 1)]);
    }
  });
  return variants;
}

/** Collects names that pass the filter, each once, up to a limit and a bound of tries. */
class CandidateSet {
  readonly candidates: NameCandidate[] = [];
  readonly #index: LoadedIndex;
  readonly #limit: number;
  readonly #hashes = new Map<string, HashPair>();
  #tries = 0;

  constructor(index: LoadedIndex, limit: number) {
    this.#index = index;
    this.#limit = limit;
  }

  get #full(): boolean {
    return this.candidates.length >= this.#limit || this.#tries >= MAX_TRIES;
  }

  /** Tries the name that consists of these words. */
  tryWords(expansions: readonly Expansion[]): void {
    if (this.#full) return;
    this.#tries++;
    let a = 0;
    let b = 0;
    const terms = new Set<string>();
    for (const { term } of expansions) {
      if (terms.has(term)) continue;
      terms.add(term);
      const hash = this.#hashOf(term);
      a = (a + hash.a) >>> 0;
      b = (b + hash.b) >>> 0;
    }
    const list = listKey(ListKind.Name, { a, b }, this.#index.buckets);
    if (!this.#index.names.mayHave(list)) return;
    const isKnown = this.candidates.some(({ list: { bucket, key } }) =>
      bucket === list.bucket && key === list.key
    );
    if (!isKnown) this.candidates.push({ list, expansions: [...expansions] });
  }

  /** Tries each choice of one expansion per word whose whole edits sum to `edits`. */
  tryChoices(choices: readonly (readonly Expansion[])[], edits: number): void {
    const chosen: Expansion[] = [];
    const step = (at: number, left: number): void => {
      if (this.#full) return;
      if (at === choices.length) {
        if (left === 0) this.tryWords(chosen);
        return;
      }
      for (const expansion of choices[at]!) {
        const cost = Math.floor(expansion.cost);
        if (cost > left) break;
        chosen.push(expansion);
        step(at + 1, left - cost);
        chosen.pop();
      }
    };
    step(0, edits);
  }

  #hashOf(term: string): HashPair {
    let hash = this.#hashes.get(term);
    if (hash === undefined) this.#hashes.set(term, hash = hashTerm(term));
    return hash;
  }
}
