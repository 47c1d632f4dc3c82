import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { BATCH_OPERATIONS, OPERATIONS } from "../../api/operations/table.ts";
import { openSource } from "../../pipeline/snapshot/sources/open_source.ts";
import { BASE_URL } from "../api/http/service.ts";
import { MemorySource } from "../pipeline/snapshot/memory.ts";
import { PAGE_PATHS, siteOf, siteOver } from "./app.ts";
import { parse } from "./document.ts";
import { checkSize, problemsOf } from "./html.ts";
import { builtSample } from "../pipeline/sample/built_sample.ts";

const HTML = { headers: { Accept: "text/html" } };

const MORE_PATHS = [
  "/no/such/page",
  "/carriers/none",
  "/compare?dot=286764&dot=90000193&dot=295017&dot=90010002",
  "/search?q=transport&page=2",
  "/status/null_rates",
  "/developers/listChangeFiles",
  ...[...OPERATIONS, ...BATCH_OPERATIONS].map(({ id }) => `/developers/${id}`),
];

Deno.test("pages are well-formed, small, and have their headers", async (t) => {
  const folder = await builtSample();
  const { visit } = siteOver(openSource(folder));
  for (const path of [...PAGE_PATHS, ...MORE_PATHS]) {
    await t.step(path, async () => {
      const response = await visit(path, HTML);
      const text = await response.text();
      if (!/^text\/html/.test(response.headers.get("content-type") ?? "")) return;
      assert.deepEqual(problemsOf(text), []);
      checkHeaders(response, text);
      checkSize(text, path);
    });
  }
});

Deno.test("pages work without a snapshot, or answer 503", async () => {
  const { visit } = siteOver(new MemorySource(new Map()));
  for (const path of PAGE_PATHS) {
    const response = await visit(path, HTML);
    const text = await response.text();
    if (!/^text\/html/.test(response.headers.get("content-type") ?? "")) continue;
    assert.ok(response.status < 500 || response.status === 503, `${path} ${response.status}`);
    assert.deepEqual(problemsOf(text), [], path);
    if (response.status === 503) assert.ok(Number(response.headers.get("retry-after")) > 0, path);
    checkHeaders(response, text);
  }
});

Deno.test("pages send HSTS only when the service has an HTTPS URL", async () => {
  for (
    const [baseUrl, wanted] of [[BASE_URL, "max-age=31536000"], ["http://localhost", null]] as const
  ) {
    const response = await siteOf([], { baseUrl }).visit("/pricing");
    await response.body?.cancel();
    assert.equal(response.headers.get("strict-transport-security"), wanted);
  }
});

/** Invariants of every page, including error pages. */
function checkHeaders({ status, headers }: Response, text: string): void {
  const expected = {
    "content-type": "text/html; charset=utf-8",
    "content-length": String(new TextEncoder().encode(text).length),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "origin-agent-cluster": "?1",
    "access-control-allow-origin": null,
    "set-cookie": null,
    "server": null,
  };
  for (const [name, value] of Object.entries(expected)) {
    assert.equal(headers.get(name), value, name);
  }
  assert.match(headers.get("permissions-policy")!, /camera=\(\)/);
  assert.match(
    headers.get("cache-control")!,
    status === 200 ? /^(public, max-age=\d+|no-store)$/ : /^no-store$/,
  );
  assert.ok(headers.has("x-request-id"));
  const policy = headers.get("content-security-policy")!.split("; ");
  const style = parse(text).querySelector("style")!.textContent;
  const hash = createHash("sha256").update(style).digest("base64");
  const styles = policy.find((directive) => directive.startsWith("style-src "))!;
  assert.ok(styles.includes(` 'sha256-${hash}'`), "the page's one style is allowed");
  assert.doesNotMatch(policy.join(), /unsafe|https?:|\*/);
  for (const name of ["default-src", "base-uri", "frame-ancestors", "trusted-types"]) {
    assert.ok(policy.includes(`${name} 'none'`), name);
  }
  for (const name of ["script-src", "form-action"]) assert.ok(policy.includes(`${name} 'self'`));
}
