import assert from "node:assert/strict";
import fc from "fast-check";
import { LIMITS, TOTAL_KEY } from "../../../api/alerts/records.ts";
import { DAY_MS, HOUR_MS, tokenIn, World } from "./world.ts";

const DOT = 295011;
const JANE = "jane@b.co";

function published(): World {
  const world = new World();
  world.publish([{ dot: DOT }, { dot: 295012 }, ...lots(60)]);
  return world;
}

function lots(count: number): { dot: number }[] {
  return Array.from({ length: count }, (_, i) => ({ dot: 1000 + i }));
}

Deno.test("signUp() sends a link that confirms once, and nothing is stored in clear but the address", async () => {
  const world = published();
  const { alerts } = world.process();
  assert.equal(alerts.enabled, true);
  const wish = { address: " Jane@B.co", dot: DOT, client: "192.0.2.7" };
  const name = `CARRIER ${DOT}`;
  assert.deepEqual(await alerts.signUp(wish), { outcome: "accepted", name });
  await alerts.sweep();
  const [mail] = world.mails();
  assert.equal(mail!.to, "Jane@b.co");
  assert.equal(mail!.unsubscribe, null);
  const token = tokenIn(mail!);
  const found = { outcome: "found", purpose: "confirm", dot: DOT };
  assert.deepEqual(await alerts.describe(token), found);
  assert.deepEqual(await alerts.describe(token), found);
  assert.deepEqual(await alerts.unsubscribe(token), { outcome: "unknown" });
  assert.deepEqual(await alerts.confirm(token), found);
  assert.deepEqual(await alerts.confirm(token), { outcome: "unknown" });
  assert.deepEqual(await alerts.describe(token), { outcome: "unknown" });

  const entries = [...world.kv.entries.values()];
  for (const { key } of entries) assert.doesNotMatch(JSON.stringify(key), /jane|b\.co|192\.0/i);
  const all = JSON.stringify(entries.map(({ value }) => value));
  assert.ok(!all.includes("192.0.2.7") && !all.includes(token));
  assert.ok(!world.logged.join().includes("b.co"));
});

Deno.test("signUp() refuses an invalid address and an unknown carrier, and is off without a mail server", async () => {
  const world = published();
  const { alerts } = world.process();
  const client = "a";
  const answer = (address: string, dot: number) => alerts.signUp({ address, dot, client });
  assert.deepEqual(await answer("jane", DOT), { outcome: "invalid_address" });
  assert.deepEqual(await answer("a@b.co\r\nBcc: c@d.co", DOT), { outcome: "invalid_address" });
  assert.deepEqual(await answer(JANE, 9), { outcome: "unknown_carrier" });
  world.source.fault = () => "error";
  assert.deepEqual(await answer(JANE, DOT), { outcome: "unavailable" });
  world.source.fault = () => null;
  world.kv.options = { fault: () => "error" };
  assert.deepEqual(await answer(JANE, DOT), { outcome: "unavailable" });
  for (const link of ["confirm", "unsubscribe", "describe"] as const) {
    const token = `${"0".repeat(32)}-x`;
    assert.deepEqual(await alerts[link](token), { outcome: "unavailable" });
    assert.deepEqual(await alerts[link](""), { outcome: "unknown" });
    assert.deepEqual(await alerts[link]("x".repeat(10_000)), { outcome: "unknown" });
  }
  world.kv.options = {};
  const off = world.process(null).alerts;
  assert.equal(off.enabled, false);
  assert.deepEqual(await off.signUp({ address: JANE, dot: DOT, client }), { outcome: "off" });
  await off.sweep();
  assert.deepEqual(world.mails(), []);
  assert.deepEqual(world.mailboxes, []);
});

Deno.test("signUp() answers the same whether an address is new, pending, known or at its limit", async () => {
  const world = published();
  const { alerts } = world.process();
  await world.subscribe({ alerts, kv: world.process().kv }, { address: "known@b.co", dot: DOT });
  const seen: string[][] = [];
  for (const address of ["new@b.co", "new@b.co", "known@b.co"]) {
    const before = world.kv.calls.length;
    const answer = await alerts.signUp({ address, dot: DOT, client: "a" });
    const calls = world.kv.calls.slice(before).map(({ kind }) => kind);
    seen.push([JSON.stringify(answer), ...calls.slice(0, 2)]);
    await alerts.sweep();
  }
  assert.equal(new Set(seen.map((one) => one.join())).size, 1, JSON.stringify(seen));
  const [first, second, known] = world.mails();
  // The first link is replaced by the second.
  assert.deepEqual(await alerts.confirm(tokenIn(first!)), { outcome: "unknown" });
  assert.match(known!.subject, /^You already get/);
  assert.equal(known!.unsubscribe?.includes(tokenIn(known!)), true);
  assert.equal((await alerts.confirm(tokenIn(second!))).outcome, "found");
});

