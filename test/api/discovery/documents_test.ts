import assert from "node:assert/strict";
import { agentCard } from "../../../api/discovery/agent_card.ts";
import { documents } from "../../../api/discovery/mounts.ts";
import { EXAMPLES, FOLLOW_UP } from "../../../api/ask/examples.ts";
import { understand } from "../../../api/ask/intents.ts";
import { LIMITS } from "../../../api/discovery/limits.ts";
import { SKILLS } from "../../../api/discovery/skills.ts";
import { ERROR_STATUS } from "../../../api/operations/errors.ts";
import { BATCH_OPERATIONS, OPERATIONS } from "../../../api/operations/table.ts";
import { MCP_DESCRIPTION } from "../../../mcp/routes.ts";
import { phrasings } from "../ask/phrasings.ts";
import { BASE_URL } from "../http/service.ts";
import { AgentCard, ArdManifest, Linkset, SkillFront, SkillsIndex } from "./schemas.ts";

const TEXTS = textsAt(BASE_URL);

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
  for (const base of [BASE_URL, "https://a.b.c/d", "https://[::1]:8000", "https://x:8443"]) {
    const { entries } = ArdManifest.parse(JSON.parse(textsAt(base)["/.well-known/ard.json"]!));
    assert.equal(new Set(entries.map(({ identifier }) => identifier)).size, entries.length);
    for (const { url } of entries) assert.ok(url.startsWith(`${base}/`), url);
  }
});

Deno.test("agentCard() is valid, and true of the agent for every skill", () => {
  for (const base of [BASE_URL, "https://a.b.c/d", "https://[::1]:8000", "https://x:8443"]) {
    const card = AgentCard.parse(JSON.parse(textsAt(base)["/.well-known/agent-card.json"]!));
    assert.deepEqual(card.supportedInterfaces, [
      { url: `${base}/a2a`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
    ]);
    assert.deepEqual(card.skills.map(({ id }) => id), OPERATIONS.map(({ id }) => id));
  }
  // 1.0 has no required member to put it in.
  assert.match(agentCard(BASE_URL).description, /Nothing is kept.*message\.metadata\.prev/);
});

Deno.test("EXAMPLES are phrasings of the table, one list for each operation", () => {
  const known = new Set(phrasings().map(({ query }) => query));
  assert.deepEqual(Object.keys(EXAMPLES), OPERATIONS.map(({ id }) => id));
  for (const question of Object.values(EXAMPLES).flat()) {
    assert.ok(known.has(question), question);
    assert.equal(understand(question, [], "2026-10-05")[0]!.lacks, undefined, question);
  }
  const { prev, query } = FOLLOW_UP;
  assert.equal(understand(query, [prev], "2026-10-05")[0]!.lacks, undefined);
  assert.notEqual(understand(query, [], "2026-10-05")[0]!.lacks, undefined);
});

Deno.test("skillsIndex() and the front matter of each skill say the same", () => {
  const { skills } = SkillsIndex.parse(
    JSON.parse(TEXTS["/.well-known/agent-skills/index.json"]!),
  );
  assert.equal(skills.length, SKILLS.length);
  for (const { name, description, url } of skills) {
    const text = TEXTS[url.slice(BASE_URL.length)]!;
    const [, front] = /^---\n(.*?)\n---\n\n# /s.exec(text)!;
    const members = front!.split("\n").map((line) => /^(\w+): (.+)$/.exec(line)!.slice(1));
    assert.deepEqual(SkillFront.parse(Object.fromEntries(members)), { name, description });
    // YAML would read a plain scalar with either of these as something else.
    assert.doesNotMatch(description, /: | #/);
    assert.ok(url.endsWith(`/${name}/SKILL.md`));
    assert.ok(text.split("\n").length < 500);
  }
});

Deno.test("Markdown documents begin as one and close what they open", () => {
  const markdown = Object.entries(TEXTS).filter(([path]) => path.endsWith(".md"));
  assert.ok(markdown.length >= 6);
  for (const [path, text] of markdown) {
    assert.match(text, /^(# |---\n)/, path);
    const prose = text.replaceAll(/^ *```.*?^ *```$/gms, "");
    assert.doesNotMatch(prose, /^ *```/m, path);
    assert.equal(prose.match(/^# /gm)?.length, 1, path);
    assert.ok(text.length > 200 && text.endsWith("\n"), path);
  }
});

Deno.test("llmsTxt() is in the order that llmstxt.org gives, and short", () => {
  const text = TEXTS["/llms.txt"]!;
  assert.match(text, /^# .+\n\n> .+\n\nWhen to use this: .+\n\n[^#]+\n\n## /);
  assert.ok(text.length < 30_000);
  const sections = text.split(/^## /m).slice(1);
  for (const section of sections) {
    const [, ...lines] = section.trim().split("\n").filter((line) => line !== "");
    for (const line of lines) assert.match(line, /^- \[[^\]]+\]\(https:[^)]+\): ./);
  }
  assert.match(sections.at(-1)!, /^Optional\n/);
});

Deno.test("authMd() has the sections that agents look for", () => {
  const wanted = [
    "Discover",
    "Pick a method",
    "Register",
    "Claim",
    "Exchange",
    "Use",
    "Errors",
    "Revocation",
  ];
  const sections = [...TEXTS["/auth.md"]!.matchAll(/^## (.+)$/gm)].map(([, name]) => name);
  assert.deepEqual(sections, wanted);
});

Deno.test("agentsMd() tells every operation, tool, error and limit", () => {
  const text = TEXTS["/agents.md"]!;
  for (const { method, path } of [...OPERATIONS, ...BATCH_OPERATIONS]) {
    assert.ok(text.includes(`\`${method} ${path}\``), path);
  }
  for (const { name } of MCP_DESCRIPTION.tools) assert.ok(text.includes(`| \`${name}\` |`), name);
  for (const [code, status] of Object.entries(ERROR_STATUS)) {
    assert.ok(text.includes(`| \`${code}\` | ${status} |`), code);
  }
  for (const [what, value] of LIMITS) assert.ok(text.includes(`| ${what} | ${value} |`), what);
});

Deno.test("robots.txt and sitemap.xml are in the form that crawlers read", () => {
  const robots = TEXTS["/robots.txt"]!;
  assert.match(robots, /^User-agent: \*\n(?:.+\n)*Allow: \/\n\n/);
  for (const line of robots.split("\n")) assert.match(line, /^$|^[A-Z][A-Za-z-]+: \S/);
  const sitemap = TEXTS["/sitemap.xml"]!;
  const locations = [...sitemap.matchAll(/<url><loc>([^<]+)<\/loc><\/url>/g)].map(([, url]) => url);
  assert.ok(locations.length >= 4);
  assert.equal(new Set(locations).size, locations.length);
  assert.match(sitemap, /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<urlset xmlns="[^"]+">/);
});

function textsAt(baseUrl: string): Record<string, string> {
  return Object.fromEntries(
    documents({ baseUrl, mcp: MCP_DESCRIPTION }).map(({ path, text }) => [path, text()]),
  );
}
