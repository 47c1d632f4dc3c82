/**
 * A request on its way through the service: its client, its log entry, and how errors are answered.
 *
 * @module
 */

import { faultDetail, ServiceError } from "../operations/errors.ts";
import { forCaller } from "../operations/operation.ts";
import type { NewYorkNow } from "../rules/new_york.ts";
import { KvUnavailable } from "../state/kv.ts";
import { type Decision, WINDOW_MS } from "../state/rate_limit.ts";
import { cachingFor, commonHeaders, type HeaderList } from "./headers.ts";

interface Trace {
  /** Path pattern, e.g. `/api/v1/carriers/{dot}`, so that the log doesn't show what was looked up. */
  route?: string | undefined;
  snapshotId?: string;
  /** Whether the answer came from the cache; absent for answers that are not cached. */
  cached?: boolean;
  found?: number;
  /** Omits `Server-Timing`, because the time could reveal, for example, whether an email address is known. */
  untimed?: true;
}

export interface Answered extends Trace {
  /** Milliseconds since the epoch. */
  at: number;
  requestId: string;
  method: string;
  status: number;
  /** Milliseconds until the answer began, to one decimal. */
  ms: number;
  /** Bytes of the body, where they are known before it is sent. */
  bytes?: number | undefined;
  /** The address for which the request was counted; no log may contain it. */
  client: string;
}

export type RequestLog = (answered: Answered) => void;

/** A request, with what is needed to answer and log it. */
export interface Exchange {
  request: Request;
  requestId: string;
  /** The address for which requests are counted. */
  client: string;
  trace: Trace;
  /** The day in New York when the request arrived. */
  day: NewYorkNow;
  params: Readonly<Record<string, string>>;
  /** When the request arrived, by `performance.now()`. */
  begun: number;
  decision: Decision;
  /** How many requests of a client are accepted in a window. */
  limit: number;
  /** Whether a shared cache may keep public answers. If so, they have no per-client rate-limit headers. */
  sharedCache: boolean;
}

/** A path and its handler. */
export interface Mount {
  /** With `{name}` for each parameter. */
  path: string;
  /** Methods that it answers; GET includes HEAD. If absent, all methods, including OPTIONS. */
  methods?: readonly string[];
  /** Its requests are neither rate-limited nor logged. */
  isProbe?: boolean;
  /** A page for people: counted apart from the API, with its own headers and errors. */
  isPage?: boolean;
  /** Its answers already have the common headers and those of {@link setExchangeHeaders}. */
  isWhole?: boolean;
  /** How many requests one request counts as. @default {1} */
  cost?: number;
  /** Its bodies may be larger than those of the API. */
  hasLargeBody?: boolean;
  /** The body of a refused request, where the protocol has its own error format. */
  errorBody?(error: ServiceError): unknown;
  /** @throws {ServiceError} */
  fetch(request: Request, exchange: Exchange): Promise<Response> | Response;
}

export interface Pages {
  routes: readonly Mount[];
  /** A page that says what went wrong. */
  refuse(error: ServiceError, exchange: Exchange): Response;
}

/** Milliseconds since `begun`, a time of `performance.now()`, to one decimal. */
export function millisecondsSince(begun: number): number {
  return Math.round((performance.now() - begun) * 10) / 10;
}

/**
 * The headers that describe a request: its id, the time it took, and the four fields of
 * draft-ietf-httpapi-ratelimit-headers-06, with `RateLimit-Reset` in seconds from now. Answers that a shared
 * cache may keep omit the counters, because the cache would send one client's counters to everybody.
 */
export function exchangeHeaders(
  { requestId, limit, sharedCache, decision, trace, begun }: Exchange,
  { isPublic }: { isPublic: boolean },
): HeaderList {
  const headers: HeaderList = [
    ["X-Request-Id", requestId],
    ["RateLimit-Limit", String(limit)],
    ["RateLimit-Policy", `${limit};w=${WINDOW_MS / 1000}`],
  ];
  if (!isPublic || !sharedCache) {
    headers.push(["RateLimit-Remaining", String(decision.remaining)]);
    headers.push(["RateLimit-Reset", String(decision.reset)]);
  }
  if (!trace.untimed) {
    const found = trace.found === undefined ? "" : `find;dur=${trace.found}, `;
    headers.push(["Server-Timing", `${found}total;dur=${millisecondsSince(begun)}`]);
  }
  return headers;
}

/**
 * Adds {@link exchangeHeaders} to an answer's headers. Without a shared cache in front, no answer is marked
 * as public.
 *
 * Call this before the headers become a Response, which copies them: Deno copies all of them again when they
 * are changed afterwards.
 */
export function setExchangeHeaders(headers: Headers, exchange: Exchange): void {
  const caching = headers.get("Cache-Control") ?? "";
  const isPublic = caching.startsWith("public");
  if (isPublic && !exchange.sharedCache) {
    headers.delete("CDN-Cache-Control");
    for (const [name, value] of cachingFor(false, [["Cache-Control", caching]])) {
      headers.set(name, value);
    }
  }
  for (const [name, value] of exchangeHeaders(exchange, { isPublic })) headers.set(name, value);
}

export function overQuota(
  { decision: { retryAfter = 1 }, limit }: Exchange,
): ServiceError {
  return new ServiceError(
    "rate_limited",
    `Cannot take more than ${limit} requests in ${WINDOW_MS / 1000} s from one address: ` +
      `try again in ${retryAfter} s, or ask for up to 100 numbers at once`,
    { retryAfter },
  );
}

/** Seconds to wait before a retry when the store cannot be used. */
const STORE_RETRY_AFTER = 10;

/** The error to answer with for anything thrown; the service's own faults go to the log. */
export function toServiceError(
  thrown: unknown,
  { requestId, log }: { requestId: string; log: (line: string) => void },
): ServiceError {
  const known = forCaller(thrown);
  const error = known instanceof ServiceError
    ? known
    : known instanceof KvUnavailable
    ? new ServiceError(
      "upstream_unavailable",
      "Batches and jobs cannot be served at the moment; try again later, or look carriers up one by one",
      { retryAfter: STORE_RETRY_AFTER, cause: known },
    )
    : new ServiceError(
      "internal_error",
      `Something went wrong inside the service; name request ${requestId} when you report it`,
      { cause: thrown },
    );
  if (error.status >= 500) log(`${requestId} ${error.code}: ${faultDetail(error)}`);
  return error;
}

interface ErrorContext {
  requestId: string;
  /** Absent if the caller adds the headers of the exchange later. */
  exchange?: Exchange;
  headers?: HeaderList;
  errorBody?: Mount["errorBody"] | undefined;
}

export function errorResponse(
  error: ServiceError,
  { requestId, exchange, headers: more = [], errorBody }: ErrorContext,
): Response {
  const body = new TextEncoder().encode(JSON.stringify(errorBody?.(error) ?? error.body()));
  const headers = new Headers([
    ...commonHeaders(requestId),
    // The answer to HEAD has the length but not the body.
    ["Content-Length", String(body.length)],
    ["Content-Type", "application/json; charset=utf-8"],
    ["Cache-Control", "no-store"],
    ...more,
  ]);
  if (error.retryAfter !== undefined) headers.set("Retry-After", String(error.retryAfter));
  if (error.snapshotId !== undefined) headers.set("Snapshot-Id", error.snapshotId);
  if (exchange !== undefined) setExchangeHeaders(headers, exchange);
  return new Response(body, { status: error.status, headers });
}
