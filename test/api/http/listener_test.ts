import assert from "node:assert/strict";
import { listen } from "../../../api/http/listener.ts";
import { answerOf, call, checkAnswer, testService } from "./service.ts";

Deno.test("an abort ends a shutdown that waits for an open request, without an error", async () => {
  const begun = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<Response>();
  const abort = new AbortController();
  const listener = listen({
    hostname: "127.0.0.1",
    port: 0,
    signal: abort.signal,
    log: assert.fail,
    handler() {
      begun.resolve();
      return answer.promise;
    },
  });
  const response = fetch(`http://127.0.0.1:${listener.port}/`);
  await begun.promise;
  const ended = listener.shutdown();
  abort.abort();
  await ended;
  answer.resolve(new Response("late"));
  assert.equal(await (await response).text(), "late");
});

function serve() {
  const { app } = testService();
  const listen = { hostname: "127.0.0.1", port: 0, onListen() {} };
  const server = Deno.serve(listen, (request, info) => app.fetch(request, info));
  const root = `http://127.0.0.1:${server.addr.port}`;
  return { app, server, root, [Symbol.asyncDispose]: () => server.shutdown() };
}

Deno.test("answers keep their invariants behind a real listener", async () => {
  await using served = serve();
  const { app, root } = served;
  const targets = ["/api/v1/carriers/295017", "/api/v1/mc/143229", "/api/v1/carriers/%ZZ", "/%ZZ"];
  for (const target of targets) {
    for (const method of ["GET", "HEAD", "OPTIONS", "POST"]) {
      checkAnswer(await answerOf(await fetch(root + target, { method })), { method, target });
    }
  }
  const etag = (await call(app, targets[0]!)).headers.get("etag")!;
  const again = await fetch(root + targets[0], { headers: { "If-None-Match": etag } });
  assert.deepEqual([again.status, await again.text()], [304, ""]);
});

Deno.test("answers are gzipped for clients that accept it, and HEAD has the length and encoding of GET", async () => {
  // Over real HTTP: Deno writes "content-length: 0" for an answer without a body.
  await using served = serve();
  for (const path of ["/api/v1/carriers/295017", "/api/v1/carriers/1", "/none"]) {
    const texts: string[] = [];
    // Twice each: computed, and from the cache.
    for (const encoding of ["identity", "gzip", "identity", "gzip"]) {
      const init = { headers: { "Accept-Encoding": encoding } };
      const get = await fetch(served.root + path, init);
      const packed = get.status === 200 && encoding === "gzip";
      assert.equal(get.headers.get("content-encoding"), packed ? "gzip" : null, path);
      assert.match(get.headers.get("vary")!, /Accept-Encoding/i);
      texts.push(await get.text());
      const head = await fetch(served.root + path, { ...init, method: "HEAD" });
      for (const name of ["content-length", "content-encoding", "etag", "vary"]) {
        assert.equal(head.headers.get(name), get.headers.get(name), `${name} of ${path}`);
      }
      assert.equal(await head.text(), "");
    }
    assert.equal(new Set(texts).size, 1, "the same body");
  }
});

Deno.test("a Host that contains a path gets 400, never another carrier's answer", async () => {
  await using served = serve();
  const path = "/api/v1/carriers/295017";
  const answer = async (host: string): Promise<string> => {
    using connection = await Deno.connect({ port: served.server.addr.port });
    const text = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    await connection.write(new TextEncoder().encode(text));
    return await new Response(connection.readable).text();
  };
  const wrong = ["a/api/v1/carriers/146793?", "a/healthz?", "a/api/v1/carriers/146793#"]
    .concat("a\\api?", "user:pass@a", "a b", "a:65536", "a:", "a,b");
  for (const host of wrong) {
    const text = await answer(host);
    assert.match(text, /^HTTP\/1\.1 400 .*"code":"invalid_host"/s, host);
    assert.match(text, /^cache-control: no-store\r$/mi, host);
    assert.match(text, /^ratelimit-remaining: \d+\r$/mi, host);
    assert.doesNotMatch(text, /146793/, host);
  }
  for (const host of ["a.example", "A.example:8443", "127.0.0.1:8000", "[::1]:8000", ""]) {
    assert.match(await answer(host), /^HTTP\/1\.1 200 .*"dot":"295017"/s, host);
  }
});
