/**
 * The stored records of the email alerts: their keys, limits and lifetimes, and how they change.
 *
 * @module
 */

import type { Clock } from "../../pipeline/clock.ts";
import type { SnapshotReader } from "../../pipeline/snapshot/reader.ts";
import { listed } from "../../pipeline/text.ts";
import type { Carrier } from "../rules/schemas.ts";
import type { KeyedHash } from "../state/keyed_hash.ts";
import type { Kv, KvKey, KvWrite } from "../state/kv.ts";

/** What all parts of the alerts share. */
export interface AlertsParts {
  kv: Kv;
  hash: KeyedHash;
  reader: SnapshotReader;
  clock: Clock;
  /** Waits some milliseconds. */
  sleep: (ms: number) => Promise<void>;
  /** A text that cannot be guessed and is new with each call. */
  newToken: () => string;
  /** Address of the service, without a final slash. */
  baseUrl: string;
  log: (line: string) => void;
}

/** A day in milliseconds. */
export const DAY_MS = 24 * 3_600_000;

/** Milliseconds until an unconfirmed subscription is deleted, and an email that cannot be sent. */
export const LIFE_MS = 2 * DAY_MS;

/** Milliseconds in which sign-ups and confirmation emails are counted. */
export const COUNTED_MS = DAY_MS;

const NO_END_MS = 100 * 365 * DAY_MS;

/** Fifty subscriptions of a mailbox are below 40 KB. A confirmation email answers any sign-up. */
export const LIMITS = {
  /** Confirmation emails to a mailbox in 24 hours. */
  mailboxMails: 5,
  /** Unconfirmed subscriptions of a mailbox. */
  pending: 5,
  /** Subscriptions of a mailbox, confirmed or not. */
  subscriptions: 50,
  /** Sign-ups of a client in 24 hours. */
  clientSignUps: 20,
  /** Confirmation emails of the whole service in a day of New York. */
  serviceMails: 1_000,
} as const;

/** Days before a deadline on which an email is sent, the last first. */
export const NOTICE_DAYS = [1, 7, 30] as const;

/** {@link NOTICE_DAYS} for people. */
export const NOTICE_TEXT = listed(NOTICE_DAYS.toReversed().map(String));

/** What an email last said about a carrier. */
export interface Seen extends Pick<Carrier, "status" | "safety_rating" | "mc_active"> {
  /** The data date of the snapshot. */
  data_date: string;
}

/** What alerts compare of a carrier. */
export function seenOf({ status, safety_rating, mc_active, snapshot }: Carrier): Seen {
  return { status, safety_rating, mc_active, data_date: snapshot.data_date };
}

/** An address that gets alerts on a carrier, or is asked to confirm that. */
export interface Subscription {
  /** Keyed hash of the unsubscribe token. */
  id: string;
  address: string;
  dot: number;
  /** The unsubscribe token in clear, since every email contains it. */
  unsubscribe: string;
  /** Null once confirmed. */
  confirm: { /** Keyed hash of the token. */ id: string; expires_at: number } | null;
  seen: Seen;
  /** The last deadline notice: the deadline, and one of {@link NOTICE_DAYS}. */
  notice: { due: string; stage: number } | null;
  /** The day in New York of the last alert. */
  mailed_on: string | null;
  /** Emails in a row that were refused for good. */
  bounces: number;
}

/** A mailbox, under its keyed hash; kept while one subscription is confirmed, else {@link LIFE_MS}. */
export interface Mailbox {
  /** New with every commit, as `transact` needs it. */
  token: string;
  subscriptions: Subscription[];
  /** Times of confirmation emails. */
  mails: number[];
}

/** An email to one address. */
export interface Mail {
  /** Becomes the Message-ID. */
  id: string;
  to: string;
  subject: string;
  /** Sent as text, and as HTML with its addresses as links. */
  text: string;
  /** Link for one-click unsubscribing (RFC 8058); null in an email that asks for confirmation. */
  unsubscribe: string | null;
  created_at: number;
}

