/**
 * Second step of building the index: the terms of all partitions become the dictionary.
 *
 * @module
 */

import { encodeTerms } from "./dictionary_file.ts";
import { type SearchShape, TERMS_PATH } from "./manifest.ts";
import { CLASSES } from "./spill.ts";
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

/** Writes the dictionary, and the common terms for {@link readCommonTerms}. */
export function mergeTerms({ dir, to, partitions, shape }: MergeTask): Merged {
  const totals = new Map<string, number>();
  eachLine(dir, partitions, (term, figures) => {
    totals.set(term, (totals.get(term) ?? 0) + parseInt(figures));
  });
  const terms = [...totals.keys()].sort();
  const counts = Uint32Array.from(terms, (term) => totals.get(term)!);
  const common = new Map<string, Uint32Array>();
  terms.forEach((term, i) => {
    if (counts[i]! > shape.rare) common.set(term, new Uint32Array(CLASSES));
  });
  eachLine(dir, partitions, (term, figures) => {
    const sums = common.get(term);
    if (sums === undefined) return;
    const classes = figures.split("\t");
    for (let i = 1; i < classes.length; i += 2) sums[Number(classes[i])]! += Number(classes[i + 1]);
  });
  const described: CommonTerms = Object.create(null);
  let ordinal = 0;
  for (const [term, sums] of common) described[term] = [ordinal++, lowestClass(sums, shape.head)];
  Deno.writeTextFileSync(`${dir}/common.json`, JSON.stringify(described));
  const sum = writePacked(to, { path: TERMS_PATH, bytes: encodeTerms(terms, counts) });
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

function eachLine(
  dir: string,
  partitions: readonly number[],
  take: (term: string, figures: string) => void,
): void {
  for (const partition of partitions) {
    for (const line of Deno.readTextFileSync(`${dir}/${partition}.terms`).split("\n")) {
      const tab = line.indexOf("\t");
      if (tab > 0) take(line.slice(0, tab), line.slice(tab + 1));
    }
  }
}
