/**
 * What a client is told of its limit.
 *
 * @module
 */

import type { Policy, Wait } from "./rate_record.ts";

/** What became of a request. */
export interface Decision {
  accepted: boolean;
  /** Requests left, as far as this process knows. */
  remaining: number;
  /** Whole seconds until the quota is whole again. */
  reset: number;
  /** Whole seconds until a request can be accepted; only when refused. */
  retryAfter?: number;
  /** Whether the store failed, so that only this process's own knowledge counted. */
  degraded: boolean;
}

/** Facts a decision is made up from. */
export interface Standing {
  remaining: number;
  degraded: boolean;
}

/** The decision for a request that is counted now: its use is the last to leave the window. */
export function accepted({ remaining, degraded }: Standing, { windowMs }: Policy): Decision {
  return { accepted: true, remaining, reset: Math.ceil(windowMs / 1000), degraded };
}

/** The decision for a client that has to wait. */
export function refused({ degraded }: Standing, wait: Wait & { now: number }): Decision {
  const { freeAt, wholeAt, now } = wait;
  const retryAfter = Math.max(1, seconds(freeAt - now));
  const reset = Math.max(retryAfter, seconds(wholeAt - now));
  return { accepted: false, remaining: 0, reset, retryAfter, degraded };
}

/** What would become of a request. */
export function foreseen(
  { remaining, degraded }: Standing,
  wait: Wait & { now: number },
): Decision {
  if (remaining === 0) return refused({ remaining, degraded }, wait);
  return { accepted: true, remaining, reset: seconds(wait.wholeAt - wait.now), degraded };
}

function seconds(milliseconds: number): number {
  return Math.ceil(Math.max(0, milliseconds) / 1000);
}
