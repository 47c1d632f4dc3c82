/**
 * The routes of MCP: the endpoint and its server card.
 *
 * @module
 */

import type { McpDescription } from "../api/discovery/texts.ts";
import { mountOf } from "../api/discovery/documents.ts";
import type { Mount } from "../api/http/exchange.ts";
import { SERVER, SERVER_CARD_TYPE, serverCard } from "./card.ts";
import type { McpEndpoint } from "./http.ts";
import type { SurfaceDeps } from "../api/operations/operation.ts";
import { TOOLS } from "./tools.ts";

/** What the discovery documents say about this server. */
export const MCP_DESCRIPTION: McpDescription = {
  version: SERVER.version,
  tools: TOOLS,
};

/** The code of errors that JSON-RPC leaves to servers. */
const SERVER_ERROR = -32000;

export function mcpMounts(context: SurfaceDeps): Mount[] {
  // Imported with the first request: the SDK is slower to load than the rest of the service.
  let endpoint: Promise<McpEndpoint> | undefined;
  async function open(): Promise<McpEndpoint> {
    const [{ createMcpEndpoint }, { serverFactory }] = await Promise.all([
      import("./http.ts"),
      import("./server.ts"),
    ]);
    return createMcpEndpoint({ ...context, factory: serverFactory(context) });
  }
  return [
    {
      path: "/mcp",
      fetch: async (request) => await (await (endpoint ??= open()))(request),
      errorBody: ({ code, message, retryAfter }) => ({
        jsonrpc: "2.0",
        error: { code: SERVER_ERROR, message, data: { code, retry_after: retryAfter } },
      }),
    },
    mountOf({
      path: "/mcp/server-card",
      type: SERVER_CARD_TYPE,
      text: () => JSON.stringify(serverCard(context.baseUrl)),
    }),
  ];
}
