/**
 * One attempt of a download: the request, what its response means (RFC 9110), and the bytes.
 *
 * @module
 */

import type { Clock } from "../clock.ts";
import { amount, duration, type StartProgress } from "../progress.ts";
import { TransientError, type Watch, watch } from "../retry.ts";
import { type FileVersion, type Part, type Sidecar, versionOf } from "./part.ts";

const LONGEST_RETRY_AFTER_MS = 3_600_000;

/** A download and what it works with. */
export interface Transfer {
  /** The file's name, for people. */
  label: string;
  url: string;
  part: Part;
  /** The sidecar of the file that is in place, when it came from this address. */
  old: Sidecar | undefined;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  clock: Clock;
  /** Longest silence of the server, ms. */
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
 * @throws {TransientError} When a later attempt may succeed. The part keeps what came.
 * @throws {Error} When no later attempt will.
 */
export async function attempt(transfer: Transfer): Promise<"whole" | "unchanged" | "again"> {
  const { part, url, old } = transfer;
  const request: RangeRequest = {
    url,
    from: part.resumeAt,
    ...(part.version && { version: part.version }),
    ...(old && { old }),
  };
  const headers = requestHeaders(request);
  const line = watch(transfer.idleMs, transfer.signal);
  const response = await line.step(() => transfer.fetch(url, { headers, signal: line.signal }));
  try {
    const meaning = interpret(response, { request, now: transfer.clock.now() });
    if (meaning.kind === "unchanged") return "unchanged";
    if (meaning.kind === "refuse") throw new Error(`Cannot fetch "${url}": ${meaning.why}`);
    if (meaning.kind === "retry") throw retryError(url, meaning);
    if (meaning.kind === "restart") return await dropPart(transfer, meaning.why);
    if (meaning.kind === "range") {
      return await receiveRange(transfer, { response, line, ...meaning });
    }
    if (request.from > 0) {
      transfer.say("starting over: the file changed, or the server cannot resume");
    }
    await receiveWhole(transfer, { response, line, version: meaning.version });
    return "whole";
  } finally {
    // Releases the connection when the body was not read to its end
    await response.body?.cancel().catch(() => {});
  }
}

/** What an attempt asks for. */
interface RangeRequest {
  url: string;
  /** First byte requested; 0 without a range. */
  from: number;
  /** The version of the part, when resuming. */
  version?: FileVersion;
  /** The sidecar of the file in place, when that may be kept. */
  old?: Sidecar;
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

/** What a response means. */
type ResponseMeaning =
  | { kind: "unchanged" }
  /** The body is the whole file. */
  | { kind: "whole"; version: FileVersion }
  /** The body runs from the requested byte to before `end`, of `total`. */
  | { kind: "range"; end: number; total: number }
  /** Request again without a range. */
  | { kind: "restart"; why: string }
  /** Request again later; `waitMs` when the server named a time. */
  | { kind: "retry"; why: string; waitMs?: number }
  | { kind: "refuse"; why: string };

/** Reads status and headers. `now` is in ms since the epoch, for a `Retry-After` date. */
export function interpret(
  { status, headers }: { status: number; headers: Headers },
  { request, now }: { request: RangeRequest; now: number },
): ResponseMeaning {
  if (status === 304 && request.old !== undefined) return { kind: "unchanged" };
  if (status === 416 && request.from > 0) {
    return { kind: "restart", why: "the server refuses the range" };
  }
  if (status === 429 || status >= 500) {
    const waitMs = retryAfter(headers.get("retry-after"), now);
    return { kind: "retry", why: `HTTP ${status}`, ...(waitMs !== undefined && { waitMs }) };
  }
  if (status !== 200 && !(status === 206 && request.from > 0)) {
    return { kind: "refuse", why: `HTTP ${status}` };
  }
  if (/^\s*(text\/html|application\/xhtml\+xml)\b/i.test(headers.get("content-type") ?? "")) {
    return { kind: "refuse", why: "the response is a web page (HTML), not the file" };
  }
  const coding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  if (coding !== "" && coding !== "identity") {
    return { kind: "refuse", why: `the body is coded as "${coding}", identity was requested` };
  }
  return status === 206 ? interpretRange(headers, request) : interpretWhole(headers, request);
}

function interpretWhole(headers: Headers, { url, old }: RangeRequest): ResponseMeaning {
  const version = versionOf(url, headers);
  const { etag, total } = version;
  if (old !== undefined && etag !== undefined && etag === old.etag && total === old.bytes) {
    return { kind: "unchanged" };
  }
  const isChunked = /(^|,)\s*chunked\s*$/i.test(headers.get("transfer-encoding") ?? "");
  if (total === undefined && !isChunked) {
    return {
      kind: "refuse",
      why: "the body has neither a length nor chunks, so a cut body looks like a complete one",
    };
  }
  return { kind: "whole", version };
}

function interpretRange(headers: Headers, { from, version }: RangeRequest): ResponseMeaning {
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
    total !== undefined && end <= total && total === (version?.total ?? total);
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

function retryError(url: string, meaning: { why: string; waitMs?: number }): Error {
  const { why, waitMs = 0 } = meaning;
  if (waitMs <= LONGEST_RETRY_AFTER_MS) return new TransientError(why, meaning);
  const wait = duration(waitMs / 1000);
  return new Error(`Cannot fetch "${url}" now: ${why}, the server asks to come back in ${wait}`);
}

async function dropPart(transfer: Transfer, why: string): Promise<"again"> {
  transfer.say(`starting over: ${why}`);
  await transfer.part.restart();
  return "again";
}

interface Incoming {
  response: Response;
  line: Watch;
}

/** Fills the part from the start; an old part is dropped only when the first bytes look right. */
async function receiveWhole(
  transfer: Transfer,
  { response, line, version }: Incoming & { version: FileVersion },
): Promise<void> {
  const { part, url, label } = transfer;
  const { total } = version;
  const progress = transfer.progress?.({
    label,
    unit: "bytes",
    ...(total !== undefined && { total }),
  });
  let isStarted = false;
  let markup: boolean | undefined;
  try {
    progress?.update(0);
    for await (const bytes of chunks(response, line)) {
      markup ??= isMarkup(bytes);
      if (markup) {
        if (isStarted) await part.restart();
        throw new Error(`Cannot fetch "${url}": the body is a web page (markup), not the file`);
      }
      if (!isStarted) await part.restart(version);
      isStarted = true;
      await appendWithin(part, { bytes, end: total });
      progress?.update(part.size);
    }
  } finally {
    progress?.end();
  }
  if (!isStarted) throw new TransientError("the body is empty");
  checkEnd(part, total);
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

/** Resumes where the part ends, after comparing the overlap. */
async function receiveRange(
  transfer: Transfer,
  { response, line, end, total }: Incoming & { end: number; total: number },
): Promise<"whole" | "again"> {
  const { part, label } = transfer;
  if (total < part.size) return await dropPart(transfer, "the file is shorter than the part");
  transfer.say(`resuming at ${amount(part.size, "bytes")}`);
  const progress = transfer.progress?.({ label, unit: "bytes", total });
  const sizeBefore = part.size;
  let overlap = await part.tail();
  try {
    progress?.update(part.size);
    for await (const bytes of chunks(response, line)) {
      const n = Math.min(overlap.length, bytes.length);
      if (overlap.subarray(0, n).some((byte, i) => byte !== bytes[i])) {
        return await dropPart(transfer, "the file changed on the server");
      }
      overlap = overlap.subarray(n);
      await appendWithin(part, { bytes: bytes.subarray(n), end });
      progress?.update(part.size);
    }
  } finally {
    progress?.end();
  }
  checkEnd(part, end);
  if (part.size === total) return "whole";
  if (part.size === sizeBefore) throw new TransientError("the server sends nothing new");
  return "again";
}

/** The body's chunks, each awaited under the time limit. */
async function* chunks(response: Response, line: Watch): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  try {
    for (;;) {
      const next = await line.step(async () => await reader?.read());
      if (next === undefined || next.done) return;
      if (next.value.length > 0) yield next.value;
    }
  } finally {
    reader?.releaseLock();
  }
}

async function appendWithin(
  part: Part,
  { bytes, end }: { bytes: Uint8Array; end: number | undefined },
): Promise<void> {
  if (end !== undefined && part.size + bytes.length > end) {
    await part.restart();
    throw new TransientError(`the body is longer than the ${end} bytes announced`);
  }
  await part.append(bytes);
}

function checkEnd({ size }: Part, end: number | undefined): void {
  if (end !== undefined && size !== end) {
    throw new TransientError(`the body was cut at byte ${size} of ${end}`);
  }
}
