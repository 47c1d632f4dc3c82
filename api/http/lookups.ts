/**
 * The operations that look up or calculate, over HTTP: finished answers are cached and
 * compressed once.
 *
 * @module
 */

import { gzipSync } from "node:zlib";
import { after } from "../../pipeline/clock.ts";
import { fnv1a } from "../../pipeline/mix.ts";
import { SharedCache, type Weighed } from "../../pipeline/snapshot/shared_cache.ts";
import { apiLinks } from "../operations/about.ts";
import { type Operation, perform, type SurfaceDeps } from "../operations/operation.ts";
import { OPERATIONS, SERVICE_OPERATIONS } from "../operations/table.ts";
import type { Foreground } from "../state/pacer.ts";
import { AS_OF_READS, type Slot, Slots } from "../state/slots.ts";
import { type Exchange, exchangeHeaders, millisecondsSince, type Mount } from "./exchange.ts";
import {
  cachingFor,
  checkIfMatch,
  type DatedSnapshot,
  FIXED_HEADERS,
  type Freshness,
  type HeaderList,
  matchesTag,
  sharedCaching,
  snapshotHeaders,
} from "./headers.ts";
import { readParameters } from "./parameters.ts";
import { acceptsGzip } from "./streaming.ts";

/** Raise this whenever the same record, day and URL get a different body: it is part of every ETag. */
export const BODY_REVISION = 15;

interface LookupParts extends Pick<SurfaceDeps, "reader" | "baseUrl"> {
  foreground: Foreground;
}

interface Finished {
  text: string;
  /** Made when the first client accepts it. */
  gzip?: Uint8Array<ArrayBuffer>;
}

const CACHE_BYTES = 4 * 1024 * 1024;

/** Hashes of the last keys that a {@link RepeatCache} was asked for. */
const SEEN_KEYS = 1_024;

const LEAST_GZIP = 512;

/** Carriers' JSON shrinks to a third at the cheapest level. */
const GZIP = { level: 1 };

export function lookupMounts({ reader, foreground, baseUrl }: LookupParts): Mount[] {
  const link = apiLinks(baseUrl);
  // The body of an answer depends only on URL, snapshot, day, base URL and code, so the ETag is made from
  // these, without hashing the body. It is weak, because a proxy may compress the body.
  const seed = `${BODY_REVISION}.${(fnv1a(baseUrl) >>> 0).toString(36)}`;
  const cache = new RepeatCache<Finished>(CACHE_BYTES);
  const slots = new Slots(AS_OF_READS, after);

  async function answer(operation: Operation, exchange: Exchange): Promise<Response> {
    const { request, trace, params, begun, day: { now, dayEnds } } = exchange;
    let made = false;
    let slot: Slot | undefined;
    foreground.open++;
    foreground.cameAt = begun;
    try {
      const input = readParameters(operation, { url: request.url, path: params });
      if (input.as_of !== undefined) slot = await slots.take(exchange.client);
      const { answer, snapshotId, dataDate, today, isFinal } = await perform(operation, input, {
        today: exchange.day.today,
        baseUrl,
        reader,
        finish(output): Finished {
          made = true;
          return { text: JSON.stringify(output) };
        },
        keep: (key, make) =>
          cache.get(key, async () => {
            const value = await make();
            return { value, bytes: weigh(value) };
          }),
      });
      trace.found = millisecondsSince(begun);
      if (snapshotId !== null) {
        trace.snapshotId = snapshotId;
        trace.cached = !made;
      }
      const etag = `W/"${snapshotId ?? "none"}.${today}.${seed}"`;
      const snapshot = snapshotId === null ? null : { id: snapshotId, dataDate: dataDate!, today };
      const facts = { etag, snapshot, now, dayEnds, isFinal, exchange };
      checkIfMatch(request);
      if (matchesTag(request.headers.get("if-none-match"), etag)) {
        return new Response(null, { status: 304, headers: answerHeaders(facts, link) });
      }
      const packed = answer.text.length >= LEAST_GZIP &&
        acceptsGzip(request.headers.get("accept-encoding"));
      const body = packed
        ? answer.gzip ??= new Uint8Array(gzipSync(answer.text, GZIP))
        : answer.text;
      const own = answerHeaders({ ...facts, gzip: packed }, link);
      if (request.method !== "HEAD") return new Response(body, { headers: own });
      // Deno sends a length of 0 for a null body.
      const { length } = typeof body === "string" ? new TextEncoder().encode(body) : body;
      return new Response(null, { headers: [...own, ["Content-Length", String(length)]] });
    } finally {
      slot?.release();
      foreground.open--;
    }
  }

  return [...OPERATIONS, ...SERVICE_OPERATIONS].map((operation) => ({
    path: operation.path,
    methods: [operation.method],
    isWhole: true,
    fetch: (_, exchange) => answer(operation, exchange),
  }));
}

/**
 * Keeps only what is requested a second time. Most carriers are looked up once, and keeping an answer for a
 * while costs V8's garbage collector more than computing it again.
 */
class RepeatCache<V> extends SharedCache<V> {
  readonly #seen = new Int32Array(SEEN_KEYS);

  override get(key: string, load: () => Promise<Weighed<V>>): V | Promise<V> {
    const known = this.peek(key);
    if (known !== undefined) return known;
    const hash = fnv1a(key);
    const slot = (hash >>> 0) % SEEN_KEYS;
    if (this.#seen[slot] === hash) return super.get(key, load);
    this.#seen[slot] = hash;
    return load().then(({ value }) => value);
  }
}

function weigh({ text }: Finished): number {
  // At most two bytes per character, one for the compressed form, and 200 for the key and the entry.
  return 3 * text.length + 200;
}

interface AnswerFacts extends Freshness {
  etag: string;
  /** Null for a calculation. */
  snapshot: DatedSnapshot | null;
  exchange: Exchange;
  gzip?: boolean;
}

/** Headers of a 200 or 304 answer. A Response takes a list faster than `Headers`. */
function answerHeaders(
  { exchange, etag, snapshot, gzip = false, ...freshness }: AnswerFacts,
  link: string,
): HeaderList {
  const headers: HeaderList = [
    ...FIXED_HEADERS,
    ["Content-Type", "application/json; charset=utf-8"],
    ["ETag", etag],
    ...cachingFor(exchange.sharedCache, sharedCaching(freshness)),
    ["Link", link],
    ...exchangeHeaders(exchange, { isPublic: true }),
  ];
  if (gzip) headers.push(["Content-Encoding", "gzip"]);
  if (snapshot !== null) {
    headers.push(...snapshotHeaders(snapshot));
    // An operator can purge the answers of one snapshot from the shared cache.
    headers.push(["Deno-Cache-Tag", snapshot.id]);
  }
  return headers;
}
