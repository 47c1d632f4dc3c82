/**
 * Last step of building the index: the postings of a group of files, from all partitions, become files.
 *
 * @module
 */

import { encodeLists } from "./entry.ts";
import { type ListKey, ListKind } from "./key.ts";
import { headPath, listsPath, type SearchShape } from "./manifest.ts";
import { filterOf } from "./name_filter.ts";
import { type ListOf, listsOf } from "./posting_lists.ts";
import { FILE_BITS, FILE_MASK, HEAD_KIND, POSTING_HEAD, RAW_AT } from "./scatter.ts";
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
  const caps = [0, task.shape.name, task.shape.part, task.shape.rare, task.shape.head];
  const names: ListKey[] = [];
  const sums: FileSum[] = [];
  const view = new DataView(bytes.buffer);
  const { buckets, heads } = postingsByFile(view, task);
  const write = (path: string, postings: number[]): ListOf[] => {
    const { lists, entries } = listsOf(postings, { view, caps });
    sums.push(writePacked(task.to, { path, bytes: encodeLists(lists, { entries, raw: bytes }) }));
    return lists;
  };
  for (const [ordinal, postings] of heads) write(headPath(ordinal), postings);
  for (const [bucket, postings] of buckets) {
    for (const { kind, key } of write(listsPath(bucket), postings)) {
      if (kind === ListKind.Name) names.push({ bucket, key });
    }
  }
  return { group: task.group, sums, filter: filterOf(names) };
}

/** Offsets of the postings of each file. What is worked on at once is then near in memory, and cached. */
function postingsByFile(
  view: DataView,
  { group, groups, buckets }: GatherTask,
): Record<"buckets" | "heads", Map<number, number[]>> {
  const files = { buckets: new Map<number, number[]>(), heads: new Map<number, number[]>() };
  for (let bucket = group; bucket < buckets; bucket += groups) files.buckets.set(bucket, []);
  for (
    let at = 0;
    at < view.byteLength;
    at += POSTING_HEAD + view.getUint16(at + RAW_AT + 16, true)
  ) {
    const file = view.getUint32(at, true);
    const of = file >>> FILE_BITS === HEAD_KIND ? files.heads : files.buckets;
    const number = file & FILE_MASK;
    const postings = of.get(number);
    if (postings === undefined) of.set(number, [at]);
    else postings.push(at);
  }
  return files;
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
