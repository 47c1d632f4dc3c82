/**
 * Email alerts: sign-up, confirmation, unsubscribing, and the work of each minute.
 *
 * @module
 */

import { SnapshotUnavailable } from "../../pipeline/snapshot/reader.ts";
import { ServiceError } from "../operations/errors.ts";
import { readCarrier } from "../operations/lookup.ts";
import { newYorkToday } from "../rules/calendar.ts";
import { KvUnavailable } from "../state/kv.ts";
import { parseAddress } from "./address.ts";
import { DailyRun } from "./daily_run.ts";
import { Outbox } from "./outbox.ts";
import type { AlertsParts } from "./records.ts";
import {
  followLink,
  type LinkAnswer,
  type LinkPurpose,
  type SignUp,
  signUp,
  type SignUpAnswer,
} from "./sign_up.ts";
import type { Mailer } from "./smtp_mailer.ts";

/** The alerts of one process. No method throws for bad input or an outage. */
export class Alerts {
  /** Whether there is a mail server. Without one sign-ups are `off`, and links still work. */
  readonly enabled: boolean;
  readonly #parts: AlertsParts;
  readonly #run: DailyRun;
  readonly #outbox: Outbox | null;

  constructor(parts: AlertsParts & { /** Null: alerts are off. */ mailer: Mailer | null }) {
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
    const { reader, clock, baseUrl } = this.#parts;
    const today = newYorkToday(clock.now());
    try {
      const carrier = await reader.use((snapshot) =>
        readCarrier(dot, { snapshot, today, baseUrl })
      );
      const answer = await signUp(this.#parts, { address, client, carrier });
      // Not awaited: how long the mail server takes would show what was sent.
      void this.#outbox.deliver();
      return answer;
    } catch (error) {
      if (error instanceof ServiceError && error.code === "not_found") {
        return { outcome: "unknown_carrier" };
      }
      return unavailable(error);
    }
  }

  /** Says what a link is for; changes nothing, since mail scanners follow links. */
  describe(token: string): Promise<LinkAnswer> {
    return this.#follow(token, null);
  }

  /** Confirms a subscription; the link is unknown from then on. */
  confirm(token: string): Promise<LinkAnswer> {
    return this.#follow(token, "confirm");
  }

  /** Ends a subscription and deletes its address. */
  unsubscribe(token: string): Promise<LinkAnswer> {
    return this.#follow(token, "unsubscribe");
  }

  /** Does the day's run when it is due and sends emails. To be called each minute; never throws. */
  async sweep(): Promise<void> {
    if (this.#outbox === null) return;
    await this.#run.runIfDue();
    await this.#outbox.deliver();
  }

  /** Stops; another process can continue at once. */
  async stop(): Promise<void> {
    await Promise.all([this.#run.stop(), this.#outbox?.stop()]);
  }

  #follow(token: string, wanted: LinkPurpose | null): Promise<LinkAnswer> {
    return followLink(this.#parts, token, wanted).catch(unavailable);
  }
}

function unavailable(error: unknown): { outcome: "unavailable" } {
  if (error instanceof KvUnavailable || error instanceof SnapshotUnavailable) {
    return { outcome: "unavailable" };
  }
  throw error;
}
