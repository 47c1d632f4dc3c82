/**
 * Builds the documents that list the service's endpoints: the API root, the API catalog, the A2A agent card,
 * the Agentic Resource Discovery manifest and the sitemap.
 *
 * @module
 */

import { A2A_VERSION } from "../a2a/http.ts";
import { INPUT_MODES, OUTPUT_MODES } from "../a2a/methods.ts";
import { EXAMPLES } from "../ask/answers/schemas.ts";
import { AGENT_CARD, API_VERSION, SERVICE_TITLE, TAGS } from "../operations/about.ts";
import type { Parameter } from "../operations/operation.ts";
import { BATCH_OPERATIONS, OPERATIONS, SERVICE_OPERATIONS } from "../operations/table.ts";
import { INDEPENDENCE } from "../rules/official_sources.ts";
import CARD from "./text/agent-card.json" with { type: "json" };
import API_CATALOG from "./text/api-catalog.json" with { type: "json" };
import ARD from "./text/ard.json" with { type: "json" };
import { fill, type McpDescription, SKILLS } from "./texts.ts";

/** `/api/v1`: the API's operations and links to their documentation. */
export function apiEntry(baseUrl: string): unknown {
  return {
    name: SERVICE_TITLE,
    version: API_VERSION,
    description: INDEPENDENCE,
    openapi_url: `${baseUrl}/openapi.json`,
    agents_url: `${baseUrl}/agents.md`,
    ask_url: `${baseUrl}/ask`,
    mcp_url: `${baseUrl}/mcp`,
    a2a_url: `${baseUrl}/a2a`,
    agent_card_url: `${baseUrl}${AGENT_CARD}`,
    operations: [...OPERATIONS, ...BATCH_OPERATIONS, ...SERVICE_OPERATIONS].map((operation) => ({
      id: operation.id,
      method: operation.method,
      url_template: baseUrl + operation.path + queryOf(operation.parameters),
      summary: operation.summary,
    })),
  };
}

/** Returns the query part of a URI template (RFC 6570), such as `{?dot,year}`. */
function queryOf(parameters: Readonly<Record<string, Parameter>>): string {
  const names = Object.keys(parameters).filter((name) => parameters[name]!.in === "query");
  return names.length === 0 ? "" : `{?${names.join(",")}}`;
}

/** `/.well-known/api-catalog` (RFC 9727): each endpoint with its documentation, as a link set (RFC 9264). */
export function apiCatalog(baseUrl: string): unknown {
  return fillJson(API_CATALOG, baseUrl);
}

/** `/.well-known/agent-card.json` (A2A 1.0): the agent at `/a2a`, with a skill for each operation. */
export function agentCard(baseUrl: string) {
  return {
    ...fillJson(CARD, baseUrl, { version: API_VERSION, a2a_version: A2A_VERSION }),
    defaultInputModes: INPUT_MODES,
    defaultOutputModes: OUTPUT_MODES,
    skills: OPERATIONS.map(({ id, summary, description }) => ({
      id,
      name: summary,
      description,
      tags: TAGS,
      examples: EXAMPLES[id as keyof typeof EXAMPLES],
    })),
  };
}

/**
 * `/.well-known/ard.json` (Agentic Resource Discovery 0.91), also served as `ai-catalog.json`: the MCP
 * server, the A2A agent, the API and the skills, for registries of agents. It has only members that both
 * 0.9 and 0.91 allow.
 */
export function ardManifest(baseUrl: string, { version, tools }: McpDescription): unknown {
  const publisher = publisherOf(baseUrl);
  const { entries, ...manifest } = fillJson(ARD, baseUrl, { version: API_VERSION, publisher });
  const [server, agent, api] = entries;
  // Version 0.9 allows at most five.
  const questions = Object.values(EXAMPLES).map(([first]) => first).slice(0, 5);
  return {
    ...manifest,
    entries: [
      { ...server, tags: TAGS, capabilities: tools.map(({ name }) => name), version },
      { ...agent, tags: TAGS, representativeQueries: questions },
      { ...api, tags: TAGS },
      ...SKILLS.map((skill) => ({
        identifier: `urn:air:${publisher}:skill:${skill.name}`,
        displayName: skill.title,
        type: 'text/markdown; profile="urn:air:agent-skills"',
        url: `${baseUrl}${skill.path}`,
        description: skill.description,
        tags: TAGS,
        representativeQueries: skill.queries,
      })),
    ],
  };
}

/** Fills in a JSON template. The caller replaces its empty members. */
function fillJson<T>(template: T, baseUrl: string, more: Record<string, string> = {}): T {
  return JSON.parse(
    JSON.stringify(template),
    (_, value) => typeof value === "string" ? fill(value, baseUrl, more) : value,
  );
}

/** The host name, with each run of characters that the specification doesn't allow in a URN replaced by `-`. */
function publisherOf(baseUrl: string): string {
  return new URL(baseUrl).hostname.replaceAll(/[^a-z0-9.-]+/g, "-");
}

/** `/sitemap.xml`. */
export function sitemapXml(baseUrl: string, paths: readonly string[]): string {
  const urls = paths.map((path) => `  <url><loc>${baseUrl}${path}</loc></url>`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    "</urlset>",
    "",
  ].join("\n");
}
