/**
 * `/.well-known/api-catalog` (RFC 9727): the endpoints of the service and where each is described.
 *
 * @module
 */

import { AGENT_CARD } from "../operations/about.ts";

/** A link target of RFC 9264. */
interface Target {
  href: string;
  type?: string;
  title?: string;
}

/** The catalog, as a set of links (RFC 9264). */
export interface ApiCatalog {
  linkset: (Record<string, Target[]> | { anchor: string })[];
}

/** The catalog of the service at an address. */
export function apiCatalog(baseUrl: string, { mcpCardType }: { mcpCardType: string }): ApiCatalog {
  const openApi: Target = { href: `${baseUrl}/openapi.json`, type: "application/json" };
  const documents: Target[] = [
    { href: `${baseUrl}/developers`, type: "text/html" },
    { href: `${baseUrl}/agents.md`, type: "text/markdown" },
  ];
  const resources: Target = { href: `${baseUrl}/.well-known/ard.json`, type: "application/json" };
  return {
    linkset: [{
      anchor: `${baseUrl}/.well-known/api-catalog`,
      item: [
        { href: `${baseUrl}/api/v1`, title: "REST API, version 1" },
        { href: `${baseUrl}/mcp`, title: "MCP server" },
        { href: `${baseUrl}/ask`, title: "Questions in plain English (NLWeb)" },
        { href: `${baseUrl}/a2a`, title: "A2A agent (JSON-RPC)" },
      ],
    }, {
      anchor: `${baseUrl}/api/v1`,
      "service-desc": [openApi],
      "service-doc": documents,
      "service-meta": [resources],
      status: [{ href: `${baseUrl}/api/v1/health`, type: "application/json" }],
    }, {
      anchor: `${baseUrl}/mcp`,
      "service-desc": [{ href: `${baseUrl}/mcp/server-card`, type: mcpCardType }],
      "service-doc": documents,
      "service-meta": [resources],
    }, {
      anchor: `${baseUrl}/ask`,
      "service-desc": [openApi],
      "service-doc": documents,
      "service-meta": [resources],
    }, {
      anchor: `${baseUrl}/a2a`,
      "service-desc": [{ href: `${baseUrl}${AGENT_CARD}`, type: "application/json" }],
      "service-doc": documents,
      "service-meta": [resources],
    }],
  };
}
