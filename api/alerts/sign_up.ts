/**
 * Sign-ups with their limits, and the links that confirm and end subscriptions: each is one commit.
 *
 * @module
 */

import { DAY_MS } from "../../pipeline/dates.ts";
import { inert } from "../../pipeline/text.ts";
import { newYorkToday, nextNewYorkMidnight } from "../rules/new_york.ts";
import type { Carrier } from "../rules/schemas.ts";
import { type KvEntry, transact } from "../state/kv.ts";
import { networkOf, PROVIDER } from "../state/network.ts";
import { mailboxOf } from "./address.ts";
import { type AlertKind, kindsOf, storedKinds } from "./kinds.ts";
import { seenOf } from "./news.ts";
import {
  ALERT_LIMITS,
  type AlertsParts,
  COUNTED_MS,
  dueWrite,
  isConfirmed,
  keyOf,
  LIFE_MS,
  type Mailbox,
  mailboxWrite,
  pruned,
  recent,
  type Subscription,
} from "./records.ts";

/**
 * The answer to a sign-up. `accepted` reveals nothing about the address: the answer is the same if the
 * address is new, known, or has reached its limit of emails.
 */
export type SignUpAnswer =
  | { outcome: "accepted"; carriers: readonly Pick<Carrier, "dot" | "name">[] }
  | { outcome: "unknown_carriers"; dots: readonly number[] }
  | { outcome: "invalid_address" | "unavailable" | "off" }
  /** `too_many` sign-ups from this client or its network, or `paused` for everyone. */
  | { outcome: "too_many" | "paused"; /** Seconds. */ retryAfter: number };

/** Counts confirmation emails on a day in New York. */
interface DayCount {
  day: string;
  mails: number;
}

export type LinkPurpose = "confirm" | "unsubscribe";

export interface Follow {
  purpose: LinkPurpose;
  /** Null changes nothing; `all` ends all subscriptions of the address. */
  act: "one" | "all" | null;
}

/**
 * The answer to a link: `unknown` if it never existed, was already used, or has expired. Contains no address.
 */
export type LinkAnswer =
  | {
    outcome: "found";
    dots: number[];
    /** How many more subscriptions `all` would end. */
    others: number;
    /** The kinds of news of the first subscription. */
    kinds: AlertKind[];
  }
  | { outcome: "unknown" | "unavailable" };

/** Maximum number of characters kept of a name, so that a mailbox with 50 subscriptions fits in a stored value. */
const LONGEST_NAME = 60;

/**
 * Accepts a sign-up with a valid address. Limits, subscriptions and the mark that an email is due are written
 * in one commit, so simultaneous sign-ups cannot exceed a limit.
 *
 * @throws {KvUnavailable}
 */
export async function signUp(
  { kv, hash, clock, sleep, newToken, log }: AlertsParts,
  { address, client, carriers, kinds }: {
    address: string;
    client: string;
    carriers: readonly Carrier[];
    kinds: readonly AlertKind[];
  },
): Promise<SignUpAnswer> {
  const mailbox = await hash.of("alert_mailbox", mailboxOf(address));
  const ownKey = keyOf("client", await hash.of("alert_client", client));
  const networkKey = keyOf("network", await hash.of("alert_network", networkOf(client, PROVIDER)));
  const newLink = () => `${mailbox}-${newToken()}`;
  const link = newLink();
  const wanted = carriers.map((carrier): Subscription => ({
    link: newLink(),
    address,
    dot: Number(carrier.dot),
    name: inert(carrier.name, LONGEST_NAME),
    kinds: storedKinds(kinds),
    confirm: { link, expires_at: clock.now() + LIFE_MS },
    answer: link,
    seen: seenOf(carrier),
    notice: null,
    bounces: 0,
  }));
  const token = newToken();
  const { answer, isLast = false } = await transact<{ answer: SignUpAnswer; isLast?: boolean }>(
    { kv, sleep },
    [ownKey, keyOf("mailbox", mailbox), keyOf("total"), networkKey],
    (
      { value: own }: KvEntry<{ sign_ups: number[] }>,
      { value: stored }: KvEntry<Mailbox>,
      { value: total }: KvEntry<DayCount>,
      { value: network }: KvEntry<DayCount>,
    ) => {
      const now = clock.now();
      const day = newYorkToday(now);
      const signUps = recent(own?.sign_ups ?? [], now);
      const sent = total?.day === day ? total.mails : 0;
      const ofNetwork = network?.day === day ? network.mails : 0;
      const refused = refusalBy({ signUps, sent, ofNetwork }, now);
      if (refused !== null) return { result: { answer: refused } };
      const names = carriers.map(({ dot, name }) => ({ dot, name }));
      const answer = { outcome: "accepted", carriers: names } as const;
      const counted = { token, sign_ups: [...signUps, now] };
      const countWrite = { key: ownKey, value: counted, expireIn: COUNTED_MS + DAY_MS };
      const { mails, ...before } = pruned(stored, now);
      const subscriptions = mails.length < ALERT_LIMITS.mailboxMails
        ? subscribe(before, wanted)
        : null;
      if (subscriptions === null) return { result: { answer }, writes: [countWrite] };
      const writes = [
        countWrite,
        mailboxWrite(mailbox, { ...before, token, subscriptions, mails: [...mails, now] }),
        dueWrite(mailbox, { token, due_at: now, failures: 0 }),
        { key: keyOf("total"), value: { day, mails: sent + 1 }, expireIn: 2 * DAY_MS },
        { key: networkKey, value: { day, mails: ofNetwork + 1 }, expireIn: 2 * DAY_MS },
      ];
      return { result: { answer, isLast: sent + 1 === ALERT_LIMITS.serviceMails }, writes };
    },
  );
  if (isLast) {
    log(
      `ALARM: ${ALERT_LIMITS.serviceMails} confirmation emails today, the limit of the service: ` +
        "sign-ups for email alerts are refused until midnight in New York",
    );
  }
  return answer;
}

