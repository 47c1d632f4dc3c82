import assert from "node:assert/strict";
import type { Answered } from "../../../api/http/exchange.ts";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import { MemorySource } from "../../pipeline/snapshot/memory.ts";
import {
  answerOf,
  BASE_URL,
  BATCH,
  call,
  from,
  JOBS,
  post,
  type TestService,
  testService,
} from "./service.ts";

const PATH = "/api/v1/carriers/295017";
const DAY_MS = 86_400_000;

Deno.test("If-None-Match answers 304 for the same tag in any list, weak or strong, and for *", async () => {
  const { app } = testService();
  const etag = (await call(app, PATH)).headers.get("etag")!;
  const strong = etag.slice(2);
  for (const header of [etag, strong, "*", ` * `, `"x", ${etag}`, `"a,b",W/"c" , ${strong},"d"`]) {
    const { status, headers } = await call(app, PATH, { headers: { "If-None-Match": header } });
    assert.equal(status, 304, header);
    assert.equal(headers.get("etag"), etag);
    assert.equal(headers.get("snapshot-id"), "a");
    assert.match(headers.get("cache-control") ?? "", /max-age/);
    assert.match(headers.get("server-timing")!, /^find;dur=[\d.]+, total;dur=[\d.]+$/);
  }
  for (const header of ["", '"x"', etag.toUpperCase(), strong.slice(1, -1), "**", '"', 'W/"']) {
    assert.equal((await call(app, PATH, { headers: { "If-None-Match": header } })).status, 200);
  }
  for (const header of [etag, "*"]) {
    const missing = await call(app, "/api/v1/carriers/1", { headers: { "If-None-Match": header } });
    assert.equal(missing.status, 404);
  }
});

Deno.test("an ETag changes at midnight in New York, with day counts and the snapshot's age", async () => {
  const { app, clock } = testService();
  const ask = async () => {
    const { headers, body } = await call(app, PATH);
    return [...["etag", "cache-control", "snapshot-age"].map((name) => headers.get(name)), body];
  };
  const [tag, cached, age, first] = await ask();
  assert.deepEqual([cached, age], ["private, max-age=60", String(2 * 86_400)]);
  const midnight = Date.UTC(2026, 9, 6, 4);
  clock.advance(midnight - 45_500 - clock.now());
  assert.deepEqual(await ask(), [tag, "private, max-age=45", age, first]);
  clock.advance(45_499);
  assert.deepEqual(await ask(), [tag, "private, max-age=0", age, first]);
  clock.advance(1);
  const [next, caching, older, { mcs150 }] = await ask();
  assert.notEqual(next, tag);
  assert.deepEqual([caching, older], [cached, String(3 * 86_400)]);
  assert.equal(mcs150.days_until_due, first.mcs150.days_until_due - 1);
  const batch = await post({ app }, BATCH);
  assert.equal(batch.headers.get("snapshot-age"), older);
});

Deno.test("health reports the current data, stale after three days, and answers link to it", async () => {
  const { app, clock, objects } = testService();
  const { headers } = await call(app, PATH);
  assert.ok(headers.get("link")!.includes(`<${BASE_URL}/api/v1/health>; rel="status"`));
  for (const [age_days, stale] of [[2, false], [3, false], [4, true]]) {
    const { body: { snapshot, counts, ...facts } } = await call(app, "/api/v1/health");
    assert.deepEqual([facts.age_days, facts.stale, counts.carriers], [age_days, stale, 2]);
    const dates = { data_date: "2026-10-03", inspections_date: "2026-10-03" };
    assert.deepEqual(snapshot, { id: "a", ...dates, age_days, stale });
    clock.advance(DAY_MS);
  }
  objects.clear();
  const { app: other } = testService({
    reader: new SnapshotReader(new MemorySource(objects), { clock }),
  });
  assert.equal((await call(other, "/api/v1/health")).status, 503);
  assert.equal((await post({ app: other }, JOBS)).status, 503);
});

