/**
 * From the zod schemas of an operation to the JSON Schemas of a tool.
 *
 * @module
 */

import { z } from "zod";
import { dropNoise } from "../api/operations/json_schema.ts";

/** A JSON Schema 2020-12 whose root is an object, as every revision of the protocol wants it. */
export interface ToolSchema {
  type: "object";
  properties: Record<string, Record<string, unknown>>;
  required?: string[];
  $defs?: Record<string, unknown>;
  [keyword: string]: unknown;
}

/**
 * The JSON Schema of a tool's input.
 *
 * @param hidden Members that tools do not offer, at any depth.
 */
export function inputSchemaOf(schema: z.ZodType, hidden: readonly string[] = []): ToolSchema {
  return toolSchema(schema, { io: "input", hidden });
}

/** The JSON Schema of a tool's structured content; arguments as {@link inputSchemaOf}. */
export function outputSchemaOf(schema: z.ZodType, hidden: readonly string[] = []): ToolSchema {
  return toolSchema(schema, { io: "output", hidden });
}

function toolSchema(
  schema: z.ZodType,
  { io, hidden }: { io: "input" | "output"; hidden: readonly string[] },
): ToolSchema {
  const { $schema: _, $ref, $defs, ...json } = withoutTypeLists(z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      slim(jsonSchema);
      // What an object of an answer is, the tool and the member that holds it tell already.
      if (io === "output" && jsonSchema.properties !== undefined) delete jsonSchema.description;
      for (const name of hidden) delete jsonSchema.properties?.[name];
    },
  }));
  if ($ref === undefined) return json as ToolSchema;
  // A named schema comes as a reference, but the root must be the object itself.
  const { [$ref.replace("#/$defs/", "")]: root, ...others } = $defs ?? {};
  const rest = Object.keys(others).length > 0 ? { $defs: others } : {};
  return { ...root, ...rest } as ToolSchema;
}

/** Spells `type: [a, b]` as `anyOf`: dialects of JSON Schema that models are told in know no list. */
function withoutTypeLists<T>(schema: T): T {
  return JSON.parse(JSON.stringify(schema), (_, value) => {
    if (!Array.isArray(value?.type)) return value;
    const { type, ...rest } = value;
    return { anyOf: type.map((one: string) => ({ type: one })), ...rest };
  });
}

/** Drops what costs every client bytes and tells it nothing. */
function slim(schema: Record<string, unknown>): void {
  delete schema.example;
  dropNoise(schema);
}
