/**
 * The rate limit as HTTP tells it: the four fields of draft-ietf-httpapi-ratelimit-headers-06.
 *
 * @module
 */

import { ServiceError } from "../operations/errors.ts";
import type { Decision } from "../state/rate_limit.ts";

/** A quota: so many requests in so many milliseconds. */
export interface Quota {
  readonly limit: number;
  readonly windowMs: number;
}

/** How an answer carries the fields. */
export interface RateHeaderOptions {
  quota: Quota;
  /** Whether a shared cache stands in front, which may keep what is public. */
  sharedCache: boolean;
}

/**
 * Sets the four fields on an answer; `RateLimit-Reset` is in seconds from now. A shared cache would
 * give the counters of one caller to all: what it may keep carries none of them, and without such a
 * cache in front nothing is for one to keep.
 */
export function setRateLimit(
  headers: Headers,
  decision: Decision,
  { quota, sharedCache }: RateHeaderOptions,
): void {
  headers.set("RateLimit-Limit", String(quota.limit));
  headers.set("RateLimit-Policy", `${quota.limit};w=${quota.windowMs / 1000}`);
  const caching = headers.get("Cache-Control");
  if (caching?.startsWith("public")) {
    if (sharedCache) return;
    headers.set("Cache-Control", caching.replace("public", "private"));
    headers.delete("CDN-Cache-Control");
  }
  headers.set("RateLimit-Remaining", String(decision.remaining));
  headers.set("RateLimit-Reset", String(decision.reset));
}

/** The error of a request over the quota. */
export function overQuota(decision: Decision, { limit, windowMs }: Quota): ServiceError {
  const retryAfter = decision.retryAfter ?? 1;
  return new ServiceError(
    "rate_limited",
    `Cannot take more than ${limit} requests in ${windowMs / 1000} s from one address: ` +
      `try again in ${retryAfter} s, or ask for up to 100 numbers at once`,
    { retryAfter },
  );
}
