/**
 * Lists and serves the documents in which the service describes itself.
 *
 * @module
 */

import { sha256 } from "../../pipeline/sha256.ts";
import { checkIfMatch, type HeaderList, matchesTag } from "../http/headers.ts";
import type { Mount } from "../http/exchange.ts";
import { AGENT_CARD, CATALOG_TYPE, documentLinks } from "../operations/about.ts";
import { agentCard, apiCatalog, apiEntry, ardManifest, sitemapXml } from "./catalogs.ts";
import { openApi } from "./openapi.ts";
import { agentsMd, type McpDescription, SKILLS, skillText, TEXT_PATHS, textAt } from "./texts.ts";

interface DiscoveryOptions {
  baseUrl: string;
  mcp: McpDescription;
  pagePaths?: readonly string[];
}

const JSON_TYPE = "application/json; charset=utf-8";
const MARKDOWN = "text/markdown; charset=utf-8";

/** Documents listed in the sitemap. */
const INDEXED = ["/agents.md", "/auth.md", "/pricing.md", "/llms.txt", "/openapi.json", AGENT_CARD];

export function discoveryMounts(options: DiscoveryOptions): Mount[] {
  return documents(options).map(mountOf);
}

export function documents({ baseUrl, mcp, pagePaths = [] }: DiscoveryOptions): Document[] {
  const linked: Pick<Document, "headers"> = { headers: [["Link", documentLinks(baseUrl)]] };
  const ard = (): string => JSON.stringify(ardManifest(baseUrl, mcp));
  return [
    json("/openapi.json", () => openApi(baseUrl)),
    { ...json("/api/v1", () => apiEntry(baseUrl)), ...linked },
    {
      path: "/.well-known/api-catalog",
      type: CATALOG_TYPE,
      text: () => JSON.stringify(apiCatalog(baseUrl)),
      ...linked,
    },
    { path: "/.well-known/ard.json", type: JSON_TYPE, text: ard },
    { path: "/.well-known/ai-catalog.json", type: "application/ai-catalog+json", text: ard },
    json(AGENT_CARD, () => agentCard(baseUrl)),
    json("/.well-known/agent-skills/index.json", () => skillsIndex(baseUrl)),
    ...SKILLS.map((skill) => ({
      path: skill.path,
      type: MARKDOWN,
      text: () => skillText(skill, baseUrl),
    })),
    { path: "/agents.md", type: MARKDOWN, text: () => agentsMd(baseUrl, mcp), ...linked },
    ...TEXT_PATHS.map((path) => ({
      path,
      type: path.endsWith(".md") ? MARKDOWN : "text/plain; charset=utf-8",
      text: () => textAt(path, baseUrl),
    })),
    {
      path: "/sitemap.xml",
      type: "application/xml; charset=utf-8",
      text: () => sitemapXml(baseUrl, [...pagePaths, ...INDEXED]),
    },
  ];
}

function json(path: string, make: () => unknown): Document {
  return { path, type: JSON_TYPE, text: () => JSON.stringify(make()) };
}

interface Document {
  path: string;
  type: string;
  /** Called once, on the first request. */
  text: () => string;
  headers?: HeaderList;
}

const CACHING: HeaderList = [
  ["Cache-Control", "public, max-age=300"],
  ["CDN-Cache-Control", "max-age=3600, stale-while-revalidate=86400, stale-if-error=86400"],
];

export function mountOf({ path, type, text, headers = [] }: Document): Mount {
  let made: { bytes: Uint8Array<ArrayBuffer>; headers: HeaderList; tag: string } | undefined;
  function make(): NonNullable<typeof made> {
    const body = text();
    // A weak tag, because a proxy may compress the body.
    const tag = `W/"${sha256(body).slice(0, 32)}"`;
    const all: HeaderList = [["Content-Type", type], ["ETag", tag], ...CACHING, ...headers];
    return { bytes: new TextEncoder().encode(body), headers: all, tag };
  }
  return {
    path,
    methods: ["GET"],
    fetch(request) {
      const { bytes, headers, tag } = made ??= make();
      checkIfMatch(request);
      return matchesTag(request.headers.get("if-none-match"), tag)
        ? new Response(null, { status: 304, headers })
        : new Response(bytes, { headers: [...headers, ["Content-Length", String(bytes.length)]] });
    },
  };
}

/** The index of all skills (Agent Skills Discovery 0.2.0). */
function skillsIndex(baseUrl: string): unknown {
  return {
    $schema: "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
    skills: SKILLS.map((skill) => ({
      name: skill.name,
      type: "skill-md",
      description: skill.description,
      url: `${baseUrl}${skill.path}`,
      digest: `sha256:${sha256(skillText(skill, baseUrl))}`,
    })),
  };
}
