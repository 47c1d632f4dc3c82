/**
 * From a page to its response, and the headers of every response of the site.
 *
 * @module
 */

import { raw } from "hono/html";
import { createHash } from "node:crypto";
import { sha256 } from "../api/discovery/documents.ts";
import { type Freshness, type HeaderList, matchesTag, sharedCaching } from "../api/http/headers.ts";
import { streamOf } from "../api/http/streaming.ts";
import { after } from "../pipeline/clock.ts";
import { STYLE } from "./assets/assets.ts";
import { htmlOf, type Page, type PageAddress } from "./components/layout.tsx";

/** What a response depends on beside its page. */
interface Setting extends Freshness, PageAddress {
  request: Request;
  requestId: string;
}

export function render(page: Page, setting: Setting): Response {
  const { request, requestId, baseUrl } = setting;
  const { status = 200, shared = false, snapshotId } = page;
  const bytes = page.more === undefined ? new TextEncoder().encode(htmlOf(page, setting)) : null;
  const headers = new Headers(siteHeaders(requestId, baseUrl));
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (bytes !== null) headers.set("Content-Length", String(bytes.length));
  if (snapshotId !== undefined) headers.set("Snapshot-Id", snapshotId);
  if (page.retryAfter !== undefined) headers.set("Retry-After", String(page.retryAfter));
  for (const [name, value] of page.headers ?? []) {
    if (name === "Vary") headers.append(name, value);
    else headers.set(name, value);
  }
  if (status !== 200 || !shared) {
    headers.set("Cache-Control", "no-store");
    // Hono drops the body of an answer to HEAD, and a stream would wait for its reader.
    const body = bytes ?? (request.method === "HEAD" ? null : stream(page, setting));
    return new Response(body, { status, headers });
  }
  if (bytes === null) throw new Error("A page that is streamed cannot be shared");
  // Weak, because a proxy may compress.
  const tag = `W/"${sha256(bytes).slice(0, 32)}"`;
  headers.set("ETag", tag);
  for (const [name, value] of sharedCaching(setting)) headers.set(name, value);
  if (snapshotId !== undefined) headers.set("Deno-Cache-Tag", snapshotId);
  if (matchesTag(request.headers.get("if-none-match"), tag)) {
    headers.delete("Content-Length");
    return new Response(null, { status: 304, headers });
  }
  return new Response(bytes, { headers });
}

/** A page around what follows its body. */
function stream(page: Page, place: PageAddress): ReadableStream<Uint8Array<ArrayBuffer>> {
  const { parts, end } = page.more!;
  const mark = "<!-- more -->";
  const [head, foot] = htmlOf({ ...page, body: raw(mark) }, place).split(mark);
  const encoder = new TextEncoder();
  async function* all(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    yield encoder.encode(`${head}${page.body ?? ""}`);
    for await (const part of parts) yield encoder.encode(part);
    yield encoder.encode(foot);
  }
  return streamOf(all(), { after, end });
}

/** The one `<style>` is allowed by its hash, scripts by their origin; nothing else is. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
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

/** Headers of an answer of the site at an address. */
export function siteHeaders(requestId: string, baseUrl: string): HeaderList {
  const headers: HeaderList = [
    ["X-Request-Id", requestId],
    ["Content-Security-Policy", POLICY],
    ["X-Content-Type-Options", "nosniff"],
    ["Vary", "Accept-Encoding"],
    ["X-Frame-Options", "DENY"],
    ["Referrer-Policy", "strict-origin-when-cross-origin"],
    ["Cross-Origin-Opener-Policy", "same-origin"],
    // In-page tools need their own origin.
    ["Origin-Agent-Cluster", "?1"],
    ["Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"],
  ];
  if (baseUrl.startsWith("https:")) {
    headers.push(["Strict-Transport-Security", "max-age=31536000"]);
  }
  return headers;
}
