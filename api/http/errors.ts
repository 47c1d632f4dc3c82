/**
 * Errors as HTTP answers: one body shape on every path, never cached, nothing of the inside told.
 *
 * @module
 */

import { faultDetail, ServiceError } from "../operations/errors.ts";
import { commonHeaders, type HeaderList } from "./headers.ts";

/** What the log is told of an answer that is the service's own fault. */
export type ErrorLog = (line: string) => void;

/** Facts of the answer beside the error itself. */
export interface ErrorContext {
  requestId: string;
  log: ErrorLog;
  /** More headers, e.g. `Allow`. */
  headers?: HeaderList;
}

/** The error a caller is told of, for anything thrown; the service's own faults go to the log. */
export function toServiceError(
  thrown: unknown,
  { requestId, log }: Pick<ErrorContext, "requestId" | "log">,
): ServiceError {
  const error = thrown instanceof ServiceError ? thrown : new ServiceError(
    "internal_error",
    `Something went wrong inside the service; name request ${requestId} when you report it`,
    { cause: thrown },
  );
  if (error.status >= 500) log(`${requestId} ${error.code}: ${faultDetail(error)}`);
  return error;
}

/** Answers with an error; anything but a {@link ServiceError} becomes `internal_error`. */
export function errorResponse(thrown: unknown, context: ErrorContext): Response {
  const { requestId, log, headers = [] } = context;
  const error = toServiceError(thrown, { requestId, log });
  const body = new TextEncoder().encode(JSON.stringify(error.body()));
  const list = commonHeaders(requestId);
  list.push(
    // Told, because an answer to HEAD has the length but not the body.
    ["Content-Length", String(body.length)],
    ["Content-Type", "application/json; charset=utf-8"],
    ["Cache-Control", "no-store"],
    ...headers,
  );
  if (error.retryAfter !== undefined) list.push(["Retry-After", String(error.retryAfter)]);
  if (error.snapshotId !== undefined) list.push(["Snapshot-Id", error.snapshotId]);
  return new Response(body, { status: error.status, headers: list });
}
