/**
 * The MCP server: tools and card as the protocol lists, calls and reads them. One instance serves
 * one HTTP request or one stdio connection, so what is the same for all is made once.
 *
 * @module
 */

import {
  type McpServerFactory,
  ProtocolError,
  ProtocolErrorCode,
  type Resource,
  ResourceNotFoundError,
  Server,
  type Tool as ListedTool,
} from "@modelcontextprotocol/server";
import { toolCaller, type ToolContext } from "./call.ts";
import CARD_HTML from "./card.html" with { type: "text" };
import {
  INSTRUCTIONS,
  SERVER_DESCRIPTION,
  SERVER_NAME,
  SERVER_TITLE,
  SERVER_VERSION,
} from "./identity.ts";
import { inputSchemaOf, outputSchemaOf } from "./schema.ts";
import { CARD_URI, type Tool, TOOLS } from "./tools.ts";

/** Key of the extension that cards belong to. */
const UI_EXTENSION = "io.modelcontextprotocol/ui";
const CARD_TYPE = "text/html;profile=mcp-app";

// What is listed changes with a deployment only, and is the same for everybody.
const LISTED = { ttlMs: 3_600_000, cacheScope: "public" } as const;

const ANNOTATIONS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

const CARD: Resource = {
  uri: CARD_URI,
  name: "carrier_compliance_card",
  title: "Carrier compliance card",
  description: "Shows a result of lookup_carrier: who the carrier is and its six checks.",
  mimeType: CARD_TYPE,
};

/** The tools as `tools/list` answers them. */
export const LISTED_TOOLS: readonly ListedTool[] = TOOLS.map(listed);

/** Makes the factory of servers over one set of dependencies. */
export function serverFactory(context: ToolContext): McpServerFactory {
  const call = toolCaller(context);
  return () => {
    // Not McpServer: it converts every schema anew for each request, and validates before the
    // operation can, in other words than on the other surfaces.
    const server = new Server({
      name: SERVER_NAME,
      title: SERVER_TITLE,
      version: SERVER_VERSION,
      description: SERVER_DESCRIPTION,
      websiteUrl: context.baseUrl,
    }, {
      instructions: INSTRUCTIONS,
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false },
        extensions: { [UI_EXTENSION]: {} },
      },
      cacheHints: {
        "server/discover": LISTED,
        "tools/list": LISTED,
        "resources/list": LISTED,
        "resources/templates/list": LISTED,
        "resources/read": LISTED,
      },
    });
    server.setRequestHandler("tools/list", ({ params }) => {
      refuseCursor(params?.cursor);
      return { tools: [...LISTED_TOOLS] };
    });
    server.setRequestHandler("tools/call", ({ params }) => {
      const tool = TOOLS.find(({ name }) => name === params.name);
      if (tool === undefined) {
        const names = TOOLS.map(({ name }) => name).join(", ");
        throw invalid(`Cannot find this tool: the tools are ${names}`);
      }
      return call(tool, params.arguments);
    });
    server.setRequestHandler("resources/list", ({ params }) => {
      refuseCursor(params?.cursor);
      return { resources: [CARD] };
    });
    server.setRequestHandler("resources/templates/list", ({ params }) => {
      refuseCursor(params?.cursor);
      return { resourceTemplates: [] };
    });
    server.setRequestHandler("resources/read", ({ params }) => {
      if (params.uri !== CARD_URI) throw new ResourceNotFoundError(params.uri);
      // No CSP is asked for, so the host's own applies: nothing from any network.
      const _meta = { ui: { prefersBorder: true } };
      return { contents: [{ uri: CARD_URI, mimeType: CARD_TYPE, text: CARD_HTML, _meta }] };
    });
    return server;
  };
}

function listed({ name, title, description, operation, hidden, card }: Tool): ListedTool {
  return {
    name,
    title,
    description,
    inputSchema: inputSchemaOf(operation.input, hidden) as ListedTool["inputSchema"],
    outputSchema: outputSchemaOf(operation.output, hidden) as NonNullable<
      ListedTool["outputSchema"]
    >,
    annotations: ANNOTATIONS,
    ...(card === undefined ? {} : {
      // The flat key is for hosts from before the extension was accepted.
      _meta: {
        ui: { resourceUri: card, visibility: ["model", "app"] },
        "ui/resourceUri": card,
      },
    }),
  };
}

/** Every list fits one page, so no cursor was ever handed out; some clients send an empty first one. */
function refuseCursor(cursor = ""): void {
  if (cursor !== "") throw invalid("Cannot use this cursor: the list has one page");
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
