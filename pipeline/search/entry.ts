/**
 * Files of lists: carriers with all that a result shows, in columns. Web APIs only.
 *
 * @module
 */

import { fold, foldPlace, meaning, significant } from "./fold.ts";

/** A carrier as a list holds it. */
export interface Entry {
  dot: number;
  name: string;
  dba: string;
  city: string;
  state: string;
  /** -1 where not filed. */
  powerUnits: number;
  active: boolean;
  /** Folded on first use by {@link entryWords}. */
  words?: EntryWords;
}

/** The folded text of a carrier. */
export interface EntryWords {
  name: FoldedName;
  dba: FoldedName | undefined;
  city: string;
  state: string;
}

/** A folded name. */
export interface FoldedName {
  words: string[];
  /** Distinct, without noise. */
  own: string[];
  /** All words without blanks. */
  joined: string;
  /** As `joined`, without noise. */
  meaning: string;
  /** Own words with blanks, then `meaning`: equal for names that compare equally. */
  likeness: string;
}

/**
 * Bytes of a raw entry before its text: USDOT number, fleet `(power units + 1) * 2 + active`, static rank
 * as a double, length of the text, which is UTF-8 `name LF dba LF city TAB state LF`.
 */
export const RAW_HEAD = 18;

/** Lists of a file by key, best carrier first. */
export type Lists = Map<number, Entry[]>;

/** Folds the text of a carrier, once. */
export function entryWords(entry: Entry): EntryWords {
  return entry.words ??= {
    name: foldName(entry.name),
    dba: entry.dba === "" ? undefined : foldName(entry.dba),
    city: foldPlace(entry.city),
    state: entry.state.toLowerCase(),
  };
}

function foldName(name: string): FoldedName {
  const words = fold(name);
  const own = significant(words);
  const meant = meaning(words);
  const likeness = `${own.join(" ")} ${meant}`;
  return { words, own, joined: words.join(""), meaning: meant, likeness };
}
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

/**
 * Reads a file laid out by {@link encodeLists}.
 *
 * @throws {TypeError} When the bytes are no such file.
 */
export function decodeLists(bytes: Uint8Array): Lists {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = bytes.length < 8 ? NaN : view.getUint32(0, true);
  const total = bytes.length < 8 ? NaN : view.getUint32(4, true);
  const columns = 8 + count * 8;
  const text = columns + total * 8;
  if (!(text <= bytes.length)) {
    throw new TypeError("Cannot read search lists: the file is too short");
  }
  const lines = new TextDecoder().decode(bytes.subarray(text)).split("\n");
  if (lines.length !== total * 3 + 1) {
    throw new TypeError("Cannot read search lists: text is missing");
  }
  const lists: Lists = new Map();
  let row = 0;
  for (let i = 0; i < count; i++) {
    const length = view.getUint32(12 + 8 * i, true);
    if (row + length > total) throw new TypeError("Cannot read search lists: a list is too long");
    const entries: Entry[] = [];
    for (const end = row + length; row < end; row++) {
      const dot = readPlanes(bytes, columns + row, total);
      const fleet = readPlanes(bytes, columns + 4 * total + row, total);
      const place = lines[row * 3 + 2]!;
      const tab = place.indexOf("\t");
      entries.push({
        dot,
        name: lines[row * 3]!,
        dba: lines[row * 3 + 1]!,
        city: place.slice(0, tab),
        state: place.slice(tab + 1),
        powerUnits: Math.floor(fleet / 2) - 1,
        active: fleet % 2 === 1,
      });
    }
    lists.set(view.getUint32(8 + 8 * i, true), entries);
  }
  return lists;
}

function readPlanes(bytes: Uint8Array, at: number, plane: number): number {
  return (bytes[at]! | bytes[at + plane]! << 8 | bytes[at + 2 * plane]! << 16 |
    bytes[at + 3 * plane]! << 24) >>> 0;
}
