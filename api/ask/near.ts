/**
 * Keywords with typos.
 *
 * @module
 */

const SHORTEST = 4;
const SHORTEST_FOR_TWO = 8;

/** Finds the keyword a mistyped word may mean. */
export class Keywords {
  readonly #known: ReadonlySet<string>;
  readonly #byLetter: ReadonlyMap<string, string[]>;

  /** Words under four letters are never what a mistyped word is taken for. */
  constructor(words: Iterable<string>) {
    this.#known = new Set(words);
    const long = [...this.#known].filter((word) => word.length >= SHORTEST);
    this.#byLetter = Map.groupBy(long, (word) => word[0]!);
  }

  /**
   * The nearest keyword with the same first letter, one edit away, or two for a long word; undefined
   * for a keyword itself and where none is near.
   */
  nearest(word: string): string | undefined {
    if (word.length < SHORTEST || this.#known.has(word)) return undefined;
    let best: string | undefined;
    let least = word.length >= SHORTEST_FOR_TWO ? 3 : 2;
    for (const keyword of this.#byLetter.get(word[0]!) ?? []) {
      if (Math.abs(keyword.length - word.length) >= least) continue;
      const edits = distance(word, keyword, { most: least - 1 });
      if (edits < least) [best, least] = [keyword, edits];
    }
    return best;
  }
}

/**
 * Insertions, deletions, substitutions and swaps of neighbours between two words; some number above
 * `most` when there are more than that.
 */
export function distance(a: string, b: string, { most = Infinity } = {}): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  let leastAbove = 0;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let leastHere = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, before[j - 2]! + 1);
      }
      row.push(least);
      if (least < leastHere) leastHere = least;
    }
    // A swap reaches back one row only, so two rows above `most` decide.
    if (leastHere > most && leastAbove > most) return most + 1;
    [before, above, leastAbove] = [above, row, leastHere];
  }
  return above[b.length]!;
}
