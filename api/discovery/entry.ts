/**
 * `/api/v1`: the root of the API, so that its address leads somewhere.
 *
 * @module
 */

import type { Parameter } from "../operations/operation.ts";
import { BATCH_OPERATIONS, OPERATIONS, SERVICE_OPERATIONS } from "../operations/table.ts";
import { AGENT_CARD } from "../operations/about.ts";
import { INDEPENDENCE } from "../rules/official_sources.ts";
import { API_VERSION, SERVICE_TITLE } from "../operations/about.ts";

/** The operations of the API, and where they are described. */
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
