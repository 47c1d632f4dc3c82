import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import type { FakeKv } from "../state/fake_kv.ts";
import { type Objects, putSnapshot, record } from "../../pipeline/snapshot/memory.ts";
import { BATCH, JOBS, post } from "./batches.ts";
import { BASE_URL, call, from, type TestService, testService } from "./service.ts";

const dots = Array.from({ length: 2_000 }, (_, i) => 100 * i + 17);
/** A snapshot of 2,000 shards of one carrier. */
const LARGE: Objects = new Map();
putSnapshot(LARGE, { id: "large", carriers: dots.map((dot) => record(dot)) });

/** A service on that snapshot, and a job for all of its carriers. */
async function largeJob(): Promise<TestService & { path: string }> {
  const service = testService();
  for (const [path, bytes] of LARGE) service.objects.set(path, bytes);
  const { body } = await post(service, JOBS, { body: { dots: dots.map(String) } });
  return { ...service, path: `${JOBS}/${body.id}` };
}

function get(
  { app }: TestService,
  path: string,
  { peer, headers = {} }: { peer?: string; headers?: Record<string, string> } = {},
): Promise<Response> {
  return Promise.resolve(
    app.fetch(new Request(`http://localhost${path}`, { headers }), from(peer)),
  );
}

function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}

function stored(kv: FakeKv, kind: string): unknown[] {
  return [...kv.entries.values()].filter(({ key }) => key[0] === kind);
}

Deno.test("a job is queued in the 202 and succeeded at every GET, with every item in order, for an hour", async () => {
  const service = testService();
  const { status, headers, body: job } = await post(service, JOBS);
  assert.equal(status, 202);
  assert.deepEqual([job.status, job.total, job.done, job.finished_at], ["queued", 5, 0, null]);
  assert.equal(headers.get("location"), job.status_url);
  assert.equal(job.status_url, `${BASE_URL}/api/v1/jobs/${job.id}`);
  assert.match(headers.get("retry-after") ?? "", /^[1-9]\d*$/);
  const { body: ended } = await call(service.app, `${JOBS}/${job.id}`);
  assert.deepEqual([ended.status, ended.total, ended.done], ["succeeded", 5, 5]);
  const batch = await post(service, BATCH);
  assert.deepEqual(ended.results, batch.body.results);
  service.clock.advance(3_600_000 - 1);
  assert.deepEqual((await call(service.app, `${JOBS}/${job.id.toUpperCase()}`)).body, ended);
  service.clock.advance(1);
  const gone = await call(service.app, `${JOBS}/${job.id}`);
  assert.deepEqual([gone.status, gone.body.error.code], [404, "job_not_found"]);
});

Deno.test("a job is one value in one commit, and nothing runs until it is read", async () => {
  const { kv, source } = await largeJob();
  assert.equal(stored(kv, "job").length, 1);
  // The others are the secret, and the request in the rate limit.
  assert.equal(kv.commits, 3);
  await settled();
  assert.equal(source.gets.filter((path) => path.includes("carriers/")).length, 0);
});

Deno.test("a job stays on the snapshot and the day it was made on", async () => {
  const service = testService();
  // Half an hour before midnight in New York.
  service.clock.advance(11.5 * 3_600_000);
  const { body: job } = await post(service, JOBS);
  const [before] = (await call(service.app, `${JOBS}/${job.id}`)).body.results;
  putSnapshot(service.objects, { id: "b", carriers: [record(295017, { legal_name: "LATER" })] });
  service.clock.advance(50 * 60_000);
  const { headers, body } = await call(service.app, `${JOBS}/${job.id}`);
  assert.equal(headers.get("snapshot-id"), "a");
  assert.deepEqual(body.results[0], before);
  const now = (await post(service, BATCH)).body.results[0];
  assert.equal(now.carrier.legal_name, "LATER");
  assert.equal(
    before.carrier.mcs150.days_until_due - now.carrier.mcs150.days_until_due,
    1,
    "days count from the job's day",
  );
});

Deno.test("a number that cannot be read says so in its item, and the next GET tries it again", async () => {
  const service = testService();
  const { body: job } = await post(service, JOBS);
  const codes = async (): Promise<string[]> => {
    const { status, body } = await call(service.app, `${JOBS}/${job.id}`);
    assert.deepEqual([status, body.status, body.done], [200, "succeeded", 5]);
    return body.results.map(({ error }: { error?: { code: string } }) => error?.code ?? "found");
  };
  const others = ["found", "invalid_dot_number", "not_found"];
  service.source.fault = (_, path) => path.endsWith("/2950.json.gz") ? "error" : null;
  const unread = "upstream_unavailable";
  assert.deepEqual(await codes(), [unread, ...others, unread]);
  service.source.fault = () => null;
  assert.deepEqual(await codes(), ["found", ...others, "found"]);
});

