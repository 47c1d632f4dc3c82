/**
 * The terms that the words of a query may stand for: terms of the dictionary a few edits away, abbreviations,
 * completions, and words joined or split. Web APIs only.
 *
 * @module
 */

import { type HashPair, hashTerm } from "../shared/layout.ts";
import type { Dictionary } from "./dictionary.ts";
import { numeralAt, spelledOut } from "./numerals.ts";

/** A term that stands for words of the query. */
export interface Expansion {
  term: string;
  /** The words of the query that it stands for. It stands for `share` of each of them. */
  covers: readonly string[];
  share: number;
  /** For a part of a word: which part, from 0. */
  part?: number;
  /** Whole edits, which decide the order in which names are tried. */
  edits: number;
  /** How different it is from the words, for ranking carriers: an edit is 1. */
  cost: number;
  /**
   * Set for a deliberate variant of the same name. `form`: other spacing, or numbers in words; `trade`:
   * another trade word.
   */
  meant?: "form" | "trade";
  /** Carriers that have the term. */
  count: number;
  hash: HashPair;
}

const ABBREVIATED = 1.1;
/** Added for each letter left out, so that `trnsprt` is "transport" rather than "transportation". */
const LEFT_OUT = 0.01;
const PLURAL = 0.35;
const BEGUN = 0.25;
/** An incomplete word that is not the last one typed. */
const CUT_SHORT = 0.5;
/** An incomplete last word of only one or two letters, which says little. */
const BARELY_BEGUN = 0.7;

/** Joined or split words; a name with the same letters in their order costs nothing. */
const RESPACED = 0.4;

/** A number in words instead of digits, or in digits instead of words. */
const NUMERAL = 0.3;

/** Words for hauling that people use interchangeably. */
const TRADES = ["trucking", "transport", "transportation"];
const TRADE = 0.3;

/**
 * Costs of one and of two sounds spelled differently. One costs as much as an edit, because it may be a typo.
 */
const SOUNDS_ALIKE = [1, 1.5];

/** One initial typed, two in the name. */
const ONE_OF_TWO = 0.5;
const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];

const MAX_NEAR = 80;
/** Minimum letters of a word for correcting one edit, and for correcting two. */
const SHORTEST_FOR_ONE = 4;
const SHORTEST_FOR_TWO = 6;

/** Expands the words of one query; remembers corrections, which take milliseconds to find. */
export class Expander {
  readonly #dictionary: Dictionary;
  /** The last word typed may be the beginning of one. */
  readonly #last: string | undefined;
  readonly #corrected = new Map<string, Expansion[]>();

  constructor(dictionary: Dictionary, last: string | undefined) {
    this.#dictionary = dictionary;
    this.#last = last;
  }

  /** The word itself. */
  exact(word: string): Expansion {
    const count = this.#dictionary.count(word);
    return { term: word, covers: [word], share: 1, edits: 0, cost: 0, count, hash: hashTerm(word) };
  }

  /** The most frequent words that begin with a word, if it was typed last. */
  completions(word: string, limit: number): Expansion[] {
    if (word !== this.#last) return [];
    const cost = word.length > 2 ? BEGUN : BARELY_BEGUN;
    return this.#dictionary.completions(word, limit)
      .map((term) => ({ ...this.exact(term), covers: [word], cost }));
  }

  /** Terms of two initials, one of which is the word. */
  initials(word: string): Expansion[] {
    return LETTERS.flatMap((other) => [word + other, other + word])
      .map((term) => ({ ...this.exact(term), covers: [word], edits: 1, cost: ONE_OF_TWO }))
      .filter(({ count }) => count > 0);
  }

  /**
   * Words near a word, nearest first, then the most frequent. With a reach of 1, words two edits away are
   * used only when no word is one edit away.
   */
  corrections(word: string, reach: 1 | 2): Expansion[] {
    const key = `${reach}${word}`;
    const known = this.#corrected.get(key);
    if (known !== undefined) return known;
    const most = mostEdits(word);
    let near = this.#near(word, Math.min(most, reach));
    if (near.length === 0 && reach < most) near = this.corrections(word, 2);
    this.#corrected.set(key, near);
    return near;
  }

  /** The words with two neighbors joined, then with one split in two. */
  respaced(words: readonly Expansion[]): Expansion[][] {
    const split = words.flatMap((word, i) =>
      this.#split(word).map((halves) => words.toSpliced(i, 1, ...halves))
    );
    return [...this.joined(words), ...split];
  }

  /** The words with two neighbors joined. */
  joined(words: readonly Expansion[]): Expansion[][] {
    return words.slice(1).flatMap(({ term }, i) => {
      const covers = [words[i]!.term, term];
      // Each of two words has its part of the cost.
      const whole = {
        ...this.exact(covers.join("")),
        covers,
        cost: RESPACED / 2,
        meant: "form" as const,
      };
      return whole.count > 0 ? [words.toSpliced(i, 2, whole)] : [];
    });
  }

  /**
   * The ways to split a word in two, the most frequent words first. None for a number, which is looked up as
   * a whole.
   */
  likelySplits(word: Expansion): Expansion[][] {
    if (/^\d+$/.test(word.term)) return [];
    const frequency = ([a, b]: Expansion[]): number => a!.count * b!.count;
    return this.#split(word).sort((a, b) => frequency(b) - frequency(a));
  }

  /** All ways to split a word into two words that exist. */
  #split({ term }: Expansion): Expansion[][] {
    const parts = { covers: [term], share: 0.5, cost: RESPACED, meant: "form" as const };
    return Array.from(term.slice(1), (_, cut) => {
      const halves = [term.slice(0, cut + 1), term.slice(cut + 1)];
      return halves.map((half, part) => ({ ...this.exact(half), ...parts, part }));
    }).filter((halves) => halves.every(({ count }) => count > 0));
  }

