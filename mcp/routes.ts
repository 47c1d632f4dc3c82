/**
 * The MCP routes: the endpoint and its server card.
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

/** The version and tools that the discovery documents list. */
export const MCP_DESCRIPTION: McpDescription = {
  version: SERVER.version,
  tools: TOOLS,
};

/** JSON-RPC's code for implementation-defined server errors. */
const SERVER_ERROR = -32000;

export function mcpMounts(context: SurfaceDeps): Mount[] {
  // Imported on the first request, because the SDK loads more slowly than the rest of the service.
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
