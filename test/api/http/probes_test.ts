import assert from "node:assert/strict";
import type { App } from "../../../api/http/app.ts";
import { QUOTA } from "../../../api/state/rate_limit.ts";
import { answerOf, from, testService } from "./service.ts";

async function probe(app: App, path: string, init: RequestInit = {}) {
  return await answerOf(
    await app.fetch(new Request(`http://localhost${path}`, init), from("192.0.2.1")),
  );
}

/** The answer's status, the states of snapshot and store, and a reason. */
async function states(app: App): Promise<unknown[]> {
  const { status, body: { snapshot, store } } = await probe(app, "/readyz");
  return [status, snapshot.state, store.state, snapshot.reason].filter((one) => one !== undefined);
}

Deno.test("/healthz says that the process is up without checking anything else", async () => {
  const { app, objects, source, kv } = testService();
  objects.clear();
  const { status, headers, text } = await probe(app, "/healthz");
  assert.deepEqual([status, text], [200, '{"alive":true}']);
  assert.equal(headers.get("cache-control"), "no-store");
  assert.match(headers.get("x-request-id")!, /./);
  assert.equal(headers.get("ratelimit-remaining"), "60");
  assert.deepEqual([source.gets.length, kv.calls.length], [0, 0]);
  assert.equal((await probe(app, "/healthz", { method: "HEAD" })).status, 200);
  assert.equal((await probe(app, "/x/healthz")).status, 404);
  assert.equal((await probe(app, "/?q=/healthz")).status, 404);
});

Deno.test("/readyz reports snapshot and store, each with its duration, and 503 with what fails until it recovers", async () => {
  const { app, objects, kv, clock, logged } = testService();
  const { status, headers, body: { ready, snapshot, store } } = await probe(app, "/readyz");
  assert.deepEqual([status, ready, snapshot.state, store.state], [200, true, "ok", "ok"]);
  assert.deepEqual([snapshot.id, snapshot.data_date], ["a", "2026-10-03"]);
  assert.ok(snapshot.ms >= 0 && store.ms >= 0);
  assert.equal(headers.get("cache-control"), "no-store");
  assert.equal((await probe(app, "/readyz", { method: "POST" })).status, 405);

  // A full disk: existing data can still be read.
  kv.options = { fault: ({ kind }) => kind === "commit" ? "error" : undefined };
  clock.advance(3_000);
  assert.deepEqual(await states(app), [503, "ok", "failing"]);
  kv.options = {};
  const saved = new Map(objects);
  objects.clear();
  clock.advance(3_000);
  const cached = "the snapshot root cannot be read, answers come from the cache";
  assert.deepEqual(await states(app), [503, "stale", "ok", cached]);
  const other = testService();
  other.objects.clear();
  assert.deepEqual(await states(other.app), [503, "failing", "ok", "no snapshot can be read"]);
  for (const [path, bytes] of saved) objects.set(path, bytes);
  clock.advance(3_000);
  assert.deepEqual(await states(app), [200, "ok", "ok"]);
  // Old data still counts as ready.
  clock.advance(2 * 86_400_000);
  assert.deepEqual(await states(app), [200, "stale", "ok", "the data is 4 days old"]);
  assert.deepEqual(logged, []);
});

Deno.test("/readyz checks once in three seconds however often it is requested, and no rate limit counts it", async () => {
  const { app, kv, clock } = testService();
  const asked = 3 * QUOTA;
  const answers = await Promise.all(Array.from({ length: asked }, () => probe(app, "/readyz")));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  assert.equal(answers[0]!.headers.get("ratelimit-remaining"), String(QUOTA));
  for (let i = 0; i <= QUOTA; i++) await probe(app, "/none");
  assert.equal((await probe(app, "/none")).status, 429);
  assert.equal((await probe(app, "/readyz")).status, 200);
  kv.calls.length = 1;
  // The last case is a clock that moved backward.
  for (const [ms, looks] of [[0, 1], [2_999, 1], [1, 2], [-60_000, 3]] as const) {
    clock.advance(ms);
    await probe(app, "/readyz");
    assert.equal(kv.calls.length, looks);
  }
});

Deno.test("/readyz answers in time when nothing else does", async () => {
  const { app, source, kv } = testService();
  source.get = () => new Promise(() => {});
  kv.options = { turn: () => new Promise(() => {}) };
  assert.deepEqual((await states(app)).slice(0, 3), [503, "failing", "failing"]);
});
