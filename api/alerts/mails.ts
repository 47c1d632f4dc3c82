/**
 * Mails on their way: each is a record in the store from the commit that decided on it until it is
 * known what became of it.
 *
 * ```
 * waiting --claim--> sending --sent, refused, unknown--> gone
 *    ^                  |
 *    '-- later, down ---'        sending, and its time is over: unknown --> gone
 * waiting: kept too long, or its subscription is gone --> gone
 * ```
 *
 * The claim is committed before the first byte goes out, so a mail goes out once at most: when whoever
 * sent it died, or the server did not answer after the body, it is counted and not sent again.
 *
 * @module
 */

import type { KvWrite } from "../state/kv.ts";
import { mailboxWrite, unlinkWrites } from "./keys.ts";
import type { Letter } from "./letters.ts";
import { LIFE_MS, type Mailbox, type MailRecord, type Subscription } from "./records.ts";

/** Milliseconds that whoever claims a mail has: more than a sending takes. */
export const CLAIM_MS = 300_000;

/** Mails in a row that are refused for good before a subscription ends. */
const MOST_BOUNCES = 3;

const FIRST_RETRY_MS = 5 * 60_000;
const LONGEST_RETRY_MS = 6 * 3_600_000;

/** The link that ends a subscription. */
export function unsubscribeUrl(baseUrl: string, { unsubscribe }: Subscription): string {
  return `${baseUrl}/alerts/unsubscribe/${unsubscribe.token}`;
}

/** A mail that is due now. */
export function newMail(
  subscription: Subscription,
  { id, kind, letter, mailbox, baseUrl, token, now }:
    & Pick<MailRecord, "id" | "kind" | "mailbox" | "token">
    & { letter: Letter; baseUrl: string; now: number },
): MailRecord {
  return {
    id,
    kind,
    mailbox,
    subscription: subscription.id,
    to: subscription.address,
    ...letter,
    unsubscribe: kind === "confirm" ? null : unsubscribeUrl(baseUrl, subscription),
    created_at: now,
    due_at: now,
    attempts: 0,
    sending_until: null,
    token,
  };
}

/** What is to be done with a mail that is due. */
export type Standing =
  /** Send it. */
  | "ready"
  /** Somebody sends it. */
  | "busy"
  /** Somebody had it and did not say what became of it. */
  | "unknown"
  | "given_up"
  /** Nobody wants it any more. */
  | "dropped";

/** Where a mail stands. */
export function standingOf(
  mail: MailRecord,
  { mailbox, now }: { mailbox: Mailbox | null; now: number },
): Standing {
  if (mail.sending_until !== null) return mail.sending_until > now ? "busy" : "unknown";
  const subscription = subscriptionOf(mail, mailbox);
  if (subscription === undefined) return "dropped";
  if (mail.kind === "confirm" && subscription.confirm?.link !== mail.id) return "dropped";
  return mail.created_at + LIFE_MS <= now ? "given_up" : "ready";
}

/** The subscription of a mail, while there is one. */
function subscriptionOf(
  { subscription }: MailRecord,
  mailbox: Mailbox | null,
): Subscription | undefined {
  return mailbox?.subscriptions.find(({ id }) => id === subscription);
}

/** The mail for its next try, at the latest when its time is over; the pauses double. */
export function postponed(mail: MailRecord, now: number): MailRecord {
  const pause = Math.min(FIRST_RETRY_MS * 2 ** (mail.attempts - 1), LONGEST_RETRY_MS);
  return { ...mail, sending_until: null, due_at: Math.min(now + pause, mail.created_at + LIFE_MS) };
}

/** The writes that count mails refused in a row, and end a subscription with the third. */
export function bounceWrites(
  mail: MailRecord,
  { mailbox, refused }: { mailbox: Mailbox | null; refused: boolean },
): KvWrite[] {
  const subscription = subscriptionOf(mail, mailbox);
  if (subscription === undefined || (!refused && subscription.bounces === 0)) return [];
  const bounces = refused ? subscription.bounces + 1 : 0;
  const ends = bounces >= MOST_BOUNCES;
  const subscriptions = mailbox!.subscriptions.flatMap((one) =>
    one !== subscription ? [one] : ends ? [] : [{ ...one, bounces }]
  );
  const { token } = mail;
  return [
    mailboxWrite(mail.mailbox, { ...mailbox!, subscriptions, token }),
    ...(ends ? unlinkWrites(subscription) : []),
  ];
}
