/**
 * The MCP server: lists and calls the tools, and serves the card and the skills as resources.
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
import {
  type Skill,
  SKILLS_EXTENSION_ID,
  SKILLS_GET_METHOD,
  SKILLS_LIST_METHOD,
} from "@modelcontextprotocol/server/ext/skills";
import { z } from "zod";
import { newYorkToday } from "../api/rules/new_york.ts";
import { faultDetail, ServiceError } from "../api/operations/errors.ts";
import { type DocketLookup, lookupMcOrDocket } from "../api/operations/lookup.ts";
import {
  INTEGER_PATTERN,
  type Operation,
  perform,
  type PerformOptions,
  type SurfaceDeps,
} from "../api/operations/operation.ts";
import CARD_HTML from "./card.html" with { type: "text" };
import { INSTRUCTIONS, PROTOCOL_VERSIONS, SERVER } from "./card.ts";
import { readSkill, SKILL_FILES, skillEntries } from "./skills.ts";
import { HIDDEN, type Tool, TOOLS, toolSchema } from "./tools.ts";

const UI_EXTENSION = "io.modelcontextprotocol/ui";
const CARD_TYPE = "text/html;profile=mcp-app";

// Lists change only with a deployment, and are the same for every client.
const LISTED = { ttlMs: 3_600_000, cacheScope: "public" } as const;
const CACHE_HINTS = {
  "server/discover": LISTED,
  "tools/list": LISTED,
  "resources/list": LISTED,
  "resources/templates/list": LISTED,
  "resources/read": LISTED,
};

const ANNOTATIONS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

export const CARD_URI = "ui://carrier-compliance/card.html";

/** The tool whose results the card displays. */
const CARD_TOOL = "lookup_carrier";

const CARD: Resource = {
  uri: CARD_URI,
  name: "carrier_compliance_card",
  title: "Carrier compliance card",
  description: "Shows a result of lookup_carrier: who the carrier is and its six checks.",
  mimeType: CARD_TYPE,
};

export const LISTED_TOOLS: readonly ListedTool[] = TOOLS.map(listed);

/** Creates a factory of servers with a common context. Each server handles one HTTP request or one stdio connection. */
export function serverFactory(context: SurfaceDeps): McpServerFactory {
  let skills: Promise<Skill[]> | undefined;
  return () => {
    // Not McpServer, which converts every schema for each request, and validates input before the operation does, with
    // messages that differ from the API's.
    const server = new Server({ ...SERVER, websiteUrl: context.baseUrl }, {
      instructions: INSTRUCTIONS,
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false },
        extensions: { [UI_EXTENSION]: {}, [SKILLS_EXTENSION_ID]: {} },
      },
      cacheHints: CACHE_HINTS,
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
      return call(context, tool, params.arguments);
    });
    server.setRequestHandler("resources/list", ({ params }) => {
      refuseCursor(params?.cursor);
      return { resources: [CARD, ...SKILL_FILES] };
    });
    server.setRequestHandler("resources/templates/list", ({ params }) => {
      refuseCursor(params?.cursor);
      return { resourceTemplates: [] };
    });
    server.setRequestHandler("resources/read", ({ params }) => {
      const skill = readSkill(params.uri, context.baseUrl);
      if (skill !== null) return skill;
      if (params.uri !== CARD_URI) throw new ResourceNotFoundError(params.uri);
      // Without a CSP, the host's default applies: the card can't load anything from the network.
      const _meta = { ui: { prefersBorder: true } };
      return { contents: [{ uri: CARD_URI, mimeType: CARD_TYPE, text: CARD_HTML, _meta }] };
    });
    // Handled here, because the SDK's own extension requires an McpServer.
    server.setRequestHandler(SKILLS_LIST_METHOD, { params: ListSkills }, async ({ cursor }) => {
      refuseCursor(cursor);
      return { skills: await (skills ??= skillEntries(context.baseUrl)), ...cacheHintFor(server) };
    });
    server.setRequestHandler(SKILLS_GET_METHOD, { params: GetSkill }, async ({ uri }) => {
      const all = await (skills ??= skillEntries(context.baseUrl));
      const skill = all.find((entry) => entry.uri === uri);
      if (skill === undefined) throw invalid("Cannot find this skill: skills/list has them all");
      return { skill, ...cacheHintFor(server) };
    });
    return server;
  };
}

const ListSkills = z.looseObject({ cursor: z.string().optional() });
const GetSkill = z.looseObject({ uri: z.string() });

/** The cache hints, for revisions that have them. The SDK adds them only to results of methods it knows. */
function cacheHintFor(server: Server): Partial<typeof LISTED> {
  return (server.getNegotiatedProtocolVersion() ?? "") >= PROTOCOL_VERSIONS[0] ? LISTED : {};
}

