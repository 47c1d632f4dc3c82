/**
 * Email alerts: sign-up, confirmation, unsubscribing, and the work of each minute.
 *
 * @module
 */

import { SnapshotUnavailable } from "../../pipeline/snapshot/reader.ts";
import { ServiceError } from "../operations/errors.ts";
import { readCarrier } from "../operations/lookup.ts";
import { newYorkToday } from "../rules/calendar.ts";
import type { Carrier } from "../rules/schemas.ts";
import type { KeyedHash } from "../state/keyed_hash.ts";
import { type KvEntry, KvUnavailable } from "../state/kv.ts";
import { transact } from "../state/transact.ts";
import { parseAddress } from "./address.ts";
import { DailyRun, type RunParts } from "./daily_run.ts";
import { Outbox } from "./outbox.ts";
import { type Mailbox, mailboxKey, pruned, replaceWrite, type Subscription } from "./records.ts";
import { type SignUp, signUp, type SignUpAnswer } from "./sign_up.ts";
import type { Mailer } from "./smtp_mailer.ts";

/** What {@link Alerts} are made from. */
export interface AlertsParts extends RunParts {
  hash: KeyedHash;
  /** Null: alerts are off. */
  mailer: Mailer | null;
}

/** The answer to a link, `unknown` when it never existed, was used, or has expired. No address in it. */
export type LinkAnswer =
  | { outcome: "found"; purpose: Purpose; dot: number }
  | { outcome: "unknown" | "unavailable" };

type Purpose = "confirm" | "unsubscribe";

/** A token: the hash of the mailbox, then a secret. */
const TOKEN = /^([0-9a-f]{32})-[\w-]{1,64}$/;

/** The alerts of one process. No method throws for bad input or an outage. */
export class Alerts {
  /** Whether there is a mail server. Without one sign-ups are `off`, and links still work. */
  readonly enabled: boolean;
  readonly #parts: AlertsParts;
  readonly #run: DailyRun;
  readonly #outbox: Outbox | null;

  constructor(parts: AlertsParts) {
    const { mailer } = parts;
    this.enabled = mailer !== null;
    this.#parts = parts;
    this.#run = new DailyRun(parts);
    this.#outbox = mailer === null ? null : new Outbox({ ...parts, mailer });
  }

  /** Takes a sign-up and sends the email that asks for its confirmation. */
  async signUp({ address: typed, dot, client }: SignUp): Promise<SignUpAnswer> {
    if (this.#outbox === null) return { outcome: "off" };
    const address = parseAddress(typed);
    if (address === null) return { outcome: "invalid_address" };
    try {
      const carrier = await this.#carrier(dot);
      if (carrier === null) return { outcome: "unknown_carrier" };
      const answer = await signUp(this.#parts, { address, client, carrier });
      // Not awaited: how long the mail server takes would show what was sent.
      void this.#outbox.deliver();
      return answer;
    } catch (error) {
      return unavailable(error);
    }
  }

  /** Says what a link is for; changes nothing, since mail scanners follow links. */
  describe(token: string): Promise<LinkAnswer> {
    return this.#follow(token);
  }

  /** Confirms a subscription; the link is unknown from then on. */
  confirm(token: string): Promise<LinkAnswer> {
    return this.#follow(token, {
      purpose: "confirm",
      to: (found) => ({ ...found, confirm: null }),
    });
  }

  /** Ends a subscription and deletes its address. */
  unsubscribe(token: string): Promise<LinkAnswer> {
    return this.#follow(token, { purpose: "unsubscribe", to: () => null });
  }

  /** Does the day's run when it is due and sends mails. To be called each minute; never throws. */
  async sweep(): Promise<void> {
    if (this.#outbox === null) return;
    await this.#run.look();
    await this.#outbox.deliver();
  }

  /** Stops; another process can continue at once. */
  async stop(): Promise<void> {
    await Promise.all([this.#run.stop(), this.#outbox?.stop()]);
  }

  /** Finds the subscription of a link and changes it, if the link has that purpose. */
  async #follow(
    token: string,
    change?: { purpose: Purpose; to: (found: Subscription) => Subscription | null },
  ): Promise<LinkAnswer> {
    const { kv, clock, hash, newToken } = this.#parts;
    const mailboxHash = TOKEN.exec(token)?.[1];
    if (mailboxHash === undefined) return { outcome: "unknown" };
    try {
      const id = await hash.of("alert_link", token);
      const commit = newToken();
      return await transact<LinkAnswer>(
        { kv },
        [mailboxKey(mailboxHash)],
        ({ value }: KvEntry<Mailbox>) => {
          const mailbox = pruned(value, clock.now());
          const found = mailbox.subscriptions.find((one) =>
            one.id === id || one.confirm?.id === id
          );
          const purpose = found?.id === id ? "unsubscribe" : "confirm";
          if (found === undefined || (change !== undefined && change.purpose !== purpose)) {
            return { result: { outcome: "unknown" } };
          }
          const result: LinkAnswer = { outcome: "found", purpose, dot: found.dot };
          if (change === undefined) return { result };
          const replaced = { before: found, after: change.to(found), token: commit };
          return { result, writes: [replaceWrite(mailboxHash, mailbox, replaced)] };
        },
      );
    } catch (error) {
      return unavailable(error);
    }
  }

  /** A carrier in the current snapshot; null when there is none of that number. */
  async #carrier(dot: number): Promise<Carrier | null> {
    const { reader, clock, baseUrl } = this.#parts;
    const today = newYorkToday(clock.now());
    try {
      return await reader.use((snapshot) => readCarrier(dot, { snapshot, today, baseUrl }));
    } catch (error) {
      if (error instanceof ServiceError && error.code === "not_found") return null;
      throw error;
    }
  }
}

function unavailable(error: unknown): { outcome: "unavailable" } {
  if (error instanceof KvUnavailable || error instanceof SnapshotUnavailable) {
    return { outcome: "unavailable" };
  }
  throw error;
}
