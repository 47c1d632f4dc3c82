import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { openApi } from "../../../api/discovery/openapi.ts";
import { BASE_URL } from "../http/service.ts";
import { described, PATHS, textsOf } from "./service.ts";

Deno.test("every document stands in the app, with validator, length and limits", async () => {
  const ask = described();
  for (const path of PATHS) {
    const whole = await ask(path);
    assert.equal(whole.status, 200, path);
    const bytes = new Uint8Array(await whole.arrayBuffer());
    assert.equal(whole.headers.get("access-control-allow-origin"), "*", path);
    assert.equal(whole.headers.get("ratelimit-limit"), "60", path);
    assert.match(whole.headers.get("cache-control")!, /^private, max-age=\d+$/, path);

    const head = await ask(path, { method: "HEAD" });
    assert.equal(head.status, 200, path);
    assert.equal(await head.text(), "", path);
    for (const name of ["content-length", "content-type", "etag", "link"]) {
      assert.equal(head.headers.get(name), whole.headers.get(name), `${path} ${name}`);
    }
    assert.equal(head.headers.get("content-length"), String(bytes.length), path);

    const tag = whole.headers.get("etag")!;
    assert.match(tag, /^W\/"[0-9a-f]{32}"$/);
    const again = await ask(path, { headers: { "if-none-match": tag } });
    assert.equal(again.status, 304, path);
    for (const name of ["etag", "cache-control", "x-request-id"]) {
      assert.ok(again.headers.has(name), path);
    }
    assert.equal(again.headers.get("content-length"), null, path);

    const other = await ask(path, { method: "POST" });
    assert.equal(other.status, 405, path);
    assert.equal(other.headers.get("allow"), "GET, HEAD, OPTIONS", path);
  }
  // The table of methods once took the dot of a path for any character, and answered 405.
  assert.equal((await ask("/openapi-json")).status, 404);
  assert.equal((await ask("/.well-known/agent-skills/none/SKILL.md")).status, 404);
});

Deno.test("documents have the media types that their readers look for", async () => {
  const ask = described();
  const type = async (path: string) => (await ask(path)).headers.get("content-type");
  assert.equal(
    await type("/.well-known/api-catalog"),
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  );
  assert.equal(await type("/.well-known/ai-catalog.json"), "application/ai-catalog+json");
  for (const path of PATHS) {
    const [wanted] = Object.entries({
      "application/json; charset=utf-8": /(?<!ai-catalog)\.json$|^\/api\/v1$/,
      "text/markdown; charset=utf-8": /\.md$/,
      "text/plain; charset=utf-8": /\.txt$/,
      "application/xml; charset=utf-8": /\.xml$/,
    }).find(([, paths]) => paths.test(path)) ?? [];
    if (wanted !== undefined) assert.equal(await type(path), wanted, path);
  }
});

Deno.test("HEAD of the API catalog leads to the catalog itself", async () => {
  const ask = described();
  const head = await ask("/.well-known/api-catalog", { method: "HEAD" });
  assert.match(
    head.headers.get("link")!,
    new RegExp(`<${RegExp.escape(BASE_URL)}/\\.well-known/api-catalog>; rel="api-catalog"`),
  );
});

Deno.test("documents name the address of the service and no other of its own", async () => {
  const ask = described();
  for (const [path, text] of await textsOf(ask)) {
    assert.doesNotMatch(text, /localhost|127\.0\.0\.1|undefined|\[object/, path);
    assert.ok(text.includes(BASE_URL), path);
  }
});

Deno.test("digests of skills are those of the bytes that are sent", async () => {
  const ask = described();
  const { skills } = await (await ask("/.well-known/agent-skills/index.json")).json();
  for (const { url, digest } of skills) {
    const bytes = new Uint8Array(await (await ask(url.slice(BASE_URL.length))).arrayBuffer());
    assert.equal(digest, `sha256:${createHash("sha256").update(bytes).digest("hex")}`);
  }
});

Deno.test("/openapi.json is the document, and both catalogs of resources are the same bytes", async () => {
  const ask = described();
  const text = async (path: string) => await (await ask(path)).text();
  assert.equal(await text("/openapi.json"), JSON.stringify(openApi(BASE_URL)));
  assert.equal(await text("/.well-known/ard.json"), await text("/.well-known/ai-catalog.json"));
});
