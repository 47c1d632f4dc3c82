/**
 * Who is let in: requests are counted by client before anything else is done for them.
 *
 * @module
 */

import type { ServiceError } from "../operations/errors.ts";
import type { Decision, RateLimiter } from "../state/rate_limit.ts";
import { clientOf } from "./client.ts";
import { errorResponse } from "./errors.ts";
import { requestIdOf } from "./headers.ts";
import { overQuota, setRateLimit } from "./rate_headers.ts";
import type { Admitted } from "./route.ts";

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

/** Makes the {@link Admission} of a service behind so many proxies of its own. */
export function admissionOf(
  { proxyHops, log }: { proxyHops: number; log: (line: string) => void },
): Admission {
  function answer(
    door: Door,
    request: Request,
    { client, decision }: { client: string; decision: Decision },
  ): Response | Promise<Response> {
    const { limiter } = door;
    const requestId = requestIdOf(request);
    const { degraded } = decision;
    // A browser asks before each kind of request whether it may: that costs no permit and is never refused.
    const response = decision.accepted || request.method === "OPTIONS"
      ? door.fetch(request, { requestId, client, degraded })
      : door.refuse(overQuota(decision, limiter), request, requestId);
    return response instanceof Promise ? response.then(tell) : tell(response);

    function tell(response: Response): Response {
      setRateLimit(response.headers, decision, limiter);
      return response;
    }
  }

  return (door, request, info) => {
    const client = clientOf({
      forwardedFor: request.headers.get("x-forwarded-for"),
      peer: info?.remoteAddr.transport === "tcp" ? info.remoteAddr.hostname : undefined,
      hops: proxyHops,
    });
    const { limiter } = door;
    const decision = request.method === "OPTIONS" ? limiter.peek(client) : limiter.take(client);
    return decision instanceof Promise
      ? decision.then((decision) => answer(door, request, { client, decision })).catch((error) =>
        errorResponse(error, { requestId: requestIdOf(request), log })
      )
      : answer(door, request, { client, decision });
  };
}
