/**
 * The MCP tools: descriptions over the operations, and their JSON Schemas.
 *
 * @module
 */

import { z } from "zod";
import { mcs150DueDate, ucrFee } from "../api/operations/calculations.ts";
import type { ErrorCode } from "../api/operations/errors.ts";
import { lookupCarrier, lookupMc } from "../api/operations/lookup.ts";
import { matchCarrier } from "../api/operations/match.ts";
import {
  type CalculationOperation,
  dropNoise,
  type LookupOperation,
  type Operation,
} from "../api/operations/operation.ts";
import { searchCarriers } from "../api/operations/search.ts";
import TEXTS from "./tools.json" with { type: "json" };
import { sayCarrier, sayMatch, sayMc, sayMcs150, saySearch, sayUcr } from "./tool_text.ts";

export const CARD_URI = "ui://carrier-compliance/card.html";

/** What a tool says of itself. */
interface ToolTexts {
  title: string;
  /** What it does, when to use it, when not. */
  description: string;
  /** For each error of the operation, what to do next. */
  next: Partial<Record<ErrorCode, string>>;
}

/** What a tool does whose operation takes I and answers O. */
interface ToolWork<I extends z.ZodType, O extends z.ZodType> {
  operation: LookupOperation<I, O> | CalculationOperation<I, O>;
  /** Members of the input that are for other surfaces. */
  hidden?: readonly string[];
  /** The text beside the structured content. */
  say(output: z.output<O>, today: string): string;
  /** Cuts a list without its own limit; the text has its full length. */
  bound?(output: z.output<O>): z.output<O>;
  /** The resource that shows the result. */
  card?: string;
}

export interface Tool extends ToolTexts, Omit<ToolWork<z.ZodType, z.ZodType>, "operation"> {
  name: string;
  operation: Operation;
}

const MAX_OTHER_DOTS = 50;

export const TOOLS: readonly Tool[] = [
  tool("lookup_carrier", { operation: lookupCarrier, say: sayCarrier, card: CARD_URI }),
  tool("search_carriers", { operation: searchCarriers, hidden: ["explain"], say: saySearch }),
  tool("lookup_mc_number", {
    operation: lookupMc,
    say: sayMc,
    bound: (found) => ({ ...found, other_dots: found.other_dots.slice(0, MAX_OTHER_DOTS) }),
  }),
  tool("mcs150_due_date", { operation: mcs150DueDate, say: sayMcs150 }),
  tool("ucr_fee", { operation: ucrFee, say: sayUcr }),
  tool("match_carrier", { operation: matchCarrier, say: sayMatch }),
];

/** Checks the types of a tool against those of its operation, then erases them. */
function tool<I extends z.ZodType, O extends z.ZodType>(
  name: keyof typeof TEXTS,
  work: ToolWork<I, O>,
): Tool {
  return { name, ...TEXTS[name] as ToolTexts, ...work } as unknown as Tool;
}

/** A JSON Schema 2020-12 whose root is an object, as every revision of the protocol wants it. */
interface ToolSchema {
  type: "object";
  properties: Record<string, Record<string, unknown>>;
  required?: string[];
  $defs?: Record<string, unknown>;
  [keyword: string]: unknown;
}

/**
 * The JSON Schema of a tool's input or structured content.
 *
 * @param hidden Members that tools do not offer, at any depth.
 */
export function toolSchema(
  schema: z.ZodType,
  io: "input" | "output",
  hidden: readonly string[] = [],
): ToolSchema {
  const { $schema: _, $ref, $defs, ...json } = withoutTypeLists(z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      delete jsonSchema.example;
      dropNoise(jsonSchema);
      // The tool and the member describe the object already.
      if (io === "output" && jsonSchema.properties !== undefined) delete jsonSchema.description;
      if (io === "output" && jsonSchema.minimum === 0) delete jsonSchema.minimum;
      for (const name of hidden) delete jsonSchema.properties?.[name];
    },
  }));
  if ($ref === undefined) return json as ToolSchema;
  // A named schema comes as a reference, but the root must be the object itself.
  const { [$ref.replace("#/$defs/", "")]: root, ...others } = $defs ?? {};
  return { ...root, ...Object.keys(others).length > 0 && { $defs: others } } as ToolSchema;
}

/** Spells `type: [a, b]` as `anyOf`: some dialects of JSON Schema for models know no list. */
function withoutTypeLists<T>(schema: T): T {
  return JSON.parse(JSON.stringify(schema), (_, value) => {
    if (!Array.isArray(value?.type)) return value;
    const { type, ...rest } = value;
    return { anyOf: type.map((one: string) => ({ type: one })), ...rest };
  });
}
