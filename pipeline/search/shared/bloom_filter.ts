/**
 * The Bloom filter over the keys of names: thousands of guesses at a misspelled name cost no fetch. Web
 * APIs only.
 *
 * @module
 */

import { type ListKey, mixBits } from "./layout.ts";

// One false positive in 11,000; 16 bits and 8 probes have one in 1,700, and a query may try 10,000 names.
const BITS_PER_NAME = 20;
const PROBES = 10;

/** The filter of a group of buckets. */
export function buildFilter(names: readonly ListKey[]): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(names.length * BITS_PER_NAME / 8));
  for (const name of names) {
    const step = stepOf(name);
    for (let i = 0; i < PROBES; i++) {
      const bit = ((name.key + i * step) >>> 0) % (bytes.length * 8);
      bytes[bit >>> 3]! |= 1 << (bit & 7);
    }
  }
  return bytes;
}

/** Lays out the filters of all groups: their number, the bytes of each, the filters. */
export function joinFilters(filters: readonly Uint8Array[]): Uint8Array {
  const head = 4 + 4 * filters.length;
  const bytes = new Uint8Array(filters.reduce((sum, { length }) => sum + length, head));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, filters.length, true);
  let at = head;
  filters.forEach((filter, i) => {
    view.setUint32(4 + 4 * i, filter.length, true);
    bytes.set(filter, at);
    at += filter.length;
  });
  return bytes;
}

/** Which names may exist. */
export class NameFilter {
  readonly #groups: Uint8Array[] = [];

  /** @throws {TypeError} When the bytes are not such a file. */
  constructor(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const groups = bytes.length < 4 ? 0 : view.getUint32(0, true);
    if (groups === 0 || 4 + 4 * groups > bytes.length) {
      throw new TypeError("Cannot read search names: too short");
    }
    let at = 4 + 4 * groups;
    for (let i = 0; i < groups; i++) {
      const length = view.getUint32(4 + 4 * i, true);
      this.#groups.push(bytes.subarray(at, at + length));
      at += length;
    }
    if (at !== bytes.length) throw new TypeError("Cannot read search names: lengths do not add up");
  }

  /** False only when no carrier has the name. */
  mayHave(name: ListKey): boolean {
    const filter = this.#groups[name.bucket % this.#groups.length]!;
    const bits = filter.length * 8;
    if (bits === 0) return false;
    const step = stepOf(name);
    for (let i = 0; i < PROBES; i++) {
      const bit = ((name.key + i * step) >>> 0) % bits;
      if ((filter[bit >>> 3]! & 1 << (bit & 7)) === 0) return false;
    }
    return true;
  }
}

/** The second hash of double hashing (Kirsch and Mitzenmacher, 2006). */
function stepOf({ bucket, key }: ListKey): number {
  return (mixBits(key ^ Math.imul(bucket + 1, 0x9e3779b9)) | 1) >>> 0;
}
