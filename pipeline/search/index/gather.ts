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

/** Writes the list files and heads of one group; each bucket has its file, an empty one too. */
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
 * Groups the postings of a file into lists: sorted as plain numbers, since a country has millions. Keys
 * of two kinds may be the same by chance: the kind decides then, not the order of rows.
 *
 * @param postings Their offsets.
 * @param caps Entries kept in a list, by its kind.
 * @returns Lists in ascending order of key; offsets of raw entries, list after list.
 */
export function groupPostings(
  postings: readonly number[],
  { view, caps }: { view: DataView; caps: readonly number[] },
): { lists: PostingList[]; entries: Uint32Array } {
  // Numbers of 64 bits, lower half first: the key above the kind above the position among the postings.
  const sorted = new BigUint64Array(postings.length);
  const halves = new Uint32Array(sorted.buffer);
  for (let i = 0; i < postings.length; i++) {
    const kind = view.getUint32(postings[i]!, true) >>> FILE_BITS;
    halves[2 * i] = kind << FILE_BITS | i;
    halves[2 * i + 1] = view.getUint32(postings[i]! + 4, true);
  }
  sorted.sort();
  const entries = new Uint32Array(postings.length);
  const lists: PostingList[] = [];
  let list: PostingList | undefined;
  for (let i = 0; i < entries.length; i++) {
    const kind = halves[2 * i]! >>> FILE_BITS;
    const key = halves[2 * i + 1]!;
    if (list?.key !== key || list.kind !== kind) lists.push(list = { kind, key, start: i, end: i });
    list.end = i + 1;
    entries[i] = postings[halves[2 * i]! & FILE_MASK]! + RAW_AT;
  }
  for (const list of lists) {
    sortByRank(entries, list, view);
    list.end = Math.min(list.end, list.start + caps[list.kind]!);
  }
  return { lists, entries };
}

/** Lists up to this long are sorted by insertion alone: most have two or three carriers. */
const SHORT = 16;

/** Sorts raw entries by static rank, then USDOT number. */
function sortByRank(entries: Uint32Array, { start, end }: PostingList, view: DataView): void {
  if (end - start > SHORT) presort(entries.subarray(start, end), view);
  for (let i = start + 1; i < end; i++) {
    const entry = entries[i]!;
    const rank = view.getFloat64(entry + RAW_RANK, true);
    let to = i;
    for (; to > start; to--) {
      const before = entries[to - 1]!;
      const ahead = rank - view.getFloat64(before + RAW_RANK, true);
      if (ahead < 0) break;
      if (ahead === 0 && view.getUint32(entry, true) > view.getUint32(before, true)) break;
      entries[to] = before;
    }
    entries[to] = entry;
  }
}

/** Bits of a position in a list: a rank has 39. */
const POSITION_BITS = 25;
const POSITION_MASK = (1 << POSITION_BITS) - 1;

/** Sorts by static rank alone; equal ones stay in order, and that is by USDOT number in a build. */
function presort(entries: Uint32Array, view: DataView): void {
  const sorted = new BigUint64Array(entries.length);
  const halves = new Uint32Array(sorted.buffer);
  for (let i = 0; i < entries.length; i++) {
    // 39 bits, the best lowest, above those of its position.
    const rank = 2 ** 39 - 1 - view.getFloat64(entries[i]! + RAW_RANK, true);
    halves[2 * i] = rank % 2 ** 7 << POSITION_BITS | i;
    halves[2 * i + 1] = Math.floor(rank / 2 ** 7);
  }
  sorted.sort();
  const unsorted = entries.slice();
  for (let i = 0; i < entries.length; i++) {
    entries[i] = unsorted[halves[2 * i]! & POSITION_MASK]!;
  }
}
