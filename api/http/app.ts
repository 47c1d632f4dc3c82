/**
 * The HTTP side of the service: every request counts toward its client's rate limit, then is routed, answered
 * and logged.
 *
 * @module
 */

import { getPath } from "hono/utils/url";
import { after } from "../../pipeline/clock.ts";
import { ServiceError } from "../operations/errors.ts";
import type { SurfaceDeps } from "../operations/operation.ts";
import { NewYorkDay } from "../rules/new_york.ts";
import { Slots } from "../state/slots.ts";
import type { RateLimiter } from "../state/rate_limit.ts";
import { clientBehind, type ConnectionInfo, hasValidHost, invalidHost } from "./client.ts";
import {
  errorResponse,
  type Exchange,
  millisecondsSince,
  type Mount,
  overQuota,
  type Pages,
  type RequestLog,
  setExchangeHeaders,
  toServiceError,
} from "./exchange.ts";
import { commonHeaders, type HeaderList, preflightHeaders, requestIdOf } from "./headers.ts";
import { admitBody, LARGE_BODIES, SMALL_BODIES } from "./body.ts";
import { type RouteMatch, Router } from "./router.ts";

interface AppOptions extends Omit<SurfaceDeps, "reader" | "signal"> {
  limiter: RateLimiter;
  /** Number of proxies in front of the service whose `X-Forwarded-For` is trusted. */
  proxyHops: number;
  sharedCache: boolean;
  mounts: readonly Mount[];
  /** Pages for people, and their rate limiter. */
  pages?: (Pages & { limiter: RateLimiter }) | undefined;
  /** Called with every request, refused ones too. */
  requests?: RequestLog | undefined;
}

/** A handler of requests that always answers and never throws. */
export interface App {
  fetch(request: Request, info?: ConnectionInfo): Promise<Response>;
}

/** The route of a path; null for an unknown path, undefined where an invalid Host hides it. */
type Found = RouteMatch<Mount> | null | undefined;

/** Routes requests, and counts and logs them. */
export class HttpApp implements App {
  readonly #options: AppOptions;
  readonly #router: Router<Mount>;
  readonly #smallBodies = new Slots(SMALL_BODIES, after);
  readonly #largeBodies = new Slots(LARGE_BODIES, after);
  readonly #day = new NewYorkDay();

  constructor(options: AppOptions) {
    this.#options = options;
    this.#router = new Router([...options.mounts, ...options.pages?.routes ?? []]);
  }

