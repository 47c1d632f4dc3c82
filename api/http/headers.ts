/**
 * Headers of answers: what may be cached for how long, who may read it, and which request it was.
 *
 * @module
 */

import { ageInDays, newYorkToday, nextNewYorkMidnight } from "../rules/calendar.ts";

/** Headers as name and value, ready for a Response. */
export type HeaderList = [name: string, value: string][];

/** Raise it whenever the same record, day and URL get another body: it is part of every ETag. */
export const BODY_REVISION = 1;

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

/** The caller's request id when it is sane, else a new one. */
export function requestIdOf(request: Request): string {
  const given = request.headers.get("x-request-id");
  return given !== null && SANE_ID.test(given) ? given : crypto.randomUUID();
}

/** Headers of every answer: request id, CORS for any origin without credentials, no sniffing. */
export function commonHeaders(requestId: string): HeaderList {
  return [
    ["X-Request-Id", requestId],
    ["Access-Control-Allow-Origin", "*"],
    ["Access-Control-Expose-Headers", EXPOSED],
    ["X-Content-Type-Options", "nosniff"],
    // The server compresses what a client can read.
    ["Vary", "Accept-Encoding"],
  ];
}

/** Headers of the answer to a CORS preflight. */
export function preflightHeaders(methods: string): HeaderList {
  return [
    ["Access-Control-Allow-Methods", methods],
    ["Access-Control-Allow-Headers", ALLOWED],
    ["Access-Control-Max-Age", "86400"],
  ];
}

/**
 * The headers that name a snapshot. The age counts whole days, from the data date to today in New York,
 * in seconds: so it is the same for all answers that have one ETag.
 */
export function snapshotHeaders({ id, dataDate, today }: DatedSnapshot): HeaderList {
  return [
    ["Snapshot-Id", id],
    ["Snapshot-Age", String(ageInDays(dataDate, today) * 86_400)],
  ];
}

/** A snapshot as it stands in headers. */
export interface DatedSnapshot {
  id: string;
  dataDate: string;
  /** The day in New York. */
  today: string;
}

/** What an answer is valid for. */
export interface Freshness {
  /** Milliseconds since the epoch. */
  now: number;
  /** Milliseconds since the epoch of the next midnight in New York, when days-until-due change. */
  dayEnds: number;
}

/** How long an answer may be kept: a minute in browsers, five in shared caches, never past the end of the day. */
export function sharedCaching(freshness: Freshness): HeaderList {
  return caching(secondsLeft(freshness));
}

function secondsLeft({ now, dayEnds }: Freshness): number {
  return Math.min(SHARED_SECONDS, Math.max(0, Math.floor((dayEnds - now) / 1000)));
}

function caching(seconds: number): HeaderList {
  return [
    ["Cache-Control", `public, max-age=${Math.min(BROWSER_SECONDS, seconds)}`],
    ["CDN-Cache-Control", `public, max-age=${seconds}`],
  ];
}

/** What the headers of a 200 or 304 follow from. */
export interface AnswerFacts extends Freshness {
  requestId: string;
  etag: string;
  /** Null for a calculation. */
  snapshot: DatedSnapshot | null;
}

/**
 * Headers of 200 and 304 answers. But for the request id they are the same from one answer to the
 * next, and making them anew is what costs most in a Response: so they are kept until a fact changes.
 */
export class AnswerHeaders {
  #headers = new Headers();
  #etag = "";
  #left = -1;
  readonly #link: string;

  /** @param link The `Link` header of every answer. */
  constructor(link: string) {
    this.#link = link;
  }

  /** Headers for one Response, to be used at once: the next call changes them. */
  of({ requestId, etag, snapshot, now, dayEnds }: AnswerFacts): Headers {
    const left = secondsLeft({ now, dayEnds });
    if (etag !== this.#etag || left !== this.#left) {
      this.#etag = etag;
      this.#left = left;
      this.#headers = new Headers([
        ...commonHeaders(requestId),
        ["Content-Type", "application/json; charset=utf-8"],
        ["ETag", etag],
        ...caching(left),
        ["Link", this.#link],
      ]);
      if (snapshot !== null) {
        for (const [name, value] of snapshotHeaders(snapshot)) this.#headers.set(name, value);
        // By this tag a publish purges what the shared cache holds.
        this.#headers.set("Deno-Cache-Tag", snapshot.id);
      }
    }
    this.#headers.set("X-Request-Id", requestId);
    return this.#headers;
  }
}

/** The day in New York, worked out once a day instead of once a request. */
export class NewYorkDay {
  #today = "";
  #from = Infinity;
  #ends = -Infinity;

  /** The day at an instant, with its end. */
  at(now: number): Freshness & { today: string } {
    // The lower bound is for a clock that is put back.
    if (now < this.#from || now >= this.#ends) {
      this.#today = newYorkToday(now);
      this.#from = now;
      this.#ends = nextNewYorkMidnight(now);
    }
    return { today: this.#today, now, dayEnds: this.#ends };
  }
}

/**
 * Makes ETags. The body of an answer is a function of URL, snapshot, day, base URL and code, so they
 * are its validator and no body is hashed. Weak, because a proxy may compress.
 */
export class EntityTags {
  readonly #seed: string;
  #key = "";
  #tag = "";

  /** @param baseUrl Address that stands in the bodies. */
  constructor(baseUrl: string) {
    this.#seed = `${BODY_REVISION}.${fnv1a(baseUrl)}`;
  }

  /** The tag of answers from a snapshot (null for calculations) on a day. */
  of(snapshotId: string | null, today: string): string {
    const key = `${snapshotId ?? "none"}.${today}`;
    if (key !== this.#key) {
      this.#key = key;
      this.#tag = `W/"${key}.${this.#seed}"`;
    }
    return this.#tag;
  }
}

/** Tells whether `If-None-Match` names the tag, by weak comparison; `*` names any. */
export function matchesTag(header: string | null, tag: string): boolean {
  if (header === null) return false;
  if (header === tag || header.trim() === "*") return true;
  const opaque = tag.replace(/^W\//, "");
  for (const [candidate] of header.matchAll(/"[^"]*"/g)) if (candidate === opaque) return true;
  return false;
}

function fnv1a(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return (hash >>> 0).toString(36);
}
