import assert from "node:assert/strict";
import { PROTOCOL_VERSIONS, serverCard } from "../../mcp/card.ts";
import { mcpMounts } from "../../mcp/routes.ts";
import registryEntry from "../../mcp/server.json" with { type: "json" };
import { BASE_URL, from, testApp } from "../api/http/service.ts";
import { validator } from "./json_schema.ts";
// From modelcontextprotocol/experimental-ext-server-card, commit 8924e08.
import schema from "./server_card.schema.json" with { type: "json" };
import { endpointOver, post, send, testMcp } from "./service.ts";

Deno.test("/mcp and its card have the headers and the rate limit of the API", async () => {
  const { context } = testMcp();
  const baseUrl = "http://localhost";
  const { reader, clock } = context;
  const { app } = testApp({ reader, clock, baseUrl, mounts: mcpMounts({ ...context, baseUrl }) });
  const ask = (path: string, init?: RequestInit) =>
    app.fetch(new Request(`${baseUrl}${path}`, init), from("192.0.2.1"));

  const card = await ask("/mcp/server-card");
  assert.equal((await card.json()).remotes[0].url, `${baseUrl}/mcp`);
  assert.equal(card.headers.get("ratelimit-remaining"), "59");
  const params = { name: "lookup_carrier", arguments: { dot: "295017" } };
  const called = await ask("/mcp", post("legacy", { method: "tools/call", params }));
  const { result } = await called.json();
  assert.equal(result.structuredContent.dot, "295017");
  assert.match(called.headers.get("x-request-id") ?? "", /./);
  assert.equal(called.headers.get("access-control-allow-origin"), "*");
  assert.equal(called.headers.get("ratelimit-remaining"), "58");

  for (let i = 0; i < 58; i++) await ask("/mcp/server-card");
  const refused = await ask("/mcp", { method: "POST" });
  assert.equal(refused.status, 429);
  assert.match(refused.headers.get("retry-after")!, /^\d+$/);
  const { jsonrpc, error } = await refused.json();
  assert.deepEqual([jsonrpc, error.code, error.data.code], ["2.0", -32000, "rate_limited"]);
});

const LOCAL = "http://localhost:8000";

/** Values of Host and Origin that a service at `base` accepts, and others that it rejects. */
const CALLERS: [base: string, header: "host" | "origin", yes: string[], no: string[]][] = [
  // Proxies rewrite the Host.
  [BASE_URL, "host", ["carriers.example:443", "localhost:8000", "backend:8000"], []],
  [LOCAL, "host", ["localhost:9000", "127.0.0.1:8000", "[::1]:8000"], [
    "evil.example:8000",
    "localhost.evil.example",
  ]],
  [BASE_URL, "origin", [
    "https://any.example",
    "http://localhost:6274",
    "moz-extension://8a1b2c3d",
    "null",
  ], ["nonsense", "data:text/html,x", "https://"]],
  [LOCAL, "origin", ["http://localhost:6274", "http://127.0.0.1:3000"], [
    "https://evil.example",
    "https://localhost.evil.example",
    "null",
  ]],
];

Deno.test("/mcp answers any Host and well-formed Origin when public, and only local ones when local", async () => {
  const { context } = testMcp();
  for (const [baseUrl, header, accepted, refused] of CALLERS) {
    const endpoint = endpointOver({ ...context, baseUrl });
    for (const value of [...accepted, ...refused]) {
      const init = { method: "OPTIONS", headers: { [header]: value } };
      const { status } = await endpoint(new Request(`${baseUrl}/mcp`, init));
      assert.equal(status, refused.includes(value) ? 403 : 204, `${baseUrl}, ${header} ${value}`);
    }
  }
});

Deno.test("/mcp answers preflights with the headers that clients send", async () => {
  const { endpoint } = testMcp();
  const response = await endpoint(new Request(`${BASE_URL}/mcp`, { method: "OPTIONS" }));
  assert.equal(response.status, 204);
  const allowed = response.headers.get("access-control-allow-headers")!.toLowerCase().split(", ");
  const call = post("modern", { method: "tools/call", params: { name: "ucr_fee" } });
  for (const name of call.headers.keys()) assert.ok(allowed.includes(name), name);
});

Deno.test("serverCard() is valid for every address the service may have", () => {
  const validate = validator(schema, "ServerCard");
  const ipv6 = ["http://[::1]:8000", "http://[::]"];
  for (const base of [BASE_URL, "http://localhost:8000", ...ipv6, "https://a.b.c/d"]) {
    const card = serverCard(base);
    validate(card);
    assert.equal(card.remotes[0]!.url, `${base}/mcp`);
  }
  assert.equal(serverCard(BASE_URL).name, "example.carriers/carrier-compliance-lookup");
});

Deno.test("serverCard() agrees with the running server, and may be cached", async () => {
  const { endpoint } = testMcp();
  const card = serverCard(BASE_URL);
  const { body: { result } } = await send(endpoint, post("modern", { method: "server/discover" }));
  const info = result._meta["io.modelcontextprotocol/serverInfo"];
  assert.equal(card.name.split("/")[1], info.name);
  for (const member of ["title", "version", "description", "websiteUrl"] as const) {
    assert.equal(card[member], info[member]);
  }
  const [remote] = card.remotes;
  assert.deepEqual(remote!.supportedProtocolVersions, [...PROTOCOL_VERSIONS]);
  assert.deepEqual(result.supportedVersions, [PROTOCOL_VERSIONS[0]]);
  assert.equal(result.cacheScope, "public");
});

Deno.test("server.json is the card in the registry's format", () => {
  const { $schema: _, remotes, ...card } = serverCard(BASE_URL);
  const { $schema, ...entry } = registryEntry;
  const [{ type, url }] = remotes as [typeof remotes[0]];
  assert.deepEqual(entry, { ...card, remotes: [{ type, url }] });
  assert.match($schema, /\/schemas\/2025-12-11\/server\.schema\.json$/);
});
