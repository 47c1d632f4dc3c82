import assert from "node:assert/strict";
import { PROTOCOL_VERSIONS, serverCard } from "../../mcp/card.ts";
import registryEntry from "../../mcp/server.json" with { type: "json" };
import { validator } from "./json_schema.ts";
// From modelcontextprotocol/experimental-ext-server-card, commit 8924e08.
import schema from "./server_card.schema.json" with { type: "json" };
import { BASE_URL, post, send, testMcp } from "./service.ts";

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
