/**
 * Signing up, confirming and unsubscribing.
 *
 * @module
 */

import type { Clock } from "../../pipeline/clock.ts";
import { type SnapshotReader, SnapshotUnavailable } from "../../pipeline/snapshot/reader.ts";
import { ServiceError } from "../operations/errors.ts";
import { readCarrier } from "../operations/lookup_carrier.ts";
import { newYorkToday } from "../rules/calendar.ts";
import { type Kv, type KvEntry, KvUnavailable } from "../state/kv.ts";
import { mailboxOf, parseAddress } from "./address.ts";
import type { Described, LinkAnswer, SignUp, SignUpAnswer } from "./desk.ts";
import type { KeyedHash } from "./keyed_hash.ts";
import {
  clientKey,
  clientWrite,
  linkKey,
  linkWrite,
  mailboxKey,
  mailboxWrite,
  unlinkWrites,
} from "./keys.ts";
import { seenOf } from "./news.ts";
import {
  type ClientRecord,
  counted,
  COUNTED_MS,
  LIMITS,
  type Link,
  type Mailbox,
  pruned,
  type Seen,
  type Subscription,
} from "./records.ts";
import { signUpWrites, type Token } from "./sign_up.ts";
import { type Step, transact } from "./transact.ts";

/** What {@link Subscriptions} are wired from. */
export interface SubscriptionsParts {
  kv: Kv;
  reader: SnapshotReader;
  clock: Clock;
  hash: KeyedHash;
  /** A text that nobody can guess and no other call gives. */
  newToken: () => string;
  /** Address of the service, without a final slash. */
  baseUrl: string;
}

const LONGEST_TOKEN = 64;

const NONE: Mailbox = { token: "", subscriptions: [], mails: [] };

/** The subscriptions in the store. */
export class Subscriptions {
  readonly #parts: SubscriptionsParts;

  constructor(parts: SubscriptionsParts) {
    this.#parts = parts;
  }

  /** Limits, subscription, links and mail are one commit, so that no race gets past a limit. */
  async signUp({ address: typed, dot, client }: SignUp): Promise<SignUpAnswer> {
    const { kv, clock, hash, newToken, baseUrl } = this.#parts;
    const address = parseAddress(typed);
    if (address === null) return { outcome: "invalid_address" };
    try {
      const seen = await this.#see(dot);
      if (seen === null) return { outcome: "unknown_carrier" };
      const [mailbox, clientHash] = await Promise.all([
        hash.of("mailbox", mailboxOf(address)),
        hash.of("client", client),
      ]);
      const [confirm, unsubscribe] = await Promise.all([this.#token(), this.#token()]);
      const [id, token] = [newToken(), newToken()];
      const fixed = { mailbox, address, dot, seen, id, token, confirm, unsubscribe, baseUrl };
      return await transact<SignUpAnswer>(
        { kv },
        [clientKey(clientHash), mailboxKey(mailbox)],
        ({ value: own }: KvEntry<ClientRecord>, { value: stored }: KvEntry<Mailbox>) => {
          const now = clock.now();
          const signUps = counted(own?.sign_ups ?? [], now);
          if (signUps.length >= LIMITS.clientSignUps) {
            const seconds = Math.ceil((signUps[0]! + COUNTED_MS - now) / 1000);
            return { result: { outcome: "too_many", retryAfter: Math.max(1, seconds) } };
          }
          const writes = signUpWrites(pruned(stored ?? NONE, now), { ...fixed, now });
          writes.push(clientWrite(clientHash, { token, sign_ups: [...signUps, now] }));
          return { result: { outcome: "accepted" }, writes };
        },
      );
    } catch (error) {
      return unavailable(error);
    }
  }

  /** Confirms a subscription; the link leads nowhere from then on. */
  confirm(token: string): Promise<LinkAnswer<"confirmed">> {
    return this.#follow(token, "confirm", (found, { mailbox, link, commit }) => {
      const { unsubscribe } = found;
      const kept: Link = { ...link, purpose: "unsubscribe" };
      return {
        result: { outcome: "confirmed", dot: found.dot },
        writes: [
          replaced(link.mailbox, { ...mailbox, token: commit }, [found, {
            ...found,
            confirm: null,
          }]),
          ...unlinkWrites(found),
          linkWrite(unsubscribe.link, { link: kept, confirmed: true }),
        ],
      };
    });
  }

