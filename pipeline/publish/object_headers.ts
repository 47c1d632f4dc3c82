/**
 * How each kind of object is to be served.
 *
 * @module
 */

const DAY_SECONDS = 86_400;
const IMMUTABLE = `public, max-age=${365 * DAY_SECONDS}, immutable`;

/** Headers of an object below `s/`: it never changes. `.gz` files are bytes of their own, not a coding. */
export function immutableHeaders(path: string): { contentType: string; cacheControl: string } {
  return { contentType: contentType(path), cacheControl: IMMUTABLE };
}

/**
 * Headers of the pointer. Not stale-while-revalidate: FORMAT.md promises a reader that it sees a new
 * snapshot a minute after it came.
 */
export const POINTER_HEADERS = {
  contentType: "application/json",
  cacheControl: "public, max-age=60",
};

/** Headers of what only publishers read. */
export const PRIVATE_HEADERS = { contentType: "application/json", cacheControl: "no-store" };

function contentType(path: string): string {
  // With `Content-Encoding: gzip` hosts unpack or repack the bytes, whose hash is published.
  if (path.endsWith(".gz")) return "application/gzip";
  if (path.endsWith(".json")) return "application/json";
  if (path.endsWith("SHA256SUMS")) return "text/plain; charset=utf-8";
  return "application/octet-stream";
}
