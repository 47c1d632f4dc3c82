import assert from "node:assert/strict";
import fc from "fast-check";
import { mailboxOf } from "../../../api/alerts/address.ts";
import { ALERT_KINDS, type AlertKind, kindsOf } from "../../../api/alerts/kinds.ts";
import { ALERT_LIMITS } from "../../../api/alerts/records.ts";
import type { Sent } from "../../../api/alerts/smtp_mailer.ts";
import { nextNewYorkMidnight } from "../../../api/rules/new_york.ts";
import { sleep } from "../../../pipeline/retry.ts";
import { assertSteps, step as anyStep } from "../../steps.ts";
import { KV_FAULTS, type KvFault } from "../state/fake_kv.ts";
import { act, DAY_MS, HOUR_MS, MINUTE_MS, type Process, World } from "./world.ts";

const PROCESSES = 2;
const DOTS = [1005, 1015, 2005];
const ADDRESSES = ["a@b.co", "a+tag@b.co", "c@d.co"];

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

const LABELS = Object.keys(MEMBERS) as Label[];

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

/** The service, and what its subscribers can rely on. */
class Model {
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

/** A change as an email words it. */
const CHANGE = /^- Between .+?: (Status|Safety rating|Legal name|Power units): (.+?) → (.+?)\.$/gm;

function step<A extends unknown[]>(
  name: string,
  values: fc.Arbitrary<A>,
  run: (model: Model, ...values: A) => unknown,
) {
  return anyStep<Model, A>(name, values, async (model, ...values) => {
    await run(model, ...values);
    model.check();
  });
}

const which = fc.nat(PROCESSES - 1);
const dots = fc.uniqueArray(fc.constantFrom(...DOTS), { minLength: 1 });
const outcome = fc.constantFrom<Sent["outcome"]>(
  "sent",
  "sent",
  "sent",
  "later",
  "down",
  "unknown",
);
const STEPS = [
  step(
    "signUp",
    fc.tuple(
      fc.constantFrom(...ADDRESSES),
      dots,
      fc.option(fc.subarray([...ALERT_KINDS], { minLength: 1 }), { nil: undefined }),
    ),
    (model, ...wish) => model.signUp(...wish),
  ),
  step("confirmAll", fc.constant([]), (model) => model.confirmAll()),
  step("unsubscribe", fc.tuple(fc.nat(5)), (model, n) => model.unsubscribe(n)),
  step(
    "change",
    fc.tuple(fc.constantFrom(...DOTS), fc.constantFrom(...LABELS)),
    (model, ...what) => model.change(...what),
  ),
  step(
    "step",
    fc.tuple(which, fc.integer({ min: 1, max: 60 }), fc.option(fc.constantFrom(...KV_FAULTS))),
    (model, ...how) => model.step(...how),
  ),
  step("kill", fc.tuple(which), (model, at) => model.kill(at)),
  step("stop", fc.tuple(which), (model, at) => model.stop(at)),
  step(
    "advance",
    fc.tuple(fc.constantFrom(MINUTE_MS, 6 * MINUTE_MS, HOUR_MS, DAY_MS)),
    (model, ms) => model.world.clock.advance(ms),
  ),
  step("evening", fc.constant([]), (model) => model.evening()),
  step("server", fc.tuple(fc.array(outcome, { minLength: 1, maxLength: 4 })), (model, outcomes) => {
    model.world.server.outcome = (_, attempt) => outcomes[attempt % outcomes.length]!;
  }),
];

Deno.test("alerts match the model through crashes, races, lost leases and mail server failures", async () => {
  let changes = 0;
  await assertSteps(STEPS, {
    world: () => new Model().begin(),
    async end(model) {
      await model.end();
      changes += model.checkNews();
    },
    numRuns: 60,
  });
  assert.ok(changes > 5, `only ${changes} changes were mailed`);
});

/** Regression: sequences of steps on which the model once failed. */
const FOUND: Record<string, (model: Model) => Promise<void>> = {
  async "an alert that reaches the server a day after its claim"(model) {
    model.change(1005);
    await model.step(0, 18, null);
    model.change(1005);
    await model.step(0, 1, null);
  },
  async "an alert that reaches the server after a failed call of the store and a day"(model) {
    model.change(1015);
    await model.step(0, 14, "error");
    model.change(1005);
    await model.step(0, 24, "error");
    model.change(1015);
    model.kill(1);
  },
  async "a subscription that ends and starts again on the day of its alert"(model) {
    model.change(2005);
    await model.signUp("a@b.co", [2005, 1005]);
    model.world.clock.advance(MINUTE_MS);
    await model.unsubscribe(2);
    model.kill(0);
    await model.stop(0);
    model.world.clock.advance(2 * MINUTE_MS);
    await model.confirmAll();
    model.change(2005);
    await model.signUp("a@b.co", [1005]);
  },
};

for (const [name, run] of Object.entries(FOUND)) {
  Deno.test(`alerts match the model: ${name}`, async () => {
    const model = await new Model().begin();
    await run(model);
    await model.end();
    model.checkNews();
  });
}
