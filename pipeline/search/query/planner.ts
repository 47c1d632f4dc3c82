/**
 * Plans what a query reads: lists of names that exist, generated in memory and tested against the Bloom
 * filter of names, so that only lists that (nearly surely) exist are fetched; then lists of parts of names
 * and of rare terms. Web APIs only.
 *
 * @module
 */

import type { NameFilter } from "../shared/bloom_filter.ts";
import {
  CITY_MARK,
  type HashPair,
  hashSet,
  hashTerm,
  headPath,
  type ListKey,
  listKey,
  ListKind,
  listsPath,
  STATE_MARK,
} from "../shared/layout.ts";
import type { Dictionary } from "./dictionary.ts";
import { Expander, type Expansion } from "./expander.ts";
import type { ParsedQuery, QueryReading } from "./query.ts";

/** A loaded index, as queries need it. */
export interface LoadedIndex {
  dictionary: Dictionary;
  names: NameFilter;
  buckets: number;
}

export interface ListRef {
  path: string;
  key: number;
}

/** Posting lists to read, and the terms to look for in them. */
export interface ListPlan {
  lists: ListRef[];
  expansions: Expansion[];
}

/** Names fetched at most, by how they were guessed. */
const MAX_TYPED = 5;
const MAX_CORRECTED = 6;
const MAX_PARTIAL = 4;

const MAX_COMPLETIONS = 40;
const MAX_TRIES = 20_000;
const MAX_EDITS = 4;

/** How much the last round reads: where no name was found yet, and where longer ones with its words are wanted. */
const WIDE = { readings: 3, terms: 3, parts: 5 };
const NARROW = { readings: 2, terms: 1, parts: 2 };
/** Terms that a word stands for in the last round. */
const MAX_EXPANSIONS = 3;

/** Plans the rounds of one query. */
export class ListPlanner {
  readonly #index: LoadedIndex;
  readonly #expander: Expander;

  constructor(index: LoadedIndex, { tokens }: ParsedQuery) {
    this.#index = index;
    this.#expander = new Expander(index.dictionary, tokens.at(-1));
  }

