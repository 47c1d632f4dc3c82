/**
 * One attempt of a download: the request, what its response means (RFC 9110), and the bytes.
 *
 * @module
 */

import type { Clock } from "../clock.ts";
import { amount, duration, type StartProgress } from "../progress.ts";
import { chunks, TransientError, watch } from "../retry.ts";
import { type FileVersion, type Part, type Sidecar, versionOf } from "./part.ts";

const LONGEST_RETRY_AFTER_MS = 3_600_000;

export interface Transfer {
  /** The file's name, for people. */
  label: string;
  url: string;
  part: Part;
  /** The sidecar of the file that is in place, when it came from this address. */
  old: Sidecar | undefined;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  clock: Clock;
  /** Longest time to wait for more data from the server, ms. */
  idleMs: number;
  signal: AbortSignal | undefined;
  progress: StartProgress | undefined;
  say: (line: string) => void;
}

/**
 * Sends one request and stores its bytes.
 *
 * @returns `whole` when the part is the file, `unchanged` when the file in place is current, `again`
 * when the server sent less than the rest or the part had to be dropped.
 * @throws {TransientError} When a later attempt may succeed. The part keeps the bytes received.
 * @throws {Error} When no later attempt will succeed.
 */
export async function attempt(transfer: Transfer): Promise<"whole" | "unchanged" | "again"> {
  const { part: { version, size, resumeAt: from }, url, old, clock } = transfer;
  const request: RangeRequest = { url, from, size, version, old };
  const headers = requestHeaders(request);
  const line = watch(transfer.idleMs, transfer.signal);
  const response = await line.step(() => transfer.fetch(url, { headers, signal: line.signal }));
  try {
    const meaning = interpret(response, { request, now: clock.now() });
    if (meaning.kind === "unchanged") return "unchanged";
    if (meaning.kind === "restart") return await dropPart(transfer, meaning.why);
    if (meaning.kind === "range") transfer.say(`resuming at ${amount(size, "bytes")}`);
    else if (from > 0) {
      transfer.say("starting over: the file changed, or the server cannot resume");
    }
    return await receive(transfer, chunks(response, line), meaning);
  } finally {
    // Releases the connection when the body was not read to its end
    await response.body?.cancel().catch(() => {});
  }
}

interface RangeRequest {
  url: string;
  /** First byte requested; 0 without a range. */
  from: number;
  /** Bytes of the part. */
  size: number;
  /** The version of the part, when resuming. */
  version: FileVersion | undefined;
  /** The sidecar of the file in place, when that may be kept. */
  old?: Sidecar | undefined;
}

function requestHeaders({ from, version, old }: RangeRequest): Headers {
  const headers = new Headers({ accept: "text/csv, */*;q=0.5", "accept-encoding": "identity" });
  if (old?.etag !== undefined) headers.set("if-none-match", old.etag);
  else if (old?.last_modified !== undefined) headers.set("if-modified-since", old.last_modified);
  if (from > 0 && version?.if_range !== undefined) {
    headers.set("range", `bytes=${from}-`);
    headers.set("if-range", version.if_range);
  }
  return headers;
}

/** The body is the whole file, or runs from the requested byte to before `end`, of `total`. */
type BodyMeaning =
  | { kind: "whole"; version: FileVersion }
  | { kind: "range"; end: number; total: number };

/** What a response means; `restart` is to request again without a range. */
type ResponseMeaning = BodyMeaning | { kind: "unchanged" } | { kind: "restart"; why: string };

/**
 * Reads status and headers. `now` is in ms since the epoch, for a `Retry-After` date.
 *
 * @throws {TransientError} When a later request may succeed.
 * @throws {Error} When the body cannot be the file.
 */
export function interpret(
  { status, headers }: { status: number; headers: Headers },
  { request, now }: { request: RangeRequest; now: number },
): ResponseMeaning {
  const refusal = (why: string): Error => new Error(`Cannot fetch "${request.url}": ${why}`);
  if (status === 304 && request.old !== undefined) return { kind: "unchanged" };
  if (status === 416 && request.from > 0) {
    return { kind: "restart", why: "the server refuses the range" };
  }
  if (status === 429 || status >= 500) {
    const waitMs = retryAfter(headers.get("retry-after"), now);
    if (waitMs === undefined || waitMs <= LONGEST_RETRY_AFTER_MS) {
      throw new TransientError(`HTTP ${status}`, { waitMs });
    }
    const wait = duration(waitMs / 1000);
    throw refusal(`HTTP ${status}, the server asks to come back in ${wait}`);
  }
  if (status !== 200 && !(status === 206 && request.from > 0)) throw refusal(`HTTP ${status}`);
  if (/^\s*(text\/html|application\/xhtml\+xml)\b/i.test(headers.get("content-type") ?? "")) {
    throw refusal("the response is a web page (HTML), not the file");
  }
  const coding = headers.get("content-encoding")?.trim().toLowerCase() || "identity";
  if (coding !== "identity") {
    throw refusal(`the body is coded as "${coding}", identity was requested`);
  }
  if (status === 206) return interpretRange(headers, request);
  const { old } = request;
  const version = versionOf(request.url, headers);
  const { etag, total } = version;
  if (etag !== undefined && etag === old?.etag && total === old.bytes) return { kind: "unchanged" };
  const isChunked = /(^|,)\s*chunked\s*$/i.test(headers.get("transfer-encoding") ?? "");
  if (total !== undefined || isChunked) return { kind: "whole", version };
  throw refusal(
    "the body has neither a length nor chunks, so a cut body looks like a complete one",
  );
}

