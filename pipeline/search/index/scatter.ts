/**
 * Step 3 of the index build: writes a posting for each posting list that a carrier of a partition belongs
 * to, grouped by file.
 *
 * @module
 */

import { type HashPair, listKey, ListKind } from "../shared/layout.ts";
import { RAW_HEAD, RAW_SIZE } from "../shared/lists_file.ts";
import { ByteWriter, ROW_HEAD } from "./spill.ts";
import { readTermTable, type TermTable } from "./terms.ts";

/** Where the raw entry starts in a posting, after file and key. */
export const RAW_AT = 8;

/** Bytes of a posting before the text of its raw entry; the offset of the length of that text. */
export const POSTING_HEAD = RAW_AT + RAW_HEAD;
export const POSTING_SIZE = RAW_AT + RAW_SIZE;

/** Instead of a {@link ListKind}: a list with its own file. */
export const HEAD_KIND = 4;

/** Bits of a posting's file below its kind. */
export const FILE_BITS = 28;

/** Mask of those bits. Computed once, because a power would be computed again for each posting. */
export const FILE_MASK = (1 << FILE_BITS) - 1;

/** What to scatter. Plain data: a worker receives it as a message. */
export interface ScatterTask {
  partition: number;
  dir: string;
  buckets: number;
  groups: number;
}

/** Reads the rows of a partition, writes `<dir>/<group>.<partition>.postings`. */
export function scatter({ partition, dir, buckets, groups }: ScatterTask): void {
  const table = readTermTable(dir, partition);
  const rows = Deno.readFileSync(`${dir}/${partition}.rows`);
  const view = new DataView(rows.buffer);
  const out = Array.from({ length: groups }, () => new ByteWriter());
  let row = 0;
  let entry = 0;
  let entryEnd = 0;
  function post(group: number, file: number, key: number): void {
    const writer = out[group]!;
    const at = writer.reserve(RAW_AT + entryEnd - entry);
    const target = writer.bytes;
    writer.view.setUint32(at, file, true);
    writer.view.setUint32(at + 4, key, true);
    let to = at + RAW_AT;
    for (let from = entry; from < entryEnd; from++) target[to++] = rows[from]!;
  }
  function postTo(kind: ListKind, hash: HashPair): void {
    const { bucket, key } = listKey(kind, hash, buckets);
    post(bucket % groups, kind << FILE_BITS | bucket, key);
  }
  while (row < rows.length) {
    const rankClass = rows[row]!;
    entry = row + ROW_HEAD;
    entryEnd = entry + RAW_HEAD + view.getUint16(entry + RAW_SIZE, true);
    view.setUint32(entry + 8, table.places[view.getUint32(entry + 8, true)]!, true);
    const name = idsAt(view, { at: entryEnd, count: rows[row + 1]! });
    const dbaAt = entryEnd + 4 * name.length;
    const dba = idsAt(view, { at: dbaAt, count: rows[row + 2]! });
    const placesAt = dbaAt + 4 * dba.length;
    const places = idsAt(view, { at: placesAt, count: rows[row + 3]! });
    const names: HashPair[] = [];
    const parts: HashPair[] = [];
    for (const words of namesIn(name, table).concat(namesIn(dba, table))) {
      const own = ownWords(words, table);
      const { a, b } = hashName(own, table);
      addOnce(names, a, b);
      addParts(parts, own, table);
      const [word, city] = [own[0]!, places[0]];
      if (city === undefined || table.city[city] === 0) continue;
      if (table.ordinal[word]! < 0 || table.ordinal[city]! < 0) continue;
      const { a: wordA, b: wordB } = hashName([word, city], table);
      addOnce(parts, wordA, wordB);
    }
    for (const hash of names) postTo(ListKind.Name, hash);
    for (const hash of parts) postTo(ListKind.Part, hash);
    const terms = name.concat(dba, places);
    for (let i = 0; i < terms.length; i++) {
      const id = terms[i]!;
      if (terms.indexOf(id) !== i) continue;
      const ordinal = table.ordinal[id]!;
      if (ordinal < 0) postTo(ListKind.Term, { a: table.a[id]!, b: table.b[id]! });
      else if (rankClass >= table.lowestClass[id]!) {
        post(ordinal % groups, HEAD_KIND << FILE_BITS | ordinal, 0);
      }
    }
    row = placesAt + 4 * places.length;
  }
  out.forEach((writer, group) => {
    const bytes = writer.written();
    if (bytes.length > 0) Deno.writeFileSync(`${dir}/${group}.${partition}.postings`, bytes);
  });
  Deno.removeSync(`${dir}/${partition}.rows`);
}

function idsAt(view: DataView, { at, count }: { at: number; count: number }): number[] {
  const ids: number[] = [];
  for (let i = 0; i < count; i++) ids.push(view.getUint32(at + 4 * i, true));
  return ids;
}

/**
 * The names in a text: the whole, and if "dba" stands between two names, also each of them. None without
 * words.
 */
function namesIn(words: readonly number[], { dba }: TermTable): (readonly number[])[] {
  if (words.length === 0) return [];
  const at = words.indexOf(dba);
  const isBetween = at > 0 && at < words.length - 1;
  return isBetween ? [words, words.slice(0, at), words.slice(at + 1)] : [words];
}

/** The distinct words of a name without stop words; all when there are only stop words. */
function ownWords(words: readonly number[], { stop }: TermTable): number[] {
  const own = words.filter((id, i) => stop[id]! <= (i > 0 ? 0 : 1) && words.indexOf(id) === i);
  return own.length > 0 ? own : words.filter((id, i) => words.indexOf(id) === i);
}

function hashName(own: readonly number[], table: TermTable): HashPair {
  let a = 0;
  let b = 0;
  for (const id of own) {
    a = (a + table.a[id]!) >>> 0;
    b = (b + table.b[id]!) >>> 0;
  }
  return { a, b };
}

/** Maximum number of words in a name whose parts are listed. */
const MAX_PART_WORDS = 6;

/**
 * Adds the parts of a name that have posting lists: the name without one word, and pairs of neighboring
 * words. All words of a part are common, because a rare word's own list is short enough to scan.
 */
function addParts(parts: HashPair[], own: readonly number[], table: TermTable): void {
  const { length } = own;
  if (length < 3 || length > MAX_PART_WORDS) return;
  const isCommon = own.map((id) => table.ordinal[id]! >= 0);
  const rare = isCommon.filter((is) => !is).length;
  const whole = hashName(own, table);
  for (let i = 0; i < length; i++) {
    const id = own[i]!;
    if (rare === 0 || rare === 1 && !isCommon[i]) {
      addOnce(parts, (whole.a - table.a[id]!) >>> 0, (whole.b - table.b[id]!) >>> 0);
    }
    if (length > 3 && i > 0 && isCommon[i - 1] && isCommon[i]) {
      const { a, b } = hashName([own[i - 1]!, id], table);
      addOnce(parts, a, b);
    }
  }
}

function addOnce(hashes: HashPair[], a: number, b: number): void {
  for (const hash of hashes) if (hash.a === a && hash.b === b) return;
  hashes.push({ a, b });
}
