/**
 * The daily run: reads all mailboxes once a day and snapshot, and decides who gets which email.
 *
 * @module
 */

import { messageOf } from "../../pipeline/text.ts";
import { findItems } from "../operations/batch.ts";
import { newYorkToday } from "../rules/calendar.ts";
import type { Carrier } from "../rules/schemas.ts";
import { abortable } from "../../pipeline/retry.ts";
import { type KvEntry, transact } from "../state/kv.ts";
import { type AlertReason, newsText } from "./mail_text.ts";
import {
  type AlertsParts,
  type Mailbox,
  MAILBOX_PREFIX,
  mailboxKey,
  mailboxWrite,
  type MailRecord,
  mailWrite,
  newMail,
  NOTICE_DAYS,
  pruned,
  RUN_KEY,
  type RunRecord,
  runWrite,
  seenOf,
  type Subscription,
  unsubscribeUrl,
} from "./records.ts";

/** Mailboxes read at a time. */
const PAGE = 50;

/** Shards read at a time. */
const CONCURRENCY = 16;

/** Attempts, a minute apart, at a run of which a page has no readable carrier; then it is skipped. */
const ATTEMPTS = 5;

/**
 * The daily runs of one process. The emails of a mailbox and what they say are one commit, checked on
 * the versions of the mailbox and of the run's record. So an email is decided on once, however many
 * processes run at a time, and a run that a newer snapshot or day has overtaken commits nothing. A run
 * that ends early is repeated from the start: mailboxes that are done have no news.
 */
export class DailyRun {
  readonly #parts: Omit<AlertsParts, "hash">;
  readonly #stop = new AbortController();
  #working: Promise<void> | null = null;
  #latest = { run: "", attempts: 0 };

  constructor(parts: Omit<AlertsParts, "hash">) {
    this.#parts = parts;
  }

  /** Does the run when one is due. Never throws: the next call tries again. */
  runIfDue(): Promise<void> {
    this.#working ??= this.#tryRun().finally(() => this.#working = null);
    return this.#working;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#working;
  }

  async #tryRun(): Promise<void> {
    const { signal } = this.#stop;
    if (signal.aborted) return;
    try {
      const run = await this.#due();
      if (run !== null) await this.#run(run);
    } catch (error) {
      if (!signal.aborted) this.#parts.log(`Cannot finish the alerts: ${messageOf(error)}`);
    }
  }

  /** The run to do: one for each day in New York, and for each newer data date of it. */
  async #due(): Promise<RunRecord | null> {
    const { reader, clock, newToken } = this.#parts;
    const snapshot = await reader.use(({ id, manifestSha256, manifest: { data_date } }) =>
      Promise.resolve({ snapshot_id: id, manifest_sha256: manifestSha256, data_date })
    );
    const run = { ...snapshot, day: newYorkToday(clock.now()), done: false, token: newToken() };
    return await transact<RunRecord | null>(
      this.#store(),
      [RUN_KEY],
      ({ value: stored }: KvEntry<RunRecord>) => {
        const newer = stored === null || run.day > stored.day ||
          (run.day === stored.day && run.data_date > stored.data_date);
        if (!newer) return { result: stored.done ? null : stored };
        return { result: run, writes: [runWrite(run)] };
      },
    );
  }

  async #run(run: RunRecord): Promise<void> {
    const { kv, newToken, log } = this.#parts;
    const { day, snapshot_id } = run;
    const name = `${day} ${snapshot_id}`;
    const attempts = this.#latest.run === name ? this.#latest.attempts + 1 : 1;
    this.#latest = { run: name, attempts };
    const counts = { subscriptions: 0, mails: 0, unread: 0 };
    let page: KvEntry<Mailbox>[] = [];
    do {
      const after = page.at(-1)?.key;
      page = await kv.list(MAILBOX_PREFIX, { limit: PAGE, ...(after && { after }) });
      const dots = page.flatMap(({ value }) => value!.subscriptions)
        .filter(({ confirm }) => confirm === null).map(({ dot }) => dot);
      const { carriers, unread } = await this.#read(dots, run, attempts < ATTEMPTS);
      counts.subscriptions += dots.length;
      counts.unread += unread;
      for (const { key, value } of page) {
        const mails = await this.#decide(key[1] as string, value!, { run, carriers });
        if (mails === null) return;
        counts.mails += mails;
      }
    } while (page.length === PAGE);
    const done = { ...run, done: true, token: newToken() };
    const ended = await transact(
      this.#store(),
      [RUN_KEY],
      ({ value }: KvEntry<RunRecord>) =>
        this.#isCurrent(run, value)
          ? { result: true, writes: [runWrite(done)] }
          : { result: false },
    );
    if (!ended) return;
    const { subscriptions, mails, unread } = counts;
    log(
      `Alerts of ${day} on ${snapshot_id}: ${subscriptions} subscriptions, ${mails} emails` +
        (unread === 0 ? "" : `, ${unread} carriers could not be read`),
    );
  }

  /** Decides on the emails of a mailbox; returns how many, null when another run has overtaken this one. */
  async #decide(
    hash: string,
    listed: Mailbox,
    { run, carriers }: { run: RunRecord; carriers: ReadonlyMap<number, Carrier> },
  ): Promise<number | null> {
    const { clock, baseUrl, newToken } = this.#parts;
    const context = { hash, carriers, day: run.day, baseUrl };
    // Most have no news, and cost nothing more.
    if (newsOfMailbox(listed, { ...context, token: "", now: clock.now() }) === null) return 0;
    const token = newToken();
    return await transact<number | null>(
      this.#store(),
      [mailboxKey(hash), RUN_KEY],
      ({ value: mailbox }: KvEntry<Mailbox>, { value: stored }: KvEntry<RunRecord>) => {
        if (!this.#isCurrent(run, stored)) return { result: null };
        const news = mailbox && newsOfMailbox(mailbox, { ...context, token, now: clock.now() });
        if (news === null) return { result: 0 };
        const writes = [mailboxWrite(hash, news.after), ...news.mails.map(mailWrite)];
        return { result: news.mails.length, writes };
      },
    );
  }

  /** The carriers that can be read, in the run's snapshot on its day. */
  async #read(
    dots: readonly number[],
    { snapshot_id: id, manifest_sha256: manifestSha256, day }: RunRecord,
    relook: boolean,
  ): Promise<{ carriers: Map<number, Carrier>; unread: number }> {
    const { reader, sleep, baseUrl } = this.#parts;
    const { signal } = this.#stop;
    const items = reader.useOf({ id, manifestSha256 }, (snapshot) =>
      findItems([...new Set(dots)], {
        snapshot,
        today: day,
        baseUrl,
        relook,
        sleep,
        concurrency: CONCURRENCY,
        signal,
      }));
    const carriers = new Map<number, Carrier>();
    let unread = 0;
    for (const item of await abortable(items, signal)) {
      if (item.ok) carriers.set(Number(item.dot), item.carrier);
      else if (item.error.code === "upstream_unavailable") unread++;
    }
    return { carriers, unread };
  }

  /** Whether a run is the stored one, not done by another process, and its day not over. */
  #isCurrent({ day, snapshot_id }: RunRecord, stored: RunRecord | null): boolean {
    return stored !== null && !stored.done && stored.snapshot_id === snapshot_id &&
      stored.day === day && newYorkToday(this.#parts.clock.now()) === day;
  }

  #store() {
    const { kv, sleep } = this.#parts;
    return { kv, pause: (ms: number) => abortable(sleep(ms), this.#stop.signal) };
  }
}

