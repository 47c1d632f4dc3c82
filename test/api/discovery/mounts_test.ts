import assert from "node:assert/strict";
import { discoveryMounts } from "../../../api/discovery/mounts.ts";
import { openApi } from "../../../api/discovery/openapi.ts";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import { MemorySource, TestClock } from "../../pipeline/snapshot/memory.ts";
import { BASE_URL, from, testApp } from "../http/service.ts";

Deno.test("/openapi.json stands in the app, with its validator and its length", async () => {
  const { get } = service();
  const whole = await get("/openapi.json");
  const text = await whole.text();
  assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(openApi(BASE_URL))));
  assert.equal(whole.headers.get("content-type"), "application/json; charset=utf-8");
  assert.equal(whole.headers.get("access-control-allow-origin"), "*");
  assert.equal(whole.headers.get("ratelimit-limit"), "60");

  const head = await get("/openapi.json", { method: "HEAD" });
  assert.equal(head.status, 200);
  assert.equal(await head.text(), "");
  assert.equal(head.headers.get("content-length"), String(new TextEncoder().encode(text).length));

  const tag = whole.headers.get("etag")!;
  const again = await get("/openapi.json", { headers: { "if-none-match": tag } });
  assert.equal(again.status, 304);
  assert.equal(await again.text(), "");
  for (const name of ["etag", "cache-control", "x-request-id"]) assert.ok(again.headers.has(name));
  assert.equal(again.headers.get("content-length"), null);

  const other = await get("/openapi.json", { method: "POST" });
  assert.equal(other.status, 405);
  assert.equal(other.headers.get("allow"), "GET, HEAD, OPTIONS");
  // The table of methods once took the dot of a path for any character, and answered 405.
  assert.equal((await get("/openapi-json")).status, 404);
});

function service(): { get: (path: string, init?: RequestInit) => Promise<Response> } {
  const clock = new TestClock();
  const reader = new SnapshotReader(new MemorySource(new Map()), { clock });
  const { app } = testApp({ reader, clock, mounts: discoveryMounts({ baseUrl: BASE_URL }) });
  return {
    async get(path, init) {
      return await app.fetch(new Request(`http://localhost${path}`, init), from());
    },
  };
}
