import assert from "node:assert/strict";
import { SmtpMailer } from "../../../api/alerts/smtp_mailer.ts";
import { startScripted } from "./smtp_server.ts";
import {
  act,
  changeAll,
  DAY_MS,
  DOT,
  HOUR_MS,
  JANE,
  MINUTE_MS,
  OTHER,
  type Process,
  published,
  subscribed,
  World,
} from "./world.ts";

/** `count` subscriptions, each to its own carrier from its own mailbox, after all these carriers have changed. */
async function withNews(count = 1) {
  const found = await subscribed(count);
  changeAll(found.world);
  return found;
}

/** Sweeps for `count` minutes: every minute, or every ten minutes if it is more than an hour. */
async function minutes(
  world: World,
  count: number,
  { alerts }: Pick<Process, "alerts"> = world.process(),
): Promise<void> {
  const step = count > 60 ? 10 : 1;
  for (let i = 0; i < count; i += step) {
    await alerts.sweep();
    world.clock.advance(step * MINUTE_MS);
  }
}

Deno.test("an email that couldn't be sent is retried with growing delays until it is sent", async () => {
  const cases = [
    { outcome: "later", count: 1, hours: 72, least: 11, most: 19 },
    { outcome: "down", count: 30, hours: 5, least: 1, most: 14 },
  ] as const;
  for (const { outcome, count, hours, least, most } of cases) {
    const { world, process } = await withNews(count);
    world.server.outcome = () => outcome;
    await minutes(world, hours * 60, process);
    const { attempts } = world.server;
    assert.ok(attempts >= least && attempts <= most, `${outcome}: ${attempts}`);
    assert.equal(world.due.length, count);
    assert.ok(world.subscriptions.every(({ bounces }) => bounces === 0));
    world.server.outcome = () => "sent";
    await minutes(world, 6 * 60, process);
    assert.equal(new Set(world.mails().map(({ to }) => to)).size, count);
    assert.deepEqual(world.due, []);
  }
});

Deno.test("three permanent refusals in a row delete a subscription and its address", async () => {
  const { world, process } = await subscribed();
  const outcomes = ["refused", "refused", "sent", "refused", "unknown", "refused", "refused"];
  const bounces: (number | undefined)[] = [];
  for (const [day, outcome] of outcomes.entries()) {
    changeAll(world, day % 2 === 0 ? "I" : "A");
    world.server.outcome = () => outcome as "refused";
    await process.alerts.sweep();
    bounces.push(world.subscriptions[0]?.bounces);
  }
  assert.deepEqual(bounces, [1, 2, 0, 1, 1, 2, undefined]);
  assert.ok(!JSON.stringify([...world.kv.entries.values()]).includes("@b.co"));
});

/** Runs `work` once, while the first email is being sent. */
function during(world: World, work: () => Promise<unknown>): void {
  world.server.turn = async () => {
    world.server.turn = () => Promise.resolve();
    await work();
  };
}

Deno.test("a sign-up during the sending of an older one's email leads to one email with all carriers", async () => {
  const { world, process, alerts } = published();
  const signUp = (...dots: number[]) => alerts.signUp({ address: JANE, dots, client: "a" });
  world.server.outcome = (_, attempt) => attempt === 1 ? "later" : "sent";
  during(world, () => signUp(DOT, OTHER));
  await signUp(DOT);
  await minutes(world, 20, process);
  const subjects = world.mails().map(({ subject }) => subject);
  assert.deepEqual(subjects, ["Confirm email alerts for 2 carriers"]);
});

Deno.test("a process leaves an email alone while another one is sending it", async () => {
  const { world, process } = await withNews();
  world.server.outcome = (_, attempt) => attempt === 1 ? "later" : "sent";
  during(world, () => world.process().alerts.sweep());
  await process.alerts.sweep();
  assert.deepEqual([world.server.attempts, world.unknown], [1, 0]);
  await minutes(world, 10);
  assert.equal(world.mails().length, 1);
});

Deno.test("a process that slept past its claim does not send", async () => {
  const { world, process } = await withNews();
  let commits = 0;
  world.kv.options = {
    turn(label) {
      // The third commit is the claim. The first two mark the mailbox and end the run.
      if (/^commit .* answered/.test(label) && ++commits === 3) world.clock.advance(HOUR_MS);
      return Promise.resolve();
    },
  };
  await process.alerts.sweep();
  assert.equal(world.server.attempts, 0);
  await minutes(world, 10, process);
  assert.equal(world.mails().length, 1);
});

Deno.test("an alert claimed before midnight and handed over after it counts for both days", async () => {
  const { world, process } = await subscribed();
  // A minute before midnight in New York.
  world.clock.advance(12 * HOUR_MS - MINUTE_MS);
  world.publish([{ dot: 1005, status: "I" }]);
  during(world, () => Promise.resolve(world.clock.advance(2 * MINUTE_MS)));
  await process.alerts.sweep();
  const today = world.today();
  world.publish([{ dot: 1005, status: "A" }]);
  await minutes(world, 3 * 24 * 60, process);
  const days = world.mails().map(({ day }) => day);
  assert.equal(days.length, 2);
  assert.equal(days[0], today);
  assert.ok(days[1]! > today, days.join());
});