Deno.test("signUp() keeps to a mailbox's emails a day, under any tag, and the last link stays valid", async () => {
  const world = published();
  const { alerts } = world.process();
  for (let i = 0; i < 3 * LIMITS.mailboxMails; i++) {
    const address = i % 2 === 0 ? (i % 4 === 0 ? "JANE@b.co" : "jane@b.co") : `jane+${i % 3}@b.co`;
    const answer = await alerts.signUp({ address, dot: DOT, client: `c${i}` });
    assert.equal(answer.outcome, "accepted");
  }
  await alerts.sweep();
  const mails = world.mails();
  assert.ok(mails.length <= LIMITS.mailboxMails && mails.length >= 3, String(mails.length));
  assert.equal((await alerts.confirm(tokenIn(mails.at(-1)!))).outcome, "found");
  // Letters in another case are the same subscription, or one carrier would be mailed about twice a day.
  const spelt = world.mailboxes[0]!.subscriptions.map(({ address }) => address.toLowerCase());
  assert.equal(new Set(spelt).size, spelt.length);
  world.clock.advance(DAY_MS);
  await alerts.signUp({ address: "jane@b.co", dot: 295012, client: "c" });
  await alerts.sweep();
  assert.equal(world.mails().length, 1);
});

Deno.test("29 spellings of one Gmail mailbox get five emails a day", async () => {
  const world = published();
  const { alerts } = world.process();
  for (let i = 0; i < 29; i++) {
    // Five bits choose where the dots are.
    const dotted = [..."vi.ctim"].map((c, at) => (i >> at) & 1 ? `${c}.` : c).join("")
      .replaceAll(/\.+/g, ".");
    const address = `${dotted}x${i % 3 === 0 ? `+${i}` : ""}@${i % 2 ? "gmail" : "googlemail"}.com`;
    const answer = await alerts.signUp({ address, dot: 1000 + i, client: `192.0.2.${i}` });
    assert.equal(answer.outcome, "accepted");
    await alerts.sweep();
  }
  assert.equal(world.mails().length, LIMITS.mailboxMails);
});

Deno.test("the service sends so many confirmation emails a day, exactly, then says so with one alarm", async () => {
  const world = published();
  const processes = [world.process(), world.process()];
  const day = new Date(world.clock.now()).toISOString().slice(0, 10);
  const value = { day, mails: LIMITS.serviceMails - 2 };
  await world.kv.commit({ checks: [], writes: [{ key: TOTAL_KEY, value, expireIn: DAY_MS }] });
  const answers = await Promise.all(Array.from({ length: 6 }, (_, i) => {
    const wish = { address: `x${i}@b.co`, dot: DOT, client: `c${i}` };
    return processes[i % 2]!.alerts.signUp(wish);
  }));
  await processes[0]!.alerts.sweep();
  assert.equal(world.mails().length, 2);
  const paused = answers.filter(({ outcome }) => outcome === "paused");
  // From noon in New York.
  assert.deepEqual(paused, Array(4).fill({ outcome: "paused", retryAfter: 12 * 3600 }));
  const alarms = world.logged.filter((line) => line.startsWith("ALARM: "));
  assert.equal(alarms.length, 1, world.logged.join());

  world.clock.advance(DAY_MS / 2);
  await world.subscribe(processes[1]!, { address: JANE, dot: DOT });
});

