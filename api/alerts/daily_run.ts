/**
 * The daily run: finds the mailboxes that have something to send, once for each day and snapshot.
 *
 * @module
 */

import { abortable } from "../../pipeline/retry.ts";
import { plural } from "../../pipeline/text.ts";
import { findItems, isRead, type ItemsContext } from "../operations/batch.ts";
import { newYorkToday } from "../rules/calendar.ts";
import type { Carrier } from "../rules/schemas.ts";
import { transact } from "../state/kv.ts";
import { type AlertReason, NOTICE_DAYS } from "./mail_text.ts";
import {
  type AlertsParts,
  dueKey,
  type DueRecord,
  dueWrite,
  hashIn,
  isConfirmed,
  type Mailbox,
  MAILBOX_PREFIX,
  pagesOf,
  pruned,
  RUN_KEY,
  type RunRecord,
  runWrite,
  type Seen,
  type Subscription,
} from "./records.ts";

/**
 * Does the run of today, or of a newer data date, unless it is done. It only marks mailboxes as due: what
 * they get is decided when it is sent. So runs of several processes may overlap, and one that ended
 * early is repeated from the start.
 *
 * @throws {SnapshotUnavailable} With `relook`, also when a page has no readable carrier.
 * @throws {KvUnavailable}
 */
export async function runDaily(
  parts: AlertsParts,
  { relook, signal }: Required<Pick<ItemsContext, "relook">> & { signal: AbortSignal },
): Promise<void> {
  const { kv, reader, clock, log } = parts;
  const name = await reader.use((snapshot) => Promise.resolve(snapshot));
  const { data_date } = name.manifest;
  const today = newYorkToday(clock.now());
  const [{ value: last }] = await kv.get<RunRecord>([RUN_KEY]);
  if (last !== null && `${today} ${data_date}` <= `${last.day} ${last.data_date}`) return;
  const counts = { subscriptions: 0, news: 0, unread: 0 };
  // It caches no shards, and so evicts none that lookups use.
  await reader.useOf(name, async (snapshot) => {
    for await (const page of pagesOf<Mailbox>(kv, MAILBOX_PREFIX)) {
      const dots = page.flatMap(({ value }) => value!.subscriptions).filter(isConfirmed)
        .map(({ dot }) => dot);
      const context = { ...parts, snapshot, today, relook, signal };
      const { carriers, unread } = await findCarriers(dots, context);
      counts.subscriptions += dots.length;
      counts.unread += unread.length;
      for (const entry of page) {
        const mailbox = entry.value!;
        const { subscriptions } = pruned(mailbox, clock.now());
        const { length } = subscriptions.filter((one) => newsOf(one, { carriers, day: today }));
        counts.news += length;
        const hasExpired = subscriptions.length < mailbox.subscriptions.length;
        if (length > 0 || hasExpired) await mark(parts, hashIn(entry));
      }
    }
  });
  await kv.commit({ checks: [], writes: [runWrite({ day: today, data_date })] });
  const { subscriptions, news, unread } = counts;
  log(
    `Alerts of ${today} on ${name.id}: ${
      plural(subscriptions, "subscription")
    }, ${news} with news` +
      (unread === 0 ? "" : `, ${plural(unread, "carrier")} could not be read`),
  );
}

/** A mark that exists keeps its time, but not its version: its sender may not have seen what is new. */
async function mark({ kv, sleep, clock, newToken }: AlertsParts, hash: string): Promise<void> {
  const token = newToken();
  await transact({ kv, sleep }, [dueKey(hash)], ({ value }) => {
    const due: DueRecord = { ...(value ?? { due_at: clock.now(), failures: 0 }), token };
    return { result: null, writes: [dueWrite(hash, due)] };
  });
}

/** Shards read at a time. */
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
  change: Pick<Subscription, "seen" | "notice" | "mailed_on">;
}

/**
 * The news of a subscription on a day in New York; null for none, also when there was an alert on that
 * day: then the next day says it. A deadline is announced once at each of {@link NOTICE_DAYS}, or on
 * the first day after that. Data older than what was seen is not a change.
 *
 * @param carriers As of `day`: `days_until_due` is counted from it.
 */
export function newsOf(
  { dot, confirm, seen, notice, mailed_on }: Subscription,
  { carriers, day }: { carriers: ReadonlyMap<number, Carrier>; day: string },
): News | null {
  const carrier = carriers.get(dot);
  if (confirm !== null || carrier === undefined) return null;
  if (mailed_on !== null && mailed_on >= day) return null;
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
  const change = {
    seen: older ? seen : now,
    notice: falls ? { due, stage } : notice,
    mailed_on: day,
  };
  return { carrier, reasons, change };
}
