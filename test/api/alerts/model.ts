/**
 * A model of the alerts: what the subscribers of a service can rely on.
 *
 * @module
 */

import assert from "node:assert/strict";
import { mailboxOf } from "../../../api/alerts/address.ts";
import { ALERT_KINDS, type AlertKind, kindsOf } from "../../../api/alerts/kinds.ts";
import { ALERT_LIMITS } from "../../../api/alerts/records.ts";
import { nextNewYorkMidnight } from "../../../api/rules/new_york.ts";
import { sleep } from "../../../pipeline/retry.ts";
import type { KvFault } from "../state/fake_kv.ts";
import { act, DAY_MS, HOUR_MS, MINUTE_MS, type Process, World } from "./world.ts";

export const PROCESSES = 2;
export const DOTS = [1005, 1015, 2005];
export const ADDRESSES = ["a@b.co", "a+tag@b.co", "c@d.co"];

/** The members that the model changes, each between two values: as stored, and as in an email. */
const MEMBERS = {
  Status: { kind: "status", values: [["A", "active"], ["I", "inactive"]], member: "status" },
  "Safety rating": {
    kind: "rating",
    values: [["C", "Conditional"], ["U", "Unsatisfactory"]],
    member: "rating",
  },
  "Legal name": { kind: "identity", values: [["A", '"A"'], ["B", '"B"']], member: "legal_name" },
  "Power units": { kind: "fleet", values: [[10, "10"], [30, "30"]], member: "power_units" },
} as const;

type Label = keyof typeof MEMBERS;

export const LABELS = Object.keys(MEMBERS) as Label[];

/** Values of a carrier's members, by label. */
type Values = Record<Label, string>;

const FIRST_VALUES: Values = {
  Status: "active",
  "Safety rating": "Conditional",
  "Legal name": '"A"',
  "Power units": "10",
};

/** The values that a subscription starts from, and its kinds. */
interface Start {
  values: Values;
  kinds: readonly AlertKind[];
}

interface SteppedProcess extends Process {
  work: Promise<void>;
  done: boolean;
}

/** A change as an email words it. */
const CHANGE = /^- Between .+?: (Status|Safety rating|Legal name|Power units): (.+?) → (.+?)\.$/gm;

/** The service, and what its subscribers can rely on. */
export class Model {
  readonly world = new World();
  /** Serves requests, and never waits for permits. */
  readonly front: Process;
  readonly processes: SteppedProcess[];
  /** Values of each carrier by data date. The last is current. */
  readonly days = new Map<string, Map<number, Values>>();
  /** What each confirmed subscription starts from, by address and number. */
  readonly confirmed = new Map<string, Start>();
  /** The same, from when the subscription was requested. */
  readonly asked = new Map<string, Start>();

  constructor() {
    const first = { status: "A", rating: "C", legal_name: "A", power_units: 10 } as const;
    this.world.publish(DOTS.map((dot) => ({ dot, ...first })));
    this.days.set(this.world.today(), new Map(DOTS.map((dot) => [dot, FIRST_VALUES])));
    this.front = this.world.process();
    this.processes = Array.from({ length: PROCESSES }, () => this.stepped());
  }

  stepped(): SteppedProcess {
    const process = Object.assign(this.world.process(), { work: Promise.resolve(), done: true });
    process.permits = 0;
    return process;
  }

  async begin(): Promise<Model> {
    for (const dot of DOTS) {
      const address = ADDRESSES[dot % 3]!;
      await this.world.subscribe(this.front, address, dot);
      this.confirmed.set(`${address} ${dot}`, { values: FIRST_VALUES, kinds: ALERT_KINDS });
    }
    return this;
  }

  /** Invariants that hold at any time. */
  check(): void {
    const { server, kv, logged, mailboxes, clock } = this.world;
    const news = server.handedOver.filter(({ unsubscribe }) => unsubscribe !== null);
    const days = news.map(({ to, subject, day }) =>
      `${mailboxOf(to)} ${/USDOT (\d+)/.exec(subject)![1]!} ${day}`
    );
    assert.equal(new Set(days).size, days.length, "two in a day");
    for (const { mails } of mailboxes) {
      assert.ok(
        mails.filter((at) => at > clock.now() - DAY_MS).length <= ALERT_LIMITS.mailboxMails,
      );
    }
    for (const { key } of kv.entries.values()) assert.ok(!JSON.stringify(key).includes("@"));
    for (const line of logged) assert.ok(!line.includes("@"), line);
  }

  get current(): Map<number, Values> {
    return [...this.days.values()].at(-1)!;
  }

  async signUp(
    address: string,
    dots: readonly number[],
    kinds: readonly AlertKind[] = ALERT_KINDS,
  ): Promise<void> {
    const { world, front, asked, confirmed } = this;
    const pending = world.subscriptions.filter(({ confirm }) =>
      confirm !== null && confirm.expires_at > world.clock.now()
    ).map(({ address, dot }) => `${address} ${dot}`);
    const client = String(world.clock.now());
    assert.equal((await front.alerts.signUp({ address, dots, client, kinds })).outcome, "accepted");
    for (const dot of dots) {
      const name = `${address} ${dot}`;
      if (confirmed.has(name)) continue;
      const stored = world.subscriptions.find((one) => `${one.address} ${one.dot}` === name);
      if (stored === undefined) continue;
      // For a minute after a publish a process may still read the previous snapshot, so its values count.
      const read = this.days.get(stored.seen.data_date)!.get(dot)!;
      // A second sign-up before confirmation doesn't change what a subscription starts from.
      const values = pending.includes(name) ? asked.get(name)!.values : read;
      asked.set(name, { values, kinds: kindsOf(stored) });
    }
  }

