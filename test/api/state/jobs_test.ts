import assert from "node:assert/strict";
import { ServiceError } from "../../../api/operations/errors.ts";
import { lookUpItems } from "../../../api/operations/items.ts";
import { JobRunner } from "../../../api/state/jobs_runner.ts";
import { Job } from "../../../api/operations/jobs.ts";
import { NOTE_BYTES } from "../../../api/state/jobs_record.ts";
import { KvUnavailable } from "../../../api/state/kv.ts";
import {
  BASE_URL,
  dotsUpTo,
  itemsOf,
  macrotask,
  plainItem,
  plainLookUp,
  type Process,
  World,
} from "./jobs_world.ts";

const client = "192.0.2.1";

async function makeJob(
  { jobs }: Process,
  dots: number[],
  more: { client?: string; key?: string } = {},
): Promise<string> {
  const idempotency = more.key === undefined
    ? undefined
    : { key: more.key, fingerprint: dots.join() };
  const { id } = await jobs.create({
    client: more.client ?? client,
    dots,
    baseUrl: BASE_URL,
    idempotency,
  });
  assert.notEqual(id, null);
  return id!;
}

function plainItems(dots: number[], snapshot: string): unknown[] {
  return dots.map((dot) => JSON.parse(plainItem(dot, snapshot)));
}

async function rejectsWith(promise: Promise<unknown>, code: string): Promise<ServiceError> {
  const error = await promise.then(() => null, (error) => error);
  assert.ok(error instanceof ServiceError, String(error));
  assert.equal(error.code, code);
  return error;
}

Deno.test("create() answers 202 with the job, its address and when to look", async () => {
  const world = new World();
  const { jobs } = world.process();
  const { response, replayed, id } = await jobs.create({
    client,
    dots: dotsUpTo(1001),
    baseUrl: BASE_URL,
  });
  assert.equal(replayed, false);
  assert.equal(response.status, 202);
  assert.deepEqual(Object.fromEntries(response.headers), {
    "Location": `${BASE_URL}/api/v1/jobs/${id}`,
    "Retry-After": "2",
    "Snapshot-Id": "g1",
  });
  const job = Job.parse(JSON.parse(new TextDecoder().decode(response.body)));
  assert.deepEqual(job, {
    id,
    status: "queued",
    total: 1001,
    done: 0,
    created_at: "2026-10-05T16:00:00.000Z",
    finished_at: null,
    status_url: `${BASE_URL}/api/v1/jobs/${id}`,
    snapshot: { id: "g1", data_date: "2026-10-03" },
  });
  assert.deepEqual(await jobs.get(id!), { job, results: null, free: true });
  assert.ok(![...world.kv.entries.keys()].some((key) => key.includes(client)));
  assert.ok(!JSON.stringify([...world.kv.entries.values()]).includes(client));
});

Deno.test("JobRunner finishes a job with every item in the order asked", async () => {
  const world = new World();
  const process = world.process();
  const dots = [...dotsUpTo(700).reverse(), 5, 5, 0];
  const id = await makeJob(process, dots);
  process.runner.kick(id);
  await process.runner.idle();
  assert.deepEqual(await itemsOf(process, id), plainItems(dots, "g1"));
  const { job, free } = await process.jobs.get(id.toUpperCase());
  assert.equal(job.finished_at, "2026-10-05T16:00:00.000Z");
  assert.equal(free, false);
  assert.deepEqual(world.open, {});
  world.check();
});

Deno.test("JobRunner gives carriers as the single lookup does, and a failed item for the others", async () => {
  const world = new World({ lookUp: lookUpItems });
  const process = world.process();
  const id = await makeJob(process, [5, 0, 7, 95]);
  process.runner.kick(id);
  await process.runner.idle();
  // deno-lint-ignore no-explicit-any -- members are what is tested
  const items = await itemsOf(process, id) as any[];
  assert.deepEqual(
    items.map((item) => item.carrier?.legal_name ?? item.error.code),
    ["CARRIER 5 g1", "invalid_dot_number", "not_found", "CARRIER 95 g1"],
  );
  assert.equal(items[0].carrier.snapshot.id, "g1");
  assert.equal(items[0].carrier.page_url, `${BASE_URL}/carriers/5`);
});

Deno.test("a job stays on the snapshot and the day it was made on, in another process and on another day", async () => {
  const days = new Set<string>();
  const world = new World({
    lookUp: (dots, context) => {
      days.add(context.today);
      return plainLookUp(dots, context);
    },
  });
  const made = await makeJob(world.process(), dotsUpTo(40));
  world.swap();
  world.clock.advance(12 * 3_600_000);
  const process = world.process();
  const other = await makeJob(process, dotsUpTo(40));
  await process.runner.sweep();
  await process.runner.idle();
  assert.deepEqual(await itemsOf(process, made), plainItems(dotsUpTo(40), "g1"));
  assert.deepEqual(await itemsOf(process, other), plainItems(dotsUpTo(40), "g2"));
  assert.deepEqual(days, new Set(["2026-10-05", "2026-10-06"]));
});

