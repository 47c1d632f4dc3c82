import assert from "node:assert/strict";
import { endpointOver, post, testMcp } from "./service.ts";

const PUBLIC = "https://carriers.example";
const LOCAL = "http://localhost:8000";

async function refuses(baseUrl: string, headers: Record<string, string>): Promise<boolean> {
  const { context } = testMcp();
  const request = new Request(`${baseUrl}/mcp`, { method: "OPTIONS", headers });
  return (await endpointOver({ ...context, baseUrl })(request)).status === 403;
}

Deno.test("/mcp answers any Host when public, as proxies rewrite it, and local ones when local", async () => {
  for (
    const [base, host, refused] of [
      [PUBLIC, "carriers.example", false],
      [PUBLIC, "carriers.example:443", false],
      [PUBLIC, "localhost:8000", false],
      [PUBLIC, "backend:8000", false],
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
      [PUBLIC, "https://any.example", false],
      [PUBLIC, "http://localhost:6274", false],
      [PUBLIC, "moz-extension://8a1b2c3d", false],
      [PUBLIC, "null", false],
      [PUBLIC, "nonsense", true],
      [PUBLIC, "data:text/html,x", true],
      [PUBLIC, "https://", true],
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
  const response = await endpoint(new Request(`${PUBLIC}/mcp`, { method: "OPTIONS" }));
  assert.equal(response.status, 204);
  const allowed = response.headers.get("access-control-allow-headers")!.toLowerCase().split(", ");
  for (
    const name of post("modern", { method: "tools/call", params: { name: "ucr_fee" } }).headers
      .keys()
  ) {
    assert.ok(allowed.includes(name), name);
  }
});
