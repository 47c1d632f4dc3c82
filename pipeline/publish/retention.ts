/**
 * Which snapshots of a store gc keeps and why, and what that costs.
 *
 * @module
 */

import { DAY_MS } from "../dates.ts";
import { keptOf, lacksSearch, type PastSnapshot } from "../snapshot/chain.ts";
import type { Keeps } from "../snapshot/manifest.ts";

/** Milliseconds that a snapshot stays after it was replaced, since readers and jobs may still use it. */
export const KEEP_REPLACED_MS = 7 * DAY_MS;

/** Milliseconds after which a replaced snapshot loses its search index and files of all carriers. */
const KEEP_SEARCH_MS = 8 * DAY_MS;

/** Milliseconds during which an interrupted upload can be resumed. */
const KEEP_UPLOAD_MS = DAY_MS;

/** Number of snapshots that stay, however old they are. */
const KEEP_NEWEST = 3;

/** A snapshot as found in a store. */
export interface FoundSnapshot {
  id: string;
  /** Its data date, absent when it is not whole. */
  data_date?: string;
  /** Whether its manifest, which is written last, is there. */
  isWhole: boolean;
  /** When its manifest was last written, or without a manifest any of its objects; milliseconds. */
  modified: number;
  /** Its search index, if any part of it is there. */
  search?: { objects: number; bytes: number };
  /** Its files of all carriers, if any are there. */
  export?: { objects: number; bytes: number };
  /** Whether gc has removed its search index and files of all carriers. */
  isSearchRemoved: boolean;
}

/** What gc does with a snapshot. */
export interface Retention {
  /** Why gc keeps it; null when it does not. */
  kept: string | null;
  /** Whether gc removes its search index and files of all carriers, and keeps the rest. */
  losesSearch: boolean;
}

/** Why the kept snapshots of a chain are kept, by id. */
export function keptReasons(
  chain: readonly PastSnapshot[],
  keeps: Keeps | undefined,
): Map<string, string> {
  const kept = keptOf(chain, keeps);
  if (keeps === undefined) return new Map(kept.map(({ id }) => [id, "all of its chain are kept"]));
  const daily = new Set(keptOf(chain, { ...keeps, month_ends: 0 }));
  return new Map(kept.map((one) => [
    one.id,
    daily.has(one) ? `of the last ${keeps.days} days` : `the last of ${one.data_date.slice(0, 7)}`,
  ]));
}

/**
 * What gc does with each snapshot. A snapshot's seven days begin when the next one was published, because
 * until then it was current.
 *
 * @param options.current The current data date.
 * @param options.named Ids that the pointer names.
 * @param options.chained Why snapshots of its chain are kept, by id.
 */
export function planRetention(
  found: readonly FoundSnapshot[],
  { named, chained, current, now }: {
    named: ReadonlySet<string>;
    chained: ReadonlyMap<string, string>;
    current: string;
    now: number;
  },
): Map<string, Retention> {
  const plan = new Map<string, Retention>();
  const whole = found.filter(({ isWhole }) => isWhole)
    .toSorted((a, b) => b.modified - a.modified || (a.id < b.id ? 1 : -1));
  for (const [i, { id, data_date = current, ...one }] of whole.entries()) {
    const replaced = now - (whole[i - 1]?.modified ?? now);
    const inUse = named.has(id)
      ? "the pointer names it"
      : i < KEEP_NEWEST
      ? `one of the newest ${KEEP_NEWEST}`
      : replaced < KEEP_REPLACED_MS
      ? "current less than 7 days ago"
      : undefined;
    const kept = inUse ?? chained.get(id) ?? null;
    const losesSearch = inUse === undefined && kept !== null &&
      (one.search ?? one.export) !== undefined &&
      replaced >= KEEP_SEARCH_MS && lacksSearch(data_date, current);
    plan.set(id, { kept, losesSearch });
  }
  for (const { id, isWhole, modified } of found) {
    if (isWhole) continue;
    const isRecent = now - modified < KEEP_UPLOAD_MS;
    const kept = isRecent || named.has(id)
      ? "not whole, uploaded in the last day"
      : chained.get(id) ?? null;
    plan.set(id, { kept, losesSearch: false });
  }
  return plan;
}

/** Dollars per GB and month: R2's price of 2026, without its free 10 GB. */
export const DOLLARS_PER_GB = 0.015;

/** Dollars a month for storing bytes on R2. */
export function storageCost(bytes: number): number {
  return bytes / 1e9 * DOLLARS_PER_GB;
}
