/**
 * A snapshot root at an http(s) address.
 *
 * @module
 */

import { checkObjectPath } from "./object_path.ts";
import type { Source } from "./source.ts";

/** Asks for one URL; the part of `fetch` that a source needs. */
export type Fetch = (url: string, init: { signal: AbortSignal }) => Promise<Response>;

/** Options of {@link httpSource}. */
export interface HttpSourceOptions {
  fetch: Fetch;
  /** Milliseconds for one object, headers and body together. @default {5000} */
  timeout?: number;
  /** Bytes of one object at most; a server that sends more is broken. @default {67108864} */
  maxBytes?: number;
}

/**
 * Reads the objects of a snapshot root below `address`. 404 and 410 mean "no such object"; a store
 * that answers 403 for a missing object is not told from one that refuses, so 403 is an error.
 *
 * @throws {TypeError} When the address is not a plain http(s) URL.
 */
export function httpSource(address: string, options: HttpSourceOptions): Source {
  const root = rootOf(address);
  const { fetch, timeout = 5_000, maxBytes = 64 * 1024 * 1024 } = options;
  return {
    name: root,
    async get(path: string, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer> | null> {
      checkObjectPath(path);
      const url = `${root}/${path}`;
      const own = new AbortController();
      const timer = setTimeout(() => own.abort(new Error(`no answer in ${timeout} ms`)), timeout);
      const stop = signal === undefined ? own.signal : AbortSignal.any([own.signal, signal]);
      try {
        const response = await fetch(url, { signal: stop });
        if (response.status === 200) return await readBody(response, maxBytes);
        await response.body?.cancel();
        if (response.status === 404 || response.status === 410) return null;
        throw new Error(`status ${response.status}`);
      } catch (error) {
        const cause = stop.aborted ? stop.reason : error;
        const detail = cause instanceof Error ? cause.message : String(cause);
        throw new Error(`Cannot read ${url}: ${detail}`, { cause: error });
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

function rootOf(address: string): string {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`Cannot use snapshot address ${JSON.stringify(address)}: not an http URL`);
  }
  // The address itself stays out of these messages: it may hold a password or a token.
  if (url.username !== "" || url.password !== "") {
    throw new TypeError(`Cannot use snapshot address at ${url.host}: it holds a user or password`);
  }
  if (url.search !== "" || url.hash !== "") {
    throw new TypeError(`Cannot use snapshot address at ${url.host}: it holds a query or fragment`);
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}

async function readBody(response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > maxBytes) throw new Error(`more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  // Under a content coding the header counts the coded bytes, which fetch has already decoded.
  const declared = response.headers.get("content-length");
  if (
    declared !== null && !response.headers.has("content-encoding") && Number(declared) !== length
  ) {
    throw new Error(`status 200 with ${length} bytes of ${declared}`);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
