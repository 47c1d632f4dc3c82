/**
 * Names guessed for a query and tested against the Bloom filter of names, so that only lists that (nearly
 * surely) exist are fetched. Web APIs only.
 *
 * @module
 */

import type { NameFilter } from "../shared/bloom_filter.ts";
import {
  type HashPair,
  hashTerm,
  type ListKey,
  listKey,
  ListKind,
  listsPath,
} from "../shared/layout.ts";
import type { Places } from "../shared/places_file.ts";
import type { Dictionary } from "./dictionary.ts";
import type { Expansion } from "./expander.ts";

/** A loaded index, as queries need it. */
export interface LoadedIndex {
  dictionary: Dictionary;
  names: NameFilter;
  places: Places;
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

const MAX_TRIES = 20_000;

/** Names that the filter does not rule out, each once, up to a limit and a bound of tries. */
export class FoundNames {
  readonly #index: LoadedIndex;
  #limit: number;
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

  /** Allows so many more. */
  allow(more: number): void {
    this.#limit = this.size + more;
    this.#tries = 0;
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

  /** Tries each choice of one expansion per word whose whole edits sum to `edits`, until `limit` names are found. */
  tryChoices(
    choices: readonly (readonly Expansion[])[],
    { edits, limit }: { edits: number; limit: number },
  ): void {
    const chosen: Expansion[] = [];
    const most = this.size + limit;
    const step = (at: number, left: number): void => {
      if (this.#full || this.size === most) return;
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
