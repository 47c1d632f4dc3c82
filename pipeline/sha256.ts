/**
 * SHA-256 of what is in memory, for Deno and Node; `sha256Hex` in bytes.ts is the one for browsers.
 *
 * @module
 */

import { createHash } from "node:crypto";

/** Lowercase hexadecimal SHA-256 of bytes, or of a text in UTF-8. */
export function sha256(content: Uint8Array | string): string {
  return createHash("sha256").update(content).digest("hex");
}
