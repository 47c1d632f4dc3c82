/**
 * From the zod schemas that validate to the schemas of the OpenAPI document.
 *
 * @module
 */

import { z } from "zod";
import { dropNoise } from "../operations/operation.ts";

/** A JSON Schema 2020-12, which OpenAPI 3.1 takes as it is. */
export interface JsonSchema {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  examples?: unknown[];
  [keyword: string]: unknown;
}

const COMPONENTS = "#/components/schemas/";

/** Schemas of a document; those with an id are put among its components, once. */
export class Components {
  /** By id. */
  readonly schemas: Record<string, JsonSchema> = {};

  /** The schema of what is sent to the service. */
  input(schema: z.ZodType): JsonSchema {
    return this.#add(schema, "input");
  }

  /** The schema of what the service answers; a reference when it has an id. */
  output(schema: z.ZodType): JsonSchema {
    return this.#add(schema, "output");
  }

  #add(schema: z.ZodType, io: "input" | "output"): JsonSchema {
    const made = z.toJSONSchema(schema, {
      io,
      override({ jsonSchema }) {
        dropNoise(jsonSchema);
        if (!("example" in jsonSchema)) return;
        jsonSchema.examples = [jsonSchema.example];
        delete jsonSchema.example;
      },
    });
    const { $schema: _, $defs = {}, ...root } = moved(made as JsonSchema);
    Object.assign(this.schemas, $defs);
    return root;
  }
}

/** The schema with its references pointing to the components. */
function moved(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (key, value) => {
    if (key !== "$ref" || typeof value !== "string") return value;
    return value.replace("#/$defs/", COMPONENTS);
  });
}
