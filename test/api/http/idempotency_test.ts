import assert from "node:assert/strict";
import { withEachFault } from "../state/fake_kv.ts";
import { putSnapshot, record } from "../../pipeline/snapshot/memory.ts";
import { type Answer, BATCH, call, JOBS, post, type TestService, testService } from "./service.ts";

const MINE = { key: "k", peer: "192.0.2.1" };

/** Makes another snapshot current. The first one stays. */
function moveOn({ objects, clock }: TestService): void {
  putSnapshot(objects, { id: "b", carriers: [record(295017, { legal_name: "LATER NAME" })] });
  clock.advance(61_000);
}

function jobsIn({ kv }: Pick<TestService, "kv">): number {
  return [...kv.entries.values()].filter(({ key }) => key[0] === "job").length;
}

function isReplay({ headers }: Answer): boolean {
  return headers.get("idempotent-replayed") === "true";
}

Deno.test("a key replays its first answer byte for byte for 24 hours, on another day and after the snapshot changed", async () => {
  for (const path of [BATCH, JOBS]) {
    const service = testService();
    const ends = service.clock.now() + 24 * 3_600_000;
    const first = await post(service, path, MINE);
    assert.equal(isReplay(first), false);
    moveOn(service);
    service.clock.advance(20 * 3_600_000);
    const again = await post(service, path, MINE);
    assert.equal(isReplay(again), true);
    assert.deepEqual([again.status, again.text], [first.status, first.text]);
    for (const name of ["content-type", "location", "retry-after", "snapshot-id", "snapshot-age"]) {
      assert.equal(again.headers.get(name), first.headers.get(name), name);
    }
    const other = await post(service, path, { ...MINE, dots: ["1"] });
    assert.deepEqual([other.status, other.body.error.code], [422, "idempotency_key_reused"]);
    service.clock.advance(ends - 1 - service.clock.now());
    assert.equal(isReplay(await post(service, path, MINE)), true);
    service.clock.advance(1);
    const next = await post(service, path, MINE);
    assert.equal(isReplay(next), false);
    assert.equal(next.headers.get("snapshot-id"), "b");
  }
});

Deno.test("keys are separate per client and per operation, and the store has neither keys nor addresses in plain text", async () => {
  const service = testService();
  for (const path of [BATCH, JOBS]) {
    for (const peer of ["192.0.2.1", "192.0.2.2"]) {
      const replayed = [0, 1].map(() => post(service, path, { key: "order no. 4711", peer }));
      assert.deepEqual((await Promise.all(replayed)).map(isReplay).sort(), [false, true]);
    }
  }
  // Letters that no hash or id has: "4711" alone matched one by chance.
  assert.doesNotMatch([...service.kv.entries.keys()].join(), /order|192\.0\.2/);
});

Deno.test("a request without a key is never a replay", async () => {
  const service = testService();
  const peer = "192.0.2.1";
  for (const path of [BATCH, JOBS]) {
    const answers = [await post(service, path, { peer }), await post(service, path, { peer })];
    assert.deepEqual(answers.map(isReplay), [false, false]);
  }
  assert.equal(jobsIn(service), 2);
});

Deno.test("of 20 concurrent requests with one key, one is executed and 19 are replays, all identical", async () => {
  for (const path of [BATCH, JOBS]) {
    const service = testService();
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(service, path, MINE)));
    assert.equal(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1);
    assert.equal(answers[0]!.status, path === BATCH ? 200 : 202);
    assert.equal(answers.filter(isReplay).length, 19);
    assert.equal(jobsIn(service), path === BATCH ? 0 : 1);
  }
});

Deno.test("an answer with numbers that couldn't be read is not stored under its key, and never replayed in part", async () => {
  const service = testService();
  const broken = "s/a/carriers/2950.json.gz";
  service.source.fault = (_, path) => path === broken ? "missing" : null;
  const partly = await post(service, BATCH, MINE);
  assert.deepEqual([partly.status, partly.body.found], [200, 1]);
  service.source.fault = () => null;
  const whole = await post(service, BATCH, MINE);
  assert.deepEqual([isReplay(whole), whole.body.found], [false, 3]);
  service.source.fault = (_, path) => path === broken ? "missing" : null;
  moveOn(service);
  const refused = await post(service, BATCH, MINE);
  assert.deepEqual([refused.status, refused.body.error.code], [503, "upstream_unavailable"]);
  service.source.fault = () => null;
  assert.equal((await post(service, BATCH, MINE)).text, whole.text);
});

Deno.test("a job's key outlives the job: it replays the first answer, with the time the job expired", async () => {
  const service = testService();
  const { body: job } = await post(service, JOBS, MINE);
  service.clock.advance(3_600_000);
  const again = await post(service, JOBS, MINE);
  assert.deepEqual([again.status, isReplay(again)], [202, true]);
  assert.ok(Date.parse(again.body.expires_at) <= service.clock.now());
  const gone = await call(service.app, new URL(job.status_url).pathname);
  assert.deepEqual([gone.status, gone.body.error.code], [404, "job_not_found"]);
  assert.match(gone.body.error.message, /older than 1 hour; .* with a new Idempotency-Key/);
});

Deno.test("a retry with the same key is correct whichever store call fails or loses its answer", async () => {
  for (const path of [BATCH, JOBS]) {
    await withEachFault(async (kv, _, where) => {
      const service = testService({ kv });
      const first = await post(service, path, MINE);
      assert.ok([200, 202, 503].includes(first.status), first.text);
      kv.options = {};
      const again = await post(service, path, MINE);
      if (first.status < 300) assert.deepEqual([again.text, isReplay(again)], [first.text, true]);
      assert.equal(jobsIn({ kv }), path === BATCH ? 0 : 1, where);
    });
  }
});
