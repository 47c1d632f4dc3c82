/**
 * Files of posting lists: carriers with all that a result shows, in columns. Web APIs only.
 *
 * @module
 */

/** Ends a name or a place in the text of an entry; ends a city. */
export const LINE_FEED = 10;
export const TAB = 9;

/**
 * Bytes of a raw entry before its text: USDOT number, fleet `(power units + 1) * 2 + active`, static rank
 * as a double, length of the text, which is UTF-8 `name LF dba LF city TAB state LF`.
 */
export const RAW_HEAD = 18;

/**
 * Lays out a file, not compressed: see FORMAT.md.
 *
 * @param lists In ascending order of key: which of `entries` they have.
 * @param entries Offsets of raw entries in `raw`, see {@link RAW_HEAD}.
 */
export function encodeLists(
  lists: readonly { key: number; start: number; end: number }[],
  { entries, raw }: { entries: Uint32Array; raw: Uint8Array },
): Uint8Array {
  let total = 0;
  let textBytes = 0;
  for (const { start, end } of lists) {
    total += end - start;
    for (let i = start; i < end; i++) textBytes += textSize(raw, entries[i]!);
  }
  const bytes = new Uint8Array(8 + lists.length * 8 + total * 8 + textBytes);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, lists.length, true);
  view.setUint32(4, total, true);
  let head = 8;
  let row = 8 + lists.length * 8;
  let at = row + total * 8;
  for (const { key, start, end } of lists) {
    view.setUint32(head, key, true);
    view.setUint32(head + 4, end - start, true);
    head += 8;
    for (let i = start; i < end; i++, row++) {
      const entry = entries[i]!;
      // Planes of like bytes: the upper bytes of numbers compress to nothing.
      for (let byte = 0; byte < 8; byte++) bytes[row + byte * total] = raw[entry + byte]!;
      const textEnd = at + textSize(raw, entry);
      for (let from = entry + RAW_HEAD; at < textEnd;) bytes[at++] = raw[from++]!;
    }
  }
  return bytes;
}

function textSize(raw: Uint8Array, entry: number): number {
  return raw[entry + 16]! + raw[entry + 17]! * 256;
}

export interface ListEntry {
  dot: number;
  name: string;
  dba_name: string;
  city: string;
  state: string;
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
const LINES_PER_ROW = 3;

/** A decompressed file of posting lists. Bytes stay bytes: only a carrier of an answer becomes an object. */
export class ListFile {
  readonly bytes: Uint8Array;
  readonly #keys: Uint32Array;
  /** By list, its first row and where its text starts; after the last, the ends. */
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
    // The last one where lists of two kinds have the same key by chance.
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
  entry(row: number, text: number): ListEntry {
    const end = afterLines(this.bytes, text, LINES_PER_ROW) - 1;
    const lines = DECODER.decode(this.bytes.subarray(text, end)).split("\n");
    const [name, dba_name, place] = lines as [string, string, string];
    const tab = place.indexOf("\t");
    return {
      dot: this.dot(row),
      name,
      dba_name,
      city: place.slice(0, tab),
      state: place.slice(tab + 1),
      power_units: this.powerUnits(row),
      active: this.active(row),
    };
  }

  #fleet(row: number): number {
    return this.#number(this.#columns + 4 * this.#total + row);
  }

  /** A number stored in four planes. */
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
