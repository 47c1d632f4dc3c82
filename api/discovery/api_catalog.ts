/**
 * `/.well-known/api-catalog` (RFC 9727): the endpoints of the service and where each is described.
 *
 * @module
 */

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
  const agents: Target = { href: `${baseUrl}/agents.md`, type: "text/markdown" };
  const resources: Target = { href: `${baseUrl}/.well-known/ard.json`, type: "application/json" };
  return {
    linkset: [{
      anchor: `${baseUrl}/.well-known/api-catalog`,
      item: [
        { href: `${baseUrl}/api/v1`, title: "REST API, version 1" },
        { href: `${baseUrl}/mcp`, title: "MCP server" },
      ],
    }, {
      anchor: `${baseUrl}/api/v1`,
      "service-desc": [{ href: `${baseUrl}/openapi.json`, type: "application/json" }],
      "service-doc": [agents],
      "service-meta": [resources],
      status: [{ href: `${baseUrl}/api/v1/health`, type: "application/json" }],
    }, {
      anchor: `${baseUrl}/mcp`,
      "service-desc": [{ href: `${baseUrl}/mcp/server-card`, type: mcpCardType }],
      "service-doc": [agents],
      "service-meta": [resources],
    }],
  };
}
