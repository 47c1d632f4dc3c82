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

/** Sets the four fields on an answer; `RateLimit-Reset` is in seconds from now. */
export function setRateLimit(headers: Headers, decision: Decision, quota: Quota): void {
  headers.set("RateLimit-Limit", String(quota.limit));
  headers.set("RateLimit-Remaining", String(decision.remaining));
  headers.set("RateLimit-Reset", String(decision.reset));
  headers.set("RateLimit-Policy", `${quota.limit};w=${quota.windowMs / 1000}`);
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
