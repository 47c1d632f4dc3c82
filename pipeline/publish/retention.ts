/**
 * Which snapshots a store keeps.
 *
 * @module
 */

/** Milliseconds that a snapshot stays after another took its place: readers and jobs may be on it. */
export const KEEP_MS = 7 * 86_400_000;

/** Snapshots that stay, however old. */
const KEEP_NEWEST = 3;

/** Milliseconds in which an upload that broke off can be resumed. */
export const KEEP_UPLOAD_MS = 86_400_000;

/** A snapshot as found in a store. */
export interface Found {
  id: string;
  /** Whether its manifest, which is written last, is there. */
  isWhole: boolean;
  /** When its manifest was last written, or without one any object of it; milliseconds. */
  modified: number;
}

/**
 * Why each snapshot is kept, null for those that are not. A snapshot's seven days begin when the next
 * one was published, for until then it was current.
 *
 * @param options.named Ids that the pointer names.
 * @param options.now Milliseconds.
 */
export function planRetention(
  found: readonly Found[],
  { named, now }: { named: ReadonlySet<string>; now: number },
): Map<string, string | null> {
  const plan = new Map<string, string | null>();
  const whole = found.filter(({ isWhole }) => isWhole)
    .toSorted((a, b) => b.modified - a.modified || (a.id < b.id ? 1 : -1));
  for (const [i, { id }] of whole.entries()) {
    const next = whole[i - 1];
    if (named.has(id)) plan.set(id, "the pointer names it");
    else if (i < KEEP_NEWEST) plan.set(id, `one of the newest ${KEEP_NEWEST}`);
    else plan.set(id, now - next!.modified < KEEP_MS ? "current less than 7 days ago" : null);
  }
  for (const { id, isWhole, modified } of found) {
    if (isWhole) continue;
    const isRecent = now - modified < KEEP_UPLOAD_MS;
    plan.set(id, isRecent || named.has(id) ? "not whole, uploaded in the last day" : null);
  }
  return plan;
}
