/**
 * From a page to the response that carries it.
 *
 * @module
 */

import { sha256 } from "../api/discovery/document.ts";
import { type Freshness, matchesTag, sharedCaching } from "../api/http/headers.ts";
import { siteHeaders } from "./headers.ts";
import type { Page } from "./page.ts";
import { htmlOf } from "./parts/layout.tsx";

/** What a response depends on beside its page. */
export interface Setting extends Freshness {
  request: Request;
  requestId: string;
  baseUrl: string;
  path: string;
}

/** Answers with a page. */
export function render(page: Page, setting: Setting): Response {
  const { request, requestId, baseUrl, path } = setting;
  const { status = 200, shared = false, snapshotId } = page;
  const bytes = new TextEncoder().encode(htmlOf(page, { baseUrl, path }));
  const headers = new Headers(siteHeaders(requestId, baseUrl));
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("Content-Length", String(bytes.length));
  if (snapshotId !== undefined) headers.set("Snapshot-Id", snapshotId);
  for (const [name, value] of page.headers ?? []) headers.set(name, value);
  if (status !== 200 || !shared) {
    headers.set("Cache-Control", "no-store");
    return new Response(bytes, { status, headers });
  }
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
