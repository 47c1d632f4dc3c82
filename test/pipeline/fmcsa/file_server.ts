/**
 * A file server that can be told to misbehave.
 *
 * @module
 */

/** What the server holds and how it answers. Change it between or during requests. */
export interface Way {
  body: Uint8Array<ArrayBuffer>;
  /** Null sends none. */
  etag: string | null;
  lastModified: string | null;
  /** False ignores `Range`. */
  ranges: boolean;
  /** False honours `Range` whatever `If-Range` says. */
  ifRange: boolean;
  /** False ignores `If-None-Match` and `If-Modified-Since`. */
  conditional: boolean;
  /** Sends no length. */
  chunked: boolean;
  /** Longest range answered. */
  longestRange: number;
  /** Headers added to every 200 and 206. */
  headers: Record<string, string>;
  /** Answers instead of the file, one a request, until used up. */
  instead: (() => Response)[];
  /** Bytes after which bodies end too early, one a request, until used up. */
  cuts: number[];
  /** Told of the file's bytes sent so far before a body is cut; may wait. */
  onCut: (at: number) => Promise<void> | void;
  /** Told of the bytes sent by the current answer before each chunk; may wait. */
  onChunk: (sent: number) => Promise<void> | void;
  chunkBytes: number;
}

/** A running server. */
export interface FileServer extends AsyncDisposable {
  url: string;
  way: Way;
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
export function serveFile(way: Partial<Way> = {}): FileServer {
  const full: Way = {
    body: csvBytes(300_000, 1),
    etag: '"one"',
    lastModified: "Mon, 05 Oct 2026 10:00:00 GMT",
    ranges: true,
    ifRange: true,
    conditional: true,
    chunked: false,
    longestRange: Infinity,
    headers: {},
    instead: [],
    cuts: [],
    onCut: () => {},
    onChunk: () => {},
    chunkBytes: 16_384,
    ...way,
  };
  const requests: Headers[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    requests.push(request.headers);
    return full.instead.shift()?.() ?? answer(full, request.headers);
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/rows.csv`,
    way: full,
    requests,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function answer(way: Way, asked: Headers): Response {
  const headers = new Headers({ "content-type": "text/csv", ...way.headers });
  if (way.etag !== null) headers.set("etag", way.etag);
  if (way.lastModified !== null) headers.set("last-modified", way.lastModified);
  const isSame = way.etag !== null && asked.get("if-none-match") === way.etag ||
    way.lastModified !== null && asked.get("if-modified-since") === way.lastModified;
  if (way.conditional && isSame) return new Response(null, { status: 304, headers });

  const range = /^bytes=(\d+)-$/.exec(asked.get("range") ?? "");
  const ifRange = asked.get("if-range");
  const isRangeValid = !way.ifRange || ifRange === null || ifRange === way.etag ||
    ifRange === way.lastModified;
  const { length } = way.body;
  let start = 0;
  let end = length;
  if (way.ranges && range !== null && isRangeValid) {
    start = Number(range[1]);
    if (start >= length) {
      return new Response(null, { status: 416, headers: { "content-range": `bytes */${length}` } });
    }
    end = Math.min(length, start + way.longestRange);
    headers.set("content-range", `bytes ${start}-${end - 1}/${length}`);
  }
  if (!way.chunked) headers.set("content-length", String(end - start));
  const stop = Math.min(end, start + (way.cuts.shift() ?? Infinity));
  return new Response(stream(way, { start, stop, isCut: stop < end }), {
    status: headers.has("content-range") ? 206 : 200,
    headers,
  });
}

function stream(
  way: Way,
  { start, stop, isCut }: { start: number; stop: number; isCut: boolean },
): ReadableStream<Uint8Array> {
  let at = start;
  const { body } = way;
  return new ReadableStream({
    async pull(controller): Promise<void> {
      await way.onChunk(at - start);
      const to = Math.min(stop, at + way.chunkBytes);
      if (to > at) controller.enqueue(body.slice(at, to));
      at = to;
      if (at < stop) return;
      if (isCut) await way.onCut(at);
      controller.close();
    },
  }, { highWaterMark: 0 });
}

/** Answers connections with raw text, one each, and hangs up: for what Deno.serve cannot send. */
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
