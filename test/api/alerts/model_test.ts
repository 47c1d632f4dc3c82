import assert from "node:assert/strict";
import fc from "fast-check";
import { LIMITS } from "../../../api/alerts/records.ts";
import type { Sent } from "../../../api/alerts/smtp_mailer.ts";
import { macrotask } from "../state/process_kv.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, type Process, tokenIn, World } from "./world.ts";

const PROCESSES = 2;
const DOTS = [1005, 1015, 2005];
const ADDRESSES = ["a@b.co", "a+tag@b.co", "c@d.co"];

/** What a subscriber may rely on. */
class Model {
  /** Status of each carrier in the current snapshot. */
  readonly status = new Map(DOTS.map((dot) => [dot, "active"]));
  /** Status that each confirmed subscription starts from, by address and number. */
  readonly confirmed = new Map<string, string>();
  /** What the carrier was when the subscription was asked for. */
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
function check({ broken, server, decided, kv, logged }: World): void {
  assert.deepEqual(broken, []);
  const handedOver = server.fates.filter(({ outcome }) =>
    outcome === "sent" || outcome === "unknown"
  );
  assert.equal(new Set(handedOver.map(({ id }) => id)).size, handedOver.length, "sent twice");
  const mails = [...decided.values()];
  const days = mails.filter(({ kind }) => kind === "news").map(({ id, to, created_at }) =>
    `${to} ${id.slice(0, -10)} ${new Date(created_at - 4 * HOUR_MS).toISOString().slice(0, 10)}`
  );
  assert.equal(new Set(days).size, days.length, "two in a day");
  for (const { mailbox, created_at } of mails) {
    const near = mails.filter((mail) =>
      mail.kind !== "news" && mail.mailbox === mailbox && mail.created_at <= created_at &&
      mail.created_at > created_at - DAY_MS
    );
    assert.ok(near.length <= LIMITS.mailboxMails);
  }
  for (const { key } of kv.entries.values()) assert.ok(!JSON.stringify(key).includes("@"));
  for (const line of logged) assert.ok(!line.includes("@"), line);
}

/** Confirms what the delivered emails ask to confirm. */
async function confirmAll(model: Model, { world, front }: Real): Promise<void> {
  for (const mail of world.server.delivered) {
    const record = world.decided.get(mail.id)!;
    if (record.kind !== "confirm") continue;
    const answer = await front.alerts.confirm(tokenIn(mail));
    if (answer.outcome !== "found") continue;
    const name = `${record.to} ${answer.dot}`;
    assert.ok(model.asked.has(name), `no one asked for ${name}`);
    model.confirmed.set(name, model.asked.get(name)!);
  }
}

const which = fc.nat(PROCESSES - 1);
const commands = [
  fc.record({ address: fc.constantFrom(...ADDRESSES), dot: fc.constantFrom(...DOTS) }).map((wish) =>
    command(`signUp(${wish.address}, ${wish.dot})`, async (model, { world, front }) => {
      const name = `${wish.address} ${wish.dot}`;
      const pending = world.mailboxes.flatMap(({ subscriptions }) => subscriptions)
        .some(({ address, dot, confirm }) =>
          `${address} ${dot}` === name && confirm !== null && confirm.expires_at > world.clock.now()
        );
      const client = String(world.clock.now());
      assert.equal((await front.alerts.signUp({ ...wish, client })).outcome, "accepted");
      // A second sign-up for what is not confirmed yet does not move what it starts from.
      if (!pending && !model.confirmed.has(name)) {
        model.asked.set(name, model.status.get(wish.dot)!);
      }
    })
  ),
  fc.constant(command("confirmAll()", confirmAll)),
  fc.nat(5).map((n) =>
    command(`unsubscribe(${n})`, async (model, { world, front }) => {
      const links = world.mailboxes.flatMap(({ subscriptions }) => subscriptions)
        .filter(({ confirm }) => confirm === null);
      const one = links[n % links.length];
      if (one === undefined) return;
      const answer = await front.alerts.unsubscribe(one.unsubscribe);
      assert.deepEqual(answer, { outcome: "found", purpose: "unsubscribe", dot: one.dot });
      model.confirmed.delete(`${one.address} ${one.dot}`);
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

/** Checks that the emails about each subscription report its changes in order, up to what it is now. */
function checkNews(model: Model, world: World): number {
  let changes = 0;
  for (const { address, dot, id } of world.mailboxes.flatMap((one) => one.subscriptions)) {
    const name = `${address} ${dot}`;
    let last = model.confirmed.get(name);
    assert.notEqual(last, undefined, `${name} was never confirmed`);
    const news = [...world.decided.values()]
      .filter(({ kind, subscription }) => kind === "news" && subscription === id)
      .sort((a, b) => a.created_at - b.created_at);
    for (const { text } of news) {
      const [, from, to] = /status changed from (\w+) to (\w+)/.exec(text) ?? [];
      if (from === undefined) continue;
      assert.equal(from, last, `${name} got a change that was not`);
      last = to;
      changes++;
    }
    assert.equal(last, model.status.get(dot), `${name} got no mail`);
  }
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
        await world.subscribe(real.front, { address, dot });
        model.confirmed.set(`${address} ${dot}`, "active");
      }
      await fc.asyncModelRun(() => ({ model, real }), list);
      // All is well again, and waiting processes continue.
      world.server.outcome = () => "sent";
      for (const { kv } of processes) kv.permit(Infinity);
      await Promise.all(processes.map(({ work }) => work));
      await confirmAll(model, real);
      for (let hour = 0; hour < 72; hour++) {
        world.clock.advance(HOUR_MS);
        await real.front.alerts.sweep();
      }
      check(world);
      assert.deepEqual(world.waiting, []);
      changes += checkNews(model, world);
      const ended = new Set(
        world.server.fates.filter(({ outcome }) => outcome === "sent" || outcome === "unknown")
          .map(({ id }) => id),
      );
      const live = new Set(world.mailboxes.flatMap((one) => one.subscriptions.map(({ id }) => id)));
      const log = world.logged.join();
      for (const { id, kind, subscription } of world.decided.values()) {
        if (kind !== "news" || ended.has(id) || !live.has(subscription)) continue;
        assert.match(log, /unknown|given_up/, `${id} went nowhere`);
      }
    }),
    { numRuns: 60, endOnFailure: false },
  );
  assert.ok(changes > 5, `only ${changes} changes were mailed`);
});
