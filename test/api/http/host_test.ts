import assert from "node:assert/strict";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import { call, testApp, testService } from "./service.ts";

Deno.test("a Host with a path of its own gets 400, never another carrier's answer", async () => {
  const { app } = testService();
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    (request, info) => app.fetch(request, info),
  );
  const answer = async (host: string, path: string): Promise<string> => {
    using connection = await Deno.connect({ hostname: "127.0.0.1", port: server.addr.port });
    const text = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    await connection.write(new TextEncoder().encode(text));
    return await new Response(connection.readable).text();
  };
  const path = "/api/v1/carriers/295017";
  const wrong = [
    "a/api/v1/carriers/146793?",
    "a/healthz?",
    "a/api/v1/carriers/146793#",
    "a\\api?",
    "user:pass@a",
    "a b",
    "a:65536",
    "a:",
    "a,b",
  ];
  for (const host of wrong) {
    const text = await answer(host, path);
    assert.match(text, /^HTTP\/1\.1 400 .*"code":"invalid_host"/s, host);
    assert.match(text, /^cache-control: no-store\r$/mi, host);
    assert.match(text, /^ratelimit-remaining: \d+\r$/mi, host);
    assert.doesNotMatch(text, /146793/, host);
  }
  for (const host of ["a.example", "A.example:8443", "127.0.0.1:8000", "[::1]:8000", ""]) {
    assert.match(await answer(host, path), /^HTTP\/1\.1 200 .*"dot":"295017"/s, host);
  }
});

Deno.test("what a shared cache may keep carries no caller's counters, and directly nothing is for one to keep", async () => {
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