/** The refusal of a sign-up by a limit of the client, the service or the network; null within all of them. */
function refusalBy(
  { signUps, sent, ofNetwork }: {
    /** Times of the client's recent sign-ups. */
    signUps: readonly number[];
    /** Confirmation emails sent today, and those of them that the client's network asked for. */
    sent: number;
    ofNetwork: number;
  },
  now: number,
): SignUpAnswer | null {
  if (signUps.length >= ALERT_LIMITS.clientSignUps) {
    return later("too_many", signUps[0]! + COUNTED_MS - now);
  }
  const left = ALERT_LIMITS.serviceMails - sent;
  const untilMidnight = nextNewYorkMidnight(now) - now;
  if (left <= 0) return later("paused", untilMidnight);
  // A fraction of what is left, so that a few networks cannot use up the day's emails.
  return ofNetwork >= left * ALERT_LIMITS.networkShare ? later("too_many", untilMidnight) : null;
}

/**
 * The subscriptions of a mailbox after a sign-up. Confirmed ones stay confirmed and keep their kinds of news.
 * Others get the new link and the new kinds, up to the mailbox's limit; the oldest unconfirmed ones are
 * dropped. Null when a limit is reached, and then nothing is sent.
 */
function subscribe(
  { subscriptions }: Pick<Mailbox, "subscriptions">,
  wanted: readonly Subscription[],
): Subscription[] | null {
  const { address, confirm, answer, kinds } = wanted[0]!;
  const dots = new Map(wanted.map(({ dot, name }) => [dot, name]));
  const found = ofAddress(subscriptions, address).filter(({ dot }) => dots.has(dot));
  const others = subscriptions.filter((one) => !found.includes(one));
  const confirmed = others.filter(isConfirmed);
  const waiting = others.filter((one) => !isConfirmed(one));
  const known = new Set(found.map(({ dot }) => dot));
  const added = wanted.filter(({ dot }) => !known.has(dot))
    .slice(0, Math.max(0, ALERT_LIMITS.subscriptions - confirmed.length - found.length));
  const again = found.map((one) => ({
    ...one,
    name: dots.get(one.dot)!,
    ...!isConfirmed(one) && { confirm, kinds: kinds! },
    answer,
  }));
  const asked = [...again, ...added];
  if (asked.length === 0) return null;
  return [...waiting, ...confirmed, ...asked].slice(-ALERT_LIMITS.subscriptions);
}

/** The subscriptions of an address, ignoring case, so that no address gets two emails a day about a carrier. */
function ofAddress(subscriptions: readonly Subscription[], address: string): Subscription[] {
  const same = address.toLowerCase();
  return subscriptions.filter((one) => one.address.toLowerCase() === same);
}

function later(outcome: "too_many" | "paused", ms: number): SignUpAnswer {
  return { outcome, retryAfter: Math.max(1, Math.ceil(ms / 1000)) };
}

/** The hash of the mailbox, then a secret. */
const LINK = /^([0-9a-f]{32})-[\w-]{1,64}$/;

/**
 * Finds the subscriptions of a link and confirms or ends them.
 *
 * @throws {KvUnavailable}
 */
export async function followLink(
  { kv, clock, newToken }: AlertsParts,
  link: string,
  { purpose, act }: Follow,
): Promise<LinkAnswer> {
  const hash = LINK.exec(link)?.[1];
  if (hash === undefined) return { outcome: "unknown" };
  const token = newToken();
  return await transact<LinkAnswer>(
    { kv },
    [keyOf("mailbox", hash)],
    ({ value }: KvEntry<Mailbox>) => {
      const mailbox = pruned(value, clock.now());
      const all = mailbox.subscriptions;
      const isConfirm = purpose === "confirm";
      const linked = all.filter((one) => link === (isConfirm ? one.confirm?.link : one.link));
      if (linked.length === 0) return { result: { outcome: "unknown" } };
      const own = isConfirm ? linked : ofAddress(all.filter(isConfirmed), linked[0]!.address);
      const chosen = act === "all" ? own : linked;
      const subscriptions = isConfirm
        ? all.map((one) => chosen.includes(one) ? { ...one, confirm: null, answer: null } : one)
        : all.filter((one) => !chosen.includes(one));
      const dots = chosen.map(({ dot }) => dot);
      return {
        result: {
          outcome: "found",
          dots,
          others: own.length - chosen.length,
          kinds: kindsOf(linked[0]!),
        },
        writes: act === null ? [] : [mailboxWrite(hash, { ...mailbox, subscriptions, token })],
      };
    },
  );
}
