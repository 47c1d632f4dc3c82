/**
 * Who is let in: requests are counted by client before anything else is done for them.
 *
 * @module
 */

import { type Clock, stopwatch } from "../../pipeline/clock.ts";
import type { ServiceError } from "../operations/errors.ts";
import type { Decision, RateLimiter } from "../state/rate_limit.ts";
import { clientOf } from "./client.ts";
import { errorResponse } from "./errors.ts";
import { requestIdOf } from "./headers.ts";
import { overQuota, setRateLimit } from "./rate_headers.ts";
import type { Admitted } from "./route.ts";
import { type RequestLog, serverTiming, type Trace } from "./trace.ts";

/** Where a request came from, as `Deno.serve` tells it. */
export interface ConnectionInfo {
  remoteAddr: Deno.Addr;
}

/** What stands behind a limit. */
export interface Door {
  limiter: RateLimiter;
  fetch(request: Request, admitted: Admitted): Response | Promise<Response>;
  refuse(error: ServiceError, request: Request, requestId: string): Response;
}

/** Lets a request through a door or refuses it; never throws. */
export type Admission = (
  door: Door,
  request: Request,
  info?: ConnectionInfo,
) => Response | Promise<Response>;

/** What an {@link Admission} is made from. */
export interface AdmissionOptions {
  clock: Clock;
  /** Proxies in front of the service whose `X-Forwarded-For` is believed. */
  proxyHops: number;
  log: (line: string) => void;
  requests?: RequestLog | undefined;
}

/** Makes an {@link Admission}, which also times answers and tells of them. */
export function admissionOf({ clock, proxyHops, log, requests }: AdmissionOptions): Admission {
  interface Arrived {
    client: string;
    decision: Decision;
    elapsed: () => number;
  }

  function answer(
    door: Door,
    request: Request,
    { client, decision, elapsed }: Arrived,
  ): Response | Promise<Response> {
    const { limiter } = door;
    const requestId = requestIdOf(request);
    const { degraded } = decision;
    const trace: Trace = {};
    // A browser asks before each kind of request whether it may: that costs no permit and is never refused.
    const response = decision.accepted || request.method === "OPTIONS"
      ? door.fetch(request, { requestId, client, degraded, trace })
      : door.refuse(overQuota(decision, limiter), request, requestId);
    return response instanceof Promise ? response.then(tell) : tell(response);

    function tell(response: Response): Response {
      const { status, headers } = response;
      setRateLimit(headers, decision, limiter);
      const ms = elapsed();
      headers.set("Server-Timing", serverTiming(trace, ms));
      if (requests !== undefined) {
        const { method } = request;
        const agent = request.headers.get("user-agent");
        const length = headers.get("content-length");
        requests({
          ...trace,
          at: clock.now(),
          requestId,
          method,
          status,
          ms,
          client,
          agent,
          ...(length === null ? {} : { bytes: Number(length) }),
        });
      }
      return response;
    }
  }

  return (door, request, info) => {
    const elapsed = stopwatch();
    const client = clientOf({
      forwardedFor: request.headers.get("x-forwarded-for"),
      peer: info?.remoteAddr.transport === "tcp" ? info.remoteAddr.hostname : undefined,
      hops: proxyHops,
    });
    const { limiter } = door;
    const decision = request.method === "OPTIONS" ? limiter.peek(client) : limiter.take(client);
    return decision instanceof Promise
      ? decision.then((decision) => answer(door, request, { client, decision, elapsed }))
        .catch((error) => errorResponse(error, { requestId: requestIdOf(request), log }))
      : answer(door, request, { client, decision, elapsed });
  };
}
