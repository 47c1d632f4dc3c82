/**
 * Builds the search index from what {@link SearchSpill} set aside: terms, then lists, a file at a time.
 *
 * @module
 */

import type { CarrierRecord } from "../../snapshot/record.ts";
import { joinFilters } from "../shared/bloom_filter.ts";
import {
  bucketCount,
  NAMES_PATH,
  SEARCH_FORMAT,
  type SearchManifest,
  type SearchShape,
  SHAPE,
} from "../shared/layout.ts";
import { gather, type Gathered, type GatherTask } from "./gather.ts";
import { scatter, type ScatterTask } from "./scatter.ts";
import { SearchSpill } from "./spill.ts";
import { type Merged, type MergeTask, mergeTerms } from "./terms.ts";
import { type FileSum, writePlain } from "./written.ts";

/** Groups of files, each gathered in one piece: about 15 MB of postings of a country. */
const GROUPS = 64;

/** How to build an index of spilled records. */
export interface SpilledOptions {
  /** Where {@link SearchSpill.finish} wrote; holds about 1 GB in between for a country. */
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

/** An index as built. */
export interface BuiltSearch {
  manifest: SearchManifest;
  /** All its files, by path. */
  sums: FileSum[];
}

/** How often {@link SpilledOptions.run} is called. */
export function indexSteps(partitions: readonly number[]): number {
  return 1 + partitions.length + GROUPS;
}

/** Makes the index of spilled records; the first step is posted before this returns. */
export async function indexSpilled(options: SpilledOptions): Promise<BuiltSearch> {
  const { dir, to, run, shape = SHAPE } = options;
  const partitions = options.partitions.toSorted((a, b) => a - b);
  const buckets = bucketCount(options.carriers, shape);
  const groups = GROUPS;
  const merged = await run({ kind: "search terms", dir, to, partitions, shape }) as Merged;
  await Promise.all(
    partitions.map((partition) => run({ kind: "search scatter", partition, dir, buckets, groups })),
  );
  const gathered = await Promise.all(
    Array.from(
      { length: groups },
      (_, group) =>
        run({ kind: "search gather", group, groups, buckets, partitions, dir, to, shape }) as
          | Gathered
          | Promise<Gathered>,
    ),
  );
  const names = writePlain(to, {
    path: NAMES_PATH,
    bytes: joinFilters(gathered.map(({ filter }) => filter)),
  });
  const sums = [merged.sum, names, ...gathered.flatMap(({ sums }) => sums)]
    .sort((a, b) => a.path < b.path ? -1 : 1);
  const manifest: SearchManifest = {
    format: SEARCH_FORMAT,
    carriers: options.carriers,
    buckets,
    rare: shape.rare,
    heads: merged.heads,
    terms: merged.terms,
    objects: sums.length,
    bytes: sums.reduce((sum, { bytes }) => sum + bytes, 0),
  };
  return { manifest, sums };
}

/** How to build an index of records at hand, in this thread. */
export interface SearchIndexOptions {
  records: Iterable<CarrierRecord> | AsyncIterable<CarrierRecord>;
  to: string;
  /** Records held at once, about. @default {100000} */
  partition?: number;
  shape?: SearchShape;
}

/** Makes the index of any records: for tests and small countries. */
export async function buildSearchIndex(options: SearchIndexOptions): Promise<BuiltSearch> {
  const { records, to, partition = 100_000 } = options;
  const dir = await Deno.makeTempDir();
  try {
    const partitions: number[] = [];
    let carriers = 0;
    let spill = new SearchSpill();
    const finish = (): void => {
      spill.finish(dir, partitions.length);
      partitions.push(partitions.length);
      spill = new SearchSpill();
    };
    for await (const record of records) {
      spill.add(record);
      if (++carriers % partition === 0) finish();
    }
    finish();
    const { shape = SHAPE } = options;
    return await indexSpilled({ dir, to, partitions, carriers, run: runSearchTask, shape });
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

/** A step to run. */
export type SearchTask =
  | ({ kind: "search terms" } & MergeTask)
  | ({ kind: "search scatter" } & ScatterTask)
  | ({ kind: "search gather" } & GatherTask);

/** Runs one step. */
export function runSearchTask(task: SearchTask): Merged | Gathered | undefined {
  if (task.kind === "search terms") return mergeTerms(task);
  if (task.kind === "search gather") return gather(task);
  scatter(task);
  return undefined;
}
