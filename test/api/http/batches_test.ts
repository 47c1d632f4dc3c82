import assert from "node:assert/strict";
import { call, testService } from "./service.ts";
import { BATCH, JOBS, post } from "./batches.ts";

Deno.test("batch answers an item for each number, in the order asked, each on its own", async () => {
  const service = testService();
  const { status, headers, body } = await post(service, BATCH);
  assert.equal(status, 200);
  assert.equal(headers.get("snapshot-id"), "a");
  assert.deepEqual([body.count, body.found], [5, 3]);
  // deno-lint-ignore no-explicit-any -- the schema has checked it
  const items: any[] = body.results;
  assert.deepEqual(items.map(({ dot }) => dot), ["295017", "146793", "0", "77", "295017"]);
  assert.deepEqual(items.map(({ ok, error }) => ok || error.code), [
    true,
    true,
    "invalid_dot_number",
    "not_found",
    true,
  ]);
  const single = await call(service.app, "/api/v1/carriers/295017");
  assert.equal(JSON.stringify(items[0].carrier), single.text, "as a single lookup answers it");
  assert.equal(service.source.count("s/a/carriers/2950.json.gz"), 1, "read once");
});

Deno.test("batch answers failed items, not an error, when no shard can be read", async () => {
  const service = testService();
  service.source.fault = (_, path) => path.includes("/carriers/") ? "missing" : null;
  const { status, body } = await post(service, BATCH, { body: { dots: ["295017", "0"] } });
  assert.equal(status, 200);
  assert.deepEqual(
    body.results.map(({ error }: { error: { code: string } }) => error.code),
    ["upstream_unavailable", "invalid_dot_number"],
  );
});

Deno.test("batch operations name what is wrong with a body", async () => {
  const service = testService();
  const cases: [what: unknown, status: number, code: string, message: RegExp][] = [
    ["", 400, "invalid_body", /it is empty/],
    ["{", 400, "invalid_body", /Cannot parse the body as JSON/],
    [[], 400, "invalid_body", /dots/],
    [{}, 400, "invalid_body", /Cannot read dots: it is missing/],
    [{ dots: [] }, 400, "invalid_body", /dots is empty/],
    [{ dots: "1" }, 400, "invalid_body", /not an array/],
    [{ dots: ["1", "12A"] }, 400, "invalid_body", /dots\[1\]: 12A is not 1 to 8 digits/],
    [{ dots: ["1", 2] }, 400, "invalid_body", /dots\[1\]/],
    [{ dots: Array(101).fill("1") }, 400, "too_many_items", /101 .* at most 100; .* 5000 as a job/],
    [" ".repeat(70_000), 413, "payload_too_large", /65536|64 KiB/],
  ];
  for (const [body, status, code, message] of cases) {
    const answer = await post(service, BATCH, { body });
    assert.deepEqual([answer.status, answer.body.error.code], [status, code]);
    assert.match(answer.body.error.message, message);
  }
  const many = await post(service, JOBS, { body: { dots: Array(5001).fill("1") } });
  assert.equal(many.body.error.code, "too_many_items");
  assert.equal((await post(service, JOBS, { body: " ".repeat(140_000) })).status, 413);
  assert.equal((await post(service, BATCH, { type: "text/plain" })).status, 415);
  for (const key of ["", "x".repeat(201)]) {
    assert.equal((await post(service, BATCH, { key })).body.error.code, "invalid_body");
  }
});

Deno.test("jobs that do not exist are not found, whatever is asked for", async () => {
  const { app } = testService();
  for (const id of ["x", "0", crypto.randomUUID(), "%2f", "a".repeat(500)]) {
    const { status, body } = await call(app, `/api/v1/jobs/${id}`);
    assert.deepEqual([status, body.error.code], [404, "job_not_found"]);
  }
});

Deno.test("without the store lookups continue under a limit of this process, batches answer 503, and it recovers", async () => {
  const service = testService();
  service.kv.options = { fault: () => "error" };
  const peer = "192.0.2.9";
  const statuses: number[] = [];
  for (let i = 0; i < 61; i++) {
    statuses.push((await call(service.app, "/api/v1/carriers/295017", { peer })).status);
  }
  assert.deepEqual(statuses, [...Array(60).fill(200), 429]);
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
  const service = testService();
  const peer = "2001:db8::1";
  for (let i = 0; i < 60; i++) {
    const { headers } = await call(service.app, "/api/v1/ucr-fee?vehicles=4", { peer });
    assert.equal(headers.get("ratelimit-remaining"), String(59 - i));
  }
  const calls = service.kv.calls.length;
  const neighbor = "2001:db8::ffff";
  const refused = await call(service.app, "/no/such/path", { peer: neighbor });
  assert.deepEqual([refused.status, refused.body.error.code], [429, "rate_limited"]);
  assert.equal(refused.headers.get("retry-after"), "60");
  assert.equal(service.kv.calls.length, calls, "a known refusal does not ask the store");
  const preflight = await call(service.app, BATCH, { method: "OPTIONS", peer });
  assert.equal(preflight.status, 204);
  service.clock.advance(60_000);
  const later = await call(service.app, "/api/v1/ucr-fee?vehicles=4", { peer });
  assert.equal(later.status, 200);
});
