/**
 * What a look at a mailbox comes to. Pure.
 *
 * @module
 */

import type { Carrier } from "../rules/schemas.ts";
import { newsLetter } from "./letters.ts";
import { newMail, unsubscribeUrl } from "./mails.ts";
import { newsOf } from "./news.ts";
import { type Mailbox, type MailRecord, pruned } from "./records.ts";

/** What a mailbox is looked at with. */
export interface Look {
  /** Hash of the mailbox. */
  hash: string;
  /** What could be read, by USDOT number. */
  carriers: ReadonlyMap<number, Carrier>;
  /** The day in New York. */
  day: string;
  baseUrl: string;
  /** Token of the commit. */
  token: string;
  now: number;
}

/** The mails to send for a mailbox, and what is left of it; null when there is nothing to change. */
export function mailboxNews(
  before: Mailbox,
  { hash, carriers, day, baseUrl, token, now }: Look,
): { mails: MailRecord[]; after: Mailbox } | null {
  const { subscriptions: live, mails: moments } = pruned(before, now);
  const mails: MailRecord[] = [];
  const subscriptions = live.map((subscription) => {
    const carrier = carriers.get(subscription.dot);
    if (subscription.confirm !== null || carrier === undefined) return subscription;
    const news = newsOf(subscription, { carrier, day });
    if (news === null) return subscription;
    const { reasons, after } = news;
    const letter = newsLetter(carrier, { reasons, unsubscribeUrl: unsubscribeUrl(baseUrl, after) });
    // The same for the same day, whoever makes it.
    const id = `${after.id}-${day}`;
    mails.push(newMail(after, { id, kind: "news", letter, mailbox: hash, baseUrl, token, now }));
    return after;
  });
  const expired = live.length < before.subscriptions.length;
  const over = live.length === 0 && moments.length === 0;
  if (mails.length === 0 && !expired && !over) return null;
  return { mails, after: { token, subscriptions, mails: moments } };
}
