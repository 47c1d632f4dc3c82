import assert from "node:assert/strict";
import { DAY_MS, HOUR_MS, MINUTE_MS, type Process, World } from "./world.ts";

const DOT = 295011;

async function withSubscribers(count: number): Promise<{ world: World; process: Process }> {
  const world = new World();
  // Their deadlines are in May.
  const dots = Array.from({ length: count }, (_, i) => ({ dot: 1005 + 10 * i }));
  world.publish(dots);
  const process = world.process();
  for (const { dot } of dots) await world.subscribe(process, { address: `x${dot}@b.co`, dot });
  world.clock.advance(DAY_MS);
  await process.alerts.sweep();
  assert.deepEqual(world.mails(), []);
  return { world, process };
}

function everyone(world: World, status: "A" | "I"): void {
  const dots = world.mailboxes.flatMap(({ subscriptions }) => subscriptions.map(({ dot }) => dot));
  world.publish(dots.map((dot) => ({ dot, status })));
}

Deno.test("a year of days and snapshots emails deadlines and changes, each once", async () => {
  const world = new World("2026-10-05");
  world.publish([{ dot: DOT, mcs150_date: "2025-01-10" }, { dot: 295012 }]);
  const process = world.process();
  await world.subscribe(process, { address: "a@b.co", dot: DOT });
  const mailed: string[] = [];
  for (let day = 0; day < 365; day++) {
    world.clock.advance(DAY_MS);
    // The service is down on the 30th day before the deadline; a day has four sweeps.
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

Deno.test("a run covers all mailboxes page by page, and one without news writes no mailbox", async () => {
  const { world, process } = await withSubscribers(120);
  everyone(world, "I");
  world.clock.advance(DAY_MS);
  await process.alerts.sweep();
  assert.equal(new Set(world.mails().map(({ to }) => to)).size, 120);
  assert.ok(world.logged.some((line) => /120 subscriptions, 120 emails$/.test(line)));
  const { commits } = world.kv;
  world.clock.advance(DAY_MS);
  await process.alerts.sweep();
  assert.ok(world.kv.commits - commits < 6);
});

Deno.test("a second snapshot of a day gets a run, and a second change of a carrier waits for the next day", async () => {
  const { world, process } = await withSubscribers(2);
  const [first, second] = [1005, 1015];
  world.clock.advance(DAY_MS);
  world.publish([{ dot: first, status: "I" }], "2026-10-06");
  await process.alerts.sweep();
  world.publish([{ dot: first, rating: "U" }, { dot: second, status: "I" }], "2026-10-07");
  await process.alerts.sweep();
  assert.deepEqual(world.mails().map(({ subject }) => subject.replace(/.*: /, "")), [
    "now inactive",
    "now inactive",
  ]);
  world.clock.advance(DAY_MS);
  await process.alerts.sweep();
  assert.deepEqual(world.mails().map(({ subject }) => subject.replace(/.*: /, "")), [
    "safety rating now Unsatisfactory",
  ]);
});

Deno.test("a run that is stopped is done by another process at once", async () => {
  const { world, process } = await withSubscribers(60);
  everyone(world, "I");
  world.clock.advance(DAY_MS);
  let reads = 0;
  let stopped: Promise<void> | undefined;
  world.source.fault = (_read, path) => {
    if (path.includes("/carriers/") && ++reads === 3) stopped ??= process.alerts.stop();
    return null;
  };
  await process.alerts.sweep();
  await stopped;
  assert.equal(world.run.done, false);
  world.source.fault = () => null;
  await world.process().alerts.sweep();
  assert.equal(world.run.done, true);
  assert.equal(world.mails().length, 60);
});

Deno.test("a run that a newer snapshot overtakes ends, and says nothing that is outdated", async () => {
  const { world, process } = await withSubscribers(60);
  everyone(world, "I");
  world.clock.advance(DAY_MS);
  const other = world.process();
  let overtaken = false;
  world.kv.options = {
    async turn(label) {
      if (overtaken || !/^list \d+ is answered/.test(label)) return;
      overtaken = true;
      everyone(world, "A");
      await other.alerts.sweep();
    },
  };
  await process.alerts.sweep();
  assert.deepEqual([world.run.snapshot_id, world.run.done], ["g3", true]);
  assert.deepEqual(world.mails(), []);
});

Deno.test("a carrier that cannot be read is checked the next day, and delays no other", async () => {
  const { world, process } = await withSubscribers(60);
  everyone(world, "I");
  world.clock.advance(DAY_MS);
  world.source.fault = (_read, path) => path.endsWith("/carriers/10.json.gz") ? "error" : null;
  await process.alerts.sweep();
  assert.equal(world.mails().length, 50);
  assert.ok(world.logged.some((line) => /50 emails, 10 carriers could not be read/.test(line)));
  world.source.fault = () => null;
  await process.alerts.sweep();
  assert.equal(world.mails().length, 0);
  world.clock.advance(DAY_MS);
  await process.alerts.sweep();
  assert.equal(world.mails().length, 10);
});

Deno.test("a snapshot that cannot be read is tried for some minutes", async () => {
  const { world, process } = await withSubscribers(3);
  everyone(world, "I");
  world.clock.advance(DAY_MS);
  world.source.fault = (_read, path) => path.includes("/carriers/") ? "missing" : null;
  for (let minute = 0; minute < 3; minute++) {
    await process.alerts.sweep();
    world.clock.advance(MINUTE_MS);
  }
  assert.equal(world.run.done, false);
  world.source.fault = () => null;
  await process.alerts.sweep();
  assert.equal(world.mails().length, 3);

  world.clock.advance(DAY_MS);
  world.source.fault = (_read, path) => path.includes("/carriers/") ? "missing" : null;
  for (let minute = 0; minute < 10; minute++) {
    await process.alerts.sweep();
    world.clock.advance(MINUTE_MS);
  }
  assert.equal(world.run.done, true);
  assert.ok(world.logged.some((line) => /0 emails, 3 carriers could not be read$/.test(line)));
});

Deno.test("a carrier that is not in the census any more is not written about", async () => {
  const { world, process } = await withSubscribers(1);
  const bare = new World();
  bare.publish([{ dot: 5 }], "2026-12-01");
  for (const [path, bytes] of bare.objects) world.objects.set(path, bytes);
  world.clock.advance(DAY_MS);
  await process.alerts.sweep();
  assert.equal(world.run.done, true);
  assert.deepEqual(world.mails(), []);
});

Deno.test("the day of a run is New York's", async () => {
  // 03:30 UTC on 2 January is still the day before in New York: 30 days before the deadline.
  const world = new World("2026-12-31");
  world.publish([{ dot: DOT, mcs150_date: "2025-01-10" }]);
  const process = world.process();
  await world.subscribe(process, { address: "a@b.co", dot: DOT });
  world.clock.advance(35 * HOUR_MS + 30 * MINUTE_MS);
  await process.alerts.sweep();
  assert.match(world.mails()[0]!.subject, /in 30 days$/);
  assert.equal(world.run.day, "2027-01-01");
});
