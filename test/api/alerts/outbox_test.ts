import assert from "node:assert/strict";
import { DAY_MS, HOUR_MS, MINUTE_MS, World } from "./world.ts";

const DOT = 295011;
const JANE = "jane@b.co";

/** A subscription and one change of its carrier. */
async function withNews(): Promise<{ world: World; process: ReturnType<World["process"]> }> {
  const world = new World();
  world.publish([{ dot: DOT }]);
  const process = world.process();
  await world.subscribe(process, { address: JANE, dot: DOT });
  world.clock.advance(DAY_MS);
  world.publish([{ dot: DOT, status: "I" }]);
  return { world, process };
}

/** Sweeps each minute. */
async function minutes(world: World, count: number, process = world.process()): Promise<void> {
  for (let i = 0; i < count; i++) {
    await process.alerts.sweep();
    world.clock.advance(MINUTE_MS);
  }
}

Deno.test("an email that the server wants later is sent later, with the same id, and given up after two days", async () => {
  const { world, process } = await withNews();
  const ids = new Set<string>();
  world.server.outcome = ({ id }, attempt) => {
    ids.add(id);
    return attempt < 5 ? "later" : "sent";
  };
  await minutes(world, 24 * 60, process);
  assert.equal(world.mails().length, 1);
  assert.equal(ids.size, 1);
  assert.deepEqual(world.waiting, []);

  const other = await withNews();
  other.world.server.outcome = () => "later";
  await minutes(other.world, 49 * 60, other.process);
  assert.deepEqual(other.world.waiting, []);
  assert.ok(other.world.server.attempts < 20, String(other.world.server.attempts));
  assert.ok(other.world.logged.some((line) => /1 given_up/.test(line)), other.world.logged.join());
  assert.equal(other.world.mailboxes[0]!.subscriptions[0]!.bounces, 0);
});

Deno.test("a server that is down is asked less and less often, and then gets all that waits", async () => {
  const world = new World();
  const dots = Array.from({ length: 30 }, (_, i) => ({ dot: 1005 + 10 * i }));
  world.publish(dots);
  const process = world.process();
  for (const { dot } of dots) await world.subscribe(process, { address: `x${dot}@b.co`, dot });
  world.clock.advance(DAY_MS);
  world.publish(dots.map(({ dot }) => ({ dot, status: "I" })));
  world.server.attempts = 0;
  world.server.outcome = () => "down";
  await minutes(world, 5 * 60, process);
  assert.ok(world.server.attempts < 15, String(world.server.attempts));
  assert.equal(world.waiting.length, 30);
  world.server.outcome = () => "sent";
  await minutes(world, 6 * 60, process);
  assert.equal(new Set(world.mails().map(({ id }) => id)).size, 30);
  assert.deepEqual(world.waiting, []);
});

Deno.test("an email whose result is unknown is counted and not sent again", async () => {
  const { world, process } = await withNews();
  world.server.outcome = () => "unknown";
  await minutes(world, 49 * 60, process);
  assert.equal(world.server.attempts, 2, "one for the confirmation before, and one");
  assert.deepEqual(world.waiting, []);
  assert.ok(world.logged.some((line) => /^Emails: 1 unknown$/.test(line)), world.logged.join());
});

Deno.test("an email of a process that died while it sent is counted by another and not sent again", async () => {
  const { world, process } = await withNews();
  const sending = Promise.withResolvers<void>();
  world.server.turn = () => {
    process.kv.dead = true;
    sending.resolve();
    return Promise.resolve();
  };
  void process.alerts.sweep();
  await sending.promise;
  world.server.turn = () => Promise.resolve();
  await minutes(world, 60);
  assert.ok(world.server.delivered.length <= 1);
  assert.equal(world.server.attempts, 2);
  assert.deepEqual(world.waiting, []);
  assert.ok(world.logged.includes("Emails: 1 unknown"), world.logged.join());
});

Deno.test("three permanently refused emails in a row end a subscription, with its address", async () => {
  const { world, process } = await withNews();
  const outcomes = ["refused", "refused", "sent", "refused", "refused", "refused"] as const;
  const bounces: (number | undefined)[] = [];
  for (const [day, outcome] of outcomes.entries()) {
    world.publish([{ dot: DOT, status: day % 2 === 0 ? "I" : "A" }]);
    world.server.outcome = () => outcome;
    await process.alerts.sweep();
    bounces.push(world.mailboxes[0]?.subscriptions[0]?.bounces);
    world.clock.advance(DAY_MS);
  }
  assert.deepEqual(bounces, [1, 2, 0, 1, 2, undefined]);
  assert.ok(!JSON.stringify([...world.kv.entries.values()]).includes(JANE));
  world.publish([{ dot: DOT, status: "I" }]);
  await minutes(world, 60, process);
  assert.equal(world.mails().length, 1);
});

Deno.test("stop() ends a sending, and another process sends what was not handed over", async () => {
  const { world, process } = await withNews();
  let stopped: Promise<void> | undefined;
  world.server.outcome = () => {
    // What the mailer says when it is closed before the body.
    stopped = process.alerts.stop();
    return "down";
  };
  await process.alerts.sweep();
  await stopped;
  assert.deepEqual(world.waiting.map(({ sending_until }) => sending_until), [null]);
  world.server.outcome = () => "sent";
  await process.alerts.sweep();
  assert.deepEqual(world.mails(), []);
  await minutes(world, 10);
  assert.equal(world.mails().length, 1);
});

Deno.test("a sign-up sends its email at once, and does not wait for it", async () => {
  const world = new World();
  world.publish([{ dot: DOT }]);
  const { alerts } = world.process();
  const reached = Promise.withResolvers<void>();
  world.server.turn = () => {
    reached.resolve();
    return new Promise(() => {});
  };
  const wish = { address: JANE, dot: DOT, client: "a" };
  assert.equal((await alerts.signUp(wish)).outcome, "accepted");
  await reached.promise;
});

Deno.test("the log has no address, whatever goes wrong with an email", async () => {
  for (const outcome of ["later", "down", "refused", "unknown"] as const) {
    const { world, process } = await withNews();
    world.server.outcome = () => outcome;
    await minutes(world, 300, process);
    assert.ok(world.logged.length > 1);
    for (const line of world.logged) assert.doesNotMatch(line, /jane|@|b\.co|token-/);
  }
});

Deno.test("an email waits at most an hour and a half for a clock that was set back", async () => {
  const { world, process } = await withNews();
  world.server.outcome = () => "down";
  await process.alerts.sweep();
  world.clock.advance(-HOUR_MS);
  world.server.outcome = () => "sent";
  await minutes(world, 90, process);
  assert.equal(world.mails().length, 1);
});
