/**
 * Plans what a query reads: lists of names that exist, generated in memory and tested against the Bloom
 * filter of names, so that only lists that (nearly surely) exist are fetched; then lists of parts of names
 * and of rare terms. Web APIs only.
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
import { Expander, type Expansion } from "./expander.ts";
import { FoundNames, type ListPlan, type ListRef, type LoadedIndex } from "./found_names.ts";
import type { ParsedQuery, QueryReading } from "./query.ts";

/** Maximum number of names fetched, by how they were guessed. */
const MAX_TYPED = 5;
const MAX_TRADED = 2;
const MAX_CORRECTED = 6;
/**
 * Maximum number of corrected names per reading and number of edits, so that completions of the word "ca" do
 * not crowd out the names for the reading of "ca" as California.
 */
const MAX_OF_READING = 5;
const MAX_PARTIAL = 4;

/** A word with more carriers than this is not split in two. */
const MOST_OF_A_SPLIT = 20;

/** People call a carrier by at most this many words of its name. */
const FEW_WORDS = 2;

const MAX_COMPLETIONS = 200;
const MAX_EDITS = 4;

/**
 * How much the last round reads: when no name was found yet, and when longer names with its words are
 * wanted.
 */
const WIDE = { readings: 3, words: 2, terms: 3, parts: 5, others: 3 };
const NARROW = { readings: 2, words: 1, terms: 2, parts: 2, others: 2 };
/** The turn of a city that is the whole query: before all other terms. */
const FIRST_TURN = -1;
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
      const variants = [
        exact,
        ...this.#expander.respaced(exact),
        ...this.#expander.renumbered(exact),
      ];
      for (const variant of variants) found.tryWords(variant);
      for (const expansion of this.#expander.completions(words.at(-1)!, MAX_COMPLETIONS)) {
        completed.push([...exact.slice(0, -1), expansion]);
      }
    }
    completed.forEach((words) => found.tryWords(words));
    return found.plan();
  }

  /**
   * Names that people may mean although others are spelled like the query: with another trade word, or
   * longer.
   */
  known({ readings: [reading] }: ParsedQuery): ListPlan {
    const found = new FoundNames(this.#index, MAX_TRADED);
    const exact = reading!.words.map((word) => this.#expander.exact(word));
    for (const words of this.#traded(exact)) found.tryWords(words);
    const { lists, expansions } = found.plan();
    return { lists: [...lists, ...this.#listOfLonger(exact)], expansions };
  }

  /**
   * The list of names that contain the query's one or two words. A rare single word may be two words written
   * as one.
   */
  #listOfLonger(exact: readonly Expansion[]): ListRef[] {
    const [only] = exact;
    if (exact.length > FEW_WORDS || only === undefined) return [];
    const way = exact.length === 1 && only.count <= MOST_OF_A_SPLIT
      ? this.#expander.likelySplits(only)[0] ?? exact
      : exact;
    return way.every(({ count }) => count > 0) ? this.#listOf(way) : [];
  }

  /** The words with one replaced by another for the same trade. */
  #traded(words: readonly Expansion[]): Expansion[][] {
    return words.flatMap(({ term }, i) =>
      this.#expander.trades(term).map((other) => words.with(i, other))
    );
  }

  /** Names a few edits away, and names without some words of the query. */
  similar(query: ParsedQuery): ListPlan {
    const found = new FoundNames(this.#index, MAX_CORRECTED);
    this.#correct(query, found);
    found.allow(found.size > 0 ? MAX_PARTIAL / 2 : MAX_PARTIAL);
    this.#shorten(query, found);
    return found.plan();
  }

  /** The nearest names first: words one edit away are tried before those two away. */
  #correct({ readings }: ParsedQuery, found: FoundNames): void {
    for (const reach of [1, 2] as const) {
      const choices = readings.filter(({ words }) => words.length > 0).map((reading) => ({
        words: reading.words.map((word) => this.#choices(word, reading, reach)),
        typos: Math.floor(reading.place?.typos ?? 0),
      }));
      for (let edits = 0; edits <= MAX_EDITS && found.size < MAX_CORRECTED / 2; edits++) {
        for (const { words, typos } of choices) {
          found.tryChoices(words, { edits: edits - typos, limit: MAX_OF_READING });
        }
      }
      if (found.size > 0) return;
    }
  }

  /** The terms a word may stand for, by number of edits. */
  #choices(word: string, { words }: QueryReading, reach: 1 | 2): Expansion[] {
    const exact = this.#expander.exact(word);
    const near = word.length === 1 && word === words[0] && words[1]?.length !== 1
      ? this.#expander.initials(word)
      : this.#expander.corrections(word, exact.count > 0 ? 1 : reach);
    const completed = words.length > 1 && word === words.at(-1)
      ? this.#expander.completions(word, MAX_COMPLETIONS)
      : [];
    return exact.count > 0 || near.length + completed.length === 0
      ? [exact, ...completed, ...near]
      : [...completed, ...near];
  }

  /**
   * Tries shorter names: a reading without one word, or some of its consecutive words. Those with the most
   * weight in the query come first.
   */
  #shorten(query: ParsedQuery, found: FoundNames): void {
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
    for (const { words } of sets) found.tryWords(words);
  }

  /**
   * Lists of parts of names, then of the rarest terms. The number of lists is limited, whatever the query.
   *
   * @param isFound Whether the best carrier is known, so that only lower-ranked ones are still needed.
   */
  longer({ readings }: ParsedQuery, isFound: boolean): ListPlan {
    const limits = isFound ? NARROW : WIDE;
    const expansions: Expansion[] = [];
    const terms: { term: string; count: number; turn: number; instead: number }[] = [];
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
      const first = words.length === 0 ? FIRST_TURN : 0;
      this.#rarest(reading, words).slice(0, limits.words).forEach((list, turn) =>
        terms.push(...list.map((each, instead) => ({ ...each, turn: first + turn, instead })))
      );
    }
    const others = readings.slice(0, limits.readings)
      .flatMap((reading) => this.#otherWays(reading, isFound));
    expansions.push(...others.flat());
    // What a word may stand for instead comes after the rarest word of each reading.
    terms.sort((a, b) => a.turn - b.turn || a.instead - b.instead || a.count - b.count);
    const rarest = [...new Set(terms.map(({ term }) => term))].slice(0, limits.terms);
    const lists = [...parts.values(), ...rarest.map((term) => this.#termList(term))];
    for (const words of others.slice(0, limits.others)) lists.push(...this.#listOf(words));
    return { lists, expansions };
  }

  /** Other forms of the words, for which longer names are looked up, likeliest first. */
  #otherWays({ words }: QueryReading, isFound: boolean): Expansion[][] {
    if (words.length === 0) return [];
    const exact = words.map((word) => this.#expander.exact(word));
    const split = exact.flatMap((word, i) =>
      word.count > MOST_OF_A_SPLIT ? [] : this.#expander.likelySplits(word).slice(0, 1)
        .map((halves) => exact.toSpliced(i, 1, ...halves))
    );
    const alike = isFound
      ? []
      : exact.flatMap((word, i) =>
        this.#expander.soundAlikes(word.term).slice(0, 1).map((other) => exact.with(i, other))
      );
    const joined = this.#expander.joined(exact);
    return [
      ...this.#expander.renumbered(exact),
      ...this.#traded(exact),
      ...joined,
      ...split,
      ...alike,
    ]
      .filter((way) => way.every(({ count }) => count > 0));
  }

  /**
   * The list of names that contain all of the words: the list of their set when all are common, otherwise
   * that of the rarest word.
   */
  #listOf(words: readonly Expansion[]): ListRef[] {
    const { dictionary, buckets } = this.#index;
    const terms = [...new Set(words.map(({ term }) => term))];
    if (terms.length === 1 || !terms.every((term) => dictionary.ordinal(term) >= 0)) {
      const [rarest] = words.filter(({ meant }) => meant !== "trade")
        .sort((a, b) => a.count - b.count);
      return rarest === undefined ? [] : [this.#termList(rarest.term)];
    }
    const { bucket, key } = listKey(ListKind.Part, hashSet(terms), buckets);
    return [{ path: listsPath(bucket), key }];
  }

  /** The few terms that a word stands for in the last round. */
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

  /**
   * Sets of common terms that may have part lists: the first word with the city, all words, and pairs of
   * neighbors.
   */
  #commonSets({ place }: QueryReading, words: readonly (readonly Expansion[])[]): string[][] {
    const { dictionary } = this.#index;
    const first = words.map((expansions) => expansions[0]!.term);
    const sets: string[][] = [];
    if (place?.city !== undefined && first.length > 0) {
      const set = [first[0]!, CITY_MARK + place.city];
      if (set.every((term) => dictionary.ordinal(term) >= 0)) sets.push(set);
    }
    if (words.length < 2 || !first.every((term) => dictionary.ordinal(term) >= 0)) return sets;
    sets.push(first);
    for (const { term } of words.at(-1)!.slice(1)) sets.push([...first.slice(0, -1), term]);
    if (words.length > 2) first.slice(1).forEach((term, i) => sets.push([first[i]!, term]));
    return sets.map((set) => [...new Set(set)]);
  }

  /**
   * For each word of a reading and for its place, the terms it may stand for. The word or place with
   * the shortest lists comes first. A carrier that matches the reading is on a list of each of them.
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
      required.push([{ term: marked, count: dictionary.count(marked) }]);
    }
    const sum = (list: readonly { count: number }[]): number =>
      list.reduce((all, { count }) => all + count, 0);
    return required.sort((a, b) => sum(a) - sum(b));
  }

  /** The list of a term: of all its carriers when it is rare, of its best when it is common. */
  #termList(term: string): ListRef {
    const { dictionary, buckets } = this.#index;
    const ordinal = dictionary.ordinal(term);
    if (ordinal >= 0) return { path: headPath(ordinal), key: 0 };
    const { bucket, key } = listKey(ListKind.Term, hashTerm(term), buckets);
    return { path: listsPath(bucket), key };
  }
}
