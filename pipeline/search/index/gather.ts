/**
 * Step 4 of the index build: the postings of a group of files, from all partitions, become files of
 * posting lists.
 *
 * @module
 */

import { existsSync } from "node:fs";
import { concat } from "../../bytes.ts";
import { gzip, type ObjectSum, writeObject } from "../../snapshot/writer.ts";
import { buildFilter } from "../shared/bloom_filter.ts";
import { headPath, type ListKey, ListKind, listsPath } from "../shared/layout.ts";
import { encodeLists, RAW_RANK } from "../shared/lists_file.ts";
import { FILE_BITS, FILE_MASK, HEAD_KIND, POSTING_HEAD, POSTING_SIZE, RAW_AT } from "./scatter.ts";
import type { SearchShape } from "./terms.ts";

/** What to gather. Plain data: a worker receives it as a message. */
export interface GatherTask {
  group: number;
  groups: number;
  buckets: number;
  partitions: readonly number[];
  dir: string;
  to: string;
  shape: SearchShape;
}

/** The files of a group as written. */
export interface GatheredLists {
  group: number;
  sums: ObjectSum[];
  /** The group's part of the Bloom filter of names. */
  filter: Uint8Array;
}

/** Writes the list files and heads of one group. Each bucket has a file, even when it has no lists. */
export function gather(task: GatherTask): GatheredLists {
  const bytes = readPostings(task);
  const caps = [0, task.shape.name, task.shape.part, task.shape.rare, task.shape.head];
  const names: ListKey[] = [];
  const sums: ObjectSum[] = [];
  const view = new DataView(bytes.buffer);
  const { buckets, heads } = postingsByFile(view, task);
  const write = (path: string, postings: number[]): PostingList[] => {
    const { lists, entries } = groupPostings(postings, { view, caps });
    sums.push(writeObject(task.to, path, gzip(encodeLists(lists, { entries, raw: bytes }))));
    return lists;
  };
  for (const [ordinal, postings] of heads) write(headPath(ordinal), postings);
  for (const [bucket, postings] of buckets) {
    for (const { kind, key } of write(listsPath(bucket), postings)) {
      if (kind === ListKind.Name) names.push({ bucket, key });
    }
  }
  return { group: task.group, sums, filter: buildFilter(names) };
}

function readPostings({ dir, group, partitions }: GatherTask): Uint8Array<ArrayBuffer> {
  const parts = partitions.flatMap((partition) => {
    const path = `${dir}/${group}.${partition}.postings`;
    if (!existsSync(path)) return []; // No postings
    const bytes = Deno.readFileSync(path);
    Deno.removeSync(path);
    return bytes;
  });
  return concat(parts, parts.reduce((sum, { length }) => sum + length, 0));
}

/** Offsets of the postings of each file, so that a file's postings are near in memory and cached. */
function postingsByFile(
  view: DataView,
  { group, groups, buckets }: GatherTask,
): Record<"buckets" | "heads", Map<number, number[]>> {
  const files = { buckets: new Map<number, number[]>(), heads: new Map<number, number[]>() };
  for (let bucket = group; bucket < buckets; bucket += groups) files.buckets.set(bucket, []);
  for (
    let at = 0;
    at < view.byteLength;
    at += POSTING_HEAD + view.getUint16(at + POSTING_SIZE, true)
  ) {
    const file = view.getUint32(at, true);
    const of = file >>> FILE_BITS === HEAD_KIND ? files.heads : files.buckets;
    const number = file & FILE_MASK;
    const postings = of.get(number);
    if (postings === undefined) of.set(number, [at]);
    else postings.push(at);
  }
  return files;
}

/** A posting list of a file: its entries, best first, are those from `start` to `end`. */
interface PostingList {
  kind: number;
  key: number;
  start: number;
  end: number;
}

/**
 * Groups the postings of a file into lists. Keys of two kinds may be the same by chance: the kind decides
 * then, not the order of rows.
 *
 * @param postings Their offsets, by USDOT number.
 * @param caps Entries kept in a list, by its kind.
 * @returns Lists in ascending order of key; offsets of raw entries, list after list.
 */
export function groupPostings(
  postings: readonly number[],
  { view, caps }: { view: DataView; caps: readonly number[] },
): { lists: PostingList[]; entries: Uint32Array } {
  const { length } = postings;
  const ranks = new Float64Array(length);
  for (let i = 0; i < length; i++) {
    ranks[i] = HIGHEST_RANK - view.getFloat64(postings[i]! + RAW_AT + RAW_RANK, true);
  }
  const byRank = ascending(ranks);
  const keys = new Float64Array(length);
  for (let i = 0; i < length; i++) {
    const at = postings[byRank[i]!]!;
    keys[i] = view.getUint32(at + 4, true) * KINDS + (view.getUint32(at, true) >>> FILE_BITS);
  }
  const order = ascending(keys);
  const entries = new Uint32Array(length);
  const lists: PostingList[] = [];
  let last = NaN;
  for (let i = 0; i < length; i++) {
    const key = keys[order[i]!]!;
    entries[i] = postings[byRank[order[i]!]!]! + RAW_AT;
    if (key !== last) {
      lists.push({ kind: key % KINDS, key: Math.floor(key / KINDS), start: i, end: i });
    }
    last = key;
    const list = lists.at(-1)!;
    if (i < list.start + caps[list.kind]!) list.end = i + 1;
  }
  return { lists, entries };
}

/** Highest static rank; number of kinds. A 39-bit number and a 25-bit position fit in 64 bits. */
const HIGHEST_RANK = 2 ** 39 - 1;
const KINDS = 8;
const POSITION_BITS = 25;
const POSITION_MASK = (1 << POSITION_BITS) - 1;
const LOW = 2 ** (32 - POSITION_BITS);

/** The positions of 39-bit numbers in ascending order of the numbers; equal numbers keep their order. */
function ascending(numbers: Float64Array): Uint32Array {
  // Packs each number with its position in its lower bits, to sort integers without a comparator: there are
  // millions of them nationally.
  const sorted = new BigUint64Array(numbers.length);
  const halves = new Uint32Array(sorted.buffer);
  for (let i = 0; i < numbers.length; i++) {
    halves[2 * i] = numbers[i]! % LOW << POSITION_BITS | i;
    halves[2 * i + 1] = Math.floor(numbers[i]! / LOW);
  }
  sorted.sort();
  const positions = new Uint32Array(numbers.length);
  for (let i = 0; i < positions.length; i++) positions[i] = halves[2 * i]! & POSITION_MASK;
  return positions;
}
