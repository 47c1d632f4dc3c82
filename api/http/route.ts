/**
 * What routes share: the path of an operation as the router writes it, and what is known of a request
 * once it is let in.
 *
 * @module
 */

import type { ServiceError } from "../operations/errors.ts";
import type { Trace } from "./trace.ts";

/** What a handler is told of a request beside the request. */
export interface Admitted {
  requestId: string;
  /** Whom requests are counted by. */
  client: string;
  /** The store failed when the request was counted. */
  degraded: boolean;
  /** To be filled in while the request is answered. */
  trace: Trace;
}

/** From `/api/v1/carriers/{dot}` to `/api/v1/carriers/:dot`. */
export function routeOf({ path }: { path: string }): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}

/** A path whose requests are answered by a room above this one, as part of the API. */
export interface Mount {
  path: string;
  /** Methods that it answers; GET includes HEAD. All of them, OPTIONS too, when there is no list. */
  methods?: readonly string[];
  /** Answers, and never throws; headers of every answer are added to its own. */
  fetch(request: Request, admitted: Admitted): Promise<Response>;
}

/** What a request takes up. */
export interface Weight {
  /** Requests that it counts as. */
  cost: number;
  /** Whether its body may be larger than those of the API. */
  large: boolean;
}

/** The room of pages for people: counted apart from the API, and with headers of its own. */
export interface PageRoom {
  /** Whether a request is the room's to answer. */
  takes(request: Request): boolean;
  weigh(request: Request): Weight;
  /** Answers, and never throws. */
  fetch(request: Request, admitted: Admitted): Promise<Response>;
  /** A page that tells of an error. */
  refuse(error: ServiceError, request: Request, requestId: string): Response;
}
