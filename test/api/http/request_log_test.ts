import assert from "node:assert/strict";
import type { Answered } from "../../../api/http/exchange.ts";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import { call, testApp, testService } from "./service.ts";

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
  const headers = { "user-agent": "curl/8", "x-request-id": "mine" };
  await call(app, "/api/v1/carriers/295017?x=secret", { peer, headers });
  const [{ ms, found, ...rest }] = answered as [Answered];
  assert.deepEqual(rest, {
    at: clock.now(),
    requestId: "mine",
    method: "GET",
    route: "/api/v1/carriers/{dot}",
    status: 200,
    client: peer,
    agent: "curl/8",
    snapshotId: "a",
    cached: false,
  });
  assert.ok(found! >= 0 && ms >= found!);
  // What is asked for a second time is cached.
  await call(app, "/api/v1/carriers/295017", { peer });
  await call(app, "/api/v1/carriers/295017", { peer });
  assert.deepEqual(answered.splice(1, 1).map(({ cached }) => cached), [false]);
  assert.equal(answered[1]!.cached, true);
  await call(app, "/api/v1/ucr-fee?vehicles=4", { peer });
  assert.deepEqual([answered[2]!.route, answered[2]!.cached], ["/api/v1/ucr-fee", undefined]);
  await call(app, "/api/v1/carriers/batch", {
    peer,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"dots":["1"]}',
  });
  assert.equal(answered[3]!.route, "/api/v1/carriers/batch");
  await call(app, "/api/v1/carriers/12A", { peer });
  assert.deepEqual([answered[4]!.route, answered[4]!.status], ["/api/v1/carriers/{dot}", 400]);
  assert.ok(answered[4]!.bytes! > 20);
  await call(app, "/no/such/path/295017", { peer });
  assert.deepEqual([answered[5]!.route, answered[5]!.status], [undefined, 404]);
  for (let i = 6; i < 60; i++) await call(app, "/api/v1/carriers/295017", { peer });
  await call(app, "/no/such/path/295017", { peer });
  assert.deepEqual([answered.length, answered[59]!.status, answered[60]!.status], [61, 429, 429]);
  assert.deepEqual([answered[59]!.route, answered[60]!.route], [
    "/api/v1/carriers/{dot}",
    undefined,
  ]);
});

Deno.test("answers time themselves, and a 304 is still one", async () => {
  const { app } = listening();
  const { headers } = await call(app, "/api/v1/carriers/295017");
  assert.match(headers.get("server-timing")!, /^find;dur=[\d.]+, total;dur=[\d.]+$/);
  const again = await call(app, "/api/v1/carriers/295017", {
    headers: { "if-none-match": headers.get("etag")! },
  });
  assert.equal(again.status, 304);
  assert.match(again.headers.get("server-timing")!, /^find;dur=/);
  const missing = await call(app, "/no/such/path");
  assert.match(missing.headers.get("server-timing")!, /^total;dur=[\d.]+$/);
});
