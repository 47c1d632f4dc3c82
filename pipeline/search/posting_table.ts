/**
 * The postings of a group, put together by list: a hash table of numbers, since a country has millions.
 *
 * @module
 */

import { POSTING_HEAD } from "./scatter.ts";

/** A list found: where its postings' offsets stand in {@link PostingTable.members}, once asked for. */
export interface ListOf {
  /** Kind and number of the file, as a posting holds them. */
  file: number;
  key: number;
  /** Its newest posting; the others follow from it. */
  last: number;
}

/** Postings by list. */
export class PostingTable {
  readonly lists: ListOf[] = [];
  readonly #view: DataView;
  readonly #offsets: Uint32Array;
  readonly #before: Int32Array;

  /** @param bytes Postings, one after the other. */
  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.#view = new DataView(bytes.buffer);
    const view = this.#view;
    let count = 0;
    for (let at = 0; at < bytes.length; at += POSTING_HEAD + view.getUint16(at + 24, true)) count++;
    this.#offsets = new Uint32Array(count);
    this.#before = new Int32Array(count);
    const size = 2 ** Math.ceil(Math.log2(count * 2 + 1));
    const slots = new Int32Array(size).fill(-1);
    let at = 0;
    for (let posting = 0; posting < count; posting++) {
      const file = view.getUint32(at, true);
      const key = view.getUint32(at + 4, true);
      this.#offsets[posting] = at;
      let slot = (Math.imul(file, 0x9e3779b9) ^ key) & (size - 1);
      while (slots[slot]! >= 0) {
        const list = this.lists[slots[slot]!]!;
        if (list.key === key && list.file === file) break;
        slot = (slot + 1) & (size - 1);
      }
      if (slots[slot]! < 0) {
        slots[slot] = this.lists.length;
        this.lists.push({ file, key, last: -1 });
      }
      const list = this.lists[slots[slot]!]!;
      this.#before[posting] = list.last;
      list.last = posting;
      at += POSTING_HEAD + view.getUint16(at + 24, true);
    }
  }

  /** Offsets of the best postings of a list, by static rank. */
  best({ last }: ListOf, cap: number): number[] {
    const offsets: number[] = [];
    for (let posting = last; posting >= 0; posting = this.#before[posting]!) {
      offsets.push(this.#offsets[posting]!);
    }
    if (offsets.length === 1) return offsets;
    const view = this.#view;
    const ranked = offsets.map((at) => ({
      at,
      rank: view.getFloat64(at + 16, true),
      dot: view.getUint32(at + 8, true),
    }));
    ranked.sort((a, b) => b.rank - a.rank || a.dot - b.dot);
    return ranked.slice(0, cap).map(({ at }) => at);
  }
}
