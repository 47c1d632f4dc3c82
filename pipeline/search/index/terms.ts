/**
 * Step 2 of the index build: merges the terms of all partitions into the dictionary, and their places.
 *
 * @module
 */

import { gzip, type ObjectSum, writeObject } from "../../snapshot/writer.ts";
import { CITY_MARK, hashTerm, PLACES_PATH, TERMS_PATH } from "../shared/layout.ts";
import { encodePlaces } from "../shared/places_file.ts";
import { encodeTerms } from "../shared/terms_file.ts";
import { TextIds } from "../../text_ids.ts";
import { DBA, isStopWord } from "../shared/tokenizer.ts";
import { ClassCounts, CLASSES, readLines, readNumbers, writeNumbers } from "./spill.ts";

/** Sizes that shape an index; tests make them tiny to reach the limits. */
export interface SearchShape {
  /** Approximate carriers per file of lists. */
  carriersPerBucket: number;
  /** A term with more carriers than this is common, and its own file lists its best carriers. */
  rare: number;
  /** Carriers listed for a common term. */
  head: number;
  /** Carriers listed for a part of names. */
  part: number;
  /** Carriers listed for one name. */
  name: number;
}

/** What to merge. Plain data: a worker receives it as a message. */
export interface MergeTask {
  /** The folder in which the steps of a build leave files for each other. */
  dir: string;
  /** The snapshot's folder. */
  to: string;
  partitions: readonly number[];
  shape: SearchShape;
}

export interface MergedTerms {
  terms: number;
  /** Common terms. */
  heads: number;
  sums: ObjectSum[];
}

/**
 * Creates the folders of the index. Writes its dictionary, its places and the files for
 * {@link readTermTable}.
 */
export function mergeTerms(task: MergeTask): MergedTerms {
  for (const name of ["lists", "heads"]) {
    Deno.mkdirSync(`${task.to}/search/${name}`, { recursive: true });
  }
  const { sum, ...merged } = writeTerms(task);
  return { ...merged, sums: [sum, writePlaces(task)] };
}

function writeTerms(
  { dir, to, partitions, shape }: MergeTask,
): Omit<MergedTerms, "sums"> & { sum: ObjectSum } {
  const ids = new TextIds();
  const byClass = new ClassCounts();
  const idsOf = partitions.map((partition) => {
    const idOf = Uint32Array.from(readLines(`${dir}/${partition}.terms`), (term) => ids.of(term));
    const counts = readNumbers(`${dir}/${partition}.counts`);
    for (let i = 0; i < counts.length; i += 3) {
      byClass.add(idOf[counts[i]!]!, counts[i + 1]!, counts[i + 2]!);
    }
    return idOf;
  });
  const { texts } = ids;
  const sorted = Uint32Array.from(texts, (_, id) => id)
    .sort((a, b) => texts[a]! < texts[b]! ? -1 : 1);
  const common = new Uint32Array(texts.length);
  let heads = 0;
  const totals = sorted.map((id) => {
    const classes = byClass.of(id);
    const carriers = classes.reduce((sum, count) => sum + count, 0);
    if (carriers > shape.rare) common[id] = ++heads * CLASSES + lowestClass(classes, shape.head);
    return carriers;
  });
  partitions.forEach((partition, i) => {
    writeNumbers(`${dir}/${partition}.common`, idsOf[i]!.map((id) => common[id]!));
  });
  const terms = Array.from(sorted, (id) => texts[id]!);
  const sum = writeObject(to, TERMS_PATH, gzip(encodeTerms(terms, totals)));
  return { terms: terms.length, heads, sum };
}

/**
 * Numbers the places by descending number of carriers, so that most entries store a number with upper bytes
 * of 0.
 */
function writePlaces({ dir, to, partitions }: MergeTask): ObjectSum {
  const ids = new TextIds();
  const carriers: number[] = [];
  const idsOf = partitions.map((partition) => {
    const idOf = Uint32Array.from(readLines(`${dir}/${partition}.places`), (text) => ids.of(text));
    readNumbers(`${dir}/${partition}.carriers`).forEach((count, i) => {
      carriers[idOf[i]!] = (carriers[idOf[i]!] ?? 0) + count;
    });
    return idOf;
  });
  const { texts } = ids;
  const sorted = carriers.map((_, id) => id)
    .sort((a, b) => carriers[b]! - carriers[a]! || (texts[a]! < texts[b]! ? -1 : 1));
  const numbers = new Uint32Array(sorted.length);
  sorted.forEach((id, number) => numbers[id] = number);
  partitions.forEach((partition, i) => {
    writeNumbers(`${dir}/${partition}.places`, idsOf[i]!.map((id) => numbers[id]!));
  });
  return writeObject(to, PLACES_PATH, gzip(encodePlaces(sorted.map((id) => texts[id]!))));
}

function lowestClass(sums: Uint32Array, wanted: number): number {
  let rankClass = CLASSES - 1;
  let found = sums[rankClass]!;
  while (rankClass > 0 && found < wanted) found += sums[--rankClass]!;
  return rankClass;
}

/** The terms of one partition by the ids its rows use, as columns. */
export interface TermTable {
  /** Hashes of the terms. */
  a: Uint32Array;
  b: Uint32Array;
  /** 1 for a stop word except at the beginning of a name, 2 for one anywhere. */
  stop: Uint8Array;
  /** The term "dba", -1 where there is none. */
  dba: number;
  /** 1 for a city. */
  city: Uint8Array;
  /** The position among the common terms, -1 for a rare term. */
  ordinal: Int32Array;
  /** For a common term, the lowest class among its best carriers. */
  lowestClass: Uint8Array;
  /** For each place number in the partition, its number in the index. */
  places: Uint32Array;
}

/** Reads the terms of a partition, after {@link mergeTerms}. */
export function readTermTable(dir: string, partition: number): TermTable {
  const common = readNumbers(`${dir}/${partition}.common`);
  const terms = readLines(`${dir}/${partition}.terms`);
  const size = terms.length;
  const table: TermTable = {
    a: new Uint32Array(size),
    b: new Uint32Array(size),
    stop: new Uint8Array(size),
    dba: terms.indexOf(DBA),
    city: new Uint8Array(size),
    ordinal: Int32Array.from(common, (packed) => Math.floor(packed / CLASSES) - 1),
    lowestClass: Uint8Array.from(common, (packed) => packed % CLASSES),
    places: readNumbers(`${dir}/${partition}.places`),
  };
  terms.forEach((term, id) => {
    const { a, b } = hashTerm(term);
    table.a[id] = a;
    table.b[id] = b;
    table.stop[id] = Number(isStopWord(term, 0)) + Number(isStopWord(term, 1));
    if (term.startsWith(CITY_MARK)) table.city[id] = 1;
  });
  return table;
}
