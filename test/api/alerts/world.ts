/**
 * Alerts in several processes on one store, with a mail server and snapshots that a test controls.
 *
 * @module
 */

import assert from "node:assert/strict";
import { Alerts } from "../../../api/alerts/alerts.ts";
import type { DueRecord, Mailbox, RunRecord, Subscription } from "../../../api/alerts/records.ts";
import type { Follow, LinkAnswer } from "../../../api/alerts/sign_up.ts";
import { newYorkToday } from "../../../api/rules/new_york.ts";
import type { Mail, Mailer, Sent } from "../../../api/alerts/smtp_mailer.ts";
import { KeyedHash } from "../../../api/state/keyed_hash.ts";
import { EVALUATIONS, Slots } from "../../../api/state/slots.ts";
import { after } from "../../../pipeline/clock.ts";
import type { PastSnapshot } from "../../../pipeline/snapshot/chain.ts";
import type { CarrierRecord } from "../../../pipeline/snapshot/record/record.ts";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import {
  MemorySource,
  NEVER_LATE,
  type Objects,
  putSnapshot,
  record,
  TestClock,
} from "../../pipeline/snapshot/memory.ts";
import { type CensusDay, withChanges } from "../../pipeline/snapshot/memory_chain.ts";
import { BASE_URL } from "../http/service.ts";
import { FakeKv, KvProcess } from "../state/fake_kv.ts";

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const DOT = 295011;
export const OTHER = 295012;
export const JANE = "jane@b.co";
export const LOTS: readonly number[] = Array.from({ length: 60 }, (_, i) => 1000 + i);

/** A delivered email, and its day in New York. */
export interface Delivered extends Mail {
  day: string;
}

/** A mail server whose outcomes a test chooses. All `sent` and half of the `unknown` emails arrive. */
class FakeServer {
  readonly delivered: Delivered[] = [];
  outcome: (mail: Mail, attempt: number) => Sent["outcome"] = () => "sent";
  /** Runs before and after an email is handed over. */
  turn: (label: string) => Promise<void> = () => Promise.resolve();
  attempts = 0;
  /** Emails that were handed over, so they may have arrived. */
  readonly handedOver: Delivered[] = [];

  constructor(readonly today: () => string) {}

  async take(mail: Mail): Promise<Sent> {
    const attempt = ++this.attempts;
    await this.turn(`mail ${attempt} reaches the server`);
    const outcome = this.outcome(mail, attempt);
    const delivered = { ...mail, day: this.today() };
    if (outcome === "sent" || outcome === "unknown") this.handedOver.push(delivered);
    if (outcome === "sent" || (outcome === "unknown" && attempt % 2 === 0)) {
      this.delivered.push(delivered);
    }
    await this.turn(`mail ${attempt} is answered`);
    return outcome === "sent" ? { outcome } : { outcome, reason: "chosen" };
  }
}

/** One instance of the service. */
export interface Process extends KvProcess {
  alerts: Alerts;
}

/** A store, a mail server, snapshots, a clock, and the processes that share them. */
export class World {
  readonly kv = new FakeKv();
  readonly clock: TestClock;
  readonly server = new FakeServer(() => this.today());
  readonly objects: Objects = new Map();
  readonly source = new MemorySource(this.objects);
  readonly logged: string[] = [];
  #carriers = new Map<number, CarrierRecord>();
  #tokens = 0;
  readonly #days: CensusDay[] = [];
  #past: PastSnapshot[] = [];
  #chains = 0;

  /** Moves to noon in New York on the day. */
  constructor(day = "2026-10-05") {
    this.clock = new TestClock(Date.parse(`${day}T16:00:00Z`));
  }

  today(): string {
    return newYorkToday(this.clock.now());
  }

