/**
 * Names a query may mean: tried in memory against the filter of names, so only lists that (nearly
 * surely) exist are fetched. Web APIs only.
 *
 * @module
 */

import type { NameFilter } from "../shared/bloom_filter.ts";
import { type Lanes, type ListKey, listKey, ListKind, termLanes } from "../shared/layout.ts";
import type { Dictionary } from "./dictionary.ts";
import type { Query, Reading } from "./query.ts";

/** A term standing for words of a query. */
export interface Option {
  term: string;
  /** Words of the query it stands for; `share` of each. */
  covers: readonly string[];
  share: number;
  /** Edits, half of one more for another first letter. */
  cost: number;
  /** The term only begins with the word. */
  prefix: boolean;
  /** Carriers the term is in. */
  count: number;
}

/** A name that seems to exist. */
export interface Guess {
  list: ListKey;
  options: Option[];
  cost: number;
}

/** What guessing needs of an index. */
export interface GuessIndex {
  dictionary: Dictionary;
  /** Corrections of the words of the query at hand: they take milliseconds to find. */
  corrected: Map<string, Option[]>;
  names: NameFilter;
  buckets: number;
}

const MAX_COMPLETIONS = 40;
const MAX_NEAR = 80;
const MAX_TRIES = 20_000;
const MAX_TYPO_READINGS = 4;
const MAX_EDITS = 4;
const SHORTEST_FOR_ONE = 4;
const SHORTEST_FOR_TWO = 8;

/** Names spelt as the query is, with words joined or split, or with the last word completed. */
export function plainGuesses(query: Query, index: GuessIndex, limit: number): Guess[] {
  const found = new Guesses(index, limit);
  const completed: Option[][] = [];
  for (const { words } of query.readings) {
    if (words.length === 0) continue;
    const exact = words.map((word) => exactOption(word, index.dictionary));
    for (const variant of [exact, ...joined(exact, index), ...split(exact, index)]) {
      found.tryWords(variant);
    }
    const last = exact.at(-1)!;
    for (const option of completions(last.term, index.dictionary, MAX_COMPLETIONS)) {
      completed.push([...exact.slice(0, -1), option]);
    }
  }
  completed.forEach((words) => found.tryWords(words));
  return found.guesses;
}

/** Names a few edits away, the nearest first: words one edit away are tried before those two away. */
export function typoGuesses(query: Query, index: GuessIndex, limit: number): Guess[] {
  const readings = query.readings.filter(({ words }) => words.length > 0).slice(
    0,
    MAX_TYPO_READINGS,
  );
  for (const reach of [1, 2] as const) {
    const found = new Guesses(index, limit);
    const choices = readings.map(({ words }) =>
      words.map((word) => {
        const options = corrections(word, { index, reach });
        const exact = exactOption(word, index.dictionary);
        return exact.count > 0 || options.length === 0 ? [exact, ...options] : options;
      })
    );
    for (let edits = 1; edits <= MAX_EDITS; edits++) {
      for (const words of choices) found.tryChoices(words, edits);
      if (found.guesses.length >= limit / 2) break;
    }
    if (found.guesses.length > 0) return found.guesses;
  }
  return [];
}

/** The words of a reading that the dictionary lacks or has, each with the terms it may stand for. */
export function partOptions(reading: Reading, index: GuessIndex, limit: number): Option[][] {
  const { dictionary } = index;
  return reading.words.map((word, i) => {
    const exact = exactOption(word, dictionary);
    const options = exact.count > 0
      ? [exact]
      : corrections(word, { index, reach: 1 }).slice(0, limit);
    if (i === reading.words.length - 1) options.push(...completions(word, dictionary, limit));
    return options;
  });
}

function exactOption(word: string, dictionary: Dictionary): Option {
  const count = dictionary.count(dictionary.find(word));
  return { term: word, covers: [word], share: 1, cost: 0, prefix: false, count };
}

function completions(word: string, dictionary: Dictionary, limit: number): Option[] {
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
  { index, reach }: { index: GuessIndex; reach: 1 | 2 },
): Option[] {
  const key = `${reach}${word}`;
  const known = index.corrected.get(key);
  if (known !== undefined) return known;
  const most = mostEdits(word);
  let options = nearOptions(word, {
    dictionary: index.dictionary,
    distance: Math.min(most, reach),
  });
  if (options.length === 0 && reach < most) options = corrections(word, { index, reach: 2 });
  index.corrected.set(key, options);
  return options;
}