  async fetch(request: Request, info?: ConnectionInfo): Promise<Response> {
    const { clock, limiter, pages, proxyHops, sharedCache } = this.#options;
    const begun = performance.now();
    const { method } = request;
    const client = clientBehind(request, info, proxyHops);
    // With an invalid Host, `request.url` is not the URL that was requested.
    const found = hasValidHost(request.headers)
      ? this.#router.find(getPath(request), method)
      : undefined;
    const { isPage = false, isProbe = false, cost } = found?.route ?? {};
    const quota = isPage ? pages!.limiter : limiter;
    const requestId = requestIdOf(request);
    const exchange: Exchange = {
      request,
      requestId,
      client,
      trace: isProbe ? { untimed: true } : { route: found?.route.path },
      day: this.#day.at(clock.now()),
      params: found?.params ?? {},
      begun,
      decision: method === "OPTIONS" || isProbe
        ? quota.peek(client)
        : await quota.take(client, cost),
      limit: quota.limit,
      // Cacheable pages and assets never have per-client rate-limit headers.
      sharedCache: isPage || sharedCache,
    };
    const response = await this.#answer(exchange, found)
      .catch((error) => this.#refuse(error, exchange, found));
    if (!isProbe) {
      this.#options.requests?.({
        ...exchange.trace,
        at: clock.now(),
        requestId,
        method,
        status: response.status,
        ms: millisecondsSince(begun),
        bytes: Number(response.headers.get("content-length")) || undefined,
        client,
      });
    }
    return method === "HEAD" ? withoutBody(response) : response;
  }

  async #answer(exchange: Exchange, found: Found): Promise<Response> {
    const { request, client } = exchange;
    const isOptions = request.method === "OPTIONS";
    if (found === undefined) throw invalidHost();
    // Preflight requests of browsers are not counted.
    if (!exchange.decision.accepted && !isOptions && !found?.route.isProbe) {
      throw overQuota(exchange);
    }
    if (found === null) {
      const message = this.#wantsPage(request)
        ? "There is no page at this address"
        : `Cannot find this path: the paths are in ${this.#options.baseUrl}/agents.md`;
      throw new ServiceError("not_found", message);
    }
    const { route } = found;
    if (!found.isAllowed) {
      if (isOptions && !route.isPage) return preflight(exchange, allowedBy(found));
      const message = `Cannot use this method here: the methods are ${allowedBy(found)}`;
      throw new ServiceError("method_not_allowed", message);
    }
    const hasBody = !isOptions && request.method !== "GET" && request.method !== "HEAD";
    const slots = route.hasLargeBody ? this.#largeBodies : this.#smallBodies;
    const admitted = hasBody ? await admitBody(request, { slots, client }) : undefined;
    if (admitted !== undefined) exchange.request = admitted.request;
    try {
      const response = await route.fetch(exchange.request, exchange);
      return route.isWhole ? response : complete(response, exchange, route);
    } finally {
      admitted?.release();
    }
  }

  /** Answers with an error, in the format of the route. */
  #refuse(thrown: unknown, exchange: Exchange, found: Found): Response {
    const { log, pages } = this.#options;
    const { request, requestId } = exchange;
    const error = toServiceError(thrown, { requestId, log });
    const headers: HeaderList = error.code === "method_not_allowed" && found
      ? [["Allow", allowedBy(found)]]
      : [];
    const isLost = found === null && error.code === "not_found";
    const isPage = isLost ? this.#wantsPage(request) : found?.route.isPage;
    if (!isPage) {
      const errorBody = found?.route.errorBody;
      return errorResponse(error, { requestId, exchange, headers, errorBody });
    }
    const response = pages!.refuse(error, exchange);
    for (const [name, value] of headers) response.headers.set(name, value);
    return complete(response, exchange, { isPage });
  }

  /** Whether a request for an unknown path came from a wrong link, and gets a page with a search box. */
  #wantsPage({ headers }: Request): boolean {
    return this.#options.pages !== undefined && /\btext\/html\b/.test(headers.get("accept") ?? "");
  }
}

function allowedBy({ route, methods }: RouteMatch<Mount>): string {
  return [...methods, ...route.isPage ? [] : ["OPTIONS"]].join(", ");
}

function preflight(exchange: Exchange, allow: string): Response {
  const headers = new Headers([
    ...commonHeaders(exchange.requestId),
    ...preflightHeaders(allow),
    ["Allow", allow],
  ]);
  setExchangeHeaders(headers, exchange);
  return new Response(null, { status: 204, headers });
}

/** Adds the common headers, and those that depend on the request. */
function complete(response: Response, exchange: Exchange, { isPage }: Partial<Mount>): Response {
  const { headers } = response;
  for (const [name, value] of isPage ? [] : commonHeaders(exchange.requestId)) {
    if (!headers.has(name)) headers.set(name, value);
  }
  setExchangeHeaders(headers, exchange);
  return response;
}

/**
 * The answer to HEAD. If the length of the body is unknown, the body is an empty stream, because Deno sends a
 * length of 0 for a null body.
 */
function withoutBody(response: Response): Response {
  const { status, headers } = response;
  const isLengthKnown = headers.has("content-length") || !response.ok;
  return new Response(isLengthKnown ? null : ReadableStream.from([]), { status, headers });
}
