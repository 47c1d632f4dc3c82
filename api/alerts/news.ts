/**
 * What is new about carriers: their deadlines and changes since the last alert.
 *
 * @module
 */

import { abortable } from "../../pipeline/retry.ts";
import { findItems, isRead, type ItemsContext } from "../operations/batch.ts";
import type { Carrier } from "../rules/schemas.ts";
import { type AlertReason, NOTICE_DAYS } from "./mail_text.ts";
import { isConfirmed, type Mailbox, type Seen, type Subscription } from "./records.ts";

const CONCURRENCY = 16;

/**
 * The carriers that were found, the numbers that no carrier has, and those that could not be read.
 * Rethrows errors of the snapshot where `relook` says so, and the reason of the signal.
 */
export async function findCarriers(
  dots: readonly number[],
  context: Pick<ItemsContext, "snapshot" | "today" | "baseUrl" | "sleep" | "relook" | "signal">,
): Promise<{ carriers: Map<number, Carrier>; unknown: number[]; unread: number[] }> {
  const { signal } = context;
  const items = findItems([...new Set(dots)], { ...context, concurrency: CONCURRENCY });
  const carriers = new Map<number, Carrier>();
  const [unknown, unread]: [number[], number[]] = [[], []];
  for (const item of await (signal === undefined ? items : abortable(items, signal))) {
    if (item.ok) carriers.set(Number(item.dot), item.carrier);
    else (isRead(item) ? unknown : unread).push(Number(item.dot));
  }
  return { carriers, unknown, unread };
}

export function seenOf({ status, safety_rating, mc_active, snapshot }: Carrier): Seen {
  return { status, safety_rating, mc_active, data_date: snapshot.data_date };
}

const WATCHED = ["status", "safety_rating", "mc_active"] as const;

/** What an alert says, and what changes of its subscription. */
export interface News {
  carrier: Carrier;
  reasons: AlertReason[];
  change: Pick<Subscription, "seen" | "notice">;
}

/**
 * The news of a subscription on a day in New York; null for none, also when the mailbox got an alert on
 * the carrier on that day: then the next day says it. A deadline is announced once at each of
 * {@link NOTICE_DAYS}, or on the first day after that. Data older than what was seen is not a change.
 *
 * @param carriers As of `day`: `days_until_due` is counted from it.
 */
export function newsOf(
  subscription: Subscription,
  { carriers, day, mailed }: {
    carriers: ReadonlyMap<number, Carrier>;
    day: string;
    mailed: Mailbox["mailed"];
  },
): News | null {
  const { dot, seen, notice } = subscription;
  const carrier = carriers.get(dot);
  if (!isConfirmed(subscription) || carrier === undefined) return null;
  if (mailed.some((one) => one.dot === dot && one.day >= day)) return null;
  const now = seenOf(carrier);
  const older = now.data_date < seen.data_date;
  const reasons: AlertReason[] = older ? [] : WATCHED.filter((kind) => seen[kind] !== now[kind])
    .map((kind) => ({ kind, from: seen[kind], to: now[kind] }));
  const { next_due: due, days_until_due: days } = carrier.mcs150;
  const stage = days < 0 ? undefined : NOTICE_DAYS.find((most) => days <= most);
  const announced = notice?.due === due && stage !== undefined && notice.stage <= stage;
  const falls = stage !== undefined && !announced;
  if (falls) reasons.unshift({ kind: "deadline", due, days });
  if (reasons.length === 0) return null;
  const change = { seen: older ? seen : now, notice: falls ? { due, stage } : notice };
  return { carrier, reasons, change };
}
