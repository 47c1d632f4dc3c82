/**
 * Which words of a query a name has, in which spelling. Web APIs only.
 *
 * @module
 */

import { isStopWord, STOP_WORDS } from "../shared/tokenizer.ts";
import { type ByteTokenizer, wordHash } from "./byte_tokenizer.ts";
import type { Expansion } from "./expander.ts";
import type { ParsedQuery } from "./query.ts";

/**
 * How a word stands for one of the query: as a misspelling, as the same word (perhaps in another form), or as
 * another word for the same trade.
 */
enum Meant {
  Slip,
  Form,
  Trade,
}

/** Maximum number of parts of a word. */
const MAX_PARTS = 2;

const MEANT = { slip: Meant.Slip, form: Meant.Form, trade: Meant.Trade } as const;

/** What a word of a name means to a query. */
interface KnownWord {
  word: string;
  /** Whether it may be a stop word. */
  isStop: boolean;
  /** What it may stand for: `at` has the positions of words in the query. */
  meanings: { at: readonly number[]; share: number; cost: number; meant: Meant; part: number }[];
}

/** Matches the words of a query, and all terms that may stand for them, with the words of a name. */
export class WordMatcher {
  /** By word of the query: the share of it that was found, and the cost of how it was found. */
  readonly covered: Float64Array;
  readonly costs: Float64Array;
  /** By word of the query, how it was found: a {@link Meant}. */
  readonly #meant: Uint8Array;
  /** The share found in parts of the word. */
  readonly #parts: Float64Array;
  /** Words of the name that were not asked for. */
  extra = 0;
  /** Whether an extra word, or a later word of the query, comes before a word of the query in the name. */
  #isLate = false;
  /** The position in the query of the word, or part of one, found last. */
  #latest = 0;
  /** Whether it has an initial that was not asked for; a second one is an extra word. */
  initials = false;
  readonly #known = new WordTable();
  readonly #found: (KnownWord | undefined)[] = [];

  /** @param expansions All terms that may stand for words of the query. */
  constructor({ words }: ParsedQuery, expansions: readonly Expansion[]) {
    this.covered = new Float64Array(words.length);
    this.costs = new Float64Array(words.length);
    this.#meant = new Uint8Array(words.length);
    this.#parts = new Float64Array(words.length);
    words.forEach((word, k) =>
      this.#expand(word, { at: [k], share: 1, cost: 0, meant: Meant.Form, part: 0 })
    );
    for (const { term, covers, share, cost, meant, part = 0 } of expansions) {
      const at = covers.map((word) => words.indexOf(word)).filter((k) => k >= 0);
      if (at.length > 0) {
        this.#expand(term, { at, share, cost, meant: MEANT[meant ?? "slip"], part });
      }
    }
  }

  /** Adds each meaning once. Otherwise, the same half of a word found twice would count as the whole word. */
  #expand(term: string, meaning: KnownWord["meanings"][number]): void {
    const { meanings } = this.#known.get(term);
    const known = meanings.find(({ at, share }) =>
      share === meaning.share && at.join() === meaning.at.join()
    );
    if (known === undefined) meanings.push(meaning);
    else if (known.meant === Meant.Slip) known.meant = meaning.meant;
  }

  clear(): void {
    this.covered.fill(0);
    this.costs.fill(0);
    this.#parts.fill(0);
    this.extra = 0;
    this.initials = false;
    this.#isLate = false;
    this.#latest = 0;
  }

  /** Matches a name, on top of what was matched since {@link clear}, and marks its stop words. */
  match(name: ByteTokenizer): void {
    let stops = 0;
    for (let i = 0; i < name.length; i++) {
      const known = this.#found[i] = this.#known.find(name, i);
      stops += name.stop[i] = known?.isStop && isStopWord(known.word, i) ? 1 : 0;
    }
    if (stops === name.length) name.stop.fill(0, 0, stops);
    for (let i = 0; i < name.length; i++) {
      const known = this.#found[i];
      if (name.isRepeated(i)) continue;
      let isAsked = name.stop[i] === 1;
      for (const { at, share, cost, meant, part } of known?.meanings ?? []) {
        for (const k of at) {
          if (this.#cover(k, { share, cost, part })) {
            this.#meant[k] = meant;
            const place = k * MAX_PARTS + part;
            if (place < this.#latest) this.#isLate = true;
            this.#latest = place;
          } else if (cost > 0) continue;
          isAsked = true;
        }
      }
      if (isAsked) {
        if ((this.extra > 0 || this.initials) && name.stop[i] === 0) this.#isLate = true;
        continue;
      }
      if (name.size(i) === 1 && !this.initials) this.initials = true;
      else this.extra++;
    }
  }

  /** Whether the name begins with all words of the query, and none of them is misspelled. */
  get leads(): boolean {
    return !this.#isLate &&
      this.covered.every((share, k) => share === 1 && this.#meant[k] !== Meant.Slip);
  }

  /** Whether a word of the query was found as another word for the same trade. */
  isTraded(k: number): boolean {
    return this.covered[k] === 1 && this.#meant[k] === Meant.Trade;
  }

  /** Counts a word of the query as found, whether or not the name has it. */
  grant(k: number): void {
    this.covered[k] = 1;
    this.costs[k] = 0;
    this.#meant[k] = Meant.Form;
  }

  /** Records how a word of the query was found. Returns false when it was already found at least as well. */
  #cover(k: number, { share, cost, part }: { share: number; cost: number; part: number }): boolean {
    // Parts in the wrong order are better than nothing, but not better than another spelling of the whole
    // word.
    const isInOrder = part > 0 === this.#parts[k]! > 0;
    const whole = share < 1 ? this.#parts[k] = Math.min(1, this.#parts[k]! + share) : 1;
    const isCheaper = whole === 1 && cost < this.costs[k]! && (share === 1 || isInOrder);
    if (whole <= this.covered[k]! && !isCheaper) return false;
    this.covered[k] = whole;
    this.costs[k] = cost;
    return true;
  }
}

const FILTER_SIZE = 1024;

/** The words that matter to a query, by hash; contains the stop words from the beginning. */
class WordTable {
  readonly #byHash = new Map<number, KnownWord[]>();
  /** Most words of a name are not in the table: skipped without a look at it. */
  readonly #filter = new Uint8Array(FILTER_SIZE);

  constructor() {
    for (const word of STOP_WORDS) this.get(word).isStop = true;
  }

  /** The entry of a word, created when absent. */
  get(word: string): KnownWord {
    const hash = wordHash(word);
    const same = this.#byHash.get(hash) ?? [];
    this.#byHash.set(hash, same);
    this.#filter[filterSlot(hash)] = 1;
    let known = same.find((each) => each.word === word);
    if (known === undefined) same.push(known = { word, isStop: false, meanings: [] });
    return known;
  }

  /** The entry of a word of a text. */
  find(text: ByteTokenizer, i: number): KnownWord | undefined {
    const hash = text.hashes[i]!;
    if (this.#filter[filterSlot(hash)] === 0) return undefined;
    return this.#byHash.get(hash)?.find(({ word }) => text.is(i, word));
  }
}

function filterSlot(hash: number): number {
  return (hash ^ hash >>> 15) & (FILTER_SIZE - 1);
}