/** The longer of two words bears the typos, so a word may be shorter than one that is corrected. */
function mostEdits(word: string): number {
  if (/^\d+$/.test(word)) return 0;
  if (word.length >= SHORTEST_FOR_TWO - 1) return 2;
  return word.length >= SHORTEST_FOR_ONE - 1 ? 1 : 0;
}

function nearOptions(
  word: string,
  { dictionary, distance: most }: { dictionary: Dictionary; distance: number },
): Option[] {
  const options: Option[] = [];
  for (const { id, distance } of most === 0 ? [] : dictionary.nearWords(word, most)) {
    const term = dictionary.term(id);
    const length = Math.max(term.length, word.length);
    if (length < (distance === 1 ? SHORTEST_FOR_ONE : SHORTEST_FOR_TWO)) continue;
    const cost = distance + (term[0] === word[0] ? 0 : 0.5);
    const count = dictionary.count(id);
    options.push({ term, covers: [word], share: 1, cost, prefix: false, count });
  }
  return options.sort((a, b) => a.cost - b.cost || b.count - a.count).slice(0, MAX_NEAR);
}

function joined(words: readonly Option[], { dictionary }: GuessIndex): Option[][] {
  const variants: Option[][] = [];
  for (let i = 0; i + 1 < words.length; i++) {
    const term = words[i]!.term + words[i + 1]!.term;
    const count = dictionary.count(dictionary.find(term));
    if (count === 0) continue;
    const covers = [words[i]!.term, words[i + 1]!.term];
    const option = { term, covers, share: 1, cost: 0, prefix: false, count };
    variants.push([...words.slice(0, i), option, ...words.slice(i + 2)]);
  }
  return variants;
}

function split(words: readonly Option[], { dictionary }: GuessIndex): Option[][] {
  const variants: Option[][] = [];
  words.forEach(({ term }, i) => {
    for (let at = 1; at < term.length; at++) {
      const halves = [term.slice(0, at), term.slice(at)];
      const counts = halves.map((half) => dictionary.count(dictionary.find(half)));
      if (counts.includes(0)) continue;
      const options = halves.map((half, side) => ({
        term: half,
        covers: [term],
        share: 0.5,
        cost: 0,
        prefix: false,
        count: counts[side]!,
      }));
      variants.push([...words.slice(0, i), ...options, ...words.slice(i + 1)]);
    }
  });
  return variants;
}

/** Collects names that the filter knows, each once, up to a limit and a bound of tries. */
class Guesses {
  readonly guesses: Guess[] = [];
  readonly #index: GuessIndex;
  readonly #limit: number;
  readonly #lanes = new Map<string, Lanes>();
  #tries = 0;

  constructor(index: GuessIndex, limit: number) {
    this.#index = index;
    this.#limit = limit;
  }

  get #full(): boolean {
    return this.guesses.length >= this.#limit || this.#tries >= MAX_TRIES;
  }

  tryWords(options: readonly Option[]): void {
    let a = 0;
    let b = 0;
    const terms = new Set<string>();
    for (const { term } of options) {
      if (terms.has(term)) continue;
      terms.add(term);
      const lanes = this.#lanesOf(term);
      a = (a + lanes.a) >>> 0;
      b = (b + lanes.b) >>> 0;
    }
    this.#tryLanes({ a, b }, options);
  }

  /** Tries each choice of one option a word whose whole edits sum to `edits`. */
  tryChoices(choices: readonly (readonly Option[])[], edits: number): void {
    const chosen: Option[] = [];
    const step = (at: number, left: number): void => {
      if (this.#full) return;
      if (at === choices.length) {
        if (left === 0) this.tryWords(chosen);
        return;
      }
      for (const option of choices[at]!) {
        const cost = Math.floor(option.cost);
        if (cost > left) break;
        chosen.push(option);
        step(at + 1, left - cost);
        chosen.pop();
      }
    };
    step(0, edits);
  }

  #tryLanes(lanes: Lanes, options: readonly Option[]): void {
    if (this.#full) return;
    this.#tries++;
    const list = listKey(ListKind.Name, lanes, this.#index.buckets);
    if (!this.#index.names.has(list)) return;
    if (
      this.guesses.some(({ list: { bucket, key } }) => bucket === list.bucket && key === list.key)
    ) {
      return;
    }
    const cost = options.reduce((sum, option) => sum + option.cost, 0);
    this.guesses.push({ list, options: [...options], cost });
  }

  #lanesOf(term: string): Lanes {
    let lanes = this.#lanes.get(term);
    if (lanes === undefined) this.#lanes.set(term, lanes = termLanes(term));
    return lanes;
  }
}