Deno.test("a job whose snapshot is gone answers, with items that could not be read", async () => {
  const service = testService();
  const { body: job } = await post(service, JOBS);
  for (const path of [...service.objects.keys()]) service.objects.delete(path);
  putSnapshot(service.objects, { id: "b", carriers: [record(295017)] });
  // Another process, which has not read the manifest.
  const other = testService();
  for (const [name, entry] of service.kv.entries) other.kv.entries.set(name, entry);
  for (const path of [...other.objects.keys()]) other.objects.delete(path);
  putSnapshot(other.objects, { id: "b", carriers: [record(295017)] });
  const { status, body } = await call(other.app, `${JOBS}/${job.id}`);
  assert.equal(status, 200);
  assert.deepEqual(body.results.map(({ ok }: { ok: boolean }) => ok), Array(5).fill(false));
  assert.equal(body.results[0].error.code, "upstream_unavailable");
});

Deno.test("results begin at once, are looked up as they are read, and end with their reader", async () => {
  const service = await largeJob();
  const peer = "192.0.2.7";
  const response = await get(service, service.path, { peer });
  const reads = (): number =>
    service.source.gets.filter((path) => path.includes("carriers/")).length;
  const body = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const { value: head } = await body.read();
  assert.match(head!, /^\{"id":.*"results":\[$/);
  assert.equal(reads(), 0, "before any lookup");
  await body.read();
  await settled();
  const ahead = reads();
  assert.ok(ahead > 0 && ahead < 500, `${ahead} reads for a reader that waits`);
  await body.cancel();
  await settled();
  const after = reads();
  await settled();
  assert.equal(reads(), after, "nothing is looked up for a reader that went away");
  const again = await get(service, service.path, { peer });
  assert.equal((await again.json()).results.length, 2_000);
});

Deno.test("results are gzipped for who accepts it, the same bytes, and kept: the next GET reads no shard", async () => {
  const service = await largeJob();
  const gzip = { headers: { "accept-encoding": "br;q=0.5, gzip" } };
  const packed = await get(service, service.path, gzip);
  assert.equal(packed.headers.get("content-encoding"), "gzip");
  assert.match(packed.headers.get("vary")!, /Accept-Encoding/);
  const bytes = await packed.bytes();
  const text = gunzipSync(bytes).toString();
  assert.deepEqual(
    JSON.parse(text).results.map(({ dot }: { dot: string }) => Number(dot)),
    dots,
  );
  assert.ok(bytes.length * 8 < text.length, `${bytes.length} of ${text.length}`);
  const reads = service.source.gets.length;
  assert.equal(await (await get(service, service.path)).text(), text);
  assert.deepEqual(await (await get(service, service.path, gzip)).bytes(), bytes);
  assert.equal(service.source.gets.length, reads);
  for (const refusal of ["identity", "gzip;q=0", "br"]) {
    const plain = await get(service, service.path, { headers: { "accept-encoding": refusal } });
    assert.equal(plain.headers.get("content-encoding"), null);
    assert.equal(await plain.text(), text);
  }
});

Deno.test("a client reads one job at a time: the next waits for the first to end, and others do not", async () => {
  const service = await largeJob();
  const peer = "192.0.2.7";
  const first = await get(service, service.path, { peer });
  let answered = false;
  const second = get(service, service.path, { peer }).then((response) => {
    answered = true;
    return response;
  });
  const other = await get(service, service.path, { peer: "192.0.2.8" });
  assert.equal(other.status, 200);
  await other.body!.cancel();
  await settled();
  assert.equal(answered, false);
  await first.body!.cancel();
  await (await second).body!.cancel();
});

Deno.test("readers beyond those that can wait get 503 with Retry-After", async () => {
  const service = await largeJob();
  const peer = "192.0.2.7";
  const first = await get(service, service.path, { peer });
  const waiting = Array.from({ length: 20 }, () => get(service, service.path, { peer }));
  await settled();
  const refused = await call(service.app, service.path, { peer });
  assert.deepEqual([refused.status, refused.body.error.code], [503, "upstream_unavailable"]);
  assert.ok(Number(refused.headers.get("retry-after")) >= 1);
  await first.body!.cancel();
  for (const response of waiting) await (await response).body!.cancel();
});

Deno.test("HEAD of a job looks nothing up and takes no turn", async () => {
  const service = await largeJob();
  const peer = "192.0.2.7";
  for (let i = 0; i < 3; i++) {
    const { status, headers } = await call(service.app, service.path, { method: "HEAD", peer });
    assert.equal(status, 200);
    assert.equal(headers.get("snapshot-id"), "large");
  }
  assert.equal(service.source.gets.filter((path) => path.includes("carriers/")).length, 0);
  for (const coding of ["gzip", "identity"]) {
    const init = { headers: { "accept-encoding": coding } };
    const head = await call(service.app, service.path, { ...init, method: "HEAD" });
    const get = await service.app.fetch(
      new Request(`http://localhost${service.path}`, init),
      from(),
    );
    await get.body!.cancel();
    for (const name of ["content-encoding", "content-type", "content-length", "cache-control"]) {
      assert.equal(head.headers.get(name), get.headers.get(name), `${name} as GET, ${coding}`);
    }
  }
});