function interpretRange(headers: Headers, { from, size, version }: RangeRequest): ResponseMeaning {
  const { etag, last_modified } = versionOf("", headers);
  // A 206 must repeat the ETag (RFC 9110, 15.3.7) but may leave Last-Modified out after If-Range.
  const isOther = version?.etag !== undefined
    ? etag !== version.etag
    : last_modified !== undefined && last_modified !== version?.last_modified;
  if (isOther) return { kind: "restart", why: "the file changed on the server" };
  const range = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/i
    .exec(headers.get("content-range")?.trim() ?? "");
  const end = Number(range?.[2]) + 1;
  const total = range?.[3] === "*" ? version?.total : Number(range?.[3]);
  const isFit = range !== null && Number(range[1]) === from && end > from &&
    total !== undefined && end <= total && total === (version?.total ?? total) && size <= total;
  if (!isFit) return { kind: "restart", why: "the server sends another range than requested" };
  return { kind: "range", end, total };
}

/** `Retry-After`, seconds or a date, in ms; undefined when absent or unreadable. */
function retryAfter(value: string | null, now: number): number | undefined {
  const text = value?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const at = /^[A-Za-z]/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

async function dropPart(transfer: Transfer, why: string): Promise<"again"> {
  transfer.say(`starting over: ${why}`);
  await transfer.part.restart();
  return "again";
}

/**
 * Stores the body: either as a new part, which replaces an old one only once the first bytes look right, or
 * at the end of the part, after comparing the overlap.
 */
async function receive(
  transfer: Transfer,
  body: AsyncIterable<Uint8Array>,
  meaning: BodyMeaning,
): Promise<"whole" | "again"> {
  const { part, url, label } = transfer;
  const { size } = part;
  let version = meaning.kind === "whole" ? meaning.version : undefined;
  const { end, total } = meaning.kind === "range"
    ? meaning
    : { end: meaning.version.total, total: meaning.version.total };
  let overlap = version === undefined ? await part.tail() : new Uint8Array();
  let markup = version === undefined ? false : undefined;
  const progress = transfer.progress?.({ label, unit: "bytes", total });
  try {
    progress?.update(version === undefined ? size : 0);
    for await (const bytes of body) {
      markup ??= isMarkup(bytes);
      if (markup) {
        if (version === undefined) await part.restart();
        throw new Error(`Cannot fetch "${url}": the body is a web page (markup), not the file`);
      }
      if (version !== undefined) await part.restart(version);
      version = undefined;
      const n = Math.min(overlap.length, bytes.length);
      if (overlap.subarray(0, n).some((byte, i) => byte !== bytes[i])) {
        return await dropPart(transfer, "the file changed on the server");
      }
      overlap = overlap.subarray(n);
      if (end !== undefined && part.size + bytes.length - n > end) {
        await part.restart();
        throw new TransientError(`the body is longer than the ${end} bytes announced`);
      }
      await part.append(bytes.subarray(n));
      progress?.update(part.size);
    }
  } finally {
    progress?.end();
  }
  if (version !== undefined) throw new TransientError("the body is empty");
  if (end !== undefined && part.size !== end) {
    throw new TransientError(`the body was cut at byte ${part.size} of ${end}`);
  }
  if (part.size === total || meaning.kind === "whole") return "whole";
  if (part.size === size) throw new TransientError("the server sends nothing new");
  return "again";
}

/**
 * Whether the first byte that is neither white space nor part of a byte order mark is `<`; undefined
 * when there is no such byte yet.
 */
function isMarkup(bytes: Uint8Array): boolean | undefined {
  const blank = [0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf];
  const first = bytes.find((byte) => !blank.includes(byte));
  return first === undefined ? undefined : first === 0x3c;
}
