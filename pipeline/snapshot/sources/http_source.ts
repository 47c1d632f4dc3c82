/**
 * A snapshot root at an http(s) address. Web APIs only.
 *
 * @module
 */

import { type After, after as realAfter } from "../../clock.ts";
import { concat } from "../../bytes.ts";
import { chunks, TransientError, type Watch, watch } from "../../retry.ts";
import { messageOf } from "../../text.ts";
import { parsePointer } from "../manifest.ts";
import { checkObjectPath, maxBytesOf, POINTER_PATH } from "../paths.ts";
import { type Source, SourceFailure } from "../source.ts";

/** Requests one URL; the part of `fetch` that a source needs. */
export type Fetch = (
  url: string,
  init: {
    signal: AbortSignal;
    redirect: "manual";
    headers: { "If-None-Match"?: string };
    cache: "default" | "no-cache";
  },
) => Promise<Response>;

/** Milliseconds that may pass without a byte, and for one object, headers and body together. */
const IDLE_MS = 2_500;
const TOTAL_MS = 10_000;

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Reads the objects of a snapshot root below `address`. 404 and 410 mean "no such object"; 403 is an
 * error, since it may mean either a missing object or a refusal. No redirect is followed: it could lead
 * to an address that only this machine reaches. The pointer is revalidated with `If-None-Match` when the
 * host sent an `ETag`. In a browser that header needs a preflight, which CORS rules may refuse; then the
 * browser's own cache revalidates the pointer (`cache: "no-cache"`), for which they need not allow it.
 *
 * @throws {TypeError} When the address is not a plain http(s) URL.
 */
export function httpSource(
  address: string,
  { fetch, after = realAfter }: { fetch: Fetch; after?: After },
): Source {
  return new HttpSource(rootOf(address), fetch, after);
}

class HttpSource implements Source {
  readonly name: string;
  readonly #fetch: Fetch;
  readonly #after: After;
  /** The last pointer read. */
  #cached: { etag: string; bytes: Bytes } | null = null;
  #mayAskIfChanged = true;

  constructor(root: string, fetch: Fetch, after: After) {
    this.name = root;
    this.#fetch = fetch;
    this.#after = after;
  }

  async get(path: string, signal?: AbortSignal): Promise<Bytes | null> {
    checkObjectPath(path);
    const watched = watch(IDLE_MS, signal, { totalMs: TOTAL_MS, after: this.#after });
    try {
      return await this.#read(path, watched);
    } catch (cause) {
      const message = `Cannot read ${this.name}/${path}: ${messageOf(cause)}`;
      if (signal?.aborted) throw new Error(message, { cause });
      throw new SourceFailure(message, { transient: cause instanceof TransientError, cause });
    } finally {
      watched.end();
    }
  }

  async #read(path: string, watched: Watch): Promise<Bytes | null> {
    // Copied, because another read may replace the cached pointer before this one is answered.
    const known = path === POINTER_PATH && this.#mayAskIfChanged ? this.#cached : null;
    const response =
      await (known === null
        ? this.#ask(path, watched)
        : this.#askIfChanged(path, watched, known.etag));
    const { status } = response;
    if (status === 200) {
      const bytes = await readBody(response, maxBytesOf(path), watched);
      if (path === POINTER_PATH) {
        const etag = response.headers.get("etag");
        this.#cached = etag !== null && isPointer(bytes) ? { etag, bytes } : null;
      }
      return bytes;
    }
    await response.body?.cancel();
    if (status === 304 && known !== null) return known.bytes;
    if (status === 404 || status === 410) return null;
    if (status >= 500 || status === 429) throw new TransientError(`status ${status}`);
    // A browser reports the status of a redirect as 0.
    const isRedirect = status === 0 || status >= 300 && status < 400 && status !== 304;
    throw new Error(`status ${status}${isRedirect ? ", a redirect, which is not followed" : ""}`);
  }

  /**
   * Asks with `If-None-Match`, and again without it when there is no answer, because a refused preflight
   * looks like a host that is down.
   */
  async #askIfChanged(path: string, watched: Watch, etag: string): Promise<Response> {
    try {
      return await this.#ask(path, watched, etag);
    } catch (error) {
      if (!(error instanceof TransientError && error.cause instanceof TypeError)) throw error;
      this.#mayAskIfChanged = false;
      return await this.#ask(path, watched).catch((failure) => {
        this.#mayAskIfChanged = true;
        throw failure;
      });
    }
  }

  async #ask(path: string, watched: Watch, etag?: string): Promise<Response> {
    const fetch = this.#fetch; // A browser's fetch refuses a call as a method of another object
    const headers = etag === undefined ? {} : { "If-None-Match": etag };
    const cache = path === POINTER_PATH && !this.#mayAskIfChanged ? "no-cache" : "default";
    const init = { signal: watched.signal, redirect: "manual", headers, cache } as const;
    return await watched.step(() => fetch(`${this.name}/${path}`, init));
  }
}

/** A proxy's error page, or half a pointer, must not be revalidated forever. */
function isPointer(bytes: Bytes): boolean {
  try {
    parsePointer(bytes);
    return true;
  } catch {
    return false;
  }
}

function rootOf(address: string): string {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`Cannot use snapshot address ${JSON.stringify(address)}: not an http URL`);
  }
  // These messages omit the address: it may contain a password or a token.
  if (url.username !== "" || url.password !== "") {
    throw new TypeError(`Cannot use snapshot address at ${url.host}: it has a user or password`);
  }
  if (url.search !== "" || url.hash !== "") {
    throw new TypeError(`Cannot use snapshot address at ${url.host}: it has a query or fragment`);
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}

async function readBody(response: Response, maxBytes: number, watched: Watch): Promise<Bytes> {
  const read: Bytes[] = [];
  let length = 0;
  for await (const chunk of chunks(response, watched)) {
    length += chunk.length;
    if (length > maxBytes) throw new TransientError(`more than ${maxBytes} bytes`);
    read.push(chunk);
  }
  // Under a content coding the header counts the coded bytes, which fetch has already decoded.
  const { headers } = response;
  const declared = headers.get("content-length");
  if (declared !== null && !headers.has("content-encoding") && Number(declared) !== length) {
    throw new TransientError(`status 200 with ${length} bytes of ${declared}`);
  }
  return concat(read, length);
}
