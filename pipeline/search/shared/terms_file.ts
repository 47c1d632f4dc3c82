/**
 * The file of sorted terms with their counts, front-coded: each term stores the length of the prefix it
 * shares with the previous one. Web APIs only.
 *
 * @module
 */

/**
 * Terms as the nodes of a trie in preorder, which is how front coding stores them: each letter that a term
 * adds is a node.
 */
export interface TermTrie {
  /** The UTF-16 code unit of each node. */
  letters: Uint16Array;
  /** Number of letters from the beginning of the term up to and including the node. */
  depths: Uint8Array;
  /** The first node after all nodes below this one. */
  next: Uint32Array;
  /** Carriers that have the term that ends with the node, 0 where none does. */
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
export function decodeTerms(bytes: Uint8Array): TermTrie {
  const terms = bytes.length < 4
    ? NaN
    : new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  if (!(4 + terms * 6 <= bytes.length)) throw new TypeError("Cannot read search terms: too short");
  const suffixes = new TextDecoder().decode(bytes.subarray(4 + terms * 6));
  const size = suffixes.length;
  const letters = new Uint16Array(size);
  const depths = new Uint8Array(size);
  const next = new Uint32Array(size).fill(size);
  const counts = new Uint32Array(size);
  /** The nodes of the most recent term, by depth. */
  const path = new Uint32Array(MAX_TERM + 1);
  let node = 0;
  let depth = 0;
  for (let term = 0; term < terms; term++) {
    for (const shared = bytes[4 + term]!; depth > shared; depth--) next[path[depth]!] = node;
    for (const end = depth + bytes[4 + terms + term]!; depth < end; node++) {
      letters[node] = suffixes.charCodeAt(node);
      depths[node] = ++depth;
      path[depth] = node;
    }
    let count = 0;
    for (let plane = 5; plane > 1; plane--) count = count * 256 + bytes[4 + terms * plane + term]!;
    counts[node - 1] = count;
  }
  if (node !== size) throw new TypeError("Cannot read search terms: text is missing");
  return { letters, depths, next, counts };
}
