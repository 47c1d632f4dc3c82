/**
 * The HTTP side of the service: every request is counted by its client, then routed, answered and
 * logged.
 *
 * @module
 */

import { getPath } from "hono/utils/url";
import { after, type Clock } from "../../pipeline/clock.ts";
import type { SnapshotReader } from "../../pipeline/snapshot/reader.ts";
import { ServiceError } from "../operations/errors.ts";
import type { Operation } from "../operations/operation.ts";
import { SERVICE_OPERATIONS } from "../operations/table.ts";
import { NewYorkDay } from "../rules/calendar.ts";
import type { Decision, RateLimiter } from "../state/rate_limit.ts";
import { type Foreground, Slots } from "../state/limits.ts";
import { type BatchOptions, batchRoutes } from "./batches.ts";
import { clientBehind, type ConnectionInfo, hasValidHost, invalidHost } from "./client.ts";
import {
  errorResponse,
  type Exchange,
  millisecondsSince,
  type Mount,
  overQuota,
  type Pages,
  type RequestLog,
  type Route,
  setExchangeHeaders,
  toServiceError,
} from "./exchange.ts";
import { commonHeaders, type HeaderList, preflightHeaders, requestIdOf } from "./headers.ts";
import { LARGE_BODIES, SMALL_BODIES } from "./input.ts";
import { lookupRoutes } from "./lookups.ts";
import { type RouteMatch, Router } from "./router.ts";

interface AppOptions {
  operations: readonly Operation[];
  reader: SnapshotReader;
  clock: Clock;
  limiter: RateLimiter;
  /** Proxies in front of the service whose `X-Forwarded-For` is believed. */
  proxyHops: number;
  /** Whether a shared cache is in front of the API. */
  sharedCache: boolean;
  batches: BatchOptions;
  foreground: Foreground;
  mounts: readonly Mount[];
  /** Pages for people, and what limits who asks for them. */
  pages?: (Pages & { limiter: RateLimiter }) | undefined;
  /** Address of the service, without a final slash. */
  baseUrl: string;
  /** Called with answers that are the service's own fault. */
  log: (line: string) => void;
  /** Called with every request, refused ones too. */
  requests?: RequestLog | undefined;
}

/** A handler of requests that always answers and never throws. */
export interface App {
  fetch(request: Request, info?: ConnectionInfo): Response | Promise<Response>;
}

/** What is known of a request's target; without a route its path is unknown or its Host invalid. */
interface Target extends Partial<RouteMatch<Route>> {
  hasValidHost: boolean;
}

