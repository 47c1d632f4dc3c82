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
import { addBatchRoutes, type BatchOptions } from "./batches.ts";
import { clientBehind, type ConnectionInfo, hasValidHost, invalidHost } from "./client.ts";
import {
  errorResponse,
  type Exchange,
  type Handler,
  millisecondsSince,
  type Mount,
  overQuota,
  type PageHandler,
  type RequestLog,
  setExchangeHeaders,
  toServiceError,
  type Weight,
} from "./exchange.ts";
import { commonHeaders, type HeaderList, preflightHeaders, requestIdOf } from "./headers.ts";
import { LARGE_BODIES, SMALL_BODIES } from "./input.ts";
import { addLookupRoutes } from "./lookups.ts";
import type { Probes } from "./probes.ts";
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
  mounts?: readonly Mount[];
  /** Pages for people, and what limits who asks for them. */
  pages?: { handler: PageHandler; limiter: RateLimiter } | undefined;
  /** Address of the service, without a final slash. */
  baseUrl: string;
  /** Called with answers that are the service's own fault. */
  log: (line: string) => void;
  /** Called with every request, refused ones too. */
  requests?: RequestLog | undefined;
  probes: Probes;
}

/** A handler of requests that always answers and never throws. */
export interface App {
  fetch(request: Request, info?: ConnectionInfo): Response | Promise<Response>;
}

