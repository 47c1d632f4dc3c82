import assert from "node:assert/strict";
import fc from "fast-check";
import { mailboxOf } from "../../../api/alerts/address.ts";
import { LIMITS } from "../../../api/alerts/records.ts";
import type { Sent } from "../../../api/alerts/smtp_mailer.ts";
import { nextNewYorkMidnight } from "../../../api/rules/calendar.ts";
import { sleep } from "../../../pipeline/retry.ts";
import { assertSteps, step as anyStep } from "../../steps.ts";
import { KV_FAULTS, type KvFault } from "../state/fake_kv.ts";
import { act, DAY_MS, HOUR_MS, MINUTE_MS, type Process, World } from "./world.ts";

const PROCESSES = 2;
const DOTS = [1005, 1015, 2005];
const ADDRESSES = ["a@b.co", "a+tag@b.co", "c@d.co"];

interface SteppedProcess extends Process {
  work: Promise<void>;
  done: boolean;
}

/** The service, and what a subscriber may rely on. */
class Model {
  readonly world = new World();
  /** Serves requests, and never waits for permits. */
  readonly front: Process;
  readonly processes: SteppedProcess[];
  /** Status of each carrier in the current snapshot. */
  readonly status = new Map(DOTS.map((dot) => [dot, "active"]));
  /** Status that each confirmed subscription starts from, by address and number. */
  readonly confirmed = new Map<string, string>();
  /** Status that was read when the subscription was asked for. */
  readonly asked = new Map<string, string>();

  constructor() {
    this.world.publish(DOTS.map((dot) => ({ dot })));
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
      this.confirmed.set(`${address} ${dot}`, "active");
    }
    return this;
  }

  /** Invariants at any time. */
  check(): void {
    const { server, kv, logged, mailboxes, clock } = this.world;
    const news = server.handedOver.filter(({ unsubscribe }) => unsubscribe !== null);
    const days = news.map(({ to, subject, day }) =>
      `${mailboxOf(to)} ${/USDOT (\d+)/.exec(subject)![1]!} ${day}`
    );
    assert.equal(new Set(days).size, days.length, "two in a day");
    for (const { mails } of mailboxes) {
      assert.ok(mails.filter((at) => at > clock.now() - DAY_MS).length <= LIMITS.mailboxMails);
    }
    for (const { key } of kv.entries.values()) assert.ok(!JSON.stringify(key).includes("@"));
    for (const line of logged) assert.ok(!line.includes("@"), line);
  }

  async signUp(address: string, dots: readonly number[]): Promise<void> {
    const { world, front, asked, confirmed } = this;
    const pending = world.subscriptions.filter(({ confirm }) =>
      confirm !== null && confirm.expires_at > world.clock.now()
    ).map(({ address, dot }) => `${address} ${dot}`);
    const client = String(world.clock.now());
    assert.equal((await front.alerts.signUp({ address, dots, client })).outcome, "accepted");
    for (const dot of dots) {
      const name = `${address} ${dot}`;
      // A second sign-up for what is not confirmed yet does not move what it starts from.
      if (pending.includes(name) || confirmed.has(name)) continue;
      const stored = world.subscriptions.find((one) => `${one.address} ${one.dot}` === name);
      // For a minute after a publish a process may read the previous snapshot: its status counts.
      if (stored !== undefined) asked.set(name, stored.seen.status);
    }
  }

  /** Confirms what the delivered emails ask to confirm. */
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

  change(dot: number): void {
    const status = this.status.get(dot) === "active" ? "inactive" : "active";
    this.status.set(dot, status);
    this.world.clock.advance(DAY_MS);
    this.world.publish([{ dot, status: status === "active" ? "A" : "I" }]);
  }

  /**
   * Lets a process make some calls of the store, one of which may fail: until it waits for permits or has
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

  /** It is a minute before midnight in New York. */
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

  /** All is well again, and waiting processes continue. */
  async end(): Promise<void> {
    const { world, front, processes } = this;
    world.server.outcome = () => "sent";
    for (const process of processes) process.permit(Infinity);
    await Promise.all(processes.map(({ work }) => work));
    await this.confirmAll();
    // Two addresses of one mailbox get their news on two days.
    for (let hour = 0; hour < 84; hour++) {
      world.clock.advance(HOUR_MS);
      await front.alerts.sweep();
    }
    this.check();
    assert.deepEqual(world.due, []);
  }

  /**
   * Checks that emails report the changes of each subscription in order, up to what it is now, but for
   * those that are counted as unknown. Returns how many they report.
   */
  checkNews(): number {
    const { world, confirmed, status } = this;
    let [changes, gaps] = [0, 0];
    for (const { address, dot, link, seen, confirm } of world.subscriptions) {
      if (confirm !== null) continue;
      const name = `${address} ${dot}`;
      let last = confirmed.get(name);
      assert.notEqual(last, undefined, `${name} was never confirmed`);
      for (const { text, unsubscribe } of world.server.handedOver) {
        if (!unsubscribe?.endsWith(link)) continue;
        const [, from, to] = /status changed from (\w+) to (\w+)/.exec(text) ?? [];
        if (from === undefined) continue;
        if (from !== last) gaps++;
        last = to;
        changes++;
      }
      assert.equal(seen.status, status.get(dot), `${name} got no email`);
      if (last !== seen.status) gaps++;
    }
    assert.ok(gaps <= world.unknown, `${gaps} emails are missing, ${world.unknown} are counted`);
    return changes;
  }
}

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
    fc.tuple(fc.constantFrom(...ADDRESSES), dots),
    (model, ...wish) => model.signUp(...wish),
  ),
  step("confirmAll", fc.constant([]), (model) => model.confirmAll()),
  step("unsubscribe", fc.tuple(fc.nat(5)), (model, n) => model.unsubscribe(n)),
  step("change", fc.tuple(fc.constantFrom(...DOTS)), (model, dot) => model.change(dot)),
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

Deno.test("alerts match the model through deaths, races, lost leases and a mail server that fails", async () => {
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

/** Steps after which the model once did not hold. */
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
