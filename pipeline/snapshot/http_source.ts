/**
 * A snapshot root at an http(s) address. Web APIs only.
 *
 * @module
 */

import { type After, after as realAfter } from "../clock.ts";
import { concat } from "../bytes.ts";
import { messageOf } from "../text.ts";
import { checkObjectPath, maxBytesOf, parsePointer, POINTER_PATH } from "./manifest.ts";
import { type Source, SourceFailure } from "./source.ts";

/** Requests one URL; the part of `fetch` that a source needs. */
export type Fetch = (
  url: string,
  init: { signal: AbortSignal; redirect: "manual"; headers?: Record<string, string> },
) => Promise<Response>;

interface HttpSourceOptions {
  fetch: Fetch;
  after?: After;
  /** Milliseconds that may pass without a byte. @default {2500} */
  timeout?: number;
  /** Milliseconds for one object, headers and body together. @default {10000} */
  total?: number;
}

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Reads the objects of a snapshot root below `address`. 404 and 410 mean "no such object"; 403 is an
 * error, since it may mean either a missing object or a refusal. No redirect is followed: it could lead
 * to an address that only this machine reaches. The pointer is revalidated with `If-None-Match` when the
 * host sent an `ETag`.
 *
 * @throws {TypeError} When the address is not a plain http(s) URL.
 */
export function httpSource(address: string, options: HttpSourceOptions): Source {
  const root = rootOf(address);
  const { fetch, timeout = 2_500, total = 10_000, after = realAfter } = options;
  let cached: { etag: string; bytes: Bytes } | null = null;

  async function read(path: string, deadline: Deadline): Promise<Bytes | null> {
    // Copied: another read may replace the cached pointer before this one is answered.
    const known = path === POINTER_PATH ? cached : null;
    const response = await fetch(`${root}/${path}`, {
      signal: deadline.signal,
      redirect: "manual",
      ...(known === null ? {} : { headers: { "If-None-Match": known.etag } }),
    });
    deadline.extend();
    if (response.status === 200) {
      const bytes = await readBody(response, { maxBytes: maxBytesOf(path), deadline });
      if (path === POINTER_PATH) {
        const etag = response.headers.get("etag");
        cached = etag !== null && isPointer(bytes) ? { etag, bytes } : null;
      }
      return bytes;
    }
    await response.body?.cancel();
    if (response.status === 304 && known !== null) return known.bytes;
    if (response.status === 404 || response.status === 410) return null;
    throw statusFailure(response.status);
  }

  return {
    name: root,
    async get(path, signal) {
      checkObjectPath(path);
      const deadline = startDeadline({ silence: timeout, total, after }, signal);
      try {
        return await read(path, deadline);
      } catch (error) {
        const cause = deadline.signal.aborted ? deadline.signal.reason : error;
        const message = `Cannot read ${root}/${path}: ${messageOf(cause)}`;
        if (signal?.aborted) throw new Error(message, { cause: error });
        const transient = !(cause instanceof SourceFailure) || cause.transient;
        throw new SourceFailure(message, { transient, cause: error });
      } finally {
        deadline.cancel();
      }
    },
  };
}

/** Of a status that is neither an object nor the lack of one. */
function statusFailure(status: number): SourceFailure {
  // A browser reports the status of a redirect as 0.
  const isRedirect = status === 0 || status >= 300 && status < 400 && status !== 304;
  return new SourceFailure(
    `status ${status}${isRedirect ? ", a redirect, which is not followed" : ""}`,
    { transient: status >= 500 || status === 429 },
  );
}

interface Deadline {
  signal: AbortSignal;
  /** Restarts the timer of silence: something came. */
  extend(): void;
  cancel(): void;
}

/** Aborts a read after some silence, after a time in all, or when the caller does. Times are in ms. */
function startDeadline(
  { silence, total, after }: { silence: number; total: number; after: After },
  caller?: AbortSignal,
): Deadline {
  const own = new AbortController();
  const abort = (why: string) => (): void => own.abort(new Error(why));
  const arm = (): () => void => after(silence, abort(`no answer in ${silence} ms`));
  const cancelTotal = after(total, abort(`not all of it came in ${total} ms`));
  let cancelSilence = arm();
  return {
    signal: AbortSignal.any([own.signal, ...(caller === undefined ? [] : [caller])]),
    extend(): void {
      cancelSilence();
      cancelSilence = arm();
    },
    cancel(): void {
      cancelSilence();
      cancelTotal();
    },
  };
}

/** An error page of some proxy, or half a pointer, must not be revalidated for ever. */
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

async function readBody(
  response: Response,
  { maxBytes, deadline }: { maxBytes: number; deadline: Deadline },
): Promise<Bytes> {
  const chunks: Bytes[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    deadline.extend();
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
  return concat(chunks, length);
}
