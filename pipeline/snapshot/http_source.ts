/**
 * A snapshot root at an http(s) address.
 *
 * @module
 */

import { type After, after as realAfter } from "../clock.ts";
import { messageOf } from "../text.ts";
import { checkObjectPath, maxBytesOf, parsePointer, POINTER_PATH } from "./manifest.ts";
import { type Source, SourceFailure } from "./source.ts";

/** Asks for one URL; the part of `fetch` that a source needs. */
export type Fetch = (
  url: string,
  init: { signal: AbortSignal; redirect: "manual"; headers?: Record<string, string> },
) => Promise<Response>;

/** Options of {@link httpSource}. */
export interface HttpSourceOptions {
  fetch: Fetch;
  /** @default {after} */
  after?: After;
  /** Milliseconds that may pass without a byte. @default {2500} */
  timeout?: number;
  /** Milliseconds for one object, headers and body together. @default {10000} */
  total?: number;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** The pointer as it was last read, with its validator. */
interface HeldPointer {
  etag: string;
  bytes: Bytes;
}

/**
 * Reads the objects of a snapshot root below `address`. 404 and 410 mean "no such object"; a store
 * that answers 403 for a missing object is not told from one that refuses, so 403 is an error. No
 * redirect is followed: it could lead to an address that only this machine reaches. The pointer is
 * asked for with `If-None-Match` when the host gave it an `ETag`.
 *
 * @throws {TypeError} When the address is not a plain http(s) URL.
 */
export function httpSource(address: string, options: HttpSourceOptions): Source {
  const root = rootOf(address);
  const { fetch, timeout = 2_500, total = 10_000 } = options;
  const after = options.after ?? realAfter;
  let held: HeldPointer | null = null;

  async function read(path: string, limits: TimeLimits): Promise<Bytes | null> {
    // Taken now: another read may put a newer pointer in its place before this one is answered.
    const known = path === POINTER_PATH ? held : null;
    const response = await fetch(`${root}/${path}`, {
      signal: limits.signal,
      redirect: "manual",
      ...(known === null ? {} : { headers: { "If-None-Match": known.etag } }),
    });
    limits.heard();
    if (response.status === 200) {
      const bytes = await readBody(response, { maxBytes: maxBytesOf(path), limits });
      if (path === POINTER_PATH) held = holdable(response, bytes);
      return bytes;
    }
    await response.body?.cancel();
    if (response.status === 304 && known !== null) return known.bytes;
    if (response.status === 404 || response.status === 410) return null;
    throw new BadStatus(response.status);
  }

  return {
    name: root,
    async get(path, signal) {
      checkObjectPath(path);
      const limits = new TimeLimits({ silence: timeout, total, after }, signal);
      try {
        return await read(path, limits);
      } catch (error) {
        const cause = limits.signal.aborted ? limits.signal.reason : error;
        const message = `Cannot read ${root}/${path}: ${messageOf(cause)}`;
        if (signal?.aborted) throw new Error(message, { cause: error });
        const passing = !(cause instanceof BadStatus) || cause.passing;
        throw new SourceFailure(message, { passing, cause: error });
      } finally {
        limits.stop();
      }
    },
  };
}

/** A status that is neither an object nor the lack of one. */
class BadStatus extends Error {
  readonly passing: boolean;

  constructor(status: number) {
    // A browser hides the status of a redirect behind 0.
    const isRedirect = status === 0 || status >= 300 && status < 400 && status !== 304;
    super(`status ${status}${isRedirect ? ", a redirect, which is not followed" : ""}`);
    this.passing = status >= 500 || status === 429;
  }
}

/** What to revalidate next time. A page of some proxy, or half a pointer, must not be held on to. */
function holdable(response: Response, bytes: Bytes): HeldPointer | null {
  const etag = response.headers.get("etag");
  if (etag === null) return null;
  try {
    parsePointer(bytes);
    return { etag, bytes };
  } catch {
    return null;
  }
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

async function readBody(
  response: Response,
  { maxBytes, limits }: { maxBytes: number; limits: TimeLimits },
): Promise<Bytes> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    limits.heard();
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

/** What a read may take, in milliseconds. */
export interface Limits {
  silence: number;
  total: number;
  after: After;
}

/** Ends a read after some silence, after a time in all, or when the caller says so. */
export class TimeLimits {
  /** Hand this to fetch. */
  readonly signal: AbortSignal;
  readonly #arm: () => () => void;
  readonly #cancelTotal: () => void;
  #cancelSilence: () => void;

  constructor({ silence, total, after }: Limits, caller?: AbortSignal) {
    const own = new AbortController();
    const end = (why: string) => (): void => own.abort(new Error(why));
    this.signal = caller === undefined ? own.signal : AbortSignal.any([own.signal, caller]);
    this.#arm = () => after(silence, end(`no answer in ${silence} ms`));
    this.#cancelSilence = this.#arm();
    this.#cancelTotal = after(total, end(`not all of it came in ${total} ms`));
  }

  /** Something came: silence begins anew. */
  heard(): void {
    this.#cancelSilence();
    this.#cancelSilence = this.#arm();
  }

  /** To be called when the read has ended, or the timers stay behind. */
  stop(): void {
    this.#cancelSilence();
    this.#cancelTotal();
  }
}
