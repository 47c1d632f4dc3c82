/**
 * Builds the search index from what a search spill wrote: terms, then postings, then list files.
 *
 * @module
 */

import type { SearchManifest } from "../../snapshot/manifest.ts";
import { type ObjectSum, writeObject } from "../../snapshot/writer.ts";
import { joinFilters } from "../shared/bloom_filter.ts";
import { NAMES_PATH, SEARCH_FORMAT } from "../shared/layout.ts";
import { gather, type GatheredLists, type GatherTask } from "./gather.ts";
import { scatter, type ScatterTask } from "./scatter.ts";
import { type MergedTerms, type MergeTask, mergeTerms, type SearchShape } from "./terms.ts";

/** The shape of a real index. */
export const SHAPE: SearchShape = {
  carriersPerBucket: 140,
  rare: 600,
  head: 600,
  part: 40,
  name: 2000,
};

/** Groups of files, each gathered in one piece: about 15 MB of postings for the whole country. */
const GROUPS = 64;

/** The number of list files for a count of carriers: a power of two. */
function bucketCount(carriers: number, shape: SearchShape): number {
  return 2 ** Math.max(0, Math.ceil(Math.log2(Math.max(carriers, 1) / shape.carriersPerBucket)));
}

/** A step that a pool of workers runs, as plain data. */
export type SearchTask =
  | ({ kind: "search terms" } & MergeTask)
  | ({ kind: "search scatter" } & ScatterTask)
  | ({ kind: "search gather" } & GatherTask);

export function runSearchTask(task: SearchTask): MergedTerms | GatheredLists | undefined {
  if (task.kind === "search terms") return mergeTerms(task);
  if (task.kind === "search gather") return gather(task);
  scatter(task);
  return undefined;
}

/** How to build an index of spilled records. */
interface SpilledOptions {
  /** Where `SearchSpill.finish()` wrote; temporary files take about 1 GB for the whole country. */
  dir: string;
  /** The snapshot's folder; receives `search/`. */
  to: string;
  /** Partitions that were spilled, in any order. */
  partitions: readonly number[];
  /** Records in all partitions. */
  carriers: number;
  /** Runs a step: {@link runSearchTask} itself, or in a worker. */
  run: (task: SearchTask) => unknown;
  shape?: SearchShape;
}

export interface BuiltSearch {
  manifest: SearchManifest;
  /** All its files, by path. */
  sums: ObjectSum[];
}

/** How often {@link SpilledOptions.run} is called. */
export function indexSteps(partitions: readonly number[]): number {
  return 1 + partitions.length + GROUPS;
}

/** Builds the index of spilled records; the first step is posted before this returns. */
export async function indexSpilled(options: SpilledOptions): Promise<BuiltSearch> {
  const { dir, to, run, carriers, shape = SHAPE } = options;
  const partitions = options.partitions.toSorted((a, b) => a - b);
  const buckets = bucketCount(carriers, shape);
  const groups = GROUPS;
  const merged = await run({ kind: "search terms", dir, to, partitions, shape }) as MergedTerms;
  await Promise.all(
    partitions.map((partition) => run({ kind: "search scatter", partition, dir, buckets, groups })),
  );
  const gathered = await Promise.all(
    Array.from(
      { length: groups },
      (_, group) =>
        run({ kind: "search gather", group, groups, buckets, partitions, dir, to, shape }),
    ),
  ) as GatheredLists[];
  const names = writeObject(to, NAMES_PATH, joinFilters(gathered.map(({ filter }) => filter)));
  const sums = [...merged.sums, names, ...gathered.flatMap(({ sums }) => sums)]
    .sort((a, b) => a.path < b.path ? -1 : 1);
  const manifest: SearchManifest = {
    format: SEARCH_FORMAT,
    carriers,
    buckets,
    rare: shape.rare,
    heads: merged.heads,
    terms: merged.terms,
    objects: sums.length,
    bytes: sums.reduce((sum, { bytes }) => sum + bytes, 0),
  };
  return { manifest, sums };
}
