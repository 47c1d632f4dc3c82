/**
 * What the store holds for e-mail alerts, and for how long.
 *
 * | key | value | kept |
 * |---|---|---|
 * | `alert_mailbox`, hash of the mailbox | {@link Mailbox}: its subscriptions, with the address; when confirmation mails were sent | while one is confirmed; an unconfirmed one is dropped after {@link LIFE_MS} |
 * | `alert_link`, hash of the token | {@link Link}: the subscription that a link in a mail is about | as long as the subscription, or {@link LIFE_MS} |
 * | `alert_mail`, time, id | {@link MailRecord}: a mail to be sent, with the address | until it is sent or given up, at most {@link LIFE_MS} |
 * | `alert_client`, hash of the client | {@link ClientRecord}: when it signed up | a day |
 * | `alert_run` | {@link RunRecord}: how far the daily run is | always one |
 * | `alert_secret` | the key of the hashes | always |
 *
 * Hashes are keyed ({@link KeyedHash}), so that nobody who sees a key of the store can try addresses on
 * it. Unsubscribing, and the third mail in a row that is refused for good, delete the subscription
 * and the address with it. The store cleans up within a day or so after these times; values that are
 * over do not count from then on, whether it has or not.
 *
 * @module
 */

import type { Carrier } from "../rules/schemas.ts";

/** A day in milliseconds. */
export const DAY_MS = 24 * 3_600_000;

/** Milliseconds a confirmation can take, and a mail that cannot be sent is kept. */
export const LIFE_MS = 2 * DAY_MS;

/** Milliseconds in which sign-ups and confirmation mails are counted. */
export const COUNTED_MS = DAY_MS;

/** The `expireIn` of what has no end. */
export const NO_END_MS = 100 * 365 * DAY_MS;

/** What a mailbox, and a client, may have at most. Fifty subscriptions are below 40 KB. */
export const LIMITS = {
  /** Confirmation mails to a mailbox in a day. */
  mailboxMails: 5,
  /** Unconfirmed subscriptions of a mailbox. */
  pending: 5,
  /** Subscriptions of a mailbox, confirmed or not. */
  subscriptions: 50,
  /** Sign-ups of a client in a day. */
  clientSignUps: 20,
} as const;

/** What is known of a carrier between two looks. */
export interface Seen extends Pick<Carrier, "status" | "safety_rating" | "mc_active"> {
  /** The data date of the snapshot it was seen in. */
  data_date: string;
}

/** An address that wants to hear of a carrier. */
export interface Subscription {
  id: string;
  address: string;
  dot: number;
  /** The link that ends it: its token stands in every mail, so it is needed in clear. */
  unsubscribe: { token: string; /** Hash of the token. */ link: string };
  /** Null once confirmed. */
  confirm: { /** Hash of the token. */ link: string; expires_at: number } | null;
  seen: Seen;
  /** The last notice of a deadline: its day, and how many days before it was due. */
  notice: { due: string; stage: number } | null;
  /** The day in New York of the last alert. */
  mailed_on: string | null;
  /** Mails in a row that were refused for good. */
  bounces: number;
}

/** All subscriptions of a mailbox. */
export interface Mailbox {
  /** New with every commit: tells whether a commit whose answer was lost took place. */
  token: string;
  subscriptions: Subscription[];
  /** Moments of confirmation mails. */
  mails: number[];
}

/** What a link in a mail is about. */
export interface Link {
  purpose: "confirm" | "unsubscribe";
  mailbox: string;
  subscription: string;
}

/** Moments of a client's sign-ups. */
export interface ClientRecord {
  token: string;
  sign_ups: number[];
}

/** A mail to be sent. */
export interface MailRecord {
  id: string;
  /** `known` answers a sign-up for what is confirmed already. */
  kind: "confirm" | "known" | "news";
  mailbox: string;
  subscription: string;
  to: string;
  subject: string;
  text: string;
  /** The address of one-click unsubscription; null for mails that ask for a confirmation. */
  unsubscribe: string | null;
  created_at: number;
  due_at: number;
  /** How often it was tried. */
  attempts: number;
  /** Until when whoever sends it has time; null while nobody does. */
  sending_until: number | null;
  token: string;
}

/** How far a daily run is. */
export interface RunRecord {
  token: string;
  snapshot_id: string;
  manifest_sha256: string;
  data_date: string;
  /** The day in New York that deadlines are counted from. */
  day: string;
  /** Hash of the last mailbox that is done. */
  cursor: string | null;
  finished_at: number | null;
  /** 0 when nobody holds the lease. */
  lease_until: number;
  /** How often somebody took the run up. */
  attempts: number;
  looked_at: number;
  unread: number;
  mails: number;
}

/** Leaves out what is over. */
export function pruned({ token, subscriptions, mails }: Mailbox, now: number): Mailbox {
  return {
    token,
    subscriptions: subscriptions.filter(({ confirm }) =>
      confirm === null || confirm.expires_at > now
    ),
    mails: counted(mails, now),
  };
}

/** Moments that still count; those later than now are of a clock that was put back. */
export function counted(moments: readonly number[], now: number): number[] {
  return moments.map((at) => Math.min(at, now)).filter((at) => at > now - COUNTED_MS);
}