  /** Ends a subscription and forgets its address. */
  unsubscribe(token: string): Promise<LinkAnswer<"unsubscribed">> {
    return this.#follow(token, "unsubscribe", (found, { mailbox, link, commit }) => ({
      result: { outcome: "unsubscribed", dot: found.dot },
      writes: [
        replaced(link.mailbox, { ...mailbox, token: commit }, [found]),
        ...unlinkWrites(found),
      ],
    }));
  }

  /** Tells what a link is about. */
  async describe(token: string): Promise<Described> {
    for (const purpose of ["confirm", "unsubscribe"] as const) {
      const answer = await this.#follow<Described>(token, purpose, ({ dot }) => ({
        result: { outcome: "found", purpose, dot },
      }));
      if (answer.outcome !== "unknown") return answer;
    }
    return { outcome: "unknown" };
  }

  /** Finds the subscription that a link of this purpose is about, and decides on it. */
  async #follow<R>(
    token: string,
    purpose: Link["purpose"],
    decide: (found: Subscription, context: FollowContext) => Step<R>,
  ): Promise<R | { outcome: "unknown" | "unavailable" }> {
    const { kv, clock, hash, newToken } = this.#parts;
    const unknown = { result: { outcome: "unknown" as const } };
    if (token === "" || token.length > LONGEST_TOKEN) return unknown.result;
    try {
      const name = await hash.of("link", token);
      const { value: link } = await kv.get<Link>(linkKey(name));
      if (link === null || link.purpose !== purpose) return unknown.result;
      const commit = newToken();
      return await transact<R | { outcome: "unknown" }>(
        { kv },
        [mailboxKey(link.mailbox)],
        ({ value }: KvEntry<Mailbox>) => {
          const mailbox = pruned(value ?? NONE, clock.now());
          const found = mailbox.subscriptions.find(({ unsubscribe, confirm }) =>
            (purpose === "confirm" ? confirm?.link : unsubscribe.link) === name
          );
          return found === undefined ? unknown : decide(found, { mailbox, link, commit });
        },
      );
    } catch (error) {
      return unavailable(error);
    }
  }

  async #token(): Promise<Token> {
    const token = this.#parts.newToken();
    return { token, link: await this.#parts.hash.of("link", token) };
  }

  /** What the current snapshot has of a carrier; null when it has none of that number. */
  async #see(dot: number): Promise<Seen | null> {
    const { reader, clock, baseUrl } = this.#parts;
    const today = newYorkToday(clock.now());
    try {
      const carrier = await reader.use((snapshot) =>
        readCarrier(dot, { snapshot, today, baseUrl })
      );
      return seenOf(carrier);
    } catch (error) {
      if (error instanceof ServiceError && error.code === "not_found") return null;
      throw error;
    }
  }
}

interface FollowContext {
  mailbox: Mailbox;
  link: Link;
  /** Token of the commit. */
  commit: string;
}

/** The write of a mailbox with one subscription replaced, or dropped. */
function replaced(
  hash: string,
  mailbox: Mailbox,
  [before, after]: readonly [Subscription, Subscription?],
) {
  const subscriptions = mailbox.subscriptions.flatMap((one) =>
    one !== before ? [one] : after === undefined ? [] : [after]
  );
  return mailboxWrite(hash, { ...mailbox, subscriptions });
}

function unavailable(error: unknown): { outcome: "unavailable" } {
  if (error instanceof KvUnavailable || error instanceof SnapshotUnavailable) {
    return { outcome: "unavailable" };
  }
  throw error;
}
