/**
 * Changes since the previous snapshot, for the report: counts by member, status, state and fleet size, and
 * the largest carriers that changed. A value that differs only because our code now reads it differently is
 * not counted.
 *
 * @module
 */

import type { ChainedSnapshot } from "../snapshot/chain.ts";
import { ABSENT, positionOf } from "../snapshot/record/rows.ts";
import { type Distribution, fleetBand } from "./distributions.ts";

const COUNTED = ["members", "status", "states", "fleets"] as const;

/** Counts by label. Plain data: a worker posts it. */
export type DayTally = Record<typeof COUNTED[number], Record<string, number>> & {
  largest: LargestChange[];
};

/** A carrier, its power units, and the members that changed, or `new` or `gone`. */
type LargestChange = [dot: number, powerUnits: number, changed: string[]];

/** In `report.json`: what changed since the previous snapshot. */
export interface DayReport extends Record<typeof COUNTED[number], Distribution> {
  added: number;
  changed: number;
  removed: number;
  largest: LargestChange[];
  /** The days of the chain, the oldest first, this one last. */
  days: [day: string, added: number, changed: number, removed: number][];
}

/** Carriers that the report lists. */
const LARGEST = 20;

const STATUS_AT = positionOf("status");
const STATE_AT = positionOf("state");
const UNITS_AT = positionOf("power_units");

export function noDayChanges(): DayTally {
  return { members: {}, status: {}, states: {}, fleets: {}, largest: [] };
}

type Row = readonly unknown[];

/**
 * Counts one carrier: its filed rows before and after, null where it has none, and the members that changed.
 */
export function countDay(
  tally: DayTally,
  { before, after, members }: { before: Row | null; after: Row | null; members: string[] },
): void {
  const row = (after ?? before)!;
  const [was, is] = [before?.[STATUS_AT] ?? "new", after?.[STATUS_AT] ?? "gone"];
  if (was !== is) add(tally.status, `${was} ${is}`);
  for (const member of members) add(tally.members, member);
  const state = row[STATE_AT] ?? ABSENT;
  add(tally.states, state === ABSENT ? "not reported" : state as string);
  const units = typeof row[UNITS_AT] === "number" ? row[UNITS_AT] : undefined;
  add(tally.fleets, fleetBand(units));
  const changed = before === null ? ["new"] : after === null ? ["gone"] : members;
  if (units !== undefined) keepLargestChanges(tally, [[row[0] as number, units, changed]]);
}

/** Adds all of `from` to `into`. */
export function addDayChanges(into: DayTally, from: DayTally): void {
  for (const name of COUNTED) {
    for (const [label, count] of Object.entries(from[name])) add(into[name], label, count);
  }
  keepLargestChanges(into, from.largest);
}

/** @param chain The snapshots before this one, the oldest first. */
export function dayReport(
  tally: DayTally,
  { counts, dataDate, chain }: {
    counts: Pick<DayReport, "added" | "changed" | "removed">;
    dataDate: string;
    chain: readonly ChainedSnapshot[];
  },
): DayReport {
  const { added, changed, removed } = counts;
  const sorted = (name: typeof COUNTED[number]): Distribution =>
    Object.entries(tally[name]).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const days = chain.flatMap(({ data_date: day, changes }): DayReport["days"] =>
    changes === undefined ? [] : [[day, changes.added, changes.changed, changes.removed]]
  );
  return {
    added,
    changed,
    removed,
    members: sorted("members"),
    status: sorted("status"),
    states: sorted("states").slice(0, 30),
    fleets: sorted("fleets"),
    largest: tally.largest,
    days: [...days, [dataDate, added, changed, removed]],
  };
}

function add(counts: Record<string, number>, label: string, count = 1): void {
  // The state is text as filed. It might be "constructor", which every object inherits.
  counts[label] = (Object.hasOwn(counts, label) ? counts[label]! : 0) + count;
}

function keepLargestChanges(tally: DayTally, more: readonly LargestChange[]): void {
  const least = tally.largest[LARGEST - 1]?.[1] ?? -1;
  const larger = more.filter(([, units]) => units >= least);
  if (larger.length === 0) return;
  tally.largest.push(...larger);
  tally.largest.sort(([a, m], [b, n]) => n - m || a - b).splice(LARGEST);
}