Deno.test("a subscription that ends and starts again gets no second alert on the same day", async () => {
  const { world, process, alerts } = await withNews();
  const { link, address, dot } = world.subscriptions[0]!;
  await alerts.sweep();
  assert.equal(world.mails().length, 1);
  await act(alerts, "unsubscribe", link);
  assert.ok(!JSON.stringify([...world.kv.entries.values()]).includes(address));
  await world.subscribe(process, address, dot);
  world.publish([{ dot, status: "A" }], "2026-10-09");
  await minutes(world, 3 * HOUR_MS / MINUTE_MS, process);
  assert.deepEqual(world.mails(), []);
  await minutes(world, 24 * HOUR_MS / MINUTE_MS, process);
  const [mail] = world.mails();
  assert.equal(mail!.to, address);
  await act(alerts, "unsubscribe", mail!);
  assert.equal(world.mailboxes.length, 1);
  await minutes(world, 48 * HOUR_MS / MINUTE_MS, process);
  assert.deepEqual(world.mailboxes, []);
});

Deno.test("a late result of an email changes nothing after a newer claim, and is counted as lost", async () => {
  for (const outcome of ["sent", "later", "down", "refused", "unknown"] as const) {
    const { world, process } = published([DOT, OTHER]);
    await world.subscribe(process, JANE, DOT, OTHER);
    changeAll(world);
    world.server.attempts = 0;
    const handedOver = world.server.handedOver.length;
    const claimed = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    world.server.outcome = (_, attempt) => attempt === 1 ? outcome : "sent";
    let other = Promise.resolve();
    world.server.turn = async (label) => {
      if (label === "mail 1 is answered") {
        world.clock.advance(HOUR_MS);
        other = world.process().alerts.sweep();
        await claimed.promise;
      } else if (label === "mail 2 reaches the server") {
        claimed.resolve();
        await released.promise;
      }
    };
    await process.alerts.sweep();
    const { sending } = world.mailboxes[0]!;
    assert.ok(sending !== null && sending.until > world.clock.now(), outcome);
    assert.ok(world.logged.includes("Emails: 1 lost"), outcome);
    released.resolve();
    await other;
    assert.ok(world.logged.includes("Emails: 1 unknown, 1 sent"), world.logged.join());
    await minutes(world, 3 * 24 * 60, process);
    assert.equal(world.server.attempts, 2, outcome);
    const isHandedOver = outcome === "sent" || outcome === "unknown";
    assert.equal(world.server.handedOver.length - handedOver, isHandedOver ? 2 : 1);
    assert.deepEqual(world.due, []);
    for (const { seen, bounces } of world.subscriptions) {
      assert.deepEqual([seen.data_date, bounces], [world.dataDate, 0]);
    }
  }
});

Deno.test("news that arrives while a mailbox is being read is still sent", async () => {
  const world = new World();
  world.publish([{ dot: DOT }, { dot: 295021 }]);
  const process = world.process();
  const { alerts } = world.process();
  await world.subscribe(process, JANE, DOT, 295021);
  world.clock.advance(DAY_MS);
  world.publish([{ dot: DOT, status: "I" }]);
  let reads = 0;
  world.kv.options = {
    async turn(label) {
      // Reads 1 to 5 are of the run, the mark, the claim (2) and the result. Reads 6 and 7 are of the next claim,
      // which finds everything sent.
      if (!/^get .* answered/.test(label) || ++reads !== 7) return;
      world.server.outcome = () => "later";
      world.publish([{ dot: 295021, status: "I" }], "2026-10-09");
      await alerts.sweep();
    },
  };
  await process.alerts.sweep();
  world.server.outcome = () => "sent";
  await minutes(world, 10);
  assert.deepEqual(
    world.mails().map(({ subject }) => subject.slice(-12)),
    Array(2).fill("now inactive"),
  );
});

Deno.test("a stopping process does not wait for a mail server that hangs", async () => {
  const hanging = await startScripted("RCPT", "hang");
  const url = `smtp://127.0.0.1:${hanging.port}`;
  const { world } = await withNews();
  const from = { name: "", address: "alerts@carriers.example" };
  const { alerts } = world.process(new SmtpMailer({ url, from }));
  const sweep = alerts.sweep();
  await hanging.reached;
  await alerts.stop();
  await sweep;
  await hanging.close();
  const line = "An email was not sent (down): CONN ENDED";
  assert.ok(world.logged.includes(line), world.logged.join());
});

Deno.test("a sign-up sends its email immediately, and does not wait for it", async () => {
  const { world, alerts } = published();
  const reached = Promise.withResolvers<void>();
  world.server.turn = () => {
    reached.resolve();
    return new Promise(() => {});
  };
  const { outcome } = await alerts.signUp({ address: JANE, dots: [DOT], client: "a" });
  assert.equal(outcome, "accepted");
  await reached.promise;
});

Deno.test("the log never contains an address, whatever fails while sending", async () => {
  for (const outcome of ["later", "down", "refused", "unknown"] as const) {
    const { world, process } = await withNews();
    world.server.outcome = () => outcome;
    await minutes(world, 300, process);
    assert.ok(world.logged.length > 1);
    for (const line of world.logged) assert.doesNotMatch(line, /x1005|@|b\.co|token-/);
  }
});