Deno.test("signUp() bounds what a mailbox waits for, what it has, and what a client asks for", async () => {
  const world = published();
  const { alerts } = world.process();
  let [day, confirmed] = [0, 0];
  for (const { dot } of lots(60)) {
    if (dot % 5 === 0) {
      day++;
      world.clock.advance(DAY_MS);
    }
    await alerts.signUp({ address: JANE, dot, client: `c${day}` });
    await alerts.sweep();
    for (const mail of world.mails().filter(({ unsubscribe }) => unsubscribe === null)) {
      confirmed++;
      await alerts.confirm(tokenIn(mail));
    }
  }
  assert.equal(confirmed, LIMITS.subscriptions);
  assert.equal(world.mailboxes[0]!.subscriptions.length, LIMITS.subscriptions);

  const client = "192.0.2.7";
  for (let i = 0; i < LIMITS.clientSignUps; i++) {
    const answer = await alerts.signUp({ address: `x${i}@b.co`, dot: DOT, client });
    assert.equal(answer.outcome, "accepted");
    world.clock.advance(60_000);
  }
  const last = await alerts.signUp({ address: "y@b.co", dot: DOT, client });
  assert.deepEqual(last, { outcome: "too_many", retryAfter: (DAY_MS - 20 * 60_000) / 1000 });
  assert.equal(
    (await alerts.signUp({ address: "y@b.co", dot: DOT, client: "b" })).outcome,
    "accepted",
  );
  world.clock.advance(DAY_MS - 20 * 60_000);
  assert.equal((await alerts.signUp({ address: "y@b.co", dot: DOT, client })).outcome, "accepted");
});

Deno.test("sign-ups that race keep to the limits exactly", async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.boolean(), async (scheduler, sameMailbox) => {
      const world = published();
      const processes = [world.process(), world.process()];
      const most = sameMailbox ? LIMITS.mailboxMails : LIMITS.clientSignUps;
      const racing = 3;
      for (let i = 0; i < most - 1; i++) {
        const wish = sameMailbox
          ? { address: JANE, dot: DOT, client: `c${i}` }
          : { address: `x${i}@b.co`, dot: DOT, client: "c" };
        await processes[0]!.alerts.signUp(wish);
        // An email that is not out yet when the next one replaces its link does not go out.
        await processes[0]!.alerts.sweep();
      }
      assert.equal(world.mails().length, most - 1);
      world.kv.options = { turn: (label) => scheduler.schedule(Promise.resolve(), label) };
      const answers = scheduler.waitFor(Promise.all(Array.from({ length: racing }, (_, i) => {
        const wish = sameMailbox
          ? { address: JANE, dot: DOT, client: `r${i}` }
          : { address: `y${i}@b.co`, dot: DOT, client: "c" };
        return processes[i % 2]!.alerts.signUp(wish);
      })));
      const outcomes = (await answers).map(({ outcome }) => outcome);
      await scheduler.waitFor(Promise.all(processes.map(({ alerts }) => alerts.sweep())));
      world.kv.options = {};
      await processes[0]!.alerts.sweep();
      assert.equal(world.mails().length, 1);
      const accepted = outcomes.filter((outcome) => outcome === "accepted").length;
      assert.equal(accepted, sameMailbox ? racing : 1);
    }),
    { numRuns: 60 },
  );
});

Deno.test("what is not confirmed is deleted, by itself and by the daily run", async () => {
  const world = published();
  const { alerts } = world.process();
  await alerts.signUp({ address: JANE, dot: DOT, client: "a" });
  await alerts.sweep();
  const token = tokenIn(world.mails()[0]!);
  world.clock.advance(2 * DAY_MS - 1);
  assert.equal((await alerts.describe(token)).outcome, "found");
  world.clock.advance(1);
  assert.deepEqual(await alerts.confirm(token), { outcome: "unknown" });
  await alerts.sweep();
  assert.deepEqual(world.mailboxes, []);
});

Deno.test("unsubscribe() deletes the address, also without a mail server, drops waiting emails, and leaves other subscriptions", async () => {
  const world = published();
  const process = world.process();
  const { alerts } = process;
  await world.subscribe(process, { address: JANE, dot: DOT });
  await world.subscribe(process, { address: JANE, dot: 295012 });
  world.clock.advance(DAY_MS);
  world.server.outcome = () => "later";
  world.publish([{ dot: DOT, status: "I" }]);
  await alerts.sweep();
  const [waiting] = world.waiting;
  const token = /unsubscribe\/([\w-]+)/.exec(waiting!.text)![1]!;
  const found = { outcome: "found", purpose: "unsubscribe", dot: DOT };
  assert.deepEqual(await alerts.describe(token), found);
  assert.deepEqual(await alerts.confirm(token), { outcome: "unknown" });
  // Links still work when alerts are off.
  assert.deepEqual(await world.process(null).alerts.unsubscribe(token), found);
  assert.deepEqual(await alerts.unsubscribe(token), { outcome: "unknown" });
  world.server.outcome = () => "sent";
  world.clock.advance(HOUR_MS);
  await alerts.sweep();
  assert.deepEqual([world.mails(), world.waiting], [[], []]);
  assert.deepEqual(world.mailboxes[0]!.subscriptions.map(({ dot }) => dot), [295012]);
});
