/**
 * Sign-ups with their limits, and the links that confirm and end a subscription: each is one commit.
 *
 * @module
 */

import { newYorkToday, nextNewYorkMidnight } from "../rules/calendar.ts";
import type { Carrier } from "../rules/schemas.ts";
import { type KvEntry, type KvWrite, transact } from "../state/kv.ts";
import { mailboxOf } from "./address.ts";
import { confirmText, knownText } from "./mail_text.ts";
import {
  type AlertsParts,
  clientKey,
  type ClientRecord,
  COUNTED_MS,
  DAY_MS,
  LIFE_MS,
  LIMITS,
  type Mailbox,
  mailboxKey,
  mailboxWrite,
  mailWrite,
  newMail,
  pruned,
  recent,
  replaceWrite,
  seenOf,
  type Subscription,
  TOTAL_KEY,
  type TotalRecord,
  unsubscribeUrl,
} from "./records.ts";

export interface SignUp {
  /** As typed. */
  address: string;
  /** 1 to 99,999,999. */
  dot: number;
  /** The client that sign-ups are counted by. */
  client: string;
}

/**
 * The answer to a sign-up. `accepted` is all that anyone learns about an address, whether it is new,
 * known, or had as many emails as it may; the name is the carrier's.
 */
export type SignUpAnswer =
  | { outcome: "accepted"; name: string }
  | { outcome: "invalid_address" | "unknown_carrier" | "unavailable" | "off" }
  /** `too_many` of this client, or `paused` for everyone. */
  | { outcome: "too_many" | "paused"; /** Seconds. */ retryAfter: number };

/** The answer to a link, `unknown` when it never existed, was used, or has expired. No address in it. */
export type LinkAnswer =
  | { outcome: "found"; purpose: LinkPurpose; dot: number }
  | { outcome: "unknown" | "unavailable" };

/** What a link does. */
export type LinkPurpose = "confirm" | "unsubscribe";

/**
 * Takes a sign-up of a valid address. Limits, subscription and email are one commit, so that no race
 * exceeds a limit.
 *
 * @throws {KvUnavailable}
 */
export async function signUp(
  { kv, hash, clock, sleep, newToken, baseUrl, log }: AlertsParts,
  { address, client, carrier }: { address: string; client: string; carrier: Carrier },
): Promise<SignUpAnswer> {
  const mailbox = await hash.of("alert_mailbox", mailboxOf(address));
  const ownKey = clientKey(await hash.of("alert_client", client));
  const [confirm, unsubscribe] = [`${mailbox}-${newToken()}`, `${mailbox}-${newToken()}`];
  const mailId = await hash.of("alert_link", confirm);
  const token = newToken();
  const wanted: Subscription = {
    id: await hash.of("alert_link", unsubscribe),
    address,
    dot: Number(carrier.dot),
    unsubscribe,
    confirm: { id: mailId, expires_at: clock.now() + LIFE_MS },
    seen: seenOf(carrier),
    notice: null,
    mailed_on: null,
    bounces: 0,
  };
  const { answer, isLast = false } = await transact<{ answer: SignUpAnswer; isLast?: boolean }>(
    { kv, pause: sleep },
    [ownKey, mailboxKey(mailbox), TOTAL_KEY],
    (
      { value: own }: KvEntry<ClientRecord>,
      { value: stored }: KvEntry<Mailbox>,
      { value: total }: KvEntry<TotalRecord>,
    ) => {
      const now = clock.now();
      const day = newYorkToday(now);
      const signUps = recent(own?.sign_ups ?? [], now);
      const mailed = total?.day === day ? total.mails : 0;
      if (signUps.length >= LIMITS.clientSignUps) {
        return { result: { answer: later("too_many", signUps[0]! + COUNTED_MS - now) } };
      }
      if (mailed >= LIMITS.serviceMails) {
        return { result: { answer: later("paused", nextNewYorkMidnight(now) - now) } };
      }
      const answer = { outcome: "accepted", name: carrier.name } as const;
      const counted: ClientRecord = { token, sign_ups: [...signUps, now] };
      const writes: KvWrite[] = [{ key: ownKey, value: counted, expireIn: COUNTED_MS + DAY_MS }];
      const before = pruned(stored, now);
      const subscriptions = subscribe(before, wanted);
      if (subscriptions === null) return { result: { answer }, writes };
      const subscription = subscriptions.at(-1)!;
      const isKnown = subscription.confirm === null;
      const mail = newMail(subscription, {
        // The id of the link, so that an email whose link was replaced is not sent.
        id: mailId,
        kind: isKnown ? "known" : "confirm",
        message: isKnown
          ? knownText(wanted.dot, unsubscribeUrl(baseUrl, subscription))
          : confirmText(wanted.dot, `${baseUrl}/alerts/confirm/${confirm}`),
        mailbox,
        baseUrl,
        token,
        now,
      });
      const value: TotalRecord = { day, mails: mailed + 1 };
      writes.push(
        mailboxWrite(mailbox, { token, subscriptions, mails: [...before.mails, now] }),
        mailWrite(mail),
        { key: TOTAL_KEY, value, expireIn: 2 * DAY_MS },
      );
      return { result: { answer, isLast: value.mails === LIMITS.serviceMails }, writes };
    },
  );
  if (isLast) {
    log(
      `ALARM: ${LIMITS.serviceMails} confirmation emails today, the limit of the service: ` +
        "sign-ups for email alerts are refused until midnight in New York",
    );
  }
  return answer;
}

