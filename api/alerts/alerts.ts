/**
 * E-mail alerts put together. What pages use of them: `desk.ts`. What is stored, and for how long:
 * `records.ts`. What is written about, and when: `news.ts`. How a mail goes out: `mails.ts`.
 *
 * @module
 */

import type { Clock } from "../../pipeline/clock.ts";
import type { SnapshotReader } from "../../pipeline/snapshot/reader.ts";
import type { Kv } from "../state/kv.ts";
import { DailyRun } from "./daily_run.ts";
import type { AlertsDesk, Described, LinkAnswer, SignUp, SignUpAnswer } from "./desk.ts";
import { KeyedHash } from "./keyed_hash.ts";
import type { Mailer } from "./mailer.ts";
import { Outbox } from "./outbox.ts";
import { Subscriptions } from "./subscriptions.ts";

/** What {@link Alerts} are wired from. */
export interface AlertsParts {
  kv: Kv;
  reader: SnapshotReader;
  clock: Clock;
  /** Null: alerts are off. */
  mailer: Mailer | null;
  /** Waits some milliseconds. */
  sleep: (ms: number) => Promise<void>;
  /** A text that nobody can guess and no other call gives. */
  newToken: () => string;
  /** Address of the service, without a final slash. */
  baseUrl: string;
  log: (line: string) => void;
}

/** The alerts of one process. */
export class Alerts implements AlertsDesk {
  readonly enabled: boolean;
  readonly #subscriptions: Subscriptions;
  readonly #run: DailyRun;
  readonly #outbox: Outbox | null;

  /** Does nothing until it is asked, or swept. */
  constructor(parts: AlertsParts) {
    const { kv, mailer, newToken } = parts;
    const hash = new KeyedHash(kv, newToken);
    this.enabled = mailer !== null;
    this.#subscriptions = new Subscriptions({ ...parts, hash });
    this.#run = new DailyRun(parts);
    this.#outbox = mailer === null ? null : new Outbox({ ...parts, mailer });
  }

  async signUp(wish: SignUp): Promise<SignUpAnswer> {
    if (this.#outbox === null) return { outcome: "off" };
    const answer = await this.#subscriptions.signUp(wish);
    // Nobody waits for the mail server: how long it takes would tell what was done.
    void this.#outbox.deliver();
    return answer;
  }

  describe(token: string): Promise<Described> {
    return this.#subscriptions.describe(token);
  }

  confirm(token: string): Promise<LinkAnswer<"confirmed">> {
    return this.#subscriptions.confirm(token);
  }

  unsubscribe(token: string): Promise<LinkAnswer<"unsubscribed">> {
    return this.#subscriptions.unsubscribe(token);
  }

  /**
   * Does the day's run when it is due, and sends what waits. To be called each minute: with nothing to
   * do it is two reads of the store. Never throws.
   */
  async sweep(): Promise<void> {
    if (this.#outbox === null) return;
    await this.#run.look();
    await this.#outbox.deliver();
  }

  /** Breaks off, and lets another process go on at once. */
  async stop(): Promise<void> {
    await Promise.all([this.#run.stop(), this.#outbox?.stop()]);
  }
}
