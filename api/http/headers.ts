/**
 * Headers of answers: how long they may be cached, who may read them, and the request id.
 *
 * @module
 */

import { ServiceError } from "../operations/errors.ts";
import { ageInDays } from "../../pipeline/dates.ts";

/** Headers as name and value, ready for a Response. */
export type HeaderList = [name: string, value: string][];

const BROWSER_SECONDS = 60;
const SHARED_SECONDS = 300;

const EXPOSED = [
  "Snapshot-Id",
  "Snapshot-Age",
  "Server-Timing",
  "X-Request-Id",
  "ETag",
  "Allow",
  "Link",
  "Location",
  "Retry-After",
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit-Reset",
  "RateLimit-Policy",
  "Idempotent-Replayed",
].join(", ");

const ALLOWED = "A2A-Version, Accept, Content-Type, Idempotency-Key, If-None-Match, X-Request-Id";

const SANE_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** The caller's request id if it is valid, otherwise a new one. */
export function requestIdOf(request: Request): string {
  const given = request.headers.get("x-request-id");
  return given !== null && SANE_ID.test(given) ? given : crypto.randomUUID();
}

/** Headers of every answer: request id, CORS for any origin without credentials, no sniffing. */
export function commonHeaders(requestId: string): HeaderList {
  return [["X-Request-Id", requestId], ...FIXED_HEADERS];
}

/** The headers that are the same in every answer. */
export const FIXED_HEADERS: HeaderList = [
  ["Access-Control-Allow-Origin", "*"],
  ["Access-Control-Expose-Headers", EXPOSED],
  ["X-Content-Type-Options", "nosniff"],
  // Answers are compressed for clients that accept it.
  ["Vary", "Accept-Encoding"],
];

export function preflightHeaders(methods: string): HeaderList {
  return [
    ["Access-Control-Allow-Methods", methods],
    ["Access-Control-Allow-Headers", ALLOWED],
    ["Access-Control-Max-Age", "86400"],
  ];
}

/**
 * The headers that identify a snapshot. The age is counted in whole days, from the data date to today in New
 * York, and converted to seconds, so that it is the same in all answers with the same ETag.
 */
export function snapshotHeaders({ id, dataDate, today }: DatedSnapshot): HeaderList {
  return [
    ["Snapshot-Id", id],
    ["Snapshot-Age", String(ageInDays(dataDate, today) * 86_400)],
  ];
}

export interface DatedSnapshot {
  id: string;
  dataDate: string;
  /** The day in New York. */
  today: string;
}

export interface Freshness {
  /** Milliseconds since the epoch. */
  now: number;
  /** Milliseconds since the epoch of the next midnight in New York, when days-until-due change. */
  dayEnds: number;
  /** It is an answer as of a past day, which never changes. */
  isFinal?: boolean;
}

/** Seconds in a year, which HTTP treats as forever. */
const FOR_EVER = 31_536_000;

/**
 * Seconds for which a shared cache may keep an answer: five minutes, never past the end of the day, or
 * forever.
 */
export function secondsFresh({ now, dayEnds, isFinal = false }: Freshness): number {
  if (isFinal) return FOR_EVER;
  return Math.min(SHARED_SECONDS, Math.max(0, Math.floor((dayEnds - now) / 1000)));
}

/**
 * How long an answer may be kept: a minute in browsers and {@link secondsFresh} in shared caches, or
 * forever.
 */
export function sharedCaching(freshness: Freshness): HeaderList {
  const seconds = secondsFresh(freshness);
  const inBrowsers = freshness.isFinal ? seconds : Math.min(BROWSER_SECONDS, seconds);
  return [
    ["Cache-Control", `public, max-age=${inBrowsers}`],
    ["CDN-Cache-Control", `public, max-age=${seconds}`],
  ];
}

/** The headers of {@link sharedCaching} as they are sent: `private` without a shared cache in front. */
export function cachingFor(sharedCache: boolean, headers: HeaderList): HeaderList {
  if (sharedCache) return headers;
  return headers.filter(([name]) => name === "Cache-Control")
    .map(([name, value]) => [name, value.replace("public", "private")]);
}

/**
 * Refuses a request whose `If-Match` is not `*`: it compares strong tags (RFC 9110, 13.1.1), and all of
 * the service's are weak.
 *
 * @throws {ServiceError} `precondition_failed`.
 */
export function checkIfMatch({ headers }: Request): void {
  const tags = headers.get("if-match");
  if (tags === null || tags.trim() === "*") return;
  throw new ServiceError(
    "precondition_failed",
    "Cannot meet If-Match: it compares strong ETags, and these are weak; use If-None-Match",
  );
}

/** Whether `If-None-Match` names the tag, by weak comparison; `*` names any. */
export function matchesTag(header: string | null, tag: string): boolean {
  if (header === null) return false;
  if (header === tag || header.trim() === "*") return true;
  const opaque = tag.replace(/^W\//, "");
  for (const [candidate] of header.matchAll(/"[^"]*"/g)) if (candidate === opaque) return true;
  return false;
}
