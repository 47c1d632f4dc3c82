/**
 * Where the records of the alerts stand in the store, and how they are written there.
 *
 * @module
 */

import type { KvKey, KvWrite } from "../state/kv.ts";
import {
  type ClientRecord,
  COUNTED_MS,
  DAY_MS,
  LIFE_MS,
  type Link,
  type Mailbox,
  type MailRecord,
  NO_END_MS,
  type RunRecord,
  type Subscription,
} from "./records.ts";

/** Prefix of mailboxes. */
export const MAILBOX_PREFIX: KvKey = ["alert_mailbox"];

/** Prefix of mails, the first due first. */
export const MAIL_PREFIX: KvKey = ["alert_mail"];

/** Key of the {@link RunRecord}. */
export const RUN_KEY: KvKey = ["alert_run"];

/** Key of a {@link Mailbox}. */
export function mailboxKey(hash: string): KvKey {
  return [...MAILBOX_PREFIX, hash];
}

/** Key of a {@link Link}. */
export function linkKey(hash: string): KvKey {
  return ["alert_link", hash];
}

/** Key of a {@link ClientRecord}. */
export function clientKey(hash: string): KvKey {
  return ["alert_client", hash];
}

/** Key of a {@link MailRecord}. */
export function mailKey({ due_at, id }: Pick<MailRecord, "due_at" | "id">): KvKey {
  return [...MAIL_PREFIX, due_at, id];
}

/** The write of a mailbox: without an address in it, it goes as soon as its mails count no more. */
export function mailboxWrite(hash: string, mailbox: Mailbox): KvWrite {
  const key = mailboxKey(hash);
  const { subscriptions, mails } = mailbox;
  if (subscriptions.length === 0 && mails.length === 0) return { key, delete: true };
  const confirmed = subscriptions.some(({ confirm }) => confirm === null);
  return { key, value: mailbox, expireIn: confirmed ? NO_END_MS : LIFE_MS + DAY_MS };
}

/** The write of a link of a subscription that is confirmed, or not yet. */
export function linkWrite(
  hash: string,
  { link, confirmed }: { link: Link; confirmed: boolean },
): KvWrite {
  const expireIn = confirmed ? NO_END_MS : LIFE_MS + DAY_MS;
  return { key: linkKey(hash), value: link, expireIn };
}

/** The writes that delete the links of a subscription. */
export function unlinkWrites({ unsubscribe, confirm }: Subscription): KvWrite[] {
  const links = confirm === null ? [unsubscribe.link] : [unsubscribe.link, confirm.link];
  return links.map((link) => ({ key: linkKey(link), delete: true }));
}

/** The write of a mail. */
export function mailWrite(mail: MailRecord): KvWrite {
  return { key: mailKey(mail), value: mail, expireIn: LIFE_MS + DAY_MS };
}

/** The write of a client's record. */
export function clientWrite(hash: string, client: ClientRecord): KvWrite {
  return { key: clientKey(hash), value: client, expireIn: COUNTED_MS + DAY_MS };
}

/** The write of the run. */
export function runWrite(run: RunRecord): KvWrite {
  return { key: RUN_KEY, value: run, expireIn: NO_END_MS };
}
