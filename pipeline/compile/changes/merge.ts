/**
 * The merge with the previous snapshot, shard by shard: rows receive the changes of their filed values, and
 * carriers that left the census stay for 24 months. FORMAT.md, "History", has the rules.
 *
 * @module
 */

import { gunzipSync } from "node:zlib";
import { countPair, countUnchanged, type RecordChangeCounts } from "../../audit/record_changes.ts";
import {
  type ChangedValue,
  changedValues,
  type FiledValue,
} from "../../snapshot/record/filed_changes.ts";
import { MAX_CHANGES } from "../../snapshot/record/record.ts";
import {
  ABSENT,
  cutRow,
  FILED,
  isHiddenAt,
  isLeftRow,
  isSameStored,
  ORDERS_AT,
  REFUSED_AT,
  type StoredChanges,
} from "../../snapshot/record/rows.ts";
import type { ChangeLog } from "./change_log.ts";

/** The previous snapshot as the second pass needs it; days are counted from 1970. Plain data. */
export interface PreviousShards {
  /** Its data date. */
  seen: number;
  /** The data date of the snapshot that is built. */
  day: number;
  /** Changes before this day, and carriers that left before it, are dropped. */
  oldest: number;
  /** Positions that are not compared, because our code began to read them differently. */
  skipped: readonly number[];
  /** The newest data date before `day`, and `day`. Changes happened between them. */
  between: readonly [string, string];
  /** Whether the hash of its filed rows is known. */
  isHashed: boolean;
}

/** A shard after the merge. */
interface MergedShard {
  /** JSON of the rows, by ascending USDOT number. */
  lines: string[];
  /** How many of them belong to carriers that left. */
  left: number;
}

/**
 * How many orders the previous snapshot lists for carriers still in the census, and how many the new file
 * lost.
 */
export interface OrderLosses {
  orders: number;
  /** Orders that are missing from it, or that lost their rescission. */
  lost: number;
}

export function noLosses(): OrderLosses {
  return { orders: 0, lost: 0 };
}

const INSPECTIONS_AT = FILED;
const CHANGES_AT = FILED + 2;

/** The text written for this many absent values. */
const PADS = Array.from({ length: FILED }, (_, n) => `,"${ABSENT}"`.repeat(n));

/** The lines of a shard that is not compared. */
export function shardLines(rows: readonly unknown[][], log: ChangeLog): MergedShard {
  for (const row of rows) log.unchanged(row);
  return { lines: rows.map((row) => JSON.stringify(row)), left: 0 };
}

interface MergeOptions {
  task: PreviousShards;
  counts: RecordChangeCounts;
  losses: OrderLosses;
  log: ChangeLog;
}

/**
 * Merges the new rows of a shard, by ascending USDOT number, with those of the previous snapshot, and counts.
 *
 * @param stored The shard of the previous snapshot as stored; undefined when it has none.
 */
export function mergeShard(
  rows: readonly unknown[][],
  stored: Uint8Array | undefined,
  options: MergeOptions,
): MergedShard {
  const { task, counts, log } = options;
  const before = linesOf(stored);
  const lines: string[] = [];
  let left = 0;
  let at = 0;
  const keepLeftUpTo = (end: number): void => {
    for (; at < before.length && dotOf(before[at]!) < end; at++) {
      const row = JSON.parse(before[at]!) as unknown[];
      countPair(counts, row, null);
      if (!isLeftRow(row)) log.left(row);
      const kept = lineOfLeft(row, task);
      if (kept === undefined) continue;
      lines.push(kept);
      left++;
    }
  };
  for (const row of rows) {
    const dot = row[0] as number;
    keepLeftUpTo(dot);
    const wasThere = at < before.length && dotOf(before[at]!) === dot;
    lines.push(mergedLine(row, wasThere ? before[at++] : undefined, options));
  }
  keepLeftUpTo(Infinity);
  log.endShard();
  return { lines, left };
}

/** The JSON of each row of a stored shard, by ascending USDOT number. */
function linesOf(bytes: Uint8Array | undefined): string[] {
  if (bytes === undefined) return [];
  const text = gunzipSync(bytes).toString();
  // The rows stand between `[` and `]`, each on its own line.
  return text.slice(2, -2).split(",\n");
}

function dotOf(line: string): number {
  return parseInt(line.slice(1, 10));
}

function mergedLine(
  row: readonly unknown[],
  line: string | undefined,
  { task, counts, losses, log }: MergeOptions,
): string {
  const text = JSON.stringify(row);
  // Most carriers: nothing differs, and there are no changes to keep.
  if (line === text && row.length <= REFUSED_AT) {
    countUnchanged(counts, row, row[INSPECTIONS_AT]);
    log.unchanged(row);
    return text;
  }
  const values = cutRow(row.slice(0, FILED));
  const filed = JSON.stringify(values).slice(0, -1);
  const pads = PADS[FILED - values.length]!;
  const isSame = line !== undefined && hasFiled(line, filed, pads);
  const tail = isSame ? tailOf(line, filed.length + pads.length) : [];
  let changes: StoredChanges | undefined;
  if (isSame && row.length <= REFUSED_AT && !tail[1] && tail.length <= 3) {
    // Only inspections differ, or there are changes from earlier days.
    countUnchanged(counts, row, tail[0]);
    log.unchanged(row);
    changes = trimmed((tail[2] || {}) as StoredChanges, task);
  } else {
    const before = isSame
      ? [...values, ...Array<unknown>(FILED - values.length).fill(ABSENT), ...tail]
      : line === undefined
      ? null
      : JSON.parse(line) as unknown[];
    if (isSame) countUnchanged(counts, row, tail[0]);
    else countPair(counts, before, row);
    if (before !== null && !task.skipped.includes(ORDERS_AT)) countLosses(losses, before, row);
    const changed = changedValues(before, row, task.skipped);
    if (changed === undefined) log.arrived(row);
    else if (isSame && isSameBeside(before!, row)) log.unchanged(row);
    else log.changed(before!, row, changed.map(({ position }) => position));
    changes = changesOf(before, changed ?? [], task);
  }
  if (changes === undefined) return text;
  const [inspections = ABSENT, refused = ABSENT, , ...orders] = row.slice(INSPECTIONS_AT);
  const rest = JSON.stringify([inspections, refused, changes, ...orders]);
  return `${filed}${pads},${rest.slice(1)}`;
}

