/**
 * Second step of building the index: the terms of all partitions become the dictionary.
 *
 * @module
 */

import { type SearchShape, termLanes, TERMS_PATH } from "../shared/layout.ts";
import { encodeTerms } from "../shared/terms_file.ts";
import { NOISE_WORDS } from "../shared/tokenizer.ts";
import { ClassCounts, CLASSES, readTerms } from "./spill.ts";
import { type FileSum, writePacked } from "./written.ts";

/** What the lists need to know of a common term: its file, and the lowest class its best are in. */
export type CommonTerms = Record<string, [ordinal: number, lowestClass: number]>;

/** What to merge. Plain data: a worker is posted it. */
export interface MergeTask {
  /** Where the steps of a build leave things for each other. */
  dir: string;
  /** The snapshot's folder. */
  to: string;
  partitions: readonly number[];
  shape: SearchShape;
}

/** What came of it. */
export interface Merged {
  terms: number;
  heads: number;
  sum: FileSum;
}

/** Makes the index's folders, writes the dictionary, and the common terms for {@link readCommonTerms}. */
export function mergeTerms({ dir, to, partitions, shape }: MergeTask): Merged {
  for (const name of ["lists", "heads"]) {
    Deno.mkdirSync(`${to}/search/${name}`, { recursive: true });
  }
  const ids = new Map<string, number>();
  const byClass = new ClassCounts();
  for (const partition of partitions) {
    const idOf = Uint32Array.from(readTerms(dir, partition), (term) => {
      const id = ids.get(term) ?? ids.size;
      if (id === ids.size) ids.set(term, id);
      return id;
    });
    const counts = new Uint32Array(Deno.readFileSync(`${dir}/${partition}.counts`).buffer);
    for (let i = 0; i < counts.length; i += 3) {
      byClass.add(idOf[counts[i]!]!, counts[i + 1]!, counts[i + 2]!);
    }
  }
  const terms = [...ids.keys()].sort();
  const totals = new Uint32Array(terms.length);
  const described: CommonTerms = Object.create(null);
  let ordinal = 0;
  terms.forEach((term, i) => {
    const classes = byClass.of(ids.get(term)!);
    for (const carriers of classes) totals[i]! += carriers;
    if (totals[i]! > shape.rare) described[term] = [ordinal++, lowestClass(classes, shape.head)];
  });
  Deno.writeTextFileSync(`${dir}/common.json`, JSON.stringify(described));
  const sum = writePacked(to, { path: TERMS_PATH, bytes: encodeTerms(terms, totals) });
  return { terms: terms.length, heads: ordinal, sum };
}

/** The common terms that {@link mergeTerms} found. */
export function readCommonTerms(dir: string): Map<string, [ordinal: number, lowestClass: number]> {
  return new Map(
    Object.entries(JSON.parse(Deno.readTextFileSync(`${dir}/common.json`)) as CommonTerms),
  );
}

function lowestClass(sums: Uint32Array, wanted: number): number {
  let rankClass = CLASSES - 1;
  let found = sums[rankClass]!;
  while (rankClass > 0 && found < wanted) found += sums[--rankClass]!;
  return rankClass;
}

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
