/**
 * The second pass: turns one partition of spilled rows into shards of records, and builds the docket index
 * from the docket entries of all partitions.
 *
 * @module
 */

import { statusRank, toRecord } from "../fmcsa/census.ts";
import { addProblem, type ProblemTallies } from "../fmcsa/problems.ts";
import { SearchSpill } from "../search/index/spill.ts";
import type { CarrierRecord } from "../snapshot/record/record.ts";
import { rowOf } from "../snapshot/record/row_writer.ts";
import { carrierLines } from "../snapshot/record/shards.ts";
import { type ShardSum, writeShard } from "../snapshot/writer.ts";
import { ExportPart, type ParquetLibrary } from "../export/part.ts";
import { messageOf } from "../text.ts";
import { type Fleets, keepLargest, noteFleet } from "../audit/landmarks.ts";
import { noRecordChanges } from "../audit/record_changes.ts";
import { mergeShard, noLosses, type PreviousShards, shardLines } from "./changes/merge.ts";
import { ChangeLog } from "./changes/change_log.ts";
import type { StoredShards } from "./changes/predecessor.ts";
import { SpilledCensus } from "./spill/spilled_census.ts";
import { InspectionRollUp, type InspectionWindow } from "./spill/inspection_rollup.ts";
import { OrderRollUp } from "./spill/spilled_orders.ts";
import { PARTITION_WIDTH, takeSpill } from "./spill/staging.ts";
import { type Assembled, countRecord, noStatistics, plainStatistics } from "./totals.ts";

export interface AssembleTask {
  partition: number;
  censusDir: string;
  inspectionDir: string;
  /** Absent when orders are not included. */
  ordersDir?: string;
  /** Receives the input of the search index; absent when none is built. */
  searchDir?: string;
  /** Receives the parts of the exported files; absent when none are made. */
  exportDir?: string;
  /** Receives the lines of `changes.ndjson.gz`. */
  changesDir: string;
  /** The snapshot's folder. */
  to: string;
  /** USDOT numbers per shard. */
  width: number;
  window: InspectionWindow;
  /** The last believable day of the census, `YYYYMMDD` as a number. */
  latest: number;
  dataDate: string;
  /** The previous snapshot, and its shards of this partition; absent for the first of a chain. */
  merge?: PreviousShards;
  stored?: StoredShards;
}

/** Reads a partition's spilled rows, joins them and writes its shards. */
export function assemblePartition(task: AssembleTask, parquet?: ParquetLibrary): Assembled {
  const { partition, dataDate, width } = task;
  const rollUp = new InspectionRollUp(takeSpill(task.inspectionDir, partition), task.window);
  const problems = { census: {}, inspections: {}, orders: {} };
  const spilledOrders = task.ordersDir === undefined
    ? new Uint8Array(0)
    : takeSpill(task.ordersDir, partition);
  const orders = new OrderRollUp(spilledOrders, task, problems.orders);
  for (const id of rollUp.duplicates) {
    const detail = `INSPECTION_ID ${id}`;
    addProblem(problems.inspections, "duplicate_inspection", { line: 0, detail });
  }
  const statistics = noStatistics();
  statistics.inWindow = rollUp.inWindow;
  statistics.newestInspection = rollUp.newest;
  const fleets: Fleets = [];
  const changes = noRecordChanges(task.merge?.skipped);
  const dockets: number[] = [];
  const shards: ShardSum[] = [];
  const search = task.searchDir === undefined ? undefined : new SearchSpill();
  const exported = parquet && new ExportPart(parquet, PARTITION_WIDTH);
  const losses = noLosses();
  const log = new ChangeLog(
    task.merge && { path: `${task.changesDir}/${partition}`, between: task.merge.between },
    task.merge?.isHashed !== true,
  );
  let left = 0;
  let rows: unknown[][] = [];
  const perPartition = PARTITION_WIDTH / width;
  let shard = partition * perPartition;
  const write = (next: number): void => {
    writeOne();
    // Shards whose carriers have all left.
    for (shard++; shard < next; shard++) if (task.stored?.has(shard)) writeOne();
  };
  const writeOne = (): void => {
    const merged = task.merge
      ? mergeShard(rows, task.stored?.get(shard), {
        task: task.merge,
        counts: changes,
        losses,
        log,
      })
      : shardLines(rows, log);
    if (merged.lines.length > 0) {
      const text = carrierLines(merged.lines);
      shards.push(writeShard(task.to, { family: "carriers", shard, items: rows.length, text }));
    }
    left += merged.left;
    rows = [];
  };
  // One shard's rows at a time: a whole partition's rows would survive every young-generation collection.
  for (const record of records(task, problems.census)) {
    let row: unknown[];
    try {
      record.inspections = rollUp.summary(record)!;
      Object.assign(record, orders.of(record.dot));
      row = rowOf(record);
      exported?.add(row);
      countRecord(statistics, record, { row, dataDate });
      noteFleet(fleets, record);
      pushDockets(dockets, record);
      if (search?.add(record)) {
        const detail = `USDOT ${record.dot}: a word of a name or place`;
        addProblem(problems.census, "long_word", { line: 0, detail });
      }
    } catch (error) {
      throw new Error(`Cannot use the record of USDOT ${record.dot}: ${messageOf(error)}`);
    }
    const next = Math.floor(record.dot / width);
    if (next !== shard) {
      write(next);
      shard = next;
    }
    rows.push(row);
  }
  write((partition + 1) * perPartition);
  search?.finish(task.searchDir!, partition);
  const all = plainStatistics(statistics, dataDate);
  all.distributions.inspections_per_month = rollUp.months;
  all.distributions.inspection_levels = rollUp.levels;
  all.distributions.inspection_states = rollUp.states;
  return {
    shards,
    problems,
    statistics: all,
    fleets: keepLargest(fleets),
    changes,
    log: log.finish(),
    orders: orders.counts,
    losses,
    left,
    dockets: Uint32Array.from(dockets),
    exported: exported?.finish(task.exportDir!, partition) ?? null,
  };
}