Deno.test("get() knows no job of an unknown or malformed id, and none an hour after its end", async () => {
  const world = new World();
  const process = world.process();
  const id = await makeJob(process, [5]);
  for (const bad of ["", "x", `${id}0`, id.slice(1), `${id}\n`, id.replaceAll("-", "")]) {
    const calls = world.kv.calls.length;
    await rejectsWith(process.jobs.get(bad), "job_not_found");
    assert.equal(world.kv.calls.length, calls);
  }
  await rejectsWith(process.jobs.get(crypto.randomUUID()), "job_not_found");
  world.clock.advance(7_200_000);
  process.runner.kick(id);
  await process.runner.idle();
  world.clock.advance(3_599_999);
  await itemsOf(process, id);
  world.clock.advance(1);
  await rejectsWith(process.jobs.get(id), "job_not_found");
  await process.runner.sweep();
  assert.deepEqual([...world.kv.entries.keys()], ['["jobs_open"]']);
});

Deno.test("look() gives back what was noted on a job, which goes when the job goes", async () => {
  const world = new World();
  const process = world.process();
  const note = new Uint8Array(NOTE_BYTES).map((_, i) => i % 251);
  const { id } = await process.jobs.create({ client, dots: [5], baseUrl: BASE_URL, note });
  const seen = await process.jobs.look(id!);
  assert.deepEqual([seen.note, seen.free, seen.job.status], [note, true, "queued"]);
  process.runner.kick(id!);
  await process.runner.idle();
  const { job, free } = await process.jobs.get(id!);
  assert.deepEqual(await process.jobs.look(id!), { job, free, note });
  const plain = await makeJob(process, [5]);
  assert.equal((await process.jobs.look(plain)).note, null);
  process.runner.kick(plain);
  await process.runner.idle();
  world.clock.advance(3_600_000);
  await rejectsWith(process.jobs.look(id!), "job_not_found");
  await process.runner.sweep();
  assert.deepEqual([...world.kv.entries.keys()], ['["jobs_open"]']);
});

Deno.test("create() replays the first answer for the same key, and makes nothing", async () => {
  const world = new World();
  const { jobs } = world.process();
  const ask = (key: string, who = client) =>
    jobs.create({
      client: who,
      dots: [5],
      baseUrl: BASE_URL,
      idempotency: { key, fingerprint: "five" },
    });
  const first = await ask("k");
  world.swap();
  world.clock.advance(1_000);
  const again = await ask("k");
  assert.deepEqual(again, { response: first.response, replayed: true, id: null });
  const races = await Promise.all([
    ask("r"),
    ask("r"),
    world.process().jobs.get(first.id!),
    ask("r"),
  ]);
  assert.equal(races.filter((race) => "replayed" in race && !race.replayed).length, 1);
  assert.equal((await ask("k", "192.0.2.2")).replayed, false);
  assert.equal(Object.keys(world.open).length, 3);
  await rejectsWith(
    jobs.create({
      client,
      dots: [7],
      baseUrl: BASE_URL,
      idempotency: { key: "k", fingerprint: "seven" },
    }),
    "idempotency_key_reused",
  );
});

Deno.test("create() takes no more than the limits, exactly, whoever races", async () => {
  const limits = { clientItems: 10, items: 25, jobs: 6 };
  const world = new World({ limits });
  const processes = [world.process(), world.process()];
  const results = await Promise.allSettled(
    Array.from(
      { length: 40 },
      (_, i) => makeJob(processes[i % 2]!, dotsUpTo(1 + i % 4), { client: `192.0.2.${i % 5}` }),
    ),
  );
  const open = Object.values(world.open);
  const made = results.filter(({ status }) => status === "fulfilled").length;
  assert.equal(open.length, made);
  assert.ok(made > 0 && made <= limits.jobs);
  for (const result of results) {
    if (result.status === "fulfilled") continue;
    const { code, status, retryAfter, message } = result.reason as ServiceError;
    assert.deepEqual([code, status, retryAfter], ["rate_limited", 429, 10]);
    assert.match(message, /^Cannot take this job: /);
  }
});

Deno.test("create() counts the items of a client and of all until a job is finished", async () => {
  const world = new World({ limits: { clientItems: 10, items: 15, jobs: 3 } });
  const process = world.process();
  const id = await makeJob(process, dotsUpTo(8));
  await makeJob(process, dotsUpTo(2));
  const { message } = await rejectsWith(makeJob(process, [1]), "rate_limited");
  assert.match(message, /10 numbers of yours are waiting, at most 10/);
  await rejectsWith(makeJob(process, dotsUpTo(6), { client: "b" }), "rate_limited");
  await makeJob(process, dotsUpTo(5), { client: "b" });
  process.runner.kick(id);
  await process.runner.idle();
  await makeJob(process, dotsUpTo(8));
  await rejectsWith(makeJob(process, [1], { client: "c" }), "rate_limited");
});

