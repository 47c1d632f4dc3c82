/**
 * MCP at `/mcp`: the tools behind the HTTP shell.
 *
 * @module
 */

import type { ToolContext } from "./call.ts";
import { serverFactory } from "./server.ts";
import { type McpEndpoint, mcpShell, type ShellOptions } from "./shell.ts";

/** What the endpoint is wired from. */
export type McpOptions = ToolContext & Pick<ShellOptions, "signal" | "deadline">;

/**
 * Makes the function that answers requests to `/mcp`. Rate limit, request id and CORS headers of
 * answers are added around it.
 */
export function createMcpEndpoint(options: McpOptions): McpEndpoint {
  return mcpShell({ ...options, factory: serverFactory(options) });
}
