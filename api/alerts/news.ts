/**
 * The news about carriers: deadlines, changes and inspections since the last alert.
 *
 * @module
 */

import { abortable } from "../../pipeline/retry.ts";
import type { ManyContext } from "../operations/many.ts";
import { findWatched, type Watched } from "../operations/watched.ts";
import { outOfServiceIn } from "../rules/inspections.ts";
import type { Carrier } from "../rules/schemas.ts";
import { type AlertKind, changesOfKinds, kindsOf, NOTICE_DAYS, watchesChanges } from "./kinds.ts";
import type { AlertReason } from "./reasons.ts";
import { isConfirmed, type Mailbox, type Seen, type Subscription } from "./records.ts";

const CONCURRENCY = 16;

/** The first snapshot format whose records include their changes. */
const FORMAT_WITH_CHANGES = 3;

/** The data that is read for subscriptions. */
export interface WatchedCarriers {
  carriers: ReadonlyMap<number, Watched>;
  /** The data dates of the snapshot's chain, the oldest first; none when its records have no changes. */
  dates: readonly string[];
}

/**
 * Reads carriers; those that could not be read are absent. Rethrows the signal's abort reason and, if
 * `relook` is set, errors of the snapshot.
 */
export async function findCarriers(
  dots: readonly number[],
  context: Pick<ManyContext, "snapshot" | "today" | "baseUrl" | "sleep" | "relook" | "signal">,
): Promise<WatchedCarriers & { unread: number }> {
  const { signal, snapshot } = context;
  const different = [...new Set(dots)];
  const reading = findWatched(different, { ...context, concurrency: CONCURRENCY });
  const carriers = await (signal === undefined ? reading : abortable(reading, signal));
  const isRead = carriers.size > 0 && snapshot.manifest.format >= FORMAT_WITH_CHANGES;
  const chain = isRead ? await snapshot.chain() : [];
  const dates = chain.map(({ data_date }) => data_date).sort();
  return { carriers, dates, unread: different.length - carriers.size };
}

export function seenOf({ snapshot: { data_date, inspections_date } }: Carrier): Seen {
  return { data_date, inspections_date };
}

/** What an alert says, and how it changes the subscription. */
export interface News {
  watched: Watched;
  reasons: AlertReason[];
  change: Pick<Subscription, "seen" | "notice">;
}

/**
 * The news for a subscription on a day in New York; null if there is none. Also null if the mailbox already
 * got an alert about the carrier that day; the next day's alert then has the news. When the data is older
 * than what was last reported, only deadlines are news.
 *
 * @param options.carriers As of `day`, from which `days_until_due` is counted.
 */
export function newsOf(
  subscription: Subscription,
  { carriers, dates, day, mailed }: WatchedCarriers & {
    day: string;
    mailed: Mailbox["mailed"];
  },
): News | null {
  const { dot, seen, notice } = subscription;
  const watched = carriers.get(dot);
  if (!isConfirmed(subscription) || watched === undefined) return null;
  if (mailed.some((one) => one.dot === dot && one.day >= day)) return null;
  const kinds = kindsOf(subscription);
  const deadline = kinds.includes("deadline") ? deadlineOf(watched, notice) : null;
  const current = dates.at(-1) ?? "";
  const isOlder = current < seen.data_date;
  const isInspected = !isOlder && kinds.includes("inspections");
  const found = isInspected ? outOfServiceSince(watched, seen.inspections_date) : null;
  const reasons: AlertReason[] = [
    ...deadline === null ? [] : [deadline.reason],
    ...isOlder ? [] : changesSince(watched, { from: seen.data_date, dates, kinds }),
    ...found === null ? [] : [found],
  ];
  if (reasons.length === 0) return null;
  const change = {
    seen: {
      ...seenUntil(seen, found),
      data_date: isOlder ? seen.data_date : current,
    },
    notice: deadline?.notice ?? notice,
  };
  return { watched, reasons, change };
}

/** A deadline is announced once at each of {@link NOTICE_DAYS}, or on the first day after that. */
function deadlineOf(
  { carrier }: Watched,
  notice: Subscription["notice"],
): { reason: AlertReason; notice: NonNullable<Subscription["notice"]> } | null {
  if (carrier === null) return null;
  const { next_due: due, days_until_due: days } = carrier.mcs150;
  const stage = days < 0 ? undefined : NOTICE_DAYS.find((most) => days <= most);
  if (stage === undefined || (notice?.due === due && notice.stage <= stage)) return null;
  return { reason: { kind: "deadline", due, days }, notice: { due, stage } };
}

/**
 * The changes since a data date. If the chain does not have that date, the changes since the newest earlier
 * date are listed, and a reason says what is not known.
 */
function changesSince(
  { history }: Watched,
  { from, dates, kinds }: {
    from: string;
    dates: readonly string[];
    kinds: readonly AlertKind[];
  },
): AlertReason[] {
  const known = dates.findLast((date) => date <= from);
  const since = known ?? dates[0]!;
  const changes = history?.changes.filter(({ between: [, day] }) => day! > since) ?? [];
  const removed = history?.removed;
  return [
    ...known === from || !watchesChanges(kinds) ? [] : [{
      kind: "restart" as const,
      from,
      since,
      isBefore: known !== undefined,
    }],
    ...removed === undefined || removed.between[1]! <= since
      ? []
      : [{ kind: "left" as const, removed }],
    ...changesOfKinds(changes, kinds).map((change) => ({ kind: "change" as const, change })),
  ];
}

/** The inspections after `day` with an out-of-service finding; null if there are none or `day` is undefined. */
function outOfServiceSince(
  { carrier }: Watched,
  day: string | undefined,
): Extract<AlertReason, { kind: "inspections" }> | null {
  const { latest = [], total = 0 } = carrier?.inspections_24m ?? {};
  if (day === undefined) return null;
  const found = latest.filter((inspection) =>
    inspection.date > day && outOfServiceIn(inspection).length > 0
  );
  if (found.length === 0) return null;
  // The list may begin after that day.
  const isAll = latest.length === total || latest.at(-1)!.date <= day;
  return { kind: "inspections", found, isAll };
}

/**
 * The day until which inspections were reported. Not the file's date, because an inspection may reach the
 * file after newer ones.
 */
function seenUntil(
  seen: Seen,
  found: Extract<AlertReason, { kind: "inspections" }> | null,
): Pick<Seen, "inspections_date"> {
  const day = found === null ? seen.inspections_date : found.found[0]!.date;
  return day === undefined ? {} : { inspections_date: day };
}
