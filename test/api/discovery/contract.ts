/**
 * The OpenAPI document as a program reads it, and checks of answers against it.
 *
 * @module
 */

import assert from "node:assert/strict";
import addFormats from "ajv-formats";
import { Ajv2020, type AnySchemaObject } from "ajv/dist/2020.js";
import { type OpenApi, openApi, type OperationObject } from "../../../api/discovery/openapi.ts";
import { EXAMPLE_DAY } from "../../../api/discovery/examples.ts";
import { a2aMount } from "../../../api/a2a/http.ts";
import { askMount } from "../../../api/ask/http.ts";
import type { App } from "../../../api/http/app.ts";
import { mcpMounts } from "../../../mcp/routes.ts";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import type { Source } from "../../../pipeline/snapshot/source.ts";
import { type Answer, answerOf, BASE_URL, from, testApp } from "../http/service.ts";
import { TestClock } from "../../pipeline/snapshot/memory.ts";

/** The document as the service under test sends it. */
export const DOCUMENT: OpenApi = JSON.parse(JSON.stringify(openApi(BASE_URL)));

/** The service with /ask, A2A and MCP at noon of a day, by default the examples' day. */
export function serviceOn(
  source: Source,
  { day = EXAMPLE_DAY, log = (line: string): void => assert.fail(line) } = {},
): App {
  const clock = new TestClock(Date.parse(`${day}T16:00:00Z`));
  const deps = { reader: new SnapshotReader(source, { clock }), clock, baseUrl: BASE_URL, log };
  return testApp({ ...deps, mounts: [askMount(deps), a2aMount(deps), ...mcpMounts(deps)] }).app;
}

/** A client's request, from a new address unless one is given. */
export interface Sent extends RequestInit {
  peer?: string | undefined;
}

/** Sends a request to an operation and checks its answer against the document. */
export async function checked(
  app: App,
  operation: OperationObject,
  target: string,
  { peer, ...init }: Sent,
): Promise<Answer> {
  const answer = await answerOf(await app.fetch(new Request(BASE_URL + target, init), from(peer)));
  checkAgainst(operation, answer);
  return answer;
}

/** A POST of JSON, or of a string as is. */
export function posted(body: unknown, headers: Record<string, string> = {}): RequestInit {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: text,
  };
}

/** The target of a reference, or the value itself. */
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

/** A schema of the document that rejects members it doesn't name. */
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

/** How a value violates a schema of the document; null when it is valid. */
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

/** Headers of HTTP and CORS that the document doesn't need to describe. */
const UNDOCUMENTED =
  /^(access-control-.+|content-(type|length)|x-content-type-options|cdn-cache-control|x-accel-buffering|deno-cache-tag)$/;

/** Checks status, headers and body of an answer. A stream's body is left to the caller. */
function checkAgainst(
  operation: OperationObject,
  { status, headers, text, body }: Answer,
): void {
  const where = `${operation.operationId} ${status}`;
  assert.ok(operation.responses[status] !== undefined, `${where}: ${text}`);
  const response = resolve(operation.responses[status]);
  const documented = new Set(Object.keys(response.headers).map((name) => name.toLowerCase()));
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
    assert.ok(
      documented.has(name) || UNDOCUMENTED.test(name),
      `${where}: ${name} is not in the document`,
    );
  }
  if (response.content === undefined) assert.equal(text, "", where);
  else if (!headers.get("content-type")!.startsWith("text/event-stream")) {
    const type = headers.get("content-type")!.split(";")[0]!;
    const { schema } = response.content[type];
    assert.equal(wrongBy(schema, type === "text/csv" ? text : body), null, where);
  }
}
