/**
 * Sends the emails of mailboxes that are due, each at most once.
 *
 * @module
 */

import { abortable, backOff } from "../../pipeline/retry.ts";
import { SnapshotUnavailable } from "../../pipeline/snapshot/reader.ts";
import { messageOf } from "../../pipeline/text.ts";
import { newYorkToday } from "../rules/new_york.ts";
import { type KvEntry, type KvWrite, type Step, transact } from "../state/kv.ts";
import { mailCarrierOf, newsText, signUpText } from "./mail_text.ts";
import { findCarriers, newsOf, type WatchedCarriers } from "./news.ts";
import {
  ALERT_LIMITS,
  type AlertsParts,
  type DueRecord,
  dueWrite,
  hashIn,
  isConfirmed,
  isToCome,
  keyOf,
  type Mailbox,
  mailboxWrite,
  pagesOf,
  pruned,
  type Sending,
  type Subscription,
} from "./records.ts";
import { type Mail, type Mailer, SEND_MS, type Sent } from "./smtp_mailer.ts";

/** How long a claim lasts, in milliseconds; longer than sending takes. */
const CLAIM_MS = 2 * SEND_MS + 60_000;

/** A subscription ends after this many permanently refused emails in a row. */
const MOST_BOUNCES = 3;

/** How long to pause a mailbox whose email was not sent, and all emails while the server fails. */
const MAILBOX_PAUSE = { first: 5 * 60_000, longest: 6 * 3_600_000 };
const SERVER_PAUSE = { first: 60_000, longest: 3_600_000 };

const NOTHING_READ: WatchedCarriers = { carriers: new Map(), dates: [] };

interface Claim {
  hash: string;
  sending: Sending;
  mail: NextMail["mail"];
}

/**
 * Sends emails for one process; the senders of all processes share the work. The content of an email is
 * decided when it is sent.
 *
 * An email is recorded as sent by a commit before its first byte. That commit is undone only if the email was
 * certainly not handed over, so no email is sent twice. An email counts as `unknown` if the server does not
 * respond to the message body, or if the process ends before it records a result.
 */
export class AlertSender {
  readonly #parts: AlertsParts & { mailer: Mailer };
  readonly #signal: AbortSignal;
  /** Results of the emails in this delivery; `lost` if sending one took longer than its claim lasted. */
  readonly #fates: (Sent["outcome"] | "lost")[] = [];
  #working = Promise.resolve();
  #failures = 0;
  #pausedUntil = 0;

  /**
   * @param signal Stops sending. An email in progress is left to another process, or counts as `unknown` if
   *   it was already handed over.
   */
  constructor(parts: AlertsParts & { mailer: Mailer }, signal: AbortSignal) {
    this.#parts = parts;
    this.#signal = signal;
  }

  /** Sends the emails that are due, after the delivery in progress. Never throws; the next call retries. */
  deliver(): Promise<void> {
    return this.#working = this.#working.then(() => this.#work());
  }