  /** Confirms the links in delivered emails. */
  async confirmAll(): Promise<void> {
    for (const mail of this.world.server.delivered) {
      if (!mail.subject.startsWith("Confirm")) continue;
      const answer = await act(this.front.alerts, "confirm", mail);
      for (const dot of answer.outcome === "found" ? answer.dots : []) {
        const name = `${mail.to} ${dot}`;
        assert.ok(this.asked.has(name), `no one asked for ${name}`);
        if (!this.confirmed.has(name)) this.confirmed.set(name, this.asked.get(name)!);
      }
    }
  }

  async unsubscribe(n: number): Promise<void> {
    const links = this.world.subscriptions.filter(({ confirm }) => confirm === null);
    const one = links[n % links.length];
    if (one === undefined) return;
    const answer = await act(this.front.alerts, "unsubscribe", one.link, n === 0 ? "all" : "one");
    for (const dot of answer.outcome === "found" ? answer.dots : assert.fail(answer.outcome)) {
      assert.ok(this.confirmed.delete(`${one.address} ${dot}`));
    }
  }

  change(dot: number, label: Label = "Status"): void {
    const { world, current } = this;
    const { member, values } = MEMBERS[label];
    const before = current.get(dot)!;
    const [filed, text] = values.find(([, text]) => text !== before[label])!;
    world.clock.advance(DAY_MS);
    world.publish([{ dot, [member]: filed }]);
    this.days.set(world.today(), new Map(current).set(dot, { ...before, [label]: text }));
  }

  /**
   * Lets a process make some store calls, one of which may fail, until it waits for permits or has
   * nothing to do.
   */
  async step(at: number, calls: number, fault: KvFault | null): Promise<void> {
    const process = this.processes[at]!;
    const { kv } = this.world;
    const chosen = kv.calls.length + Math.ceil(calls / 4);
    kv.options.fault = ({ number }) => number === chosen && fault !== null ? fault : undefined;
    process.permit(calls);
    if (process.done) {
      process.done = false;
      process.work = process.alerts.sweep().then(() => void (process.done = true));
    }
    for (let quiet = 0; quiet < 2;) {
      await sleep(0);
      quiet = process.done || process.isWaiting ? quiet + 1 : 0;
    }
    process.permits = 0;
    kv.options = {};
  }

  /** Moves to a minute before midnight in New York. */
  evening(): void {
    const { clock } = this.world;
    clock.advance(nextNewYorkMidnight(clock.now()) - clock.now() - MINUTE_MS);
  }

  kill(at: number): void {
    this.processes[at]!.dead = true;
    this.processes[at] = this.stepped();
  }

  async stop(at: number): Promise<void> {
    const process = this.processes[at]!;
    const stopped = process.alerts.stop();
    process.permit(Infinity);
    await stopped;
    await process.work;
    this.processes[at] = this.stepped();
  }

  /** Clears all faults; waiting processes continue. */
  async end(): Promise<void> {
    const { world, front, processes } = this;
    world.server.outcome = () => "sent";
    for (const process of processes) process.permit(Infinity);
    await Promise.all(processes.map(({ work }) => work));
    await this.confirmAll();
    // A mailbox gets at most one alert a day about a carrier, so the second of its two addresses gets its alert a
    // day later.
    for (let hour = 0; hour < 84; hour++) {
      world.clock.advance(HOUR_MS);
      await front.alerts.sweep();
    }
    this.check();
    assert.deepEqual(world.due, []);
  }

  /**
   * Checks that emails report the changes of each subscription's kinds in order up to the current values,
   * and nothing else, except those counted as unknown. Returns how many changes they report.
   */
  checkNews(): number {
    const { world, confirmed, current } = this;
    let changes = 0;
    const gaps = new Map(LABELS.map((label) => [label, 0]));
    for (const { address, dot, link, confirm } of world.subscriptions) {
      if (confirm !== null) continue;
      const name = `${address} ${dot}`;
      const start = confirmed.get(name);
      assert.notEqual(start, undefined, `${name} was never confirmed`);
      const last = { ...start!.values };
      for (const { text, unsubscribe } of world.server.handedOver) {
        if (!unsubscribe?.endsWith(link)) continue;
        // The newest is first.
        for (const [, label, was, now] of [...text.matchAll(CHANGE)].reverse()) {
          const { kind } = MEMBERS[label as Label];
          assert.ok(start!.kinds.includes(kind), `${name} did not choose ${kind}`);
          if (was !== last[label as Label]) gaps.set(label as Label, gaps.get(label as Label)! + 1);
          last[label as Label] = now!;
          changes++;
        }
      }
      for (const label of LABELS.filter((one) => start!.kinds.includes(MEMBERS[one].kind))) {
        if (last[label] !== current.get(dot)![label]) gaps.set(label, gaps.get(label)! + 1);
      }
    }
    for (const [label, missing] of gaps) {
      assert.ok(missing <= world.unknown, `${label}: ${missing} missing, ${world.unknown} counted`);
    }
    return changes;
  }
}
