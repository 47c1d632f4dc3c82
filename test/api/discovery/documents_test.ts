import assert from "node:assert/strict";
import { DECLINES } from "../../../api/ask/plan/asked/intents.ts";
import { createHash } from "node:crypto";
import { EXAMPLES, FOLLOW_UP } from "../../../api/ask/answers/schemas.ts";
import { understand } from "../../../api/ask/understand.ts";
import { agentCard } from "../../../api/discovery/catalogs.ts";
import { documents } from "../../../api/discovery/documents.ts";
import { answerExamples } from "../../../api/discovery/examples.ts";
import { SKILLS } from "../../../api/discovery/texts.ts";
import { OPERATIONS } from "../../../api/operations/table.ts";
import { UCR_YEARS, ucrTableFor } from "../../../api/rules/ucr.ts";
import { MCP_DESCRIPTION } from "../../../mcp/routes.ts";
import { openSource } from "../../../pipeline/snapshot/sources/open_source.ts";
import { LISTED_PAGES } from "../../../site/site.ts";
import { builtSample } from "../../pipeline/sample/built_sample.ts";
import { MemorySource } from "../../pipeline/snapshot/memory.ts";
import { siteOver } from "../../site/app.ts";
import { phrasings } from "../ask/phrasings.ts";
import { NO_NAMES } from "../ask/service.ts";
import { answerOf, BASE_URL } from "../http/service.ts";
import { AgentCard, ArdManifest, Linkset, SkillFront, SkillsIndex } from "./schemas.ts";

const TEXTS = textsAt(BASE_URL);
const PATHS = Object.keys(TEXTS);
const ADDRESSES = [BASE_URL, "https://a.b.c/d", "https://[::1]:8000", "https://x:8443"];

const LINKSET = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';
/** The media types that readers of the documents expect. */
const MEDIA_TYPES: readonly [paths: RegExp, type: string][] = [
  [/\/api-catalog$/, LINKSET],
  [/\/ai-catalog\.json$/, "application/ai-catalog+json"],
  [/\.json$|^\/api\/v1$/, "application/json; charset=utf-8"],
  [/\.md$/, "text/markdown; charset=utf-8"],
  [/\.txt$/, "text/plain; charset=utf-8"],
  [/\.xml$/, "application/xml; charset=utf-8"],
];

/** Endpoints that accept only POST. */
const POST_ONLY = /^\/(a2a|mcp|api\/v1\/jobs|api\/v1\/carriers\/batch)$/;

/** Not in the sample: some carriers' pages, the examples' job, and the files of all carriers. */
const ELSEWHERE = /^\/latest\/|^\/carriers\/\d+$|^\/api\/v1\/jobs\/[0-9a-f-]+$/;

/** Copies of the law, and the fuel tax agreement. */
const OTHERS = [
  "www.law.cornell.edu",
  "regulations.justia.com",
  "www.iftach.org",
  "www.irponline.org",
];

/** Hosts in names of formats, which are not links. */
const FORMATS = ["www.sitemaps.org", "schemas.agentskills.io", "www.rfc-editor.org"];

/** Found by its well-known path, not by a link. */
const UNLINKED = ["/robots.txt", "/.well-known/ai-catalog.json"];

Deno.test("apiCatalog() is a set of links whose items are the endpoints", () => {
  const { linkset } = Linkset.parse(JSON.parse(TEXTS["/.well-known/api-catalog"]!));
  const items = linkset.flatMap(({ item }) => item ?? []) as { href: string }[];
  const endpoints = ["/api/v1", "/mcp", "/ask", "/a2a"].map((path) => BASE_URL + path);
  assert.deepEqual(items.map(({ href }) => href), endpoints);
  for (const { href } of items) {
    const own = linkset.find(({ anchor }) => anchor === href)!;
    assert.ok("service-desc" in own && "service-doc" in own, href);
  }
});

Deno.test("ardManifest() is valid for every address the service may have", () => {
  for (const base of ADDRESSES) {
    const { entries } = ArdManifest.parse(JSON.parse(textsAt(base)["/.well-known/ard.json"]!));
    assert.equal(new Set(entries.map(({ identifier }) => identifier)).size, entries.length);
    for (const { url } of entries) assert.ok(url.startsWith(`${base}/`), url);
  }
});

