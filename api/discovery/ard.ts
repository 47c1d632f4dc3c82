/**
 * `/.well-known/ard.json` (Agentic Resource Discovery 0.91), also read as `ai-catalog.json`: what
 * agents can use here, for registries to index.
 *
 * @module
 */

import { EXAMPLES } from "../ask/examples.ts";
import { AGENT_CARD } from "../operations/about.ts";
import { SKILLS } from "./skills.ts";
import { API_VERSION, SERVICE_TITLE, TAGS } from "../operations/about.ts";

/** What the documents say of the MCP server. */
export interface McpDescription {
  /** Media type of the server card. */
  cardType: string;
  version: string;
  tools: readonly { name: string; title: string }[];
}

/** One resource. */
export interface ArdEntry {
  /** `urn:air:<host>:<namespace>:<name>`. */
  identifier: string;
  displayName: string;
  /** Media type of what `url` gives. */
  type: string;
  url: string;
  description: string;
  tags: string[];
  capabilities?: string[];
  version?: string;
  /** 2 to 5 questions it can answer. */
  representativeQueries: string[];
}

/** The manifest: exactly the members that both readers of it allow. */
export interface ArdManifest {
  specVersion: "1.0";
  host: { displayName: string; identifier: string; documentationUrl: string };
  entries: ArdEntry[];
}

/** The manifest of the service at an address. */
export function ardManifest(baseUrl: string, mcp: McpDescription): ArdManifest {
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
      ...SKILLS.map((skill): ArdEntry => ({
        identifier: `${urn}:skill:${skill.name}`,
        displayName: skill.title,
        type: 'text/markdown; profile="urn:air:agent-skills"',
        url: `${baseUrl}${skill.path}`,
        description: skill.description,
        tags: TAGS,
        representativeQueries: [...skill.queries],
      })),
    ],
  };
}

/** The host, in the letters that a URN of the specification has. */
function publisherOf(baseUrl: string): string {
  return new URL(baseUrl).hostname.replaceAll(/[^a-z0-9.-]+/g, "-");
}
