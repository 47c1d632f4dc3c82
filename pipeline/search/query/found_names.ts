/**
 * Names guessed for a query and tested against the Bloom filter of names, so that only lists that (nearly
 * surely) exist are fetched. Web APIs only.
 *
 * @module
 */

import type { NameFilter } from "../shared/bloom_filter.ts";
import {
  addHashes,
  type HashPair,
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

const MAX_TRIES = 10_000;

/** Names that the filter does not rule out, each once, up to a limit. The number of tries is also limited. */
export class FoundNames {
  readonly #index: LoadedIndex;
  #limit: number;
  readonly #names: { list: ListKey; expansions: Expansion[] }[] = [];
  #tries = 0;

  constructor(index: LoadedIndex, limit: number) {
    this.#index = index;
    this.#limit = limit;
  }

  get size(): number {
    return this.#names.length;
  }

  /** Allows `more` names in addition to those found so far, and resets the number of tries. */
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

  /** Tries the name that consists of these words. */
  tryWords(words: readonly Expansion[]): void {
    this.tryChoices(words.map((word) => [{ ...word, edits: 0 }]), { edits: 0, limit: 1 });
  }

  /** Tries each choice of one expansion per word whose whole edits sum to `edits`, until `limit` names are found. */
  tryChoices(
    choices: readonly (readonly Expansion[])[],
    { edits, limit }: { edits: number; limit: number },
  ): void {
    const chosen: Expansion[] = [];
    const most = Math.min(this.#limit, this.size + limit);
    const step = (left: number, hash: HashPair): void => {
      if (this.size >= most || this.#tries >= MAX_TRIES) return;
      if (chosen.length === choices.length) {
        if (left === 0) this.#try(chosen, hash);
        return;
      }
      for (const expansion of choices[chosen.length]!) {
        if (expansion.edits > left) break;
        const isRepeated = chosen.some(({ term }) => term === expansion.term);
        const sum = isRepeated ? hash : addHashes(hash, expansion.hash);
        chosen.push(expansion);
        step(left - expansion.edits, sum);
        chosen.pop();
      }
    };
    step(edits, { a: 0, b: 0 });
  }

  #try(chosen: readonly Expansion[], hash: HashPair): void {
    this.#tries++;
    const list = listKey(ListKind.Name, hash, this.#index.buckets);
    if (!this.#index.names.mayHave(list)) return;
    const isKnown = this.#names.some(({ list: { bucket, key } }) =>
      bucket === list.bucket && key === list.key
    );
    if (!isKnown) this.#names.push({ list, expansions: [...chosen] });
  }
}