  /**
   * The words with numbers in digits, the same with adjacent numbers joined, and the words with numbers
   * spelled out.
   */
  renumbered(words: readonly Expansion[]): Expansion[][] {
    const texts = words.map(({ term }) => term);
    const inDigits: Expansion[] = [];
    const joined: Expansion[] = [];
    for (let at = 0; at < words.length;) {
      const numeral = numeralAt(texts, at);
      const covers = numeral?.words ?? [texts[at]!];
      at += covers.length;
      if (numeral === undefined) {
        inDigits.push(words[at - 1]!);
        joined.push(words[at - 1]!);
        continue;
      }
      const cost = NUMERAL / covers.length;
      inDigits.push({ ...this.exact(numeral.digits), covers, cost, meant: "form" });
      const last = joined.at(-1);
      if (last === undefined || last.cost === 0) joined.push(inDigits.at(-1)!);
      else {
        const both = { covers: [...last.covers, ...covers], cost, meant: "form" as const };
        joined.splice(-1, 1, { ...this.exact(last.term + numeral.digits), ...both });
      }
    }
    const inWords = words.flatMap((word) => {
      const spelled = spelledOut(word.term);
      if (spelled === undefined) return [word];
      const parts = { covers: [word.term], share: 1 / spelled.length, cost: NUMERAL };
      return spelled.map((word, part) => ({
        ...this.exact(word),
        ...parts,
        part,
        meant: "form" as const,
      }));
    });
    return [inDigits, joined, inWords].filter((way) =>
      way.some(({ cost }) => cost > 0) && way.every(({ count }) => count > 0)
    );
  }

  /** Other words for a trade. */
  trades(word: string): Expansion[] {
    if (!TRADES.includes(word)) return [];
    return TRADES.filter((other) => other !== word)
      .map((other) => ({
        ...this.exact(other),
        covers: [word],
        edits: 1,
        cost: TRADE,
        meant: "trade" as const,
      }))
      .filter(({ count }) => count > 0);
  }

  /** Words that sound alike, the most frequent first. */
  soundAlikes(word: string): Expansion[] {
    if (word.length < SHORTEST_FOR_ONE || /\d/.test(word)) return [];
    return this.#dictionary.soundAlikes(word)
      .map(({ term, distance: edits }) => {
        const cost = SOUNDS_ALIKE[edits - 1]!;
        return { ...this.exact(term), covers: [word], edits, cost };
      })
      .sort((a, b) => b.count - a.count);
  }

  #near(word: string, most: number): Expansion[] {
    const near = new Map<string, Expansion>();
    const add = (term: string, edits: number, cost: number): void => {
      const known = near.get(term);
      if (known !== undefined && known.cost <= cost) return;
      near.set(term, { ...this.exact(term), covers: [word], edits: known?.edits ?? edits, cost });
    };
    if (most === 0) return [];
    for (const trade of this.trades(word)) near.set(trade.term, trade);
    for (const { term, distance } of this.#dictionary.nearWords(word, most)) {
      const length = Math.max(term.length, word.length);
      if (length < (distance === 1 ? SHORTEST_FOR_ONE : SHORTEST_FOR_TWO)) continue;
      add(term, distance, `${term}s` === word || `${word}s` === term ? PLURAL : distance);
    }
    for (const { term, edits, cost } of this.soundAlikes(word)) add(term, edits, cost);
    for (const term of this.#dictionary.abbreviations(word)) {
      const leftOut = LEFT_OUT * Math.abs(term.length - word.length);
      add(term, 1, term.startsWith(word) ? CUT_SHORT : ABBREVIATED + leftOut);
    }
    return [...near.values()]
      .sort((a, b) => a.edits - b.edits || a.cost - b.cost || b.count - a.count)
      .slice(0, MAX_NEAR);
  }
}

/** A missing letter makes a word one shorter than the term it is corrected to. */
function mostEdits(word: string): number {
  if (/^\d+$/.test(word)) return 0;
  if (word.length >= SHORTEST_FOR_TWO - 1) return 2;
  return word.length >= SHORTEST_FOR_ONE - 1 ? 1 : 0;
}
