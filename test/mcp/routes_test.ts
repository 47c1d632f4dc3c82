import assert from "node:assert/strict";
import { PROTOCOL_VERSIONS, serverCard } from "../../mcp/card.ts";
import { mcpMounts } from "../../mcp/routes.ts";
import registryEntry from "../../mcp/server.json" with { type: "json" };
import { from, testApp } from "../api/http/service.ts";
import { validator } from "./json_schema.ts";
// From modelcontextprotocol/experimental-ext-server-card, commit 8924e08.
import schema from "./server_card.schema.json" with { type: "json" };
import { BASE_URL, endpointOver, post, send, testMcp } from "./service.ts";

const CALL = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "lookup_carrier", arguments: { dot: "295017" } },
};

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

const LOCAL = "http://localhost:8000";

async function refuses(baseUrl: string, headers: Record<string, string>): Promise<boolean> {
  const { context } = testMcp();
  const request = new Request(`${baseUrl}/mcp`, { method: "OPTIONS", headers });
  return (await endpointOver({ ...context, baseUrl })(request)).status === 403;
}

Deno.test("/mcp answers any Host when public, as proxies rewrite it, and local ones when local", async () => {
  for (
    const [base, host, refused] of [
      [BASE_URL, "carriers.example", false],
      [BASE_URL, "carriers.example:443", false],
      [BASE_URL, "localhost:8000", false],
      [BASE_URL, "backend:8000", false],
      [LOCAL, "localhost:9000", false],
      [LOCAL, "127.0.0.1:8000", false],
      [LOCAL, "[::1]:8000", false],
      [LOCAL, "evil.example:8000", true],
      [LOCAL, "localhost.evil.example", true],
    ] as const
  ) {
    assert.equal(await refuses(base, { host }), refused, `${base} asked as ${host}`);
  }
});

Deno.test("/mcp accepts any well-formed Origin when public, local ones when local", async () => {
  for (
    const [base, origin, refused] of [
      [BASE_URL, "https://any.example", false],
      [BASE_URL, "http://localhost:6274", false],
      [BASE_URL, "moz-extension://8a1b2c3d", false],
      [BASE_URL, "null", false],
      [BASE_URL, "nonsense", true],
      [BASE_URL, "data:text/html,x", true],
      [BASE_URL, "https://", true],
      [LOCAL, "http://localhost:6274", false],
      [LOCAL, "http://127.0.0.1:3000", false],
      [LOCAL, "https://evil.example", true],
      [LOCAL, "https://localhost.evil.example", true],
      [LOCAL, "null", true],
    ] as const
  ) {
    assert.equal(await refuses(base, { origin }), refused, `${base} called from ${origin}`);
  }
});

Deno.test("/mcp answers preflights with the headers that clients send", async () => {
  const { endpoint } = testMcp();
  const response = await endpoint(new Request(`${BASE_URL}/mcp`, { method: "OPTIONS" }));
  assert.equal(response.status, 204);
  const allowed = response.headers.get("access-control-allow-headers")!.toLowerCase().split(", ");
  for (
    const name of post("modern", { method: "tools/call", params: { name: "ucr_fee" } }).headers
      .keys()
  ) {
    assert.ok(allowed.includes(name), name);
  }
});

Deno.test("serverCard() is valid for every address the service may have", () => {
  const validate = validator(schema, "ServerCard");
  for (
    const base of [
      BASE_URL,
      "http://localhost:8000",
      "http://[::1]:8000",
      "http://[::]",
      "https://a.b.c/d",
    ]
  ) {
    const card = serverCard(base);
    validate(card);
    assert.equal(card.remotes[0]!.url, `${base}/mcp`);
  }
  assert.equal(serverCard(BASE_URL).name, "example.carriers/carrier-compliance-lookup");
  assert.throws(() => validate({ ...serverCard(BASE_URL), description: "x".repeat(101) }));
});

Deno.test("serverCard() says what the running server says", async () => {
  const { endpoint } = testMcp();
  const card = serverCard(BASE_URL);
  const { body } = await send(endpoint, post("modern", { method: "server/discover" }));
  const info = body.result._meta["io.modelcontextprotocol/serverInfo"];
  assert.equal(card.name.split("/")[1], info.name);
  for (const member of ["title", "version", "description", "websiteUrl"] as const) {
    assert.equal(card[member], info[member]);
  }
  const [remote] = card.remotes;
  assert.deepEqual(remote!.supportedProtocolVersions, [...PROTOCOL_VERSIONS]);
  assert.ok(body.result.supportedVersions.includes(PROTOCOL_VERSIONS[0]));
});

Deno.test("server.json is the card as the registry wants it", () => {
  const { $schema: _, remotes, ...card } = serverCard(BASE_URL);
  const { $schema, ...entry } = registryEntry;
  const [{ type, url }] = remotes as [typeof remotes[0]];
  assert.deepEqual(entry, { ...card, remotes: [{ type, url }] });
  assert.match($schema, /\/schemas\/2025-12-11\/server\.schema\.json$/);
});