  async #work(): Promise<void> {
    const { clock, log, mailer } = this.#parts;
    if (this.#signal.aborted || isToCome(this.#pausedUntil, clock.now())) return;
    try {
      await this.#sendDue();
    } catch (error) {
      if (!this.#signal.aborted) log(`Cannot send emails for now: ${messageOf(error)}`);
    }
    await mailer.close();
    const fates = Map.groupBy(this.#fates.splice(0), (fate) => fate).entries()
      .map(([fate, all]) => `${all.length} ${fate}`).toArray();
    if (fates.length > 0) log(`Emails: ${fates.join(", ")}`);
  }

  async #sendDue(): Promise<void> {
    const { kv, clock } = this.#parts;
    for await (const page of pagesOf<DueRecord>(kv, "due")) {
      for (const due of page) {
        let outcome: Sent["outcome"] = "sent";
        while (!isToCome(due.value.due_at, clock.now()) && outcome !== "later") {
          const claim = await this.#claim(due);
          if (claim === null) break;
          outcome = await this.#send(claim);
          if (outcome === "down" || outcome === "unknown") return;
        }
      }
    }
  }

  /** The next email of a mailbox; null when there is none, or another process is sending one. */
  async #claim(due: Deno.KvEntry<DueRecord>): Promise<Claim | null> {
    const { clock, baseUrl, newToken } = this.#parts;
    const hash = hashIn(due);
    const day = newYorkToday(clock.now());
    const read = await this.#carriersOf(hash, day);
    const token = newToken();
    const { claim, hasDied } = await this.#change<{ claim: Claim | null; hasDied: boolean }>(
      hash,
      (mailbox, stored) => {
        const now = clock.now();
        const isSending = mailbox.sending !== null && isToCome(mailbox.sending.until, now);
        if (isSending || newYorkToday(now) !== day) {
          return { result: { claim: null, hasDied: false } };
        }
        const hasDied = mailbox.sending !== null;
        const next = nextMail(mailbox, { ...read ?? NOTHING_READ, day, baseUrl });
        if (next === null) {
          const writes: KvWrite[] = [mailboxWrite(hash, { ...mailbox, sending: null, token })];
          // The mark stays if carriers could not be read, or if more has become due since.
          const isDone = read !== null && stored.versionstamp === due.versionstamp;
          if (isDone) writes.push({ key: due.key, delete: true });
          return { result: { claim: null, hasDied }, writes };
        }
        const { mail, links, dot, before, change } = next;
        const until = now + CLAIM_MS;
        const sending = { token, until, links, dot, before };
        const mailed = dot === null
          ? mailbox.mailed
          : [...mailbox.mailed, { dot, day: newYorkToday(until) }];
        const subscriptions = mailbox.subscriptions.map((one) =>
          links.includes(one.link) ? { ...one, ...change } : one
        );
        return {
          result: { claim: { hash, sending, mail }, hasDied },
          writes: [mailboxWrite(hash, { ...mailbox, subscriptions, mailed, sending, token })],
        };
      },
    );
    if (hasDied) this.#fates.push("unknown");
    return claim;
  }

  /** The carriers of a mailbox that can be read; null when there is no snapshot. */
  async #carriersOf(hash: string, today: string): Promise<WatchedCarriers | null> {
    const { kv, reader } = this.#parts;
    const [{ value }] = await kv.get<Mailbox>([keyOf("mailbox", hash)]);
    const dots = value?.subscriptions.filter(isConfirmed).map(({ dot }) => dot) ?? [];
    // Sign-ups are answered without a snapshot.
    if (dots.length === 0) return NOTHING_READ;
    const context = { ...this.#parts, today, relook: true, signal: this.#signal };
    try {
      return await reader.use((snapshot) => findCarriers(dots, { ...context, snapshot }));
    } catch (error) {
      if (error instanceof SnapshotUnavailable) return null;
      throw error;
    }
  }

  async #send({ hash, sending, mail }: Claim): Promise<Sent["outcome"]> {
    const { clock, mailer, log, newToken } = this.#parts;
    // The machine may have slept since the claim, and others may have counted the email as unknown.
    const hasTime = () => clock.now() < sending.until;
    const sent: Sent = !hasTime() || this.#signal.aborted
      ? { outcome: "down", reason: "no time left" }
      : await mailer.send({ ...mail, id: sending.token }, { hasTime, signal: this.#signal });
    const { outcome } = sent;
    const fails = outcome === "down" || outcome === "unknown";
    this.#failures = fails ? this.#failures + 1 : 0;
    if (fails) this.#pausedUntil = clock.now() + backOff(this.#failures, 1, SERVER_PAUSE);
    if (sent.outcome !== "sent") log(`An email was not sent (${outcome}): ${sent.reason}`);
    const token = newToken();
    const fate = await this.#change<Sent["outcome"] | "lost">(hash, (mailbox, { value: due }) => {
      if (mailbox.sending?.token !== sending.token) return { result: "lost" };
      const subscriptions = settled(mailbox.subscriptions, sending, outcome);
      const isUnsent = outcome === "later" || outcome === "down";
      const mailed = mailbox.mailed.filter(({ dot }) => !isUnsent || dot !== sending.dot);
      const settledBox = { ...mailbox, subscriptions, mailed, sending: null, token };
      const writes = [mailboxWrite(hash, settledBox)];
      if (isUnsent) {
        const failures = (due?.failures ?? 0) + 1;
        const due_at = clock.now() + backOff(failures, 1, MAILBOX_PAUSE);
        writes.push(dueWrite(hash, { token, due_at, failures }));
      }
      return { result: outcome, writes };
    });
    this.#fates.push(fate);
    return outcome;
  }

  #change<R>(
    hash: string,
    decide: (mailbox: Mailbox, due: KvEntry<DueRecord>) => Step<R>,
  ): Promise<R> {
    const { kv, clock } = this.#parts;
    // Results are recorded even after a stop, but without pauses between attempts.
    const sleep = (ms: number) => abortable(this.#parts.sleep(ms), this.#signal).catch(() => {});
    return transact(
      { kv, sleep },
      [keyOf("mailbox", hash), keyOf("due", hash)],
      ({ value }, due) => decide(pruned(value, clock.now()), due),
    );
  }
}

