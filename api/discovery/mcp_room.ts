/**
 * What the documents tell of the MCP server, which stands above this room and is passed in.
 *
 * @module
 */

/** The MCP server in a document's words. */
export interface McpRoom {
  /** Media type of the server card. */
  cardType: string;
  version: string;
  tools: readonly { name: string; title: string }[];
}