/** The emails for a mailbox and the mailbox after them; null when there is nothing to change. */
function newsOfMailbox(
  before: Mailbox,
  { hash, carriers, day, baseUrl, token, now }: {
    hash: string;
    /** By USDOT number, as far as they could be read. */
    carriers: ReadonlyMap<number, Carrier>;
    day: string;
    baseUrl: string;
    token: string;
    now: number;
  },
): { mails: MailRecord[]; after: Mailbox } | null {
  const live = pruned(before, now);
  const mails: MailRecord[] = [];
  const subscriptions = live.subscriptions.map((subscription) => {
    const carrier = carriers.get(subscription.dot);
    if (subscription.confirm !== null || carrier === undefined) return subscription;
    const news = newsOf(subscription, { carrier, day });
    if (news === null) return subscription;
    const { reasons, after } = news;
    const message = newsText(carrier, { reasons, unsubscribeUrl: unsubscribeUrl(baseUrl, after) });
    const id = `${after.id}-${day}`;
    mails.push(newMail(after, { id, kind: "news", message, mailbox: hash, baseUrl, token, now }));
    return after;
  });
  const expired = subscriptions.length < before.subscriptions.length;
  const empty = subscriptions.length === 0 && live.mails.length === 0;
  if (mails.length === 0 && !expired && !empty) return null;
  return { mails, after: { token, subscriptions, mails: live.mails } };
}

const WATCHED = ["status", "safety_rating", "mc_active"] as const;

/**
 * The reasons for an email on a day in New York, and the subscription after it; null for no email, also
 * when it had one on that day: then the next day says it. A deadline is announced once at each of
 * {@link NOTICE_DAYS}, or on the first run after that day. Data older than what was seen is not a change.
 *
 * @param carrier The carrier as of `day`: `days_until_due` is counted from it.
 */
export function newsOf(
  subscription: Subscription,
  { carrier, day }: { carrier: Carrier; day: string },
): { reasons: AlertReason[]; after: Subscription } | null {
  const { seen, notice, mailed_on } = subscription;
  if (mailed_on !== null && mailed_on >= day) return null;
  const now = seenOf(carrier);
  const older = now.data_date < seen.data_date;
  const reasons: AlertReason[] = older ? [] : WATCHED.filter((kind) => seen[kind] !== now[kind])
    .map((kind) => ({ kind, from: seen[kind], to: now[kind] }));
  const { next_due: due, days_until_due: days } = carrier.mcs150;
  const stage = days < 0 ? undefined : NOTICE_DAYS.find((most) => days <= most);
  const announced = notice?.due === due && stage !== undefined && notice.stage <= stage;
  const falls = stage !== undefined && !announced;
  if (falls) reasons.unshift({ kind: "deadline", due, days });
  if (reasons.length === 0) return null;
  const after = {
    ...subscription,
    seen: older ? seen : now,
    notice: falls ? { due, stage } : notice,
    mailed_on: day,
  };
  return { reasons, after };
}
