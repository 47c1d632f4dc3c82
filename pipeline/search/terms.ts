/**
 * Second step of building the index: the terms of all partitions become the dictionary.
 *
 * @module
 */

import { ClassCounts, CLASSES } from "./class_counts.ts";
import { encodeTerms } from "./dictionary_file.ts";
import { type SearchShape, TERMS_PATH } from "./manifest.ts";
import { readTerms } from "./spill.ts";
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
