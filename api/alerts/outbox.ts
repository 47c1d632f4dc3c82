/**
 * Sends the mails that are due. One outbox a process; those of all processes share the work, as a mail
 * is sent by whoever claims it.
 *
 * @module
 */

import type { Clock } from "../../pipeline/clock.ts";
import { messageOf } from "../../pipeline/message_of.ts";
import { abortable } from "../state/abortable.ts";
import type { Kv, KvEntry, KvWrite } from "../state/kv.ts";
import { MAIL_PREFIX, mailboxKey, mailKey, mailWrite } from "./keys.ts";
import type { Mailer, Sent } from "./mailer.ts";
import { bounceWrites, CLAIM_MS, postponed, standingOf } from "./mails.ts";
import type { Mailbox, MailRecord } from "./records.ts";
import { transact, type TransactParts } from "./transact.ts";

/** What an {@link Outbox} is wired from. */
export interface OutboxParts {
  kv: Kv;
  clock: Clock;
  mailer: Mailer;
  /** Waits some milliseconds. */
  sleep: (ms: number) => Promise<void>;
  /** A text that no other commit has. */
  newToken: () => string;
  log: (line: string) => void;
}

/** What became of mails; `lost` is what nobody can say any more, since the claim had ended. */
type Fate = Sent["outcome"] | "given_up" | "dropped" | "lost";

/** Mails of this process by what became of them. */
export type MailCounts = Partial<Record<Fate, number>>;

/** Mails read at a time, and how often in one round: the rest waits for the next. */
const PAGE = 50;
const PAGES = 20;

/** Minutes without a try after the server failed; they double up to an hour. */
const REST_MS = 60_000;
const LONGEST_REST_MS = 60 * REST_MS;

/** Sends what is due, when told to look. */
export class Outbox {
  /** Since the process started. */
  readonly counts: MailCounts = {};
  readonly #parts: OutboxParts;
  readonly #stop = new AbortController();
  readonly #transact: Required<TransactParts>;
  #working: Promise<void> | null = null;
  #again = false;
  #failures = 0;
  #restUntil = 0;

  /** Does nothing until it is told to deliver. */
  constructor(parts: OutboxParts) {
    this.#parts = parts;
    const { signal } = this.#stop;
    this.#transact = { kv: parts.kv, pause: (ms) => abortable(parts.sleep(ms), signal) };
  }

  /** Sends what is due, also what becomes due meanwhile. Never throws: the next call goes on. */
  deliver(): Promise<void> {
    this.#again = true;
    this.#working ??= this.#work().finally(() => this.#working = null);
    return this.#working;
  }

  /** Breaks off; what was under way waits for another process, or is counted as unknown. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#parts.mailer.close();
    await this.#working;
  }

  async #work(): Promise<void> {
    const { clock, log, mailer } = this.#parts;
    const before = { ...this.counts };
    do {
      this.#again = false;
      try {
        const rest = this.#restUntil - clock.now();
        // A longer one is of a clock that was put back.
        if (rest <= 0 || rest > LONGEST_REST_MS) await this.#sendDue();
      } catch (error) {
        if (!this.#stop.signal.aborted) log(`Cannot send mails for now: ${messageOf(error)}`);
      }
      await mailer.close();
    } while (this.#again && !this.#stop.signal.aborted);
    const changes = Object.entries(this.counts)
      .map(([fate, count]) => ({ fate, count: count - (before[fate as Fate] ?? 0) }))
      .filter(({ count }) => count > 0);
    if (changes.length > 0) {
      log(`Mails: ${changes.map(({ fate, count }) => `${count} ${fate}`).join(", ")}`);
    }
  }

  async #sendDue(): Promise<void> {
    const { kv, clock } = this.#parts;
    for (let page = 0; page < PAGES; page++) {
      const mails = await kv.list<MailRecord>(MAIL_PREFIX, { limit: PAGE });
      for (const { value } of mails) {
        if (this.#stop.signal.aborted || value!.due_at > clock.now()) return;
        const up = await this.#handle(value!);
        if (!up) return;
      }
      if (mails.length < PAGE) return;
    }
  }

  /** Brings one mail forward; false when the server is not to be asked for more. */
  async #handle(found: MailRecord): Promise<boolean> {
    const claimed = await this.#claim(found);
    if (claimed === null) return true;
    const { id, to, subject, text, unsubscribe, created_at: at } = claimed;
    // The machine may have slept since the claim, and others may have given the mail up.
    const late = claimed.sending_until! <= this.#parts.clock.now();
    const sent: Sent = late || this.#stop.signal.aborted
      ? { outcome: "down", reason: "no time left" }
      : await this.#parts.mailer.send({ id, to, subject, text, unsubscribe, at });
    this.#note(sent);
    this.#count(await this.#settle(claimed, sent));
    return sent.outcome !== "down" && sent.outcome !== "unknown";
  }

  /** The mail as it is to be sent now, by nobody else; null when it is not. */
  async #claim(found: MailRecord): Promise<MailRecord | null> {
    const { clock, newToken } = this.#parts;
    const key = mailKey(found);
    const token = newToken();
    const { fate, mail } = await transact<{ fate?: Fate; mail?: MailRecord }>(
      this.#transact,
      [key, mailboxKey(found.mailbox)],
      ({ value: mail }: KvEntry<MailRecord>, { value: mailbox }: KvEntry<Mailbox>) => {
        if (mail === null) return { result: {} };
        const now = clock.now();
        const standing = standingOf(mail, { mailbox, now });
        if (standing === "busy") return { result: {} };
        if (standing !== "ready") {
          return { result: { fate: standing }, writes: [{ key, delete: true }] };
        }
        const attempts = mail.attempts + 1;
        const claimed = { ...mail, attempts, sending_until: now + CLAIM_MS, token };
        return { result: { mail: claimed }, writes: [mailWrite(claimed)] };
      },
    );
    if (fate !== undefined) this.#count(fate);
    return mail ?? null;
  }

  #settle(claimed: MailRecord, { outcome }: Sent): Promise<Fate> {
    const { clock } = this.#parts;
    const key = mailKey(claimed);
    const done: KvWrite = { key, delete: true };
    const { kv, pause } = this.#transact;
    return transact<Fate>(
      // What became of a mail is written down also when all is to stop, but then without pauses.
      { kv, pause: (ms) => pause(ms).catch(() => {}) },
      [key, mailboxKey(claimed.mailbox)],
      ({ value: mail }: KvEntry<MailRecord>, { value: mailbox }: KvEntry<Mailbox>) => {
        if (mail?.token !== claimed.token) return { result: "lost" };
        if (outcome === "later" || outcome === "down") {
          return { result: outcome, writes: [done, mailWrite(postponed(mail, clock.now()))] };
        }
        const writes = bounceWrites(mail, { mailbox, refused: outcome === "refused" });
        return { result: outcome, writes: outcome === "unknown" ? [done] : [done, ...writes] };
      },
    );
  }

  #note(sent: Sent): void {
    const { clock, log } = this.#parts;
    if (sent.outcome === "sent" || sent.outcome === "later" || sent.outcome === "refused") {
      this.#failures = 0;
    } else {
      const rest = Math.min(REST_MS * 2 ** this.#failures++, LONGEST_REST_MS);
      this.#restUntil = clock.now() + rest;
    }
    if (sent.outcome !== "sent") log(`A mail was not sent (${sent.outcome}): ${sent.reason}`);
  }

  #count(fate: Fate): void {
    this.counts[fate] = (this.counts[fate] ?? 0) + 1;
  }
}
