/**
 * The HTTP side of the service: routes made from the table of operations.
 *
 * @module
 */

import { type Context, Hono } from "hono";
import { getPath } from "hono/utils/url";
import { type Clock, stopwatch } from "../../pipeline/clock.ts";
import type { SnapshotReader } from "../../pipeline/snapshot/reader.ts";
import { SharedCache } from "../../pipeline/snapshot/shared_cache.ts";
import { apiLinks } from "../operations/about.ts";
import { batchCarriers } from "../operations/batch.ts";
import { ServiceError } from "../operations/errors.ts";
import { type Operation, perform } from "../operations/operation.ts";
import { BATCH_OPERATIONS, SERVICE_OPERATIONS } from "../operations/table.ts";
import type { RateLimiter } from "../state/rate_limit.ts";
import type { Foreground } from "../state/slots.ts";
import { admissionOf, clientBehind, type ConnectionInfo } from "./admission.ts";
import { addBulkRoutes, type BulkOptions } from "./bulk.ts";
import { errorResponse } from "./errors.ts";
import { hasValidHost, invalidHost } from "./host.ts";
import {
  AnswerHeaders,
  commonHeaders,
  EntityTags,
  matchesTag,
  NewYorkDay,
  preflightHeaders,
  requestIdOf,
} from "./headers.ts";
import { readParameters } from "./input.ts";
import type { Probes } from "./probes.ts";
import { setRateLimit } from "./rate_headers.ts";
import { type Admitted, type Mount, type PageRoom, routeOf } from "./route.ts";
import type { RequestLog } from "./trace.ts";

/** What the app is wired from. */
export interface AppOptions {
  operations: readonly Operation[];
  reader: SnapshotReader;
  clock: Clock;
  limiter: RateLimiter;
  /** Proxies in front of the service whose `X-Forwarded-For` is believed. */
  proxyHops: number;
  /** Whether a shared cache stands in front of the API. */
  sharedCache: boolean;
  bulk: BulkOptions;
  foreground: Foreground;
  mounts?: readonly Mount[];
  /** Pages for people, and what limits who asks for them. */
  pages?: { room: PageRoom; limiter: RateLimiter } | undefined;
  /** Address of the service, without a final slash. */
  baseUrl: string;
  /** Bytes of finished answers to hold, estimated. @default {4194304} */
  heldBytes?: number;
  /** Told of answers that are the service's own fault. */
  log: (line: string) => void;
  /** Told of every request that is let in or refused. */
  requests?: RequestLog | undefined;
  probes: Probes;
}

export type { ConnectionInfo };

/** A handler of requests that always answers and never throws. */
export interface App {
  fetch(request: Request, info?: ConnectionInfo): Response | Promise<Response>;
}

// Small on purpose: answers that nobody asks for again are dropped while still in V8's young space.
const HELD_BYTES = 4 * 1024 * 1024;