Deno.test("create() throws upstream_unavailable while there is no snapshot, and makes nothing", async () => {
  const world = new World();
  world.source.fault = () => "error";
  const error = await rejectsWith(makeJob(world.process(), [5]), "upstream_unavailable");
  assert.equal(error.retryAfter, 10);
  assert.deepEqual(world.open, {});
});

Deno.test("create() finds its job again when the answer of the commit is lost", async () => {
  const world = new World({ fault: ({ kind }) => kind === "commit" ? "lost" : undefined });
  await makeJob(world.process(), [5]);
  assert.equal(Object.keys(world.open).length, 1);
  const dead = new World({ fault: ({ kind }) => kind === "commit" ? "error" : undefined });
  await assert.rejects(makeJob(dead.process(), [5]), KvUnavailable);
});

Deno.test("a slice too big for one commit goes in several, and an item too big for any fails alone", async () => {
  const noise = (bytes: number): string => {
    let text = "";
    for (let i = 0; i < bytes; i += 65_536) {
      text += btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(49_152))));
    }
    return text;
  };
  const texts = new Map<number, string>();
  const world = new World({
    lookUp: (dots, { snapshot }) =>
      Promise.resolve(dots.map((dot) => {
        if (dot % 8 !== 0) return plainItem(dot, snapshot.id);
        if (!texts.has(dot)) texts.set(dot, noise(dot === 16 ? 1_200_000 : 400_000));
        return JSON.stringify({ dot: String(dot), noise: texts.get(dot) });
      })),
  });
  const process = world.process();
  const id = await makeJob(process, dotsUpTo(40));
  process.runner.kick(id);
  await process.runner.idle();
  // deno-lint-ignore no-explicit-any -- members are what is tested
  const items = await itemsOf(process, id) as any[];
  assert.deepEqual(items.map(({ dot }) => dot), dotsUpTo(40).map(String));
  for (const item of items) {
    if (item.dot === "16") assert.equal(item.error.code, "upstream_unavailable");
    else if (Number(item.dot) % 8 === 0) assert.equal(item.noise, texts.get(Number(item.dot)));
  }
  world.check();
});

Deno.test("stop() hands the lease back, so that another goes on at once from the cursor", async () => {
  const world = new World({
    // The second slice never comes, whatever the signal says.
    lookUp: (dots, context) => dots[0] === 1 ? plainLookUp(dots, context) : new Promise(() => {}),
  });
  const first = world.process();
  const dots = dotsUpTo(100);
  const id = await makeJob(first, dots);
  first.runner.kick(id);
  while (world.record(id).cursor === 0) await macrotask();
  await first.runner.stop();
  const { cursor, lease_until, attempts } = world.record(id);
  assert.deepEqual([cursor, lease_until, attempts], [32, 0, 1]);
  first.runner.kick(id);
  await first.runner.sweep();
  await first.runner.idle();
  assert.equal(world.record(id).attempts, 1);
  const { job, free } = await first.jobs.get(id);
  assert.deepEqual([job.status, job.done, free], ["running", 32, true]);
  const second = new World({ lookUp: plainLookUp });
  for (const [name, entry] of world.kv.entries) second.kv.entries.set(name, entry);
  const other = second.process();
  await other.runner.sweep();
  await other.runner.idle();
  assert.deepEqual(await itemsOf(other, id), plainItems(dots, "g1"));
});

Deno.test("stop() of a runner with nothing to do ends", async () => {
  await new World().process().runner.stop();
});

Deno.test("kick() works on two jobs at a time, in order, each once", async () => {
  let now = 0;
  let most = 0;
  const world = new World({
    lookUp: async (dots, context) => {
      most = Math.max(most, ++now);
      await macrotask();
      now--;
      return await plainLookUp(dots, context);
    },
  });
  const process = world.process();
  const ids: string[] = [];
  for (let n = 0; n < 6; n++) ids.push(await makeJob(process, dotsUpTo(20)));
  for (const id of [...ids, ...ids, crypto.randomUUID(), "junk"]) process.runner.kick(id);
  await process.runner.idle();
  assert.equal(most, 2);
  for (const id of ids) assert.equal(world.record(id).attempts, 1);
  world.check();
});

