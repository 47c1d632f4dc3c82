/**
 * SHA-256 for Deno and Node. In browsers, use `sha256Hex` in bytes.ts.
 *
 * @module
 */

import { createHash } from "node:crypto";

/** SHA-256 of bytes, or of text as UTF-8, in lowercase hexadecimal. */
export function sha256(content: Uint8Array | string): string {
  return createHash("sha256").update(content).digest("hex");
}
