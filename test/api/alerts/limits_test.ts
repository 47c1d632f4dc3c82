import assert from "node:assert/strict";
import { serialize } from "node:v8";
import fc from "fast-check";
import { ALERT_LIMITS, keyOf } from "../../../api/alerts/records.ts";
import { act, DAY_MS, type Delivered, DOT, JANE, LOTS, OTHER, published } from "./world.ts";

Deno.test("a mailbox at all of its limits fits into one store value", async () => {
  const { world, process } = published();
  const address = `${"a".repeat(60)}@${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.co`;
  for (let i = 0; i < 5; i++) {
    await world.mailsOf(process, { address, dots: LOTS.slice(10 * i, 10 * i + 10) });
  }
  for (const one of world.subscriptions) {
    one.notice = { due: "2026-10-05", stage: 30 };
    one.name = "\u{1f69a}".repeat(60);
  }
  assert.equal(world.subscriptions.length, 50);
  // The maximum: in one day each confirmation email adds a full set of carriers, and all of them are unsubscribed
  // again after their alerts.
  const count = ALERT_LIMITS.subscriptions * (ALERT_LIMITS.mailboxMails + 1);
  const mailed = Array.from({ length: count }, (_, i) => ({ dot: 1e7 + i, day: "2026-10-05" }));
  const bytes = serialize({ ...world.mailboxes[0], mailed }).length;
  assert.ok(bytes < 60_000, `${bytes} bytes`);
});

Deno.test("a sign-up for several carriers waits for the client's batch limit, and is then refused", async () => {
  const { world, alerts } = published();
  const wish = { address: JANE, dots: [DOT, OTHER], client: "a" };
  const answers = await Promise.all(Array.from({ length: 25 }, () => alerts.signUp(wish)));
  // One runs at a time; twenty can wait.
  assert.equal(answers.filter(({ outcome }) => outcome === "unavailable").length, 4);
  await alerts.sweep();
  assert.ok(world.mails().length <= ALERT_LIMITS.mailboxMails);
});

Deno.test("29 spellings of one Gmail mailbox get five emails a day in total", async () => {
  const { world, process, alerts } = published();
  const mails: Delivered[] = [];
  for (let i = 0; i < 29; i++) {
    // The five bits of `i` choose the letters after which a dot is inserted.
    const dotted = [..."vi.ctim"].map((c, at) => (i >> at) & 1 ? `${c}.` : c).join("")
      .replaceAll(/\.+/g, ".");
    const address = `${dotted}x${i % 3 === 0 ? `+${i}` : ""}@${i % 2 ? "gmail" : "googlemail"}.com`;
    mails.push(...await world.mailsOf(process, { address, dots: [1000 + i] }));
  }
  assert.equal(mails.length, ALERT_LIMITS.mailboxMails);
  // The last link stays valid, and the next day emails are sent again.
  assert.equal((await act(alerts, "confirm", mails.at(-1)!)).outcome, "found");
  world.clock.advance(DAY_MS);
  assert.equal((await world.mailsOf(process, { address: mails[0]!.to })).length, 1);
  // Another spelling of the address adds no second subscription, which would send the same alert twice.
  await world.mailsOf(process, { address: mails[0]!.to.toUpperCase() });
  assert.equal(world.subscriptions.filter(({ dot }) => dot === DOT).length, 1);
});

Deno.test("the service sends exactly its daily limit of confirmation emails, then refuses and logs one alarm", async () => {
  const { world, process, alerts } = published();
  const others = world.process().alerts;
  const day = new Date(world.clock.now()).toISOString().slice(0, 10);
  const value = { day, mails: ALERT_LIMITS.serviceMails - 2 };
  await world.kv.commit({ checks: [], writes: [{ key: keyOf("total"), value, expireIn: DAY_MS }] });
  const answers = await Promise.all(Array.from({ length: 6 }, (_, i) => {
    const wish = { address: `x${i}@b.co`, dots: [DOT], client: `c${i}` };
    return (i % 2 === 0 ? alerts : others).signUp(wish);
  }));
  await alerts.sweep();
  assert.equal(world.mails().length, 2);
  const paused = answers.filter(({ outcome }) => outcome === "paused");
  // Counted from noon in New York.
  assert.deepEqual(paused, Array(4).fill({ outcome: "paused", retryAfter: 12 * 3600 }));
  const alarms = world.logged.filter((line) => line.startsWith("ALARM: "));
  assert.equal(alarms.length, 1, world.logged.join());

  world.clock.advance(DAY_MS / 2);
  await world.subscribe(process, JANE, DOT);
});

// Regression: 50 networks of /64 used up the day's sign-ups in three seconds.
Deno.test("one provider's network gets at most a tenth of the remaining confirmation emails, and others get the rest", async () => {
  const { alerts } = published();
  let mails = 0;
  const signUps = async (client: (n: number) => string, times: number): Promise<number> => {
    let count = 0;
    for (let i = 0; i < times; i++) {
      const wish = { address: `x${mails++}@b.co`, dots: [DOT], client: client(i) };
      if ((await alerts.signUp(wish)).outcome === "accepted") count++;
    }
    return count;
  };
  assert.equal(await signUps((n) => `2001:db8:${n % 7}:${n}::/64`, 110), 91);
  assert.equal(await signUps((n) => `10.1.${n}.1`, 100), 83);
  assert.equal(await signUps((n) => `10.${n + 2}.0.1`, 9), 9);
});

Deno.test("a client can sign up twenty times a day, and is then told when to retry", async () => {
  const { world, alerts } = published();
  const signUp = (address: string, client = "192.0.2.7") =>
    alerts.signUp({ address, dots: [DOT], client });
  for (let i = 0; i < ALERT_LIMITS.clientSignUps; i++) {
    assert.equal((await signUp(`x${i}@b.co`)).outcome, "accepted");
    world.clock.advance(60_000);
  }
  const retryAfter = (DAY_MS - 20 * 60_000) / 1000;
  assert.deepEqual(await signUp("y@b.co"), { outcome: "too_many", retryAfter });
  assert.equal((await signUp("y@b.co", "b")).outcome, "accepted");
  world.clock.advance(1000 * retryAfter);
  assert.equal((await signUp("y@b.co")).outcome, "accepted");
});

Deno.test("concurrent sign-ups keep to the limits exactly", async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.boolean(), async (scheduler, sameMailbox) => {
      const { world, process } = published([DOT]);
      const processes = [process, world.process()];
      const most = sameMailbox ? ALERT_LIMITS.mailboxMails : ALERT_LIMITS.clientSignUps;
      const wish = (i: number | string) =>
        sameMailbox ? { client: `c${i}` } : { address: `x${i}@b.co`, client: "c" };
      let mails = 0;
      for (let i = 0; i < most - 1; i++) mails += (await world.mailsOf(process, wish(i))).length;
      assert.equal(mails, most - 1);
      world.kv.options = { turn: (label) => scheduler.schedule(Promise.resolve(), label) };
      const answers = await scheduler.waitFor(Promise.all([0, 1, 2].map((i) => {
        const { alerts } = processes[i % 2]!;
        return alerts.signUp({ address: JANE, dots: [DOT], ...wish(`racing-${i}`) });
      })));
      await scheduler.waitFor(Promise.all(processes.map(({ alerts }) => alerts.sweep())));
      world.kv.options = {};
      await process.alerts.sweep();
      assert.equal(world.mails().length, 1);
      const accepted = answers.filter(({ outcome }) => outcome === "accepted").length;
      assert.equal(accepted, sameMailbox ? 3 : 1);
    }),
    { numRuns: 25 },
  );
});
