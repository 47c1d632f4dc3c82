/**
 * Files of lists as they are read: bytes stay bytes, and a carrier becomes an object only when it is in
 * an answer. Web APIs only.
 *
 * @module
 */

import { LINE_FEED } from "./folded_text.ts";

/** A carrier of a list. */
export interface Entry {
  dot: number;
  name: string;
  dba: string;
  city: string;
  state: string;
  /** -1 where not filed. */
  powerUnits: number;
  active: boolean;
}

/** A list in its file: rows of the columns, and where the text of the first row starts. */
export interface ListRows {
  file: ListFile;
  from: number;
  to: number;
  text: number;
}

const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });
const LINES_OF_ROW = 3;

/** An unpacked file of lists: see FORMAT.md. */
export class ListFile {
  readonly bytes: Uint8Array;
  readonly #keys: Uint32Array;
  /** By list, its first row and where its text starts; after the last, the ends. */
  readonly #rows: Uint32Array;
  readonly #texts: Uint32Array;
  readonly #columns: number;
  readonly #total: number;

  /** @throws {TypeError} When the bytes are no such file. */
  constructor(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const count = bytes.length < 8 ? NaN : view.getUint32(0, true);
    const total = bytes.length < 8 ? NaN : view.getUint32(4, true);
    const columns = 8 + count * 8;
    let at = columns + total * 8;
    if (!(at <= bytes.length)) {
      throw new TypeError("Cannot read search lists: the file is too short");
    }
    this.bytes = bytes;
    this.#columns = columns;
    this.#total = total;
    this.#keys = new Uint32Array(count);
    this.#rows = new Uint32Array(count + 1);
    this.#texts = new Uint32Array(count + 1);
    for (let i = 0; i < count; i++) {
      this.#keys[i] = view.getUint32(8 + 8 * i, true);
      this.#texts[i] = at;
      const length = view.getUint32(12 + 8 * i, true);
      if (this.#rows[i]! + length > total) {
        throw new TypeError("Cannot read search lists: a list is too long");
      }
      this.#rows[i + 1] = this.#rows[i]! + length;
      at = afterLines(bytes, at, length * LINES_OF_ROW);
    }
    if (at !== bytes.length || this.#rows[count] !== total) {
      throw new TypeError("Cannot read search lists: text is missing");
    }
    this.#texts[count] = at;
  }

  /** Bytes held, about. */
  get size(): number {
    return this.bytes.length + 12 * this.#keys.length;
  }

  /** The list of a key. */
  list(key: number): ListRows | undefined {
    // The last where two kinds of list have one key by chance.
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#keys[middle]! <= key) low = middle + 1;
      else high = middle;
    }
    const i = low - 1;
    if (this.#keys[i] !== key) return undefined;
    return { file: this, from: this.#rows[i]!, to: this.#rows[i + 1]!, text: this.#texts[i]! };
  }

  /** USDOT number of a row. */
  dot(row: number): number {
    return this.#number(this.#columns + row);
  }

  /** Power units of a row, -1 where not filed. */
  powerUnits(row: number): number {
    return Math.floor(this.#fleet(row) / 2) - 1;
  }

  /** Whether the carrier of a row is active. */
  active(row: number): boolean {
    return this.#fleet(row) % 2 === 1;
  }

  /** The carrier of a row whose text starts at `text`. */
  entry(row: number, text: number): Entry {
    const end = afterLines(this.bytes, text, LINES_OF_ROW) - 1;
    const [name, dba, place] = DECODER.decode(this.bytes.subarray(text, end)).split("\n") as [
      string,
      string,
      string,
    ];
    const tab = place.indexOf("\t");
    return {
      dot: this.dot(row),
      name,
      dba,
      city: place.slice(0, tab),
      state: place.slice(tab + 1),
      powerUnits: this.powerUnits(row),
      active: this.active(row),
    };
  }

  #fleet(row: number): number {
    return this.#number(this.#columns + 4 * this.#total + row);
  }

  /** A number of four planes: see FORMAT.md. */
  #number(at: number): number {
    const { bytes } = this;
    const plane = this.#total;
    return (bytes[at]! | bytes[at + plane]! << 8 | bytes[at + 2 * plane]! << 16 |
      bytes[at + 3 * plane]! << 24) >>> 0;
  }
}

/** The offset after so many line feeds; beyond the end when there are fewer. */
function afterLines(bytes: Uint8Array, from: number, lines: number): number {
  let at = from;
  for (let left = lines; left > 0; at++) {
    if (at >= bytes.length) return bytes.length + 1;
    if (bytes[at] === LINE_FEED) left--;
  }
  return at;
}
