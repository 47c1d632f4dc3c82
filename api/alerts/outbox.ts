/**
 * Sends the emails that are due, each once at most.
 *
 * @module
 */

import { abortable, backOff } from "../../pipeline/retry.ts";
import { messageOf } from "../../pipeline/text.ts";
import { type KvEntry, type KvWrite, transact } from "../state/kv.ts";
import {
  type AlertsParts,
  LIFE_MS,
  MAIL_PREFIX,
  type Mailbox,
  mailboxKey,
  mailKey,
  type MailRecord,
  mailWrite,
  replaceWrite,
  type Subscription,
} from "./records.ts";
import { type Mailer, SEND_MS, type Sent } from "./smtp_mailer.ts";

type OutboxParts = Omit<AlertsParts, "reader" | "hash" | "baseUrl"> & { mailer: Mailer };

/** What became of an email: `dropped` is no longer wanted, `lost` was claimed for too long. */
type Fate = Sent["outcome"] | "given_up" | "dropped" | "lost";

/** Emails read at a time, and pages in one round. */
const PAGE = 50;
const PAGES = 20;

/** Milliseconds a claim lasts: more than a sending takes. */
const CLAIM_MS = 2 * SEND_MS + 60_000;

/** Emails in a row that are refused for good before a subscription ends. */
const MOST_BOUNCES = 3;

/** Pauses of an email that was not sent, and of all emails while the server fails. */
const MAIL_PAUSE = { first: 5 * 60_000, longest: 6 * 3_600_000 };
const SERVER_PAUSE = { first: 60_000, longest: 3_600_000 };

/**
 * The outbox of one process; those of all processes share the work. A claim is committed before the
 * first byte of an email is sent, so it is sent once at most: when the claim ends without a result, or
 * the server gives no answer to the body, the email counts as `unknown` and is not sent again.
 */
export class Outbox {
  readonly #parts: OutboxParts;
  readonly #stop = new AbortController();
  readonly #fates = new Map<Fate, number>();
  #working: Promise<void> | null = null;
  #again = false;
  #failures = 0;
  #pausedUntil = 0;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  /** Sends what is due, including what becomes due during the run. Never throws: the next call retries. */
  deliver(): Promise<void> {
    this.#again = true;
    this.#working ??= this.#work().finally(() => this.#working = null);
    return this.#working;
  }