/** An email about some subscriptions of a mailbox, and the changes that it makes to them. */
interface NextMail extends Pick<Sending, "links" | "dot" | "before"> {
  mail: Omit<Mail, "id">;
  change: Partial<Subscription>;
}

/** The next email of a mailbox: first those that answer sign-ups, then alerts. */
function nextMail(
  { subscriptions, mailed }: Mailbox,
  { baseUrl, ...context }: WatchedCarriers & { day: string; baseUrl: string },
): NextMail | null {
  const asked = subscriptions.find(({ answer }) => answer !== null);
  if (asked !== undefined) {
    const { address: to, answer } = asked;
    const about = subscriptions.filter((one) => one.answer === answer);
    const known = about.filter(isConfirmed);
    const waiting = about.filter((one) => !isConfirmed(one));
    const path = waiting.length > 0 ? `confirm/${answer}` : `unsubscribe/${asked.link}`;
    const count = subscriptions.filter(isConfirmed).length + waiting.length;
    const isFull = count >= ALERT_LIMITS.subscriptions;
    const text = signUpText({ waiting, known, isFull, url: `${baseUrl}/alerts/${path}` });
    return {
      mail: { to, ...text, unsubscribe: null },
      links: about.map(({ link }) => link),
      dot: null,
      before: { answer },
      change: { answer: null },
    };
  }
  for (const one of subscriptions) {
    const news = newsOf(one, { ...context, mailed });
    if (news === null) continue;
    const { link, address: to, dot, seen, notice, name = "" } = one;
    const unsubscribe = `${baseUrl}/alerts/unsubscribe/${link}`;
    const said = { carrier: mailCarrierOf(news.watched, name), reasons: news.reasons };
    return {
      mail: { to, ...newsText(said, unsubscribe), unsubscribe },
      links: [link],
      dot,
      before: { seen, notice },
      change: news.change,
    };
  }
  return null;
}

/**
 * The subscriptions once the result of an email is known: restored if it was not sent, otherwise with
 * consecutive refusals counted, and without those refused too often.
 */
function settled(
  subscriptions: readonly Subscription[],
  { links, before }: Sending,
  outcome: Sent["outcome"],
): Subscription[] {
  return subscriptions.map((one) => {
    if (!links.includes(one.link) || outcome === "unknown") return one;
    if (outcome === "later" || outcome === "down") {
      // If there was another sign-up since, that one is answered.
      return { ...one, ...before, answer: one.answer ?? before.answer ?? null };
    }
    return { ...one, bounces: outcome === "refused" ? one.bounces + 1 : 0 };
  }).filter(({ bounces }) => bounces < MOST_BOUNCES);
}