/** The partition's records by USDOT number, each number once. */
function* records(task: AssembleTask, problems: ProblemTallies): Generator<CarrierRecord> {
  const rows = new SpilledCensus(takeSpill(task.censusDir, task.partition), problems);
  let best: CarrierRecord | undefined;
  for (const offset of rows.inDotOrder()) {
    rows.seek(offset);
    const record = recordAt(rows, task);
    if (record === undefined) continue;
    if (best?.dot === record.dot) {
      rows.problem("duplicate_usdot_number", "DOT_NUMBER", String(record.dot));
      if (preference(record) > preference(best)) best = record;
      continue;
    }
    if (best) yield best;
    best = record;
  }
  if (best) yield best;
}

function recordAt(rows: SpilledCensus, task: AssembleTask): CarrierRecord | undefined {
  try {
    return toRecord(rows, task);
  } catch (error) {
    const { dot, line } = rows;
    throw new Error(`Cannot use line ${line} of the census, USDOT ${dot}: ${messageOf(error)}`);
  }
}

/** Sort key for rows of one USDOT number: newest MCS-150, then status, then the whole record. */
function preference(record: CarrierRecord): string {
  const { mcs150_date = "", status } = record;
  return `${mcs150_date.padEnd(10)}${statusRank(status)}${JSON.stringify(record)}`;
}

/** Words of a docket entry: prefix, number, USDOT number, rank. */
const DOCKET_WORDS = 4;

/** Appends a record's dockets as words; the rank orders the carriers of one docket, best highest. */
function pushDockets(words: number[], record: CarrierRecord): void {
  for (const { prefix, number, status } of record.dockets ?? []) {
    const filed = record.mcs150_date ? Number(record.mcs150_date.replaceAll("-", "")) : 0;
    // Active docket, then active carrier, then the newest MCS-150: 20991231 fits 25 bits.
    const rank = (status === "A" ? 2 ** 26 : 0) + (record.status === "A" ? 2 ** 25 : 0) + filed;
    words.push(packPrefix(prefix), number, record.dot, rank);
  }
}

/** Packs up to three letters into one word. */
function packPrefix(prefix: string): number {
  return Array.from(prefix).reduce((word, letter) => word * 256 + letter.charCodeAt(0), 0);
}

function unpackPrefix(word: number): string {
  return word === 0 ? "" : unpackPrefix(Math.floor(word / 256)) + String.fromCharCode(word % 256);
}

/**
 * Writes the docket index, one shard per range of docket numbers: prefix, number, and the USDOT numbers that
 * file it, the active docket before others, then the active carrier, the newest MCS-150, the
 * lowest number.
 *
 * @param options.parts Docket entries of the partitions, in any order.
 */
export function writeDockets(
  to: string,
  { parts, width }: { parts: readonly Uint32Array[]; width: number },
): ShardSum[] {
  const words = new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let end = 0;
  for (const part of parts) {
    words.set(part, end);
    end += part.length;
  }
  const byShard = new Map<number, number[]>();
  for (let at = 0; at < end; at += DOCKET_WORDS) {
    const shard = Math.floor(words[at + 1]! / width);
    const offsets = byShard.get(shard);
    if (offsets) offsets.push(at);
    else byShard.set(shard, [at]);
  }
  return [...byShard].map(([shard, offsets]) => {
    offsets.sort((a, b) =>
      words[a]! - words[b]! || words[a + 1]! - words[b + 1]! ||
      words[b + 3]! - words[a + 3]! || words[a + 2]! - words[b + 2]!
    );
    const body: Record<string, Record<string, number[]>> = {};
    const items: number[][] = [];
    for (const at of offsets) {
      const numbers = body[unpackPrefix(words[at]!)] ??= {};
      const number = words[at + 1]!;
      if (numbers[number] === undefined) items.push(numbers[number] = []);
      numbers[number].push(words[at + 2]!);
    }
    const text = JSON.stringify(body);
    return writeShard(to, { family: "dockets", shard, items: items.length, text });
  });
}