Deno.test("agentCard() is valid, and every skill in it describes what the agent does", () => {
  for (const base of ADDRESSES) {
    const card = AgentCard.parse(JSON.parse(textsAt(base)["/.well-known/agent-card.json"]!));
    assert.deepEqual(card.supportedInterfaces, [
      { url: `${base}/a2a`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
    ]);
    assert.deepEqual(card.skills.map(({ id }) => id), OPERATIONS.map(({ id }) => id));
  }
  // No required member of an A2A 1.0 card can say this, so the description does.
  assert.match(agentCard(BASE_URL).description, /Nothing is kept.*message\.metadata\.prev/);
});

Deno.test("EXAMPLES are phrasings from the table, one list for each operation", async () => {
  const known = new Set(phrasings().map(({ query }) => query));
  assert.deepEqual(Object.keys(EXAMPLES), OPERATIONS.map(({ id }) => id));
  for (const question of Object.values(EXAMPLES).flat()) {
    assert.ok(known.has(question), question);
    assert.equal((await understand(question, [], NO_NAMES)).lacks, undefined, question);
  }
  const { prev, query } = FOLLOW_UP;
  assert.equal((await understand(query, [prev], NO_NAMES)).lacks, undefined);
  assert.notEqual((await understand(query, [], NO_NAMES)).lacks, undefined);
});

Deno.test("skillsIndex() and the front matter of each skill agree", () => {
  const { skills } = SkillsIndex.parse(
    JSON.parse(TEXTS["/.well-known/agent-skills/index.json"]!),
  );
  assert.equal(skills.length, SKILLS.length);
  for (const { name, description, url, digest } of skills) {
    const text = TEXTS[url.slice(BASE_URL.length)]!;
    assert.equal(digest, `sha256:${createHash("sha256").update(text).digest("hex")}`);
    const [, front] = /^---\n(.*?)\n---\n\n# /s.exec(text)!;
    const members = front!.split("\n").map((line) => /^(\w+): (.+)$/.exec(line)!.slice(1));
    assert.deepEqual(SkillFront.parse(Object.fromEntries(members)), { name, description });
    // YAML would read a plain scalar with either of these differently.
    assert.doesNotMatch(description, /: | #/);
    assert.ok(url.endsWith(`/${name}/SKILL.md`));
    assert.ok(text.split("\n").length < 500);
  }
});

Deno.test("Markdown documents start with a heading and close every fence", () => {
  const markdown = Object.entries(TEXTS).filter(([path]) => path.endsWith(".md"));
  assert.ok(markdown.length >= 6);
  for (const [path, text] of markdown) {
    assert.match(text, /^(# |---\n).{200}.*\n$/s, path);
    const prose = text.replaceAll(/^ *```.*?^ *```$/gms, "");
    assert.doesNotMatch(prose, /^ *```/m, path);
    assert.equal(prose.match(/^# /gm)?.length, 1, path);
  }
});

Deno.test("llms.txt, robots.txt and sitemap.xml have the format that their readers expect", () => {
  const guide = TEXTS["/llms.txt"]!;
  assert.match(guide, /^# .+\n\n> .+\n\nWhen to use this: .+\n\n[^#]+\n\n## /);
  assert.ok(guide.length < 30_000);
  const sections = guide.split(/^## /m).slice(1);
  for (const section of sections) {
    assert.match(section, /^.+\n\n(?:- \[[^\]]+\]\(https:[^)]+\): .+\n)+\n?$/);
  }
  assert.match(sections.at(-1)!, /^Optional\n/);

  const robots = TEXTS["/robots.txt"]!;
  assert.match(robots, /^User-agent: \*\n(?:.+\n)*Allow: \/\n\n/);
  for (const line of robots.split("\n")) assert.match(line, /^$|^[A-Z][A-Za-z-]+: \S/);

  const sitemap = TEXTS["/sitemap.xml"]!;
  assert.match(sitemap, /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<urlset xmlns="[^"]+">/);
  const locations = [...sitemap.matchAll(/<url><loc>([^<&]+)<\/loc><\/url>/g)];
  assert.ok(locations.length >= 4);
  assert.equal(new Set(locations.map(([, url]) => url)).size, locations.length);
});

Deno.test("every document is served with a validator, its length and the rate limit headers", async () => {
  const ask = siteOver(new MemorySource(new Map())).visit;
  for (const path of PATHS) {
    const { status, headers, ...whole } = await answerOf(await ask(path));
    assert.deepEqual([status, whole.text], [200, TEXTS[path]], path);
    assert.doesNotMatch(whole.text, /localhost|127\.0\.0\.1|undefined|\[object/, path);
    assert.ok(whole.text.includes(BASE_URL), path);
    assert.equal(headers.get("content-type"), MEDIA_TYPES.find(([paths]) => paths.test(path))![1]);
    assert.equal(headers.get("access-control-allow-origin"), "*", path);
    assert.equal(headers.get("ratelimit-limit"), "60", path);
    assert.match(headers.get("cache-control")!, /^private, max-age=\d+$/, path);

    const head = await answerOf(await ask(path, { method: "HEAD" }));
    assert.deepEqual([head.status, head.text], [200, ""], path);
    for (const name of ["content-length", "content-type", "etag", "link"]) {
      assert.equal(head.headers.get(name), headers.get(name), `${path} ${name}`);
    }
    const { length } = new TextEncoder().encode(whole.text);
    assert.equal(headers.get("content-length"), String(length), path);

    const tag = headers.get("etag")!;
    assert.match(tag, /^W\/"[0-9a-f]{32}"$/);
    const again = await ask(path, { headers: { "if-none-match": tag } });
    assert.deepEqual([again.status, again.headers.get("content-length")], [304, null], path);
    for (const name of ["etag", "cache-control", "x-request-id"]) {
      assert.ok(again.headers.has(name), path);
    }
    const other = await ask(path, { method: "POST" });
    assert.deepEqual([other.status, other.headers.get("allow")], [405, "GET, HEAD, OPTIONS"], path);
  }
  // Regression: the dot of a path matched any character, and the answer was 405.
  assert.equal((await ask("/openapi-json")).status, 404);
  assert.equal((await ask("/.well-known/agent-skills/none/SKILL.md")).status, 404);
  const { headers } = await ask("/.well-known/api-catalog", { method: "HEAD" });
  const own = `<${BASE_URL}/.well-known/api-catalog>; rel="api-catalog"`;
  assert.ok(headers.get("link")!.includes(own));
  assert.ok(headers.get("link")!.includes(`<${BASE_URL}/llms.txt>; rel="alternate"`));
});

Deno.test("every link and every sample call in the documents works", async (t) => {
  const ask = siteOver(openSource(await builtSample())).visit;

  await t.step("no document has a dead link", async () => {
    const followed = new Set<string>();
    for (const [path, text] of Object.entries(TEXTS)) {
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
    // Regression: the 404 mentioned a description without linking to it.
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

  await t.step("every sample call works as shown", async () => {
    let calls = 0;
    for (const [path, text] of Object.entries(TEXTS)) {
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
    ...Object.values(TEXTS),
    JSON.stringify([DECLINES, answerExamples(BASE_URL)]),
    JSON.stringify(UCR_YEARS.map((year) => ucrTableFor(year))),
  ];
  const hosts = texts.flatMap((text) => [...text.matchAll(/https?:\/\/([^\s"'<>()`|{}\\/]+)/g)])
    .map(([, host]) => host!)
    .filter((host) => host !== new URL(BASE_URL).host && !FORMATS.includes(host));
  assert.ok(hosts.length > 20);
  for (const { where } of Object.values(DECLINES)) assert.ok(where.every(Boolean));
  for (const host of hosts) assert.ok(host.endsWith(".gov") || OTHERS.includes(host), host);
});

/** Paths of this service that a text links to, without templates. */
function linksOf(text: string): string[] {
  const part = "[^\\s\"'<>()`|{}\\\\";
  // A comma ends an address in a CSV file, but can be part of a query.
  const address = new RegExp(
    `${RegExp.escape(BASE_URL)}(/${part},?]*(?:\\?${part}]*)?)(\\{?)`,
    "g",
  );
  return [...text.matchAll(address)]
    .filter(([, , brace]) => brace === "")
    .map(([, target]) => target!.replace(/[.,:;]$/, ""))
    .filter((target) => !ELSEWHERE.test(target));
}

function textsAt(baseUrl: string): Record<string, string> {
  const all = documents({ baseUrl, mcp: MCP_DESCRIPTION, pagePaths: LISTED_PAGES });
  return Object.fromEntries(all.map(({ path, text }) => [path, text()]));
}
