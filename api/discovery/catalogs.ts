/**
 * The documents that list what is here, each for its kind of reader: the root of the API, the API
 * catalog, the A2A agent card, Agentic Resource Discovery and the sitemap.
 *
 * @module
 */

import { A2A_VERSION } from "../a2a/http.ts";
import { INPUT_MODES, OUTPUT_MODES } from "../a2a/methods.ts";
import { EXAMPLES } from "../ask/schemas.ts";
import { AGENT_CARD, API_VERSION, SERVICE_TITLE, TAGS } from "../operations/about.ts";
import type { Parameter } from "../operations/operation.ts";
import { BATCH_OPERATIONS, OPERATIONS, SERVICE_OPERATIONS } from "../operations/table.ts";
import { INDEPENDENCE } from "../rules/official_sources.ts";
import { SKILLS } from "./skills.ts";

/** `/api/v1`: the operations of the API, and where they are described. */
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

/** The query of a URI template (RFC 6570). */
function queryOf(parameters: Readonly<Record<string, Parameter>>): string {
  const names = Object.keys(parameters).filter((name) => parameters[name]!.in === "query");
  return names.length === 0 ? "" : `{?${names.join(",")}}`;
}

/** `/.well-known/api-catalog` (RFC 9727): the endpoints of the service and where each is described, as links of RFC 9264. */
export function apiCatalog(baseUrl: string, mcpCardType: string): unknown {
  const at = (path: string, type: string) => ({ href: baseUrl + path, type });
  const openApi = at("/openapi.json", "application/json");
  const described = (path: string, description: ReturnType<typeof at>, more = {}) => ({
    anchor: baseUrl + path,
    "service-desc": [description],
    "service-doc": [at("/developers", "text/html"), at("/agents.md", "text/markdown")],
    "service-meta": [at("/.well-known/ard.json", "application/json")],
    ...more,
  });
  return {
    linkset: [
      {
        anchor: `${baseUrl}/.well-known/api-catalog`,
        item: [
          { href: `${baseUrl}/api/v1`, title: "REST API, version 1" },
          { href: `${baseUrl}/mcp`, title: "MCP server" },
          { href: `${baseUrl}/ask`, title: "Questions in plain English (NLWeb)" },
          { href: `${baseUrl}/a2a`, title: "A2A agent (JSON-RPC)" },
        ],
      },
      described("/api/v1", openApi, { status: [at("/api/v1/health", "application/json")] }),
      described("/mcp", at("/mcp/server-card", mcpCardType)),
      described("/ask", openApi),
      described("/a2a", at(AGENT_CARD, "application/json")),
    ],
  };
}

const DESCRIPTION =
  "Answers questions in English about US motor carriers from two public files of FMCSA: " +
  "registration status, MCS-150 filings and due dates, safety ratings, out-of-service rates, MC " +
  "numbers, UCR fees. Read-only, no account, independent of FMCSA. SendMessage is answered " +
  "at once with a message: a text, and the same answer as data. Nothing is kept: contextId is " +
  "returned as it was sent, and there are no tasks. For a follow-up send the earlier questions, the " +
  "oldest first, as an array of texts in message.metadata.prev.";

/** `/.well-known/agent-card.json` (A2A 1.0): the agent at `/a2a`, with a skill for each operation. */
export function agentCard(baseUrl: string) {
  return {
    name: SERVICE_TITLE,
    description: DESCRIPTION,
    supportedInterfaces: [{
      url: `${baseUrl}/a2a`,
      protocolBinding: "JSONRPC",
      protocolVersion: A2A_VERSION,
    }],
    version: API_VERSION,
    documentationUrl: `${baseUrl}/developers`,
    capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false },
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

/** What the documents say of the MCP server. */
export interface McpDescription {
  /** Media type of the server card. */
  cardType: string;
  version: string;
  tools: readonly { name: string; title: string }[];
}

/**
 * `/.well-known/ard.json` (Agentic Resource Discovery 0.91), also served as `ai-catalog.json`: what
 * agents can use here, for registries. Exactly the members that readers of 0.9 and 0.91 allow.
 */
export function ardManifest(baseUrl: string, mcp: McpDescription): unknown {
  const urn = `urn:air:${publisherOf(baseUrl)}`;
  return {
    specVersion: "1.0",
    host: {
      displayName: SERVICE_TITLE,
      identifier: baseUrl,
      documentationUrl: `${baseUrl}/developers`,
    },
    entries: [
      {
        identifier: `${urn}:mcp:carrier-compliance-lookup`,
        displayName: `${SERVICE_TITLE} MCP server`,
        type: mcp.cardType,
        url: `${baseUrl}/mcp/server-card`,
        description: "Read-only tools over the public records of US motor carriers. No account.",
        tags: TAGS,
        capabilities: mcp.tools.map(({ name }) => name),
        version: mcp.version,
        representativeQueries: [
          "is USDOT 286764 active",
          "when is this carrier's MCS-150 due",
          "which carrier has MC 143229",
          "what is the UCR fee for 12 trucks",
        ],
      },
      {
        identifier: `${urn}:agent:carrier-compliance-lookup`,
        displayName: `${SERVICE_TITLE} agent`,
        type: "application/a2a-agent-card+json",
        url: `${baseUrl}${AGENT_CARD}`,
        description: "Answers questions in plain English over A2A, and over NLWeb at /ask.",
        tags: TAGS,
        version: API_VERSION,
        // Readers of 0.9 take five at most.
        representativeQueries: Object.values(EXAMPLES).map(([first]) => first).slice(0, 5),
      },
      {
        identifier: `${urn}:api:rest-v1`,
        displayName: `${SERVICE_TITLE} REST API`,
        type: "application/vnd.oai.openapi+json",
        url: `${baseUrl}/openapi.json`,
        description: "The same lookups over HTTP, with batches, background jobs and /ask. No key.",
        tags: TAGS,
        version: API_VERSION,
        representativeQueries: [
          "REST API for USDOT number lookup",
          "check a list of motor carriers by USDOT number",
          "calculate an MCS-150 due date",
        ],
      },
      ...SKILLS.map((skill) => ({
        identifier: `${urn}:skill:${skill.name}`,
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

/** The host, in the letters that a URN of the specification has. */
function publisherOf(baseUrl: string): string {
  return new URL(baseUrl).hostname.replaceAll(/[^a-z0-9.-]+/g, "-");
}

/** `/sitemap.xml`: the pages to index. */
export function sitemapXml(baseUrl: string, paths: readonly string[]): string {
  const urls = paths.map((path) => `  <url><loc>${escapeXml(baseUrl + path)}</loc></url>`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    "</urlset>",
    "",
  ].join("\n");
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