export function createApp(options: AppOptions): App {
  const { operations, clock, baseUrl, log, limiter, proxyHops, pages, requests } = options;
  const smallBodies = new Slots(SMALL_BODIES, after);
  const largeBodies = new Slots(LARGE_BODIES, after);
  const day = new NewYorkDay();
  const router = new Router<Route>([
    ...lookupRoutes({ ...options, operations: [...operations, ...SERVICE_OPERATIONS] }),
    ...batchRoutes({ ...options, ...options.batches }),
    ...[...options.mounts, ...pages?.routes ?? []].map((mount): Route => ({
      ...mount,
      answer: (exchange) => mounted(mount, exchange),
    })),
  ]);

  async function mounted(mount: Mount, exchange: Exchange): Promise<Response> {
    const { request, requestId, trace } = exchange;
    trace.route = mount.path;
    try {
      const response = await mount.fetch(request, exchange);
      if (!mount.isPage) {
        for (const [name, value] of commonHeaders(requestId)) {
          if (!response.headers.has(name)) response.headers.set(name, value);
        }
      }
      return complete(response, exchange);
    } catch (error) {
      return refuse(toServiceError(error, { requestId, log }), exchange, mount);
    }
  }

  /** Adds to the answer of a mount what it cannot know. */
  function complete(response: Response, exchange: Exchange): Response {
    const { headers } = response;
    setExchangeHeaders(headers, exchange);
    const length = headers.get("content-length");
    if (length !== null) exchange.trace.bytes = Number(length);
    return exchange.request.method === "HEAD" ? withoutBody(response) : response;
  }

  /** Answers with an error, as the route words it. */
  function refuse(
    error: ServiceError,
    exchange: Exchange,
    { isPage = false, errorBody }: Pick<Route, "isPage" | "errorBody"> = {},
    headers: HeaderList = [],
  ): Response {
    if (!isPage || pages === undefined) {
      const { requestId } = exchange;
      return errorResponse(error, { requestId, log, exchange, headers, errorBody });
    }
    const response = pages.refuse(error, exchange);
    for (const [name, value] of headers) response.headers.set(name, value);
    return complete(response, exchange);
  }

  /** Answers a path that has no route. */
  function unknownPath(exchange: Exchange): Response {
    // A wrong link: answer a page with a search box.
    const wantsPage = /\btext\/html\b/.test(exchange.request.headers.get("accept") ?? "");
    const isPage = wantsPage && pages !== undefined;
    const message = isPage
      ? "There is no page at this address"
      : `Cannot find this path: the paths are in ${baseUrl}/agents.md`;
    return refuse(new ServiceError("not_found", message), exchange, isPage ? { isPage } : {});
  }

  /** Answers a method that a path does not have. */
  function otherMethod(exchange: Exchange, { route, methods }: RouteMatch<Route>): Response {
    const { request, requestId } = exchange;
    const allow = [...methods, ...route.isPage ? [] : ["OPTIONS"]].join(", ");
    if (request.method === "OPTIONS" && !route.isPage) {
      const headers = new Headers([...commonHeaders(requestId), ...preflightHeaders(allow)]);
      headers.set("Allow", allow);
      setExchangeHeaders(headers, exchange);
      return new Response(null, { status: 204, headers });
    }
    const message = `Cannot use this method here: the methods are ${allow}`;
    const error = new ServiceError("method_not_allowed", message);
    return refuse(error, exchange, route, [["Allow", allow]]);
  }

  /** Answers a request that was counted. */
  function handle(exchange: Exchange, target: Target): Response | Promise<Response> {
    const { request, decision, quota, trace } = exchange;
    const { route } = target;
    if (!target.hasValidHost) return refuse(invalidHost(), exchange);
    // A browser asks before each kind of request whether it may: that is not counted.
    if (!decision.accepted && request.method !== "OPTIONS" && !route?.isProbe) {
      if (route !== undefined) trace.route = route.path;
      return refuse(overQuota(decision, quota), exchange, route);
    }
    if (route === undefined) return unknownPath(exchange);
    return target.isAllowed
      ? route.answer(exchange)
      : otherMethod(exchange, target as RouteMatch<Route>);
  }

  /** Answers a request that has a body, once a slot for one is free. */
  async function handleBody(exchange: Exchange, target: Target): Promise<Response> {
    const { requestId, client, decision } = exchange;
    if (!decision.accepted) return await handle(exchange, target);
    let release: () => void;
    try {
      release = await (target.route?.hasLargeBody ? largeBodies : smallBodies).take(client);
    } catch (error) {
      return refuse(toServiceError(error, { requestId, log }), exchange, target.route);
    }
    try {
      return await handle(exchange, target);
    } finally {
      release();
    }
  }

  function begin(exchange: Exchange, target: Target): Response | Promise<Response> {
    const { method } = exchange.request;
    const response = method === "GET" || method === "HEAD" || method === "OPTIONS"
      ? handle(exchange, target)
      : handleBody(exchange, target);
    if (requests === undefined || target.route?.isProbe) return response;
    return response instanceof Promise
      ? response.then((response) => logged(exchange, response))
      : logged(exchange, response);
  }

  function logged(exchange: Exchange, response: Response): Response {
    const { request, requestId, client, trace, begun } = exchange;
    requests!({
      ...trace,
      at: clock.now(),
      requestId,
      method: request.method,
      status: response.status,
      ms: millisecondsSince(begun),
      client,
    });
    return response;
  }

  return {
    fetch(request, info) {
      const begun = performance.now();
      const { method } = request;
      const client = clientBehind(request, info, proxyHops);
      // Without a valid Host the URL is not the one that was asked for.
      const target: Target = hasValidHost(request.headers)
        ? { hasValidHost: true, ...router.find(getPath(request), method) }
        : { hasValidHost: false };
      const { isPage = false, isProbe, cost = 1 } = target.route ?? {};
      const quota = isPage ? pages!.limiter : limiter;
      const exchangeOf = (decision: Decision): Exchange => ({
        request,
        requestId: requestIdOf(request),
        client,
        degraded: decision.degraded,
        trace: isProbe ? { untimed: true } : {},
        day: day.at(clock.now()),
        params: target.params ?? {},
        begun,
        decision,
        quota,
        // Pages and their assets have no counters.
        sharedCache: isPage || options.sharedCache,
      });
      const decision = method === "OPTIONS" || isProbe
        ? quota.peek(client)
        : quota.take(client, cost);
      return decision instanceof Promise
        ? decision.then((decision) => begin(exchangeOf(decision), target))
          .catch((error) => errorResponse(error, { requestId: requestIdOf(request), log }))
        : begin(exchangeOf(decision), target);
    },
  };
}

/** The answer to HEAD. Deno would call the length of no body 0, so one whose length is unknown is a stream. */
function withoutBody(response: Response): Response {
  const { status, headers } = response;
  const isLengthKnown = headers.has("content-length") || !response.ok;
  return new Response(isLengthKnown ? null : ReadableStream.from([]), { status, headers });
}