/** Whether a line begins with these filed values and has no more of them. */
function hasFiled(line: string, filed: string, pads: string): boolean {
  if (!line.startsWith(filed)) return false;
  return line.length === filed.length + 1 || line.startsWith(`${pads},`, filed.length);
}

/** The values of a line after the filed ones, which end at `end` unless there are none. */
function tailOf(line: string, end: number): unknown[] {
  return line.length <= end + 1 ? [] : JSON.parse(`[${line.slice(end + 1)}`);
}

/**
 * A date is a day number, or the filed text when it is unusable. No rescission is an absent value or a blank
 * text.
 */
type StoredOrder = [date: number | string, reason?: string, rescinded?: number | string];

function countLosses(
  losses: OrderLosses,
  before: readonly unknown[],
  row: readonly unknown[],
): void {
  const [then, now] = [before, row].map((of) => (of[ORDERS_AT] || []) as StoredOrder[]);
  losses.orders += then!.length;
  // There are more orders than are listed, so those left out are not lost.
  if (row[ORDERS_AT + 1] !== undefined) return;
  losses.lost +=
    then!.filter(([date, reason, rescinded]) =>
      !now!.some((order) =>
        order[0] === date && order[1] === reason && (!rescinded || Boolean(order[2]))
      )
    ).length;
}

/** Whether two rows with equal filed values also have equal orders and equal unusable texts. */
function isSameBeside(before: readonly unknown[], row: readonly unknown[]): boolean {
  return [REFUSED_AT, ORDERS_AT].every((at) =>
    isSameStored(before[at] ?? ABSENT, row[at] ?? ABSENT)
  );
}

/**
 * The changes of a carrier, including those of this build. `before` is its previous row, null when there was
 * none. Undefined when there are no changes.
 */
function changesOf(
  before: unknown[] | null,
  changed: readonly ChangedValue[],
  task: PreviousShards,
): StoredChanges | undefined {
  if (before === null) return { [task.day]: [0, ABSENT] };
  if (isLeftRow(before)) {
    const { last_seen, changes } = before[1];
    return trimmed({ ...changes as StoredChanges, [task.day]: [0, last_seen] }, task);
  }
  const kept = { ...before[CHANGES_AT] as StoredChanges | undefined };
  const today = pairsOf(kept[task.day] ?? []);
  // A carrier that arrived that day has no earlier value.
  const isNew = today.has(0);
  for (const { position, then, now } of isNew ? [] : changed) {
    // Snapshots with the same data date count as one, so the value to keep is the one before that day.
    if (!today.has(position)) today.set(position, writtenBefore(position, then));
    else if (!isHiddenAt(position) && isSameStored(today.get(position), now.value)) {
      today.delete(position);
    }
  }
  if (today.size === 0) delete kept[task.day];
  else kept[task.day] = [...today].sort(([a], [b]) => a - b).flat();
  return trimmed(kept, task);
}

function writtenBefore(position: number, { value, refused }: FiledValue): unknown {
  if (isHiddenAt(position)) return null;
  return refused === undefined ? value : { refused };
}

function pairsOf(values: readonly unknown[]): Map<number, unknown> {
  const pairs = new Map<number, unknown>();
  for (let i = 0; i < values.length; i += 2) pairs.set(values[i] as number, values[i + 1]);
  return pairs;
}

/** The newest changes, as many as are kept; undefined for none. */
function trimmed(changes: StoredChanges, { oldest }: PreviousShards): StoredChanges | undefined {
  const days = Object.keys(changes).map(Number).filter((day) => day >= oldest);
  const kept: StoredChanges = {};
  let room = 2 * MAX_CHANGES;
  for (const day of days.toReversed()) {
    if (room === 0) break;
    kept[day] = changes[day]!.slice(0, room);
    room -= kept[day].length;
  }
  return days.length === 0 ? undefined : kept;
}

/** The line of a carrier that is no longer in the census; undefined when it left too long ago. */
function lineOfLeft(row: unknown[], task: PreviousShards): string | undefined {
  const { last_seen, changes } = isLeftRow(row)
    ? row[1]
    : { last_seen: task.seen, changes: row[CHANGES_AT] };
  if (last_seen < task.oldest) return undefined;
  const kept = trimmed({ ...changes as StoredChanges | undefined }, task);
  return JSON.stringify([row[0], { last_seen, ...(kept !== undefined && { changes: kept }) }]);
}
