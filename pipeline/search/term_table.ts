/**
 * The terms of one partition, by the numbers its rows name them by.
 *
 * @module
 */

import { NOISE_WORDS } from "./fold.ts";
import { termLanes } from "./key.ts";
import { readTerms } from "./spill.ts";
import { readCommonTerms } from "./terms.ts";

/** What is known of the terms, as columns. */
export interface TermTable {
  a: Uint32Array;
  b: Uint32Array;
  /** 1 for a noise word. */
  noise: Uint8Array;
  /** The place among the common terms, -1 for a rare term. */
  ordinal: Int32Array;
  /** Of a common term: the lowest class its best carriers are in. */
  lowestClass: Uint8Array;
}

/** Reads the terms of a partition. */
export function readTermTable(dir: string, partition: number): TermTable {
  const terms = readTerms(dir, partition);
  const size = terms.length;
  const common = readCommonTerms(dir);
  const table: TermTable = {
    a: new Uint32Array(size),
    b: new Uint32Array(size),
    noise: new Uint8Array(size),
    ordinal: new Int32Array(size).fill(-1),
    lowestClass: new Uint8Array(size),
  };
  for (let id = 0; id < size; id++) {
    const term = terms[id]!;
    const { a, b } = termLanes(term);
    table.a[id] = a;
    table.b[id] = b;
    if (NOISE_WORDS.has(term)) table.noise[id] = 1;
    const head = common.get(term);
    if (head !== undefined) [table.ordinal[id], table.lowestClass[id]] = head;
  }
  return table;
}
