/**
 * Email alerts: sign-up, confirmation, unsubscribing, and the work of each sweep.
 *
 * @module
 */

import { DAY_MS } from "../../pipeline/dates.ts";
import { SnapshotUnavailable } from "../../pipeline/snapshot/reader.ts";
import { messageOf, plural } from "../../pipeline/text.ts";
import { ServiceError } from "../operations/errors.ts";
import { newYorkToday } from "../rules/new_york.ts";
import { KvUnavailable, NO_END_MS, transact } from "../state/kv.ts";
import type { Slot, Slots } from "../state/slots.ts";
import { parseAddress } from "./address.ts";
import { ALERT_KINDS, type AlertKind } from "./kinds.ts";
import { findCarriers, newsOf } from "./news.ts";
import {
  type AlertsParts,
  type DueRecord,
  dueWrite,
  hashIn,
  isConfirmed,
  keyOf,
  type Mailbox,
  pagesOf,
  pruned,
  type RunRecord,
} from "./records.ts";
import { AlertSender } from "./sender.ts";
import { type Follow, followLink, type LinkAnswer, signUp, type SignUpAnswer } from "./sign_up.ts";
import type { Mailer } from "./smtp_mailer.ts";

export interface SignUp {
  address: string;
  /** 1 to 50 different numbers, 1 to 99,999,999. */
  dots: readonly number[];
  client: string;
  /** At least one. @default all */
  kinds?: readonly AlertKind[];
}

interface Parts extends AlertsParts {
  /** The slots in which a sign-up for several carriers waits along with batches and jobs. */
  slots: Slots;
  /** Null when alerts are off. */
  mailer: Mailer | null;
}

/**
 * Attempts at the daily check. If no carrier of a page of mailboxes can be read, all attempts but the last
 * one fail; the last one skips the page until the next day.
 */
const ATTEMPTS = 5;

/** The alerts of one process. No method throws for bad input or an outage. */
export class Alerts {
  /** Whether there is a mail server. Without one, sign-ups are `off`, but links still work. */
  readonly enabled: boolean;
  readonly #parts: Parts;
  readonly #stop = new AbortController();
  readonly #sender: AlertSender | null;
  #running = Promise.resolve();
  #attempts = 0;

  constructor(parts: Parts) {
    const { mailer } = parts;
    this.enabled = mailer !== null;
    this.#parts = parts;
    this.#sender = mailer && new AlertSender({ ...parts, mailer }, this.#stop.signal);
  }

