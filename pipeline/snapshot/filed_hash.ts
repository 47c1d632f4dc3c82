/**
 * The hash of all filed rows: a sum, so that a client updates it carrier by carrier in any order.
 * FORMAT.md, "Changes of a day", has test vectors.
 *
 * @module
 */

import { createHash } from "node:crypto";

/** The first 64 bits of the SHA-256 of a filed row's JSON text. */
export function rowHash(filed: readonly unknown[]): bigint {
  const digits = createHash("sha256").update(JSON.stringify(filed)).digest("hex").slice(0, 16);
  return BigInt(`0x${digits}`);
}

/** A sum of hashes modulo 2^64 as 16 digits. */
export function hashText(sum: bigint): string {
  return BigInt.asUintN(64, sum).toString(16).padStart(16, "0");
}

/** The sum that such digits stand for. */
export function hashOf(text: string): bigint {
  return BigInt(`0x${text}`);
}