/** Builds the app. */
export function createApp(options: AppOptions): App {
  const { operations, reader, clock, baseUrl, log, limiter, proxyHops, mounts = [] } = options;
  const { pages, probes, requests, foreground } = options;
  const day = new NewYorkDay();
  const tags = new EntityTags(baseUrl);
  const link = apiLinks(baseUrl);
  const lookedUp = new AnswerHeaders(link);
  const calculated = new AnswerHeaders(link);
  const held = new SharedCache<string>(options.heldBytes ?? HELD_BYTES);
  const answered = [...operations, ...SERVICE_OPERATIONS];
  const pathAt = pathTable([...BATCH_OPERATIONS, ...answered, ...mounts.flatMap(routesOf)]);
  const app = new Hono<{ Bindings: Admitted }>();

  async function respond(
    operation: Operation,
    c: Context<{ Bindings: Admitted }>,
  ): Promise<Response> {
    const request = c.req.raw;
    const { requestId, trace } = c.env;
    trace.route = operation.path;
    const elapsed = stopwatch();
    let made = false;
    foreground.open++;
    try {
      const { today, now, dayEnds } = day.at(clock.now());
      const input = readParameters(operation, { url: request.url, path: c.req.param() });
      const { answer, snapshotId, dataDate } = await perform(operation, input, {
        today,
        baseUrl,
        reader,
        finish(output) {
          made = true;
          return JSON.stringify(output);
        },
        cache: held,
        weigh,
      });
      trace.found = elapsed();
      const etag = tags.of(snapshotId, today);
      const snapshot = snapshotId === null ? null : { id: snapshotId, dataDate: dataDate!, today };
      if (snapshot !== null) {
        trace.snapshotId = snapshot.id;
        trace.held = !made;
      }
      const kept = snapshot === null ? calculated : lookedUp;
      const headers = kept.of({ requestId, etag, snapshot, now, dayEnds });
      if (matchesTag(request.headers.get("if-none-match"), etag)) {
        return new Response(null, { status: 304, headers });
      }
      if (request.method === "HEAD") return headOf(answer, headers);
      return new Response(answer, { headers });
    } catch (error) {
      return errorResponse(error, { requestId, log });
    } finally {
      foreground.open--;
    }
  }

  /** Answers a path or method that no operation has. */
  function unrouted(c: Context<{ Bindings: Admitted }>): Response {
    const { requestId } = c.env;
    // Hono turns HEAD into GET on its own, so the method is taken from the request as it came.
    const method = c.req.raw.method;
    const methods = pathAt(c.req.path)?.allow;
    if (methods === undefined) {
      // Somebody followed a wrong link: they get a page with a search box.
      const person = /\btext\/html\b/.test(c.req.raw.headers.get("accept") ?? "");
      if (person && pages !== undefined) {
        const error = new ServiceError("not_found", "There is no page at this address");
        return pages.room.refuse(error, c.req.raw, requestId);
      }
      const error = new ServiceError(
        "not_found",
        `Cannot find this path: the paths are in ${baseUrl}/agents.md`,
      );
      return errorResponse(error, { requestId, log });
    }
    if (method === "OPTIONS") {
      const headers = [...commonHeaders(requestId), ...preflightHeaders(methods)];
      headers.push(["Allow", methods]);
      return new Response(null, { status: 204, headers });
    }
    const error = new ServiceError(
      "method_not_allowed",
      `Cannot use this method here: the methods are ${methods}`,
    );
    return errorResponse(error, { requestId, log, headers: [["Allow", methods]] });
  }

  addBulkRoutes(app, {
    ...options.bulk,
    reader,
    context: () => ({ today: day.at(clock.now()).today, baseUrl }),
    log,
  });
  // Or GET would take "batch" for a USDOT number.
  app.all(routeOf(batchCarriers), unrouted);
  for (const operation of answered) {
    app.on(operation.method, routeOf(operation), (c) => respond(operation, c));
  }
  for (const mount of mounts) {
    app.on([...(mount.methods ?? ["ALL"])], mount.path, async (c) => {
      c.env.trace.route = mount.path;
      const response = await mount.fetch(c.req.raw, c.env);
      for (const [name, value] of commonHeaders(c.env.requestId)) {
        if (!response.headers.has(name)) response.headers.set(name, value);
      }
      return response;
    });
  }
  app.notFound(unrouted);
  app.onError((error, c) => errorResponse(error, { requestId: c.env.requestId, log }));

  const admit = admissionOf({ clock, proxyHops, log, requests });
  const api = {
    limiter,
    sharedCache: options.sharedCache,
    fetch: (request: Request, admitted: Admitted) => app.fetch(request, admitted),
    refuse: (error: ServiceError, _: Request, requestId: string) =>
      errorResponse(error, { requestId, log }),
    routeOf: (request: Request) => pathAt(getPath(request))?.path,
  };
  const wrongHost = {
    ...api,
    fetch: (request: Request, { requestId }: Admitted) =>
      api.refuse(invalidHost(), request, requestId),
  };
  // Pages and their assets owe nobody counters.
  const forPeople = pages === undefined
    ? null
    : { ...pages.room, limiter: pages.limiter, sharedCache: true, routeOf: () => "pages" };

  /** Headers of an answer to a probe, which counts for nothing. */
  function asProbe(response: Response, request: Request, info?: ConnectionInfo): Response {
    const { headers } = response;
    for (const [name, value] of commonHeaders(requestIdOf(request))) headers.set(name, value);
    const decision = limiter.peek(clientBehind(request, info, proxyHops));
    setRateLimit(headers, decision, { quota: limiter, sharedCache: false });
    return response;
  }

  return {
    fetch(request, info) {
      if (!hasValidHost(request.headers)) return admit(wrongHost, request, info);
      const probed = probes(request);
      if (probed instanceof Promise) return probed.then((found) => asProbe(found, request, info));
      if (probed !== null) return asProbe(probed, request, info);
      return admit(forPeople?.takes(request) ? forPeople : api, request, info);
    },
  };
}

function routesOf({ path, methods = [] }: Mount): { path: string; method: string }[] {
  return methods.map((method) => ({ path, method }));
}

/** What HEAD answers: Hono drops the body, and Deno would then call its length 0. */
function headOf(answer: string, headers: Headers): Response {
  const own = new Headers(headers);
  own.set("Content-Length", String(new TextEncoder().encode(answer).length));
  return new Response(answer, { headers: own });
}

function weigh(text: string): number {
  // Two bytes a character at worst, and the key with its entry.
  return 2 * text.length + 200;
}

/** For a path, its pattern and its methods as `Allow` lists them; the first operation that fits decides. */
function pathTable(
  operations: readonly { path: string; method: string }[],
): (path: string) => { path: string; allow: string } | undefined {
  const byPath = new Map<string, Set<string>>();
  for (const { path, method } of operations) {
    const methods = byPath.get(path) ?? new Set();
    byPath.set(path, methods.add(method));
    if (method === "GET") methods.add("HEAD");
  }
  const table = [...byPath].map(([path, methods]) => ({
    path,
    pattern: new RegExp(`^${path.split(/\{\w+\}/).map(RegExp.escape).join("[^/]+")}$`),
    allow: [...methods, "OPTIONS"].join(", "),
  }));
  return (path) => table.find(({ pattern }) => pattern.test(path));
}
