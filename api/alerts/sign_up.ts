/**
 * What a sign-up comes to for its mailbox. Pure.
 *
 * @module
 */

import type { KvWrite } from "../state/kv.ts";
import { linkKey, linkWrite, mailboxWrite, mailWrite } from "./keys.ts";
import { confirmLetter, knownLetter } from "./letters.ts";
import { newMail, unsubscribeUrl } from "./mails.ts";
import { LIFE_MS, LIMITS, type Mailbox, type Seen, type Subscription } from "./records.ts";

/** A token that stands in a link, and the hash it is found by. */
export interface Token {
  token: string;
  link: string;
}

/** A sign-up with all that it may need. */
export interface Request {
  mailbox: string;
  address: string;
  dot: number;
  seen: Seen;
  /** Id of a new subscription. */
  id: string;
  /** Token of the commit. */
  token: string;
  confirm: Token;
  unsubscribe: Token;
  baseUrl: string;
  now: number;
}

/**
 * The writes of a sign-up. Where a limit of the mailbox is reached nothing is added and no mail goes
 * out, and links sent before stay good.
 *
 * @param before The mailbox, pruned.
 */
export function signUpWrites(before: Mailbox, request: Request): KvWrite[] {
  const { address, dot, id, mailbox, now } = request;
  // In any case of letters, or one carrier would be written about twice a day.
  const same = address.toLowerCase();
  const found = before.subscriptions.find((one) =>
    one.address.toLowerCase() === same && one.dot === dot
  );
  const pending = before.subscriptions.filter(({ confirm }) => confirm !== null).length;
  const { length } = before.subscriptions;
  const full = found === undefined &&
    (length >= LIMITS.subscriptions || pending >= LIMITS.pending);
  if (full || before.mails.length >= LIMITS.mailboxMails) return [];
  const after = { ...before, token: request.token, mails: [...before.mails, now] };
  if (found !== undefined && found.confirm === null) {
    const letter = knownLetter(dot, unsubscribeUrl(request.baseUrl, found));
    const mail = newMail(found, { ...request, kind: "known", id: request.confirm.link, letter });
    return [mailboxWrite(mailbox, after), mailWrite(mail)];
  }
  const confirm = { link: request.confirm.link, expires_at: now + LIFE_MS };
  const subscription: Subscription = found === undefined
    ? {
      id,
      address,
      dot,
      unsubscribe: request.unsubscribe,
      confirm,
      seen: request.seen,
      notice: null,
      mailed_on: null,
      bounces: 0,
    }
    : { ...found, confirm };
  const others = before.subscriptions.filter((one) => one !== found);
  const letter = confirmLetter(dot, `${request.baseUrl}/alerts/confirm/${request.confirm.token}`);
  // Its id is the link's, so that it is told from one for a link that has replaced this.
  const mail = newMail(subscription, { ...request, kind: "confirm", id: confirm.link, letter });
  const link = { mailbox, subscription: subscription.id };
  const confirmed = false;
  const writes: KvWrite[] = [
    mailboxWrite(mailbox, { ...after, subscriptions: [...others, subscription] }),
    linkWrite(confirm.link, { link: { ...link, purpose: "confirm" }, confirmed }),
    linkWrite(subscription.unsubscribe.link, {
      link: { ...link, purpose: "unsubscribe" },
      confirmed,
    }),
    mailWrite(mail),
  ];
  if (found?.confirm) writes.push({ key: linkKey(found.confirm.link), delete: true });
  return writes;
}
