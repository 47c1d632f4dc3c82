/**
 * One worker on the daily run: takes it, does it a page of mailboxes at a time, hands it back.
 *
 * @module
 */

import type { Clock } from "../../pipeline/clock.ts";
import type { SnapshotReader } from "../../pipeline/snapshot/reader.ts";
import { findItems } from "../operations/items.ts";
import { newYorkToday } from "../rules/calendar.ts";
import type { Carrier } from "../rules/schemas.ts";
import { abortable } from "../state/abortable.ts";
import type { Kv, KvEntry, KvKey, KvWrite } from "../state/kv.ts";
import { MAILBOX_PREFIX, mailboxKey, mailboxWrite, mailWrite, RUN_KEY, runWrite } from "./keys.ts";
import { mailboxNews } from "./mailbox_news.ts";
import type { Mailbox, RunRecord } from "./records.ts";
import { dueRun, LEASE_MS } from "./run_due.ts";
import { transact } from "./transact.ts";

/** What a daily run works with. */
export interface RunParts {
  kv: Kv;
  reader: SnapshotReader;
  clock: Clock;
  /** Waits some milliseconds. */
  sleep: (ms: number) => Promise<void>;
  /** A text that no other commit has. */
  newToken: () => string;
  /** Address of the service, without a final slash. */
  baseUrl: string;
  log: (line: string) => void;
}

/** Mailboxes read at a time. */
const PAGE = 50;

/** Shards read at a time. */
const CONCURRENCY = 16;

/** How often a page of which no carrier can be read is tried, a minute apart, before it is left out. */
const PATIENCE = 5;

/** The run as one worker holds it. */
export class RunWorker {
  readonly #parts: RunParts;
  readonly #signal: AbortSignal;
  #held: RunRecord | null = null;

  constructor(parts: RunParts, signal: AbortSignal) {
    this.#parts = parts;
    this.#signal = signal;
  }

  /** Whether there is a run to do, which is this worker's then. */
  async take(): Promise<boolean> {
    const { reader, clock } = this.#parts;
    const snapshot = await reader.use(({ id, manifestSha256, manifest: { data_date } }) =>
      Promise.resolve({ snapshot_id: id, manifest_sha256: manifestSha256, data_date })
    );
    return await this.#change([], (stored) => {
      const now = clock.now();
      const run = dueRun(stored, { snapshot, today: newYorkToday(now), now });
      return run && { run: { ...run, attempts: run.attempts + 1 } };
    });
  }

  /** Does a page of mailboxes; false when there is none left, or the run is not this worker's any more. */
  async page(): Promise<boolean> {
    const { kv, clock, baseUrl, log } = this.#parts;
    const { cursor } = this.#held!;
    const after = cursor === null ? {} : { after: mailboxKey(cursor) };
    const entries = await kv.list<Mailbox>(MAILBOX_PREFIX, { limit: PAGE, ...after });
    const { carriers, looked, unread } = await this.#read(entries.map(({ value }) => value!));
    const context = { carriers, day: this.#held!.day, baseUrl };
    for (const { key, value } of entries) {
      const hash = key[1] as string;
      // Most have no news: they cost nothing more.
      if (mailboxNews(value!, { ...context, hash, token: "", now: clock.now() }) === null) continue;
      const ours = await this.#change([mailboxKey(hash)], (run, { mailbox, token }) => {
        const now = clock.now();
        const news = mailbox && mailboxNews(mailbox, { ...context, hash, token, now });
        if (news === null) return { run: run! };
        return {
          run: { ...run!, cursor: hash, mails: run!.mails + news.mails.length },
          writes: [mailboxWrite(hash, news.after), ...news.mails.map(mailWrite)],
        };
      });
      if (!ours) return false;
    }
    const last = entries.length < PAGE;
    const ours = await this.#change([], (run) => ({
      run: {
        ...run!,
        cursor: (entries.at(-1)?.key[1] ?? cursor) as string | null,
        // Patience is for each page anew.
        attempts: 0,
        looked_at: run!.looked_at + looked,
        unread: run!.unread + unread,
        ...(last ? { finished_at: clock.now() } : {}),
      },
    }));
    if (!ours || !last) return ours;
    const { day, snapshot_id, looked_at, mails, unread: missed } = this.#held!;
    log(
      `Alerts of ${day} on ${snapshot_id}: ${looked_at} subscriptions, ${mails} mails` +
        (missed === 0 ? "" : `, ${missed} carriers could not be read`),
    );
    return false;
  }

  /** Lets another take the run up at once. Tried once: a lease that is not handed back ends by itself. */
  async handBack(): Promise<void> {
    const { kv } = this.#parts;
    const entry = await kv.get<RunRecord>(RUN_KEY);
    if (entry.value?.token !== this.#held!.token) return;
    await kv.commit({ checks: [entry], writes: [runWrite({ ...entry.value, lease_until: 0 })] });
  }

  /** The carriers of the mailboxes' confirmed subscriptions, in the run's snapshot on its day. */
  async #read(
    mailboxes: readonly Mailbox[],
  ): Promise<{ carriers: Map<number, Carrier>; looked: number; unread: number }> {
    const { reader, sleep, baseUrl } = this.#parts;
    const { snapshot_id: id, manifest_sha256: manifestSha256, day, attempts } = this.#held!;
    const dots = mailboxes.flatMap(({ subscriptions }) => subscriptions)
      .filter(({ confirm }) => confirm === null).map(({ dot }) => dot);
    const items = reader.useOf({ id, manifestSha256 }, (snapshot) =>
      findItems([...new Set(dots)], {
        snapshot,
        today: day,
        baseUrl,
        relook: attempts < PATIENCE,
        sleep,
        concurrency: CONCURRENCY,
        signal: this.#signal,
      }));
    const carriers = new Map<number, Carrier>();
    let unread = 0;
    for (const item of await abortable(items, this.#signal)) {
      if (item.ok) carriers.set(Number(item.dot), item.carrier);
      else if (item.error.code === "upstream_unavailable") unread++;
    }
    return { carriers, looked: dots.length, unread };
  }

  /**
   * Commits a change of the run, with the lease renewed, and writes beside it.
   *
   * @param keys Of the mailbox that the change rests on, if any.
   * @param decide Null for no change.
   * @returns Whether it took place; false also when the run is somebody else's, or its day is over.
   */
  async #change(keys: readonly KvKey[], decide: Decide): Promise<boolean> {
    const { kv, clock, sleep, newToken } = this.#parts;
    const held = this.#held;
    const token = newToken();
    const pause = (ms: number): Promise<void> => abortable(sleep(ms), this.#signal);
    const run = await transact<RunRecord | null>(
      { kv, pause },
      [RUN_KEY, ...keys],
      ({ value: stored }: KvEntry<RunRecord>, mailbox: KvEntry<Mailbox> | undefined) => {
        const now = clock.now();
        // A run ends with its day: what it would write now counts for the new one.
        const over = held !== null &&
          (stored?.token !== held.token || newYorkToday(now) !== held.day);
        if (over) return { result: null };
        const change = decide(stored, { mailbox: mailbox?.value ?? null, token });
        if (change === null) return { result: null };
        const next = { ...change.run, token, lease_until: now + LEASE_MS };
        return { result: next, writes: [runWrite(next), ...change.writes ?? []] };
      },
    );
    this.#held = run ?? held;
    return run !== null;
  }
}

type Decide = (
  run: RunRecord | null,
  beside: { mailbox: Mailbox | null; token: string },
) => { run: RunRecord; writes?: readonly KvWrite[] } | null;
