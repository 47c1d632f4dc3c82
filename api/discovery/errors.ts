/**
 * The errors as OpenAPI describes them.
 *
 * @module
 */

import type { ZodOpenApiResponseObject } from "zod-openapi";
import { ERROR_CODES, ErrorBody, type ErrorCode, ERRORS } from "../operations/errors.ts";
import { headersOf } from "./headers.ts";

/** Codes that any request may get. */
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

/** Responses of one code, which are components of the document. */
const SHARED_RESPONSES = Object.fromEntries(
  ERROR_CODES.map((
    code,
  ) => [code, { id: code, ...errorResponse([code]) }]),
) as Record<ErrorCode, ZodOpenApiResponseObject>;

function errorResponse(codes: readonly ErrorCode[]): ZodOpenApiResponseObject {
  const has = (...wanted: ErrorCode[]): boolean => codes.some((code) => wanted.includes(code));
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].when}`).join(". "),
    headers: headersOf(
      has("rate_limited", "upstream_unavailable") ? ["Retry-After"] : [],
      has("not_found", "upstream_unavailable") ? ["Snapshot-Id"] : [],
    ),
    content: {
      "application/json": {
        schema: ErrorBody,
        examples: Object.fromEntries(
          codes.map((code) => {
            const { when, message } = ERRORS[code];
            return [code, { summary: when, value: { error: { code, message } } }];
          }),
        ),
      },
    },
  };
}
