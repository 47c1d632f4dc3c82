/**
 * What a server's answer to a download means, from status and headers alone (RFC 9110).
 *
 * @module
 */

import type { Sidecar } from "./sidecar.ts";
import type { Version } from "./part.ts";

/** What was asked for. */
export interface Asked {
  url: string;
  /** First byte asked for; 0 without a range. */
  from: number;
  /** The version the part belongs to, when resuming. */
  version?: Version;
  /** The note on the file that is there, when it may be kept. */
  old?: Sidecar;
}

/** What to do with the answer. */
export type Verdict =
  | { kind: "unchanged" }
  /** The body is the whole file; `total` is absent for a chunked body. */
  | { kind: "whole"; version: Version }
  /** The body goes from the byte asked for up to and without `end`, of `total`. */
  | { kind: "rest"; end: number; total: number }
  /** Ask again without a range. */
  | { kind: "restart"; why: string }
  /** Ask again later; `waitMs` when the server named a time. */
  | { kind: "retry"; why: string; waitMs?: number }
  | { kind: "refuse"; why: string };

/** Judges an answer. `now` (ms since the epoch) serves to read a `Retry-After` date. */
export function judge(
  answer: { status: number; headers: Headers },
  options: { asked: Asked; now: number },
): Verdict {
  const { status, headers } = answer;
  const { asked, now } = options;
  if (status === 304 && asked.old !== undefined) return { kind: "unchanged" };
  if (status === 416 && asked.from > 0) {
    return { kind: "restart", why: "the server refuses the range" };
  }
  if (status === 429 || status >= 500) {
    const waitMs = retryAfter(headers.get("retry-after"), now);
    return { kind: "retry", why: `HTTP ${status}`, ...(waitMs !== undefined && { waitMs }) };
  }
  if (status !== 200 && !(status === 206 && asked.from > 0)) {
    return { kind: "refuse", why: `HTTP ${status}` };
  }
  if (/^\s*(text\/html|application\/xhtml\+xml)\b/i.test(headers.get("content-type") ?? "")) {
    return { kind: "refuse", why: "the answer is a web page (HTML), not the file" };
  }
  const coding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  if (coding !== "" && coding !== "identity") {
    return { kind: "refuse", why: `the body is coded as "${coding}" although identity was asked` };
  }
  return status === 206 ? judgeRest(headers, asked) : judgeWhole(headers, asked);
}

function judgeWhole(headers: Headers, { url, old }: Asked): Verdict {
  const version = versionOf(url, headers);
  const { etag, total } = version;
  if (old !== undefined && etag !== undefined && etag === old.etag && total === old.bytes) {
    return { kind: "unchanged" };
  }
  const isChunked = /(^|,)\s*chunked\s*$/i.test(headers.get("transfer-encoding") ?? "");
  if (total === undefined && !isChunked) {
    return {
      kind: "refuse",
      why: "the body has neither a length nor chunks, so its end cannot be told from a cut",
    };
  }
  return { kind: "whole", version };
}

function judgeRest(headers: Headers, { from, version }: Asked): Verdict {
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
  if (!isFit) return { kind: "restart", why: "the server sends another range than asked" };
  return { kind: "rest", end, total };
}

/** The version an answer with status 200 speaks of. */
export function versionOf(url: string, headers: Headers): Version {
  const etag = /^(W\/)?"[\x21\x23-\x7e\x80-\uffff]*"$/.exec(headers.get("etag") ?? "");
  const lastModified = headers.get("last-modified");
  const length = headers.get("content-length") ?? "";
  const ifRange = etag === null
    ? isStrongDate(lastModified, headers.get("date")) ? lastModified : null
    : etag[1] === undefined
    ? etag[0]
    : null;
  return {
    url,
    ...(etag !== null && { etag: etag[0] }),
    ...(lastModified !== null && { last_modified: lastModified }),
    ...(ifRange !== null && { if_range: ifRange }),
    ...(/^\d{1,15}$/.test(length) && { total: Number(length) }),
  };
}

/** A date is a strong validator when it is a second or more before the answer (RFC 9110, 8.8.2.2). */
function isStrongDate(lastModified: string | null, date: string | null): boolean {
  return Date.parse(date ?? "") - Date.parse(lastModified ?? "") >= 1000;
}

/** Reads `Retry-After`: seconds or a date. In ms; undefined when absent or unreadable. */
export function retryAfter(value: string | null, now: number): number | undefined {
  const text = value?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const at = /^[A-Za-z]/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/**
 * Whether the beginning of a body is markup: the first byte that is neither white space nor part of
 * a byte order mark is `<`. Undefined when there is no such byte yet.
 */
export function isMarkup(bytes: Uint8Array): boolean | undefined {
  const blank = [0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf];
  const first = bytes.find((byte) => !blank.includes(byte));
  return first === undefined ? undefined : first === 0x3c;
}
