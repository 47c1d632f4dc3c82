/**
 * Sign-ups and their limits.
 *
 * @module
 */

import { newYorkToday, nextNewYorkMidnight } from "../rules/calendar.ts";
import type { Carrier } from "../rules/schemas.ts";
import type { KeyedHash } from "../state/keyed_hash.ts";
import type { KvEntry, KvWrite } from "../state/kv.ts";
import { transact } from "../state/transact.ts";
import { mailboxOf } from "./address.ts";
import type { RunParts } from "./daily_run.ts";
import { confirmText, knownText } from "./mail_text.ts";
import { seenOf } from "./news.ts";
import {
  clientKey,
  type ClientRecord,
  counted,
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
  type Subscription,
  TOTAL_KEY,
  type TotalRecord,
  unsubscribeUrl,
} from "./records.ts";

/** A request for alerts. */
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

/** A token, and its keyed hash. */
interface Link {
  token: string;
  id: string;
}

interface Request {
  /** Hash of the mailbox. */
  mailbox: string;
  address: string;
  carrier: Carrier;
  confirm: Link;
  unsubscribe: Link;
  /** Token of the commit. */
  token: string;
  baseUrl: string;
}

/**
 * Takes a sign-up of a valid address. Limits, subscription and mail are one commit, so that no race
 * exceeds a limit.
 *
 * @throws {KvUnavailable}
 */
export async function signUp(
  { kv, hash, clock, sleep, newToken, baseUrl, log }: RunParts & { hash: KeyedHash },
  { address, client, carrier }: { address: string; client: string; carrier: Carrier },
): Promise<SignUpAnswer> {
  const mailbox = await hash.of("alert_mailbox", mailboxOf(address));
  const clientHash = await hash.of("alert_client", client);
  const link = async (): Promise<Link> => {
    const token = `${mailbox}-${newToken()}`;
    return { token, id: await hash.of("alert_link", token) };
  };
  const [confirm, unsubscribe, token] = [await link(), await link(), newToken()];
  const request = { mailbox, address, carrier, confirm, unsubscribe, token, baseUrl };
  const { answer, last = false } = await transact<{ answer: SignUpAnswer; last?: boolean }>(
    { kv, pause: sleep },
    [clientKey(clientHash), mailboxKey(mailbox), TOTAL_KEY],
    (
      { value: own }: KvEntry<ClientRecord>,
      { value: stored }: KvEntry<Mailbox>,
      { value: total }: KvEntry<TotalRecord>,
    ) => {
      const now = clock.now();
      const signUps = counted(own?.sign_ups ?? [], now);
      if (signUps.length >= LIMITS.clientSignUps) {
        return { result: { answer: later("too_many", signUps[0]! + COUNTED_MS - now) } };
      }
      const day = newYorkToday(now);
      const before = total?.day === day ? total.mails : 0;
      if (before >= LIMITS.serviceMails) {
        return { result: { answer: later("paused", nextNewYorkMidnight(now) - now) } };
      }
      const writes = mailboxWrites(pruned(stored, now), request, now);
      const mails = writes.length === 0 ? before : before + 1;
      if (mails > before) {
        const value: TotalRecord = { day, mails };
        writes.push({ key: TOTAL_KEY, value, expireIn: 2 * DAY_MS });
      }
      const value: ClientRecord = { token, sign_ups: [...signUps, now] };
      writes.push({ key: clientKey(clientHash), value, expireIn: COUNTED_MS + DAY_MS });
      const last = mails > before && mails === LIMITS.serviceMails;
      return { result: { answer: { outcome: "accepted", name: carrier.name }, last }, writes };
    },
  );
  if (last) {
    log(
      `ALARM: ${LIMITS.serviceMails} confirmation emails today, the limit of the service: ` +
        "sign-ups for email alerts are refused until midnight in New York",
    );
  }
  return answer;
}

/** The writes for the mailbox; none where its limit is reached: then older links stay valid. */
function mailboxWrites(before: Mailbox, request: Request, now: number): KvWrite[] {
  const { mailbox, address, carrier, confirm, unsubscribe, token, baseUrl } = request;
  const dot = Number(carrier.dot);
  // Without regard to case, or one address would get two alerts a day on a carrier.
  const same = address.toLowerCase();
  const found = before.subscriptions.find((one) =>
    one.address.toLowerCase() === same && one.dot === dot
  );
  const pending = before.subscriptions.filter(({ confirm }) => confirm !== null).length;
  const full = before.subscriptions.length >= LIMITS.subscriptions || pending >= LIMITS.pending;
  if ((found === undefined && full) || before.mails.length >= LIMITS.mailboxMails) return [];
  const known = found?.confirm === null ? found : null;
  const subscription: Subscription = known ?? {
    id: unsubscribe.id,
    address,
    dot,
    unsubscribe: unsubscribe.token,
    seen: seenOf(carrier),
    notice: null,
    mailed_on: null,
    bounces: 0,
    ...found,
    confirm: { id: confirm.id, expires_at: now + LIFE_MS },
  };
  const mail = newMail(subscription, {
    // The id of the link, so that a mail whose link was replaced is not sent.
    id: confirm.id,
    kind: known === null ? "confirm" : "known",
    text: known === null
      ? confirmText(dot, `${baseUrl}/alerts/confirm/${confirm.token}`)
      : knownText(dot, unsubscribeUrl(baseUrl, known)),
    mailbox,
    baseUrl,
    token,
    now,
  });
  const subscriptions = [...before.subscriptions.filter((one) => one !== found), subscription];
  const mails = [...before.mails, now];
  return [mailboxWrite(mailbox, { token, subscriptions, mails }), mailWrite(mail)];
}

function later(outcome: "too_many" | "paused", ms: number): SignUpAnswer {
  return { outcome, retryAfter: Math.max(1, Math.ceil(ms / 1000)) };
}
