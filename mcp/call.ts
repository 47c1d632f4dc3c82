/**
 * A call of a tool: the same operation as every other surface, its answer as structured content
 * and text, its errors as results that say what to do next.
 *
 * @module
 */

import type { CallToolResult } from "@modelcontextprotocol/server";
import { NewYorkDay } from "../api/http/headers.ts";
import { faultDetail, ServiceError } from "../api/operations/errors.ts";
import { INTEGER_PATTERN, perform } from "../api/operations/operation.ts";
import type { Clock } from "../pipeline/clock.ts";
import type { SnapshotReader } from "../pipeline/snapshot/reader.ts";
import type { Tool } from "./tools.ts";

/** What tools work with; no part of it depends on the client. */
export interface ToolContext {
  reader: SnapshotReader;
  clock: Clock;
  /** Address of the service, without a final slash. */
  baseUrl: string;
  /** Told of answers that are the service's own fault. */
  log: (line: string) => void;
}

/** Runs a tool with the arguments as they came; never throws. */
export type CallTool = (tool: Tool, args: unknown) => Promise<CallToolResult>;

/** Makes the function that runs tools. */
export function toolCaller({ reader, clock, baseUrl, log }: ToolContext): CallTool {
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
