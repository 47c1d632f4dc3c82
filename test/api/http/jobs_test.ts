import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { type Objects, putSnapshot, record } from "../../pipeline/snapshot/memory.ts";
import { steady } from "../../until.ts";
import { BASE_URL, BATCH, call, from, JOBS, post, testService } from "./service.ts";

const dots = Array.from({ length: 800 }, (_, i) => 100 * i + 17);
/** A snapshot of 800 shards with one carrier each. */
const LARGE: Objects = new Map();
putSnapshot(LARGE, { id: "large", carriers: dots.map((dot) => record(dot)) });

/** A service on that snapshot, and a job for all of its carriers. */
async function largeJob() {
  const service = testService();
  for (const [path, bytes] of LARGE) service.objects.set(path, bytes);
  const { body } = await post(service, JOBS, { dots: dots.map(String) });
  const url = `http://localhost${JOBS}/${body.id}`;
  return {
    ...service,
    path: `${JOBS}/${body.id}`,
    /** Reads the job as `peer`; `coding` is the Accept-Encoding. */
    read: async (peer?: string, coding?: string): Promise<Response> => {
      const headers = coding === undefined ? {} : { "accept-encoding": coding };
      return await service.app.fetch(new Request(url, { headers }), from(peer));
    },
    reads: (): number => service.source.gets.filter((path) => path.includes("carriers/")).length,
  };
}

const PEER = "192.0.2.7";

