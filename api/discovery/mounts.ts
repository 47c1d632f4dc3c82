/**
 * Where the service describes itself: every discovery document, to be mounted in the app.
 *
 * @module
 */

import type { Mount } from "../http/exchange.ts";
import { agentCard } from "./agent_card.ts";
import { agentsMd } from "./agents_md.ts";
import { apiCatalog } from "./api_catalog.ts";
import { ardManifest } from "./ard.ts";
import { authMd } from "./auth_md.ts";
import { robotsTxt, sitemapXml } from "./crawlers.ts";
import { type Document, mountOf } from "./document.ts";
import { apiEntry } from "./entry.ts";
import { AGENT_CARD, CATALOG_TYPE, documentLinks } from "../operations/about.ts";
import { llmsTxt } from "./llms_txt.ts";
import type { McpDescription } from "./ard.ts";
import { openApi } from "./openapi.ts";
import { pricingMd } from "./pricing_md.ts";
import { securityTxt } from "./security_txt.ts";
import { SKILLS, SKILLS_INDEX, skillsIndex, skillText } from "./skills.ts";

/** What the documents are made from beside the code of this room. */
export interface DiscoveryOptions {
  /** Address of the service, without a final slash. */
  baseUrl: string;
  mcp: McpDescription;
  /** Paths of the pages for people, of a room above this one, that a search engine may list. */
  pagePaths?: readonly string[];
}

const JSON_TYPE = "application/json; charset=utf-8";
const MARKDOWN = "text/markdown; charset=utf-8";

/** Documents for people that a search engine may list. */
const INDEXED = ["/agents.md", "/auth.md", "/pricing.md", "/llms.txt", "/openapi.json", AGENT_CARD];

/** Paths of the documents. */
export function discoveryMounts(options: DiscoveryOptions): Mount[] {
  return documents(options).map(mountOf);
}

/** Every document. */
export function documents({ baseUrl, mcp, pagePaths = [] }: DiscoveryOptions): Document[] {
  const linked: Pick<Document, "headers"> = { headers: [["Link", documentLinks(baseUrl)]] };
  const ard = (): string => JSON.stringify(ardManifest(baseUrl, mcp));
  return [
    json("/openapi.json", () => openApi(baseUrl)),
    { ...json("/api/v1", () => apiEntry(baseUrl)), ...linked },
    {
      path: "/.well-known/api-catalog",
      type: CATALOG_TYPE,
      text: () => JSON.stringify(apiCatalog(baseUrl, { mcpCardType: mcp.cardType })),
      ...linked,
    },
    { path: "/.well-known/ard.json", type: JSON_TYPE, text: ard },
    { path: "/.well-known/ai-catalog.json", type: "application/ai-catalog+json", text: ard },
    json(AGENT_CARD, () => agentCard(baseUrl)),
    json(SKILLS_INDEX, () => skillsIndex(baseUrl)),
    ...SKILLS.map((skill) => ({
      path: skill.path,
      type: MARKDOWN,
      text: () => skillText(skill, baseUrl),
    })),
    { path: "/agents.md", type: MARKDOWN, text: () => agentsMd(baseUrl, mcp), ...linked },
    { path: "/auth.md", type: MARKDOWN, text: () => authMd(baseUrl) },
    { path: "/pricing.md", type: MARKDOWN, text: () => pricingMd(baseUrl) },
    { path: "/llms.txt", type: "text/plain; charset=utf-8", text: () => llmsTxt(baseUrl) },
    {
      path: "/.well-known/security.txt",
      type: "text/plain; charset=utf-8",
      text: () => securityTxt(baseUrl),
    },
    { path: "/robots.txt", type: "text/plain; charset=utf-8", text: () => robotsTxt(baseUrl) },
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
