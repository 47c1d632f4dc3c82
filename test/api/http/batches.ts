/**
 * Requests for batches and jobs.
 *
 * @module
 */

import { type Answer, call, type TestService } from "./service.ts";

/** Known, with leading zeros, no number, unknown, and again. */
export const DOTS = ["295017", "00146793", "0", "77", "295017"];

/** Path of batches. */
export const BATCH = "/api/v1/carriers/batch";

/** Path of jobs. */
export const JOBS = "/api/v1/jobs";

/** Sends a list. */
export function post(
  { app }: Pick<TestService, "app">,
  path: string,
  { key, peer, body = { dots: DOTS }, type = "application/json" }: {
    key?: string;
    peer?: string;
    body?: unknown;
    type?: string;
  } = {},
): Promise<Answer> {
  return call(app, path, {
    method: "POST",
    headers: { "content-type": type, ...key === undefined ? {} : { "idempotency-key": key } },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...peer === undefined ? {} : { peer },
  });
}
