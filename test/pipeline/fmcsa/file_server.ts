/**
 * A file server that misbehaves on demand.
 *
 * @module
 */

import { serve } from "../../serve.ts";

/** What the server serves, and how. Change it between or during requests. */
export interface ServerBehavior {
  body: Uint8Array<ArrayBuffer>;
  /** Null omits the header. */
  etag: string | null;
  lastModified: string | null;
  /** False ignores `Range`. */
  ranges: boolean;
  /** False honors `Range` regardless of `If-Range`. */
  ifRange: boolean;
  /** False ignores `If-None-Match` and `If-Modified-Since`. */
  conditional: boolean;
  /** Sends no length. */
  chunked: boolean;
  /** Longest range that is answered. */
  longestRange: number;
  /** Responses sent instead of the file, one per request, until used up. */
  instead: (() => Response)[];
  /** Lengths after which bodies end early, one per request, until used up. */
  cuts: number[];
  /** Called with the file's bytes sent so far, before a body is cut; may wait. */
  onCut: (at: number) => Promise<void> | void;
  /** Called before each chunk with the current response's bytes so far; may wait. */
  onChunk: (sent: number) => Promise<void> | void;
  chunkBytes: number;
}

/** A running server. */
export interface FileServer extends AsyncDisposable {
  url: string;
  behavior: ServerBehavior;
  /** Headers of the requests so far. */
  requests: Headers[];
}

/** Text of a given length that looks like a CSV file and differs by seed. */
export function csvBytes(length: number, seed: number): Uint8Array<ArrayBuffer> {
  const bytes = new TextEncoder().encode("DOT_NUMBER,LEGAL_NAME\n".padEnd(length));
  let state = seed + 1;
  for (let i = 22; i < length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[i] = i % 40 === 0 ? 10 : 48 + (state >>> 24) % 75;
  }
  return bytes.slice(0, length);
}

/** Serves one file on a free port. */
export function serveFile(behavior: Partial<ServerBehavior> = {}): FileServer {
  const full: ServerBehavior = {
    body: csvBytes(300_000, 1),
    etag: '"one"',
    lastModified: "Mon, 05 Oct 2026 10:00:00 GMT",
    ranges: true,
    ifRange: true,
    conditional: true,
    chunked: false,
    longestRange: Infinity,
    instead: [],
    cuts: [],
    onCut: () => {},
    onChunk: () => {},
    chunkBytes: 16_384,
    ...behavior,
  };
  const requests: Headers[] = [];
  const server = serve((request) => {
    requests.push(request.headers);
    return full.instead.shift()?.() ?? answer(full, request.headers);
  });
  return {
    url: `${server.url}/rows.csv`,
    behavior: full,
    requests,
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  };
}

function answer(behavior: ServerBehavior, asked: Headers): Response {
  const headers = new Headers({ "content-type": "text/csv" });
  if (behavior.etag !== null) headers.set("etag", behavior.etag);
  if (behavior.lastModified !== null) headers.set("last-modified", behavior.lastModified);
  const isSame = behavior.etag !== null && asked.get("if-none-match") === behavior.etag ||
    behavior.lastModified !== null && asked.get("if-modified-since") === behavior.lastModified;
  if (behavior.conditional && isSame) return new Response(null, { status: 304, headers });

  const range = /^bytes=(\d+)-$/.exec(asked.get("range") ?? "");
  const ifRange = asked.get("if-range");
  const isRangeValid = !behavior.ifRange || ifRange === null || ifRange === behavior.etag ||
    ifRange === behavior.lastModified;
  const { length } = behavior.body;
  let start = 0;
  let end = length;
  if (behavior.ranges && range !== null && isRangeValid) {
    start = Number(range[1]);
    if (start >= length) {
      return new Response(null, { status: 416, headers: { "content-range": `bytes */${length}` } });
    }
    end = Math.min(length, start + behavior.longestRange);
    headers.set("content-range", `bytes ${start}-${end - 1}/${length}`);
  }
  if (!behavior.chunked) headers.set("content-length", String(end - start));
  const stop = Math.min(end, start + (behavior.cuts.shift() ?? Infinity));
  return new Response(stream(behavior, { start, stop, isCut: stop < end }), {
    status: headers.has("content-range") ? 206 : 200,
    headers,
  });
}

function stream(
  behavior: ServerBehavior,
  { start, stop, isCut }: { start: number; stop: number; isCut: boolean },
): ReadableStream<Uint8Array> {
  let at = start;
  const { body } = behavior;
  return new ReadableStream({
    async pull(controller): Promise<void> {
      await behavior.onChunk(at - start);
      const to = Math.min(stop, at + behavior.chunkBytes);
      if (to > at) controller.enqueue(body.slice(at, to));
      at = to;
      if (at < stop) return;
      if (isCut) await behavior.onCut(at);
      controller.close();
    },
  }, { highWaterMark: 0 });
}

/** Answers each connection with raw text and closes it, for responses that Deno.serve can't send. */
export function serveRaw(answers: string[]): { url: string } & AsyncDisposable {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const left = [...answers];
  const done = (async () => {
    for await (const connection of listener) {
      await connection.read(new Uint8Array(4096));
      await connection.write(new TextEncoder().encode(left.shift() ?? ""));
      connection.close();
    }
  })();
  return {
    url: `http://127.0.0.1:${(listener.addr as Deno.NetAddr).port}/rows.csv`,
    async [Symbol.asyncDispose](): Promise<void> {
      listener.close();
      await done;
    },
  };
}
