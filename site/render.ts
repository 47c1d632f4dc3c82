/**
 * Renders a page to a response, and sets the headers of every response of the site.
 *
 * @module
 */

import { raw } from "hono/html";
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { sha256 } from "../pipeline/sha256.ts";
import { type Freshness, type HeaderList, matchesTag, sharedCaching } from "../api/http/headers.ts";
import { acceptsGzip, streamOf } from "../api/http/streaming.ts";
import { after } from "../pipeline/clock.ts";
import { STYLES } from "./assets/assets.ts";
import { documentHtml, type Page, type PageAddress, type PageFile } from "./components/layout.tsx";

interface RenderContext extends Freshness, PageAddress {
  request: Request;
  requestId: string;
}

export function render(answered: Page | PageFile, setting: RenderContext): Response {
  const { request, requestId, baseUrl } = setting;
  const page: Partial<Page & PageFile> = answered;
  const { status = 200, shared = false, snapshotId, type = "text/html; charset=utf-8" } = page;
  const bytes = "bytes" in answered
    ? answered.bytes
    : answered.more === undefined
    ? new TextEncoder().encode(documentHtml(answered, setting))
    : null;
  const headers = new Headers(siteHeaders(requestId, baseUrl));
  headers.set("Content-Type", type);
  if (snapshotId !== undefined) headers.set("Snapshot-Id", snapshotId);
  if (page.retryAfter !== undefined) headers.set("Retry-After", String(page.retryAfter));
  for (const [name, value] of page.headers ?? []) {
    if (name === "Vary") headers.append(name, value);
    else headers.set(name, value);
  }
  if (bytes === null) {
    headers.set("Cache-Control", "no-store");
    // Hono drops the body of a response to HEAD, so a stream would wait forever for a reader.
    const body = request.method === "HEAD" ? null : stream(answered as Page, setting);
    return new Response(body, { status, headers });
  }
  if (status !== 200 || !shared) headers.set("Cache-Control", "no-store");
  else {
    // A weak tag, because the body may be compressed.
    const tag = `W/"${sha256(bytes).slice(0, 32)}"`;
    headers.set("ETag", tag);
    for (const [name, value] of sharedCaching(setting)) headers.set(name, value);
    if (snapshotId !== undefined) headers.set("Deno-Cache-Tag", snapshotId);
    if (matchesTag(request.headers.get("if-none-match"), tag)) {
      return new Response(null, { status: 304, headers });
    }
  }
  // Deno's own gzip favors speed, and its output is a third larger. Its Brotli is fine, so it is left to Deno.
  const encodings = request.headers.get("accept-encoding");
  const compresses = type.startsWith("text/") && acceptsGzip(encodings) &&
    !/\bbr\b/i.test(encodings!);
  if (compresses) headers.set("Content-Encoding", "gzip");
  const body = compresses ? new Uint8Array(gzipSync(bytes)) : bytes;
  headers.set("Content-Length", String(body.length));
  return new Response(body, { status, headers });
}

/** Streams a page: the document up to the end of `body`, then `more`, then the rest of the document. */
function stream(page: Page, place: PageAddress): ReadableStream<Uint8Array<ArrayBuffer>> {
  const { parts, control } = page.more!;
  const mark = "<!-- more -->";
  const [head, foot] = documentHtml({ ...page, body: raw(mark) }, place).split(mark);
  const encoder = new TextEncoder();
  async function* all(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    yield encoder.encode(`${head}${page.body ?? ""}`);
    for await (const part of parts) yield encoder.encode(part);
    yield encoder.encode(foot);
  }
  return streamOf(all(), { after, control });
}

/** Allows each inline style sheet by its hash, and scripts and other files only from this origin. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src ${Object.values(STYLES).map(hashSource).join(" ")}`,
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

function hashSource(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** Returns the headers of every response of the site. */
export function siteHeaders(requestId: string, baseUrl: string): HeaderList {
  const headers: HeaderList = [
    ["X-Request-Id", requestId],
    ["Content-Security-Policy", POLICY],
    ["X-Content-Type-Options", "nosniff"],
    ["Vary", "Accept-Encoding"],
    ["X-Frame-Options", "DENY"],
    ["Referrer-Policy", "same-origin"],
    ["Cross-Origin-Opener-Policy", "same-origin"],
    // In-page tools (WebMCP) require an origin-keyed agent cluster.
    ["Origin-Agent-Cluster", "?1"],
    ["Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"],
  ];
  if (baseUrl.startsWith("https:")) {
    headers.push(["Strict-Transport-Security", "max-age=31536000"]);
  }
  return headers;
}
