/**
 * Tokenizes UTF-8 bytes in place, as {@link tokenize} does strings: a query scans thousands of names, and
 * a string for each word would cost most of its time. Web APIs only.
 *
 * @module
 */

import { LINE_FEED } from "../shared/lists_file.ts";
import { LONGEST_WORD, MAX_WORDS, tokenize } from "../shared/tokenizer.ts";

/** What an ASCII byte means to {@link tokenize}: a letter or digit in lower case, or one of these. */
const SEPARATOR = 0;
const APOSTROPHE = 1;
const AND = 2;
const MEANINGS = Uint8Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code).toLowerCase();
  if (/[a-z0-9]/.test(letter)) return letter.charCodeAt(0);
  if (letter === "'" || letter === "`") return APOSTROPHE;
  return letter === "&" || letter === "+" ? AND : SEPARATOR;
});

const SEED = 0x811c9dc5 | 0;
const PRIME = 0x01000193;
const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });

/** The hash of a word in {@link ByteTokenizer.hashes}: FNV-1a of its UTF-16 code units. */
export function wordHash(word: string): number {
  let hash = SEED;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), PRIME);
  return hash;
}

const HASH_OF_AND = wordHash("and");

/** The words of the text read last. */
export class ByteTokenizer {
  /** Words in the text. */
  length = 0;
  readonly hashes = new Int32Array(MAX_WORDS);
  /** 1 for each stop word, 0 for all when there are only stop words. Set by the caller. */
  readonly stop = new Uint8Array(MAX_WORDS);
  readonly #ends = new Uint32Array(MAX_WORDS);
  /** UTF-16 units of all words, one after the other. */
  readonly #units = new Uint16Array((MAX_WORDS + 1) * LONGEST_WORD);

  /**
   * Reads a text.
   *
   * @returns The offset after the line feed that ends it.
   */
  read(bytes: Uint8Array, from: number): number {
    let length = 0;
    let start = 0;
    let end = 0;
    let hash = SEED;
    // Whether the previous word consists of single letters: another one joins it.
    let singles = false;
    let at = from;
    for (; at < bytes.length; at++) {
      const code = bytes[at]!;
      if (code >= 128) return this.#readAny(bytes, from);
      const meaning = MEANINGS[code]!;
      if (meaning > AND) {
        if (end - start === LONGEST_WORD) continue;
        this.#units[end++] = meaning;
        hash = Math.imul(hash ^ meaning, PRIME);
        continue;
      }
      if (meaning === APOSTROPHE) continue;
      if (end > start) {
        if (singles && end - start === 1) {
          if (start - this.#start(length - 1) < LONGEST_WORD) {
            const letter = this.#units[start]!;
            this.#ends[length - 1] = end;
            this.hashes[length - 1] = Math.imul(this.hashes[length - 1]! ^ letter, PRIME);
          } else end = start;
        } else {
          if (length === MAX_WORDS) break;
          singles = end - start === 1;
          this.#ends[length] = end;
          this.hashes[length++] = hash;
        }
        start = end;
        hash = SEED;
      }
      if (code === LINE_FEED) break;
      if (meaning === AND) {
        if (length === MAX_WORDS) break;
        this.#put("and", end);
        end = start += 3;
        singles = false;
        this.#ends[length] = end;
        this.hashes[length++] = HASH_OF_AND;
      }
    }
    this.length = length;
    return endOf(bytes, at) + 1;
  }

  /** Letters of a word. */
  size(i: number): number {
    return this.#ends[i]! - this.#start(i);
  }

  /** Whether a word is this one. */
  is(i: number, word: string): boolean {
    const start = this.#start(i);
    if (this.#ends[i]! - start !== word.length) return false;
    for (let k = 0; k < word.length; k++) {
      if (this.#units[start + k] !== word.charCodeAt(k)) return false;
    }
    return true;
  }

  /** Whether an earlier word is the same. */
  isRepeated(i: number): boolean {
    const start = this.#start(i);
    const size = this.#ends[i]! - start;
    for (let j = 0; j < i; j++) {
      if (this.hashes[j] !== this.hashes[i] || this.#ends[j]! - this.#start(j) !== size) continue;
      let k = 0;
      while (k < size && this.#units[start + k] === this.#units[this.#start(j) + k]) k++;
      if (k === size) return true;
    }
    return false;
  }

  /**
   * The index in `text` after all words, or all that are not stop words, if they follow each other from `at`
   * without spaces; otherwise NaN.
   */
  endIn(text: string, { at = 0, all = false }): number {
    for (let i = 0; i < this.length; i++) {
      if (!all && this.stop[i] === 1) continue;
      for (let unit = this.#start(i); unit < this.#ends[i]!; unit++) {
        if (this.#units[unit] !== text.charCodeAt(at++)) return NaN;
      }
    }
    return at;
  }

  #start(i: number): number {
    return i === 0 ? 0 : this.#ends[i - 1]!;
  }

  /** Text that is not all ASCII is rare. */
  #readAny(bytes: Uint8Array, from: number): number {
    const to = endOf(bytes, from);
    const words = tokenize(DECODER.decode(bytes.subarray(from, to)));
    let end = 0;
    words.forEach((word, i) => {
      this.#put(word, end);
      this.#ends[i] = end += word.length;
      this.hashes[i] = wordHash(word);
    });
    this.length = words.length;
    return to + 1;
  }

  #put(word: string, at: number): void {
    for (let k = 0; k < word.length; k++) this.#units[at + k] = word.charCodeAt(k);
  }
}

function endOf(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== LINE_FEED) at++;
  return at;
}

const BLANK = 32;
const AMPERSAND = 38;

/** A query in lower case: words and ampersands, separated by single spaces, without other punctuation. */
export function spelled(text: string): Uint8Array {
  const plain = text.toLowerCase().replace(/['`]/g, "").replaceAll("+", "&");
  const parts = plain.match(/&|[a-z0-9\u0080-\uffff]+/g) ?? [];
  return new TextEncoder().encode(parts.join(" "));
}

/**
 * How many bytes of the query match the beginning of a text, in whole words. The text is read like
 * {@link spelled}.
 */
export function sameStart(bytes: Uint8Array, from: number, query: Uint8Array): number {
  let same = 0;
  let words = 0;
  for (let at = from;; at++) {
    const code = bytes[at] ?? LINE_FEED;
    const meaning = code < 128 ? MEANINGS[code]! : code;
    if (meaning === APOSTROPHE) continue;
    if (meaning <= AND && same > words) {
      // The text's word ends here. If the query's word does not, they are different words.
      if ((query[same] ?? BLANK) !== BLANK) return words;
      words = same;
    }
    if (code === LINE_FEED) return words;
    if (meaning === SEPARATOR) continue;
    if (same === words && words > 0) same++;
    if (query[same++] !== (meaning === AND ? AMPERSAND : meaning)) return words;
    if (meaning === AND) words = same;
  }
}