Deno.test("a valid X-Request-Id is echoed, and any other is replaced", async () => {
  const { app } = testService();
  for (const path of ["/api/v1/carriers/295017", "/no"]) {
    const ask = async (id: string) =>
      (await call(app, path, { headers: { "X-Request-Id": id } })).headers.get("x-request-id");
    assert.equal(await ask("Trace_1.2-3"), "Trace_1.2-3");
    for (const id of ["", "a b", "a\tb", "x".repeat(65), "<b>", "é"]) {
      assert.match(await ask(id) ?? "", /^[0-9a-f-]{36}$/);
    }
    assert.notEqual(await ask(""), await ask(""));
  }
});

Deno.test("an operation that throws answers 500 and reveals nothing internal", async () => {
  const failing = {
    path: "/api/v1/failing",
    fetch() {
      throw new Error("secret detail");
    },
  };
  const { app, logged } = testService({ mounts: [failing] });
  const { status, text, headers } = await call(app, failing.path);
  assert.equal(status, 500);
  assert.doesNotMatch(text, /secret|\.ts|Error:/);
  assert.match(logged.join(), /secret detail/);
  assert.ok(logged.join().includes(headers.get("x-request-id")!));
  assert.ok(text.includes(headers.get("x-request-id")!));
});

Deno.test("answers for a shared cache have no caller's rate limit counters, and without one none may be shared", async () => {
  const cachingOf = async (service: TestService, path: string) => {
    const { headers } = await answerOf(
      await service.app.fetch(new Request(`http://localhost${path}`), from()),
    );
    assert.equal(headers.get("ratelimit-policy"), "60;w=60", "the same for all");
    return ["cache-control", "cdn-cache-control", "ratelimit-remaining", "ratelimit-reset"]
      .map((name) => headers.get(name));
  };
  const [direct, behind] = [testService(), testService({ sharedCache: true })];
  for (const path of ["/api/v1/carriers/295017", "/api/v1/ucr-fee?vehicles=4"]) {
    assert.deepEqual(await cachingOf(direct, path), ["private, max-age=60", null, "59", "60"]);
    const shared = ["public, max-age=60", "public, max-age=300", null, null];
    assert.deepEqual(await cachingOf(behind, path), shared);
  }
  const missing = await cachingOf(behind, "/api/v1/carriers/1");
  assert.deepEqual(missing, ["no-store", null, "59", "60"]);
});

Deno.test("every request is reported once, by its route pattern", async () => {
  const answered: Answered[] = [];
  const { app, clock } = testService({ requests: (one) => answered.push(one) });
  const peer = "192.0.2.7";
  const headers = { "x-request-id": "mine" };
  await call(app, "/api/v1/carriers/295017?x=secret", { peer, headers });
  const route = "/api/v1/carriers/{dot}";
  const [{ ms, found, ...rest }] = answered as [Answered];
  assert.deepEqual(rest, {
    at: clock.now(),
    requestId: "mine",
    method: "GET",
    route,
    status: 200,
    client: peer,
    snapshotId: "a",
    cached: false,
    bytes: undefined,
  });
  assert.ok(found! >= 0 && ms >= found!);
  const noted = async (target: string, init: RequestInit = {}) => {
    await call(app, target, { ...init, peer });
    const { route, status, cached } = answered.at(-1)!;
    return [route, status, cached].join(" ");
  };
  // The second answer comes from the cache.
  assert.equal(await noted("/api/v1/carriers/295017"), `${route} 200 false`);
  assert.equal(await noted("/api/v1/carriers/295017"), `${route} 200 true`);
  assert.equal(await noted("/api/v1/ucr-fee?vehicles=4"), "/api/v1/ucr-fee 200 ");
  await post({ app }, BATCH, { peer });
  assert.equal(answered.at(-1)!.route, BATCH);
  assert.equal(await noted("/api/v1/carriers/12A"), `${route} 400 `);
  assert.ok(answered.at(-1)!.bytes! > 20);
  assert.equal(await noted("/api/v1/carriers/1", { method: "PUT" }), `${route} 405 `);
  assert.equal(await noted("/no/such/path/295017"), " 404 ");
  while (answered.length < 60) await noted("/api/v1/carriers/295017");
  assert.equal(await noted("/api/v1/carriers/295017"), `${route} 429 `);
  assert.equal(await noted("/no/such/path/295017"), " 429 ");
  assert.equal(answered.length, 62);
});
