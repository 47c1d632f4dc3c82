/**
 * The changes of a day for clients that sync: one line of JSON for each carrier, and the hash of all filed
 * rows. FORMAT.md, "Changes of a day", describes both.
 *
 * @module
 */

import { addDayChanges, countDay, type DayTally, noDayChanges } from "../../audit/day_changes.ts";
import { FILED_MEMBERS, filedRow } from "../../snapshot/record/filed.ts";
import { rowHash } from "../../snapshot/record/filed_hash.ts";
import { ABSENT, HIDDEN_VALUE, isHiddenAt, isSameStored } from "../../snapshot/record/rows.ts";

type Row = readonly unknown[];

/** The changes of a day. Plain data: a worker posts it. */
export interface ChangeCounts {
  added: number;
  changed: number;
  removed: number;
  /** The hash of all filed rows, or its difference from the previous one. */
  hash: bigint;
  tally: DayTally;
}

export function noChangeCounts(): ChangeCounts {
  return { added: 0, changed: 0, removed: 0, hash: 0n, tally: noDayChanges() };
}

/** Adds all of `from` to `into`. */
export function addChangeCounts(into: ChangeCounts, from: ChangeCounts): void {
  for (const name of ["added", "changed", "removed"] as const) into[name] += from[name];
  into.hash += from.hash;
  addDayChanges(into.tally, from.tally);
}

interface ChangeLogOptions {
  /** Receives the lines. */
  path: string;
  /** The data dates between which the changes happened. */
  between: readonly [string, string];
}

/** Characters that are buffered before they are written. */
const HELD = 1 << 20;

/** Collects the lines of one partition, shard by shard. */
export class ChangeLog {
  readonly counts = noChangeCounts();
  readonly #options: ChangeLogOptions | undefined;
  /** Whether the previous snapshot's hash is unknown, so that every row must be hashed. */
  readonly #isWhole: boolean;
  #shard: [dot: number, line: string][] = [];
  #text = "";

  /** @param options Absent when there are no rows to compare with. */
  constructor(options: ChangeLogOptions | undefined, isWhole: boolean) {
    this.#options = options;
    this.#isWhole = isWhole;
  }

  /** A row whose filed values are all equal, or that is not compared. */
  unchanged(row: Row): void {
    if (this.#isWhole) this.#hash(filedRow(row), 1n);
  }

  arrived(row: Row): void {
    const filed = filedRow(row);
    this.#hash(filed, 1n);
    this.counts.added++;
    countDay(this.counts.tally, { before: null, after: filed, members: [] });
    const set = namedValues(filed.flatMap((value, at) => at > 0 && value !== ABSENT ? [at] : []));
    this.#add(row[0], { op: "ADD", set: set((at) => filed[at]) });
  }

  left(row: Row): void {
    const filed = filedRow(row);
    if (!this.#isWhole) this.#hash(filed, -1n);
    this.counts.removed++;
    countDay(this.counts.tally, { before: filed, after: null, members: [] });
    this.#add(row[0], { op: "DEL" });
  }

  /**
   * @param changed Positions that FMCSA changed. Other values may differ because our code reads them
   * differently.
   */
  changed(before: Row, after: Row, changed: readonly number[]): void {
    const [then, now] = [filedRow(before), filedRow(after)];
    const differing = FILED_MEMBERS.flatMap((_, at) => {
      const isHiddenChange = isHiddenAt(at) && changed.includes(at);
      return isHiddenChange || !isSameStored(then[at] ?? ABSENT, now[at] ?? ABSENT) ? [at] : [];
    });
    if (!this.#isWhole) this.#hash(then, -1n);
    this.#hash(now, 1n);
    if (differing.length === 0) return;
    this.counts.changed++;
    const members = changed.map((at) => FILED_MEMBERS[at]!);
    if (members.length > 0) {
      countDay(this.counts.tally, { before: then, after: now, members });
    }
    const valueIn = (row: Row) => (at: number) => isHiddenAt(at) ? HIDDEN_VALUE : row[at] ?? ABSENT;
    const was = namedValues(differing.filter((at) => changed.includes(at)))(valueIn(then));
    this.#add(after[0], { op: "MOD", was, set: namedValues(differing)(valueIn(now)) });
  }

  /** Ends a shard and puts its lines in the order of their numbers. */
  endShard(): void {
    const lines = this.#shard.sort(([a], [b]) => a - b);
    this.#shard = [];
    for (const [, line] of lines) this.#text += line;
    if (this.#text.length > HELD) this.#write();
  }

  /** Writes the buffered lines. */
  finish(): ChangeCounts {
    this.#write();
    return this.counts;
  }

  #add(dot: unknown, change: Record<string, unknown>): void {
    const { between } = this.#options!;
    this.#shard.push([dot as number, JSON.stringify({ dot, ...change, between }) + "\n"]);
  }

  #hash(filed: Row, sign: bigint): void {
    this.counts.hash += sign * rowHash(filed);
  }

  #write(): void {
    if (this.#text === "") return;
    Deno.writeTextFileSync(this.#options!.path, this.#text, { append: true });
    this.#text = "";
  }
}

function namedValues(positions: readonly number[]) {
  return (valueAt: (at: number) => unknown): Record<string, unknown> =>
    Object.fromEntries(positions.map((at) => [FILED_MEMBERS[at]!, valueAt(at)]));
}
