import assert from "node:assert/strict";
import { BASE_URL, call, testService } from "./service.ts";

const DAY_MS = 86_400_000;

Deno.test("health() reports the current data, and marks it stale after three days", async () => {
  const { app, clock } = testService();
  const fresh = await call(app, "/api/v1/health");
  assert.deepEqual(fresh.body.snapshot, {
    id: "a",
    data_date: "2026-10-03",
    inspections_date: "2026-10-03",
    age_days: 2,
    stale: false,
  });
  assert.deepEqual([fresh.body.age_days, fresh.body.stale, fresh.body.counts.carriers], [
    2,
    false,
    2,
  ]);
  clock.advance(DAY_MS);
  assert.deepEqual((await call(app, "/api/v1/health")).body.stale, false);
  clock.advance(DAY_MS);
  const old = await call(app, "/api/v1/health");
  assert.deepEqual([old.body.age_days, old.body.stale], [4, true]);
  assert.notEqual(old.headers.get("etag"), fresh.headers.get("etag"));
});

Deno.test("health() answers 503 while no data can be read", async () => {
  const { app, objects } = testService();
  objects.clear();
  assert.equal((await call(app, "/api/v1/health")).status, 503);
});

Deno.test("answers from a snapshot state its age in whole days, the same for one ETag", async () => {
  const { app, clock } = testService();
  const target = "/api/v1/carriers/295017";
  const { headers } = await call(app, target);
  assert.equal(headers.get("snapshot-age"), String(2 * 86_400));
  assert.match(headers.get("access-control-expose-headers")!, /\bSnapshot-Age\b/);
  clock.advance(3_600_000);
  const again = await call(app, target, {
    headers: { "if-none-match": headers.get("etag")! },
  });
  assert.deepEqual([again.status, again.headers.get("snapshot-age")], [304, "172800"]);
  clock.advance(DAY_MS);
  assert.equal((await call(app, target)).headers.get("snapshot-age"), String(3 * 86_400));
  const batch = await call(app, "/api/v1/carriers/batch", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"dots":["295017"]}',
  });
  assert.equal(batch.headers.get("snapshot-age"), String(3 * 86_400));
});

Deno.test("answers lead to the state of the service", async () => {
  const { app } = testService();
  const { headers } = await call(app, "/api/v1/carriers/295017");
  assert.ok(headers.get("link")!.includes(`<${BASE_URL}/api/v1/health>; rel="status"`));
});
