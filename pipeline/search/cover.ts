/**
 * Which words of a query a name has. Web APIs only.
 *
 * @module
 */

import { MAX_WORDS, NOISE_WORDS } from "./fold.ts";
import type { FoldedText } from "./folded_text.ts";
import type { Option } from "./guess.ts";
import { type KnownWord, KnownWords } from "./known_words.ts";
import type { Query } from "./query.ts";

/** How the words of a query are found in the name at hand. */
export class Cover {
  /** By word of the query: the share found, the edits it took, 1 where only as the beginning of another. */
  readonly covered: Float64Array;
  readonly costs: Float64Array;
  readonly prefixed: Uint8Array;
  /** By word of the name: 1 for noise beside other words. */
  readonly noise = new Uint8Array(MAX_WORDS);
  /** A bit for each reading whose words are the name's, whatever their order. */
  readings = 0;
  /** 1 where the name has words that were not asked for. */
  extra = 0;
  /** Pairs of words that follow each other as in the query. */
  adjacent = 0;
  readonly #words: readonly string[];
  readonly #sizes: readonly number[];
  readonly #onlyNoise: boolean;
  readonly #known = new KnownWords();
  readonly #found: (KnownWord | undefined)[] = [];

  /** @param options All terms that may stand for words of the query. */
  constructor({ words, readings }: Query, options: readonly Option[]) {
    this.#words = words;
    this.#sizes = readings.map((reading) => reading.words.length);
    this.#onlyNoise = words.every((word) => NOISE_WORDS.has(word));
    for (const word of words) {
      this.#allow({ term: word, covers: [word], share: 1, cost: 0, prefix: false, count: 0 });
    }
    options.forEach((option) => this.#allow(option));
    readings.forEach((reading, r) => {
      for (const word of reading.words) this.#known.get(word).readings |= 1 << r;
    });
    this.covered = new Float64Array(words.length);
    this.costs = new Float64Array(words.length);
    this.prefixed = new Uint8Array(words.length);
  }

  /** Looks for the query in a name. */
  look(text: FoldedText): void {
    const words = text.length;
    let noise = 0;
    for (let i = 0; i < words; i++) {
      const known = this.#found[i] = this.#known.find(text, i);
      noise += this.noise[i] = known?.noise === true ? 1 : 0;
    }
    if (noise === words) this.noise.fill(0, 0, words);
    this.covered.fill(0);
    this.costs.fill(0);
    this.prefixed.fill(0);
    let own = 0;
    let readings = -1;
    let extra = 0;
    let adjacent = 0;
    let before = -2;
    for (let i = 0; i < words; i++) {
      const known = this.#found[i];
      const isOwn = this.noise[i] === 0 && !text.isRepeated(i);
      if (isOwn) {
        own++;
        readings &= known?.readings ?? 0;
      } else if (!this.#onlyNoise) continue;
      if (known === undefined || known.options.length === 0) {
        extra = 1;
        before = -2;
        continue;
      }
      for (const { at, option } of known.options) for (const k of at) this.#use(option, k);
      const { at } = known.options[0]!;
      if (at[0] === before + 1) adjacent++;
      before = at.at(-1)!;
    }
    this.extra = this.#onlyNoise ? 0 : extra;
    this.adjacent = this.#onlyNoise ? 0 : adjacent;
    for (let r = 0; readings !== 0 && r < this.#sizes.length; r++) {
      if (this.#sizes[r] !== own) readings &= ~(1 << r);
    }
    this.readings = readings;
  }

  /** Takes a word of the query as found, whatever the name. */
  grant(k: number): void {
    this.covered[k] = 1;
    this.costs[k] = 0;
    this.prefixed[k] = 0;
  }

  #allow(option: Option): void {
    const at = option.covers.map((word) => this.#words.indexOf(word)).filter((i) => i >= 0);
    if (at.length > 0) this.#known.get(option.term).options.push({ at, option });
  }

  #use(option: Option, k: number): void {
    const prefix = option.prefix ? 1 : 0;
    const better = this.covered[k]! < 1 || this.prefixed[k]! > prefix ||
      option.cost < this.costs[k]! && this.prefixed[k] === prefix;
    if (!better) return;
    this.covered[k] = option.share < 1 ? Math.min(1, this.covered[k]! + option.share) : 1;
    this.costs[k] = option.cost;
    this.prefixed[k] = prefix;
  }
}
