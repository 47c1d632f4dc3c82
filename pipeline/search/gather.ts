/**
 * Last step of building the index: the postings of a group of files, from all partitions, become files.
 *
 * @module
 */

import { encodeLists, type RawEntry } from "./entry.ts";
import { type ListKey, ListKind } from "./key.ts";
import { headPath, listsPath, type SearchShape } from "./manifest.ts";
import { filterOf } from "./name_filter.ts";
import { type ListOf, PostingTable } from "./posting_table.ts";
import { FILE_BITS, HEAD_KIND, POSTING_HEAD } from "./scatter.ts";
import { type FileSum, writePacked } from "./written.ts";

/** What to gather. Plain data: a worker is posted it. */
export interface GatherTask {
  group: number;
  groups: number;
  buckets: number;
  partitions: readonly number[];
  dir: string;
  to: string;
  shape: SearchShape;
}

/** What came of it. */
export interface Gathered {
  group: number;
  sums: FileSum[];
  /** The group's part of the filter of names. */
  filter: Uint8Array;
}

/** Writes the list files and heads of one group; each bucket has its file, an empty one too. */
export function gather(task: GatherTask): Gathered {
  const bytes = readPostings(task);
  const view = new DataView(bytes.buffer);
  const table = new PostingTable(bytes);
  const caps = [0, task.shape.name, task.shape.part, task.shape.rare, task.shape.head];
  const names: ListKey[] = [];
  const sums: FileSum[] = [];
  const files = new Map<number, ListOf[]>();
  for (let bucket = task.group; bucket < task.buckets; bucket += task.groups) files.set(bucket, []);
  const entriesOf = (list: ListOf, kind: number): RawEntry[] =>
    table.best(list, caps[kind]!).map((at) => entryAt(bytes, { view, at }));
  for (const list of table.lists) {
    const kind = list.file >>> FILE_BITS;
    const file = list.file % 2 ** FILE_BITS;
    if (kind === HEAD_KIND) {
      const packed = encodeLists([{ key: 0, entries: entriesOf(list, kind) }]);
      sums.push(writePacked(task.to, { path: headPath(file), bytes: packed }));
      continue;
    }
    if (kind === ListKind.Name) names.push({ bucket: file, key: list.key });
    files.get(file)!.push(list);
  }
  for (const [bucket, lists] of files) {
    // Keys of two kinds may be the same by chance: the kind decides then, not the order of rows.
    lists.sort((a, b) => a.key - b.key || a.file - b.file);
    const content = lists.map((list) => ({
      key: list.key,
      entries: entriesOf(list, list.file >>> FILE_BITS),
    }));
    sums.push(writePacked(task.to, { path: listsPath(bucket), bytes: encodeLists(content) }));
  }
  return { group: task.group, sums, filter: filterOf(names) };
}

function entryAt(
  bytes: Uint8Array,
  { view, at }: { view: DataView; at: number },
): RawEntry {
  const start = at + POSTING_HEAD;
  return {
    dot: view.getUint32(at + 8, true),
    fleet: view.getUint32(at + 12, true),
    text: bytes.subarray(start, start + view.getUint16(at + 24, true)),
  };
}

function readPostings({ dir, group, partitions }: GatherTask): Uint8Array<ArrayBuffer> {
  const parts = partitions.map((partition) => {
    const path = `${dir}/${group}.${partition}.postings`;
    const bytes = Deno.readFileSync(path);
    Deno.removeSync(path);
    return bytes;
  });
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
