/**
 * The MCP tools: the operations with descriptions, texts and JSON Schemas for models.
 *
 * @module
 */

import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import { z } from "zod";
import { mcs150DueDate, ucrFeeOperation } from "../api/operations/calculations.ts";
import type { ErrorCode } from "../api/operations/errors.ts";
import { carrierHistory } from "../api/operations/history.ts";
import { lookupMcOrDocket } from "../api/operations/lookup.ts";
import { matchCarrier } from "../api/operations/match.ts";
import {
  type CalculationOperation,
  dropNoise,
  type LookupOperation,
  type Operation,
} from "../api/operations/operation.ts";
import { searchCarriers } from "../api/operations/search.ts";
import { lookupBrief } from "./carrier_tool.ts";
import TEXTS from "./tools.json" with { type: "json" };
import {
  sayCarrier,
  sayDocket,
  sayHistory,
  sayMatch,
  sayMcs150,
  saySearch,
  sayUcr,
} from "./tool_text.ts";

export interface Tool {
  name: string;
  title: string;
  /** What the tool does, when to use it, and when not to. */
  description: string;
  operation: Operation;
  /** What the model should do next, by error code. */
  next: Partial<Record<ErrorCode, string>>;
  /** Returns the text that accompanies the structured content. */
  say(output: unknown, today: string): string;
  /** Shortens a list that has no limit of its own. The text still says how long it is. */
  bound?(output: unknown): unknown;
}

/** A member of search input and output that is not offered to models. */
export const HIDDEN = "explain";

const MAX_OTHER_DOTS = 50;

export const TOOLS: readonly Tool[] = [
  tool("lookup_carrier", lookupBrief, sayCarrier),
  tool("carrier_history", carrierHistory, sayHistory),
  tool("search_carriers", searchCarriers, saySearch),
  tool("lookup_mc_number", lookupMcOrDocket, sayDocket, (found) => ({
    ...found,
    other_dots: found.other_dots.slice(0, MAX_OTHER_DOTS),
  })),
  tool("mcs150_due_date", mcs150DueDate, sayMcs150),
  tool("ucr_fee", ucrFeeOperation, sayUcr),
  tool("match_carrier", matchCarrier, sayMatch),
];

/** Defines a tool. Checks its types against the operation's, then erases them. */
function tool<I extends z.ZodType, O extends z.ZodType>(
  name: keyof typeof TEXTS,
  operation: LookupOperation<I, O> | CalculationOperation<I, O>,
  say: (output: z.output<O>, today: string) => string,
  bound?: (output: z.output<O>) => z.output<O>,
): Tool {
  return { name, ...TEXTS[name], operation, say, bound } as unknown as Tool;
}

/**
 * Returns the JSON Schema 2020-12 of a tool's input or structured content. Its root is an object, as every revision of
 * the protocol requires.
 */
export function toolSchema(
  schema: z.ZodType,
  io: "input" | "output",
): ListedTool["inputSchema"] {
  const { $schema: _, $ref, $defs = {}, ...json } = withoutTypeLists(z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      delete jsonSchema.example;
      dropNoise(jsonSchema);
      dropConstraints(jsonSchema, io);
      delete jsonSchema.properties?.[HIDDEN];
    },
  }));
  // Zod returns a named schema as a reference, but the root must be the object itself.
  if ($ref === undefined) return withoutSingleRefs(json, $defs);
  const { [$ref.replace("#/$defs/", "")]: root, ...others } = $defs;
  return withoutSingleRefs(root!, others);
}

/** Inlines definitions that are referenced only once. No schema may refer to itself. */
function withoutSingleRefs(schema: object, definitions: object): ListedTool["inputSchema"] {
  let all = { ...schema, $defs: definitions as Record<string, object> };
  for (const name of Object.keys(definitions)) {
    const { [name]: definition, ...$defs } = all.$defs;
    const ref = JSON.stringify({ $ref: `#/$defs/${name}` });
    const [before, after, ...more] = JSON.stringify({ ...all, $defs }).split(ref);
    if (after === undefined || more.length > 0) continue;
    all = JSON.parse(before + JSON.stringify(definition) + after);
  }
  const { $defs, ...rest } = all;
  const json = Object.keys($defs).length > 0 ? all : rest;
  return json as ListedTool["inputSchema"];
}

/** Longer enumerations are left to the OpenAPI document. */
const MAX_VALUES = 8;

/**
 * Drops keywords that a model does not need, because hosts put the schemas in its context. Descriptions cover the
 * inputs, for which the tools accept more spellings of a number than the pattern. OpenAPI describes the outputs.
 */
function dropConstraints(schema: Record<string, unknown>, io: "input" | "output"): void {
  delete schema.pattern;
  // A technical bound of the API's integers, of no use to a model.
  if (Number(schema.maximum) > 1e9) delete schema.maximum;
  if (io === "input") return;
  const unneeded = [
    "description",
    "required",
    "format",
    "minimum",
    "maximum",
    "minItems",
    "maxItems",
  ];
  for (const name of unneeded) delete schema[name];
  if (Array.isArray(schema.enum) && schema.enum.length > MAX_VALUES) delete schema.enum;
}

/** Rewrites `type: [a, b]` as `anyOf`, because some models' JSON Schema dialects do not support lists of types. */
function withoutTypeLists<T>(schema: T): T {
  return JSON.parse(JSON.stringify(schema), (_, value) => {
    if (!Array.isArray(value?.type)) return value;
    const { type, ...rest } = value;
    return { anyOf: type.map((one: string) => ({ type: one })), ...rest };
  });
}
