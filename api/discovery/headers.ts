/**
 * The headers of requests and answers, as OpenAPI describes them.
 *
 * @module
 */

import type { oas31 } from "zod-openapi";
// Its limits are those of the code, or a contract test fails.
import TABLE from "./text/headers.json" with { type: "json" };

export const HEADERS = TABLE.answers as unknown as Readonly<Record<HeaderName, oas31.HeaderObject>>;

export type HeaderName = keyof typeof TABLE.answers;

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

/** The components: headers that some answer always has. */
export function headerComponents(): Record<string, oas31.HeaderObject> {
  // Always optional, so it is described where it may occur.
  const { "Idempotent-Replayed": _, ...components } = HEADERS;
  return components;
}

/** Headers an answer always has, as references, and headers it may have. */
export function headersOf(
  always: readonly HeaderName[],
  sometimes: readonly HeaderName[] = [],
): oas31.HeadersObject {
  return Object.fromEntries([
    ...[...COMMON_HEADERS, ...always]
      .map((name) => [name, { $ref: `#/components/headers/${name}` }]),
    // Undefined is left out.
    ...sometimes.map((name) => [name, { ...HEADERS[name], required: undefined }]),
  ]);
}

export const HEADER_PARAMETERS = TABLE.requests as Readonly<
  Record<keyof typeof TABLE.requests, oas31.ParameterObject>
>;

/** Headers that a request may have, as references. */
export function headerParameters(
  ...names: (keyof typeof TABLE.requests)[]
): oas31.ReferenceObject[] {
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}
