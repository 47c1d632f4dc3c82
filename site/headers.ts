/**
 * Headers of everything the site answers: what a browser may load, run and tell others.
 *
 * @module
 */

import { createHash } from "node:crypto";
import type { HeaderList } from "../api/http/headers.ts";
import { STYLE } from "./assets.ts";

/** The one `<style>` is allowed by its hash, scripts by their origin; nothing else is. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "img-src 'self' data:",
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
    // In-page tools need an origin of their own.
    ["Origin-Agent-Cluster", "?1"],
    ["Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"],
  ];
  if (baseUrl.startsWith("https:")) {
    headers.push(["Strict-Transport-Security", "max-age=31536000"]);
  }
  return headers;
}
