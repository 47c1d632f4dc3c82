/**
 * What there is to tell about a carrier since the last mail. Pure.
 *
 * @module
 */

import type { Carrier } from "../rules/schemas.ts";
import type { Seen, Subscription } from "./records.ts";

/** Days before a deadline at which it is told, the last first. */
export const NOTICE_DAYS = [1, 7, 30] as const;

/** One thing to tell. */
export type Reason =
  | { kind: "deadline"; due: string; days: number }
  | {
    kind: "status" | "safety_rating" | "mc_active";
    from: Seen[keyof Seen];
    to: Seen[keyof Seen];
  };

/** What a mail is to tell, and the subscription once it is on its way. */
export interface News {
  reasons: Reason[];
  after: Subscription;
}

const WATCHED = ["status", "safety_rating", "mc_active"] as const;

/** What is seen of a carrier. */
export function seenOf({ status, safety_rating, mc_active, snapshot }: Carrier): Seen {
  return { status, safety_rating, mc_active, data_date: snapshot.data_date };
}

/**
 * What to tell on a day in New York; null when there is nothing, or a mail of that day is on its way:
 * then the next day tells. A deadline is told once at each of {@link NOTICE_DAYS}, or on the first day
 * after it that the service looks; what was missed altogether is not made up for. Data older than what
 * was seen tells no change.
 *
 * @param carrier The carrier as of `day`: `days_until_due` is counted from it.
 */
export function newsOf(
  subscription: Subscription,
  { carrier, day }: { carrier: Carrier; day: string },
): News | null {
  const { seen, notice, mailed_on } = subscription;
  if (mailed_on !== null && mailed_on >= day) return null;
  const now = seenOf(carrier);
  const older = now.data_date < seen.data_date;
  const reasons: Reason[] = older ? [] : WATCHED.filter((kind) => seen[kind] !== now[kind])
    .map((kind) => ({ kind, from: seen[kind], to: now[kind] }));
  const { next_due: due, days_until_due: days } = carrier.mcs150;
  const stage = days < 0 ? undefined : NOTICE_DAYS.find((most) => days <= most);
  const told = notice?.due === due && stage !== undefined && notice.stage <= stage;
  const falls = stage !== undefined && !told;
  if (falls) reasons.unshift({ kind: "deadline", due, days });
  if (reasons.length === 0) return null;
  const after = {
    ...subscription,
    seen: older ? seen : now,
    notice: falls ? { due, stage } : notice,
    mailed_on: day,
  };
  return { reasons, after };
}