function listed({ name, title, description, operation }: Tool): ListedTool {
  return {
    name,
    title,
    description,
    inputSchema: toolSchema(operation.input, "input"),
    outputSchema: toolSchema(operation.output, "output"),
    annotations: ANNOTATIONS,
    // The flat key is for hosts that predate the final extension.
    ...name === CARD_TOOL && {
      _meta: {
        ui: { resourceUri: CARD_URI, visibility: ["model", "app"] },
        "ui/resourceUri": CARD_URI,
      },
    },
  };
}

/** Refuses a cursor, because every list has one page. Some clients send an empty one for the first page. */
function refuseCursor(cursor = ""): void {
  if (cursor !== "") throw invalid("Cannot use this cursor: the list has one page");
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

type PerformContext = Pick<PerformOptions<unknown>, "today" | "baseUrl" | "reader">;

/** Runs a tool with the client's arguments; never rejects. */
async function call(
  { reader, clock, baseUrl, log }: SurfaceDeps,
  tool: Tool,
  args: unknown,
): Promise<CallToolResult> {
  try {
    const today = newYorkToday(clock.now());
    const context = { today, baseUrl, reader };
    const input = readArguments(tool, args);
    if (tool.name === CARD_TOOL) input.dot = await resolveDocket(input.dot, context);
    const { answer } = await perform(tool.operation, input, {
      ...context,
      finish: (output): CallToolResult => ({
        content: [{ type: "text", text: tool.say(output, today) }],
        structuredContent: (tool.bound?.(output) ?? output) as Record<string, unknown>,
      }),
    });
    return answer;
  } catch (error) {
    return failure(tool, error, log);
  }
}

/**
 * Returns the arguments that the tool declares, and ignores others. Converts between 295017, "295017" and
 * "USDOT 295017", because models and clients mix them up and the meaning is clear.
 */
function readArguments({ operation }: Tool, args: unknown): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [name, { integer }] of Object.entries(operation.parameters)) {
    const value = Object.entries(args ?? {}).find(([given]) => given === name)?.[1];
    if (value === undefined || name === HIDDEN) continue;
    if (integer && typeof value === "string" && INTEGER_PATTERN.test(value)) {
      input[name] = Number(value);
    } else if (!integer && Number.isSafeInteger(value)) input[name] = String(value);
    else input[name] = normalizeNumber(name, value);
  }
  return input;
}

/** Matches `USDOT 286764`, `MC-186800`, `FF 65448`, or digits alone. */
const NUMBER =
  /^\s*(?:(?:us ?dot|dot|(mc|mx|ff))[ .#:-]*(?:number|no)?[ .#:-]*)?(?<digits>\d{1,8})\s*$/i;

/**
 * Reduces `USDOT 286764` to `286764`, and a docket to `FF-65448` if the argument accepts one. Otherwise
 * returns the value unchanged.
 */
function normalizeNumber(name: string, value: unknown): unknown {
  if (name !== "dot" && name !== "mc" || typeof value !== "string") return value;
  const match = NUMBER.exec(value);
  if (match === null) return value;
  const [, docket] = match;
  const { digits } = match.groups as { digits: string };
  if (/^\s*\d/.test(value)) return digits;
  if (docket === undefined) return name === "dot" ? digits : value;
  return name === "mc" ? `${docket}-${digits}` : value;
}

/** Replaces a docket such as `MC 186800` with the USDOT number that lists it. Throws if several do. */
async function resolveDocket(dot: unknown, context: PerformContext): Promise<unknown> {
  const [, prefix] = typeof dot === "string" ? NUMBER.exec(dot) ?? [] : [];
  if (prefix === undefined) return dot;
  const input = { mc: normalizeNumber("mc", dot) };
  const { answer } = await perform(lookupMcOrDocket as unknown as Operation, input, {
    ...context,
    finish: (output) => output as z.infer<typeof DocketLookup>,
  });
  if (answer.other_dots.length === 0) return answer.dot;
  const count = answer.other_dots.length + 1;
  throw new ServiceError(
    "invalid_dot_number",
    `Cannot choose a carrier: ${count} USDOT numbers list ${answer.prefix} ${answer.number}`,
  );
}

function failure(tool: Tool, thrown: unknown, log: (line: string) => void): CallToolResult {
  const error = thrown instanceof ServiceError
    ? thrown
    : new ServiceError("internal_error", "Something went wrong inside the service", {
      cause: thrown,
    });
  if (error.status >= 500) log(`mcp ${tool.name} ${error.code}: ${faultDetail(error)}`);
  const kept = error.firstDay && `Leave as_of out, or send ${error.firstDay} or a later day.`;
  const next = kept ?? tool.next[error.code] ??
    (error.retryAfter === undefined
      ? "Call once more; if it fails again, tell the user that this lookup is not possible now."
      : `Wait ${error.retryAfter} seconds and call once more; if it fails again, tell the user that ` +
        "the data cannot be reached now.");
  return {
    isError: true,
    content: [{ type: "text", text: `${error.code}: ${error.message}. Next: ${next}` }],
  };
}
