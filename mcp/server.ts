/**
 * The MCP server: tools and card as the protocol lists, calls and reads them.
 *
 * @module
 */

import {
  type CallToolResult,
  type McpServerFactory,
  ProtocolError,
  ProtocolErrorCode,
  type Resource,
  ResourceNotFoundError,
  Server,
  type Tool as ListedTool,
} from "@modelcontextprotocol/server";
import { NewYorkDay } from "../api/http/headers.ts";
import { faultDetail, ServiceError } from "../api/operations/errors.ts";
import { INTEGER_PATTERN, perform } from "../api/operations/operation.ts";
import type { Clock } from "../pipeline/clock.ts";
import type { SnapshotReader } from "../pipeline/snapshot/reader.ts";
import CARD_HTML from "./card.html" with { type: "text" };
import {
  INSTRUCTIONS,
  SERVER_DESCRIPTION,
  SERVER_NAME,
  SERVER_TITLE,
  SERVER_VERSION,
} from "./card.ts";
import { CARD_URI, inputSchemaOf, outputSchemaOf, type Tool, TOOLS } from "./tools.ts";

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

export interface ToolContext {
  reader: SnapshotReader;
  clock: Clock;
  /** Address of the service, without a final slash. */
  baseUrl: string;
  /** Called for errors that are the service's fault. */
  log: (line: string) => void;
}

/** Runs a tool with the arguments as they came; never throws. */
type CallTool = (tool: Tool, args: unknown) => Promise<CallToolResult>;

/** Makes the function that runs tools. */
function toolCaller({ reader, clock, baseUrl, log }: ToolContext): CallTool {
  const day = new NewYorkDay();
  return async (tool, args) => {
    try {
      const { today } = day.at(clock.now());
      const { answer } = await perform(tool.operation, offered(tool, args), {
        today,
        baseUrl,
        reader,
        finish: (output): CallToolResult => ({
          content: [{ type: "text", text: tool.say(output, today) }],
          structuredContent: (tool.bound?.(output) ?? output) as Record<string, unknown>,
        }),
      });
      return answer;
    } catch (error) {
      return failure(tool, error, log);
    }
  };
}

/**
 * The arguments that the tool offers, as the operation reads them; others are ignored. Models and
 * clients mix up 295017 and "295017", and either can mean one thing only.
 */
function offered({ operation, hidden = [] }: Tool, args: unknown): unknown {
  const input: Record<string, unknown> = {};
  for (const [name, { integer }] of Object.entries(operation.parameters)) {
    const value = Object.entries(args ?? {}).find(([given]) => given === name)?.[1];
    if (value === undefined || hidden.includes(name)) continue;
    if (integer && typeof value === "string" && INTEGER_PATTERN.test(value)) {
      input[name] = Number(value);
    } else if (!integer && Number.isSafeInteger(value)) input[name] = String(value);
    else input[name] = value;
  }
  return input;
}

function failure(tool: Tool, thrown: unknown, log: (line: string) => void): CallToolResult {
  const error = thrown instanceof ServiceError
    ? thrown
    : new ServiceError("internal_error", "Something went wrong inside the service", {
      cause: thrown,
    });
  if (error.status >= 500) log(`mcp ${tool.name} ${error.code}: ${faultDetail(error)}`);
  const next = tool.next[error.code] ??
    (error.retryAfter === undefined
      ? "Call once more; if it fails again, tell the user that this lookup is not possible now."
      : `Wait ${error.retryAfter} seconds and call once more; if it fails again, tell the user that ` +
        "the data cannot be reached now.");
  return {
    isError: true,
    content: [{ type: "text", text: `${error.code}: ${error.message}. Next: ${next}` }],
  };
}
