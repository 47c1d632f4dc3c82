/**
 * When there is a daily run to do.
 *
 * @module
 */

import type { RunRecord } from "./records.ts";

/** Milliseconds that whoever does the run may go without a commit before another may take it up. */
export const LEASE_MS = 60_000;

/** What a run would be for. */
export interface Present {
  snapshot: Pick<RunRecord, "snapshot_id" | "manifest_sha256" | "data_date">;
  /** The day in New York. */
  today: string;
  now: number;
}

/**
 * The run to do: the stored one where it was left, or a new one, once a day and once for each newer
 * data date; null when there is none, or somebody does it. A new one takes the place of an older one
 * whoever does that.
 */
export function dueRun(
  stored: RunRecord | null,
  { snapshot, today, now }: Present,
): RunRecord | null {
  const newer = stored === null || today > stored.day ||
    (today === stored.day && snapshot.data_date > stored.data_date);
  if (newer) {
    return {
      ...snapshot,
      day: today,
      cursor: null,
      finished_at: null,
      lease_until: 0,
      attempts: 0,
      looked_at: 0,
      unread: 0,
      mails: 0,
      token: "",
    };
  }
  // A lease longer than any is of a clock that was put back.
  const leased = stored.lease_until > now && stored.lease_until <= now + LEASE_MS;
  return stored.finished_at !== null || leased ? null : stored;
}
