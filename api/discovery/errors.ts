/**
 * Every error code in the documents: when it occurs, an example message, its OpenAPI response.
 *
 * @module
 */

import type { ZodOpenApiResponseObject } from "zod-openapi";
import { ERROR_STATUS, ErrorBody, type ErrorCode } from "../operations/errors.ts";
import { headersOf } from "./headers.ts";

interface Explanation {
  /** When the error occurs, and what to do. */
  when: string;
  /** A message of the service. */
  message: string;
}

/** In the order of {@link ERROR_STATUS}. */
export const ERRORS: Readonly<Record<ErrorCode, Explanation>> = {
  invalid_dot_number: {
    when: "The USDOT number is not 1 to 8 digits, or is 0",
    message: "Cannot parse USDOT number 12A: not a digit at position 3",
  },
  invalid_mc_number: {
    when: "The MC number is not 1 to 8 digits, or is 0",
    message: "Cannot parse MC number 0: numbers start at 1",
  },
  invalid_query: {
    when: "The query, the limit or explain is missing or not allowed",
    message: "The query must be at least 2 characters",
  },
  invalid_vehicles: {
    when: "The number of vehicles is missing or not a whole number of 0 or more",
    message: "Cannot use -1 vehicles: less than 0",
  },
  invalid_year: {
    when: "There is no fee table for the year",
    message: "Cannot use year 1999: the years are 2026 and 2027",
  },
  invalid_body: {
    when: "The body, or the Idempotency-Key, cannot be read; the message says where it is wrong",
    message: "Cannot read dots[1]: 12A is not 1 to 8 digits",
  },
  invalid_host: {
    when: "The Host header is not a name or an address with a port, if any",
    message: "Cannot read the Host header: send a name and a port only",
  },
  too_many_items: {
    when: "The body has more numbers than the operation takes",
    message: "Cannot look up 5001 numbers at once: at most 5000",
  },
  not_found: {
    when:
      "The census has no such carrier or MC number, or there is no such path. Absence from the data does not prove that a number was never issued",
    message: "Cannot find USDOT number 99999999: not in FMCSA's census of Oct 3, 2026",
  },
  job_not_found: {
    when: "There is no such job, or it is older than 1 hour",
    message:
      "Cannot find this job: there is none with this id, or it is older than 1 hour; send its numbers again, with a new Idempotency-Key",
  },
  method_not_allowed: {
    when: "The path has no such method; `Allow` lists those it has",
    message: "Cannot use this method here: the methods are GET, HEAD, OPTIONS",
  },
  payload_too_large: {
    when: "The body is larger than the operation takes",
    message: "Cannot read the body: more than 65536 bytes",
  },
  unsupported_media_type: {
    when: "The body is not sent as application/json in UTF-8, or is compressed",
    message: "Cannot read the body: send it as Content-Type: application/json",
  },
  idempotency_key_reused: {
    when: "The Idempotency-Key was sent before with another body: take a new key",
    message: "Cannot use this Idempotency-Key again: it came with another body before",
  },
  rate_limited: {
    when:
      "Too many requests from one address, or too much stored for it: try again after `Retry-After` seconds",
    message:
      "Cannot take more than 60 requests in 60 s from one address: try again in 42 s, or ask for up to 100 numbers at once",
  },
  internal_error: {
    when: "A defect of the service; report it with the request id",
    message:
      "Something went wrong inside the service; name request 8e03978e-40d5-43e8-bc93-6894a57f9324 when you report it",
  },
  upstream_unavailable: {
    when:
      "The data or the store cannot be read, or the service is busy: try again after `Retry-After` seconds",
    message: "The carrier data cannot be read at the moment; try again later",
  },
};

/** Codes that any request may get. */
export const COMMON_ERRORS: readonly ErrorCode[] = ["rate_limited", "internal_error"];

/** The body of an error, as an example. */
export function errorExample(code: ErrorCode): ErrorBody {
  return { error: { code, message: ERRORS[code].message } };
}

/** Responses of errors by status. */
export function errorResponses(
  codes: readonly ErrorCode[],
): Record<`${number}`, ZodOpenApiResponseObject> {
  return Object.fromEntries(
    [...Map.groupBy(codes, (code) => ERROR_STATUS[code])].map(([status, sharing]) => [
      status,
      sharing.length === 1 ? SHARED_RESPONSES[sharing[0]!] : errorResponse(sharing),
    ]),
  );
}

/** Responses of one code, which are components of the document. */
const SHARED_RESPONSES = Object.fromEntries(
  (Object.keys(ERRORS) as ErrorCode[]).map((
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
          codes.map((code) => [code, { summary: ERRORS[code].when, value: errorExample(code) }]),
        ),
      },
    },
  };
}
