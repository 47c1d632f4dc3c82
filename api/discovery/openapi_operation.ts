/**
 * One operation of the OpenAPI document: its parameters, its body, and every answer it can give.
 *
 * @module
 */

import { ERROR_STATUS, ErrorBody, type ErrorCode } from "../operations/errors.ts";
import { type BATCH_OPERATIONS, type OPERATIONS, SERVICE_OPERATIONS } from "../operations/table.ts";
import type { Components, JsonSchema } from "./components.ts";
import { COMMON_ERRORS, errorExample, ERRORS } from "./error_examples.ts";
import { BODY_EXAMPLES, type Example } from "./examples.ts";
import {
  type HEADER_PARAMETERS,
  type HeaderName,
  headersOf,
  type ParameterObject,
  RETRY_CODES,
  SNAPSHOT_CODES,
} from "./header_components.ts";

/** An Operation Object of OpenAPI, as far as it is used. */
export interface OperationObject {
  operationId: string;
  parameters: (ParameterObject | { $ref: string })[];
  requestBody?: { required: true; content: Record<string, BodyObject> };
  responses: Record<string, ResponseObject | { $ref: string }>;
  [member: string]: unknown;
}

/** A Response Object of OpenAPI. */
export interface ResponseObject {
  description: string;
  headers: Record<string, object>;
  content?: Record<string, { schema: JsonSchema; examples: Record<string, Example> }>;
}

interface BodyObject {
  schema: JsonSchema;
  example?: unknown;
  examples?: Record<string, Example>;
}

/** Tags of the document, with what is under each. */
export const TAGS = {
  Carriers: "One carrier, a search, an MC number: from one dated snapshot",
  Bulk: "Many carriers at once",
  Calculations: "From the rules alone, without data",
  Questions: "In plain English (NLWeb 0.55)",
  Service: "The state of the service and its data",
};

type AnyOperation = typeof OPERATIONS[number] | typeof BATCH_OPERATIONS[number];

/** Success answers whose headers or status are not those of a lookup. */
const ANSWERS: Readonly<Record<string, AnswerShape>> = {
  batchCarriers: { always: ["Snapshot-Id", "Snapshot-Age"], sometimes: ["Idempotent-Replayed"] },
  createJob: {
    status: 202,
    always: ["Snapshot-Id", "Location", "Retry-After"],
    sometimes: ["Idempotent-Replayed"],
  },
  getJob: { always: ["Snapshot-Id"] },
};

interface AnswerShape {
  status?: number;
  always: readonly HeaderName[];
  sometimes?: readonly HeaderName[];
}

/** What operations of a document share, and the examples of one. */
export interface Shared {
  components: Components;
  /** Error answers that operations share, by code. */
  errors: Record<string, ResponseObject>;
  examples: Record<string, Example>;
}

/** Describes an operation; the errors it shares with others are put among the shared ones. */
export function describe(
  operation: AnyOperation,
  { components, errors, examples }: Shared,
): OperationObject {
  const { id, method, summary, description, reads } = operation;
  const tag: keyof typeof TAGS = reads === "nothing"
    ? "Calculations"
    : id in ANSWERS
    ? "Bulk"
    : SERVICE_OPERATIONS.some((operation) => operation.id === id)
    ? "Service"
    : "Carriers";
  const input = components.input(operation.input);
  const shape = ANSWERS[id];
  const cached: HeaderName[] = [
    "ETag",
    "Link",
    ...(reads === "snapshot" ? ["Snapshot-Id", "Snapshot-Age"] as const : []),
  ];
  const success: ResponseObject = {
    description: shape?.status === 202 ? "Accepted" : "The answer",
    headers: shape === undefined ? headersOf(cached) : headersOf(shape.always, shape.sometimes),
    content: { "application/json": { schema: components.output(operation.output), examples } },
  };
  const notModified: ResponseObject = {
    description: "The answer at hand is still right",
    headers: headersOf(cached),
  };
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    parameters: [
      ...parametersOf(operation, input),
      ...headerParameters(shape === undefined ? ["IfNoneMatch"] : []),
      ...headerParameters(method === "POST" ? ["IdempotencyKey"] : []),
      ...headerParameters(["RequestId"]),
    ],
    ...(method === "POST" ? { requestBody: bodyOf(id, input) } : {}),
    responses: {
      [shape?.status ?? 200]: success,
      ...(shape === undefined ? { 304: notModified } : {}),
      ...errorResponses([...operation.errors, ...COMMON_ERRORS], { components, errors }),
    },
  };
}

function parametersOf(operation: AnyOperation, input: JsonSchema): ParameterObject[] {
  return Object.entries(operation.parameters).map(([name, parameter]) => {
    const { description, examples, ...schema } = input.properties![name]!;
    return {
      name,
      in: parameter.in,
      description: String(description),
      required: input.required?.includes(name) ?? false,
      schema,
      ...(examples === undefined ? {} : { example: examples[0] }),
    };
  });
}

/** Headers that a request may have. */
export function headerParameters(
  names: readonly (keyof typeof HEADER_PARAMETERS)[],
): { $ref: string }[] {
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

function bodyOf(id: string, schema: JsonSchema): NonNullable<OperationObject["requestBody"]> {
  const example = BODY_EXAMPLES[id];
  return { required: true, content: { "application/json": { schema, ...{ example } } } };
}

/** Errors as answers, one a status; where one code alone has the status, operations share it. */
export function errorResponses(
  codes: readonly ErrorCode[],
  { components, errors }: Pick<Shared, "components" | "errors">,
): OperationObject["responses"] {
  const schema = components.output(ErrorBody);
  const responses: OperationObject["responses"] = {};
  for (const [status, sharing] of Map.groupBy(codes, (code) => ERROR_STATUS[code])) {
    const [code, ...others] = sharing as [ErrorCode, ...ErrorCode[]];
    if (others.length > 0) {
      responses[status] = errorResponse(sharing, schema);
    } else {
      errors[code] ??= errorResponse([code], schema);
      responses[status] = { $ref: `#/components/responses/${code}` };
    }
  }
  return responses;
}

/** The answer of codes that have one status. */
function errorResponse(codes: readonly ErrorCode[], schema: JsonSchema): ResponseObject {
  const retry = codes.some((code) => RETRY_CODES.includes(code));
  const examples = codes.map((code): [string, Example] => [
    code,
    { summary: ERRORS[code].when, value: errorExample(code) },
  ]);
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].when}`).join(". "),
    headers: headersOf(
      retry ? ["Retry-After"] : [],
      codes.some((code) => SNAPSHOT_CODES.includes(code)) ? ["Snapshot-Id"] : [],
    ),
    content: { "application/json": { schema, examples: Object.fromEntries(examples) } },
  };
}
