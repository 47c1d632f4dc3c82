import assert from "node:assert/strict";
import { ROOT, startOne } from "../../run_main.ts";

/** Requests a batch with a key, which needs the store. */
function batch(key: string): RequestInit {
  const headers = { "content-type": "application/json", "idempotency-key": key };
  return { method: "POST", headers, body: '{"dots": ["295017"]}' };
}

Deno.test("KV_PATH may be a server's address: it is opened with the token, and no folder is created for it", async () => {
  const asked: { method: string; path: string; token: string | null }[] = [];
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    const { pathname } = new URL(request.url);
    const token = request.headers.get("authorization");
    asked.push({ method: request.method, path: pathname, token });
    return new Response("no", { status: 401 });
  });
  const KV_PATH = `http://127.0.0.1:${server.addr.port}/store`;
  await using run = await startOne({ KV_PATH, DENO_KV_ACCESS_TOKEN: "t0ken" });
  // A server that rejects the token is an unusable store: lookups don't need it.
  assert.equal((await run.get("/api/v1/carriers/batch", batch("a"))).status, 503);
  assert.equal((await run.get("/readyz")).status, 503);
  assert.equal((await run.get("/api/v1/carriers/295017")).status, 200);
  assert.ok(asked.length > 0);
  for (const one of asked) {
    assert.deepEqual(one, { method: "POST", path: "/store", token: "Bearer t0ken" });
  }
  // Removed, so that the failure of one mutant is not that of the next.
  await assert.rejects(Deno.remove(`${ROOT}http:`, { recursive: true }), Deno.errors.NotFound);
});
