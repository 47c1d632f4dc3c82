import assert from "node:assert/strict";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import { call, testApp, testService } from "./service.ts";

Deno.test("what a shared cache may store has no caller's counters, and without one nothing may be stored", async () => {
  const { app, source, clock } = testService();
  const behind = testApp({
    reader: new SnapshotReader(source, { clock }),
    clock,
    sharedCache: true,
  });
  for (const path of ["/api/v1/carriers/295017", "/api/v1/ucr-fee?vehicles=4"]) {
    const direct = await call(app, path);
    assert.deepEqual(caching(direct.headers), ["private, max-age=60", null, "59", "60"], path);
    const edge = await behind.app.fetch(new Request(`http://localhost${path}`));
    await edge.body?.cancel();
    const shared = ["public, max-age=60", "public, max-age=300", null, null];
    assert.deepEqual(caching(edge.headers), shared, path);
    assert.equal(edge.headers.get("ratelimit-policy"), "60;w=60", "the same for all");
  }
  const missing = await behind.app.fetch(new Request("http://localhost/api/v1/carriers/1"));
  await missing.body?.cancel();
  const [kept, , remaining] = caching(missing.headers);
  assert.deepEqual([missing.status, kept], [404, "no-store"]);
  assert.match(remaining!, /^\d+$/);
});

function caching(headers: Headers): (string | null)[] {
  return ["cache-control", "cdn-cache-control", "ratelimit-remaining", "ratelimit-reset"]
    .map((name) => headers.get(name));
}