  /** Accepts a sign-up and sends the email that asks for confirmation. */
  async signUp(
    { address: typed, dots, client, kinds = ALERT_KINDS }: SignUp,
  ): Promise<SignUpAnswer> {
    if (this.#sender === null) return { outcome: "off" };
    const address = parseAddress(typed);
    if (address === null) return { outcome: "invalid_address" };
    const { reader, clock, slots } = this.#parts;
    const today = newYorkToday(clock.now());
    let slot: Slot | undefined;
    try {
      if (dots.length > 1) slot = await slots.take(client);
      const { carriers, unread } = await reader.use((snapshot) =>
        findCarriers(dots, { ...this.#parts, snapshot, today, relook: true })
      );
      const unknown = dots.filter((dot) => carriers.get(dot)?.carrier === null);
      if (unknown.length > 0) return { outcome: "unknown_carriers", dots: unknown };
      if (unread > 0) return { outcome: "unavailable" };
      const found = dots.map((dot) => carriers.get(dot)!.carrier!);
      const answer = await signUp(this.#parts, { address, client, carriers: found, kinds });
      // Not awaited, because the response time would reveal whether an email was sent.
      void this.#sender.deliver();
      return answer;
    } catch (error) {
      return unavailable(error);
    } finally {
      slot?.release();
    }
  }

  /**
   * Returns what a link is for; performs it only if `how.act` is set, because mail scanners open links. A link
   * that has already confirmed or unsubscribed is `unknown`. The address of an ended subscription is deleted.
   */
  follow(link: string, how: Follow): Promise<LinkAnswer> {
    return followLink(this.#parts, link, how).catch(unavailable);
  }

  /** Runs the daily check for news if it is due, then sends emails. Called every few minutes; never throws. */
  async sweep(): Promise<void> {
    if (this.#sender === null) return;
    await (this.#running = this.#running.then(() => this.#run()));
    await this.#sender.deliver();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    if (signal.aborted) return;
    try {
      await runDaily(this.#parts, { relook: ++this.#attempts < ATTEMPTS, signal });
      this.#attempts = 0;
    } catch (error) {
      if (!signal.aborted) this.#parts.log(`Cannot finish the alerts: ${messageOf(error)}`);
    }
  }

  /** Stops; another process can continue at once. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all([this.#running, this.#sender?.deliver()]);
  }
}

function unavailable(error: unknown): { outcome: "unavailable" } {
  const isBusy = error instanceof ServiceError && error.code === "upstream_unavailable";
  if (isBusy || error instanceof KvUnavailable || error instanceof SnapshotUnavailable) {
    return { outcome: "unavailable" };
  }
  throw error;
}

/**
 * Checks all subscriptions for news, once for each day and data date. It only marks mailboxes as due; the
 * content is decided when the email is sent. So several processes may check at the same time, and a check
 * that was interrupted starts over.
 *
 * @throws {SnapshotUnavailable} Also when no carrier of a page can be read, if `relook` is set.
 * @throws {KvUnavailable}
 */
async function runDaily(
  parts: AlertsParts,
  how: { relook: boolean; signal: AbortSignal },
): Promise<void> {
  const { kv, reader, clock, log } = parts;
  const name = await reader.current();
  const { data_date } = name.manifest;
  const today = newYorkToday(clock.now());
  const [{ value: last }] = await kv.get<RunRecord>([keyOf("run")]);
  // Ignores a run dated after tomorrow: the clock that dated it was wrong.
  const isOfToday = last !== null && last.day <= newYorkToday(clock.now() + DAY_MS);
  if (isOfToday && `${today} ${data_date}` <= `${last.day} ${last.data_date}`) return;
  let [watched, news, unreadable] = [0, 0, 0];
  // It caches no shards, so it evicts none that lookups use.
  await reader.useOf(name, async (snapshot) => {
    for await (const page of pagesOf<Mailbox>(kv, "mailbox")) {
      const confirmed = page.flatMap(({ value }) => value.subscriptions).filter(isConfirmed);
      const dots = confirmed.map(({ dot }) => dot);
      const { unread, ...read } = await findCarriers(dots, { ...parts, ...how, snapshot, today });
      watched += dots.length;
      unreadable += unread;
      for (const entry of page) {
        const { subscriptions, mailed } = pruned(entry.value, clock.now());
        const context = { ...read, day: today, mailed };
        const { length } = subscriptions.filter((one) => newsOf(one, context));
        news += length;
        const isWatched = ({ dot }: { dot: number }) =>
          subscriptions.some((one) => one.dot === dot);
        const hasExpired = subscriptions.length < entry.value.subscriptions.length ||
          // The entries of carriers that are still watched are removed at the next write.
          entry.value.mailed?.some((one) => one.day < today && !isWatched(one));
        if (length > 0 || hasExpired) await mark(parts, hashIn(entry));
      }
    }
  });
  const value: RunRecord = { day: today, data_date };
  await kv.commit({ checks: [], writes: [{ key: keyOf("run"), value, expireIn: NO_END_MS }] });
  log(
    `Alerts of ${today} on ${name.id}: ${plural(watched, "subscription")}, ${news} with news` +
      (unreadable === 0 ? "" : `, ${plural(unreadable, "carrier")} could not be read`),
  );
}

/** An existing mark keeps its time but gets a new version, because its sender may not have seen the news. */
async function mark(parts: AlertsParts, hash: string): Promise<void> {
  const token = parts.newToken();
  await transact(parts, [keyOf("due", hash)], ({ value }) => {
    const due: DueRecord = { ...(value ?? { due_at: parts.clock.now(), failures: 0 }), token };
    return { result: null, writes: [dueWrite(hash, due)] };
  });
}
