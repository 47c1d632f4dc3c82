/**
 * Alerts in several processes over one store, with a mail server and snapshots that a test controls.
 *
 * @module
 */

import assert from "node:assert/strict";
import { Alerts } from "../../../api/alerts/alerts.ts";
import type { Mail, Mailbox, MailRecord, RunRecord } from "../../../api/alerts/records.ts";
import type { Mailer, Sent } from "../../../api/alerts/smtp_mailer.ts";
import { KeyedHash } from "../../../api/state/keyed_hash.ts";
import type { CarrierRecord } from "../../../pipeline/snapshot/record.ts";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import {
  MemorySource,
  type Objects,
  putSnapshot,
  record,
  TestClock,
} from "../../pipeline/snapshot/memory.ts";
import { FakeKv } from "../state/fake_kv.ts";
import { BASE_URL } from "../http/service.ts";
import { ProcessKv } from "../state/process_kv.ts";

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** An email as delivered. */
interface Delivered extends Mail {
  day: string;
}

/** Mails by outcome, chosen by a test; what was `sent`, and half of the `unknown`, arrives. */
class FakeServer {
  readonly delivered: Delivered[] = [];
  outcome: (mail: Mail, attempt: number) => Sent["outcome"] = () => "sent";
  /** Runs before and after an email is handed over. */
  turn: (label: string) => Promise<void> = () => Promise.resolve();
  attempts = 0;
  /** What became of each try. */
  readonly fates: { id: string; outcome: Sent["outcome"] }[] = [];

  constructor(readonly clock: TestClock) {}

  async take(mail: Mail): Promise<Sent> {
    const attempt = ++this.attempts;
    await this.turn(`mail ${attempt} reaches the server`);
    const outcome = this.outcome(mail, attempt);
    this.fates.push({ id: mail.id, outcome });
    if (outcome === "sent" || (outcome === "unknown" && attempt % 2 === 0)) {
      const day = new Date(this.clock.now()).toISOString().slice(0, 10);
      this.delivered.push({ ...mail, day });
    }
    await this.turn(`mail ${attempt} is answered`);
    return outcome === "sent" ? { outcome } : { outcome, reason: "chosen" };
  }
}

/** One instance of the service. */
export interface Process {
  kv: ProcessKv;
  alerts: Alerts;
}

/** A store, a mail server, snapshots, a clock, and the processes that share them. */
export class World {
  readonly kv = new FakeKv();
  readonly clock: TestClock;
  readonly server: FakeServer;
  readonly objects: Objects = new Map();
  readonly source = new MemorySource(this.objects);
  readonly logged: string[] = [];
  /** All emails that were ever decided on, by id. */
  readonly decided = new Map<string, MailRecord>();
  /** What must not be, as it came about. */
  readonly broken: string[] = [];
  #carriers = new Map<number, CarrierRecord>();
  #tokens = 0;
  #snapshots = 0;

  /** It is noon in New York on the day given. */
  constructor(day = "2026-10-05") {
    this.clock = new TestClock(Date.parse(`${day}T16:00:00Z`));
    this.server = new FakeServer(this.clock);
    this.#watch();
  }

  /** Points at a new snapshot, in which these carriers are as given and the others as before. */
  publish(carriers: Partial<CarrierRecord>[] = [], dataDate?: string): void {
    for (const { dot, ...more } of carriers) {
      this.#carriers.set(dot!, { ...this.#carriers.get(dot!) ?? record(dot!), ...more });
    }
    const data_date = dataDate ?? new Date(this.clock.now()).toISOString().slice(0, 10);
    putSnapshot(this.objects, {
      id: `g${++this.#snapshots}`,
      carriers: [...this.#carriers.values()],
      dataDate: data_date,
    });
  }

  /** Every email is decided on once. */
  #watch(): void {
    const { entries } = this.kv;
    const set = entries.set.bind(entries);
    entries.set = (name, entry) => {
      const { attempts, id } = entry.value as MailRecord;
      if (entry.key[0] === "alert_mail" && attempts === 0) {
        if (this.decided.has(id)) this.broken.push(`${id} decided on twice`);
        this.decided.set(id, entry.value as MailRecord);
      }
      return set(name, entry);
    };
  }

  /** A process, null for one without a mail server; a dead one gets no more answers. */
  process(server: FakeServer | null = this.server): Process {
    const kv = new ProcessKv(this.kv);
    const mailer: Mailer = {
      send: async (mail) => {
        await kv.gate();
        const sent = await server!.take(mail);
        await kv.gate();
        return sent;
      },
      close: () => Promise.resolve(),
    };
    const alerts = new Alerts({
      kv,
      hash: new KeyedHash(kv),
      reader: new SnapshotReader(this.source, {
        clock: this.clock,
        pointerAge: 0,
        // Never late: the older snapshot would answer on a machine that is busy.
        after: () => () => {},
      }),
      clock: this.clock,
      mailer: server && mailer,
      sleep: () => Promise.resolve(),
      newToken: () => `token-${++this.#tokens}`,
      baseUrl: BASE_URL,
      log: (line) => void this.logged.push(line),
    });
    return { kv, alerts };
  }

  /** Signs up and confirms, and forgets the email. */
  async subscribe({ alerts }: Process, { address, dot }: { address: string; dot: number }) {
    const client = `client of ${address} ${dot}`;
    assert.equal((await alerts.signUp({ address, dot, client })).outcome, "accepted");
    await alerts.sweep();
    const mail = this.server.delivered.pop()!;
    assert.equal(mail.to, address);
    assert.equal((await alerts.confirm(tokenIn(mail))).outcome, "found");
  }

  /** The emails that arrived since the last call. */
  mails(): Delivered[] {
    return this.server.delivered.splice(0);
  }

  values<T>(kind: string): T[] {
    const found = [...this.kv.entries.values()].filter(({ key }) => key[0] === kind);
    return found.map(({ value }) => value as T);
  }

  get mailboxes(): Mailbox[] {
    return this.values("alert_mailbox");
  }

  get waiting(): MailRecord[] {
    return this.values("alert_mail");
  }

  get run(): RunRecord {
    return this.values<RunRecord>("alert_run")[0]!;
  }
}

/** The token of the link in an email. */
export function tokenIn({ text }: Pick<Mail, "text">): string {
  return /\/alerts\/(?:confirm|unsubscribe)\/([\w-]+)/.exec(text)![1]!;
}
