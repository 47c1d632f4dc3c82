/**
 * The chain of consecutive snapshots: which of them a root keeps, and which one answers for a day.
 * Days are `YYYY-MM-DD`. Web APIs only.
 *
 * @module
 */

import { PAST_PATH } from "./paths.ts";
import {
  type DayChanges,
  type Keeps,
  PastDocument,
  type PastList,
  type PastSnapshot,
} from "./manifest.ts";
import { parseDocument } from "./documents.ts";
import { addMonths, daysBetween, formatDate, parseDate } from "../dates.ts";

export type { PastSnapshot };

/** What a folder keeps by default. */
export const FOLDER_KEEPS: Keeps = { days: 8, month_ends: 0 };

/** What a bucket keeps by default. */
export const BUCKET_KEEPS: Keeps = { days: 400, month_ends: 60 };

/** The spans of days for which a snapshot with an export has one file of changes each. */
export const SPANS = [7, 31] as const;

/**
 * Maximum number of snapshots whose changes a chain lists. Going back farther, loading a snapshot is cheaper.
 */
export const SYNC_DAYS = 90;

/** A snapshot of a chain with what it changed; absent without `changes.ndjson.gz`, and of old ones. */
export interface ChainedSnapshot extends PastSnapshot {
  changes?: DayChanges | undefined;
}

/** Parses `past.json`, the oldest first; errors as {@link parseDocument}. */
export function parsePast(bytes: Uint8Array): ChainedSnapshot[] {
  const { snapshots, changes = {} } = parseDocument(bytes, PAST_PATH, PastDocument);
  return snapshots.map(([data_date, id, manifest_sha256]) => ({
    id,
    data_date,
    manifest_sha256,
    ...(Object.hasOwn(changes, id) && { changes: changes[id] }),
  }));
}

/** The document of a snapshot's predecessors, the oldest first. */
export function pastDocument(
  format: number,
  past: readonly ChainedSnapshot[],
): PastList {
  const changes = past.slice(-SYNC_DAYS).flatMap(({ id, changes }) =>
    changes ? [[id, changes]] : []
  );
  return {
    format,
    snapshots: past.map(({ id, data_date, manifest_sha256 }) => [data_date, id, manifest_sha256]),
    ...(changes.length > 0 && { changes: Object.fromEntries(changes) }),
  };
}

/**
 * The snapshots of a chain that a root keeps. Counted from the data date of the current snapshot, which is
 * the last, it keeps all of the last `days` and the last one of each of the last `month_ends` months, but
 * none before `from`.
 */
export function keptOf<T extends PastSnapshot>(
  chain: readonly T[],
  keeps: Keeps | undefined,
): readonly T[] {
  const current = chain.at(-1);
  if (keeps === undefined || current === undefined) return chain;
  const today = parseDate(current.data_date);
  const thisMonth = parseDate(`${current.data_date.slice(0, 7)}-01`);
  const fromMonth = addMonths(thisMonth, -keeps.month_ends);
  const first = chain.findIndex(({ id }) => id === keeps.from);
  return chain.filter(({ data_date }, i) => {
    if (i < first) return false;
    const day = parseDate(data_date);
    if (i === chain.length - 1 || day >= today - keeps.days) return true;
    return day >= fromMonth && chain[i + 1]!.data_date.slice(0, 7) !== data_date.slice(0, 7);
  });
}

/** The snapshot that answers for a day: the newest data date at or before it; undefined before the first. */
export function answeringFor(
  day: string,
  kept: readonly PastSnapshot[],
): PastSnapshot | undefined {
  let found: PastSnapshot | undefined;
  for (const one of kept) {
    if (one.data_date <= day && (found === undefined || one.data_date >= found.data_date)) {
      found = one;
    }
  }
  return found;
}

/**
 * The newest data date in a chain before a day: a change first seen on that day happened between the two.
 * Undefined when the chain begins with that day.
 */
export function dateBefore(day: string, chain: readonly PastSnapshot[]): string | undefined {
  let before: string | undefined;
  for (const { data_date } of chain) {
    if (data_date < day && (before === undefined || data_date > before)) before = data_date;
  }
  return before;
}

/** Days before the current data date of which a root has search indexes. */
const SEARCH_DAYS = 8;

/** Whether a kept snapshot may be without its search index, by its data date and that of the current one. */
export function lacksSearch(data_date: string, current: string): boolean {
  return daysBetween(data_date, current) > SEARCH_DAYS;
}

/** Days without a snapshot between two of a chain. */
export interface ChainGap {
  /** The data dates around it. */
  after: string;
  before: string;
  days: number;
}

/** The gaps of a chain, the oldest first. */
export function gapsOf(chain: readonly PastSnapshot[]): ChainGap[] {
  return chain.slice(1).flatMap(({ data_date: before }, i) => {
    const after = chain[i]!.data_date;
    const days = daysBetween(after, before) - 1;
    return days > 0 ? [{ after, before, days }] : [];
  });
}

/** The day a number of days earlier. */
export function daysBefore(day: string, days: number): string {
  return formatDate(parseDate(day) - days);
}
