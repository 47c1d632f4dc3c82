/**
 * From a page to the response that carries it.
 *
 * @module
 */

import { sha256 } from "../api/discovery/document.ts";
import { type Freshness, type HeaderList, matchesTag } from "../api/http/headers.ts";
import { sharedCaching } from "../api/http/headers.ts";
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
  const headers: HeaderList = [
    ...siteHeaders(requestId, baseUrl),
    ["Content-Type", "text/html; charset=utf-8"],
  ];
  if (snapshotId !== undefined) headers.push(["Snapshot-Id", snapshotId]);
  for (const [name, value] of page.headers ?? []) headers.push([name, value]);
  if (status !== 200 || !shared) {
    headers.push(["Cache-Control", "no-store"]);
    return withLength(bytes, { status, headers });
  }
  // Weak, because a proxy may compress.
  const tag = `W/"${sha256(bytes).slice(0, 32)}"`;
  headers.push(["ETag", tag], ...sharedCaching(setting));
  if (snapshotId !== undefined) headers.push(["Deno-Cache-Tag", snapshotId]);
  if (matchesTag(request.headers.get("if-none-match"), tag)) {
    return new Response(null, { status: 304, headers });
  }
  return withLength(bytes, { status, headers });
}

/** A response that tells its length, which HEAD needs. */
function withLength(
  bytes: Uint8Array<ArrayBuffer>,
  { status, headers }: { status: number; headers: HeaderList },
): Response {
  headers.push(["Content-Length", String(bytes.length)]);
  return new Response(bytes, { status, headers });
}