/** An email to send, kept until it is sent or given up. */
export interface MailRecord extends Mail {
  /** `known` answers a sign-up for a confirmed subscription. */
  kind: "confirm" | "known" | "news";
  /** Hash of the mailbox. */
  mailbox: string;
  /** Id of the subscription. */
  subscription: string;
  due_at: number;
  attempts: number;
  /** End of the claim of the process that is sending it; null when none is. */
  sending_until: number | null;
  token: string;
}

/** Times of a client's sign-ups, under its keyed hash, kept for a day. */
export interface ClientRecord {
  token: string;
  sign_ups: number[];
}

/** Confirmation emails of the whole service on a day. */
export interface TotalRecord {
  /** `YYYY-MM-DD` in New York. */
  day: string;
  mails: number;
}

/** The latest daily run. */
export interface RunRecord {
  token: string;
  snapshot_id: string;
  manifest_sha256: string;
  data_date: string;
  /** The day in New York that deadlines are counted from. */
  day: string;
  done: boolean;
}

export const MAILBOX_PREFIX: KvKey = ["alert_mailbox"];
/** Emails are listed by due time. */
export const MAIL_PREFIX: KvKey = ["alert_mail"];
export const RUN_KEY: KvKey = ["alert_run"];
export const TOTAL_KEY: KvKey = ["alert_total"];

export function mailboxKey(hash: string): KvKey {
  return [...MAILBOX_PREFIX, hash];
}

export function clientKey(hash: string): KvKey {
  return ["alert_client", hash];
}

export function mailKey({ due_at, id }: Pick<MailRecord, "due_at" | "id">): KvKey {
  return [...MAIL_PREFIX, due_at, id];
}

/** Writes a mailbox, or deletes it when it has neither subscriptions nor emails that count. */
export function mailboxWrite(hash: string, mailbox: Mailbox): KvWrite {
  const key = mailboxKey(hash);
  const { subscriptions, mails } = mailbox;
  if (subscriptions.length === 0 && mails.length === 0) return { key, delete: true };
  const confirmed = subscriptions.some(({ confirm }) => confirm === null);
  return { key, value: mailbox, expireIn: confirmed ? NO_END_MS : LIFE_MS + DAY_MS };
}

/** Writes a mailbox with a subscription replaced or, with null, removed. */
export function replaceWrite(
  hash: string,
  mailbox: Mailbox,
  { before, after, token }: { before: Subscription; after: Subscription | null; token: string },
): KvWrite {
  const subscriptions = mailbox.subscriptions.map((one) => one === before ? after : one)
    .filter((one) => one !== null);
  return mailboxWrite(hash, { ...mailbox, subscriptions, token });
}

export function mailWrite(mail: MailRecord): KvWrite {
  return { key: mailKey(mail), value: mail, expireIn: LIFE_MS + DAY_MS };
}

export function runWrite(run: RunRecord): KvWrite {
  return { key: RUN_KEY, value: run, expireIn: NO_END_MS };
}

/** The link that ends a subscription. */
export function unsubscribeUrl(baseUrl: string, { unsubscribe }: Subscription): string {
  return `${baseUrl}/alerts/unsubscribe/${unsubscribe}`;
}

/** An email that is due now. */
export function newMail(
  subscription: Subscription,
  { message, baseUrl, now, ...more }:
    & Pick<MailRecord, "id" | "kind" | "mailbox" | "token">
    & { message: Pick<MailRecord, "subject" | "text">; baseUrl: string; now: number },
): MailRecord {
  return {
    ...more,
    ...message,
    subscription: subscription.id,
    to: subscription.address,
    unsubscribe: more.kind === "confirm" ? null : unsubscribeUrl(baseUrl, subscription),
    created_at: now,
    due_at: now,
    attempts: 0,
    sending_until: null,
  };
}

/** A mailbox without what has expired: the store may still return it. */
export function pruned(mailbox: Mailbox | null, now: number): Mailbox {
  const { token, subscriptions, mails } = mailbox ?? { token: "", subscriptions: [], mails: [] };
  return {
    token,
    subscriptions: subscriptions.filter(({ confirm }) =>
      confirm === null || confirm.expires_at > now
    ),
    mails: recent(mails, now),
  };
}

/** Times that still count; later ones than now come from a clock that was set back. */
export function recent(times: readonly number[], now: number): number[] {
  return times.map((at) => Math.min(at, now)).filter((at) => at > now - COUNTED_MS);
}
