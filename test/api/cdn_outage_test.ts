/**
 * The production service over a snapshot that it reads by HTTP, while the host fails.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  jsonBytes,
  type Objects,
  putSnapshot,
  record,
  TestClock,
} from "../pipeline/snapshot/memory.ts";
import { call, serviceAt } from "./http/service.ts";

/** A host that a test can make fail. It counts the requests it gets. */
function host(objects: Objects) {
  const state = { down: false, requests: 0, notModified: 0 };
  const server = Deno.serve({ port: 0, onListen() {} }, async (request) => {
    state.requests++;
    if (state.down) return new Response("no", { status: 503 });
    const bytes = objects.get(new URL(request.url).pathname.slice(1));
    if (bytes === undefined) return new Response("no", { status: 404 });
    const etag = `"${new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex()}"`;
    if (request.headers.get("if-none-match") === etag) {
      state.notModified++;
      return new Response(null, { status: 304, headers: { etag } });
    }
    return new Response(bytes, { headers: { etag } });
  });
  return { state, server, address: `http://localhost:${server.addr.port}` };
}

Deno.test("while the CDN is down, cached shards are answered and others get 503 without a request; then the service recovers", async () => {
  const objects: Objects = new Map();
  const carriers = [5, 105, 205].map((dot) => record(dot));
  putSnapshot(objects, { id: "a", carriers });
  const { state, server, address } = host(objects);
  const clock = new TestClock();
  const logged: string[] = [];
  const service = serviceAt(address, { clock, log: (line) => logged.push(line) });
  const statusOf = async (dot: number): Promise<number> =>
    (await call(service.app, `/api/v1/carriers/${dot}`)).status;
  try {
    assert.equal(await statusOf(5), 200);
    state.down = true;
    for (let i = 0; i < 4; i++) assert.equal(await statusOf(105), 503);
    const reached = state.requests;
    for (let i = 0; i < 20; i++) {
      const { status, headers } = await call(service.app, "/api/v1/carriers/205");
      assert.deepEqual([status, headers.get("retry-after")], [503, "10"]);
    }
    assert.equal(state.requests, reached, "a host that is down was asked");
    clock.advance(3_600_000);
    for (let i = 0; i < 3; i++) {
      assert.equal(await statusOf(5), 200, "what is cached is answered an hour later");
    }
    assert.ok(logged.some((line) => /5 reads of the snapshot failed in a row/.test(line)));
    assert.ok(logged.some((line) => /Keeps the older snapshot/.test(line)));

    state.down = false;
    clock.advance(60_000);
    assert.equal(await statusOf(105), 200);
    assert.ok(logged.includes("The snapshot can be read again"));
    assert.equal(state.notModified, 1, "the pointer was sent again although it is the same");
  } finally {
    await service.close();
    await server.shutdown();
  }
});

Deno.test("a service that reads by HTTP moves to the next snapshot, and follows a rollback", async () => {
  const objects: Objects = new Map();
  const point = (id: string, sequence: number): void => {
    putSnapshot(objects, { id, carriers: [record(5, { legal_name: `NAME ${id}` })] });
    const pointer = JSON.parse(new TextDecoder().decode(objects.get("current.json")));
    objects.set("current.json", jsonBytes({ ...pointer, sequence }));
  };
  point("a", 1);
  const { server, address } = host(objects);
  const clock = new TestClock();
  const service = serviceAt(address, { clock });
  try {
    const seen: string[] = [];
    for (const [id, sequence] of [["a", 1], ["b", 2], ["a", 1], ["a", 3]] as const) {
      point(id, sequence);
      clock.advance(60_000);
      const { body, headers } = await call(service.app, "/api/v1/carriers/5");
      assert.equal(body.name, `NAME ${headers.get("snapshot-id")}`);
      seen.push(body.name);
    }
    assert.deepEqual(seen, ["NAME a", "NAME b", "NAME b", "NAME a"]);
  } finally {
    await service.close();
    await server.shutdown();
  }
});