Deno.test("a batch answers one item per number, in request order, and a job answers the same for an hour", async () => {
  const service = testService();
  const { status, headers, body } = await post(service, BATCH);
  assert.deepEqual([status, headers.get("snapshot-id")], [200, "a"]);
  assert.deepEqual([body.count, body.found], [5, 3]);
  // deno-lint-ignore no-explicit-any -- the schema has checked it
  const items: any[] = body.results;
  const outcomes = items.map(({ dot, ok, error }) => `${dot} ${ok ? "found" : error.code}`);
  const others = ["146793 found", "0 invalid_dot_number", "77 not_found"];
  assert.deepEqual(outcomes, ["295017 found", ...others, "295017 found"]);
  const single = await call(service.app, "/api/v1/carriers/295017");
  assert.equal(JSON.stringify(items[0].carrier), single.text, "as a single lookup answers it");
  assert.equal(service.source.count("s/a/carriers/2950.json.gz"), 1, "read once");

  const { body: job, ...made } = await post(service, JOBS);
  assert.deepEqual([made.status, job.status, job.total, job.done], [202, "queued", 5, 0]);
  assert.equal(job.finished_at, null);
  assert.equal(job.status_url, `${BASE_URL}/api/v1/jobs/${job.id}`);
  assert.equal(made.headers.get("location"), job.status_url);
  assert.match(made.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
  const { body: ended } = await call(service.app, `${JOBS}/${job.id}`);
  assert.deepEqual([ended.status, ended.total, ended.done], ["succeeded", 5, 5]);
  assert.equal(ended.finished_at, job.created_at);
  assert.equal(Date.parse(ended.expires_at) - Date.parse(job.created_at), 3_600_000);
  assert.deepEqual(ended.results, items);
  service.clock.advance(3_600_000 - 1);
  assert.deepEqual((await call(service.app, `${JOBS}/${job.id.toUpperCase()}`)).body, ended);
  service.clock.advance(1);
  const gone = await call(service.app, `${JOBS}/${job.id}`);
  assert.deepEqual([gone.status, gone.body.error.code], [404, "job_not_found"]);
});

Deno.test("a job stays on the snapshot and day it was created on", async () => {
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

Deno.test("a number that can't be read says so in its item, and the next GET retries it", async () => {
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

Deno.test("a job whose snapshot was deleted still answers, with items that could not be read", async () => {
  const service = testService();
  const { body: job } = await post(service, JOBS);
  // Another process, which hasn't read the manifest.
  const other = testService();
  for (const [name, entry] of service.kv.entries) other.kv.entries.set(name, entry);
  for (const path of [...other.objects.keys()]) other.objects.delete(path);
  putSnapshot(other.objects, { id: "b", carriers: [record(295017)] });
  const { status, body } = await call(other.app, `${JOBS}/${job.id}`);
  assert.equal(status, 200);
  assert.deepEqual(body.results.map(({ ok }: { ok: boolean }) => ok), Array(5).fill(false));
  assert.equal(body.results[0].error.code, "upstream_unavailable");
});

Deno.test("results start immediately, are looked up as they are read, and stop when their reader disconnects", async () => {
  const { kv, read, reads } = await largeJob();
  assert.equal([...kv.entries.values()].filter(({ key }) => key[0] === "job").length, 1);
  // The job, the secret for client names, and the request's entry in the rate limiter.
  assert.equal(kv.commits, 3);
  assert.equal(await steady(reads), 0, "nothing runs until it is read");
  const response = await read(PEER);
  const body = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const { value: head } = await body.read();
  assert.match(head!, /^\{"id":.*"results":\[$/);
  assert.equal(reads(), 0, "before any lookup");
  await body.read();
  const ahead = await steady(reads);
  assert.ok(ahead > 0 && ahead < 200, `${ahead} reads for a reader that waits`);
  await body.cancel();
  const after = await steady(reads);
  assert.ok(after < 200, `${after} reads, some for a reader that went away`);
  assert.equal((await (await read(PEER)).json()).results.length, dots.length);
});

Deno.test("results are gzipped for clients that accept it, unchanged, and cached: the next GET reads no shard", async () => {
  const { read, reads } = await largeJob();
  const accepted = "br;q=0.5, gzip";
  const packed = await read(undefined, accepted);
  assert.equal(packed.headers.get("content-encoding"), "gzip");
  assert.match(packed.headers.get("vary")!, /Accept-Encoding/);
  const bytes = await packed.bytes();
  const text = gunzipSync(bytes).toString();
  const { results } = JSON.parse(text);
  assert.deepEqual(results.map(({ dot }: { dot: string }) => Number(dot)), dots);
  assert.ok(bytes.length * 8 < text.length, `${bytes.length} of ${text.length}`);
  const before = reads();
  assert.equal(await (await read()).text(), text);
  assert.deepEqual(await (await read(undefined, accepted)).bytes(), bytes);
  assert.equal(reads(), before);
  for (const refusal of ["identity", "gzip;q=0", "br"]) {
    const plain = await read(undefined, refusal);
    assert.deepEqual([plain.headers.get("content-encoding"), await plain.text()], [null, text]);
  }
});

Deno.test("a client reads one job at a time: its next request waits for the first to end, and other clients do not", async () => {
  const { app, path, read } = await largeJob();
  const first = await read(PEER);
  let answered = 0;
  const waiting = Array.from({ length: 20 }, async () => {
    const response = await read(PEER);
    answered++;
    await response.body!.cancel();
  });
  const other = await read("192.0.2.8");
  assert.equal(other.status, 200);
  await other.body!.cancel();
  assert.equal(await steady(() => answered), 0);
  const refused = await call(app, path, { peer: PEER });
  assert.deepEqual([refused.status, refused.body.error.code], [503, "upstream_unavailable"]);
  assert.ok(Number(refused.headers.get("retry-after")) >= 1);
  await first.body!.cancel();
  await Promise.all(waiting);
});

Deno.test("HEAD of a job has the headers of GET, looks nothing up and does not wait for other reads", async () => {
  const { app, path, read, reads } = await largeJob();
  const head = (coding: string) =>
    call(app, path, { method: "HEAD", peer: PEER, headers: { "accept-encoding": coding } });
  for (const coding of ["gzip", "identity", "identity"]) {
    const { status, headers } = await head(coding);
    assert.deepEqual([status, headers.get("snapshot-id")], [200, "large"]);
  }
  assert.equal(reads(), 0);
  for (const coding of ["gzip", "identity"]) {
    const get = await read(undefined, coding);
    await get.body!.cancel();
    const { headers } = await head(coding);
    for (const name of ["content-encoding", "content-type", "content-length", "cache-control"]) {
      assert.equal(headers.get(name), get.headers.get(name), `${name} as GET, ${coding}`);
    }
  }
});

Deno.test("without the store lookups continue under a per-process limit and batches answer 503, until the store recovers", async () => {
  const service = testService();
  service.kv.options = { fault: () => "error" };
  for (let i = 0; i <= 60; i++) {
    const { status } = await call(service.app, "/api/v1/carriers/295017", { peer: PEER });
    assert.equal(status, i < 60 ? 200 : 429);
  }
  for (const path of [BATCH, JOBS]) {
    const { status, headers, body } = await post(service, path);
    assert.deepEqual([status, body.error.code], [503, "upstream_unavailable"]);
    assert.ok(headers.has("retry-after"));
  }
  assert.equal((await call(service.app, `/api/v1/jobs/${crypto.randomUUID()}`)).status, 503);
  service.kv.options = {};
  assert.equal((await post(service, BATCH)).status, 200);
  assert.equal((await post(service, JOBS)).status, 202);
});

Deno.test("the 61st request in a minute is refused with the time to wait, and preflights never are", async () => {
  const { app, clock, kv } = testService();
  const peer = "2001:db8::1";
  for (let i = 0; i < 60; i++) {
    const { headers } = await call(app, "/api/v1/ucr-fee?vehicles=4", { peer });
    assert.equal(headers.get("ratelimit-remaining"), String(59 - i));
  }
  const calls = kv.calls.length;
  const refused = await call(app, "/no/such/path", { peer: "2001:db8::ffff" });
  assert.deepEqual([refused.status, refused.body.error.code], [429, "rate_limited"]);
  assert.equal(refused.headers.get("retry-after"), "60");
  assert.equal(kv.calls.length, calls, "a known refusal does not ask the store");
  assert.equal((await call(app, BATCH, { method: "OPTIONS", peer })).status, 204);
  clock.advance(60_000);
  assert.equal((await call(app, "/api/v1/ucr-fee?vehicles=4", { peer })).status, 200);
});
