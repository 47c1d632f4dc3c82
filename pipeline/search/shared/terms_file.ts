/**
 * The file of sorted terms with their counts, front-coded: each term stores the length of the prefix it
 * shares with the previous one. Web APIs only.
 *
 * @module
 */

/** Terms as columns: no object per term. */
export interface TermColumns {
  /** UTF-16 code units of all terms. */
  text: Uint16Array;
  /** Where each term starts in `text`, and after the last the end. */
  starts: Uint32Array;
  /** Code units each term shares with the previous one. */
  shared: Uint8Array;
  /** Carriers that have each term. */
  counts: Uint32Array;
}

const MAX_TERM = 255;

/**
 * Lays out the dictionary, not compressed: see FORMAT.md.
 *
 * @param terms Sorted by code unit, distinct.
 * @throws {RangeError} For a term longer than 255 code units.
 */
export function encodeTerms(terms: readonly string[], counts: Uint32Array): Uint8Array {
  const suffixes: string[] = [];
  const shared = new Uint8Array(terms.length);
  const added = new Uint8Array(terms.length);
  let previous = "";
  terms.forEach((term, i) => {
    if (term.length > MAX_TERM) throw new RangeError("Cannot index a term of over 255 letters");
    let length = 0;
    while (length < term.length && previous[length] === term[length]) length++;
    shared[i] = length;
    added[i] = term.length - length;
    suffixes.push(term.slice(length));
    previous = term;
  });
  const text = new TextEncoder().encode(suffixes.join(""));
  const bytes = new Uint8Array(4 + terms.length * 6 + text.length);
  new DataView(bytes.buffer).setUint32(0, terms.length, true);
  bytes.set(shared, 4);
  bytes.set(added, 4 + terms.length);
  for (let i = 0; i < terms.length; i++) {
    for (let plane = 0; plane < 4; plane++) {
      bytes[4 + terms.length * (2 + plane) + i] = counts[i]! >>> (8 * plane);
    }
  }
  bytes.set(text, 4 + terms.length * 6);
  return bytes;
}

/**
 * Reads what {@link encodeTerms} wrote.
 *
 * @throws {TypeError} When the bytes are not such a file.
 */
export function decodeTerms(bytes: Uint8Array): TermColumns {
  const size = bytes.length < 4
    ? NaN
    : new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  if (!(4 + size * 6 <= bytes.length)) throw new TypeError("Cannot read search terms: too short");
  const suffixes = new TextDecoder().decode(bytes.subarray(4 + size * 6));
  const shared = bytes.slice(4, 4 + size);
  const starts = new Uint32Array(size + 1);
  const counts = new Uint32Array(size);
  for (let i = 0; i < size; i++) {
    starts[i + 1] = starts[i]! + shared[i]! + bytes[4 + size + i]!;
    for (let plane = 3; plane >= 0; plane--) {
      counts[i] = counts[i]! * 256 + bytes[4 + size * (2 + plane) + i]!;
    }
  }
  const text = new Uint16Array(starts[size]!);
  let from = 0;
  for (let i = 0; i < size; i++) {
    const start = starts[i]!;
    const length = shared[i]!;
    if (i > 0) text.copyWithin(start, starts[i - 1]!, starts[i - 1]! + length);
    for (let at = start + length; at < starts[i + 1]!; at++) text[at] = suffixes.charCodeAt(from++);
  }
  if (from !== suffixes.length) throw new TypeError("Cannot read search terms: text is missing");
  return { text, starts, shared, counts };
}