export function createApp(options: AppOptions): App {
  const { operations, reader, clock, baseUrl, log, limiter, proxyHops, sharedCache } = options;
  const { pages, probes, requests, mounts = [] } = options;
  const smallBodies = new Slots(SMALL_BODIES, after);
  const largeBodies = new Slots(LARGE_BODIES, after);
  const router = new Router<Handler>();
  const day = new NewYorkDay();
  addBatchRoutes(router, {
    ...options.batches,
    reader,
    context: () => ({ today: day.at(clock.now()).today, baseUrl }),
    log,
  });
  addLookupRoutes(router, { ...options, operations: [...operations, ...SERVICE_OPERATIONS] });
  for (const mount of mounts) {
    router.add(mount.path, mount.methods, (exchange) => mounted(mount, exchange));
  }

  async function mounted(mount: Mount, exchange: Exchange): Promise<Response> {
    const { request, requestId, trace } = exchange;
    trace.route = mount.path;
    try {
      const response = await mount.fetch(request, exchange);
      const { headers } = response;
      for (const [name, value] of commonHeaders(requestId)) {
        if (!headers.has(name)) headers.set(name, value);
      }
      return complete(response, exchange);
    } catch (error) {
      return errorResponse(error, { requestId, log, exchange });
    }
  }

  /** Adds to the answer of a mount or page what it cannot know. */
  function complete(response: Response, exchange: Exchange): Response {
    const { headers } = response;
    setExchangeHeaders(headers, exchange);
    const length = headers.get("content-length");
    if (length !== null) exchange.trace.bytes = Number(length);
    return exchange.request.method === "HEAD" ? withoutBody(response) : response;
  }

  function refuse(
    error: ServiceError,
    exchange: Exchange,
    { asPage, headers = [] }: { asPage: boolean; headers?: HeaderList },
  ): Response {
    const { request, requestId } = exchange;
    const errorBody = mounts.find(({ path }) => path === getPath(request))?.errorBody;
    return asPage && pages !== undefined
      ? complete(pages.handler.refuse(error, request, requestId), exchange)
      : errorResponse(error, { requestId, log, exchange, headers, errorBody });
  }

  /** Answers a path or method that has no handler. */
  function unrouted(exchange: Exchange, allow: string | undefined): Response {
    const { request, requestId } = exchange;
    if (allow === undefined) {
      // A wrong link: answer a page with a search box.
      const asPage = /\btext\/html\b/.test(request.headers.get("accept") ?? "");
      const message = asPage && pages !== undefined
        ? "There is no page at this address"
        : `Cannot find this path: the paths are in ${baseUrl}/agents.md`;
      return refuse(new ServiceError("not_found", message), exchange, { asPage });
    }
    if (request.method === "OPTIONS") {
      const headers = new Headers([...commonHeaders(requestId), ...preflightHeaders(allow)]);
      headers.set("Allow", allow);
      setExchangeHeaders(headers, exchange);
      return new Response(null, { status: 204, headers });
    }
    const message = `Cannot use this method here: the methods are ${allow}`;
    const error = new ServiceError("method_not_allowed", message);
    return refuse(error, exchange, { asPage: false, headers: [["Allow", allow]] });
  }

  /** Answers a request that was counted. */
  function handle(exchange: Exchange, target: Target): Response | Promise<Response> {
    const { request, decision, quota } = exchange;
    const { asPage, match } = target;
    if (!target.hasValidHost) return refuse(invalidHost(), exchange, { asPage });
    // A browser asks before each kind of request whether it may: that is not counted.
    if (!decision.accepted && request.method !== "OPTIONS") {
      if (asPage) exchange.trace.route = "pages";
      else if (match !== null) exchange.trace.route = match.path;
      return refuse(overQuota(decision, quota), exchange, { asPage });
    }
    if (asPage) {
      return pages!.handler.fetch(request, exchange).then((found) => complete(found, exchange));
    }
    const handler = match?.handler;
    return handler ? handler(exchange) : unrouted(exchange, match?.allow);
  }

  /** Answers a request that has a body, once a slot for one is free. */
  async function handleBody(exchange: Exchange, target: Target): Promise<Response> {
    if (!exchange.decision.accepted) return await handle(exchange, target);
    let release: () => void;
    try {
      const slots = target.weight.large ? largeBodies : smallBodies;
      release = await slots.take(exchange.client);
    } catch (error) {
      return refuse(toServiceError(error, { ...exchange, log }), exchange, target);
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
    if (requests === undefined) return response;
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
      agent: request.headers.get("user-agent"),
    });
    return response;
  }

  function targetOf(request: Request): Target {
    // Without a valid Host the URL is not the one that was asked for.
    if (!hasValidHost(request.headers)) return NO_TARGET;
    const match = router.find(getPath(request), request.method);
    const asPage = match === null && pages !== undefined && pages.handler.takes(request);
    const weight = asPage ? pages.handler.weigh(request) : LIGHT;
    return { hasValidHost: true, asPage, weight, match };
  }

  /** Adds headers to the answer to a probe, which is not counted. */
  function completeProbe(response: Response, request: Request, client: string): Response {
    const requestId = requestIdOf(request);
    for (const [name, value] of commonHeaders(requestId)) response.headers.set(name, value);
    const decision = limiter.peek(client);
    setExchangeHeaders(response.headers, {
      ...{ request, requestId, client, decision, params: {}, begun: 0, quota: limiter },
      ...{ degraded: false, sharedCache: false, trace: { untimed: true } },
    });
    return response;
  }

  return {
    fetch(request, info) {
      const begun = performance.now();
      const client = clientBehind(request, info, proxyHops);
      const target = targetOf(request);
      const probed = target.hasValidHost ? probes(request) : null;
      if (probed instanceof Promise) {
        return probed.then((found) => completeProbe(found, request, client));
      }
      if (probed !== null) return completeProbe(probed, request, client);
      const { asPage, weight, match } = target;
      const quota = asPage ? pages!.limiter : limiter;
      const exchangeOf = (decision: Decision): Exchange => ({
        requestId: requestIdOf(request),
        client,
        degraded: decision.degraded,
        trace: {},
        request,
        params: match?.params ?? {},
        begun,
        decision,
        quota,
        // Pages and their assets have no counters.
        sharedCache: asPage || sharedCache,
      });
      const decision = request.method === "OPTIONS"
        ? quota.peek(client)
        : quota.take(client, weight.cost);
      return decision instanceof Promise
        ? decision.then((decision) => begin(exchangeOf(decision), target))
          .catch((error) => errorResponse(error, { requestId: requestIdOf(request), log }))
        : begin(exchangeOf(decision), target);
    },
  };
}

/** What a request is for. */
interface Target {
  hasValidHost: boolean;
  /** Whether pages answer it, errors too. */
  asPage: boolean;
  weight: Weight;
  match: RouteMatch<Handler> | null;
}

const LIGHT: Weight = { cost: 1, large: false };
const NO_TARGET: Target = { hasValidHost: false, asPage: false, weight: LIGHT, match: null };

/** The answer to HEAD. Deno would call the length of no body 0, so one whose length is unknown is a stream. */
function withoutBody(response: Response): Response {
  const { status, headers } = response;
  const isLengthKnown = headers.has("content-length") || !response.ok;
  return new Response(isLengthKnown ? null : ReadableStream.from([]), { status, headers });
}
