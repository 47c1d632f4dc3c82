import assert from "node:assert/strict";
import { record } from "../../pipeline/snapshot/memory.ts";
import {
  changeAll,
  DAY_MS,
  DOT,
  HOUR_MS,
  MINUTE_MS,
  published,
  subscribed,
  World,
} from "./world.ts";

function news(world: World): string[] {
  return world.mails().map(({ subject }) => subject.replace(/.*: /, ""));
}

Deno.test("over a year of days and snapshots, each deadline and change is emailed once", async () => {
  const world = new World("2026-10-05");
  world.publish([{ dot: DOT, mcs150_date: "2025-01-10" }, { dot: 295012 }]);
  const process = world.process();
  await world.subscribe(process, "a@b.co", DOT);
  const mailed: string[] = [];
  for (let day = 0; day < 365; day++) {
    world.clock.advance(DAY_MS);
    // The service is down on the 30th day before the deadline. Each day has four sweeps.
    if (day === 87) continue;
    if (day % 3 === 0) world.publish(day === 150 ? [{ dot: DOT, rating: "C" }] : []);
    for (let sweep = 0; sweep < 4; sweep++) await process.alerts.sweep();
    mailed.push(...world.mails().map(({ day, subject }) => `${day} ${subject}`));
  }
  assert.deepEqual(mailed, [
    `2027-01-02 CARRIER ${DOT} (USDOT ${DOT}): MCS-150 due in 29 days`,
    `2027-01-24 CARRIER ${DOT} (USDOT ${DOT}): MCS-150 due in 7 days`,
    `2027-01-30 CARRIER ${DOT} (USDOT ${DOT}): MCS-150 due tomorrow`,
    `2027-03-05 CARRIER ${DOT} (USDOT ${DOT}): safety rating now Conditional`,
  ]);
});

Deno.test("a run covers all mailboxes page by page, another process can finish it, and without news it writes only its own state", async () => {
  const { world, alerts } = await subscribed(120);
  changeAll(world);
  const before = world.run;
  let reads = 0;
  let stopped: Promise<void> | undefined;
  world.source.fault = (_read, path) => {
    if (path.includes("/carriers/") && ++reads === 3) stopped ??= alerts.stop();
    return null;
  };
  await alerts.sweep();
  await stopped;
  assert.deepEqual([world.run, world.mails()], [before, []]);
  const other = world.process().alerts;
  await other.sweep();
  assert.equal(new Set(world.mails().map(({ to }) => to)).size, 120);
  assert.ok(world.logged.some((line) => /120 subscriptions, 120 with news$/.test(line)));
  const { commits } = world.kv;
  world.clock.advance(DAY_MS);
  await other.sweep();
  assert.equal(world.kv.commits - commits, 1);
});

Deno.test("a second snapshot on the same day gets a run, and a second change of a carrier waits for the next day", async () => {
  const { world, alerts } = await subscribed(2);
  const [first, second] = [1005, 1015];
  world.clock.advance(DAY_MS);
  world.publish([{ dot: first, status: "I" }], "2026-10-06");
  await alerts.sweep();
  world.publish([{ dot: first, rating: "U" }, { dot: second, status: "I" }], "2026-10-07");
  await alerts.sweep();
  assert.deepEqual(news(world), ["now inactive", "now inactive"]);
  world.clock.advance(DAY_MS);
  world.publishAll([record(first, { status: "I", rating: "U" })], "2026-12-01");
  await alerts.sweep();
  assert.equal(world.run!.data_date, "2026-12-01");
  assert.deepEqual(news(world).sort(), [
    "no longer in the census",
    "safety rating now Unsatisfactory",
  ]);
});

Deno.test("carriers that can't be read are checked the next day and delay no others; a snapshot with none readable is retried for some minutes", async () => {
  const { world, alerts } = await subscribed(60);
  /** Sweeps each minute while objects of the snapshot cannot be read. */
  const sweepWithout = async (part: string, minutes: number): Promise<number> => {
    world.source.fault = (_read, path) => path.includes(part) ? "missing" : null;
    for (let minute = 0; minute < minutes; minute++) {
      await alerts.sweep();
      world.clock.advance(MINUTE_MS);
    }
    world.source.fault = () => null;
    return world.mails().length;
  };
  const hasLogged = (text: string) => assert.ok(world.logged.some((line) => line.endsWith(text)));
  changeAll(world);
  assert.equal(await sweepWithout("/carriers/10.json.gz", 1), 50);
  hasLogged("50 with news, 10 carriers could not be read");
  assert.equal(await sweepWithout("nothing", 1), 0);
  world.clock.advance(DAY_MS);
  assert.equal(await sweepWithout("nothing", 1), 10);

  changeAll(world, "A");
  assert.equal(await sweepWithout("/carriers/", 3), 0);
  assert.equal(await sweepWithout("nothing", 1), 60);
  changeAll(world, "I");
  assert.equal(await sweepWithout("/carriers/", 10), 0);
  hasLogged("0 with news, 60 carriers could not be read");
  assert.equal(world.run!.day, world.today());
});

Deno.test("an email waits while its carrier can't be read, and sign-ups are answered meanwhile", async () => {
  const { world, process } = await subscribed(2);
  changeAll(world);
  world.server.outcome = () => "later";
  await process.alerts.sweep();
  await world.mailsOf(process, { address: "new@b.co", dots: [1005] });
  world.server.outcome = () => "sent";
  world.clock.advance(HOUR_MS);
  const { alerts } = world.process();
  world.source.fault = () => "error";
  await alerts.sweep();
  assert.deepEqual(world.mails().map(({ to }) => to), ["new@b.co"]);
  world.source.fault = () => null;
  await alerts.sweep();
  assert.equal(world.mails().length, 2);
});

Deno.test("a run's day is the day in New York", async () => {
  // 03:30 UTC on Jan 2 is still Jan 1 in New York: 30 days before the deadline.
  const { world, process } = published([]);
  world.clock.advance(Date.parse("2026-12-31T16:00:00Z") - world.clock.now());
  world.publish([{ dot: DOT, mcs150_date: "2025-01-10" }]);
  await world.subscribe(process, "a@b.co", DOT);
  world.clock.advance(35 * HOUR_MS + 30 * MINUTE_MS);
  await process.alerts.sweep();
  assert.match(world.mails()[0]!.subject, /in 30 days$/);
  assert.equal(world.run!.day, "2027-01-01");
});

Deno.test("a clock that was years ahead for a while blocks no alert or sign-up once it is corrected", async () => {
  for (const outcome of ["sent", "down"] as const) {
    const { world, process, alerts } = await subscribed(2);
    world.server.outcome = () => outcome;
    const dots = [1005, 1015];
    world.clock.advance(DAY_MS);
    const dataDate = world.today();
    world.clock.advance(1_000 * DAY_MS);
    // Only this service's clock is wrong. The snapshot's date is correct.
    world.publish(dots.map((dot) => ({ dot, status: "I" })), dataDate);
    await alerts.sweep();
    await alerts.signUp({ address: "late@b.co", dots: [1005], client: "c" });
    await alerts.sweep();
    world.mails();
    world.server.outcome = () => "sent";
    world.clock.advance(-1_000 * DAY_MS);
    world.clock.advance(DAY_MS);
    world.publish(dots.map((dot) => ({ dot, rating: "U" })));
    await alerts.sweep();
    const to = world.mails().map(({ to }) => to);
    const late = outcome === "down" ? ["late@b.co"] : [];
    assert.deepEqual(to.toSorted(), [...late, "x1005@b.co", "x1015@b.co"], outcome);
    await world.subscribe(process, "new@b.co", 1015);
  }
});
