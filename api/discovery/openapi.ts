/**
 * `/openapi.json`: the REST API in OpenAPI 3.1, generated from the operation table and the schemas that
 * validate requests.
 *
 * @module
 */

import { z } from "zod";
import {
  createDocument,
  type oas31,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from "zod-openapi";
import { API_VERSION, DEPRECATION, SERVICE_TITLE } from "../operations/about.ts";
import { dropNoise } from "../operations/operation.ts";
import { BATCH_OPERATIONS, OPERATIONS, SERVICE_OPERATIONS } from "../operations/table.ts";
import { INDEPENDENCE } from "../rules/official_sources.ts";
import {
  COMMON_ERRORS,
  errorResponses,
  HEADER_PARAMETERS,
  headerComponents,
  type HeaderName,
  headerParameters,
  headerReferences,
} from "./components.ts";
import { answerExamples, type Example, exampleBody } from "./examples.ts";
import { limitsTable } from "./limits.ts";
import { askPath } from "./openapi_ask.ts";

/** A JSON Schema 2020-12, with types only for the keywords that this repository reads. */
export interface JsonSchema {
  $ref?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  [keyword: string]: unknown;
}

export interface ParameterObject {
  name: string;
  in: "path" | "query" | "header";
  description: string;
  required: boolean;
  schema: JsonSchema;
  example?: unknown;
}

export type Content = Record<string, {
  schema: JsonSchema;
  example?: unknown;
  examples: Record<string, Example>;
}>;

export interface ResponseObject {
  headers: Record<string, object>;
  content?: Content;
}

export interface OperationObject {
  operationId: string;
  parameters: (ParameterObject | { $ref: string })[];
  requestBody?: { content: Content };
  responses: Record<string, ResponseObject | { $ref: string }>;
}

/** An OpenAPI document, with types only for the members that this repository reads. */
export interface OpenApi {
  paths: Record<string, Record<string, OperationObject>>;
  components: {
    schemas: Record<string, JsonSchema>;
    parameters: Record<string, ParameterObject>;
  };
}

const TAGS = {
  Carriers: "One carrier, a search, an MC number: from one dated snapshot",
  Batches: "Many carriers at once, in a batch or a job",
  Calculations: "From the rules alone, without data",
  Questions: "In plain English (NLWeb 0.55)",
  Service: "The state of the service and its data",
};

/**
 * Returns the OpenAPI document of the service at `baseUrl`.
 *
 * @param baseUrl Without a final slash.
 */
export function openApi(baseUrl: string): OpenApi {
  const examples = answerExamples(baseUrl);
  const paths: ZodOpenApiPathsObject = {};
  for (const operation of [...OPERATIONS, ...BATCH_OPERATIONS, ...SERVICE_OPERATIONS]) {
    const path = paths[operation.path] ??= {};
    const method = operation.method === "POST" ? "post" : "get";
    path[method] = describe(operation, examples[operation.id]!);
  }
  paths["/ask"] = askPath(examples);
  const document = createDocument({
    openapi: "3.1.0",
    info: {
      title: SERVICE_TITLE,
      version: API_VERSION,
      summary: "Read-only compliance lookups of US motor carriers",
      description: description(baseUrl),
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      contact: { name: SERVICE_TITLE, url: `${baseUrl}/about#report-a-problem` },
    },
    servers: [{ url: baseUrl, description: "The service" }],
    // No operation requires authentication.
    security: [],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: { headers: headerComponents(), parameters: HEADER_PARAMETERS },
  }, { override: ({ jsonSchema }) => normalizeSchema(jsonSchema as JsonSchema) });
  return JSON.parse(JSON.stringify(document), (_, value) => {
    // zod-openapi does not call `override` for a reference that has its own description.
    if (value?.$ref !== undefined) delete value.additionalProperties;
    return value;
  });
}

export function inputSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, {
    io: "input",
    override: ({ jsonSchema }) => normalizeSchema(jsonSchema as JsonSchema),
  }) as JsonSchema;
}

