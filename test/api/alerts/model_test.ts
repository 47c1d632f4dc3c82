import assert from "node:assert/strict";
import fc from "fast-check";
import { LIMITS } from "../../../api/alerts/records.ts";
import type { Sent } from "../../../api/alerts/smtp_mailer.ts";
import { macrotask } from "../state/process_kv.ts";
import { act, DAY_MS, type Delivered, HOUR_MS, MINUTE_MS, type Process, World } from "./world.ts";

const PROCESSES = 2;
const DOTS = [1005, 1015, 2005];
const ADDRESSES = ["a@b.co", "a+tag@b.co", "c@d.co"];

/** What a subscriber may rely on. */
class Model {
  /** Status of each carrier in the current snapshot. */
  readonly status = new Map(DOTS.map((dot) => [dot, "active"]));
  /** Status that each confirmed subscription starts from, by address and number. */
  readonly confirmed = new Map<string, string>();
  /** Status that was read when the subscription was asked for. */
  readonly asked = new Map<string, string>();
}

interface SteppedProcess extends Process {
  work: Promise<void>;
  done: boolean;
}

interface Real {
  world: World;
  processes: SteppedProcess[];
  /** Serves requests, and never waits for permits. */
  front: Process;
}

type Command = fc.AsyncCommand<Model, Real>;

function command(name: string, run: (model: Model, real: Real) => Promise<void>): Command {
  return {
    check: () => true,
    toString: () => name,
    async run(model, real) {
      await run(model, real);
      check(real.world);
    },
  };
}

function stepped(world: World): SteppedProcess {
  const process = world.process();
  process.kv.permits = 0;
  return { ...process, work: Promise.resolve(), done: true };
}

function sweep(process: SteppedProcess): void {
  process.done = false;
  process.work = process.alerts.sweep().then(() => {
    process.done = true;
  });
}

/** Until the process waits for permits or has nothing to do. */
async function settle(process: SteppedProcess): Promise<void> {
  for (let quiet = 0; quiet < 2;) {
    await macrotask();
    quiet = process.done || process.kv.waiting.length > 0 ? quiet + 1 : 0;
  }
}

/** Invariants at any time. */
function check({ server, kv, logged, mailboxes, clock }: World): void {
  const days = server.handedOver.filter(isNews).map(({ to, subject, day }) =>
    `${to} ${dotIn(subject)} ${day}`
  );
  assert.equal(new Set(days).size, days.length, "two in a day");
  for (const { mails } of mailboxes) {
    assert.ok(mails.filter((at) => at > clock.now() - DAY_MS).length <= LIMITS.mailboxMails);
  }
  for (const { key } of kv.entries.values()) assert.ok(!JSON.stringify(key).includes("@"));
  for (const line of logged) assert.ok(!line.includes("@"), line);
}

function isNews({ unsubscribe }: Delivered): boolean {
  return unsubscribe !== null;
}

function dotIn(subject: string): string {
  return /USDOT (\d+)/.exec(subject)![1]!;
}

/** Confirms what the delivered emails ask to confirm. */
async function confirmAll(model: Model, { world, front }: Real): Promise<void> {
  for (const mail of world.server.delivered) {
    if (!mail.subject.startsWith("Confirm")) continue;
    const answer = await act(front.alerts, "confirm", mail);
    for (const dot of answer.outcome === "found" ? answer.dots : []) {
      const name = `${mail.to} ${dot}`;
      assert.ok(model.asked.has(name), `no one asked for ${name}`);
      if (!model.confirmed.has(name)) model.confirmed.set(name, model.asked.get(name)!);
    }
  }
}