Deno.test("a job whose snapshot cannot be read waits a while and then ends with upstream_unavailable", async () => {
  const waits: number[] = [];
  const world = new World({
    lookUp: lookUpItems,
    sleep: (ms) => {
      waits.push(ms);
      return macrotask();
    },
  });
  const dots = [5, 0, 15, ...dotsUpTo(100)];
  const id = await makeJob(world.process(), dots);
  for (const path of world.objects.keys()) if (path !== "current.json") world.objects.delete(path);
  const process = world.process();
  process.runner.kick(id);
  await process.runner.idle();
  // deno-lint-ignore no-explicit-any -- members are what is tested
  const items = await itemsOf(process, id) as any[];
  assert.deepEqual(items.map(({ dot }) => dot), dots.map(String));
  const codes = items.map(({ error }) => error.code);
  assert.equal(codes[1], "invalid_dot_number");
  assert.deepEqual(new Set(codes), new Set(["upstream_unavailable", "invalid_dot_number"]));
  assert.deepEqual(waits, [1_000, 2_000, 4_000]);
  assert.ok(world.logged.length > 0);
});

Deno.test("a snapshot that can be read again in time leaves no failed item behind", async () => {
  const waits: number[] = [];
  const world = new World({
    lookUp: lookUpItems,
    sleep: (ms) => {
      waits.push(ms);
      return macrotask();
    },
  });
  const process = world.process();
  const id = await makeJob(process, [5, 105, 205, 305]);
  let failures = 0;
  world.source.fault = (_, path) => {
    if (!path.includes("/carriers/") || failures === 13) return null;
    failures++;
    return "truncated";
  };
  process.runner.kick(id);
  await process.runner.idle();
  // deno-lint-ignore no-explicit-any -- members are what is tested
  const items = await itemsOf(process, id) as any[];
  assert.deepEqual(items.map(({ ok }) => ok), [true, true, true, true]);
  // Three times nothing could be read; then one shard only was left to be read again.
  assert.deepEqual(waits, [1_000, 2_000, 4_000, 200]);
});

Deno.test("sweep() drops open jobs that are gone or a day old, and takes the others up", async () => {
  const world = new World();
  const process = world.process();
  const gone = await makeJob(process, [5]);
  const old = await makeJob(process, [15]);
  world.clock.advance(24 * 3_600_000);
  const fresh = await makeJob(process, [25]);
  world.kv.entries.delete(JSON.stringify(["job", gone]));
  await rejectsWith(process.jobs.get(old), "job_not_found");
  await process.runner.sweep();
  await process.runner.idle();
  assert.deepEqual(world.open, {});
  assert.deepEqual(await itemsOf(process, fresh), plainItems([25], "g1"));
  assert.equal(world.record(old).attempts, 0);
});

Deno.test("sweep() does not drop a job that is made while it sweeps", async () => {
  const world = new World();
  const process = world.process();
  const gone = await makeJob(process, [5]);
  world.kv.entries.delete(JSON.stringify(["job", gone]));
  let made: Promise<string> | undefined;
  world.kv.options = {
    turn: async (label) => {
      if (made !== undefined || !/^commit \d+ reaches/.test(label)) return;
      made = makeJob(world.process(), [15]);
      await made;
    },
  };
  await process.runner.sweep();
  assert.deepEqual(new Set(Object.keys(world.open)), new Set([gone, await made!]));
  await process.runner.sweep();
  await process.runner.idle();
  assert.deepEqual(world.open, {});
});

Deno.test("sweep() leaves a job alone while its lease holds", async () => {
  const world = new World({ lookUp: () => new Promise(() => {}) });
  const first = world.process();
  const id = await makeJob(first, [5]);
  first.runner.kick(id);
  await macrotask();
  const second = world.process();
  for (const [ms, attempts] of [[29_999, 1], [1, 2]] as const) {
    world.clock.advance(ms);
    await second.runner.sweep();
    await macrotask();
    assert.equal(world.record(id).attempts, attempts);
  }
  await Promise.all([first.runner.stop(), second.runner.stop()]);
});

Deno.test("a worker whose commits took place but were not answered goes on without losing its lease", async () => {
  const world = new World();
  const process = world.process();
  const id = await makeJob(process, dotsUpTo(100));
  world.kv.options = { fault: ({ kind }) => kind === "commit" ? "lost" : undefined };
  process.runner.kick(id);
  await process.runner.idle();
  assert.deepEqual(await itemsOf(process, id), plainItems(dotsUpTo(100), "g1"));
  assert.equal(world.record(id).attempts, 1);
  world.check();
});

Deno.test("nothing is thrown when the store is gone", async () => {
  const world = new World();
  const process = world.process();
  const id = await makeJob(process, [5]);
  world.kv.options = { fault: () => "error" };
  process.runner.kick(id);
  await process.runner.sweep();
  await process.runner.idle();
  await process.runner.stop();
  assert.ok(process.runner instanceof JobRunner);
  assert.equal(world.logged.length, 2);
});