/** Rewrites a JSON Schema in place for code generators: nullable types as lists, whole-number enums as integers. */
function normalizeSchema(schema: JsonSchema): void {
  dropNoise(schema);
  if ("example" in schema) {
    schema.examples = [schema.example];
    delete schema.example;
  }
  const { anyOf, enum: values } = schema as { anyOf?: JsonSchema[]; enum?: unknown[] };
  if (schema.type === "number" && values?.every(Number.isInteger)) schema.type = "integer";
  const [inner, none] = anyOf ?? [];
  if (anyOf?.length === 2 && none!.type === "null" && typeof inner!.type === "string") {
    delete schema.anyOf;
    dropNoise(inner!);
    Object.assign(schema, { ...inner, ...schema, type: [inner!.type, "null"] });
  }
}

type AnyOperation = typeof OPERATIONS[number] | typeof BATCH_OPERATIONS[number];

/** Operations whose successful answer has another status or other headers than a lookup's. */
const SUCCESSES: Readonly<Record<string, Success>> = {
  batchCarriers: { always: ["Snapshot-Id", "Snapshot-Age"], sometimes: ["Idempotent-Replayed"] },
  carriersCsv: { always: ["Snapshot-Id", "Snapshot-Age"] },
  createJob: {
    status: 202,
    always: ["Snapshot-Id", "Location", "Retry-After"],
    sometimes: ["Idempotent-Replayed"],
  },
  getJob: { always: ["Snapshot-Id"] },
};

interface Success {
  status?: 202;
  always: readonly HeaderName[];
  sometimes?: readonly HeaderName[];
}

function describe(
  operation: AnyOperation,
  examples: Record<string, Example>,
): ZodOpenApiOperationObject {
  const { id, method, summary, description, reads, type = "application/json" } = operation;
  const success = SUCCESSES[id];
  const cached = headerReferences([
    "ETag",
    "Link",
    ...(reads === "snapshot" ? ["Snapshot-Id", "Snapshot-Age"] as const : []),
  ]);
  const headers = success === undefined
    ? cached
    : headerReferences(success.always, success.sometimes);
  const isPost = method === "POST";
  const body = { schema: operation.input, example: exampleBody(id) };
  return {
    operationId: id,
    tags: [tagOf(operation)],
    summary,
    description,
    parameters: [
      ...parametersOf(operation),
      ...headerParameters(
        ...(success === undefined ? ["IfNoneMatch"] as const : []),
        ...(isPost ? ["IdempotencyKey"] as const : []),
        "RequestId",
      ),
    ],
    ...isPost && { requestBody: { required: true, content: { "application/json": body } } },
    responses: {
      [success?.status ?? "200"]: {
        description: success?.status === 202 ? "Accepted" : "The answer",
        headers,
        content: { [type]: { schema: operation.output, examples } },
      },
      ...success === undefined &&
        { 304: { description: "The cached answer is still valid", headers } },
      ...errorResponses([
        ...operation.errors,
        ...(success === undefined ? ["precondition_failed"] as const : []),
        ...COMMON_ERRORS,
      ]),
    },
  };
}

/** Builds the parameters here because zod-openapi drops the description and example of a schema with a transform. */
function parametersOf({ input, parameters }: AnyOperation): oas31.ParameterObject[] {
  const { properties = {}, required = [] } = inputSchema(input);
  return Object.entries(parameters).map(([name, parameter]) => {
    const { description, examples, ...schema } = properties[name]!;
    return {
      name,
      in: parameter.in,
      description: String(description),
      required: required.includes(name),
      schema: schema as oas31.SchemaObject,
      ...(Array.isArray(examples) ? { example: examples[0] } : {}),
    };
  });
}

function tagOf({ id, reads }: AnyOperation): keyof typeof TAGS {
  if (reads === "nothing") return "Calculations";
  if (BATCH_OPERATIONS.some((operation) => operation.id === id)) return "Batches";
  return SERVICE_OPERATIONS.some((operation) => operation.id === id) ? "Service" : "Carriers";
}

function description(baseUrl: string): string {
  return `${INDEPENDENCE}

No account, no key, nothing to sign up for. Every answer carries \`RateLimit-*\` headers and an \`X-Request-Id\`; every error is \`{"error": {"code", "message"}}\`, but for the failures of /ask. Within \`/api/v1\` members are added, never renamed or dropped: ignore those you do not know. ${DEPRECATION}

${limitsTable()}

For agents: ${baseUrl}/agents.md`;
}
