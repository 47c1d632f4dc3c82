import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { SERVICE_TITLE } from "../../../api/operations/about.ts";
import { readReport } from "../../../pipeline/audit/report.ts";
import { openSource } from "../../../pipeline/snapshot/sources/open_source.ts";
import { builtSample } from "../../pipeline/sample/built_sample.ts";
import { siteOf, siteOver } from "../app.ts";
import { textOf } from "../document.ts";

/** The maximum size of the home page with everything that it loads, uncompressed. */
const MAX_BYTES = 60 * 1024;

/** How much a server can send before the first acknowledgment: ten segments. */
const FIRST_FLIGHT = 14_600;

Deno.test("the home page and everything it loads are at most 60 KB, and it renders from one response", async () => {
  const { visit } = siteOf();
  const html = await (await visit("/")).text();
  const loaded = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
  assert.ok(loaded.length >= 3);
  let bytes = new TextEncoder().encode(html).length;
  for (const path of loaded) bytes += (await (await visit(path)).bytes()).length;
  assert.ok(bytes <= MAX_BYTES, `${bytes} bytes`);
  assert.doesNotMatch(html, /rel="stylesheet"/);
  assert.doesNotMatch(html, /<script(?! type="(?:module|application\/ld\+json)")/);
  assert.ok(gzipSync(html).length < FIRST_FLIGHT);
});

Deno.test("the home page works without data, and is not cached", async () => {
  const { visit, source } = siteOf();
  source.fault = () => "error";
  const response = await visit("/");
  assert.deepEqual([response.status, response.headers.get("cache-control")], [200, "no-store"]);
  assert.match(await textOf(response), /data can't be read at the moment/);
});

Deno.test("the home page counts the last day's changes between two dates, and says that a sample's are synthetic", async () => {
  const source = openSource(await builtSample());
  const { report: { changes } } = await readReport(source);
  const { added, removed, changed } = changes!;
  const { visit } = siteOver(source);
  const text = await textOf(await visit("/"));
  assert.match(text, /What changed Between Oct 2 and Oct 3, 2026, synthetic/);
  assert.ok(text.includes(`New in the census${added}Left the census${removed}`), text);
  assert.ok(text.includes(`Any field changed${changed}`), text);
});

Deno.test("the home page counts no changes without a previous snapshot", async () => {
  const { visit } = siteOf();
  assert.doesNotMatch(await textOf(await visit("/")), /What changed B/);
});

Deno.test("the home page is Markdown for clients that prefer it, and HTML for browsers", async () => {
  const { visit } = siteOf();
  const types = {
    "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8": "text/html",
    "*/*": "text/html",
    "text/html, text/markdown;q=0.5": "text/html",
    "text/markdown;q=0": "text/html",
    "text/markdown": "text/markdown",
    "text/markdown, text/html;q=0.9, */*;q=0.1": "text/markdown",
    "text/markdown, text/html": "text/markdown",
  };
  for (const [accept, type] of Object.entries(types)) {
    const { headers } = await visit("/", { headers: { Accept: accept } });
    assert.equal(headers.get("content-type"), `${type}; charset=utf-8`, accept);
    assert.match(headers.get("vary")!, /(^|, )Accept$/, accept);
  }
  const guide = await visit("/", { headers: { Accept: "text/markdown" } });
  assert.ok((await guide.text()).startsWith(`# ${SERVICE_TITLE}\n`));
});
