/**
 * The postings of one file, put together by list: sorted as plain numbers, since a country has millions.
 *
 * @module
 */

import { FILE_BITS, FILE_MASK, RAW_AT } from "./scatter.ts";

/** A list of a file: its entries, best first, are those of {@link FileLists} from `start` to `end`. */
export interface ListOf {
  kind: number;
  key: number;
  start: number;
  end: number;
}

/** The lists of a file. */
export interface FileLists {
  /** In ascending order of key. */
  lists: ListOf[];
  /** Offsets of raw entries, list after list. */
  entries: Uint32Array;
}

/** Lists up to this long are sorted by insertion alone: most have two or three carriers. */
const SHORT = 16;

/** Bits of a place in a list: a rank has 39. */
const PLACE_BITS = 25;
const PLACE_MASK = (1 << PLACE_BITS) - 1;

/**
 * Sorts out the postings of a file. Keys of two kinds may be the same by chance: the kind decides then,
 * not the order of rows.
 *
 * @param postings Their offsets.
 * @param caps Entries kept of a list, by its kind.
 */
export function listsOf(
  postings: readonly number[],
  { view, caps }: { view: DataView; caps: readonly number[] },
): FileLists {
  // Numbers of 64 bits, lower half first: the key above the kind above the place among the postings.
  const sorted = new BigUint64Array(postings.length);
  const halves = new Uint32Array(sorted.buffer);
  for (let i = 0; i < postings.length; i++) {
    const kind = view.getUint32(postings[i]!, true) >>> FILE_BITS;
    halves[2 * i] = kind << FILE_BITS | i;
    halves[2 * i + 1] = view.getUint32(postings[i]! + 4, true);
  }
  sorted.sort();
  const entries = new Uint32Array(postings.length);
  const lists: ListOf[] = [];
  let list: ListOf | undefined;
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

/** Sorts raw entries by static rank, then USDOT number. */
function sortByRank(entries: Uint32Array, { start, end }: ListOf, view: DataView): void {
  if (end - start > SHORT) presort(entries.subarray(start, end), view);
  for (let i = start + 1; i < end; i++) {
    const entry = entries[i]!;
    const rank = view.getFloat64(entry + 8, true);
    let to = i;
    for (; to > start; to--) {
      const before = entries[to - 1]!;
      const ahead = rank - view.getFloat64(before + 8, true);
      if (ahead < 0) break;
      if (ahead === 0 && view.getUint32(entry, true) > view.getUint32(before, true)) break;
      entries[to] = before;
    }
    entries[to] = entry;
  }
}

/** Sorts by static rank alone; equal ones stay in order, and that is by USDOT number in a build. */
function presort(entries: Uint32Array, view: DataView): void {
  const sorted = new BigUint64Array(entries.length);
  const halves = new Uint32Array(sorted.buffer);
  for (let i = 0; i < entries.length; i++) {
    // 39 bits, the best lowest, above those of its place.
    const rank = 2 ** 39 - 1 - view.getFloat64(entries[i]! + 8, true);
    halves[2 * i] = rank % 2 ** 7 << PLACE_BITS | i;
    halves[2 * i + 1] = Math.floor(rank / 2 ** 7);
  }
  sorted.sort();
  const before = entries.slice();
  for (let i = 0; i < entries.length; i++) entries[i] = before[halves[2 * i]! & PLACE_MASK]!;
}
