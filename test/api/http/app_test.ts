import assert from "node:assert/strict";
import type { Answered } from "../../../api/http/exchange.ts";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import { BASE_URL, call, testApp, testService } from "./service.ts";

const PATH = "/api/v1/carriers/295017";
const DAY_MS = 86_400_000;

Deno.test("the spelling of a number and unknown parameters change nothing, HEAD only the body", async () => {
  const { app } = testService();
  const { text } = await call(app, PATH);
  for (const target of ["/api/v1/carriers/00295017", `${PATH}?dot=1&dot=2&x=%ZZ`]) {
    assert.equal((await call(app, target)).text, text);
  }
  for (const path of [PATH, "/api/v1/carriers/1", "/api/v1/mc/x", "/no"]) {
    const head = await call(app, path, { method: "HEAD" });
    const get = await call(app, path);
    assert.equal(head.status, get.status);
    for (const name of ["etag", "snapshot-id", "cache-control", "content-type", "link"]) {
      assert.equal(head.headers.get(name), get.headers.get(name));
    }
  }
});

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

Deno.test("an ETag is of one day in New York, as are the days counted and the age of the snapshot", async () => {
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
  const batch = await call(app, "/api/v1/carriers/batch", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"dots":["295017"]}',
  });
  assert.equal(batch.headers.get("snapshot-age"), older);
});

Deno.test("health reports the current data, stale after three days, and answers lead to it", async () => {
  const { app, clock } = testService();
  const { headers } = await call(app, PATH);
  assert.ok(headers.get("link")!.includes(`<${BASE_URL}/api/v1/health>; rel="status"`));
  const ask = async () => (await call(app, "/api/v1/health")).body;
  const { snapshot, age_days, stale, counts } = await ask();
  const facts = { data_date: "2026-10-03", inspections_date: "2026-10-03" };
  assert.deepEqual(snapshot, { id: "a", ...facts, age_days: 2, stale: false });
  assert.deepEqual([age_days, stale, counts.carriers], [2, false, 2]);
  clock.advance(DAY_MS);
  assert.equal((await ask()).stale, false);
  clock.advance(DAY_MS);
  const old = await ask();
  assert.deepEqual([old.age_days, old.stale], [4, true]);
  const { app: other, objects: none } = testService();
  none.clear();
  assert.equal((await call(other, "/api/v1/health")).status, 503);
});

Deno.test("X-Request-Id is echoed when sane and made when not", async () => {
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
  const { app, logged } = testService([failing]);
  const { status, text, headers } = await call(app, failing.path);
  assert.equal(status, 500);
  assert.doesNotMatch(text, /secret|\.ts|Error:/);
  assert.match(logged.join(), /secret detail/);
  assert.ok(logged.join().includes(headers.get("x-request-id")!));
  assert.ok(text.includes(headers.get("x-request-id")!));
});

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

/** A service and what it reports of its requests. */
function listening() {
  const answered: Answered[] = [];
  const { objects, source, clock } = testService();
  const { app } = testApp({
    reader: new SnapshotReader(source, { clock }),
    clock,
    log: () => {},
    requests: (one) => answered.push(one),
  });
  return { app, objects, clock, answered };
}

Deno.test("every request is reported once, by its route pattern", async () => {
  const { app, answered, clock } = listening();
  const peer = "192.0.2.7";
  const headers = { "x-request-id": "mine" };
  await call(app, "/api/v1/carriers/295017?x=secret", { peer, headers });
  const [{ ms, found, ...rest }] = answered as [Answered];
  assert.deepEqual(rest, {
    at: clock.now(),
    requestId: "mine",
    method: "GET",
    route: "/api/v1/carriers/{dot}",
    status: 200,
    client: peer,
    snapshotId: "a",
    cached: false,
    bytes: undefined,
  });
  assert.ok(found! >= 0 && ms >= found!);
  const carrier = "/api/v1/carriers/{dot}";
  const headersOfJson = { "content-type": "application/json" };
  const batch = { method: "POST", headers: headersOfJson, body: '{"dots":["1"]}' };
  const noted = async (target: string, init: RequestInit = {}) => {
    await call(app, target, { ...init, peer });
    const { route, status, cached } = answered.at(-1)!;
    return [route, status, cached].join(" ");
  };
  // What is asked for a second time is cached.
  assert.equal(await noted("/api/v1/carriers/295017"), `${carrier} 200 false`);
  assert.equal(await noted("/api/v1/carriers/295017"), `${carrier} 200 true`);
  assert.equal(await noted("/api/v1/ucr-fee?vehicles=4"), "/api/v1/ucr-fee 200 ");
  assert.equal(await noted("/api/v1/carriers/batch", batch), "/api/v1/carriers/batch 200 ");
  assert.equal(await noted("/api/v1/carriers/12A"), `${carrier} 400 `);
  assert.ok(answered.at(-1)!.bytes! > 20);
  assert.equal(await noted("/no/such/path/295017"), " 404 ");
  while (answered.length < 60) await noted("/api/v1/carriers/295017");
  assert.equal(await noted("/api/v1/carriers/295017"), `${carrier} 429 `);
  assert.equal(await noted("/no/such/path/295017"), " 429 ");
  assert.equal(answered.length, 62);
});
