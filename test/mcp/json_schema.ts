/**
 * Validation against JSON Schema 2020-12, including formats.
 *
 * @module
 */

import assert from "node:assert/strict";
import addFormats from "ajv-formats";
import { Ajv2020, type AnySchemaObject } from "ajv/dist/2020.js";

/** Compiles a check of values against a schema, or against one of its definitions. */
export function validator(schema: object, definition?: string): (value: unknown) => void {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  // Its types are those of a CommonJS module.
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  const root = definition === undefined ? schema : { ...schema, $ref: `#/$defs/${definition}` };
  const validate = ajv.compile(root as AnySchemaObject);
  return (value) => assert.ok(validate(value), JSON.stringify(validate.errors));
}
