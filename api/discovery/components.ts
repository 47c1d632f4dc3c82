/**
 * The headers, parameters and errors that several operations of the OpenAPI document share.
 *
 * @module
 */

import type { oas31, ZodOpenApiResponseObject } from "zod-openapi";
import { ERROR_CODES, ErrorBody, type ErrorCode, ERRORS } from "../operations/errors.ts";
// A contract test checks the limits in this file against the code.
import TABLE from "./text/headers.json" with { type: "json" };

export type HeaderName = keyof typeof TABLE.answers;

const HEADERS = TABLE.answers as unknown as Readonly<Record<HeaderName, oas31.HeaderObject>>;

const COMMON_HEADERS: readonly HeaderName[] = [
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit-Reset",
  "RateLimit-Policy",
  "X-Request-Id",
  "Server-Timing",
  "Cache-Control",
  "Vary",
];

/** The response headers that operations refer to by `$ref`. */
export function headerComponents(): Record<string, oas31.HeaderObject> {
  // Optional everywhere, so each operation describes it inline.
  const { "Idempotent-Replayed": _, ...components } = HEADERS;
  return components;
}

/** Required response headers as references, and optional ones inline. */
export function headerReferences(
  always: readonly HeaderName[],
  sometimes: readonly HeaderName[] = [],
): oas31.HeadersObject {
  return Object.fromEntries([
    ...[...COMMON_HEADERS, ...always]
      .map((name) => [name, { $ref: `#/components/headers/${name}` }]),
    // JSON.stringify drops `required: undefined`.
    ...sometimes.map((name) => [name, { ...HEADERS[name], required: undefined }]),
  ]);
}

type RequestHeader = keyof typeof TABLE.requests;

export const HEADER_PARAMETERS = TABLE.requests as Record<RequestHeader, oas31.ParameterObject>;

export function headerParameters(...names: RequestHeader[]): oas31.ReferenceObject[] {
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

/** Errors that any request can get. */
export const COMMON_ERRORS: readonly ErrorCode[] = ["rate_limited", "internal_error"];

export function errorResponses(
  codes: readonly ErrorCode[],
): Record<`${number}`, ZodOpenApiResponseObject> {
  return Object.fromEntries(
    [...Map.groupBy(codes, (code) => ERRORS[code].status)].map(([status, sharing]) => [
      status,
      sharing.length === 1 ? SHARED_RESPONSES[sharing[0]!] : errorResponse(sharing),
    ]),
  );
}

/** Responses with a single error code; the document lists them as components. */
const SHARED_RESPONSES = Object.fromEntries(
  ERROR_CODES.map((code) => [code, { id: code, ...errorResponse([code]) }]),
) as Record<ErrorCode, ZodOpenApiResponseObject>;

function errorResponse(codes: readonly ErrorCode[]): ZodOpenApiResponseObject {
  const has = (...wanted: ErrorCode[]): boolean => codes.some((code) => wanted.includes(code));
  const examples = codes.map((code) => {
    const { when, message } = ERRORS[code];
    return [code, { summary: when, value: { error: { code, message } } }];
  });
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].when}`).join(". "),
    headers: headerReferences(
      has("rate_limited", "upstream_unavailable") ? ["Retry-After"] : [],
      has("not_found", "upstream_unavailable") ? ["Snapshot-Id"] : [],
    ),
    content: {
      "application/json": { schema: ErrorBody, examples: Object.fromEntries(examples) },
    },
  };
}
