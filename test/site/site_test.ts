import assert from "node:assert/strict";
import { siteOf } from "./app.ts";

const HTML = { headers: { Accept: "text/html" } };

Deno.test("a page answers 405 with its allowed methods to any other method", async () => {
  const response = await siteOf().visit("/about", { method: "DELETE" });
  assert.equal(response.status, 405);
  assert.equal(response.headers.get("allow"), "GET, HEAD");
});

Deno.test("pages and the API have separate rate limits, that of pages is higher, and refusals are pages", async () => {
  const { visit } = siteOf();
  const peer = "192.0.2.7";
  let last = await visit("/about", HTML, peer);
  const limit = Number(last.headers.get("ratelimit-limit"));
  assert.ok(limit > 60);
  for (let n = 1; n < limit; n++) last = await visit("/about", HTML, peer);
  assert.equal(last.status, 200);
  const refused = await visit("/about", HTML, peer);
  assert.equal(refused.status, 429);
  assert.match(refused.headers.get("content-type") ?? "", /^text\/html/);
  assert.ok(Number(refused.headers.get("retry-after")) > 0);
  assert.match(await refused.text(), /<h1>Too many requests/);
  const api = await visit("/api/v1/carriers/295017", {}, peer);
  assert.deepEqual([api.status, api.headers.get("ratelimit-remaining")], [200, "59"]);
});

Deno.test("icon, font and preview are cacheable forever under names with their hashes", async () => {
  const { visit } = siteOf();
  const html = await (await visit("/")).text();
  for (
    const [pattern, type, most] of [
      [/href="(\/assets\/icon\.[0-9a-f]+\.svg)"/, "image/svg+xml", 1_000],
      [/url\((\/assets\/inter\.[0-9a-f]+\.woff2)\)/, "font/woff2", 30 * 1024],
      [/href="(\/assets\/touch_icon\.[0-9a-f]+\.png)"/, "image/png", 5_000],
      [
        /og:image" content="https:\/\/[^/]+(\/assets\/preview\.[0-9a-f]+\.png)"/,
        "image/png",
        50_000,
      ],
    ] as const
  ) {
    const response = await visit(pattern.exec(html)![1]!);
    assert.match(response.headers.get("content-security-policy")!, /^default-src 'none'/);
    assert.deepEqual([response.status, response.headers.get("content-type")], [200, type]);
    assert.match(response.headers.get("cache-control")!, /immutable/);
    assert.ok((await response.bytes()).length < most, type);
  }
});

Deno.test("If-Match is refused on documents as on lookups, unless it is *", async () => {
  const { visit } = siteOf();
  for (
    const path of ["/openapi.json", "/llms.txt", "/mcp/server-card", "/api/v1/carriers/295017"]
  ) {
    const tag = (await visit(path)).headers.get("etag")!;
    const statuses = await Promise.all(
      ["*", tag, tag.replace("W/", "")].map(async (tags) =>
        (await visit(path, { headers: { "If-Match": tags } })).status
      ),
    );
    assert.deepEqual(statuses, [200, 412, 412], path);
  }
});
