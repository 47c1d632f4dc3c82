import assert from "node:assert/strict";
import { gateOf } from "../../mcp/http.ts";

function refuses(
  baseUrl: string,
  headers: Record<string, string>,
  url = `${baseUrl}/mcp`,
): boolean {
  return gateOf(baseUrl).complaint(new Request(url, { headers })) !== null;
}

const PUBLIC = "https://carriers.example";
const LOCAL = "http://localhost:8000";

Deno.test("gateOf() answers for any host when public, as proxies rewrite it, and for local ones when local", () => {
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
    assert.equal(refuses(base, { host }), refused, `${base} asked as ${host}`);
  }
  assert.equal(refuses(LOCAL, {}, "http://evil.example/mcp"), true, "without a Host header");
});

Deno.test("gateOf() takes any well-formed origin when public, local ones when local", () => {
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
    assert.equal(refuses(base, { origin }), refused, `${base} called from ${origin}`);
  }
});
