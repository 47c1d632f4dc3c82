/**
 * Writes the objects of a snapshot from the rows that the first pass spilled: shards, docket index, search
 * index, files of all carriers and changes of the day.
 *
 * @module
 */

import { forEach } from "../concurrency.ts";
import { addDays, compactDay } from "../dates.ts";
import { addSpans, type JoinedExport, joinParts } from "../export/join.ts";
import { loadParquet } from "../export/part.ts";
import { type BuiltSearch, indexSpilled, indexSteps } from "../search/index/build.ts";
import type { Manifest } from "../snapshot/manifest.ts";
import { snapshotPath } from "../snapshot/paths.ts";
import { describeFamily, type ObjectSum, type ShardSum } from "../snapshot/writer.ts";
import { writeDockets } from "./assemble.ts";
import type { BuildStep, BuildWork } from "./build_options.ts";
import { writeChanges, writeSpans } from "./changes/changes_file.ts";
import type { PreviousShards } from "./changes/merge.ts";
import type { Predecessor } from "./changes/predecessor.ts";
import type { ReadFiles } from "./read_files.ts";
import { PARTITION_WIDTH, spilledPartitions, STAGED } from "./spill/staging.ts";
import { Totals } from "./totals.ts";

/** USDOT numbers per carrier shard: about 8 KB to fetch. */
export const CARRIERS_PER_SHARD = 100;

/** Docket numbers per docket shard: about 5 KB to fetch. */
const DOCKETS_PER_SHARD = 1000;

/** A date is plausible up to this many days after the data date, because files are dated slightly late. */
const BELIEVED_AHEAD_DAYS = 31;

/** What was written, and what the manifest says about it. */
export interface WrittenObjects {
  totals: Totals;
  /** All objects except the documents. */
  sums: ObjectSum[];
  families: Manifest["families"];
  search: BuiltSearch | undefined;
  exported: JoinedExport | undefined;
  /** Undefined when there is no previous snapshot, or the file would be too large. */
  changes: Manifest["files"]["changes.ndjson.gz"];
}

/** The snapshot that this one follows. */
interface Followed {
  merge: PreviousShards;
  previous: Predecessor;
}

/** @param follows Undefined for the first of a chain. */
export async function writeObjects(
  work: BuildWork,
  read: Omit<ReadFiles, "sources">,
  follows: Followed | undefined,
): Promise<WrittenObjects> {
  const { dir, options } = work;
  const totals = await writeRecords(work, { ...read, follows });
  const to = `${dir}/${snapshotPath(STAGED)}`;
  // A worker merges the terms, which cannot be split, while this thread writes the docket index.
  const indexing = options.search === false ? undefined : indexRecords(work, totals);
  const docketShards = writeDockets(to, { parts: totals.dockets, width: DOCKETS_PER_SHARD });
  const exported = options.export
    ? joinParts(totals.exported, {
      dir: `${dir}/export`,
      to,
      library: await loadParquet(),
      facts: { data_date: read.dataDate, ...(options.notice && { notice: options.notice }) },
    })
    : undefined;
  const search = await indexing;
  const changes = follows &&
    await writeChanges(to, { dir: `${dir}/changes`, partitions: totals.partitions });
  if (exported && changes) {
    const { earlier, chain } = follows!.previous;
    const { dataDate } = read;
    addSpans(exported, await writeSpans(to, { earlier, from: chain.at(-1)!.id, dataDate }));
  }
  return {
    totals,
    sums: [
      ...byNumber(totals.shards),
      ...byNumber(docketShards),
      ...(search?.sums ?? []),
      ...(exported?.sums ?? []),
    ],
    families: {
      carriers: describeFamily(totals.shards, CARRIERS_PER_SHARD),
      dockets: describeFamily(docketShards, DOCKETS_PER_SHARD),
    },
    search,
    exported,
    changes,
  };
}

async function writeRecords(
  { dir, pool, syncs, options }: BuildWork,
  { passes, dataDate, window, follows }: Omit<ReadFiles, "sources"> & {
    follows: Followed | undefined;
  },
): Promise<Totals> {
  const partitions = [
    ...new Set([
      ...spilledPartitions(`${dir}/census`, `${dir}/inspections`, `${dir}/orders`),
      ...(follows ? previousPartitions(follows.previous) : []),
    ]),
  ].sort((a, b) => a - b);
  const totals = new Totals(passes, partitions);
  const step: BuildStep = { label: "write", unit: "rows", total: passes.census.kept };
  const task = {
    kind: "assemble" as const,
    censusDir: `${dir}/census`,
    inspectionDir: `${dir}/inspections`,
    ...(passes.orders && { ordersDir: `${dir}/orders` }),
    ...(options.search !== false && { searchDir: `${dir}/search` }),
    ...(options.export && { exportDir: `${dir}/export` }),
    changesDir: `${dir}/changes`,
    to: `${dir}/${snapshotPath(STAGED)}`,
    width: CARRIERS_PER_SHARD,
    window,
    latest: addDays(compactDay(dataDate), BELIEVED_AHEAD_DAYS),
    dataDate,
    ...(follows && { merge: follows.merge }),
  };
  const shards = PARTITION_WIDTH / CARRIERS_PER_SHARD;
  // One more than the number of running tasks, so that the next one's shards are read meanwhile.
  const atOnce = pool.size + 1;
  await forEach(partitions, { atOnce, signal: options.signal }, async (partition) => {
    const stored = await follows?.previous.read(partition * shards, (partition + 1) * shards);
    const assembled = await pool.run(() => ({ ...task, partition, ...(stored && { stored }) }));
    totals.add(assembled);
    // This thread waits for the workers anyway. Doing all of it at the end would take a quarter of the
    // build's time.
    syncs.add(assembled.shards.map(({ path }) => `${task.to}/${path}`));
    options.onProgress?.(step, totals.counts().carriers);
  });
  return totals;
}

function indexRecords({ dir, pool, options }: BuildWork, totals: Totals): Promise<BuiltSearch> {
  const { partitions } = totals;
  const step: BuildStep = { label: "index", unit: "steps", total: indexSteps(partitions) };
  let done = 0;
  return indexSpilled({
    dir: `${dir}/search`,
    to: `${dir}/${snapshotPath(STAGED)}`,
    partitions,
    carriers: totals.counts().carriers,
    async run(task): Promise<unknown> {
      const result = await pool.run(() => task);
      options.onProgress?.(step, ++done);
      return result;
    },
  });
}

/** The partitions that have shards in the previous snapshot. */
function previousPartitions({ manifest: { families } }: Predecessor): number[] {
  const shards = PARTITION_WIDTH / CARRIERS_PER_SHARD;
  return families.carriers.runs.flatMap(([first, last]) => {
    const from = Math.floor(first / shards);
    return Array.from({ length: Math.floor(last / shards) - from + 1 }, (_, i) => from + i);
  });
}

function byNumber(shards: readonly ShardSum[]): ShardSum[] {
  return shards.toSorted((a, b) => a.shard - b.shard);
}
