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
