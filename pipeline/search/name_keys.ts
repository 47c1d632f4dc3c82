/**
 * The sets of words that a carrier's names are listed under, as sums of the hashes of their words.
 *
 * @module
 */

import type { Lanes } from "./key.ts";
import type { TermTable } from "./term_table.ts";

/** Words of a name whose parts are listed, at most. */
const MAX_PART_WORDS = 6;

/** The words of a name that decide: distinct, without noise; all where there is only noise. */
export function ownWords(words: readonly number[], { noise }: TermTable): number[] {
  const own = words.filter((id, i) => noise[id] === 0 && words.indexOf(id) === i);
  return own.length > 0 ? own : words.filter((id, i) => words.indexOf(id) === i);
}

/** The key of a whole name. */
export function nameLanes(own: readonly number[], table: TermTable): Lanes {
  let a = 0;
  let b = 0;
  for (const id of own) {
    a = (a + table.a[id]!) >>> 0;
    b = (b + table.b[id]!) >>> 0;
  }
  return { a, b };
}

/**
 * Adds the keys of the parts of a name that have lists: the name less one word, and its neighbours;
 * only where every word is common, since the carriers of a rare word are few enough to look through.
 */
export function addPartLanes(parts: Lanes[], own: readonly number[], table: TermTable): void {
  const { length } = own;
  if (length < 3 || length > MAX_PART_WORDS) return;
  const isCommon = own.map((id) => table.ordinal[id]! >= 0);
  const rare = isCommon.filter((is) => !is).length;
  const whole = nameLanes(own, table);
  for (let i = 0; i < length; i++) {
    const id = own[i]!;
    if (rare === 0 || rare === 1 && !isCommon[i]) {
      addOnce(parts, (whole.a - table.a[id]!) >>> 0, (whole.b - table.b[id]!) >>> 0);
    }
    if (length > 3 && i > 0 && isCommon[i - 1] && isCommon[i]) {
      const before = own[i - 1]!;
      addOnce(
        parts,
        (table.a[before]! + table.a[id]!) >>> 0,
        (table.b[before]! + table.b[id]!) >>> 0,
      );
    }
  }
}

/** Adds a key unless it is there. */
export function addOnce(keys: Lanes[], a: number, b: number): void {
  for (const key of keys) if (key.a === a && key.b === b) return;
  keys.push({ a, b });
}