/**
 * The subscriptions of a mailbox with the wanted one last: unchanged if it is confirmed, else with the new
 * link. Null where a limit is reached: then nothing is sent, and older links stay valid.
 */
function subscribe({ subscriptions, mails }: Mailbox, wanted: Subscription): Subscription[] | null {
  // Without regard to case, or one address would get two alerts a day on a carrier.
  const same = wanted.address.toLowerCase();
  const found = subscriptions.find((one) =>
    one.address.toLowerCase() === same && one.dot === wanted.dot
  );
  const pending = subscriptions.filter(({ confirm }) => confirm !== null).length;
  const full = subscriptions.length >= LIMITS.subscriptions || pending >= LIMITS.pending;
  if ((found === undefined && full) || mails.length >= LIMITS.mailboxMails) return null;
  const confirm = found?.confirm === null ? null : wanted.confirm;
  return [...subscriptions.filter((one) => one !== found), { ...wanted, ...found, confirm }];
}

function later(outcome: "too_many" | "paused", ms: number): SignUpAnswer {
  return { outcome, retryAfter: Math.max(1, Math.ceil(ms / 1000)) };
}

/** A token: the hash of the mailbox, then a secret. */
const TOKEN = /^([0-9a-f]{32})-[\w-]{1,64}$/;

/**
 * Finds the subscription of a link and, if that is the link's purpose, confirms or ends it.
 *
 * @param purpose Null changes nothing.
 * @throws {KvUnavailable}
 */
export async function followLink(
  { kv, clock, hash, newToken }: AlertsParts,
  token: string,
  wanted: LinkPurpose | null,
): Promise<LinkAnswer> {
  const mailboxHash = TOKEN.exec(token)?.[1];
  if (mailboxHash === undefined) return { outcome: "unknown" };
  const id = await hash.of("alert_link", token);
  const commit = newToken();
  return await transact<LinkAnswer>(
    { kv },
    [mailboxKey(mailboxHash)],
    ({ value }: KvEntry<Mailbox>) => {
      const mailbox = pruned(value, clock.now());
      const before = mailbox.subscriptions.find((one) => one.id === id || one.confirm?.id === id);
      const purpose = before?.id === id ? "unsubscribe" : "confirm";
      if (before === undefined || (wanted !== null && wanted !== purpose)) {
        return { result: { outcome: "unknown" } };
      }
      const result: LinkAnswer = { outcome: "found", purpose, dot: before.dot };
      if (wanted === null) return { result };
      const after = wanted === "confirm" ? { ...before, confirm: null } : null;
      return {
        result,
        writes: [replaceWrite(mailboxHash, mailbox, { before, after, token: commit })],
      };
    },
  );
}
