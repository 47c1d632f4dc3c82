/**
 * Who is let in: requests are counted by client before anything else is done for them.
 *
 * @module
 */

import { after, type Clock, stopwatch } from "../../pipeline/clock.ts";
import type { ServiceError } from "../operations/errors.ts";
import type { Decision, RateLimiter } from "../state/rate_limit.ts";
import { Slots } from "../state/slots.ts";
import { LARGE_BODIES, SMALL_BODIES } from "./body.ts";
import { clientOf } from "./client.ts";
import { errorResponse, toServiceError } from "./errors.ts";
import { requestIdOf } from "./headers.ts";
import { overQuota, setRateLimit } from "./rate_headers.ts";
import type { Admitted, Weight } from "./route.ts";
import { type RequestLog, serverTiming, type Trace } from "./trace.ts";

/** Where a request came from, as `Deno.serve` tells it. */
export interface ConnectionInfo {
  remoteAddr: Deno.Addr;
}

/** What stands behind a limit. */
export interface Door {
  limiter: RateLimiter;
  /** Whether shared caches may keep its public answers, which then have no counters of a caller. */
  sharedCache: boolean;
  /** @default {cost: 1, large: false} */
  weigh?(request: Request): Weight;
  fetch(request: Request, admitted: Admitted): Response | Promise<Response>;
  refuse(error: ServiceError, request: Request, requestId: string): Response;
  /** The pattern of the path of a request, for the log of one that is refused. */
  routeOf(request: Request): string | undefined;
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

const LIGHT: Weight = { cost: 1, large: false };

/** Makes an {@link Admission}, which also times answers and tells of them. */
export function admissionOf({ clock, proxyHops, log, requests }: AdmissionOptions): Admission {
  const small = new Slots(SMALL_BODIES, after);
  const large = new Slots(LARGE_BODIES, after);

  /** Answers a request that has a body, when there is room for one. */
  async function withBody(
    { requestId, client, large: isLarge, fetch, refuse }: {
      requestId: string;
      client: string;
      large: boolean;
      fetch: () => Response | Promise<Response>;
      refuse: (error: ServiceError) => Response;
    },
  ): Promise<Response> {
    let release: () => void;
    try {
      release = await (isLarge ? large : small).take(client);
    } catch (error) {
      return refuse(toServiceError(error, { requestId, log }));
    }
    try {
      return await fetch();
    } finally {
      release();
    }
  }

  interface Arrived {
    client: string;
    large: boolean;
    decision: Decision;
    elapsed: () => number;
  }

  function answer(
    door: Door,
    request: Request,
    { client, large: isLarge, decision, elapsed }: Arrived,
  ): Response | Promise<Response> {
    const { limiter } = door;
    const requestId = requestIdOf(request);
    const { degraded } = decision;
    const trace: Trace = {};
    const { method } = request;
    const fetch = (): Response | Promise<Response> =>
      door.fetch(request, { requestId, client, degraded, trace });
    const refuse = (error: ServiceError): Response => {
      const route = door.routeOf(request);
      if (route !== undefined) trace.route = route;
      return door.refuse(error, request, requestId);
    };
    // A browser asks before each kind of request whether it may: that counts for nothing.
    const response = !decision.accepted && method !== "OPTIONS"
      ? refuse(overQuota(decision, limiter))
      : method === "GET" || method === "HEAD" || method === "OPTIONS"
      ? fetch()
      : withBody({ requestId, client, large: isLarge, fetch, refuse });
    return response instanceof Promise ? response.then(tell) : tell(response);

    function tell(answer: Response): Response {
      const response = method === "HEAD" ? ofUnknownLength(answer) : answer;
      const { status, headers } = response;
      setRateLimit(headers, decision, { quota: limiter, sharedCache: door.sharedCache });
      const ms = elapsed();
      if (!trace.untimed) headers.set("Server-Timing", serverTiming(trace, ms));
      if (requests !== undefined) {
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
    const client = clientBehind(request, info, proxyHops);
    const { limiter } = door;
    const { cost, large } = door.weigh?.(request) ?? LIGHT;
    const decision = request.method === "OPTIONS"
      ? limiter.peek(client)
      : limiter.take(client, cost);
    return decision instanceof Promise
      ? decision.then((decision) => answer(door, request, { client, large, decision, elapsed }))
        .catch((error) => errorResponse(error, { requestId: requestIdOf(request), log }))
      : answer(door, request, { client, large, decision, elapsed });
  };
}

/** Whom a request is counted by. */
export function clientBehind(
  request: Request,
  info: ConnectionInfo | undefined,
  hops: number,
): string {
  return clientOf({
    forwardedFor: request.headers.get("x-forwarded-for"),
    peer: info?.remoteAddr.transport === "tcp" ? info.remoteAddr.hostname : undefined,
    hops,
  });
}

/** An answer to HEAD without a length: Deno would call that of no body 0. */
function ofUnknownLength(response: Response): Response {
  if (response.body !== null || response.headers.has("content-length") || !response.ok) {
    return response;
  }
  const { status, headers } = response;
  return new Response(ReadableStream.from([]), { status, headers });
}
