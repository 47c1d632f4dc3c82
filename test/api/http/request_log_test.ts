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
