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
import { noRecordChanges, type RecordChangeCounts } from "../audit/record_changes.ts";
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
  const { partition, dataDate } = task;
  const problems = { census: {}, inspections: {}, orders: {} };
  const rollUp = new InspectionRollUp(takeSpill(task.inspectionDir, partition), task.window);
  for (const id of rollUp.duplicates) {
    const detail = `INSPECTION_ID ${id}`;
    addProblem(problems.inspections, "duplicate_inspection", { line: 0, detail });
  }
  const spilledOrders = task.ordersDir === undefined
    ? new Uint8Array(0)
    : takeSpill(task.ordersDir, partition);
  const orders = new OrderRollUp(spilledOrders, task, problems.orders);
  const statistics = noStatistics();
  statistics.inWindow = rollUp.inWindow;
  statistics.newestInspection = rollUp.newest;
  const fleets: Fleets = [];
  const dockets: number[] = [];
  const search = task.searchDir === undefined ? undefined : new SearchSpill();
  const exported = parquet && new ExportPart(parquet, PARTITION_WIDTH);
  const shards = new CarrierShards(task);
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
    shards.add(record.dot, row);
  }
  search?.finish(task.searchDir!, partition);
  const all = plainStatistics(statistics, dataDate);
  all.distributions.inspections_per_month = rollUp.months;
  all.distributions.inspection_levels = rollUp.levels;
  all.distributions.inspection_states = rollUp.states;
  return {
    ...shards.finish(),
    problems,
    statistics: all,
    fleets: keepLargest(fleets),
    orders: orders.counts,
    dockets: Uint32Array.from(dockets),
    exported: exported?.finish(task.exportDir!, partition) ?? null,
  };
}

/**
 * Writes a partition's shards, merged with those of the previous snapshot. It keeps the rows of one shard,
 * because a whole partition's rows would survive every young-generation collection.
 */
class CarrierShards {
  readonly #task: AssembleTask;
  readonly #perPartition: number;
  readonly #sums: ShardSum[] = [];
  readonly #changes: RecordChangeCounts;
  readonly #losses = noLosses();
  readonly #log: ChangeLog;
  #left = 0;
  /** The shard being filled, and its rows. */
  #shard: number;
  #rows: unknown[][] = [];

  constructor(task: AssembleTask) {
    const { partition, width, merge, changesDir } = task;
    this.#task = task;
    this.#perPartition = PARTITION_WIDTH / width;
    this.#shard = partition * this.#perPartition;
    this.#changes = noRecordChanges(merge?.skipped);
    this.#log = new ChangeLog(
      merge && { path: `${changesDir}/${partition}`, between: merge.between },
      merge?.isHashed !== true,
    );
  }

  /** Adds rows in the order of their USDOT numbers. */
  add(dot: number, row: unknown[]): void {
    const shard = Math.floor(dot / this.#task.width);
    if (shard !== this.#shard) this.#writeUntil(shard);
    this.#rows.push(row);
  }

  finish(): Pick<Assembled, "shards" | "changes" | "losses" | "left" | "log"> {
    this.#writeUntil((this.#task.partition + 1) * this.#perPartition);
    return {
      shards: this.#sums,
      changes: this.#changes,
      losses: this.#losses,
      left: this.#left,
      log: this.#log.finish(),
    };
  }

  /** Writes the shard being filled, and later ones before `next` whose carriers have all left. */
  #writeUntil(next: number): void {
    this.#write();
    for (this.#shard++; this.#shard < next; this.#shard++) {
      if (this.#task.stored?.has(this.#shard)) this.#write();
    }
  }

  #write(): void {
    const { to, merge, stored } = this.#task;
    const rows = this.#rows;
    const shard = this.#shard;
    const merged = merge
      ? mergeShard(rows, stored?.get(shard), {
        task: merge,
        counts: this.#changes,
        losses: this.#losses,
        log: this.#log,
      })
      : shardLines(rows, this.#log);
    if (merged.lines.length > 0) {
      const text = carrierLines(merged.lines);
      this.#sums.push(writeShard(to, { family: "carriers", shard, items: rows.length, text }));
    }
    this.#left += merged.left;
    this.#rows = [];
  }
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
