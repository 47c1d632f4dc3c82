/**
 * The stored records of the email alerts: their keys, limits and lifetimes.
 *
 * @module
 */

import { DAY_MS } from "../../pipeline/dates.ts";
import type { SurfaceDeps } from "../operations/operation.ts";
import { newYorkToday } from "../rules/new_york.ts";
import type { KeyedHash } from "../state/keyed_hash.ts";
import { type Kv, type KvEntry, type KvKey, type KvWrite, NO_END_MS } from "../state/kv.ts";

export interface AlertsParts extends Omit<SurfaceDeps, "signal"> {
  kv: Kv;
  hash: KeyedHash;
  sleep: (ms: number) => Promise<void>;
  /** Returns a new token that cannot be guessed. */
  newToken: () => string;
}

/** Milliseconds until a sign-up that is not confirmed is deleted. */
export const LIFE_MS = 2 * DAY_MS;

/** Length of the window in which sign-ups and confirmation emails are counted, in milliseconds. */
export const COUNTED_MS = DAY_MS;

/**
 * A mailbox that reaches all of these limits still fits in a stored value (64 KiB). Every email that answers
 * a sign-up counts as a confirmation email.
 */
export const ALERT_LIMITS = {
  /** Confirmation emails to a mailbox in 24 hours. */
  mailboxMails: 5,
  /** Subscriptions of a mailbox, confirmed or not, and numbers of a sign-up. */
  subscriptions: 50,
  /** Sign-ups of a client in 24 hours. */
  clientSignUps: 20,
  /** Confirmation emails of the whole service in a day of New York. */
  serviceMails: 1_000,
  /** A provider's network may use this fraction of the emails that are left for the day. */
  networkShare: 0.1,
} as const;

/**
 * The dates through which a carrier's news was reported. Older records also have the carrier's status and
 * rating, which are not read.
 */
export interface Seen {
  /** Changes on later days are news. */
  data_date: string;
  /** Inspections on later days are news; absent in older records. */
  inspections_date?: string;
}

/** An address that gets alerts about a carrier, or is asked to confirm. */
export interface Subscription {
  /** The unsubscribe link: the hash of the mailbox, then a secret. */
  link: string;
  address: string;
  dot: number;
  /** The carrier's name at the sign-up, truncated; absent in records from before it was kept. */
  name?: string;
  /** The letters of the kinds of news; absent in records from before they could be chosen. */
  kinds?: string;
  /** The sign-up that is to be confirmed, by its link; null once it is. */
  confirm: { link: string; expires_at: number } | null;
  /** The sign-up whose email is to be sent, by its link; null when none is. */
  answer: string | null;
  /** As of the sign-up, and later as of the last alert. */
  seen: Seen;
  /** The last deadline notice: the deadline, and the days before it that were announced. */
  notice: { due: string; stage: number } | null;
  /** Consecutive emails that were permanently refused. */
  bounces: number;
}

/** A mailbox, under its keyed hash; kept while a subscription is confirmed, otherwise for {@link LIFE_MS}. */
export interface Mailbox {
  /** New in every commit, so that `transact` can recognize its own. */
  token: string;
  subscriptions: Subscription[];
  /** Times of confirmation emails. */
  mails: number[];
  /**
   * Carriers of alerts, with the last day in New York on which each alert may arrive. Not in the
   * subscription, which may end and start again on one day. The next day's run removes them.
   */
  mailed: { dot: number; day: string }[];
  /** The email being sent. The subscriptions are stored as if it had already been sent. */
  sending: Sending | null;
}

/** The claim of an email by a process. */
export interface Sending {
  token: string;
  /** The email is handed over before this time or not at all. */
  until: number;
  /** The subscriptions it is about, by their links. */
  links: string[];
  /** The carrier of an alert; null in an email that answers a sign-up. */
  dot: number | null;
  /** Values of the subscriptions before this email, restored if it is not sent. */
  before: Partial<Subscription>;
}

/** Marks that a mailbox may have emails to send. */
export interface DueRecord {
  token: string;
  due_at: number;
  /** Emails in a row that could not be sent. */
  failures: number;
}

export interface RunRecord {
  /** The day in New York that deadlines are counted from. */
  day: string;
  data_date: string;
}

/**
 * The key of a record. Without `hash`, the key of the kind's only record or the prefix of all its records.
 * Mailboxes, clients and networks are identified by their keyed hash.
 */
export function keyOf(
  kind: "mailbox" | "due" | "client" | "network" | "total" | "run",
  hash?: string,
): KvKey {
  return ["alerts", kind, ...hash === undefined ? [] : [hash]];
}

export function hashIn({ key }: KvEntry<unknown>): string {
  return key.at(-1) as string;
}

/** Writes a mailbox, or deletes it when nothing is left in it. */
export function mailboxWrite(hash: string, mailbox: Mailbox): KvWrite {
  const { subscriptions, mails, mailed, sending } = mailbox;
  const key = keyOf("mailbox", hash);
  const count = subscriptions.length + mails.length + mailed.length;
  if (count === 0 && sending === null) return { key, delete: true };
  const expireIn = subscriptions.some(isConfirmed) ? NO_END_MS : LIFE_MS + DAY_MS;
  return { key, value: mailbox, expireIn };
}

export function dueWrite(hash: string, due: DueRecord): KvWrite {
  return { key: keyOf("due", hash), value: due, expireIn: LIFE_MS + DAY_MS };
}

/** A mailbox without its expired parts, which the store may still return. */
export function pruned(mailbox: Mailbox | null, now: number): Mailbox {
  const { token = "", subscriptions = [], mails = [], mailed = [], sending = null } = mailbox ?? {};
  const live = subscriptions.filter(({ confirm }) => confirm === null || confirm.expires_at > now);
  const today = mailed.length === 0 ? "" : newYorkToday(now);
  // Entries dated after tomorrow are dropped: the clock that dated them was wrong.
  const tomorrow = mailed.length === 0 ? "" : newYorkToday(now + DAY_MS);
  return {
    token,
    subscriptions: live,
    mails: recent(mails, now),
    mailed: mailed.filter(({ day }) => day >= today && day <= tomorrow),
    sending,
  };
}

export function isConfirmed({ confirm }: Subscription): boolean {
  return confirm === null;
}

/**
 * Whether a time is in the future. A time more than a day ahead was written by a wrong clock and counts as
 * past.
 */
export function isToCome(at: number, now: number): boolean {
  return at > now && at <= now + DAY_MS;
}

/** Times that still count. Times in the future come from a clock that was set back. */
export function recent(times: readonly number[], now: number): number[] {
  return times.map((at) => Math.min(at, now)).filter((at) => at > now - COUNTED_MS);
}

const PAGE = 50;

export async function* pagesOf<T>(
  kv: Kv,
  kind: "mailbox" | "due",
): AsyncGenerator<Deno.KvEntry<T>[]> {
  let page: Deno.KvEntry<T>[] = [];
  do {
    const after = page.at(-1)?.key;
    page = await kv.list(keyOf(kind), { limit: PAGE, ...(after && { after }) });
    yield page;
  } while (page.length === PAGE);
}