const which = fc.nat(PROCESSES - 1);
const commands = [
  fc.record({
    address: fc.constantFrom(...ADDRESSES),
    dots: fc.uniqueArray(fc.constantFrom(...DOTS), { minLength: 1 }),
  }).map((wish) =>
    command(`signUp(${wish.address}, ${wish.dots})`, async (model, { world, front }) => {
      const pending = world.subscriptions.filter(({ confirm }) =>
        confirm !== null && confirm.expires_at > world.clock.now()
      ).map(({ address, dot }) => `${address} ${dot}`);
      const client = String(world.clock.now());
      assert.equal((await front.alerts.signUp({ ...wish, client })).outcome, "accepted");
      for (const dot of wish.dots) {
        const name = `${wish.address} ${dot}`;
        // A second sign-up for what is not confirmed yet does not move what it starts from.
        if (pending.includes(name) || model.confirmed.has(name)) continue;
        const stored = world.subscriptions.find((one) => `${one.address} ${one.dot}` === name);
        // For a minute after a publish a process may read the previous snapshot: its status counts.
        if (stored !== undefined) model.asked.set(name, stored.seen.status);
      }
    })
  ),
  fc.constant(command("confirmAll()", confirmAll)),
  fc.nat(5).map((n) =>
    command(`unsubscribe(${n})`, async (model, { world, front }) => {
      const links = world.subscriptions.filter(({ confirm }) => confirm === null);
      const one = links[n % links.length];
      if (one === undefined) return;
      const answer = await act(front.alerts, "unsubscribe", one.link, n === 0 ? "all" : "one");
      for (const dot of answer.outcome === "found" ? answer.dots : assert.fail(answer.outcome)) {
        assert.ok(model.confirmed.delete(`${one.address} ${dot}`));
      }
    })
  ),
  fc.constantFrom(...DOTS).map((dot) =>
    command(`change(${dot})`, (model, { world }) => {
      const status = model.status.get(dot) === "active" ? "inactive" : "active";
      model.status.set(dot, status);
      world.clock.advance(DAY_MS);
      world.publish([{ dot, status: status === "active" ? "A" : "I" }]);
      return Promise.resolve();
    })
  ),
  fc.tuple(which, fc.integer({ min: 1, max: 60 })).map(([p, steps]) =>
    command(`step(${p}, ${steps})`, async (_, { processes }) => {
      const process = processes[p]!;
      process.kv.permit(steps);
      if (process.done) sweep(process);
      await settle(process);
      process.kv.permits = 0;
    })
  ),
  which.map((p) =>
    command(`kill(${p})`, (_, { world, processes }) => {
      processes[p]!.kv.dead = true;
      processes[p] = stepped(world);
      return Promise.resolve();
    })
  ),
  which.map((p) =>
    command(`stop(${p})`, async (_, { world, processes }) => {
      const process = processes[p]!;
      const stopped = process.alerts.stop();
      process.kv.permit(Infinity);
      await stopped;
      await process.work;
      processes[p] = stepped(world);
    })
  ),
  fc.constantFrom(MINUTE_MS, 6 * MINUTE_MS, HOUR_MS, DAY_MS).map((ms) =>
    command(`advance(${ms})`, (_, { world }) => Promise.resolve(world.clock.advance(ms)))
  ),
  fc.array(
    fc.constantFrom<Sent["outcome"]>("sent", "sent", "sent", "later", "down", "unknown"),
    { minLength: 1, maxLength: 4 },
  ).map((outcomes) =>
    command(`server(${outcomes})`, (_, { world }) => {
      world.server.outcome = (_, attempt) => outcomes[attempt % outcomes.length]!;
      return Promise.resolve();
    })
  ),
];

/**
 * Checks that emails report the changes of each subscription in order, up to what it is now, but for
 * those that are counted as unknown.
 */
function checkNews(model: Model, world: World): number {
  let [changes, gaps] = [0, 0];
  for (const { address, dot, link, seen, confirm } of world.subscriptions) {
    if (confirm !== null) continue;
    const name = `${address} ${dot}`;
    let last = model.confirmed.get(name);
    assert.notEqual(last, undefined, `${name} was never confirmed`);
    for (const { text, unsubscribe } of world.server.handedOver) {
      if (!unsubscribe?.endsWith(link)) continue;
      const [, from, to] = /status changed from (\w+) to (\w+)/.exec(text) ?? [];
      if (from === undefined) continue;
      if (from !== last) gaps++;
      last = to;
      changes++;
    }
    assert.equal(seen.status, model.status.get(dot), `${name} got no email`);
    if (last !== seen.status) gaps++;
  }
  assert.ok(gaps <= world.unknown, `${gaps} emails are missing, ${world.unknown} are counted`);
  return changes;
}

Deno.test("alerts match the model through deaths, races, lost leases and a mail server that fails", async () => {
  let changes = 0;
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 60, size: "max" }), async (list) => {
      const world = new World();
      world.publish(DOTS.map((dot) => ({ dot })));
      const processes = Array.from({ length: PROCESSES }, () => stepped(world));
      const model = new Model();
      const real = { world, front: world.process(), processes };
      for (const dot of DOTS) {
        const address = ADDRESSES[dot % 3]!;
        await world.subscribe(real.front, address, dot);
        model.confirmed.set(`${address} ${dot}`, "active");
      }
      await fc.asyncModelRun(() => ({ model, real }), list);
      // All is well again, and waiting processes continue.
      world.server.outcome = () => "sent";
      for (const { kv } of processes) kv.permit(Infinity);
      await Promise.all(processes.map(({ work }) => work));
      await confirmAll(model, real);
      for (let hour = 0; hour < 36; hour++) {
        world.clock.advance(HOUR_MS);
        await real.front.alerts.sweep();
      }
      check(world);
      assert.deepEqual(world.due, []);
      changes += checkNews(model, world);
    }),
    { numRuns: 60, endOnFailure: false },
  );
  assert.ok(changes > 5, `only ${changes} changes were mailed`);
});
