import assert from "node:assert/strict";
import { DECLINES } from "../../../api/ask/declines.ts";
import { documents } from "../../../api/discovery/documents.ts";
import { answerExamples } from "../../../api/discovery/examples.ts";
import { UCR_YEARS, ucrTableFor } from "../../../api/rules/ucr.ts";
import { MCP_DESCRIPTION } from "../../../mcp/routes.ts";
import { openSource } from "../../../pipeline/snapshot/open_source.ts";
import { builtSample } from "../../pipeline/sample/built_sample.ts";
import { BASE_URL } from "../http/service.ts";
import { described, PATHS, textsOf } from "./service.ts";

/** Endpoints that take POST alone. */
const POST_ONLY = /^\/(a2a|mcp|api\/v1\/jobs|api\/v1\/carriers\/batch)$/;

/** Pages of carriers, and the job of the examples. */
const ELSEWHERE = /^\/carriers\/\d+$|^\/api\/v1\/jobs\/[0-9a-f-]+$/;

/** Copies of the law, and the fuel tax agreement. */
const OTHERS = ["www.law.cornell.edu", "regulations.justia.com", "www.iftach.org"];

/** Hosts in the names of formats, which are no links. */
const FORMATS = ["www.sitemaps.org", "schemas.agentskills.io", "www.rfc-editor.org"];

/** Known by its name, not by a link. */
const UNLINKED = ["/robots.txt", "/.well-known/ai-catalog.json"];

Deno.test("every link and every call to copy in the documents works", async (t) => {
  const ask = described(openSource(await builtSample()));

  await t.step("no document has a dead link", async () => {
    const followed = new Set<string>();
    for (const [path, text] of await textsOf(ask)) {
      for (const target of linksOf(text)) {
        if (followed.has(target)) continue;
        followed.add(target);
        const { status } = await ask(target);
        const wanted = POST_ONLY.test(target) ? 405 : 200;
        assert.equal(status, wanted, `${path} links to ${target}`);
      }
    }
    for (const path of PATHS) {
      assert.ok(followed.has(path) || UNLINKED.includes(path), `nothing links to ${path}`);
    }
  });

  await t.step("the 404 of an unknown path links to the guide", async () => {
    // The 404 once named a description without its address.
    const lost = await ask("/nowhere");
    assert.equal(lost.status, 404);
    const [guide, ...more] = linksOf(await lost.text());
    assert.deepEqual([guide, more, (await ask(guide!)).status], ["/agents.md", [], 200]);
  });

  await t.step("no Link header has a dead link", async () => {
    for (const path of [...PATHS, "/api/v1/carriers/286764", "/api/v1/ucr-fee?vehicles=4"]) {
      const header = (await ask(path)).headers.get("link") ?? "";
      if (/\/v1/.test(path)) assert.match(header, /rel="service-desc".*rel="api-catalog"/, path);
      for (const [, url] of header.matchAll(/<([^>]+)>/g)) {
        assert.equal((await ask(url!.slice(BASE_URL.length))).status, 200, `${path} ${url}`);
      }
    }
  });

  await t.step("every call to copy works as shown", async () => {
    let calls = 0;
    for (const [path, text] of await textsOf(ask)) {
      for (const [line] of text.matchAll(/^curl .*$/gm)) {
        calls++;
        const url = /https:[^\s']+/.exec(line)![0];
        const headers = [...line.matchAll(/-H '([^:]+): ([^']+)'/g)]
          .map(([, name, value]): [string, string] => [name!, value!]);
        const body = /-d '([^']+)'/.exec(line)?.[1];
        const response = await ask(url.slice(BASE_URL.length), {
          headers,
          ...(body === undefined ? {} : { method: "POST", body }),
        });
        const answered = await response.text();
        assert.ok(response.ok, `${path}: ${line}: ${answered}`);
        assert.doesNotMatch(answered, /"isError":true|"error":/, line);
      }
    }
    assert.ok(calls >= 10, String(calls));
  });
});

Deno.test("documents, answers and declines link only to official pages and copies of the law", () => {
  const texts = [
    ...documents({ baseUrl: BASE_URL, mcp: MCP_DESCRIPTION }).map(({ text }) => text()),
    JSON.stringify([DECLINES, answerExamples(BASE_URL)]),
    JSON.stringify(UCR_YEARS.map((year) => ucrTableFor(year))),
  ];
  const hosts = texts.flatMap((text) => [...text.matchAll(/https?:\/\/([^\s"'<>()`|{}\\/]+)/g)])
    .map(([, host]) => host!)
    .filter((host) => host !== new URL(BASE_URL).host && !FORMATS.includes(host));
  assert.ok(hosts.length > 20);
  for (const host of hosts) assert.ok(host.endsWith(".gov") || OTHERS.includes(host), host);
});

/** Paths of this service that a text links to; templates are none. */
function linksOf(text: string): string[] {
  const address = new RegExp(`${RegExp.escape(BASE_URL)}(/[^\\s"'<>()\`|{}\\\\]*)(\\{?)`, "g");
  return [...text.matchAll(address)]
    .filter(([, , brace]) => brace === "")
    .map(([, target]) => target!.replace(/[.,:;]$/, ""))
    .filter((target) => !ELSEWHERE.test(target));
}
