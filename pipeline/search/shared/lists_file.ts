/**
 * Files of posting lists, in columns, with everything that a search result shows of a carrier. Web APIs only.
 *
 * @module
 */

import type { Place, Places } from "./places_file.ts";

/** Ends a name in the text of an entry. */
export const LINE_FEED = 10;

/** Numbers of a raw entry, in 4 bytes each: USDOT number, {@link packSize}, place. */
const COLUMNS = 3;

const FLEET_BITS = 24;

/** Two bits, for four steps each time the number of inspections doubles. */
const STEP_BITS = 2;

/**
 * A carrier's size as one number: `(power units + 1) * 2 + active` in the low 24 bits, its
 * {@link inspectionStep} above.
 */
export function packSize(
  { units, active, step }: { units: number; active: boolean; step: number },
): number {
  return ((units + 1) * 2 + (active ? 1 : 0) + step * 2 ** FLEET_BITS) >>> 0;
}

/** A number of inspections on a compact scale: exact up to 8, then four steps each time the number doubles. */
export function inspectionStep(inspections: number): number {
  if (inspections < 2 ** STEP_BITS) return inspections;
  const doublings = 31 - Math.clz32(inspections) - STEP_BITS;
  return (doublings << STEP_BITS) + (inspections >> doublings);
}

/** Where a raw entry has its static rank, a double, and the length of its text. */
export const RAW_RANK = 4 * COLUMNS;
export const RAW_SIZE = RAW_RANK + 8;

/** Bytes of a raw entry before its text, which is UTF-8 `name LF dba LF`. */
export const RAW_HEAD = RAW_SIZE + 2;

/**
 * Lays out a file, not compressed: see FORMAT.md.
 *
 * @param lists In ascending order of key; each has the `entries` from `start` up to, but not including,
 * `end`.
 * @param entries Offsets of raw entries in `raw`, see {@link RAW_HEAD}.
 */
export function encodeLists(
  lists: readonly { key: number; start: number; end: number }[],
  { entries, raw }: { entries: Uint32Array; raw: Uint8Array },
): Uint8Array {
  const count = lists.length;
  let total = 0;
  let textBytes = 0;
  for (const { start, end } of lists) {
    total += end - start;
    for (let i = start; i < end; i++) textBytes += textSize(raw, entries[i]!);
  }
  let row = 8 + count * 8;
  let at = row + total * 4 * COLUMNS;
  const bytes = new Uint8Array(at + textBytes);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, count, true);
  view.setUint32(4, total, true);
  lists.forEach(({ key, start, end }, i) => {
    // The lowest bytes of all numbers come first, then their second bytes, and so on: the upper bytes are
    // mostly 0, and such runs compress well.
    for (let plane = 0; plane < 4; plane++) {
      bytes[8 + plane * count + i] = key >>> (8 * plane);
      bytes[8 + (4 + plane) * count + i] = (end - start) >>> (8 * plane);
    }
    for (let i = start; i < end; i++, row++) {
      const entry = entries[i]!;
      for (let byte = 0; byte < 4 * COLUMNS; byte++) bytes[row + byte * total] = raw[entry + byte]!;
      const textEnd = at + textSize(raw, entry);
      for (let from = entry + RAW_HEAD; at < textEnd;) bytes[at++] = raw[from++]!;
    }
  });
  return bytes;
}

function textSize(raw: Uint8Array, entry: number): number {
  return raw[entry + RAW_SIZE]! + raw[entry + RAW_SIZE + 1]! * 256;
}

export interface ListEntry extends Place {
  dot: number;
  name: string;
  dba_name: string;
  /** -1 where not filed. */
  power_units: number;
  active: boolean;
}

/** A posting list in its file: rows of the columns, and where the text of the first row starts. */
export interface ListRows {
  file: ListFile;
  from: number;
  to: number;
  text: number;
}

const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });
const LINES_PER_ROW = 2;

/**
 * A decompressed file of posting lists. Rows are read from the bytes; only carriers in a result become
 * objects.
 */
export class ListFile {
  readonly bytes: Uint8Array;
  readonly #keys: Uint32Array;
  /** For each list, its first row and the offset of that row's text. One more element has the ends. */
  readonly #rows: Uint32Array;
  readonly #texts: Uint32Array;
  readonly #columns: number;
  readonly #total: number;

  /** @throws {TypeError} When the bytes are not such a file. */
  constructor(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const count = bytes.length < 8 ? NaN : view.getUint32(0, true);
    const total = bytes.length < 8 ? NaN : view.getUint32(4, true);
    const columns = 8 + count * 8;
    let at = columns + total * 4 * COLUMNS;
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
      this.#keys[i] = numberAt(bytes, 8 + i, count);
      this.#texts[i] = at;
      const length = numberAt(bytes, 8 + 4 * count + i, count);
      if (this.#rows[i]! + length > total) {
        throw new TypeError("Cannot read search lists: a list is too long");
      }
      this.#rows[i + 1] = this.#rows[i]! + length;
      at = afterLines(bytes, at, length * LINES_PER_ROW);
    }
    if (at !== bytes.length || this.#rows[count] !== total) {
      throw new TypeError("Cannot read search lists: text is missing");
    }
    this.#texts[count] = at;
  }

  /** Estimated bytes of memory. */
  get size(): number {
    return this.bytes.length + 12 * this.#keys.length;
  }

  list(key: number): ListRows | undefined {
    // When lists of two kinds have the same key by chance, finds the last one.
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

  dot(row: number): number {
    return this.#number(0, row);
  }

  /** Where the carrier of a row is, as a number of {@link Places}. */
  place(row: number): number {
    return this.#number(2, row);
  }

  /** Power units of a row, -1 where not filed. */
  powerUnits(row: number): number {
    return (this.#size(row) % 2 ** FLEET_BITS >>> 1) - 1;
  }

  /** Whether the carrier of a row is active. */
  active(row: number): boolean {
    return this.#size(row) % 2 === 1;
  }

  /** The {@link inspectionStep} of a row, 0 in an index of version 5. */
  inspected(row: number): number {
    return this.#size(row) >>> FLEET_BITS;
  }

  /** The carrier of a row whose text starts at `text`. */
  entry(row: number, text: number, places: Places): ListEntry {
    const end = afterLines(this.bytes, text, LINES_PER_ROW) - 1;
    const lines = DECODER.decode(this.bytes.subarray(text, end)).split("\n");
    const [name, dba_name] = lines as [string, string];
    const { city, state } = places.get(this.place(row));
    return {
      dot: this.dot(row),
      name,
      dba_name,
      city,
      state,
      power_units: this.powerUnits(row),
      active: this.active(row),
    };
  }

  #size(row: number): number {
    return this.#number(1, row);
  }

  #number(column: number, row: number): number {
    return numberAt(this.bytes, this.#columns + 4 * column * this.#total + row, this.#total);
  }
}

/** A number stored in four planes. */
function numberAt(bytes: Uint8Array, at: number, plane: number): number {
  return (bytes[at]! | bytes[at + plane]! << 8 | bytes[at + 2 * plane]! << 16 |
    bytes[at + 3 * plane]! << 24) >>> 0;
}

/** The offset after `lines` line feeds; beyond the end when there are fewer. */
function afterLines(bytes: Uint8Array, from: number, lines: number): number {
  let at = from;
  for (let left = lines; left > 0; at++) {
    if (at >= bytes.length) return bytes.length + 1;
    if (bytes[at] === LINE_FEED) left--;
  }
  return at;
}