  /** Stops: an email being sent waits for another process, or counts as unknown. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#parts.mailer.close();
    await this.#working;
  }

  async #work(): Promise<void> {
    const { clock, log, mailer } = this.#parts;
    do {
      this.#again = false;
      try {
        const pause = this.#pausedUntil - clock.now();
        // A longer one comes from a clock that was set back.
        if (pause <= 0 || pause > SERVER_PAUSE.longest) await this.#sendDue();
      } catch (error) {
        if (!this.#stop.signal.aborted) log(`Cannot send emails for now: ${messageOf(error)}`);
      }
      await mailer.close();
    } while (this.#again && !this.#stop.signal.aborted);
    const fates = [...this.#fates].map(([fate, count]) => `${count} ${fate}`);
    this.#fates.clear();
    if (fates.length > 0) log(`Emails: ${fates.join(", ")}`);
  }

  async #sendDue(): Promise<void> {
    const { kv, clock } = this.#parts;
    for (let page = 0; page < PAGES; page++) {
      const mails = await kv.list<MailRecord>(MAIL_PREFIX, { limit: PAGE });
      for (const { value } of mails) {
        if (this.#stop.signal.aborted || value!.due_at > clock.now()) return;
        const claimed = await this.#claim(value!);
        if (claimed !== null && !await this.#send(claimed)) return;
      }
      if (mails.length < PAGE) return;
    }
  }

  /** The email, to be sent by this process alone; null when there is nothing to send. */
  async #claim(found: MailRecord): Promise<MailRecord | null> {
    const { clock, newToken } = this.#parts;
    const token = newToken();
    const { fate, mail = null } = await this.#change<{ fate?: Fate; mail?: MailRecord }>(
      found,
      (mail, mailbox) => {
        const now = clock.now();
        if (mail === null || (mail.sending_until ?? 0) > now) return { result: {} };
        const fate = endOf(mail, { mailbox, now });
        if (fate !== null) {
          return { result: { fate }, writes: [{ key: mailKey(mail), delete: true }] };
        }
        const attempts = mail.attempts + 1;
        const claimed = { ...mail, attempts, sending_until: now + CLAIM_MS, token };
        return { result: { mail: claimed }, writes: [mailWrite(claimed)] };
      },
    );
    if (fate !== undefined) this.#count(fate);
    return mail;
  }

  /** Sends a claimed email and records the result; false when the server is not to be asked for more. */
  async #send(claimed: MailRecord): Promise<boolean> {
    const { clock, mailer, log } = this.#parts;
    // The machine may have slept since the claim, and others may have counted the email as unknown.
    const late = claimed.sending_until! <= clock.now();
    const sent: Sent = late || this.#stop.signal.aborted
      ? { outcome: "down", reason: "no time left" }
      : await mailer.send(claimed);
    const fails = sent.outcome === "down" || sent.outcome === "unknown";
    this.#failures = fails ? this.#failures + 1 : 0;
    if (fails) this.#pausedUntil = clock.now() + backOff(this.#failures, 1, SERVER_PAUSE);
    if (sent.outcome !== "sent") log(`An email was not sent (${sent.outcome}): ${sent.reason}`);
    this.#count(await this.#record(claimed, sent));
    return !fails;
  }

  #record(claimed: MailRecord, { outcome }: Sent): Promise<Fate> {
    const { clock } = this.#parts;
    const done: KvWrite = { key: mailKey(claimed), delete: true };
    return this.#change<Fate>(claimed, (mail, mailbox) => {
      if (mail?.token !== claimed.token) return { result: "lost" };
      if (outcome === "later" || outcome === "down") {
        const pause = backOff(mail.attempts, 1, MAIL_PAUSE);
        const due_at = Math.min(clock.now() + pause, mail.created_at + LIFE_MS);
        const writes = [done, mailWrite({ ...mail, sending_until: null, due_at })];
        return { result: outcome, writes };
      }
      const writes = outcome === "unknown" ? [] : bounceWrites(mail, mailbox, outcome);
      return { result: outcome, writes: [done, ...writes] };
    });
  }

  #change<R>(
    { due_at, id, mailbox: hash }: MailRecord,
    decide: (
      mail: MailRecord | null,
      mailbox: Mailbox | null,
    ) => { result: R; writes?: readonly KvWrite[] },
  ): Promise<R> {
    const { kv, sleep } = this.#parts;
    // A result is recorded also after a stop, but then without pauses.
    const pause = (ms: number) => abortable(sleep(ms), this.#stop.signal).catch(() => {});
    return transact(
      { kv, pause },
      [mailKey({ due_at, id }), mailboxKey(hash)],
      ({ value: mail }: KvEntry<MailRecord>, { value: mailbox }: KvEntry<Mailbox>) =>
        decide(mail, mailbox),
    );
  }

  #count(fate: Fate): void {
    this.#fates.set(fate, (this.#fates.get(fate) ?? 0) + 1);
  }
}

/** Why an unclaimed email is not to be sent; null when it is. */
function endOf(
  mail: MailRecord,
  { mailbox, now }: { mailbox: Mailbox | null; now: number },
): Fate | null {
  if (mail.sending_until !== null) return "unknown";
  const subscription = subscriptionOf(mail, mailbox);
  if (subscription === undefined) return "dropped";
  if (mail.kind === "confirm" && subscription.confirm?.id !== mail.id) return "dropped";
  return mail.created_at + LIFE_MS <= now ? "given_up" : null;
}

function subscriptionOf(mail: MailRecord, mailbox: Mailbox | null): Subscription | undefined {
  return mailbox?.subscriptions.find(({ id }) => id === mail.subscription);
}

/** Counts emails refused in a row; the third ends the subscription. */
function bounceWrites(
  mail: MailRecord,
  mailbox: Mailbox | null,
  outcome: "sent" | "refused",
): KvWrite[] {
  const before = subscriptionOf(mail, mailbox);
  const bounces = outcome === "refused" ? (before?.bounces ?? 0) + 1 : 0;
  if (mailbox === null || before === undefined || before.bounces === bounces) return [];
  const after = bounces < MOST_BOUNCES ? { ...before, bounces } : null;
  return [replaceWrite(mail.mailbox, mailbox, { before, after, token: mail.token })];
}
