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

/** A carrier as columns hold it: text is UTF-8 `name LF dba LF city TAB state`. */
export interface RawEntry {
  dot: number;
  /** `(power units + 1) * 2 + active`. */
  fleet: number;
  text: Uint8Array;
}

/** Lists of a file by key, best carrier first. */
export type Lists = Map<number, Entry[]>;

const LINE_FEED = 10;

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
 * @param lists In ascending order of key.
 */
export function encodeLists(
  lists: readonly { key: number; entries: readonly RawEntry[] }[],
): Uint8Array {
  let total = 0;
  let textBytes = 0;
  for (const { entries } of lists) {
    total += entries.length;
    for (const { text } of entries) textBytes += text.length + 1;
  }
  const bytes = new Uint8Array(8 + lists.length * 8 + total * 8 + textBytes);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, lists.length, true);
  view.setUint32(4, total, true);
  let at = 8;
  let row = 0;
  const columns = 8 + lists.length * 8;
  let text = columns + total * 8;
  for (const { key, entries } of lists) {
    view.setUint32(at, key, true);
    view.setUint32(at + 4, entries.length, true);
    at += 8;
    for (const entry of entries) {
      // Planes of like bytes: the upper bytes of numbers compress to nothing.
      for (let plane = 0; plane < 4; plane++) {
        bytes[columns + plane * total + row] = entry.dot >>> (8 * plane);
        bytes[columns + (4 + plane) * total + row] = entry.fleet >>> (8 * plane);
      }
      bytes.set(entry.text, text);
      text += entry.text.length;
      bytes[text++] = LINE_FEED;
      row++;
    }
  }
  return bytes;
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
