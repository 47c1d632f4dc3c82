/**
 * Third step of building the index: each carrier of a partition goes to the lists that hold it.
 *
 * @module
 */

import { type Lanes, listKey, ListKind } from "../shared/layout.ts";
import { RAW_HEAD } from "../shared/lists_file.ts";
import { ByteWriter, ROW_HEAD } from "./spill.ts";
import { readTermTable, type TermTable } from "./terms.ts";

/** Where the raw entry starts in a posting, after file and key. */
export const RAW_AT = 8;

/** Bytes of a posting before the text of its raw entry. */
export const POSTING_HEAD = RAW_AT + RAW_HEAD;

/** Instead of a {@link ListKind}: a list with a file of its own. */
export const HEAD_KIND = 4;

/** Bits of a posting's file below its kind. */
export const FILE_BITS = 28;

/** Those bits. A power would be worked out anew for each posting. */
export const FILE_MASK = (1 << FILE_BITS) - 1;

/** What to scatter. Plain data: a worker is posted it. */
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
  let text = 0;
  let textBytes = 0;
  function post(group: number, file: number, key: number): void {
    const writer = out[group]!;
    const at = writer.reserve(POSTING_HEAD + textBytes);
    const target = writer.bytes;
    writer.view.setUint32(at, file, true);
    writer.view.setUint32(at + 4, key, true);
    for (let i = 0; i < 16; i++) target[at + RAW_AT + i] = rows[row + i]!;
    writer.view.setUint16(at + RAW_AT + 16, textBytes, true);
    for (let i = 0; i < textBytes; i++) target[at + POSTING_HEAD + i] = rows[text + i]!;
  }
  function list(kind: ListKind, lanes: Lanes): void {
    const { bucket, key } = listKey(kind, lanes, buckets);
    post(bucket % groups, kind << FILE_BITS | bucket, key);
  }
  while (row < rows.length) {
    const rankClass = rows[row + 16]!;
    textBytes = view.getUint16(row + 20, true);
    let at = row + ROW_HEAD;
    const name = idsAt(view, { at, count: rows[row + 17]! });
    const dba = idsAt(view, { at: at += 4 * name.length, count: rows[row + 18]! });
    const places = idsAt(view, { at: at += 4 * dba.length, count: rows[row + 19]! });
    text = at + 4 * places.length;
    const names: Lanes[] = [];
    const parts: Lanes[] = [];
    for (const words of [name, dba]) {
      if (words.length === 0) continue;
      const own = ownWords(words, table);
      const { a, b } = nameLanes(own, table);
      addOnce(names, a, b);
      addPartLanes(parts, own, table);
    }
    for (const lanes of names) list(ListKind.Name, lanes);
    for (const lanes of parts) list(ListKind.Part, lanes);
    const terms = name.concat(dba, places);
    for (let i = 0; i < terms.length; i++) {
      const id = terms[i]!;
      if (terms.indexOf(id) !== i) continue;
      const ordinal = table.ordinal[id]!;
      if (ordinal < 0) list(ListKind.Term, { a: table.a[id]!, b: table.b[id]! });
      else if (rankClass >= table.lowestClass[id]!) {
        post(ordinal % groups, HEAD_KIND << FILE_BITS | ordinal, 0);
      }
    }
    row = text + textBytes;
  }
  out.forEach((writer, group) => {
    Deno.writeFileSync(`${dir}/${group}.${partition}.postings`, writer.written());
  });
  Deno.removeSync(`${dir}/${partition}.rows`);
}

function idsAt(view: DataView, { at, count }: { at: number; count: number }): number[] {
  const ids: number[] = [];
  for (let i = 0; i < count; i++) ids.push(view.getUint32(at + 4 * i, true));
  return ids;
}

/** Words of a name whose parts are listed, at most. */
const MAX_PART_WORDS = 6;

/** The words of a name that decide: distinct, without noise; all where there is only noise. */
export function ownWords(words: readonly number[], { noise }: TermTable): number[] {
  const own = words.filter((id, i) => noise[id] === 0 && words.indexOf(id) === i);
  return own.length > 0 ? own : words.filter((id, i) => words.indexOf(id) === i);
}

/** The key of a whole name. */
export function nameLanes(own: readonly number[], table: TermTable): Lanes {
  let a = 0;
  let b = 0;
  for (const id of own) {
    a = (a + table.a[id]!) >>> 0;
    b = (b + table.b[id]!) >>> 0;
  }
  return { a, b };
}

/**
 * Adds the keys of the parts of a name that have lists: the name less one word, and its neighbours;
 * only where every word is common, since the carriers of a rare word are few enough to look through.
 */
export function addPartLanes(parts: Lanes[], own: readonly number[], table: TermTable): void {
  const { length } = own;
  if (length < 3 || length > MAX_PART_WORDS) return;
  const isCommon = own.map((id) => table.ordinal[id]! >= 0);
  const rare = isCommon.filter((is) => !is).length;
  const whole = nameLanes(own, table);
  for (let i = 0; i < length; i++) {
    const id = own[i]!;
    if (rare === 0 || rare === 1 && !isCommon[i]) {
      addOnce(parts, (whole.a - table.a[id]!) >>> 0, (whole.b - table.b[id]!) >>> 0);
    }
    if (length > 3 && i > 0 && isCommon[i - 1] && isCommon[i]) {
      const before = own[i - 1]!;
      addOnce(
        parts,
        (table.a[before]! + table.a[id]!) >>> 0,
        (table.b[before]! + table.b[id]!) >>> 0,
      );
    }
  }
}

/** Adds a key unless it is there. */
export function addOnce(keys: Lanes[], a: number, b: number): void {
  for (const key of keys) if (key.a === a && key.b === b) return;
  keys.push({ a, b });
}
