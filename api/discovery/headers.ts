/**
 * The headers of requests and answers, as OpenAPI describes them.
 *
 * @module
 */

import type { oas31 } from "zod-openapi";
import { MAX_KEY } from "../http/input.ts";
import { KEEP_MS } from "../state/idempotency.ts";
import { QUOTA } from "../state/rate_limit.ts";

const SECONDS = QUOTA.windowMs / 1000;
const UUID = "8e03978e-40d5-43e8-bc93-6894a57f9324";
const WHOLE = { type: "integer" as const, minimum: 0 };

/** Headers of answers, by name. */
export const HEADERS = {
  "RateLimit-Limit": {
    description: `Requests of one address in any ${SECONDS} seconds`,
    schema: { type: "integer", const: QUOTA.limit },
    example: QUOTA.limit,
  },
  "RateLimit-Remaining": {
    description: "Requests left now; absent from what a shared cache may keep",
    schema: { ...WHOLE, maximum: QUOTA.limit },
    example: QUOTA.limit - 1,
  },
  "RateLimit-Reset": {
    description:
      "Seconds from now until the quota is whole again; absent from what a shared cache may keep",
    schema: { ...WHOLE, maximum: SECONDS },
    example: 42,
  },
  "RateLimit-Policy": {
    description: "The quota and its window in seconds",
    schema: { type: "string", const: `${QUOTA.limit};w=${SECONDS}` },
    example: `${QUOTA.limit};w=${SECONDS}`,
  },
  "X-Request-Id": {
    description: "Names the request: the caller's own id when it is sane, else a new one",
    schema: { type: "string", pattern: "^[A-Za-z0-9._-]{1,64}$" },
    example: UUID,
  },
  "Server-Timing": {
    description: "Milliseconds until the answer was found and until it began, for developer tools",
    schema: { type: "string", pattern: "^(find;dur=[\\d.]+, )?total;dur=[\\d.]+$" },
    example: "find;dur=0.2, total;dur=0.4",
  },
  "Cache-Control": {
    description: "How long the answer may be kept: `no-store` for errors, batches, jobs and /ask",
    schema: {
      type: "string",
      pattern: "^(no-store(, no-transform)?|(public|private), max-age=\\d+)$",
    },
    example: "private, max-age=60",
  },
  "ETag": {
    description: "Validator, to be sent as `If-None-Match`",
    schema: { type: "string", pattern: '^W/"[!#-~]+"$' },
    example: 'W/"2026-10-03-c45ce6c33735a36b.2026-10-16.1.abc"',
  },
  "Snapshot-Id": {
    description: "The snapshot of the data that answered",
    schema: { type: "string", minLength: 1 },
    example: "2026-10-03-c45ce6c33735a36b",
  },
  "Snapshot-Age": {
    description: "Age of that data in whole days, from its date to today in New York, in seconds",
    schema: { ...WHOLE, multipleOf: 86_400 },
    example: 172_800,
  },
  "Vary": {
    description: "Answers are compressed as `Accept-Encoding` asks",
    schema: { type: "string", pattern: "Accept-Encoding" },
    example: "Accept-Encoding",
  },
  "Retry-After": {
    description: "Seconds after which to ask again",
    schema: { type: "integer", minimum: 1 },
    example: 10,
  },
  "Link": {
    description: "Where the API is described",
    schema: { type: "string", pattern: 'rel="service-desc"' },
  },
  "Location": {
    description: "Where to get the results of the job",
    schema: { type: "string", format: "uri" },
  },
  "Idempotent-Replayed": {
    description: "Present when this is the answer to an earlier request with the same key",
    schema: { type: "string", const: "true" },
    example: "true",
  },
} as const satisfies Record<string, oas31.HeaderObject>;

export type HeaderName = keyof typeof HEADERS;

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

/** Counters of one caller, which an answer from a shared cache does not have. */
const COUNTERS = ["RateLimit-Remaining", "RateLimit-Reset"];

/** The components: headers that some answer always has. */
export function headerComponents(): Record<string, oas31.HeaderObject> {
  // Always optional, so it is described where it may occur.
  const { "Idempotent-Replayed": _, ...components } = HEADERS;
  return Object.fromEntries(
    Object.entries(components).map((
      [name, header],
    ) => [name, { ...header, required: !COUNTERS.includes(name) }]),
  );
}

/** Headers an answer always has, as references, and headers it may have. */
export function headersOf(
  always: readonly HeaderName[],
  sometimes: readonly HeaderName[] = [],
): oas31.HeadersObject {
  return {
    ...Object.fromEntries(
      [...COMMON_HEADERS, ...always].map((
        name,
      ) => [name, { $ref: `#/components/headers/${name}` }]),
    ),
    ...Object.fromEntries(sometimes.map((name) => [name, HEADERS[name]])),
  };
}

export const HEADER_PARAMETERS = {
  RequestId: {
    name: "X-Request-Id",
    in: "header",
    required: false,
    description: "The caller's own id, 1 to 64 letters, digits, `.`, `_` or `-`; " +
      "another is ignored",
    schema: { type: "string" },
    example: UUID,
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    required: false,
    description: "The `ETag` of an answer that is at hand",
    schema: { type: "string" },
    example: HEADERS.ETag.example,
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description:
      `Any unique string of 1 to ${MAX_KEY} characters without control characters, quoted or not. ` +
      `For ${KEEP_MS / 3_600_000} hours the same key with the same numbers gets the same answer, ` +
      "with others an error. Keys of two network addresses are apart. A job's key outlives the job: " +
      "after `expires_at` send its numbers with a new key",
    schema: { type: "string", minLength: 1, maxLength: MAX_KEY },
    example: UUID,
  },
} as const satisfies Record<string, oas31.ParameterObject>;

/** Headers that a request may have, as references. */
export function headerParameters(
  ...names: (keyof typeof HEADER_PARAMETERS)[]
): oas31.ReferenceObject[] {
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}
