/**
 * The daily run: goes through all mailboxes once a day and snapshot, and decides on the mails.
 *
 * @module
 */

import type { Clock } from "../../pipeline/clock.ts";
import { messageOf } from "../../pipeline/text.ts";
import type { SnapshotReader } from "../../pipeline/snapshot/reader.ts";
import { findItems } from "../operations/batch.ts";
import { newYorkToday } from "../rules/calendar.ts";
import type { Carrier } from "../rules/schemas.ts";
import { abortable } from "../state/abortable.ts";
import type { Kv, KvEntry } from "../state/kv.ts";
import { transact } from "../state/transact.ts";
import { newsText } from "./mail_text.ts";
import { newsOf } from "./news.ts";
import {
  type Mailbox,
  MAILBOX_PREFIX,
  mailboxKey,
  mailboxWrite,
  type MailRecord,
  mailWrite,
  newMail,
  pruned,
  RUN_KEY,
  type RunRecord,
  runWrite,
  unsubscribeUrl,
} from "./records.ts";

/** What a {@link DailyRun} is made from, and what all of the alerts need. */
export interface RunParts {
  kv: Kv;
  reader: SnapshotReader;
  clock: Clock;
  /** Waits some milliseconds. */
  sleep: (ms: number) => Promise<void>;
  /** A text that cannot be guessed and is new with each call. */
  newToken: () => string;
  /** Address of the service, without a final slash. */
  baseUrl: string;
  log: (line: string) => void;
}

/** Mailboxes read at a time. */
const PAGE = 50;

/** Shards read at a time. */
const CONCURRENCY = 16;

/** Attempts, a minute apart, at a run of which a page has no readable carrier; then it is skipped. */
const PATIENCE = 5;

/** What a run came to. */
interface Counts {
  subscriptions: number;
  mails: number;
  unread: number;
}

/**
 * The daily runs of one process. The mails of a mailbox and what they say are one commit, checked on
 * the versions of the mailbox and of the run's record. So a mail is decided on once, however many
 * processes run at a time, and a run that a newer snapshot or day has overtaken commits nothing. A run
 * that ends early is repeated from the start: mailboxes that are done have no news.
 */
export class DailyRun {
  readonly #parts: RunParts;
  readonly #stop = new AbortController();
  #working: Promise<void> | null = null;
  #latest = { run: "", attempts: 0 };

  constructor(parts: RunParts) {
    this.#parts = parts;
  }

  /** Does the run when one is due. Never throws: the next call tries again. */
  look(): Promise<void> {
    this.#working ??= this.#look().finally(() => this.#working = null);
    return this.#working;
  }

  /** Stops the run. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#working;
  }

  async #look(): Promise<void> {
    const { signal } = this.#stop;
    if (signal.aborted) return;
    try {
      const run = await this.#due();
      if (run !== null) await this.#go(run);
    } catch (error) {
      if (!signal.aborted) this.#parts.log(`Cannot finish the alerts: ${messageOf(error)}`);
    }
  }

  /** The run to do: one for each day in New York, and for each newer data date of it. */
  async #due(): Promise<RunRecord | null> {
    const { reader, clock } = this.#parts;
    const snapshot = await reader.use(({ id, manifestSha256, manifest: { data_date } }) =>
      Promise.resolve({ snapshot_id: id, manifest_sha256: manifestSha256, data_date })
    );
    const day = newYorkToday(clock.now());
    const token = this.#parts.newToken();
    return await transact<RunRecord | null>(
      this.#store(),
      [RUN_KEY],
      ({ value: stored }: KvEntry<RunRecord>) => {
        const newer = stored === null || day > stored.day ||
          (day === stored.day && snapshot.data_date > stored.data_date);
        if (!newer) return { result: stored.done ? null : stored };
        const run = { ...snapshot, day, done: false, token };
        return { result: run, writes: [runWrite(run)] };
      },
    );
  }

  async #go(run: RunRecord): Promise<void> {
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
      if (!await this.#page(page, run, { counts, relook: attempts < PATIENCE })) return;
    } while (page.length === PAGE);
    const token = newToken();
    const ended = await transact(
      this.#store(),
      [RUN_KEY],
      ({ value }: KvEntry<RunRecord>) =>
        this.#isCurrent(run, value)
          ? { result: true, writes: [runWrite({ ...run, done: true, token })] }
          : { result: false },
    );
    if (!ended) return;
    const { subscriptions, mails, unread } = counts;
    log(
      `Alerts of ${day} on ${snapshot_id}: ${subscriptions} subscriptions, ${mails} emails` +
        (unread === 0 ? "" : `, ${unread} carriers could not be read`),
    );
  }

  /** Decides on the mails of some mailboxes; false when another run has overtaken this one. */
  async #page(
    page: readonly KvEntry<Mailbox>[],
    run: RunRecord,
    { counts, relook }: { counts: Counts; relook: boolean },
  ): Promise<boolean> {
    const { clock, baseUrl, newToken } = this.#parts;
    const dots = page.flatMap(({ value }) => value!.subscriptions)
      .filter(({ confirm }) => confirm === null).map(({ dot }) => dot);
    const { carriers, unread } = await this.#read(dots, run, relook);
    counts.subscriptions += dots.length;
    counts.unread += unread;
    const look = { carriers, day: run.day, baseUrl };
    for (const { key, value } of page) {
      const hash = key[1] as string;
      // Most have no news, and cost nothing more.
      if (newsOfMailbox(value!, { ...look, hash, token: "", now: clock.now() }) === null) continue;
      const token = newToken();
      const mails = await transact<number | null>(
        this.#store(),
        [mailboxKey(hash), RUN_KEY],
        ({ value: mailbox }: KvEntry<Mailbox>, { value: stored }: KvEntry<RunRecord>) => {
          if (!this.#isCurrent(run, stored)) return { result: null };
          const context = { ...look, hash, token, now: clock.now() };
          const news = mailbox && newsOfMailbox(mailbox, context);
          if (news === null) return { result: 0 };
          const writes = [mailboxWrite(hash, news.after), ...news.mails.map(mailWrite)];
          return { result: news.mails.length, writes };
        },
      );
      if (mails === null) return false;
      counts.mails += mails;
    }
    return true;
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

/** The mails for a mailbox and the mailbox after them; null when there is nothing to change. */
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
    const text = newsText(carrier, { reasons, unsubscribeUrl: unsubscribeUrl(baseUrl, after) });
    const id = `${after.id}-${day}`;
    mails.push(newMail(after, { id, kind: "news", text, mailbox: hash, baseUrl, token, now }));
    return after;
  });
  const expired = subscriptions.length < before.subscriptions.length;
  const empty = subscriptions.length === 0 && live.mails.length === 0;
  if (mails.length === 0 && !expired && !empty) return null;
  return { mails, after: { token, subscriptions, mails: live.mails } };
}
