/**
 * The MCP tools: descriptions over the operations, and their JSON Schemas.
 *
 * @module
 */

import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import { z } from "zod";
import { mcs150DueDate, ucrFee } from "../api/operations/calculations.ts";
import type { ErrorCode } from "../api/operations/errors.ts";
import { carrierHistory } from "../api/operations/history.ts";
import { lookupCarrier, lookupMcOrDocket } from "../api/operations/lookup.ts";
import { matchCarrier } from "../api/operations/match.ts";
import {
  type CalculationOperation,
  dropNoise,
  type LookupOperation,
  type Operation,
} from "../api/operations/operation.ts";
import { searchCarriers } from "../api/operations/search.ts";
import { sayHistory } from "./history_text.ts";
import TEXTS from "./tools.json" with { type: "json" };
import { sayCarrier, sayDocket, sayMatch, sayMcs150, saySearch, sayUcr } from "./tool_text.ts";

export interface Tool {
  name: string;
  title: string;
  /** What it does, when to use it, when not. */
  description: string;
  operation: Operation;
  /** For each error of the operation, what to do next. */
  next: Partial<Record<ErrorCode, string>>;
  /** The text beside the structured content. */
  say(output: unknown, today: string): string;
  /** Cuts a list without its own limit; the text has its full length. */
  bound?(output: unknown): unknown;
}

/** The member of searches, and of their results, that is for other surfaces. */
export const HIDDEN = "explain";

const MAX_OTHER_DOTS = 50;

export const TOOLS: readonly Tool[] = [
  tool("lookup_carrier", lookupCarrier, sayCarrier),
  tool("carrier_history", carrierHistory, sayHistory),
  tool("search_carriers", searchCarriers, saySearch),
  tool("lookup_mc_number", lookupMcOrDocket, sayDocket, (found) => ({
    ...found,
    other_dots: found.other_dots.slice(0, MAX_OTHER_DOTS),
  })),
  tool("mcs150_due_date", mcs150DueDate, sayMcs150),
  tool("ucr_fee", ucrFee, sayUcr),
  tool("match_carrier", matchCarrier, sayMatch),
];

/** Checks the types of a tool against those of its operation, then erases them. */
function tool<I extends z.ZodType, O extends z.ZodType>(
  name: keyof typeof TEXTS,
  operation: LookupOperation<I, O> | CalculationOperation<I, O>,
  say: (output: z.output<O>, today: string) => string,
  bound?: (output: z.output<O>) => z.output<O>,
): Tool {
  return { name, ...TEXTS[name], operation, say, bound } as unknown as Tool;
}

/**
 * The JSON Schema 2020-12 of a tool's input or structured content. Its root is an object, as every
 * revision of the protocol wants it.
 */
export function toolSchema(
  schema: z.ZodType,
  io: "input" | "output",
): ListedTool["inputSchema"] {
  const { $schema: _, $ref, $defs, ...json } = withoutTypeLists(z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      delete jsonSchema.example;
      dropNoise(jsonSchema);
      // Hosts put schemas before the model: OpenAPI describes the members of answers.
      if (io === "output") delete jsonSchema.description;
      if (io === "output" && jsonSchema.minimum === 0) delete jsonSchema.minimum;
      delete jsonSchema.properties?.[HIDDEN];
    },
  }));
  if ($ref === undefined) return { ...json, ...$defs && { $defs } } as ListedTool["inputSchema"];
  // A named schema comes as a reference, but the root must be the object itself.
  const { [$ref.replace("#/$defs/", "")]: root, ...others } = $defs ?? {};
  const defs = Object.keys(others).length > 0 && { $defs: others };
  return { ...root, ...defs } as ListedTool["inputSchema"];
}

/** Spells `type: [a, b]` as `anyOf`: some dialects of JSON Schema for models know no list. */
function withoutTypeLists<T>(schema: T): T {
  return JSON.parse(JSON.stringify(schema), (_, value) => {
    if (!Array.isArray(value?.type)) return value;
    const { type, ...rest } = value;
    return { anyOf: type.map((one: string) => ({ type: one })), ...rest };
  });
}
