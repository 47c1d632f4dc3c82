import assert from "node:assert/strict";
import type { App } from "../../../api/http/app.ts";
import { QUOTA } from "../../../api/state/rate_limit.ts";
import { from, testService } from "./service.ts";

async function probe(app: App, path: string, init: RequestInit = {}) {
  const response = await app.fetch(new Request(`http://localhost${path}`, init), from("192.0.2.1"));
  const text = await response.text();
  return { status: response.status, headers: response.headers, text };
}

Deno.test("/healthz says that the process is up without a look at anything", async () => {
  const { app, objects, source, kv } = testService();
  objects.clear();
  const { status, headers, text } = await probe(app, "/healthz");
  assert.deepEqual([status, text], [200, '{"alive":true}']);
  assert.equal(headers.get("cache-control"), "no-store");
  assert.match(headers.get("x-request-id")!, /./);
  assert.equal(headers.get("ratelimit-remaining"), "60");
  assert.deepEqual([source.gets.length, kv.calls.length], [0, 0]);
});

Deno.test("/readyz reports snapshot and store, each with its time", async () => {
  const { app } = testService();
  const { status, headers, text } = await probe(app, "/readyz");
  const { ready, snapshot, store } = JSON.parse(text);
  assert.deepEqual([status, ready, snapshot.state, store.state], [200, true, "ok", "ok"]);
  assert.deepEqual([snapshot.id, snapshot.data_date], ["a", "2026-10-03"]);
  assert.ok(snapshot.ms >= 0 && store.ms >= 0);
  assert.equal(headers.get("cache-control"), "no-store");
});

Deno.test("/readyz answers 503 and says which part fails, and recovers", async () => {
  const { app, objects, kv, clock, logged } = testService();
  const parts = async (): Promise<[number, string, string]> => {
    const { status, text } = await probe(app, "/readyz");
    const { snapshot, store } = JSON.parse(text);
    return [status, snapshot.state, store.state];
  };
  const saved = new Map(objects);
  objects.clear();
  assert.deepEqual(await parts(), [503, "failing", "ok"]);
  for (const [path, bytes] of saved) objects.set(path, bytes);
  clock.advance(3_000);
  // A full disk: what is there can be read.
  kv.options = { fault: ({ kind }) => kind === "commit" ? "error" : undefined };
  assert.deepEqual(await parts(), [503, "ok", "failing"]);
  kv.options = {};
  clock.advance(3_000);
  assert.deepEqual(await parts(), [200, "ok", "ok"]);
  objects.clear();
  clock.advance(3_000);
  assert.deepEqual(await parts(), [503, "stale", "ok"], "what is cached still answers");
  for (const [path, bytes] of saved) objects.set(path, bytes);
  clock.advance(3_000);
  assert.deepEqual(await parts(), [200, "ok", "ok"]);
  assert.deepEqual(logged, []);
});

Deno.test("/readyz says stale of old data, which still answers", async () => {
  const { app, clock } = testService();
  const states = async (): Promise<unknown[]> => {
    const { status, text } = await probe(app, "/readyz");
    const { ready, snapshot } = JSON.parse(text);
    return [status, ready, snapshot.state, snapshot.reason];
  };
  assert.deepEqual(await states(), [200, true, "ok", undefined]);
  clock.advance(2 * 86_400_000);
  assert.deepEqual(await states(), [200, true, "stale", "the data is 4 days old"]);
});

Deno.test("/readyz looks once in three seconds however often it is asked, and no quota counts it", async () => {
  const { app, kv, clock } = testService();
  const asked = 3 * QUOTA.limit;
  const answers = await Promise.all(Array.from({ length: asked }, () => probe(app, "/readyz")));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  assert.equal(kv.calls.length, 1);
  assert.equal(answers[0]!.headers.get("ratelimit-remaining"), String(QUOTA.limit));
  clock.advance(2_999);
  await probe(app, "/readyz");
  assert.equal(kv.calls.length, 1);
  clock.advance(1);
  await probe(app, "/readyz");
  assert.equal(kv.calls.length, 2);
  clock.advance(-60_000);
  await probe(app, "/readyz");
  assert.equal(kv.calls.length, 3, "the clock was put back");
});

Deno.test("/readyz ends in time when nothing answers", async () => {
  const { app, source, kv } = testService();
  source.get = () => new Promise(() => {});
  kv.options = { turn: () => new Promise(() => {}) };
  const { status, text } = await probe(app, "/readyz");
  const { snapshot, store } = JSON.parse(text);
  assert.deepEqual([status, snapshot.state, store.state], [503, "failing", "failing"]);
});

Deno.test("only GET and HEAD of the very paths are probes", async () => {
  const { app } = testService();
  assert.equal((await probe(app, "/healthz", { method: "HEAD" })).status, 200);
  assert.equal((await probe(app, "/readyz", { method: "POST" })).status, 405);
  assert.equal((await probe(app, "/x/healthz")).status, 404);
  assert.equal((await probe(app, "/?q=/healthz")).status, 404);
});
