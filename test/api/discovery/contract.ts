/**
 * An answer beside what the OpenAPI document says of it.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { OperationObject } from "../../../api/discovery/openapi_operation.ts";
import type { Answer } from "../http/service.ts";
import { resolve, wrongBy } from "./document.ts";

/** Headers that HTTP and CORS bring along, so that the document need not tell of them. */
const UNTOLD =
  /^(access-control-.+|content-(type|length)|x-content-type-options|cdn-cache-control|x-accel-buffering|deno-cache-tag)$/;

/** Checks status, headers and body of an answer. A stream is its caller's to check. */
export function checkAgainst(
  operation: OperationObject,
  { status, headers, text, body }: Answer,
): void {
  const where = `${operation.operationId} ${status}`;
  assert.ok(operation.responses[status] !== undefined, `${where}: ${text}`);
  const response = resolve(operation.responses[status]);
  const told = new Set(Object.keys(response.headers).map((name) => name.toLowerCase()));
  for (const [name, described] of Object.entries(response.headers)) {
    const { required, schema } = resolve(described);
    const value = headers.get(name);
    if (value === null) assert.ok(!required, `${where}: ${name} is missing`);
    else {
      const typed = schema.type === "integer" && /^\d+$/.test(value) ? Number(value) : value;
      assert.equal(wrongBy(schema, typed), null, `${where}: ${name}: ${value}`);
    }
  }
  for (const name of headers.keys()) {
    assert.ok(told.has(name) || UNTOLD.test(name), `${where}: ${name} is not in the document`);
  }
  if (response.content === undefined) assert.equal(text, "", where);
  else if (!headers.get("content-type")!.startsWith("text/event-stream")) {
    const { schema } = response.content["application/json"];
    assert.equal(wrongBy(schema, body), null, where);
  }
}

/** The id of a snapshot changes with any change of the sample, which no reader of an example minds. */
export function withAnyId(body: unknown, example: unknown): unknown {
  const id = /"snapshot":\{"id":"([^"]+)"/.exec(JSON.stringify(example))?.[1] ?? "";
  return JSON.parse(JSON.stringify(body).replaceAll(/("snapshot":\{"id":)"[^"]+"/g, `$1"${id}"`));
}
