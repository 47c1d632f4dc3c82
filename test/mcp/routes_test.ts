import assert from "node:assert/strict";
import { mcpMounts } from "../../mcp/routes.ts";
import { SnapshotReader } from "../../pipeline/snapshot/reader.ts";
import { from, testApp } from "../api/http/service.ts";
import { MemorySource, putSnapshot, record, TestClock } from "../pipeline/snapshot/memory.ts";

const CALL = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "lookup_carrier", arguments: { dot: "295017" } },
};

Deno.test("/mcp and its card have the headers and the rate limit of the API", async () => {
  const objects = new Map();
  putSnapshot(objects, { id: "a", carriers: [record(295017)] });
  const clock = new TestClock();
  const reader = new SnapshotReader(new MemorySource(objects), { clock });
  const baseUrl = "http://localhost";
  const log = (line: string): void => assert.fail(line);
  const mounts = mcpMounts({ reader, clock, baseUrl, log });
  const { app } = testApp({ reader, clock, baseUrl, mounts });
  const ask = (path: string, init?: RequestInit) =>
    app.fetch(new Request(`${baseUrl}${path}`, init), from("192.0.2.1"));

  const card = await ask("/mcp/server-card");
  assert.equal((await card.json()).remotes[0].url, `${baseUrl}/mcp`);
  assert.equal(card.headers.get("ratelimit-remaining"), "59");
  assert.equal((await ask("/mcp/server-card", { method: "DELETE" })).status, 405);

  const called = await ask("/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "accept": "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
    },
    body: JSON.stringify(CALL),
  });
  const { result } = await called.json();
  assert.equal(result.structuredContent.dot, "295017");
  assert.match(called.headers.get("x-request-id") ?? "", /./);
  assert.equal(called.headers.get("access-control-allow-origin"), "*");
  assert.equal(called.headers.get("ratelimit-remaining"), "57");

  const head = await ask("/mcp/server-card", { method: "HEAD" });
  const etag = card.headers.get("etag")!;
  assert.match(etag, /^W\/"[0-9a-f]{32}"$/);
  for (const name of ["content-length", "content-type", "cache-control", "etag"]) {
    assert.equal(head.headers.get(name), card.headers.get(name), name);
  }
  const again = await ask("/mcp/server-card", { headers: { "if-none-match": etag } });
  assert.equal(again.status, 304);

  for (let i = 0; i < 55; i++) await ask("/mcp/server-card");
  const refused = await ask("/mcp", { method: "POST" });
  assert.equal(refused.status, 429);
  assert.match(refused.headers.get("retry-after")!, /^\d+$/);
  const { jsonrpc, error } = await refused.json();
  assert.deepEqual([jsonrpc, error.code, error.data.code], ["2.0", -32000, "rate_limited"]);
});