  /** Names spelled as the query is, with words joined or split, or with the last word completed. */
  typed({ readings }: ParsedQuery): ListPlan {
    const found = new FoundNames(this.#index, MAX_TYPED);
    const completed: Expansion[][] = [];
    for (const { words } of readings) {
      if (words.length === 0) continue;
      const exact = words.map((word) => this.#expander.exact(word));
      for (const variant of [exact, ...this.#expander.respaced(exact)]) found.tryWords(variant);
      for (const expansion of this.#expander.completions(words.at(-1)!, MAX_COMPLETIONS)) {
        completed.push([...exact.slice(0, -1), expansion]);
      }
    }
    completed.forEach((words) => found.tryWords(words));
    return found.plan();
  }

  /** Names a few edits away, and names without some words of the query. */
  similar(query: ParsedQuery): ListPlan {
    const corrected = this.#corrected(query);
    const most = corrected.lists.length > 0 ? MAX_PARTIAL / 2 : MAX_PARTIAL;
    const partial = this.#partial(query, most);
    return {
      lists: [...corrected.lists, ...partial.lists],
      expansions: [...corrected.expansions, ...partial.expansions],
    };
  }

  /** The nearest names first: words one edit away are tried before those two away. */
  #corrected({ readings }: ParsedQuery): ListPlan {
    const found = new FoundNames(this.#index, MAX_CORRECTED);
    for (const reach of [1, 2] as const) {
      const choices = readings.filter(({ words }) => words.length > 0).map((reading) => ({
        words: reading.words.map((word) => this.#choices(word, reading, reach)),
        typos: Math.floor(reading.place?.typos ?? 0),
      }));
      for (let edits = 0; edits <= MAX_EDITS; edits++) {
        for (const { words, typos } of choices) found.tryChoices(words, edits - typos);
        if (found.size >= MAX_CORRECTED / 2) break;
      }
      if (found.size > 0) break;
    }
    return found.plan();
  }

  /** What a word may stand for, by edits. */
  #choices(word: string, { words }: QueryReading, reach: 1 | 2): Expansion[] {
    const exact = this.#expander.exact(word);
    const near = this.#expander.corrections(word, exact.count > 0 ? 1 : reach);
    const completed = words.length > 1 && word === words.at(-1)
      ? this.#expander.completions(word, MAX_COMPLETIONS)
      : [];
    return exact.count > 0 || near.length + completed.length === 0
      ? [exact, ...completed, ...near]
      : [...completed, ...near];
  }

  /** All but one of a reading's words, or some that follow each other; those with most of the query first. */
  #partial(query: ParsedQuery, limit: number): ListPlan {
    const sets: { words: Expansion[]; weight: number }[] = [];
    const weightOf = (words: Iterable<string>): number =>
      [...words].reduce((sum, word) => sum + this.#index.dictionary.weight(word), 0);
    const least = weightOf(query.words) / 2;
    for (const { words, place } of query.readings) {
      const exact = words.map((word) => this.#expander.exact(word));
      const placed = query.tokens.slice(place?.from ?? 0, place?.to ?? 0)
        .filter((word) => query.words.includes(word));
      const isKnown = exact.every(({ count }) => count > 0);
      for (const all of isKnown ? [exact] : [exact, ...this.#expander.respaced(exact)]) {
        const parts = all.flatMap((_, from) => [
          all.toSpliced(from, 1),
          ...all.slice(from).map((_, size) => all.slice(from, from + size + 1)),
        ]);
        for (const part of parts) {
          if (part.length === 0 || part.length === all.length) continue;
          if (part.some(({ count }) => count === 0)) continue;
          const covered = new Set([...part.flatMap(({ covers }) => covers), ...placed]);
          const weight = weightOf(covered);
          if (weight < least && covered.size <= query.words.length / 2) continue;
          sets.push({ words: part, weight });
        }
      }
    }
    sets.sort((a, b) => b.weight - a.weight);
    const found = new FoundNames(this.#index, limit);
    for (const { words } of sets) found.tryWords(words);
    return found.plan();
  }

  /**
   * Lists of parts of names, then of the rarest terms; a bounded number whatever the query.
   *
   * @param isFound Whether the best carrier is known, and others are wanted after it.
   */
  longer({ readings }: ParsedQuery, isFound: boolean): ListPlan {
    const limits = isFound ? NARROW : WIDE;
    const expansions: Expansion[] = [];
    const terms: { term: string; count: number; turn: number }[] = [];
    const parts = new Map<string, ListRef>();
    for (const reading of readings.slice(0, limits.readings)) {
      const words = reading.words.map((word) => this.#standIns(word, reading))
        .filter((list) => list.length > 0);
      expansions.push(...words.flat());
      for (const set of this.#commonSets(reading, words)) {
        const { bucket, key } = listKey(ListKind.Part, hashSet(set), this.#index.buckets);
        if (parts.size === limits.parts) break;
        parts.set(`${bucket} ${key}`, { path: listsPath(bucket), key });
      }
      this.#rarest(reading, words).forEach((list, turn) =>
        terms.push(...list.map((each) => ({ ...each, turn })))
      );
    }
    terms.sort((a, b) => a.turn - b.turn || a.count - b.count);
    const rarest = [...new Set(terms.map(({ term }) => term))].slice(0, limits.terms);
    return {
      lists: [...parts.values(), ...rarest.map((term) => this.#termList(term))],
      expansions,
    };
  }

  /** The few terms that a word is taken for in the last round. */
  #standIns(word: string, { words }: QueryReading): Expansion[] {
    const exact = this.#expander.exact(word);
    const isLast = word === words.at(-1);
    return [
      ...exact.count > 0 ? [exact] : this.#expander.corrections(word, 1).slice(0, MAX_EXPANSIONS),
      ...exact.count === 0 && words.length === 1
        ? this.#expander.respaced([exact]).flat().slice(0, 2)
        : [],
      ...isLast ? this.#expander.completions(word, MAX_EXPANSIONS) : [],
    ];
  }

  /** Sets of common terms that part lists may exist for: the first word in its city, all words, neighbors. */
  #commonSets({ place }: QueryReading, words: readonly (readonly Expansion[])[]): string[][] {
    const { dictionary } = this.#index;
    const first = words.map((expansions) => expansions[0]!.term);
    const sets: string[][] = [];
    if (place?.city !== undefined && first.length > 0) {
      const set = [first[0]!, CITY_MARK + place.city];
      if (set.every((term) => dictionary.isCommon(term))) sets.push(set);
    }
    if (words.length < 2 || !first.every((term) => dictionary.isCommon(term))) return sets;
    sets.push(first);
    for (const { term } of words.at(-1)!.slice(1)) sets.push([...first.slice(0, -1), term]);
    if (words.length > 2) first.slice(1).forEach((term, i) => sets.push([first[i]!, term]));
    return sets.map((set) => [...new Set(set)]);
  }

  /**
   * The terms of a reading whose lists are shortest: of its rarest word, or of its place, then of the next.
   * A carrier that the reading means is on the lists of each.
   */
  #rarest(
    { place }: QueryReading,
    words: readonly (readonly Expansion[])[],
  ): { term: string; count: number }[][] {
    const required = words.map((list): { term: string; count: number }[] =>
      list.slice(0, list[0]!.cost === 0 ? 1 : 2)
    );
    const marked = place?.city === undefined ? STATE_MARK + place?.state : CITY_MARK + place.city;
    const { dictionary } = this.#index;
    if (place !== undefined) {
      required.push([{ term: marked, count: dictionary.count(dictionary.find(marked)) }]);
    }
    const sum = (list: readonly { count: number }[]): number =>
      list.reduce((all, { count }) => all + count, 0);
    return required.sort((a, b) => sum(a) - sum(b)).slice(0, 2);
  }

  /** The list of a term: of all its carriers when it is rare, of its best when it is common. */
  #termList(term: string): ListRef {
    const { dictionary, buckets } = this.#index;
    const ordinal = dictionary.ordinal(dictionary.find(term));
    if (ordinal >= 0) return { path: headPath(ordinal), key: 0 };
    const { bucket, key } = listKey(ListKind.Term, hashTerm(term), buckets);
    return { path: listsPath(bucket), key };
  }
}

/** Names that the filter does not rule out, each once, up to a limit and a bound of tries. */
class FoundNames {
  readonly #index: LoadedIndex;
  readonly #limit: number;
  readonly #names: { list: ListKey; expansions: Expansion[] }[] = [];
  readonly #hashes = new Map<string, HashPair>();
  #tries = 0;

  constructor(index: LoadedIndex, limit: number) {
    this.#index = index;
    this.#limit = limit;
  }

  get size(): number {
    return this.#names.length;
  }

  plan(): ListPlan {
    return {
      lists: this.#names.map(({ list: { bucket, key } }) => ({ path: listsPath(bucket), key })),
      expansions: this.#names.flatMap(({ expansions }) => expansions),
    };
  }

  get #full(): boolean {
    return this.size >= this.#limit || this.#tries >= MAX_TRIES;
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
    const isKnown = this.#names.some(({ list: { bucket, key } }) =>
      bucket === list.bucket && key === list.key
    );
    if (!isKnown) this.#names.push({ list, expansions: [...expansions] });
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
        if (expansion.edits > left) break;
        chosen.push(expansion);
        step(at + 1, left - expansion.edits);
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
