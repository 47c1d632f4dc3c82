/**
 * A document of the service as a path of the app: GET, HEAD, a validator, and how long it may be kept.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { type HeaderList, matchesTag } from "../http/headers.ts";
import type { Mount } from "../http/exchange.ts";

/** A document that is the same for every caller. */
export interface Document {
  path: string;
  /** Media type, with parameters. */
  type: string;
  /** Makes the text, when it is first asked for. */
  text: () => string;
  headers?: HeaderList;
}

const CACHING: HeaderList = [
  ["Cache-Control", "public, max-age=300"],
  ["CDN-Cache-Control", "max-age=3600, stale-while-revalidate=86400, stale-if-error=86400"],
];

/** Lower-case hexadecimal SHA-256 of bytes or of a text in UTF-8. */
export function sha256(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Serves a document. */
export function mountOf({ path, type, text, headers = [] }: Document): Mount {
  let made: { bytes: Uint8Array<ArrayBuffer>; headers: HeaderList; tag: string } | undefined;
  function make(): NonNullable<typeof made> {
    const body = text();
    // Weak, because a proxy may compress.
    const tag = `W/"${sha256(body).slice(0, 32)}"`;
    const all: HeaderList = [["Content-Type", type], ["ETag", tag], ...CACHING, ...headers];
    return { bytes: new TextEncoder().encode(body), headers: all, tag };
  }
  return {
    path,
    methods: ["GET"],
    fetch(request) {
      const { bytes, headers, tag } = made ??= make();
      if (matchesTag(request.headers.get("if-none-match"), tag)) {
        return Promise.resolve(new Response(null, { status: 304, headers }));
      }
      const length = String(bytes.length);
      return Promise.resolve(
        new Response(bytes, { headers: [...headers, ["Content-Length", length]] }),
      );
    },
  };
}