  /** Publishes a snapshot in which these carriers change and all others stay the same. */
  publish(carriers: Partial<CarrierRecord>[] = [], dataDate = this.today()): void {
    for (const { dot, ...more } of carriers) {
      this.#carriers.set(dot!, { ...this.#carriers.get(dot!) ?? record(dot!), ...more });
    }
    this.publishAll([...this.#carriers.values()], dataDate);
  }

  /** Publishes the chain's next snapshot with these carriers only. */
  publishAll(carriers: readonly CarrierRecord[], dataDate = this.today()): void {
    this.#days.push({ dataDate, carriers });
    this.#put(`g${this.#days.length}`, dataDate);
  }

  /** The data date of the current snapshot. */
  get dataDate(): string {
    return this.#days.at(-1)!.dataDate;
  }

  /** Starts a new chain with the current carriers. */
  publishFirst(carriers: Partial<CarrierRecord>[] = []): void {
    this.#days.splice(0);
    this.#past = [];
    this.#chains++;
    this.publish(carriers);
  }

  /** Points back at the previous snapshot, which the next snapshot then follows. */
  rollback(): void {
    this.#days.pop();
    this.#past.splice(-2);
    this.#carriers = new Map(this.#days.at(-1)!.carriers.map((one) => [one.dot, one]));
    this.#put(`r${++this.#chains}`, this.#days.at(-1)!.dataDate);
  }

  #put(id: string, dataDate: string): void {
    const past = [...this.#past];
    const snapshot = { id: `${id}-${this.#chains}`, dataDate, past };
    this.#past = putSnapshot(this.objects, { ...snapshot, ...withChanges(this.#days) });
  }

  /** A process, with another mailer or none. A dead process gets no more answers. */
  process(mailer?: Mailer | null): Process {
    const process = new KvProcess(this.kv);
    const { clock } = this;
    const { kv } = process;
    const own: Mailer = {
      send: (mail, { hasTime }) =>
        process.run<Sent>(async () =>
          hasTime() ? await this.server.take(mail) : { outcome: "down", reason: "late" }
        ),
      close: () => Promise.resolve(),
    };
    const alerts = new Alerts({
      kv,
      hash: new KeyedHash(kv),
      slots: new Slots(EVALUATIONS, after),
      // No timeouts: after one, the reader would answer from the older snapshot.
      reader: new SnapshotReader(this.source, { clock, pointerAge: 0, after: NEVER_LATE }),
      clock,
      mailer: mailer === undefined ? own : mailer,
      sleep: () => Promise.resolve(),
      newToken: () => `token-${++this.#tokens}`,
      baseUrl: BASE_URL,
      log: (line) => void this.logged.push(line),
    });
    return Object.assign(process, { alerts });
  }

  /** Signs up from a new client and returns the emails. */
  async mailsOf(
    { alerts }: Process,
    wish: { address?: string; dots?: number[]; client?: string } = {},
  ): Promise<Delivered[]> {
    const client = `client ${this.kv.calls.length}`;
    const answer = await alerts.signUp({ address: JANE, dots: [DOT], client, ...wish });
    assert.equal(answer.outcome, "accepted");
    await alerts.sweep();
    return this.mails();
  }

  /** Signs up and confirms, and discards the email. */
  async subscribe(process: Process, address: string, ...dots: number[]): Promise<void> {
    const mail = (await this.mailsOf(process, { address, dots })).at(-1)!;
    assert.equal(mail.to, address);
    assert.equal((await act(process.alerts, "confirm", mail)).outcome, "found");
  }

  /** The emails that arrived since the last call. */
  mails(): Delivered[] {
    return this.server.delivered.splice(0);
  }

  #values<T>(kind: string): T[] {
    const found = [...this.kv.entries.values()].filter(({ key }) => key[1] === kind);
    return found.map(({ value }) => value as T);
  }

  get mailboxes(): Mailbox[] {
    return this.#values("mailbox");
  }

  get subscriptions(): Subscription[] {
    return this.mailboxes.flatMap(({ subscriptions }) => subscriptions);
  }

  /** Emails that the log counts as unknown, or whose result came too late. */
  get unknown(): number {
    const counts = this.logged.join().matchAll(/(\d+) (?:unknown|lost)/g);
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  }

  /** One record for each mailbox that may have emails to send. */
  get due(): DueRecord[] {
    return this.#values("due");
  }

  /** The latest completed run. */
  get run(): RunRecord | undefined {
    return this.#values<RunRecord>("run")[0];
  }
}

/** The link in an email. */
export function linkIn({ text }: Pick<Mail, "text">): string {
  return /\/alerts\/(?:confirm|unsubscribe)\/([\w-]+)/.exec(text)![1]!;
}

/** Opens a link, or the one in an email, and presses its button. */
export function act(
  alerts: Alerts,
  purpose: Follow["purpose"],
  link: string | Mail,
  how: Follow["act"] = "one",
): Promise<LinkAnswer> {
  const token = typeof link === "string" ? link : linkIn(link);
  return alerts.follow(token, { purpose, act: how });
}

/** Alerts on carriers that are all alike. */
export function published(dots: readonly number[] = [DOT, OTHER, ...LOTS]) {
  const world = new World();
  world.publish(dots.map((dot) => ({ dot })));
  const process = world.process();
  return { world, process, alerts: process.alerts };
}

/** Subscribers with deadlines in May, one carrier each, after a run without news. */
export async function subscribed(count = 1) {
  const dots = Array.from({ length: count }, (_, i) => 1005 + 10 * i);
  const { world, process, alerts } = published(dots);
  for (const dot of dots) await world.subscribe(process, `x${dot}@b.co`, dot);
  world.clock.advance(DAY_MS);
  await alerts.sweep();
  assert.deepEqual(world.mails(), []);
  world.server.attempts = 0;
  return { world, process, alerts };
}

/** Starts a new day with a snapshot in which every watched carrier has this status. */
export function changeAll(world: World, status: "A" | "I" = "I"): void {
  world.clock.advance(DAY_MS);
  world.publish(world.subscriptions.map(({ dot }) => ({ dot, status })));
}
