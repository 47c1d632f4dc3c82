/**
 * The OpenAPI document as a program reads it: references followed, schemas compiled.
 *
 * @module
 */

import assert from "node:assert/strict";
import addFormats from "ajv-formats";
import { Ajv2020, type AnySchemaObject } from "ajv/dist/2020.js";
import { type OpenApi, openApi } from "../../../api/discovery/openapi.ts";
import { BASE_URL } from "../http/service.ts";

/** The document of the service under test, as it is sent. */
export const DOCUMENT: OpenApi = JSON.parse(JSON.stringify(openApi(BASE_URL)));

/** What a reference points to, or the value itself. */
// deno-lint-ignore no-explicit-any -- any part of the document
export function resolve(value: any): any {
  if (typeof value?.$ref !== "string") return value;
  let target: unknown = DOCUMENT;
  for (const step of value.$ref.replace("#/", "").split("/")) {
    target = (target as Record<string, unknown>)[step];
  }
  assert.ok(target !== undefined, `${value.$ref} points to nothing`);
  return target;
}

/** A schema as the document means it, but with no room for members it does not name. */
function closed(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema), (_, value) => {
    if (value?.type !== "object" || value.properties === undefined) return value;
    return { additionalProperties: false, ...value };
  });
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
// Its types are those of a CommonJS module.
(addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
ajv.addSchema(
  { $id: "doc", ...closed({ components: { schemas: DOCUMENT.components.schemas } }) as object },
);

const compiled = new Map<string, (value: unknown) => string | null>();

/** Tells what is wrong with a value by a schema of the document, null when nothing is. */
export function wrongBy(schema: unknown, value: unknown): string | null {
  const key = JSON.stringify(closed(schema)).replaceAll("#/components/", "doc#/components/");
  let check = compiled.get(key);
  if (check === undefined) {
    const validate = ajv.compile(JSON.parse(key) as AnySchemaObject);
    check = (value) => validate(value) ? null : JSON.stringify(validate.errors);
    compiled.set(key, check);
  }
  return check(value);
}
