/**
 * What there is to say about a carrier since the last mail.
 *
 * @module
 */

import type { Carrier } from "../rules/schemas.ts";
import type { Seen, Subscription } from "./records.ts";

/** Days before a deadline on which a mail is sent, the last first. */
export const NOTICE_DAYS = [1, 7, 30] as const;

/** {@link NOTICE_DAYS} for people. */
export const NOTICE_TEXT = NOTICE_DAYS.toReversed().join(", ").replace(/, (?=\d+$)/, " and ");

/** A reason for a mail. */
export type Reason =
  | { kind: "deadline"; due: string; days: number }
  | {
    kind: "status" | "safety_rating" | "mc_active";
    from: Seen[keyof Seen];
    to: Seen[keyof Seen];
  };

const WATCHED = ["status", "safety_rating", "mc_active"] as const;

/** What alerts compare of a carrier. */
export function seenOf({ status, safety_rating, mc_active, snapshot }: Carrier): Seen {
  return { status, safety_rating, mc_active, data_date: snapshot.data_date };
}

/**
 * The reasons for a mail on a day in New York, and the subscription after it; null for no mail, also
 * when it had one on that day: then the next day says it. A deadline is announced once at each of
 * {@link NOTICE_DAYS}, or on the first run after that day. Data older than what was seen is no change.
 *
 * @param carrier The carrier as of `day`: `days_until_due` is counted from it.
 */
export function newsOf(
  subscription: Subscription,
  { carrier, day }: { carrier: Carrier; day: string },
): { reasons: Reason[]; after: Subscription } | null {
  const { seen, notice, mailed_on } = subscription;
  if (mailed_on !== null && mailed_on >= day) return null;
  const now = seenOf(carrier);
  const older = now.data_date < seen.data_date;
  const reasons: Reason[] = older ? [] : WATCHED.filter((kind) => seen[kind] !== now[kind])
    .map((kind) => ({ kind, from: seen[kind], to: now[kind] }));
  const { next_due: due, days_until_due: days } = carrier.mcs150;
  const stage = days < 0 ? undefined : NOTICE_DAYS.find((most) => days <= most);
  const announced = notice?.due === due && stage !== undefined && notice.stage <= stage;
  const falls = stage !== undefined && !announced;
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
