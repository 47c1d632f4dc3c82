/**
 * Where the service answers for MCP: the endpoint and its server card.
 *
 * @module
 */

import type { McpDescription } from "../api/discovery/ard.ts";
import { mountOf } from "../api/discovery/document.ts";
import type { Mount } from "../api/http/exchange.ts";
import { SERVER_CARD_TYPE, SERVER_VERSION, serverCard } from "./card.ts";
import type { McpEndpoint } from "./http.ts";
import type { ToolContext } from "./server.ts";
import { TOOLS } from "./tools.ts";

/** What the discovery documents tell of this server. */
export const MCP_ROOM: McpDescription = {
  cardType: SERVER_CARD_TYPE,
  version: SERVER_VERSION,
  tools: TOOLS,
};

/** Paths of MCP, to be mounted in the app. */
export function mcpMounts(context: ToolContext): Mount[] {
  // Loaded when first asked for: the SDK takes longer to load than all the rest of the service.
  let endpoint: Promise<McpEndpoint> | undefined;
  return [
    {
      path: "/mcp",
      async fetch(request) {
        endpoint ??= import("./http.ts").then(({ createMcpEndpoint }) =>
          createMcpEndpoint(context)
        );
        return await (await endpoint)(request);
      },
    },
    mountOf({
      path: "/mcp/server-card",
      type: SERVER_CARD_TYPE,
      text: () => JSON.stringify(serverCard(context.baseUrl)),
    }),
  ];
}
