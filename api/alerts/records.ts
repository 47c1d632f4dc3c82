/**
 * The records of the email alerts: their keys, how long the store keeps them, and how they change.
 *
 * @module
 */

import type { Carrier } from "../rules/schemas.ts";
import type { KvKey, KvWrite } from "../state/kv.ts";

/** A day in milliseconds. */
export const DAY_MS = 24 * 3_600_000;

/** Milliseconds until an unconfirmed subscription is dropped, and an email that cannot be sent. */
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

/** What a mail last said about a carrier. */
export interface Seen extends Pick<Carrier, "status" | "safety_rating" | "mc_active"> {
  /** The data date of the snapshot. */
  data_date: string;
}

/** An address that gets alerts on a carrier, or is asked to confirm that. */
export interface Subscription {
  /** Keyed hash of the unsubscribe token. */
  id: string;
  address: string;
  dot: number;
  /** The unsubscribe token in clear, since every mail contains it. */
  unsubscribe: string;
  /** Null once confirmed. */
  confirm: { /** Keyed hash of the token. */ id: string; expires_at: number } | null;
  seen: Seen;
  /** The last deadline notice: the deadline, and one of the notice days. */
  notice: { due: string; stage: number } | null;
  /** The day in New York of the last alert. */
  mailed_on: string | null;
  /** Mails in a row that were refused for good. */
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

/** A mail to send, kept until it is sent or given up. */
export interface MailRecord {
  id: string;
  /** `known` answers a sign-up for a confirmed subscription. */
  kind: "confirm" | "known" | "news";
  /** Hash of the mailbox. */
  mailbox: string;
  /** Id of the subscription. */
  subscription: string;
  to: string;
  subject: string;
  text: string;
  /** Link for one-click unsubscribing; null in a mail that asks for confirmation. */
  unsubscribe: string | null;
  created_at: number;
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

/** Prefix of mailboxes. */
export const MAILBOX_PREFIX: KvKey = ["alert_mailbox"];

/** Prefix of mails, by due time. */
export const MAIL_PREFIX: KvKey = ["alert_mail"];

/** Key of the {@link RunRecord}. */
export const RUN_KEY: KvKey = ["alert_run"];

/** Key of the {@link TotalRecord}. */
export const TOTAL_KEY: KvKey = ["alert_total"];

/** Key of a {@link Mailbox}. */
export function mailboxKey(hash: string): KvKey {
  return [...MAILBOX_PREFIX, hash];
}

/** Key of a {@link ClientRecord}. */
export function clientKey(hash: string): KvKey {
  return ["alert_client", hash];
}

/** Key of a {@link MailRecord}. */
export function mailKey({ due_at, id }: Pick<MailRecord, "due_at" | "id">): KvKey {
  return [...MAIL_PREFIX, due_at, id];
}

/** Writes a mailbox, or deletes it when it has neither subscriptions nor mails that count. */
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
  const subscriptions = mailbox.subscriptions.flatMap((one) =>
    one !== before ? [one] : after === null ? [] : [after]
  );
  return mailboxWrite(hash, { ...mailbox, subscriptions, token });
}

/** Writes a mail. */
export function mailWrite(mail: MailRecord): KvWrite {
  return { key: mailKey(mail), value: mail, expireIn: LIFE_MS + DAY_MS };
}

/** Writes the run. */
export function runWrite(run: RunRecord): KvWrite {
  return { key: RUN_KEY, value: run, expireIn: NO_END_MS };
}

/** The link that ends a subscription. */
export function unsubscribeUrl(baseUrl: string, { unsubscribe }: Subscription): string {
  return `${baseUrl}/alerts/unsubscribe/${unsubscribe}`;
}

/** A mail that is due now. */
export function newMail(
  subscription: Subscription,
  { id, kind, text, mailbox, baseUrl, token, now }:
    & Pick<MailRecord, "id" | "kind" | "mailbox" | "token">
    & { text: Pick<MailRecord, "subject" | "text">; baseUrl: string; now: number },
): MailRecord {
  return {
    id,
    kind,
    mailbox,
    subscription: subscription.id,
    to: subscription.address,
    ...text,
    unsubscribe: kind === "confirm" ? null : unsubscribeUrl(baseUrl, subscription),
    created_at: now,
    due_at: now,
    attempts: 0,
    sending_until: null,
    token,
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
    mails: counted(mails, now),
  };
}

/** Times that still count; later ones than now come from a clock that was put back. */
export function counted(times: readonly number[], now: number): number[] {
  return times.map((at) => Math.min(at, now)).filter((at) => at > now - COUNTED_MS);
}
